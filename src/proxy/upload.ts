import { Transform } from 'node:stream'
import type { Meter } from '../core/catalog/prices.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { GatewayError, payloadTooLarge } from '../core/errors.ts'
import type { Incoming } from '../core/incoming.ts'
import { countGarbage } from './pool/collect-garbage.ts'

/**
 * The body of a request on its way to an upstream. A small one is read first, because bytes can be sent a second time;
 * a large one passes through as it comes, and is cut off where it becomes larger than it may be.
 */
interface Upload {
  /** Null for none. */
  readonly body: Uint8Array | Transform | null
  /** What went wrong with a body that passes through: the caller's fault, whatever the upstream made of it. */
  readonly failure: () => GatewayError | undefined
}

const maxKept = 65_536
/** A body whose tokens are counted is read as a whole, up to this size. */
const maxRead = 32_000_000
/** So is one for an upstream that may ask for a payment: it is sent again with that. As large as what a payment is bound to here. */
const maxRepeated = 10_000_000

/**
 * Reads what has to be known before anything is sent.
 * @returns undefined for a body that is to pass through.
 * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT.
 */
export async function bodyToKeep(
  incoming: Incoming,
  meter: Meter | undefined,
  { maxRequestBytes: maxBytes, spend }: Pick<Upstream, 'maxRequestBytes' | 'spend'>,
): Promise<Uint8Array | undefined> {
  const collected = incoming.collected()
  if (collected) return within(collected, maxBytes)
  const { length } = incoming
  if (length === 0) return nothing
  if (length !== undefined && length > maxBytes) throw payloadTooLarge(maxBytes)
  if (length !== undefined && length <= maxKept) return incoming.collect(maxBytes)
  const isRead = meter?.per === 'tokens' && /json/i.test(incoming.headers['content-type']?.[0] ?? 'json')
  const most = isRead ? maxRead : spend ? maxRepeated : 0
  return (length ?? maxBytes) <= most ? incoming.collect(maxBytes) : undefined
}

const nothing = new Uint8Array()

function within(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.byteLength > maxBytes) throw payloadTooLarge(maxBytes)
  return bytes
}

/** @param sent is told of each piece that goes out. */
export function uploadOf(
  incoming: Incoming,
  kept: Uint8Array | undefined,
  maxBytes: number,
  sent: (piece: Uint8Array) => void,
): Upload {
  if (kept !== undefined) {
    sent(kept)
    return { body: kept.byteLength === 0 ? null : kept, failure: () => undefined }
  }
  let bytes = 0
  let failure: GatewayError | undefined
  const body = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength
      countGarbage(chunk.byteLength)
      if (bytes > maxBytes) failure = payloadTooLarge(maxBytes)
      else sent(chunk)
      done(failure ?? null, chunk)
    },
  })
  // Piped and not joined for good: an upstream that has heard enough must not end the caller's connection, on which
  // its answer is still to go out.
  const source = incoming.stream()
  const left = () => {
    if (source.readableEnded || body.destroyed) return
    failure ??= new GatewayError('CALLER_LEFT')
    body.destroy(failure)
  }
  source.once('error', left).once('close', left)
  if (source.destroyed) left()
  // An upload that fails is told by whoever sends it; afterwards nobody listens.
  body.on('error', () => undefined)
  source.pipe(body)
  return { body, failure: () => failure }
}
