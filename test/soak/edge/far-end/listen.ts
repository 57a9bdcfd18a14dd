import { once } from 'node:events'
import type { Server } from 'node:http'
import { z } from 'zod'

/** @returns the server's address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}
