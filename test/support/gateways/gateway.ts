import { createLog } from '../../../src/core/log.ts'
import { devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { readSettings } from '../../../src/platform/config/config.ts'
import { type RunningGateway, startServer } from '../../../src/server/server.ts'
import { checkReplies } from '../documents/checked-replies.ts'
import { freshDatabase } from '../stores/database.ts'
import { trusting } from './process.ts'

const anyPort = { host: '127.0.0.1', port: 0 }

/** The operator token of a test gateway. */
export const operatorToken = 'operator-token-of-a-test-gateway'

export interface TestGateway extends RunningGateway {
  /** Its address, without a trailing slash. */
  readonly url: string
  /** Its log, as JSON lines. */
  readonly logged: string[]
}

/**
 * Starts a whole gateway in this process, on a free port: settings as from the environment, a database
 * of the run's PostgreSQL without rows, money on the chain at `rpcUrl`. The caller closes it, which fails if a reply was not as the
 * documents say.
 */
export async function startGateway(
  rpcUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const environment = {
    DATABASE_URL: settings.DATABASE_URL ?? (await freshDatabase()),
    RPC_URL: rpcUrl,
    PAY_TO: devPayTo.address,
    ...(settings.FACILITATOR_URL ? {} : { SETTLER_KEY: devSettler.privateKey }),
    // Not the shipped catalog: an operator may change its prices without breaking a test.
    CATALOG_FILE: 'test/fixtures/catalog.yaml',
    BASE_URL: 'https://api.example.com',
    PAYMENTS_BASE_URL: 'https://pay.example.com',
    // Without one, the gateway would write a token to the data folder of the whole project.
    OPERATOR_TOKEN: operatorToken,
    ...trusting,
    ...settings,
  }
  const { config, secrets } = readSettings(environment, () => false)
  const logged: string[] = []
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  const gateway = await startServer(
    {
      config: {
        ...config,
        listen: anyPort,
        operatorListen: config.operatorListen && anyPort,
      },
      secrets,
    },
    log,
    () => {},
  )
  const faults = checkReplies(gateway.services.parts.endpoints)
  return {
    ...gateway,
    url: `http://127.0.0.1:${gateway.port}`,
    logged,
    async close(patienceMs) {
      await gateway.close(patienceMs)
      if (faults.length > 0) throw new Error(`replies are not as documented:\n${faults.join('\n')}`)
    },
  }
}
