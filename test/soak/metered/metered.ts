import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { startTestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { uptoWallet } from '../../support/chain/upto-authorization.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { trusting } from '../../support/gateways/process.ts'
import { runConcurrently } from '../concurrency.ts'
import {
  type Callers,
  type CallOutcome,
  fetchPaymentRequired,
  type Mix,
  makeCall,
  planCall,
} from './callers.ts'
import { startCountedModel } from './model.ts'
import { judgeMetered, type MeteredVerdict } from './verdict.ts'

/**
 * Makes many calls of a model that is sold by the token: by wallets, keys and free callers, streamed and whole, some
 * left by their callers in the middle. Then compares the books with the money on the chain and the tokens at the model:
 * nothing else would show a unit that is charged but not counted, or counted but not charged.
 */
export interface MeteredOptions extends Mix {
  /** An empty database. */
  readonly databaseUrl: string
  readonly calls: number
  readonly atOnce: number
  readonly wallets: number
  readonly keys: number
  /** How long the gateway may take to settle open payments after the last call. */
  readonly recoveryMs: number
  /** Starts a gateway with these settings besides its own. `close` waits for its open calls. */
  readonly open: (settings: Readonly<Record<string, string>>) => Promise<{
    readonly url: string
    readonly close: () => Promise<void>
  }>
  /** Receives a line of progress now and then. */
  readonly progress: (line: string) => void
  /** Stops the run early and closes everything it has started. */
  readonly stop: AbortSignal
}

export interface MeteredReport extends MeteredVerdict {
  readonly calls: number
  /** Calls whose caller disconnected before the end. */
  readonly left: number
  readonly seconds: number
}

/** The prices of the catalog below, in atomic units. */
export const price = { base: 10n, input: 500_000n, output: 2_000_000n, units: 1_000_000n, max: 400n }
export const maxUnits = 200

const operatorToken = 'operator-token-of-the-metered-soak'

export async function runMetered(options: MeteredOptions): Promise<MeteredReport> {
  const startedAt = performance.now()
  const closers: (() => Promise<void>)[] = []
  try {
    const { folder, remove } = await temporaryFolder()
    closers.push(remove)
    const chain = await startTestChain()
    closers.push(chain.close)
    const model = await startCountedModel()
    closers.push(model.close)
    const payTo = freshWallet().address
    const file = join(folder, 'catalog.yaml')
    await writeFile(file, catalogOf(model.url))
    const funds = price.max * BigInt(options.calls)
    const wallets = [await uptoWallet(chain, funds)] as const
    const others: Awaited<ReturnType<typeof uptoWallet>>[] = []
    while (others.length + 1 < options.wallets) others.push(await uptoWallet(chain, funds))
    const gateway = await options.open({
      DATABASE_URL: options.databaseUrl,
      RPC_URL: chain.rpcUrl,
      CATALOG_FILE: file,
      PAY_TO: payTo,
      OPERATOR_TOKEN: operatorToken,
      // Wallets that disconnect this often would otherwise have to pay before they are served.
      SETTLE_FIRST_AFTER: '1000',
      // Fresh wallets make many calls at once.
      ...trusting,
      LOG_LEVEL: 'warn',
    })
    closers.push(gateway.close)
    const callers: Callers = {
      url: gateway.url,
      wallets: [...wallets, ...others],
      keys: [await createKey(gateway.url), ...(await createKeys(gateway.url, options.keys - 1))],
      required: await fetchPaymentRequired(gateway.url),
    }
    const outcomes = await makeCalls(callers, options)
    await waitForSettlements(options)
    await gateway.close()
    const verdict = await judgeMetered({
      databaseUrl: options.databaseUrl,
      chain,
      payTo,
      wallets: callers.wallets.map(({ address }) => ({ address, funds })),
      reported: model.reported,
      outcomes,
    })
    return {
      ...verdict,
      calls: outcomes.length,
      left: outcomes.filter(({ kind }) => kind === 'left').length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function makeCalls(callers: Callers, options: MeteredOptions): Promise<CallOutcome[]> {
  const { calls, progress } = options
  const outcomes: CallOutcome[] = []
  const plan = Array.from({ length: calls }, (_, index) => planCall(index, options))
  await runConcurrently(plan, options, async (planned, index) => {
    if (index > 0 && index % 1_000 === 0) progress(`${index} of ${calls} calls started`)
    outcomes.push(await makeCall(planned, callers))
  })
  return outcomes
}

/** Waits until no payment is open, at most `recoveryMs`; the verdict reports those that are still open then. */
async function waitForSettlements({ databaseUrl, recoveryMs }: MeteredOptions): Promise<void> {
  const books = new pg.Client({ connectionString: databaseUrl })
  await books.connect()
  const deadline = performance.now() + recoveryMs
  const open = `select 1 from payments where state not in ('settled', 'final', 'released', 'failed') limit 1`
  while ((await books.query(open)).rows.length > 0 && performance.now() < deadline) await pause(50)
  await books.end()
}

async function createKey(url: string): Promise<string> {
  const response = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorToken}` },
    body: JSON.stringify({ tier: 'team' }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}

async function createKeys(url: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => createKey(url)))
}

/**
 * Writes a catalog whose quotas are never used up, and whose longest replies cost more than the maximum. Payments are
 * valid for a day: the chain mines one block per settlement and gives each its own second, so its clock runs ahead.
 */
function catalogOf(model: string): string {
  const priced = `{ per: tokens, units: 1000000, base: "0.000010", input: "0.50", output: "2.00", max: "0.000400", max_units: ${maxUnits} }`
  return `
provider: { name: Soak, description: Sells a model by the token. }
upstreams:
  llm: { prefix: /llm, targets: ["${model}"], private: true }
operations:
  askModel:
    { access: price, upstream: llm, route: POST /v1/chat/completions, description: A reply., price: ${priced}, validity_seconds: 86400 }
  tryModel:
    access: optional
    upstream: llm
    route: POST /v1/free/chat/completions
    description: A free reply.
    free: 900000000 tokens/day
    price: ${priced}
tiers:
  team: { description: For a team., operations: { askModel: 900000000 tokens/month } }
`
}
