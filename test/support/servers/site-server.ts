import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Server, Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { z } from 'zod'
import type { PrivateTarget } from '../../../src/platform/net/target.ts'

/**
 * A website for tests: HTTPS with HTTP/2 and HTTP/1.1, and HTTP, under its own names. The fetcher may connect
 * to it by `allowed` and trusts it by `ca`; the rest of the connection is real.
 */
export interface SiteServer {
  readonly allowed: readonly PrivateTarget[]
  readonly ca: string
  /** In the order in which they came. */
  readonly requests: readonly SiteRequest[]
  /** The most requests that waited for a reply at once. */
  readonly maxAtOnce: number
  close(): Promise<void>
}

export interface SiteRequest {
  readonly scheme: 'https' | 'http'
  readonly method: string
  readonly host: string
  /** Path and query. */
  readonly path: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** 'hang': no reply. 'drip': a page that comes slowly and never ends. */
export type SiteAnswer = SitePage | 'hang' | 'drip'

export interface SitePage {
  /** 200 unless set. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array
}

export async function startSite(
  names: readonly string[],
  answer: (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer>,
  options: { latencyMs?: number; hasHttps?: boolean; hasHttp?: boolean } = {},
): Promise<SiteServer> {
  const requests: SiteRequest[] = []
  const sockets = new Set<Socket>()
  let atOnce = 0
  let maxAtOnce = 0

  const serve = (scheme: 'https' | 'http') => async (req: Incoming, res: Outgoing) => {
    const request = readRequest(scheme, req)
    requests.push(request)
    atOnce += 1
    maxAtOnce = Math.max(maxAtOnce, atOnce)
    res.on('close', () => {
      atOnce -= 1
    })
    if (options.latencyMs) await setTimeout(options.latencyMs)
    await reply(req, res, await answer(request))
  }
  const { ca, key, cert } = await certify(names)
  const listening: [number, Server][] = []
  if (options.hasHttps !== false) {
    const server = createSecureServer({ key, cert, allowHTTP1: true }, serve('https'))
    server.on('sessionError', () => {})
    listening.push([443, server])
  }
  if (options.hasHttp !== false) listening.push([80, createServer(serve('http'))])

  const allowed: PrivateTarget[] = []
  for (const [namePort, server] of listening) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = z.object({ port: z.number() }).parse(server.address())
    allowed.push(...names.map((name) => ({ name, namePort, address: '127.0.0.1', port })))
  }
  return {
    allowed,
    ca,
    requests,
    get maxAtOnce() {
      return maxAtOnce
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        listening.map(([, server]) => {
          server.close()
          return once(server, 'close')
        }),
      )
    },
  }
}

type Incoming = IncomingMessage | Http2ServerRequest
type Outgoing = ServerResponse | Http2ServerResponse

function readRequest(scheme: 'https' | 'http', req: Incoming): SiteRequest {
  return {
    scheme,
    method: req.method ?? '',
    host: req.headers.host ?? '',
    path: req.url ?? '',
    userAgent: req.headers['user-agent'] ?? '',
    headers: req.headers,
  }
}

async function reply(req: Incoming, res: Outgoing, answer: SiteAnswer): Promise<void> {
  if (answer === 'hang') return
  res.sendDate = false
  const out: Writable = res
  if (answer === 'drip') {
    res.setHeader('content-type', 'text/html')
    while (!out.destroyed) {
      out.write('<p>')
      await setTimeout(20)
    }
    return
  }
  const { status = 200, headers = {}, body = '' } = answer
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  const isGzip = isCompressed(req, headers)
  if (isGzip) res.setHeader('content-encoding', 'gzip')
  out.end(req.method === 'HEAD' ? '' : isGzip ? gzipSync(body) : body)
}

/** A site whose replies vary by Accept-Encoding compresses them. */
function isCompressed(req: Incoming, { vary = '' }: NonNullable<SitePage['headers']>): boolean {
  return /accept-encoding/i.test(String(vary)) && /gzip/.test(String(req.headers['accept-encoding'] ?? ''))
}

let authority: Promise<{ private: string; cert: string }> | undefined

/** Makes a certificate for these names, by one authority for all sites of a run. */
async function certify(names: readonly string[]): Promise<{ ca: string; key: string; cert: string }> {
  authority ??= generate([{ name: 'commonName', value: 'Authority of the tests' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const ca = await authority
  const leaf = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2 as const, value })) },
    ],
  })
  return { ca: ca.cert, key: leaf.private, cert: leaf.cert }
}
