import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Log } from '../core/log.ts'
import { asksForWebSocket, createUpgrade } from '../edge/http/upgrade.ts'
import type { Config } from '../platform/config/config.ts'
import { openOperatorAccess } from '../platform/config/operator-file.ts'
import { createApp } from './app.ts'
import { createServices, type Services } from './services.ts'

/** A gateway that listens. */
export interface RunningGateway {
  readonly services: Services
  readonly port: number
  /** Where it listens, whatever the public address is: `http://127.0.0.1:8402`. */
  readonly address: string
  /** Finishes the calls under way, as far as they end within `patienceMs`, then closes everything. */
  close(patienceMs?: number): Promise<void>
}

/** The port cannot be listened on; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** How long calls under way may take to finish when the gateway stops. */
const drainMs = 30_000
/** The longest deadline that a catalogue can name. */
const longestCallMs = 3_600_000

export async function startServer(
  config: Config,
  log: Log,
  progress: (line: string) => void,
): Promise<RunningGateway> {
  if (config.dryRun) log.warn('this is a dry run: paid calls are served and no money is taken')
  const services = await createServices(config, log, progress)
  const operator = await openOperatorAccess(config, log)
  const stopping = { begun: new AbortController(), over: new AbortController() }
  const app = createApp(services.parts, operator.token, {
    begun: stopping.begun.signal,
    over: stopping.over.signal,
  })
  const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, app)
  server.on('upgrade', createUpgrade(app))
  const silent = listSilent(server)
  // An upload to an upstream may take as long as any call; bodies of ours have a limit of their own.
  server.requestTimeout = longestCallMs
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
      `Cannot listen on ${config.listen.host}:${config.listen.port}. Set PORT to one that no other program uses, and HOST to an address of this machine.`,
      { cause },
    )
  }
  const { address: host, family, port } = addressOf(server)
  const address = `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
  await operator.announce(address)
  return {
    services,
    port,
    address,
    async close(patienceMs = drainMs) {
      stopping.begun.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A connection whose call is answered now would be kept for the next one, and we would wait for it in vain.
      const tidy = setInterval(() => {
        server.closeIdleConnections()
        for (const socket of silent) socket.destroy()
      }, 50)
      const deadline = setTimeout(() => {
        stopping.over.abort()
        // In a moment: what breaks off is told so before its connection is gone, and nobody is taken to have left.
        setImmediate(() => server.closeAllConnections())
      }, patienceMs)
      await closed
      clearInterval(tidy)
      clearTimeout(deadline)
      await services.close()
    },
  }
}

/**
 * Aborts, with the signal's name as reason, once the process is told to stop: by Ctrl-C, by the system, or
 * because its terminal was closed. From this call on a signal does not end the process by itself, not even
 * a second one, for Ctrl-C under npm comes twice; the local chain would outlive a process that just ended.
 */
export function listenForStop(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort(signal))
  return stop.signal
}

/**
 * The connections on which nothing was asked yet. Clients open some in advance, and Node takes them for busy: a
 * gateway that stops would wait for them to its last second.
 */
function listSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  for (const event of ['request', 'upgrade'] as const)
    server.prependListener(event, ({ socket }) => silent.delete(socket))
  return silent
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address
}
