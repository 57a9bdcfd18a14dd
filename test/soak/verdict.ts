import { setTimeout as pause } from 'node:timers/promises'
import { devPayTo } from '../../src/platform/chain/dev-accounts.ts'
import { type ReceivedPayment, receivedPayments } from '../support/chain/received-payments.ts'
import { sumTaken, type Total } from '../support/stores/books.ts'
import type { Deployment } from './deployment.ts'
import { type Purchase, price, send } from './orders.ts'

/** The checks of payments, runs and replies at the end of a run, and their violations. */
export interface Verdict {
  readonly books: { readonly amount: bigint; readonly states: Readonly<Record<string, number>> }
  readonly chain: { readonly amount: bigint; readonly transfers: number }
  readonly runs: number
  /** Each case in which money, a run or a reply was lost or given twice. */
  readonly violations: readonly string[]
}

const closedStates = new Set(['settled', 'final'])

/**
 * Checks a run after its faults have stopped.
 * @param patienceMs how long the gateways may take to finish open payments.
 */
export async function judge(
  deployment: Deployment,
  purchases: readonly Purchase[],
  patienceMs: number,
): Promise<Verdict> {
  const { chain, firstBlock, books, runs } = deployment
  const { totals, taken } = await waitUntilDone()
  const byNonce = Map.groupBy(taken, ({ nonce }) => nonce)
  const violations = [
    ...checkStates(totals),
    ...checkUnmatched(purchases, taken),
    ...purchases.flatMap((purchase) =>
      [
        ...purchase.violations,
        ...checkCharge(purchase, byNonce.get(purchase.order.payment.authorization.nonce) ?? []),
        ...checkRuns(purchase, runs.of(purchase.order.company)),
      ].map((what) => `${purchase.order.company}: ${what}`),
    ),
    ...(await checkReplies(deployment, purchases, byNonce)),
  ]
  const amounts = { chain: sum(taken), books: sumTaken(totals) }
  if (amounts.chain !== amounts.books) {
    violations.push(`the books say that ${amounts.books} was taken, the chain says ${amounts.chain}`)
  }
  return {
    books: {
      amount: amounts.books,
      states: Object.fromEntries([...totals].map(([state, { payments }]) => [state, payments])),
    },
    chain: { amount: amounts.chain, transfers: taken.length },
    runs: runs.total,
    violations,
  }

  /** Waits until no payment is open and both sums are equal, at most `patienceMs`. */
  async function waitUntilDone() {
    const deadline = performance.now() + patienceMs
    for (;;) {
      const totals = await books.totals()
      const taken = await receivedPayments(chain.client, devPayTo.address, firstBlock)
      const isDone = checkStates(totals).length === 0 && sumTaken(totals) === sum(taken)
      if (isDone || performance.now() > deadline) return { totals, taken }
      await pause(200)
    }
  }
}

function checkStates(totals: ReadonlyMap<string, Total>): string[] {
  return [...totals].flatMap(([state, { payments }]) =>
    closedStates.has(state) ? [] : [`${payments} payments are still ${state}`],
  )
}

function checkUnmatched(purchases: readonly Purchase[], taken: readonly ReceivedPayment[]): string[] {
  const known = new Set<string>(purchases.map(({ order }) => order.payment.authorization.nonce))
  return taken
    .filter(({ nonce }) => !known.has(nonce))
    .map(({ transaction }) => `${transaction} takes money without an order`)
}

function checkCharge({ order, reply }: Purchase, charges: readonly ReceivedPayment[]): string[] {
  const { from } = order.payment.authorization
  const [charge, ...others] = charges
  if (!charge) return [reply ? 'was served but not charged' : 'got no reply and was not charged']
  if (others.length > 0) return [`was charged ${charges.length} times`]
  if (charge.value !== price || charge.payer !== from) return [`${charge.payer} was charged ${charge.value}`]
  return reply ? [] : ['was charged but got no reply to any of its requests']
}

/** A request that was cut off may have lost the reply of its run, so each allows one run more. */
function checkRuns({ cuts, requests }: Purchase, runs: number): string[] {
  if (runs === 0) return ['never ran']
  return runs > 1 + cuts ? [`ran ${runs} times for ${requests} requests, of which ${cuts} were cut off`] : []
}

/** Sends every payment once more: the reply must be the same, and its receipt must name the transfer on the chain. */
async function checkReplies(
  { replicas }: Deployment,
  purchases: readonly Purchase[],
  charges: ReadonlyMap<string, readonly ReceivedPayment[]>,
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, { order, reply }] of purchases.entries()) {
    const { url } = replicas[index % 2 ? 1 : 0]
    const [charge] = charges.get(order.payment.authorization.nonce) ?? []
    if (!reply || !charge) continue
    const again = await send(url, order, order.envelopes[0], AbortSignal.timeout(20_000))
    if (again.kind !== 'reply')
      faults.push(`${order.company}: the repeated request ended with ${JSON.stringify(again)}`)
    else if (again.text !== reply.text)
      faults.push(`${order.company}: the repeated request got another reply`)
    else if (again.transaction !== charge.transaction) {
      faults.push(
        `${order.company}: the receipt names ${again.transaction}, but ${charge.transaction} charged it`,
      )
    }
  }
  return faults
}

function sum(taken: readonly ReceivedPayment[]): bigint {
  return taken.reduce((total, { value }) => total + value, 0n)
}
