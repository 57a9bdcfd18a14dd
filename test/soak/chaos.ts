import type { SignedPayment } from '../support/chain/wallet.ts'
import type { Replica } from '../support/gateways/replica.ts'
import { startFacilitator, type TestFacilitator } from '../support/servers/facilitator.ts'
import type { Looks } from './envelopes.ts'
import {
  createOrder,
  type Manners,
  type Purchase,
  price,
  pursue,
  type Seller,
  startPurchase,
} from './orders.ts'
import { createRandom, type Random } from './random.ts'
import { createWallets, openStage, type Stage } from './stage.ts'
import { createStriker } from './striker.ts'
import { makeTrouble, reorganise } from './trouble.ts'
import { aborted, inTurns, spread } from './turns.ts'
import { judge, type Verdict } from './verdict.ts'

/**
 * Many payments through two gateways while everything around them breaks: they are killed, the node
 * fails and loses answers, callers hang up and come back, somebody else carries out what they broadcast,
 * the chain drops blocks. Then all is quiet, and the money is counted. What no single test thinks of
 * shows here, as one atomic unit that is missing or one run too many.
 */
export interface ChaosOptions extends Manners {
  readonly databaseUrl: string
  readonly seed: string
  readonly payments: number
  readonly payers: number
  /** How many orders are pursued at the same time. */
  readonly atOnce: number
  /** How often a gateway is killed while they are. */
  readonly kills: number
  /** How often a gateway's node fails for longer than a settlement may take. */
  readonly outages: number
  /** How often a gateway loses its connections to the store. */
  readonly storeCuts: number
  readonly faultShare: number
  readonly frontRunShare: number
  /** How many blocks the chain drops, halfway; 0 for none. */
  readonly reorgDepth: number
  /** Who carries the payments out: the gateways, or a facilitator that answers badly. */
  readonly settledBy: 'gateway' | 'facilitator'
  readonly timing: 'after' | 'before'
  readonly looks: Looks
  /** How long payers go on asking, and gateways may take to finish what is open, once the trouble has ended. */
  readonly calmMs: number
  /** Told now and then how far it has come. */
  readonly progress: (line: string) => void
  /** Ends it early, with everything it has started. */
  readonly stop: AbortSignal
}

export interface ChaosReport extends Verdict {
  readonly payments: number
  readonly requests: number
  readonly cuts: number
  /** Orders whose payer was served only after the trouble had ended. */
  readonly late: number
  readonly kills: number
  readonly faults: number
  readonly frontRuns: number
  readonly droppedBlocks: number
  readonly seconds: number
}

