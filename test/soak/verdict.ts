import { setTimeout as pause } from 'node:timers/promises'
import { devPayTo } from '../../src/platform/chain/dev-accounts.ts'
import { type ReceivedPayment, receivedPayments } from '../support/chain/received-payments.ts'
import { sumTaken, type Total } from '../support/stores/books.ts'
import { type Purchase, price, send } from './orders.ts'
import type { Stage } from './stage.ts'

/** What has to be true when all is said and done, and what was found. */
export interface Verdict {
  readonly books: { readonly amount: bigint; readonly states: Readonly<Record<string, number>> }
  readonly chain: { readonly amount: bigint; readonly transfers: number }
  readonly runs: number
  /** Every way in which money, a run or a reply was lost or given twice. */
  readonly violations: readonly string[]
}

const closedStates = new Set(['settled', 'final'])

/** @param patienceMs how long gateways that nothing troubles any more may take to finish what is open. */
export async function judge(
  stage: Stage,
  purchases: readonly Purchase[],
  patienceMs: number,
): Promise<Verdict> {
  const { chain, firstBlock, books, runs } = stage
  const { totals, taken } = await settleDown()
  const byNonce = Map.groupBy(taken, ({ nonce }) => nonce)
  const violations = [
    ...checkStates(totals),
    ...checkStrangers(purchases, taken),
    ...purchases.flatMap((purchase) =>
      [
        ...purchase.wrong,
        ...checkCharge(purchase, byNonce.get(purchase.order.payment.authorization.nonce) ?? []),
        ...checkRuns(purchase, runs.of(purchase.order.company)),
      ].map((what) => `${purchase.order.company}: ${what}`),
    ),
    ...(await checkReplies(stage, purchases, byNonce)),
  ]
  const amounts = { chain: sum(taken), books: sumTaken(totals) }
  if (amounts.chain !== amounts.books) {
    violations.push(`the books say ${amounts.books} was taken, the chain says ${amounts.chain}`)
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

  /** Waits until nothing is open and both sums are one, or for as long as that may take. */
  async function settleDown() {
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
    closedStates.has(state) ? [] : [`${payments} payments are left ${state}`],
  )
}

function checkStrangers(purchases: readonly Purchase[], taken: readonly ReceivedPayment[]): string[] {
  const known = new Set<string>(purchases.map(({ order }) => order.payment.authorization.nonce))
  return taken
    .filter(({ nonce }) => !known.has(nonce))
    .map(({ transaction }) => `${transaction} takes money that nobody ordered anything for`)
}

function checkCharge({ order, reply }: Purchase, charges: readonly ReceivedPayment[]): string[] {
  const { from } = order.payment.authorization
  const [charge, ...others] = charges
  if (!charge) return [reply ? 'was served and not charged' : 'got no reply, and was not charged']
  if (others.length > 0) return [`was charged ${charges.length} times`]
  if (charge.value !== price || charge.payer !== from) return [`${charge.payer} was charged ${charge.value}`]
  return reply ? [] : ['was charged and got no reply, however often it asked']
}

/** A run that was cut off has served nobody, so another one is owed. Any more than that are given away. */
function checkRuns({ cuts, requests }: Purchase, runs: number): string[] {
  if (runs === 0) return ['was never run']
  return runs > 1 + cuts ? [`ran ${runs} times for ${requests} requests, of which ${cuts} were cut off`] : []
}

/** Every payer asks once more: the same reply, and a receipt for the transfer that the chain shows by now. */
async function checkReplies(
  { replicas }: Stage,
  purchases: readonly Purchase[],
  charges: ReadonlyMap<string, readonly ReceivedPayment[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const [index, { order, reply }] of purchases.entries()) {
    const { url } = replicas[index % 2 ? 1 : 0]
    const [charge] = charges.get(order.payment.authorization.nonce) ?? []
    if (!reply || !charge) continue
    const again = await send(url, order, order.envelopes[0], AbortSignal.timeout(20_000))
    if (again.kind !== 'reply') found.push(`${order.company}: asked again, was told ${JSON.stringify(again)}`)
    else if (again.text !== reply.text) found.push(`${order.company}: asked again, got another reply`)
    else if (again.transaction !== charge.transaction) {
      found.push(
        `${order.company}: holds a receipt for ${again.transaction}, but ${charge.transaction} charged it`,
      )
    }
  }
  return found
}

function sum(taken: readonly ReceivedPayment[]): bigint {
  return taken.reduce((total, { value }) => total + value, 0n)
}
