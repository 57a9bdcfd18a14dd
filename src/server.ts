import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import type { Log } from './core/log.ts'
import { createServices, type Services } from './services.ts'

/** A gateway that listens. */
export interface RunningGateway {
  readonly services: Services
  readonly port: number
  /** Finishes the calls under way, then closes everything. */
  close(): Promise<void>
}

/** The port cannot be listened on; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** How long calls under way may take to finish when the gateway stops. */
const drainMs = 30_000

export async function startServer(
  config: Config,
  log: Log,
  progress: (line: string) => void,
): Promise<RunningGateway> {
  const services = await createServices(config, log, progress)
  const server = createServer(createApp(services.parts))
  server.requestTimeout = 60_000
  server.headersTimeout = 15_000
  server.keepAliveTimeout = 65_000
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.listen.port, config.listen.host, resolve)
    })
  } catch (cause) {
    await services.close()
    throw new ListenError(
      `Cannot listen on ${config.listen.host}:${config.listen.port}. Another program may use the port: set PORT to another one.`,
      { cause },
    )
  }
  return {
    services,
    port: portOf(server.address()),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(timer)
      await services.close()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}
