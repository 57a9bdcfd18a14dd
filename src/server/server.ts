import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Log } from '../core/log.ts'
import { asksForWebSocket, createUpgrade } from '../edge/http/upgrade.ts'
import type { Config, Settings } from '../platform/config/config.ts'
import { openOperatorAccess } from '../platform/config/operator-file.ts'
import { createApp } from './app.ts'
import { operatorParts, publicParts } from './divide-endpoints.ts'
import { createServices, type Services } from './services.ts'

/** A gateway that listens. */
export interface RunningGateway {
  readonly services: Services
  readonly port: number
  /** The address it listens on, which can differ from its public address: `http://127.0.0.1:8402`. */
  readonly address: string
  /** Where the operator's own listener listens; undefined without one. */
  readonly operatorAddress: string | undefined
  /** Stops listening, lets calls under way finish for up to `patienceMs`, then closes all services. */
  close(patienceMs?: number): Promise<void>
}

/** The gateway cannot listen on a port; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** How long calls under way may take to finish when the gateway stops. */
const drainMs = 30_000
/** How long the operator's calls under way may take to finish after all others have ended. */
const operatorDrainMs = 5_000
/** The longest deadline that a catalog can set. */
const maxCallMs = 3_600_000

export async function startServer(
  settings: Settings,
  log: Log,
  progress: (line: string) => void,
): Promise<RunningGateway> {
  const { config, secrets } = settings
  if (config.dryRun) log.warn('the gateway runs in dry-run mode: paid calls are served and no money is taken')
  const services = await createServices(settings, log, progress)
  try {
    return await listen(config, secrets.operatorToken, services, log)
  } catch (error) {
    await services.close()
    throw error
  }
}

async function listen(
  config: Config,
  operatorToken: string | undefined,
  services: Services,
  log: Log,
): Promise<RunningGateway> {
  const operator = await openOperatorAccess(config, operatorToken, log)
  const begun = new AbortController()
  const forced = new AbortController()
  const shutdown = { begun: begun.signal, forced: forced.signal }
  const { listen: at, operatorListen: operatorAt } = config
  const app = createApp(operatorAt ? publicParts(services.parts) : services.parts, operator.token, shutdown)
  const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, app)
  server.on('upgrade', createUpgrade(app))
  const unused = trackUnused(server)
  // An upload to an upstream may take as long as the longest call. Bodies of our own operations have a limit
  // in `edge/http/request.ts`.
  server.requestTimeout = maxCallMs
  server.headersTimeout = 15_000
  server.keepAliveTimeout = 65_000
  const operators =
    operatorAt && createServer(createApp(operatorParts(services.parts), operator.token, shutdown))
  const operatorsUnused = operators && trackUnused(operators)
  await openPorts([
    { server, at, setting: 'PORT', hostSetting: 'HOST' },
    ...(operators
      ? [{ server: operators, at: operatorAt, setting: 'OPERATOR_PORT', hostSetting: 'OPERATOR_HOST' }]
      : []),
  ])
  const address = urlOf(server)
  const operatorAddress = operators && urlOf(operators)
  await operator.announce(address, operatorAddress)
  return {
    services,
    port: addressOf(server).port,
    address,
    operatorAddress,
    async close(patienceMs = drainMs) {
      begun.abort()
      await drain(server, unused, patienceMs, forced)
      // Last, so that the operator can look at the gateway while its calls finish.
      if (operators && operatorsUnused) await drain(operators, operatorsUnused, operatorDrainMs, forced)
      await services.close()
    },
  }
}

interface Listener {
  readonly server: Server
  readonly at: Config['listen']
  /** The settings that choose the port and the host. */
  readonly setting: string
  readonly hostSetting: string
}

/**
 * Opens all ports, or none.
 * @throws ListenError naming every port that cannot be opened.
 */
async function openPorts(listeners: readonly Listener[]): Promise<void> {
  const outcomes = await Promise.allSettled(listeners.map(openPort))
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failures.length === 0) return
  for (const { server } of listeners) if (server.listening) server.close()
  const [first, ...others] = failures
  if (others.length === 0) throw first
  throw new ListenError(failures.map(explain).join('\n'))
}

function explain(failure: unknown): string {
  if (!(failure instanceof ListenError)) return String(failure)
  return failure.cause instanceof Error ? `${failure.message} (${failure.cause.message})` : failure.message
}

/** @throws ListenError. */
async function openPort({ server, at: { port, host }, setting, hostSetting }: Listener): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (cause) {
    throw new ListenError(
      `Cannot listen on ${host}:${port}. Set ${setting} to a free port, and ${hostSetting} to an address of this machine.`,
      { cause },
    )
  }
}

/** Resolves when all connections are closed: by their calls, or by force after `patienceMs`. */
async function drain(
  server: Server,
  unused: ReadonlySet<Socket>,
  patienceMs: number,
  forced: AbortController,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that becomes idle only now would be kept for a next call, and the server would wait for it.
  const closeIdle = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }, 50)
  const deadline = setTimeout(() => {
    forced.abort()
    // Deferred, so that streams record that they were broken off before their sockets close. Otherwise the
    // streams would record that their callers disconnected.
    setImmediate(() => server.closeAllConnections())
  }, patienceMs)
  await closed
  clearInterval(closeIdle)
  clearTimeout(deadline)
}

/**
 * Listens for the signals that stop a process: Ctrl-C, the system, or a closed terminal. From this call on,
 * no such signal ends the process by itself, not even a second one: Ctrl-C under npm arrives twice, and a
 * process that ended immediately would leave the local chain running.
 * @returns aborted at the first signal, with its name as the reason.
 */
export function listenForStop(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort(signal))
  return stop.signal
}

/**
 * The connections that have not sent a request yet. Clients open some in advance, and Node does not count
 * them as idle, so a gateway that stops would wait for them until its deadline.
 */
function trackUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  for (const event of ['request', 'upgrade'] as const)
    server.prependListener(event, ({ socket }) => unused.delete(socket))
  return unused
}

function urlOf(server: Server): string {
  const { address, family, port } = addressOf(server)
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address
}
