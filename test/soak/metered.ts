import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { startTestChain, temporaryFolder } from '../support/chain/chain.ts'
import { uptoWallet } from '../support/chain/upto-authorization.ts'
import { freshWallet } from '../support/chain/wallet.ts'
import { type Callers, type Met, type Mix, make, planCall, priceOf } from './metered-callers.ts'
import { startCountedModel } from './metered-model.ts'
import { judgeMetered, type MeteredVerdict } from './metered-verdict.ts'
import { inTurns } from './turns.ts'

/**
 * Many calls of a model that is sold by the token, by wallets, keys and free callers, as streams and in one piece,
 * of which some are left in the middle. Then the money is counted on the chain and the tokens at the model, and laid
 * beside the books: a unit that is charged and was not counted, or counted and not charged, shows nowhere else.
 */
export interface MeteredOptions extends Mix {
  /** An empty database. */
  readonly databaseUrl: string
  readonly calls: number
  readonly atOnce: number
  readonly wallets: number
  readonly keys: number
  /** How long the gateway may take to settle what is open once all have called. */
  readonly calmMs: number
  /** Starts a gateway with these settings besides its own. `close` lets it finish what is under way. */
  readonly open: (settings: Readonly<Record<string, string>>) => Promise<{
    readonly url: string
    readonly close: () => Promise<void>
  }>
  /** Told now and then how far it has come. */
  readonly progress: (line: string) => void
  /** Ends it early, with everything it has started. */
  readonly stop: AbortSignal
}

export interface MeteredReport extends MeteredVerdict {
  readonly calls: number
  /** How many callers have left before the end. */
  readonly left: number
  readonly seconds: number
}

/** Prices in atomic units, as the catalogue below has them. */
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
      // A wallet that leaves so often would be asked to pay before it is served.
      SETTLE_FIRST_AFTER: '1000',
      LOG_LEVEL: 'warn',
    })
    closers.push(gateway.close)
    const callers: Callers = {
      url: gateway.url,
      wallets: [...wallets, ...others],
      keys: [await makeKey(gateway.url), ...(await keysOf(gateway.url, options.keys - 1))],
      required: await priceOf(gateway.url),
    }
    const met = await call(callers, options)
    await settled(options)
    await gateway.close()
    const verdict = await judgeMetered({
      databaseUrl: options.databaseUrl,
      chain,
      payTo,
      wallets: callers.wallets.map(({ address }) => ({ address, funds })),
      told: model.told,
      met,
    })
    return {
      ...verdict,
      calls: met.length,
      left: met.filter(({ kind }) => kind === 'left').length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function call(callers: Callers, options: MeteredOptions): Promise<Met[]> {
  const { calls, progress } = options
  const met: Met[] = []
  const plan = Array.from({ length: calls }, (_, index) => planCall(index, options))
  await inTurns(plan, options, async (planned, index) => {
    if (index > 0 && index % 1_000 === 0) progress(`${index} of ${calls} calls begun`)
    met.push(await make(planned, callers))
  })
  return met
}

/** Waits until no payment is open any more, or for as long as that may take: what is open then, the verdict tells. */
async function settled({ databaseUrl, calmMs }: MeteredOptions): Promise<void> {
  const books = new pg.Client({ connectionString: databaseUrl })
  await books.connect()
  const deadline = performance.now() + calmMs
  const open = `select 1 from payments where state not in ('settled', 'final', 'released', 'failed') limit 1`
  while ((await books.query(open)).rows.length > 0 && performance.now() < deadline) await pause(50)
  await books.end()
}

async function makeKey(url: string): Promise<string> {
  const response = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorToken}` },
    body: JSON.stringify({ tier: 'team' }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}

async function keysOf(url: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => makeKey(url)))
}

/**
 * Nobody's allowance ends, and the longest replies come to more than the maximum. Payments stay valid for a day: the
 * chain mines a block for each settlement and gives it a second of its own, so its clock runs ahead of ours.
 */
function catalogOf(model: string): string {
  const priced = `{ per: tokens, units: 1000000, base: "0.000010", input: "0.50", output: "2.00", max: "0.000400", max_units: ${maxUnits} }`
  return `
provider: { name: Soak, description: Sells a model by the token. }
upstreams:
  llm: { prefix: /llm, targets: ["${model}"], private: true }
operations:
  askModel:
    { access: price, upstream: llm, route: POST /v1/chat/completions, description: An answer., price: ${priced}, validity_seconds: 86400 }
  tryModel:
    access: optional
    upstream: llm
    route: POST /v1/free/chat/completions
    description: An answer for nothing.
    free: 900000000 tokens/day
    price: ${priced}
tiers:
  team: { description: For a team., operations: { askModel: 900000000 tokens/month } }
`
}
