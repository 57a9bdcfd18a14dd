import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { GatewayError, payloadTooLarge, requestTimeout } from '../../core/errors.ts'
import type { BodyRoom, IncomingRequest } from '../../core/incoming-request.ts'
import { BoundedBuffer } from '../../proxy/counting/bounded-buffer.ts'
import { countGarbage } from '../../proxy/pool/collect-garbage.ts'
import { bodyTimeoutMs } from './request.ts'
import { asksForWebSocket } from './upgrade.ts'

/**
 * The request to an upstream. Its body stays on the wire until the payment is decided: an upload of gigabytes
 * costs no memory, and a refused one is never read.
 */
export class HttpIncomingRequest implements IncomingRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingRequest['headers']
  readonly from: IncomingRequest['from']
  readonly httpVersion: string
  readonly length: number | undefined
  readonly isUpgrade: boolean
  readonly #req: Request
  readonly #res: Response
  #collecting: Promise<Uint8Array> | undefined
  #collected: Uint8Array | undefined
  #hints = 0

  /** @param path for the upstream. */
  constructor(req: Request, res: Response, path: string) {
    this.#req = req
    this.#res = res
    this.method = req.method
    this.path = path
    this.headers = req.headersDistinct
    this.from = {
      address: req.ip ?? '',
      protocol: req.protocol === 'https' ? 'https' : 'http',
      host: req.host,
    }
    this.httpVersion = req.httpVersion
    this.length = lengthOf(req)
    this.isUpgrade = asksForWebSocket(req)
  }

  collect(maxBytes: number, room?: BodyRoom): Promise<Uint8Array> {
    this.#collecting ??= collect(this.#req, maxBytes, room).then((bytes) => {
      this.#collected = bytes
      return bytes
    })
    return this.#collecting
  }

  collected(): Uint8Array | undefined {
    return this.#collected
  }

  stream(): Readable {
    return this.#req
  }

  inform(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    const res = this.#res
    if (res.headersSent || res.destroyed) return
    // HTTP/1.0 has no interim replies, so its clients would take one for the reply (RFC 9110 section 15.2).
    if (this.httpVersion === '1.0') return
    this.#hints += 1
    // An upstream may send hints without end to a caller who does not read them: they would fill our memory.
    if (this.#hints > maxHints || res.writableNeedDrain) return
    if (status === 102) res.writeProcessing()
    const { link, ...others } = headers
    if (status !== 103 || link === undefined) return
    try {
      res.writeEarlyHints({ link: linksOf(link), ...others })
    } catch {
      // Node refuses links of an unusual form. A hint is optional, so the call goes on without it.
    }
  }
}

const maxHints = 16

/** Node wants one link per entry, and a header line may hold several. */
function linksOf(link: string | string[]): string[] {
  return [link].flat().flatMap((line) => line.split(/,\s*(?=<)/))
}

/** Node has already refused a length that is not a number or that comes with a chunked body. */
function lengthOf({ headers }: Request): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** The bytes as sent: decoding them is the upstream's task. */
async function collect(req: Request, maxBytes: number, room: BodyRoom | undefined): Promise<Uint8Array> {
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
 * length. The system gives the memory only as it is written, so a body that never comes takes none.
 */
class Whole {
  readonly #bytes: Buffer
  #length = 0

  constructor(length: number) {
    this.#bytes = Buffer.allocUnsafeSlow(length)
  }

  add(chunk: Uint8Array): void {
    this.#bytes.set(chunk, this.#length)
    this.#length += chunk.byteLength
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
