import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { z } from 'zod'

/**
 * A load balancer as operators run it: it keeps connections to its gateways, asks each for /ready, and sends
 * calls in turn to those that are ready. It never sends a call twice, so a call that a gateway loses is a 502.
 */
export interface Balancer {
  readonly url: string
  /** The gateways that get calls now. */
  ready(): readonly string[]
  close(): Promise<void>
}

const checkEveryMs = 250

export async function startBalancer(gateways: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  let turn = 0

  const server = createServer((req, res) => {
    const able = gateways.filter((gateway) => ready.has(gateway))
    turn += 1
    const gateway = able[turn % Math.max(able.length, 1)]
    if (gateway === undefined) return void res.writeHead(503).end('no gateway is ready')
    forward(gateway, req, res)
  })

  function forward(gateway: string, req: IncomingMessage, res: ServerResponse): void {
    const { method, url, headers } = req
    const sent = request(new URL(url ?? '/', gateway), { agent, method, headers }, (reply) => {
      const { connection: _, 'keep-alive': __, ...end } = reply.headers
      res.writeHead(reply.statusCode ?? 502, end)
      reply.pipe(res)
    })
    sent.on('error', (error) => {
      if (res.headersSent) res.destroy()
      else res.writeHead(502).end(`${gateway}: ${error.message}`)
    })
    req.pipe(sent)
  }

  async function check(gateway: string): Promise<void> {
    try {
      const { ok } = await fetch(new URL('/ready', gateway), { signal: AbortSignal.timeout(10_000) })
      if (ok) ready.add(gateway)
      else ready.delete(gateway)
    } catch {
      ready.delete(gateway)
    }
  }

  const checkAll = () => Promise.all(gateways.map(check))
  await checkAll()
  const timer = setInterval(checkAll, checkEveryMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    ready: () => [...ready],
    async close() {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
