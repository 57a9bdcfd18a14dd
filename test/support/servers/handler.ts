import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { type Endpoint, endpoint, type HandlerContext, noInput } from '../../../src/core/endpoint.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { createApp } from '../../../src/server/app.ts'
import { operatorToken, type TestGateway } from '../gateways/gateway.ts'

export interface TestServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a test's own handler instead of lead research, through the whole chain of a running gateway: for
 * behavior that none of our endpoints has, but an upstream may have.
 */
export function sell(
  gateway: TestGateway,
  handle: (context: HandlerContext) => Promise<Reply>,
): Promise<TestServer> {
  const sold = endpoint(
    'researchLead',
    {
      ...noInput,
      method: 'POST',
      path: '/api/leads/research',
      body: z.looseObject({}),
      response: z.unknown(),
    },
    (_input, context) => handle(context),
  )
  return serve(gateway, [sold])
}

/** Serves a test's own endpoints through the whole chain of a running gateway. */
export async function serve({ services }: TestGateway, endpoints: readonly Endpoint[]): Promise<TestServer> {
  const server = createServer(createApp({ ...services.parts, endpoints }, operatorToken))
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
