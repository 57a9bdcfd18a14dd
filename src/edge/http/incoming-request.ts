import type { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import type { BodyRoom, IncomingRequest } from '../../core/incoming-request.ts'
import { collectBody } from './collect-body.ts'
import { asksForWebSocket } from './connections/upgrade.ts'
import { lengthOf } from './framing.ts'

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
    this.#collecting ??= collectBody(this.#req, maxBytes, room).then((bytes) => {
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

  isAwaited(): boolean {
    return !this.#req.complete && this.#req.readableLength === 0
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
