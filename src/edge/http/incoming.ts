import type { IncomingHttpHeaders } from 'node:http'
import type { Request, Response } from 'express'
import { GatewayError, payloadTooLarge } from '../../core/errors.ts'
import type { Incoming } from '../../core/incoming.ts'
import { bodyTimeoutMs } from './request.ts'
import { asksForWebSocket } from './upgrade.ts'

/**
 * A request that an upstream is to get. Its body is left on the wire until the money question is decided: an upload
 * of gigabytes costs no memory, and one that is refused is not read.
 */
export function toIncoming(req: Request, res: Response, path: string): Incoming {
  let collecting: Promise<Uint8Array> | undefined
  let collected: Uint8Array | undefined
  let hints = 0
  return {
    method: req.method,
    path,
    headers: req.headersDistinct,
    from: { address: req.ip ?? '', protocol: req.protocol === 'https' ? 'https' : 'http', host: req.host },
    httpVersion: req.httpVersion,
    length: lengthOf(req.headers),
    collect(maxBytes) {
      collecting ??= collect(req, maxBytes).then((bytes) => {
        collected = bytes
        return bytes
      })
      return collecting
    },
    collected: () => collected,
    stream: () => req,
    isUpgrade: asksForWebSocket(req),
    inform(status, sent) {
      if (status !== 103 || res.headersSent || res.destroyed) return
      hints += 1
      // An upstream can send them without end, and a caller need not take them: they would wait in memory.
      if (hints > maxHints || res.writableNeedDrain) return
      const { link, ...others } = sent
      if (link === undefined) return
      try {
        res.writeEarlyHints({ link: linksOf(link), ...others })
      } catch {
        // Node sends only links of a plain form. What is no more than a hint must not end the call.
      }
    },
  }
}

const maxHints = 16

/** One by one, as Node wants them: a line may hold several, and so does what was joined of several lines. */
function linksOf(link: string | string[]): string[] {
  return [link].flat().flatMap((line) => line.split(/,\s*(?=<)/))
}

/** Node has refused a length that is no number, or that comes beside chunks. */
function lengthOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** Bytes as they came, whatever encoding they are in: that is the upstream's to read. */
async function collect(req: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => req.destroy(), bodyTimeoutMs)
  try {
    for await (const chunk of req) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw payloadTooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('CALLER_LEFT', {}, { cause })
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks)
}
