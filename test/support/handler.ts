import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { endpoint, type HandlerContext, type Reply } from '../../src/core/call.ts'
import type { TestGateway } from './gateway.ts'

/**
 * Sells what a test's own handler makes in place of lead research, through the whole chain of a running
 * gateway: for what no endpoint of ours does, and one in front of which somebody puts us may do.
 */
export async function sell(
  { services }: TestGateway,
  handle: (context: HandlerContext) => Promise<Reply>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sold = endpoint({
    id: 'researchLead',
    method: 'POST',
    path: '/api/leads/research',
    body: z.looseObject({}),
    response: z.unknown(),
    handle: (_body, context) => handle(context),
  })
  const server = createServer(createApp({ ...services.parts, endpoints: [sold] }, undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
