import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError, payloadTooLarge, requestTimeout } from '../../core/errors.ts'
import type { BodyRoom } from '../../core/incoming-request.ts'
import { BoundedBuffer } from '../../proxy/counting/bounded-buffer.ts'
import { countGarbage } from '../../proxy/pool/collect-garbage.ts'
import { lengthOf } from './framing.ts'

/**
 * How long a body that is read into memory may take to arrive. The server's own limit is as long as the longest upload
 * may take.
 */
export const bodyTimeoutMs = 60_000

/**
 * Reads a whole body into memory, as it was sent. What has arrived is taken in one piece and once a turn of the event
 * loop: a caller may send chunks of one byte each, thousands of them in one packet.
 *
 * @param room where the bytes count.
 * @throws GatewayError PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, CALLER_LEFT, and those of the room.
 */
export async function collectBody(
  req: IncomingMessage,
  maxBytes: number,
  room: BodyRoom | undefined,
): Promise<Uint8Array> {
  const length = lengthOf(req)
  if (length !== undefined && length > maxBytes) throw payloadTooLarge(maxBytes)
  if (length !== undefined) room?.expect(length)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(requestTimeout()), bodyTimeoutMs)
  const kept = length === undefined ? new Pieces(maxBytes) : new Whole(length)
  let isOver = false
  const read = async () => {
    let bytes = 0
    // A refusal in the middle must leave the connection open for its reply.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      if (isOver) break
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw payloadTooLarge(maxBytes)
      room?.arrive(chunk.byteLength)
      kept.add(chunk)
      countGarbage(chunk.byteLength)
      // Otherwise all packets that have arrived would be read at once, and every other caller would wait.
      if (!req.complete) await nextTurn()
    }
  }
  try {
    await Promise.race([read(), late.promise])
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('CALLER_LEFT', {}, { cause })
  } finally {
    isOver = true
    clearTimeout(timer)
  }
  return kept.bytes()
}

/**
 * A body of unknown length. Its pieces are copied together: a list of them would take many times the memory of
 * their bytes when a caller sends them one byte at a time.
 */
class Pieces {
  readonly #buffer: BoundedBuffer

  constructor(maxBytes: number) {
    this.#buffer = new BoundedBuffer(maxBytes)
  }

  add(chunk: Uint8Array): void {
    this.#buffer.push(chunk)
  }

  bytes(): Uint8Array {
    return this.#buffer.bytes()
  }
}

/**
 * A body of known length, copied together as it arrives. To keep its chunks until the end would take twice its
 * length. It gets its whole length only once more than a little has come: V8 counts what is allocated, and hundreds of
 * bodies that are announced and never come would make it collect garbage without end.
 */
class Whole {
  readonly #announced: number
  #bytes: Buffer
  #length = 0

  constructor(announced: number) {
    this.#announced = announced
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(announced, firstBytes))
  }

  add(chunk: Uint8Array): void {
    if (this.#length + chunk.byteLength > this.#bytes.byteLength) {
      const first = this.bytes()
      this.#bytes = Buffer.allocUnsafeSlow(this.#announced)
      this.#bytes.set(first)
    }
    this.#bytes.set(chunk, this.#length)
    this.#length += chunk.byteLength
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

const firstBytes = 16_384
