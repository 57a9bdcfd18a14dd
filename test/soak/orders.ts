import { setTimeout as pause } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { decode, type SignedPayment, signPayment } from '../support/chain/wallet.ts'
import { type Envelope, envelopesOf, type Looks } from './envelopes.ts'
import type { Random } from './random.ts'
import { companyOf } from './runs.ts'

/** What one payer wants, and the one payment made for it. */
export interface Order {
  readonly company: string
  readonly payment: SignedPayment
  readonly envelopes: readonly [Envelope, ...Envelope[]]
}

/** What `POST /api/leads/research` costs, in atomic units. */
export const price = 250_000n

export async function createOrder(name: string, wallet: LocalAccount, looks: Looks): Promise<Order> {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 86_400)
  const payment = await signPayment(wallet, price, { validBefore })
  return { company: companyOf(name), payment, envelopes: envelopesOf(payment, looks) }
}

export type Answer =
  | { readonly kind: 'reply'; readonly text: string; readonly transaction: string | undefined }
  /** Not now; the same payment may be sent again. */
  | { readonly kind: 'later'; readonly status: number }
  /** A connection ended first, the payer's or the store's; the gateway may have begun. */
  | { readonly kind: 'cut off' }
  /** Nobody listened. */
  | { readonly kind: 'nobody' }
  /** What a payer who keeps to the rules must never be told. */
  | { readonly kind: 'wrong'; readonly what: string }

const receiptSchema = z.object({ success: z.literal(true), transaction: z.string() })
const connectionError = z.object({ cause: z.object({ code: z.string() }) })

/** Sends an order's request with its payment. @param patience after which the caller is gone. */
export async function send(
  url: string,
  order: Order,
  envelope: Envelope,
  patience: AbortSignal,
): Promise<Answer> {
  try {
    const response = await fetch(`${url}/api/leads/research`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [envelope.name]: envelope.value },
      body: JSON.stringify({ companyName: order.company }),
      signal: patience,
    })
    return judge(response, await response.text(), order)
  } catch (error) {
    const { data } = connectionError.safeParse(error)
    return { kind: data?.cause.code === 'ECONNREFUSED' ? 'nobody' : 'cut off' }
  }
}

function judge({ status, headers }: Response, text: string, { company }: Order): Answer {
  const wrong = (why: string): Answer => {
    const words = [...text.matchAll(/"(?:code|reason)":"(\w+)"/g)].map(([, word]) => word)
    return { kind: 'wrong', what: `${status} ${why}: ${words.join(' ') || text.slice(0, 200)}` }
  }
  if (status === 200) {
    if (!text.includes(company)) return wrong('with somebody else’s reply')
    const receipt = receiptSchema.safeParse(decode(headers.get('payment-response') ?? 'bnVsbA=='))
    if (!receipt.success) return wrong('without a receipt')
    return { kind: 'reply', text, transaction: receipt.data.transaction }
  }
  if (headers.has('payment-required') || headers.has('x-payment')) return wrong('asks for a second payment')
  return status === 409 || status === 503 ? { kind: 'later', status } : wrong('answers a good payment')
}

/** How a payer behaves. */
export interface Manners {
  /** Share of the requests whose connection the payer drops. */
  readonly dropShare: number
  /** Share of the requests that the payer sends to two gateways at once. */
  readonly doubleShare: number
  /** After which a request is given up, and sent again. */
  readonly attemptMs: number
  /** After which the payer stops asking. */
  readonly patienceMs: number
}

/** An order, and what its payer has met so far. */
export interface Purchase {
  readonly order: Order
  reply: (Answer & { kind: 'reply' }) | undefined
  requests: number
  /** Requests that were cut off from their payer or from the store. Only these may have begun a run that served nobody. */
  cuts: number
  readonly wrong: string[]
}

export const startPurchase = (order: Order): Purchase => ({
  order,
  reply: undefined,
  requests: 0,
  cuts: 0,
  wrong: [],
})

/** A gateway to send to. */
export interface Seller {
  readonly url: string
  /** How often its line to the store was cut. */
  storeCuts(): number
}

/** Sends the same payment again and again until there is a reply, or patience ends. */
export async function pursue(
  purchase: Purchase,
  sellers: readonly [Seller, ...Seller[]],
  manners: Manners,
  random: Random,
): Promise<void> {
  const { order } = purchase
  const deadline = performance.now() + manners.patienceMs
  while (purchase.reply === undefined && purchase.wrong.length === 0 && performance.now() < deadline) {
    const chosen = random.chance(manners.doubleShare) ? sellers : [random.pick(sellers)]
    const answers = chosen.map(async (seller) => {
      const patienceMs = random.chance(manners.dropShare) ? random.below(250) : manners.attemptMs
      purchase.requests += 1
      const cutsBefore = seller.storeCuts()
      const envelope = random.pick(order.envelopes)
      const answer = await send(seller.url, order, envelope, AbortSignal.timeout(patienceMs))
      const isCut = answer.kind === 'later' && seller.storeCuts() > cutsBefore
      return isCut ? ({ kind: 'cut off' } as const) : answer
    })
    for (const answer of await Promise.all(answers)) note(purchase, answer)
    if (purchase.reply === undefined) await pause(20 + random.below(200))
  }
}

/** Adds an answer to what the payer knows; of two replies each has to be the other. */
export function note(purchase: Purchase, answer: Answer): void {
  switch (answer.kind) {
    case 'reply':
      if (purchase.reply && purchase.reply.text !== answer.text) {
        purchase.wrong.push(`two different replies: ${purchase.reply.text} and ${answer.text}`)
      }
      purchase.reply = answer
      return
    case 'cut off':
      purchase.cuts += 1
      return
    case 'wrong':
      purchase.wrong.push(answer.what)
      return
    case 'later':
    case 'nobody':
  }
}
