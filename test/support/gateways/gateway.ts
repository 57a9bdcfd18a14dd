import { createLog } from '../../../src/core/log.ts'
import { devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { type RunningGateway, startServer } from '../../../src/server/server.ts'
import { emptyDatabase } from '../stores/database.ts'

/** What the operator of a test gateway proves himself with. */
export const operatorToken = 'operator-token-of-a-test-gateway'

export interface TestGateway extends RunningGateway {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  /** What it logged, one JSON line each. */
  readonly logged: string[]
}

/**
 * Starts a whole gateway in this process, on a free port: settings as from the environment, books in an
 * empty database of the run's PostgreSQL, money on the chain at `rpcUrl`. The caller closes it.
 */
export async function startGateway(
  rpcUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const environment = {
    DATABASE_URL: settings.DATABASE_URL ?? (await emptyDatabase()),
    RPC_URL: rpcUrl,
    PAY_TO: devPayTo.address,
    ...(settings.FACILITATOR_URL ? {} : { SETTLER_KEY: devSettler.privateKey }),
    // An operator may change the shipped prices without breaking a test.
    CATALOG_FILE: 'test/fixtures/catalog.yaml',
    BASE_URL: 'https://api.example.com',
    PAYMENTS_BASE_URL: 'https://pay.example.com',
    // Given none, a gateway makes one and keeps it in the data folder: here, that of the whole project.
    OPERATOR_TOKEN: operatorToken,
    ...settings,
  }
  const config = readConfig(environment, () => false)
  const logged: string[] = []
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  const gateway = await startServer({ ...config, listen: { host: '127.0.0.1', port: 0 } }, log, () => {})
  return { ...gateway, url: `http://127.0.0.1:${gateway.port}`, logged }
}
