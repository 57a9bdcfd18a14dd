import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalAccount } from 'viem'
import { startTestChain, type TestChain, temporaryFolder } from '../support/chain/chain.ts'
import { freshWallet } from '../support/chain/wallet.ts'
import { projectRoot } from '../support/gateways/process.ts'
import { openReplica, type Replica } from '../support/gateways/replica.ts'
import { type BooksOnView, viewBooks } from '../support/stores/books.ts'
import { countRuns, type Runs } from './count-runs.ts'

/** Two gateways on one database and one chain, and the means to check what they do with their payers' money. */
export interface Deployment {
  readonly chain: TestChain
  /** The last block before the first payment. */
  readonly firstBlock: bigint
  readonly runs: Runs
  readonly books: BooksOnView
  readonly replicas: readonly [Replica, Replica]
  close(): Promise<void>
}

export interface DeploymentOptions {
  /** An empty database. */
  readonly databaseUrl: string
  readonly wallets: readonly LocalAccount[]
  /** The balance of each wallet, in atomic units. */
  readonly funds: bigint
  readonly modelDelayMs: number
  /** Whether the money moves after the handler or before it. */
  readonly timing: 'after' | 'before'
  /** Further settings of the gateways. */
  readonly settings: (chain: TestChain) => Promise<Readonly<Record<string, string>>>
}

/** A claim of a killed gateway is taken over ten seconds after this. */
const deadlineSeconds = 5
/** How long a gateway waits for a settlement before its outcome is unknown. */
export const settlementTimeoutMs = 2_000

export const createWallets = (count: number): readonly [LocalAccount, ...LocalAccount[]] => [
  freshWallet(),
  ...Array.from({ length: count - 1 }, freshWallet),
]

export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { databaseUrl, wallets, funds, modelDelayMs } = options
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { folder, remove } = await temporaryFolder()
    closers.push(remove)
    const chain = await startTestChain()
    closers.push(chain.close)
    const runs = await countRuns(modelDelayMs)
    closers.push(runs.close)
    const books = viewBooks(databaseUrl)
    closers.push(books.close)
    const settings = {
      ...runs.settings,
      CATALOG_FILE: await writeCatalog(folder, options.timing),
      RPC_TIMEOUT_MS: '1000',
      SETTLEMENT_TIMEOUT_MS: String(settlementTimeoutMs),
      LOG_LEVEL: 'warn',
      ...(await options.settings(chain)),
    }
    const open = async () => {
      const replica = await openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings })
      closers.push(replica.close)
      return replica
    }
    const replicas = [await open(), await open()] as const
    for (const wallet of wallets) await chain.mint(wallet.address, funds)
    await Promise.all(replicas.map((replica) => replica.start()))
    return { chain, firstBlock: await chain.client.getBlockNumber(), runs, books, replicas, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Writes the catalog of the tests with short deadlines, so that the soak can wait for them. */
async function writeCatalog(folder: string, timing: DeploymentOptions['timing']): Promise<string> {
  const shipped = await readFile(join(projectRoot, 'test/fixtures/catalog.yaml'), 'utf8')
  const file = join(folder, 'catalog.yaml')
  const catalog = shipped
    .replaceAll('deadline_seconds: 60', `deadline_seconds: ${deadlineSeconds}`)
    .replace('price: "0.25"', `price: "0.25"\n    settle: ${timing}`)
  await writeFile(file, catalog)
  return file
}
