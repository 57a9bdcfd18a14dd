import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { secret } from '../../support/webhooks/box.ts'

/** A receiver that verifies each delivery by `standardwebhooks` and counts it by its id. */
export interface CountingReceiver {
  readonly url: string
  readonly target: string
  /** How often each event came. */
  readonly seen: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  close(): Promise<void>
}

export async function startCountingReceiver(): Promise<CountingReceiver> {
  const seen = new Map<string, number>()
  const faults: string[] = []
  const verifier = new Webhook(Buffer.from(secret), { format: 'raw' })
  const server = createServer((req, res) => {
    void buffer(req).then((body) => {
      const id = String(req.headers['webhook-id'])
      try {
        const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)])
        verifier.verify(body, Object.fromEntries(headers))
      } catch (error) {
        faults.push(`event ${id}: ${error instanceof Error ? error.message : error}`)
      }
      seen.set(id, (seen.get(id) ?? 0) + 1)
      res.writeHead(204).end()
    }, ignoreBroken)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}/`,
    target: `127.0.0.1:${port}`,
    seen,
    faults,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A sender that is killed breaks its requests off. */
function ignoreBroken(): void {}
