import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pTimeout from 'p-timeout'
import type { Log } from '../core/log.ts'
import { createListener } from '../edge/http/connections/listener.ts'
import { messageClasses } from '../edge/http/connections/message-classes.ts'
import type { Config, Settings } from '../platform/config/config.ts'
import { openOperatorAccess } from '../platform/config/operator-file.ts'
import { createApp } from './app.ts'
import { operatorParts, publicParts } from './divide-endpoints.ts'
import { createServices, type Services } from './services.ts'
import { openPorts } from './start/open-ports.ts'
import { logPayments } from './start/report.ts'
import { followConnections } from './stop/connections.ts'

/** A gateway that listens. */
export interface RunningGateway {
  readonly services: Services
  readonly port: number
  /** The address it listens on, which can differ from its public address: `http://127.0.0.1:8402`. */
  readonly address: string
  /**
   * Prepares balancers for the stop: GET /ready turns 503, and each reply ends its connection, while calls are
   * served as before. Resolves after the shutdown delay, or once `hurry` is aborted.
   */
  leaveBalancers(hurry: AbortSignal): Promise<void>
  /** Where the operator's own listener listens; undefined without one. */
  readonly operatorAddress: string | undefined
  /** Stops listening, lets calls under way finish for up to `patienceMs`, then closes all services. */
  close(patienceMs?: number): Promise<void>
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
  logPayments(services.settlement, services.parts.whyNotReady(), log)
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
  const { countCall } = services.parts
  const server = createListener({
    serve: app,
    classes: (worked) => messageClasses(app, worked),
    audience: 'public',
    hasUpgrades: true,
    countCall,
    log,
  })
  const connections = followConnections(server)
  // An upload to an upstream may take as long as the longest call. Bodies of our own operations have a limit
  // in `edge/http/collect-body.ts`.
  server.requestTimeout = maxCallMs
  server.headersTimeout = 15_000
  // Longer than balancers keep idle connections (nginx and AWS 60 s, Caddy 120 s, Google Cloud 600 s): a
  // balancer that sends a call while the gateway closes its idle connection has to answer 502.
  server.keepAliveTimeout = 620_000
  const operatorApp = operatorAt && createApp(operatorParts(services.parts), operator.token, shutdown)
  const operators =
    operatorApp &&
    createListener({
      serve: operatorApp,
      classes: (worked) => messageClasses(operatorApp, worked),
      audience: 'operator',
      hasUpgrades: false,
      countCall,
      log,
    })
  const operatorConnections = operators && followConnections(operators)
  await openPorts(
    [
      { server, at, setting: 'PORT', hostSetting: 'HOST' },
      ...(operators && operatorAt
        ? [{ server: operators, at: operatorAt, setting: 'OPERATOR_PORT', hostSetting: 'OPERATOR_HOST' }]
        : []),
    ],
    log,
  )
  const address = urlOf(server)
  const operatorAddress = operators && urlOf(operators)
  await operator.announce(address, { operatorAddress, rpcUrl: services.devChain?.rpcUrl })
  const beginStop = () => {
    services.readiness.beginStop()
    connections.endAfterReplies()
  }
  return {
    services,
    port: addressOf(server).port,
    address,
    operatorAddress,
    async leaveBalancers(hurry) {
      beginStop()
      if (config.shutdownDelayMs === 0 || hurry.aborted) return
      log.info({ delayMs: config.shutdownDelayMs }, 'calls are still served until the shutdown delay is over')
      await pTimeout(once(hurry, 'abort'), { milliseconds: config.shutdownDelayMs, fallback: () => [] })
    },
    async close(patienceMs = drainMs) {
      beginStop()
      begun.abort()
      await connections.drain(patienceMs, () => forced.abort())
      // Last, so that the operator can look at the gateway while its calls finish.
      await operatorConnections?.drain(operatorDrainMs, () => forced.abort())
      await services.close()
    },
  }
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
