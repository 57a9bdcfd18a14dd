import { once } from 'node:events'
import { createLog } from './core/log.ts'
import { type RunningGateway, startServer } from './server/server.ts'
import { checkStart } from './server/start/check-start.ts'
import { explainFailure } from './server/start/failure.ts'
import { describePayments } from './server/start/report.ts'
import { listenForStop } from './server/stop/signals.ts'
import { stopWithParent } from './server/stop/stop-with-parent.ts'

/**
 * `npm start`: runs the gateway until a signal stops it. A signal during the start takes effect after the
 * start, so that everything is closed in order.
 */
const out = (line: string) => process.stdout.write(`${line}\n`)
// The reader of these lines may go away (a closed pipe), and the gateway must go on.
process.stdout.on('error', () => {})
const { stop, hurry } = listenForStop()
if (process.env.npm_lifecycle_event === 'start') stopWithParent()
// SIGUSR2 reloads the catalog. One that comes during the start takes effect after it, because the catalog may
// have been read before it was changed.
process.on('SIGUSR2', () => void starting.then(reloadCatalog, () => {}))

const starting = start()
const gateway = await starting.catch((error: unknown) => {
  // Ctrl-C also ends the child processes of the start, which then fails.
  if (stop.aborted) process.exit(0)
  fail(error)
})
if (!stop.aborted) await once(stop, 'abort')
await gateway.leaveBalancers(hurry)
await gateway.close().catch(fail)
process.exit(0)

async function start() {
  const { settings, warnings } = await checkStart(process.env)
  const { config } = settings
  const log = createLog(config.logLevel, undefined, config.instanceName)
  stop.addEventListener('abort', () => log.info({ signal: stop.reason }, 'stopping'))
  for (const warning of warnings) {
    log.warn(warning)
    out(`Warning: ${warning}`)
  }
  const gateway = await startServer(settings, log, out)

  out(`tollgate listens on ${gateway.address}`)
  const { services } = gateway
  if (gateway.operatorAddress) out(`The operator's endpoints: ${gateway.operatorAddress}`)
  for (const line of describePayments(services.settlement, services.parts.whyNotReady())) out(line)
  if (config.dryRun) out('Dry run: payments are checked, and no money is taken.')
  const { operations } = services.catalog.current()
  if (operations.getPricing) out(`Prices: ${config.paymentsBaseUrl}/pricing`)
  if (services.devChain && operations.analyzeBusiness) {
    out(
      `Try:    npm run -s tollgate -- pay ${config.paymentsBaseUrl}/api/analyze --body '{"businessName":"Bright Smile Dental"}'`,
    )
  }
  if (services.devChain && operations.triggerScan) {
    out('Or:     npm run -s tollgate -- scan example.com')
  }
  return gateway
}

/** A faulty catalog is logged by the reload, and the current one stays in use. */
async function reloadCatalog({ services }: RunningGateway): Promise<void> {
  await services.catalog.reload().catch(() => {})
}

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}
