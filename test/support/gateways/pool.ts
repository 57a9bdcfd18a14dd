import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { readUpstream, upstream as upstreamSchema } from '../../../src/core/catalog/upstreams.ts'
import { createLog } from '../../../src/core/log.ts'
import { createPool } from '../../../src/proxy/pool/pool.ts'
import type { Pool, UpstreamRequest } from '../../../src/proxy/pool/upstream-reply.ts'
import { type Behavior, startHostileServer } from '../servers/hostile-server.ts'

/** Pools and their servers, all on loopback and closed by `closeAll`. */
const closers: (() => unknown)[] = []

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

export async function open(
  targets: string[],
  {
    now,
    resolve,
    log,
    folder = '.',
    ...settings
  }: {
    now?: () => number
    resolve?: () => Promise<string[]>
    log?: (line: string) => void
    folder?: string
  } & Record<string, unknown> = {},
): Promise<Pool> {
  const pool = await createPool({
    name: 'shop',
    upstream: readUpstream(upstreamSchema.parse({ prefix: '/shop', private: true, targets, ...settings })),
    folder,
    log: createLog('info', { write: (line: string) => log?.(String(JSON.parse(line).msg)) }),
    ...(now && { now }),
    ...(resolve && { resolve }),
  })
  closers.push(() => pool.close())
  return pool
}

export function get(request: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    path: '/',
    headers: {},
    body: null,
    signal: new AbortController().signal,
    ...request,
  }
}

export function post(request: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return get({ method: 'POST', ...request })
}

export async function read(pool: Pool, request: UpstreamRequest): Promise<string> {
  return text((await pool.request(request)).body)
}

export async function serve(listener: RequestListener): Promise<{ url: string }> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

export function named(name: string): Promise<{ url: string }> {
  return serve((_req, res) => res.end(name))
}

/** Starts a server with these behaviors. */
export async function hostile(behaviors: Readonly<Record<string, Behavior>>) {
  const server = await startHostileServer(behaviors)
  closers.push(() => server.close())
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` })
}

export async function deadAddress(): Promise<string> {
  const server = await startHostileServer({})
  await server.close()
  return `http://127.0.0.1:${server.port}`
}
