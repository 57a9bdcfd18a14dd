import { once } from 'node:events'
import { createLog } from './core/log.ts'
import { isDevAccount } from './platform/chain/dev-accounts.ts'
import { readConfig } from './platform/config/config.ts'
import { explainFailure } from './server/failure.ts'
import { listenForStop, type RunningGateway, startServer } from './server/server.ts'

/**
 * `npm start`: runs the gateway until it is told to stop. Told so while it is still starting, it first
 * finishes the start, so that everything is closed in good order.
 */
const out = (line: string) => process.stdout.write(`${line}\n`)
// Whoever reads these lines may go away; the gateway stays.
process.stdout.on('error', () => {})
const stop = listenForStop()
// Unheard, the signal would end the process. One that comes during the start is obeyed after it: the
// catalogue may have been read before it was changed.
process.on('SIGUSR2', () => void starting.then(reloadCatalog, () => {}))

const starting = start()
const gateway = await starting.catch((error: unknown) => {
  // Ctrl-C also ends the children a first start waits for: then it failed because it was told to stop.
  if (stop.aborted) process.exit(0)
  fail(error)
})
if (!stop.aborted) await once(stop, 'abort')
await gateway.close().catch(fail)
process.exit(0)

async function start() {
  const config = readConfig(process.env, isDevAccount)
  const log = createLog(config.logLevel)
  stop.addEventListener('abort', () => log.info({ signal: stop.reason }, 'stopping'))
  const gateway = await startServer(config, log, out)

  out(`tollgate listens on ${gateway.address}`)
  if (config.dryRun) out('Dry run: payments are checked, and no money is taken.')
  const { operations } = gateway.services.catalog.current()
  if (operations.getPricing) out(`Prices: ${config.paymentsBaseUrl}/pricing`)
  if (gateway.services.devChain && operations.analyzeBusiness) {
    out(
      `Try:    npm run -s tollgate -- pay ${config.paymentsBaseUrl}/api/analyze --body '{"businessName":"Bright Smile Dental"}'`,
    )
  }
  if (gateway.services.devChain && operations.triggerScan) {
    out('Or:     npm run -s tollgate -- scan example.com')
  }
  return gateway
}

/** What is wrong with the file stands in the log; the gateway goes on with the catalogue it has. */
async function reloadCatalog({ services }: RunningGateway): Promise<void> {
  await services.catalog.reload().catch(() => {})
}

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}
