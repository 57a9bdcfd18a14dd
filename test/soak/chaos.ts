import type { SignedPayment } from '../support/chain/wallet.ts'
import type { Replica } from '../support/gateways/replica.ts'
import { startFacilitator, type TestFacilitator } from '../support/servers/facilitator.ts'
import { rejectOnAbort, runConcurrently, spreadEvenly } from './concurrency.ts'
import { createWallets, type Deployment, startDeployment } from './deployment.ts'
import type { EnvelopeSet } from './envelopes.ts'
import { injectNodeFaults, reorganize } from './node-faults.ts'
import {
  createOrder,
  type PayerBehavior,
  type Purchase,
  payUntilServed,
  price,
  startPurchase,
  type Target,
} from './orders.ts'
import { createRandom, type Random } from './random.ts'
import { createRestarter } from './restarter.ts'
import { judge, type Verdict } from './verdict.ts'

/**
 * Sends many payments through two gateways while everything around them fails: gateways are killed, the node fails and
 * loses replies, callers disconnect and retry, a third account submits the broadcast authorizations, the chain drops
 * blocks. Then the faults stop, and the money is counted. A fault that no single test covers shows here as a missing
 * atomic unit or as one run too many.
 */
export interface ChaosOptions extends PayerBehavior {
  readonly databaseUrl: string
  readonly seed: string
  readonly payments: number
  readonly payers: number
  /** How many orders run at the same time. */
  readonly atOnce: number
  /** How often a gateway is killed meanwhile. */
  readonly kills: number
  /** How often the node of a gateway fails for longer than a settlement may take. */
  readonly outages: number
  /** How often a gateway loses its connections to the database. */
  readonly storeCuts: number
  readonly faultShare: number
  readonly frontRunShare: number
  /** How many blocks the chain drops halfway; 0 for none. */
  readonly reorgDepth: number
  /** Settles the payments: the gateways, or a faulty facilitator. */
  readonly settledBy: 'gateway' | 'facilitator'
  readonly timing: 'after' | 'before'
  readonly envelopes: EnvelopeSet
  /** How long, after the faults, payers keep retrying and gateways may take to finish open payments. */
  readonly recoveryMs: number
  /** Receives a line of progress now and then. */
  readonly progress: (line: string) => void
  /** Stops the run early and closes everything it has started. */
  readonly stop: AbortSignal
}

export interface ChaosReport extends Verdict {
  readonly payments: number
  readonly requests: number
  readonly cuts: number
  /** Orders that were served only after the faults had stopped. */
  readonly late: number
  readonly kills: number
  readonly faults: number
  readonly frontRuns: number
  readonly droppedBlocks: number
  readonly seconds: number
}

/** The distance of finality on Base, roughly. */
const finalityBlocks = 64n
const modelDelayMs = 30
const facilitatorBehaviors = [
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
  const deployment = await startDeployment({
    databaseUrl: options.databaseUrl,
    wallets,
    // Enough to be charged twice for everything, so that a double charge shows.
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
    return await Promise.race([sendAll(deployment), rejectOnAbort(options.stop)])
  } finally {
    await deployment.close()
    await facilitator?.close()
  }

  async function sendAll(deployment: Deployment): Promise<ChaosReport> {
    const purchases: Purchase[] = []
    for (let index = 0; index < options.payments; index += 1) {
      const name = `${options.seed}.${index}`
      purchases.push(startPurchase(await createOrder(name, random.pick(wallets), options.envelopes)))
    }
    const counts = await sendDuringFaults(deployment, purchases, facilitator, random, options)
    const late = purchases.filter(({ reply }) => reply === undefined)
    options.progress(`${late.length} payers still wait for their replies`)
    await killAllAndStart(deployment, facilitator)
    const recoverUntil = performance.now() + options.recoveryMs
    await runConcurrently(late, options, (purchase, index) => {
      const patienceMs = Math.max(1, Math.round(recoverUntil - performance.now()))
      const patient = { dropShare: 0, doubleShare: 0, attemptMs: patienceMs, patienceMs }
      return payUntilServed(
        purchase,
        targetsOf(deployment),
        patient,
        createRandom(`${options.seed} late ${index}`),
      )
    })
    const verdict = await judge(deployment, purchases, options.recoveryMs)
    return {
      ...verdict,
      ...counts,
      payments: purchases.length,
      requests: total(purchases, ({ requests }) => requests),
      cuts: total(purchases, ({ cuts }) => cuts),
      late: late.length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  }
}

async function sendDuringFaults(
  deployment: Deployment,
  purchases: readonly Purchase[],
  facilitator: TestFacilitator | undefined,
  random: Random,
  options: ChaosOptions,
) {
  const { seed, payments } = options
  const { chain, replicas, firstBlock } = deployment
  const inFlight = new Set<SignedPayment>()
  const nodeFaults = replicas.map((replica, index) => {
    replica.node.finalityBlocks = finalityBlocks
    const own = createRandom(`${seed} line ${index}`)
    return injectNodeFaults(replica, chain, own, { ...options, inFlight: () => inFlight })
  })
  const restarter = createRestarter()
  const kills = spreadEvenly(options.kills, payments)
  const outages = spreadEvenly(options.outages, payments)
  const cuts = spreadEvenly(options.storeCuts, payments)
  const steps = spreadEvenly(9, payments)
  let droppedBlocks = 0

  const sent = runConcurrently(purchases, options, async (purchase, index) => {
    if (steps.has(index)) options.progress(`${index} of ${payments} payments started`)
    if (kills.has(index)) restarter.restart(random.pick(replicas))
    if (outages.has(index)) nodeFaults[random.below(nodeFaults.length)]?.startOutage()
    if (cuts.has(index)) random.pick(replicas).store.cut()
    if (facilitator && index % 5 === 0) facilitator.settle = random.pick(facilitatorBehaviors)
    if (index === Math.floor(payments / 2)) {
      droppedBlocks = await reorganize(chain, options.reorgDepth, firstBlock)
    }
    inFlight.add(purchase.order.payment)
    await payUntilServed(purchase, targetsOf(deployment), options, createRandom(`${seed} order ${index}`))
    inFlight.delete(purchase.order.payment)
  })
  await Promise.race([sent, restarter.failed])
  await Promise.race([restarter.finish(), restarter.failed])
  for (const faults of nodeFaults) faults.stop()
  return {
    kills: restarter.kills,
    faults: total(nodeFaults, ({ faults }) => faults),
    frontRuns: total(nodeFaults, ({ frontRuns }) => frontRuns),
    droppedBlocks,
  }
}

/** Kills both gateways and starts them again after all leases have ended, without further faults. */
async function killAllAndStart(
  { replicas, books }: Deployment,
  facilitator: TestFacilitator | undefined,
): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.kill()))
  await books.endLeases()
  if (facilitator) facilitator.settle = 'well'
  await Promise.all(replicas.map((replica) => replica.start()))
}

function targetsOf({ replicas: [one, other] }: Deployment): readonly [Target, Target] {
  const target = ({ url, store }: Replica): Target => ({ url, storeCuts: () => store.cuts })
  return [target(one), target(other)]
}

function total<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0)
}