/** As far behind the head as Base's finality is in its blocks, more or less. */
const finalityBlocks = 64n
const modelDelayMs = 30
const facilitatorConduct = [
  'well',
  'well',
  'well',
  'well',
  'well',
  'well',
  'hangs',
  'answers 500',
  'answers no JSON',
  'sends, then hangs',
  'sends, then answers 502',
  'sends, then says pending',
  'sends, then says refused',
  'sends, then names no transaction',
  'refuses with 500',
  'says pending, but sent nothing',
  'names a transaction that is not there',
] as const

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = performance.now()
  const random = createRandom(`${options.seed} plan`)
  const wallets = createWallets(options.payers)
  let facilitator: TestFacilitator | undefined
  const stage = await openStage({
    databaseUrl: options.databaseUrl,
    wallets,
    // Enough to be charged twice for everything.
    funds: 2n * price * BigInt(options.payments),
    modelDelayMs,
    timing: options.timing,
    settings: async ({ rpcUrl }) => {
      if (options.settledBy === 'gateway') return {}
      facilitator = await startFacilitator(rpcUrl, `0x${'00'.repeat(32)}`)
      return { FACILITATOR_URL: facilitator.url, FACILITATOR_TIMEOUT_MS: '2000' }
    },
  })
  try {
    return await Promise.race([meetAll(stage), aborted(options.stop)])
  } finally {
    await stage.close()
    await facilitator?.close()
  }

  async function meetAll(stage: Stage): Promise<ChaosReport> {
    const purchases: Purchase[] = []
    for (let index = 0; index < options.payments; index += 1) {
      const name = `${options.seed}.${index}`
      purchases.push(startPurchase(await createOrder(name, random.pick(wallets), options.looks)))
    }
    const met = await meetTrouble(stage, purchases, facilitator, random, options)
    const late = purchases.filter(({ reply }) => reply === undefined)
    options.progress(`${late.length} payers still wait for their replies`)
    await lastBlow(stage, facilitator)
    const calmUntil = performance.now() + options.calmMs
    await inTurns(late, options, (purchase, index) => {
      const patienceMs = Math.max(1, Math.round(calmUntil - performance.now()))
      const calm = { dropShare: 0, doubleShare: 0, attemptMs: patienceMs, patienceMs }
      return pursue(purchase, sellersOf(stage), calm, createRandom(`${options.seed} late ${index}`))
    })
    const verdict = await judge(stage, purchases, options.calmMs)
    return {
      ...verdict,
      ...met,
      payments: purchases.length,
      requests: total(purchases, ({ requests }) => requests),
      cuts: total(purchases, ({ cuts }) => cuts),
      late: late.length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  }
}

async function meetTrouble(
  stage: Stage,
  purchases: readonly Purchase[],
  facilitator: TestFacilitator | undefined,
  random: Random,
  options: ChaosOptions,
) {
  const { seed, payments } = options
  const { chain, replicas, firstBlock } = stage
  const underWay = new Set<SignedPayment>()
  const troubles = replicas.map((replica, index) => {
    replica.node.finalityBlocks = finalityBlocks
    const own = createRandom(`${seed} line ${index}`)
    return makeTrouble(replica, chain, own, { ...options, underWay: () => underWay })
  })
  const striker = createStriker()
  const strikes = spread(options.kills, payments)
  const outages = spread(options.outages, payments)
  const cuts = spread(options.storeCuts, payments)
  const steps = spread(9, payments)
  let droppedBlocks = 0

  const pursued = inTurns(purchases, options, async (purchase, index) => {
    if (steps.has(index)) options.progress(`${index} of ${payments} payments begun`)
    if (strikes.has(index)) striker.strike(random.pick(replicas))
    if (outages.has(index)) troubles[random.below(troubles.length)]?.goDown()
    if (cuts.has(index)) random.pick(replicas).store.cut()
    if (facilitator && index % 5 === 0) facilitator.settle = random.pick(facilitatorConduct)
    if (index === Math.floor(payments / 2)) {
      droppedBlocks = await reorganise(chain, options.reorgDepth, firstBlock)
    }
    underWay.add(purchase.order.payment)
    await pursue(purchase, sellersOf(stage), options, createRandom(`${seed} order ${index}`))
    underWay.delete(purchase.order.payment)
  })
  await Promise.race([pursued, striker.failed])
  await Promise.race([striker.end(), striker.failed])
  for (const trouble of troubles) trouble.end()
  return {
    kills: striker.kills,
    faults: total(troubles, ({ faults }) => faults),
    frontRuns: total(troubles, ({ frontRuns }) => frontRuns),
    droppedBlocks,
  }
}

/** Everything dies at once, and stays away for longer than any lease; then all is well. */
async function lastBlow({ replicas, books }: Stage, facilitator: TestFacilitator | undefined): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.kill()))
  await books.endLeases()
  if (facilitator) facilitator.settle = 'well'
  await Promise.all(replicas.map((replica) => replica.start()))
}

function sellersOf({ replicas: [one, other] }: Stage): readonly [Seller, Seller] {
  const seller = ({ url, store }: Replica): Seller => ({ url, storeCuts: () => store.cuts })
  return [seller(one), seller(other)]
}

function total<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0)
}
