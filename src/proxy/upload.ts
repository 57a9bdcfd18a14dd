import { Readable } from 'node:stream'
import type { Meter } from '../core/catalog/prices.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { GatewayError, payloadTooLarge } from '../core/errors.ts'
import type { BodyRoom, IncomingRequest } from '../core/incoming-request.ts'
import { countGarbage } from './pool/collect-garbage.ts'

/**
 * The body of a request on its way to an upstream. A small one is read first, so that it can be sent again. A
 * large one is streamed and cut off at its limit.
 */
interface Upload {
  /** Null for none. */
  readonly body: Uint8Array | Readable | null
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
 * @param room where it counts, unless it is small
 * @returns undefined for a body that is streamed
 * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT, and those of the room
 */
export async function bodyToKeep(
  incoming: IncomingRequest,
  meter: Meter | undefined,
  { maxRequestBytes: maxBytes, spend }: Pick<Upstream, 'maxRequestBytes' | 'spend'>,
  room: BodyRoom,
): Promise<Uint8Array | undefined> {
  const collected = incoming.collected()
  if (collected) return within(collected, maxBytes)
  const { length } = incoming
  if (length === 0) return nothing
  if (length !== undefined && length > maxBytes) throw payloadTooLarge(maxBytes)
  if (length !== undefined && length <= maxKeptBytes) return incoming.collect(maxBytes)
  const isCounted = meter?.per === 'tokens' && /json/i.test(incoming.headers['content-type']?.[0] ?? 'json')
  const maxRead = isCounted ? maxCountedBytes : spend ? maxRepeatedBytes : 0
  return (length ?? maxBytes) <= maxRead ? incoming.collect(maxBytes, room) : undefined
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
  const body = new StreamedBody(incoming.stream(), maxBytes, countSent)
  return { body, failure: () => body.failure }
}

/**
 * A body that is sent on as the caller sends it, and no faster than the target takes it. It is taken once a turn, and
 * all chunks that arrive in one turn are sent as one: a caller may send chunks of one byte each, thousands of them in
 * one packet. Otherwise each would be sent by itself, and packets that have arrived would be read without a pause.
 *
 * It ends with its source, and never ends its source: an upstream may reply before it has read everything, and the
 * caller's connection still gets that reply.
 */
class StreamedBody extends Readable {
  readonly #source: Readable
  readonly #maxBytes: number
  readonly #countSent: (piece: Uint8Array) => void
  #bytes = 0
  #isWanting = false
  /** Until the next turn, once something was taken in this one. */
  #turn: NodeJS.Immediate | undefined
  #failure: GatewayError | undefined

  constructor(source: Readable, maxBytes: number, countSent: (piece: Uint8Array) => void) {
    super()
    this.#source = source
    this.#maxBytes = maxBytes
    this.#countSent = countSent
    // The pool's sender reports the failure of an upload; afterwards the body has no other listener.
    this.on('error', () => undefined)
    source.on('readable', this.#take).once('end', this.#end)
    source.once('error', this.#left).once('close', this.#left)
    if (source.destroyed) this.#left()
  }

  get failure(): GatewayError | undefined {
    return this.#failure
  }

  override _read(): void {
    this.#isWanting = true
    this.#take()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearImmediate(this.#turn)
    // An error of the source still needs a listener.
    this.#source.off('readable', this.#take).off('end', this.#end)
    done(error)
  }

  readonly #take = (): void => {
    if (!this.#isWanting || this.#turn || this.destroyed) return
    // Everything that has arrived, in one piece: the source has no reader of `data`.
    const chunk: Uint8Array | null = this.#source.read()
    if (chunk === null) return
    this.#isWanting = false
    this.#turn = setImmediate(() => {
      this.#turn = undefined
      this.#take()
    })
    this.#bytes += chunk.byteLength
    countGarbage(chunk.byteLength)
    if (this.#bytes > this.#maxBytes) {
      this.#fail(payloadTooLarge(this.#maxBytes))
      return
    }
    this.#countSent(chunk)
    this.push(chunk)
  }

  readonly #end = (): void => {
    this.push(null)
  }

  readonly #left = (): void => {
    if (!this.#source.readableEnded && !this.destroyed) this.#fail(new GatewayError('CALLER_LEFT'))
  }

  #fail(failure: GatewayError): void {
    this.#failure ??= failure
    this.destroy(this.#failure)
  }
}
