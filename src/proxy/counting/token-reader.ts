import { BoundedBuffer } from './bounded-buffer.ts'
import type { ReplyHead } from './contract.ts'
import { decode, encodingOf, maxReadBytes, mediaTypeOf } from './decode-reply.ts'
import { estimateTokens, StreamedEstimate } from './estimate.ts'
import { createEventFilter } from './event-filter.ts'
import { eventText, replyText } from './json-text.ts'
import { isUsageOnly, mergeUsage, type ReportedUsage, readUsage } from './reported-usage.ts'

/** Reads the usage that a model's reply reports, and estimates its tokens in case it reports none. */
export interface TokenReader {
  /** @returns the bytes to pass on now. */
  push(chunk: Uint8Array): Uint8Array
  /** @returns the bytes held back. */
  end(): Uint8Array
  count(): TokenCount
}

export interface TokenCount {
  readonly reported: ReportedUsage | undefined
  /** Of the text that passed. */
  readonly estimated: number
}

/**
 * @param isUsageHidden whether only the gateway asked for usage: the event that reports it is kept from the
 *   caller.
 */
export function createTokenReader(head: ReplyHead, isUsageHidden: boolean): TokenReader {
  const mediaType = mediaTypeOf(head)
  const encoding = encodingOf(head)
  // Nothing can be removed from a compressed stream, so it is read at its end like any other reply.
  if (mediaType === eventStream && encoding === undefined) return readEvents(isUsageHidden)
  const kind = kindOf(mediaType)
  return kind ? readWhole(kind, encoding) : unread
}

type Kind = 'events' | 'json' | 'text'

/** @returns undefined for audio and pictures: they have no text to estimate. */
function kindOf(mediaType: string): Kind | undefined {
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

function readEvents(isUsageHidden: boolean): TokenReader {
  const estimate = new StreamedEstimate()
  let reported: ReportedUsage | undefined
  const filter = createEventFilter((data) => {
    const event = parsed(data)
    reported = mergeUsage(reported, readUsage(event))
    estimate.add(textOr(data, () => eventText(event)))
    return !(isUsageHidden && isUsageOnly(event))
  }, isUsageHidden)
  return { ...filter, count: () => ({ reported, estimated: estimate.total() }) }
}

function readWhole(kind: Kind, encoding: string | undefined): TokenReader {
  const buffer = new BoundedBuffer(maxReadBytes)
  return {
    push(chunk) {
      buffer.push(chunk)
      return chunk
    },
    end: () => new Uint8Array(),
    count() {
      const bytes = decode(buffer.bytes(), encoding)
      const isWhole = bytes !== undefined && buffer.bytes().length === buffer.totalBytes()
      return (
        (isWhole && readers[kind](bytes)) || {
          reported: undefined,
          estimated: tokensOfBytes(buffer.totalBytes()),
        }
      )
    },
  }
}

/**
 * Each reads a whole body.
 * @returns undefined when it cannot be read.
 */
const readers: Record<Kind, (bytes: Uint8Array) => TokenCount | undefined> = {
  events(bytes) {
    const reader = readEvents(false)
    reader.push(bytes)
    reader.end()
    return reader.count()
  },
  json(bytes) {
    const text = new TextDecoder().decode(bytes)
    const reply = parsed(text)
    if (reply === undefined) return undefined
    const reported = readUsage(reply)
    const output = textOr(text, () => replyText(reply).text)
    return { reported: reported && { ...reported, isFinal: true }, estimated: estimateTokens(output) }
  },
  text: (bytes) => ({ reported: undefined, estimated: estimateTokens(new TextDecoder().decode(bytes)) }),
}

/** The tokens of bytes that cannot be read, at four letters a token as in English. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 4)
}

/** JSON can be nested too deeply to search. An error thrown here would leave the call uncharged. */
function textOr(json: string, find: () => string): string {
  try {
    return find()
  } catch {
    return json
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // `[DONE]`, or an event that is not JSON.
    return undefined
  }
}
