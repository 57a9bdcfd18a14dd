import { BoundedBuffer } from './bounded-buffer.ts'
import type { ReplyHead } from './contract.ts'
import { encodingOf, maxReadBytes, mediaTypeOf } from './decode-reply.ts'
import { readEventStream } from './event-stream.ts'
import type { Read } from './reading/readings.ts'
import { type ReplyKind, type TokenCount, type TokenReader, tokensOfBytes } from './reading/tokens.ts'

/**
 * Creates the reader for a reply of this type.
 * @param isUsageHidden whether only the gateway asked for usage: the event that reports it is kept from the
 *   caller.
 */
export function createTokenReader(head: ReplyHead, isUsageHidden: boolean, read: Read): TokenReader {
  const mediaType = mediaTypeOf(head)
  const encoding = encodingOf(head)
  // Nothing can be removed from a compressed stream, so it is read at its end like any other reply.
  if (mediaType === eventStream && encoding === undefined) return readEventStream(isUsageHidden, read)
  const kind = kindOf(mediaType)
  return kind ? readWhole(kind, encoding, read) : unread
}

/** @returns undefined for audio and pictures: they have no text to estimate. */
function kindOf(mediaType: string): ReplyKind | undefined {
  if (mediaType === eventStream) return 'events'
  if (/^$|[/+]json$/.test(mediaType)) return 'json'
  // Also JSON lines: they are estimated with their braces and names.
  return /^text\/|json|xml/.test(mediaType) ? 'text' : undefined
}

const unread: TokenReader = {
  push: (chunk) => chunk,
  end: () => new Uint8Array(),
  count: () => ({ reported: undefined, estimated: 0 }),
}

const eventStream = 'text/event-stream'

function readWhole(kind: ReplyKind, encoding: string | undefined, read: Read): TokenReader {
  const buffer = new BoundedBuffer(maxReadBytes)
  const byLength = (): TokenCount => ({
    reported: undefined,
    estimated: tokensOfBytes(buffer.totalBytes()),
  })
  return {
    push(chunk) {
      buffer.push(chunk)
      return chunk
    },
    end: () => new Uint8Array(),
    count() {
      const bytes = buffer.bytes()
      if (bytes.length < buffer.totalBytes()) return byLength()
      const count = read('reply', { bytes, encoding, kind })
      return count instanceof Promise ? count.then((known) => known ?? byLength()) : (count ?? byLength())
    },
  }
}
