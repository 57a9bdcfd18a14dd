import { devPayTo } from '../../src/platform/chain/dev-accounts.ts'
import { receivedPayments } from '../support/chain/received-payments.ts'
import { createWallets, startDeployment } from './deployment.ts'
import { createOrder, price, record, send, startPurchase } from './orders.ts'
import { createRandom } from './random.ts'

/**
 * Sends fifty copies of one payment at once, in every envelope, to two gateways that share only their database: one
 * run and one transfer, round after round. Many rounds find a race that a single round seldom shows.
 */
export interface CopiesOptions {
  readonly databaseUrl: string
  readonly seed: string
  readonly rounds: number
}

export interface CopiesReport {
  readonly rounds: number
  readonly copies: number
  readonly runs: number
  readonly transfers: number
  /** Atomic units. */
  readonly amount: bigint
  readonly violations: readonly string[]
  readonly seconds: number
}

const copiesAtOnce = 50
/** Long enough for every copy to arrive while the handler runs. */
const modelDelayMs = 50

export async function runCopies({ databaseUrl, seed, rounds }: CopiesOptions): Promise<CopiesReport> {
  const startedAt = performance.now()
  const wallets = createWallets(4)
  const random = createRandom(`${seed} copies`)
  const deployment = await startDeployment({
    databaseUrl,
    wallets,
    funds: 2n * price * BigInt(rounds),
    modelDelayMs,
    timing: 'after',
    settings: async () => ({ RPC_TIMEOUT_MS: '10000', SETTLEMENT_TIMEOUT_MS: '30000' }),
  })
  try {
    const { replicas, runs, chain, firstBlock } = deployment
    const violations: string[] = []
    const nonces: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const order = await createOrder(`${seed}.${round}`, random.pick(wallets), 'all')
      const purchase = startPurchase(order)
      nonces.push(order.payment.authorization.nonce)
      const copies = Array.from({ length: copiesAtOnce }, () =>
        send(random.pick(replicas).url, order, random.pick(order.envelopes), AbortSignal.timeout(30_000)),
      )
      const outcomes = await Promise.all(copies)
      for (const outcome of outcomes) record(purchase, outcome)
      const receipts = new Set(
        outcomes.map((outcome) => (outcome.kind === 'reply' ? outcome.transaction : outcome.kind)),
      )
      const faults = [
        ...purchase.violations,
        ...(receipts.size === 1 && purchase.reply ? [] : [`its copies got ${[...receipts].join(', ')}`]),
        ...(runs.of(order.company) === 1 ? [] : [`it ran ${runs.of(order.company)} times`]),
      ]
      violations.push(...faults.map((what) => `round ${round}: ${what}`))
    }
    const taken = await receivedPayments(chain.client, devPayTo.address, firstBlock)
    const charged = new Set<string>(taken.map(({ nonce }) => nonce))
    const amount = taken.reduce((sum, { value }) => sum + value, 0n)
    const isExact = taken.length === rounds && amount === price * BigInt(rounds)
    if (!isExact || !nonces.every((nonce) => charged.has(nonce))) {
      violations.push(`${rounds} rounds moved ${amount} in ${taken.length} transfers`)
    }
    return {
      rounds,
      copies: rounds * copiesAtOnce,
      runs: runs.total,
      transfers: taken.length,
      amount,
      violations,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    await deployment.close()
  }
}
