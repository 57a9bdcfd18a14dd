import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

/** A fake gateway for the operator's commands, which replies as a test sets it. */
export interface StandIn {
  readonly url: string
  /** The Authorization header of each request; empty for none. */
  readonly credentials: readonly string[]
  close(): Promise<void>
}

export async function startStandIn(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<StandIn> {
  const credentials: string[] = []
  const server = createServer((req, res) => {
    credentials.push(req.headers.authorization ?? '')
    answer(req, res)
  }).listen(0)
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    credentials,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
