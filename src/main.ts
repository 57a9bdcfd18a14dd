import { isDevKey } from './chain/dev-accounts.ts'
import { readConfig } from './config/config.ts'
import { createLog } from './core/log.ts'
import { explainFailure } from './failure.ts'
import { startServer } from './server.ts'

/** `npm start`: runs the gateway until it is told to stop. */
const out = (line: string) => process.stdout.write(`${line}\n`)

try {
  const config = readConfig(process.env, isDevKey)
  const log = createLog(config.logLevel)
  const gateway = await startServer(config, log, out)

  out(`tollgate listens on ${config.baseUrl}`)
  out(`Prices: ${config.paymentsBaseUrl}/pricing`)
  if (gateway.services.devChain) {
    out(
      `Try:    npm run -s tollgate -- pay ${config.paymentsBaseUrl}/api/analyze --body '{"businessName":"Bright Smile Dental"}'`,
    )
  }

  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping')
    await gateway.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal))
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}
