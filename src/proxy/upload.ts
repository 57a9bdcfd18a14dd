import { Transform } from 'node:stream'
import type { Meter } from '../core/catalog/prices.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { GatewayError, payloadTooLarge } from '../core/errors.ts'
import type { IncomingRequest } from '../core/incoming-request.ts'
import { countGarbage } from './pool/collect-garbage.ts'

/**
 * The body of a request on its way to an upstream. A small one is read first, so that it can be sent again. A
 * large one is streamed and cut off at its limit.
 */
interface Upload {
  /** Null for none. */
  readonly body: Uint8Array | Transform | null
  /** The failure of a streamed body: the caller's fault, whatever the upstream replied. */
  readonly failure: () => GatewayError | undefined
}

const maxKeptBytes = 65_536
/** A body whose tokens are counted is read whole, up to this size. */
const maxCountedBytes = 32_000_000
/**
 * A body for an upstream that may ask for a payment is read whole up to this size, because it is sent again
 * with the payment.
 */
const maxRepeatedBytes = 10_000_000

/**
 * Reads a body that must be known before anything is sent.
 *
 * @returns undefined for a body that is streamed
 * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT
 */
export async function bodyToKeep(
  incoming: IncomingRequest,
  meter: Meter | undefined,
  { maxRequestBytes: maxBytes, spend }: Pick<Upstream, 'maxRequestBytes' | 'spend'>,
): Promise<Uint8Array | undefined> {
  const collected = incoming.collected()
  if (collected) return within(collected, maxBytes)
  const { length } = incoming
  if (length === 0) return nothing
  if (length !== undefined && length > maxBytes) throw payloadTooLarge(maxBytes)
  if (length !== undefined && length <= maxKeptBytes) return incoming.collect(maxBytes)
  const isCounted = meter?.per === 'tokens' && /json/i.test(incoming.headers['content-type']?.[0] ?? 'json')
  const maxRead = isCounted ? maxCountedBytes : spend ? maxRepeatedBytes : 0
  return (length ?? maxBytes) <= maxRead ? incoming.collect(maxBytes) : undefined
}

const nothing = new Uint8Array()

function within(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.byteLength > maxBytes) throw payloadTooLarge(maxBytes)
  return bytes
}

/**
 * @param kept the body, if it was read; otherwise it is streamed
 * @param countSent gets each piece as it is sent
 */
export function createUpload(
  incoming: IncomingRequest,
  kept: Uint8Array | undefined,
  maxBytes: number,
  countSent: (piece: Uint8Array) => void,
): Upload {
  if (kept !== undefined) {
    countSent(kept)
    return { body: kept.byteLength === 0 ? null : kept, failure: () => undefined }
  }
  let bytes = 0
  let failure: GatewayError | undefined
  const body = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength
      countGarbage(chunk.byteLength)
      if (bytes > maxBytes) failure = payloadTooLarge(maxBytes)
      else countSent(chunk)
      done(failure ?? null, chunk)
    },
  })
  const source = incoming.stream()
  const left = () => {
    if (source.readableEnded || body.destroyed) return
    failure ??= new GatewayError('CALLER_LEFT')
    body.destroy(failure)
  }
  source.once('error', left).once('close', left)
  if (source.destroyed) left()
  // The pool's sender reports the failure of an upload; afterwards the body has no other listener.
  body.on('error', () => undefined)
  // `pipe` and not `pipeline`: an upstream that replies early ends the body, and must not end the caller's
  // connection, which still gets the reply.
  source.pipe(body)
  return { body, failure: () => failure }
}
