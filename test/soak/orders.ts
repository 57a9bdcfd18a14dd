import { setTimeout as pause } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { decode, type SignedPayment, signPayment } from '../support/chain/wallet.ts'
import { companyOf } from './count-runs.ts'
import { type Envelope, type EnvelopeSet, envelopesOf } from './envelopes.ts'
import type { Random } from './random.ts'

/** The order of one payer, and the one payment for it. */
export interface Order {
  readonly company: string
  readonly payment: SignedPayment
  readonly envelopes: readonly [Envelope, ...Envelope[]]
}

/** The price of `POST /api/leads/research` in atomic units. */
export const price = 250_000n

export async function createOrder(
  name: string,
  wallet: LocalAccount,
  envelopes: EnvelopeSet,
): Promise<Order> {
  // The longest that a gateway accepts for this operation is twenty minutes.
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 1_100)
  const payment = await signPayment(wallet, price, { validBefore })
  return { company: companyOf(name), payment, envelopes: envelopesOf(payment, envelopes) }
}

/** How one request ended for the payer. */
export type SendOutcome =
  | { readonly kind: 'reply'; readonly text: string; readonly transaction: string | undefined }
  /** Refused for now: the same payment may be sent again. */
  | { readonly kind: 'retry later'; readonly status: number }
  /** The connection of the payer or the database broke; the gateway may have started a run. */
  | { readonly kind: 'cut off' }
  | { readonly kind: 'not listening' }
  /** A reply that a correct request must never get. */
  | { readonly kind: 'wrong'; readonly what: string }

const receiptSchema = z.object({ success: z.literal(true), transaction: z.string() })
const connectionError = z.object({ cause: z.object({ code: z.string() }) })

/**
 * Sends the request of an order with its payment.
 * @param patience aborts when the payer disconnects.
 */
export async function send(
  url: string,
  order: Order,
  envelope: Envelope,
  patience: AbortSignal,
): Promise<SendOutcome> {
  try {
    const response = await fetch(`${url}/api/leads/research`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [envelope.name]: envelope.value },
      body: JSON.stringify({ companyName: order.company }),
      signal: patience,
    })
    return classify(response, await response.text(), order)
  } catch (error) {
    const { data } = connectionError.safeParse(error)
    return { kind: data?.cause.code === 'ECONNREFUSED' ? 'not listening' : 'cut off' }
  }
}

function classify({ status, headers }: Response, text: string, { company }: Order): SendOutcome {
  const wrong = (why: string): SendOutcome => {
    const words = [...text.matchAll(/"(?:code|reason)":"(\w+)"/g)].map(([, word]) => word)
    return { kind: 'wrong', what: `${status} ${why}: ${words.join(' ') || text.slice(0, 200)}` }
  }
  if (status === 200) {
    if (!text.includes(company)) return wrong('with the reply of another order')
    const receipt = receiptSchema.safeParse(decode(headers.get('payment-response') ?? 'bnVsbA=='))
    if (!receipt.success) return wrong('without a receipt')
    return { kind: 'reply', text, transaction: receipt.data.transaction }
  }
  if (headers.has('payment-required') || headers.has('x-payment')) return wrong('asks for a second payment')
  return status === 409 || status === 503 ? { kind: 'retry later', status } : wrong('answers a valid payment')
}

/** How payers behave. */
export interface PayerBehavior {
  /** Share of the requests that the payer disconnects from. */
  readonly dropShare: number
  /** Share of the requests that the payer sends to two gateways at once. */
  readonly doubleShare: number
  /** After this time the payer aborts a request and retries. */
  readonly attemptMs: number
  /** After this time the payer stops retrying. */
  readonly patienceMs: number
}

/** An order, and its outcome so far. */
export interface Purchase {
  readonly order: Order
  reply: (SendOutcome & { kind: 'reply' }) | undefined
  requests: number
  /** Requests that lost their payer or the database. Only these may have started a run whose reply was lost. */
  cuts: number
  readonly violations: string[]
}

export const startPurchase = (order: Order): Purchase => ({
  order,
  reply: undefined,
  requests: 0,
  cuts: 0,
  violations: [],
})

/** A gateway to send requests to. */
export interface Target {
  readonly url: string
  /** How often its connection to the database was cut. */
  storeCuts(): number
}

/** Sends the same payment until there is a reply or a violation, or the payer's patience ends. */
export async function payUntilServed(
  purchase: Purchase,
  targets: readonly [Target, ...Target[]],
  behavior: PayerBehavior,
  random: Random,
): Promise<void> {
  const { order } = purchase
  const deadline = performance.now() + behavior.patienceMs
  while (purchase.reply === undefined && purchase.violations.length === 0 && performance.now() < deadline) {
    const chosen = random.chance(behavior.doubleShare) ? targets : [random.pick(targets)]
    const outcomes = chosen.map(async (target) => {
      const patienceMs = random.chance(behavior.dropShare) ? random.below(250) : behavior.attemptMs
      purchase.requests += 1
      const cutsBefore = target.storeCuts()
      const envelope = random.pick(order.envelopes)
      const outcome = await send(target.url, order, envelope, AbortSignal.timeout(patienceMs))
      const isCut = outcome.kind === 'retry later' && target.storeCuts() > cutsBefore
      return isCut ? ({ kind: 'cut off' } as const) : outcome
    })
    for (const outcome of await Promise.all(outcomes)) record(purchase, outcome)
    if (purchase.reply === undefined) await pause(20 + random.below(200))
  }
}

/** Records an outcome. Two replies to one order must be equal. */
export function record(purchase: Purchase, outcome: SendOutcome): void {
  switch (outcome.kind) {
    case 'reply':
      if (purchase.reply && purchase.reply.text !== outcome.text) {
        purchase.violations.push(`two different replies: ${purchase.reply.text} and ${outcome.text}`)
      }
      purchase.reply = outcome
      return
    case 'cut off':
      purchase.cuts += 1
      return
    case 'wrong':
      purchase.violations.push(outcome.what)
      return
    case 'retry later':
    case 'not listening':
  }
}
