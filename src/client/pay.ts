import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { formatUsdc, parseUsdc } from '../core/money.ts'

/**
 * A small paying client, so that a person can try a paid endpoint by hand and see what an agent does:
 * meet the 402, sign one of its requirements, repeat the request.
 */
export interface PaidRequest {
  readonly url: string
  readonly method: string
  /** JSON text; undefined for none. */
  readonly body: string | undefined
  /** Name of the purchase: under the same one a lost answer is given again, also to another payment. */
  readonly idempotencyKey?: string | undefined
}

export interface Quote {
  readonly required: PaymentRequired
  /** The requirement a wallet of ours can sign: scheme `exact` on an EVM network. */
  readonly requirement: PaymentRequirements
  /** Decimal USDC. */
  readonly price: string
  /** 402, or 429 where a free quota is used up and a payment opens the call as well. */
  readonly status: number
}

export interface Answer {
  readonly status: number
  readonly body: string
  readonly textEngine: string | null
  /** What the reply says was settled; undefined when it bears no receipt. */
  readonly receipt: SettleResponse | undefined
}

/** The call could not be made or paid; the message says why and holds no secret. */
export class PayError extends Error {
  override readonly name = 'PayError'
}

/** Longer than any operation may take, so that it is the server that gives up and says what became of the payment. */
const deadlineMs = 180_000

/**
 * Sends the request without payment.
 * @returns its price, or the answer when it was given without one.
 */
export async function askPrice(request: PaidRequest): Promise<Quote | Answer> {
  return priceOrAnswer(await send(request, {}))
}

/**
 * Asks for the price and for nothing else: the payment in the request is empty, so that a free quota is neither
 * used up nor in the way.
 */
export async function askPriceAlone(request: PaidRequest): Promise<Quote | Answer> {
  return priceOrAnswer(await send(request, { 'payment-signature': emptyPayment }))
}

/** Base64 of `{}`. */
const emptyPayment = 'e30='

function priceOrAnswer({ answer, headers }: { answer: Answer; headers: Headers }): Quote | Answer {
  const isPriced = answer.status === 402 || (answer.status === 429 && headers.has('payment-required'))
  return isPriced ? quoteOf(headers.get('payment-required'), answer.status) : answer
}

export function isQuote(priced: Quote | Answer): priced is Quote {
  return 'requirement' in priced
}

/**
 * Signs a payment without sending it. Only the requirement that was quoted can be signed.
 * @returns the value of a payment header.
 * @throws PayError when the price is above `maxUsdc` or not in USDC; nothing is signed then.
 */
export async function sign(
  { required, requirement, price }: Quote,
  account: LocalAccount,
  maxUsdc: string,
): Promise<string> {
  if (parseUsdc(price) > parseUsdc(maxUsdc)) {
    throw new PayError(
      `The call costs ${price} USDC, more than the ${maxUsdc} allowed (--max). Nothing was signed.`,
    )
  }
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    // Besides the limit, this is what refuses tokens that are not known to be worth a dollar.
    .setSpendControls({ maxAmountPerPayment: `$${maxUsdc}` })
  try {
    const payload = await client.createPaymentPayload({ ...required, accepts: [requirement] })
    const [header] = Object.values(new x402HTTPClient(client).encodePaymentSignatureHeader(payload))
    if (header) return header
  } catch (cause) {
    throw new PayError(`The wallet refused to sign: ${reasonOf(cause)}`, { cause })
  }
  throw new PayError('The wallet made no payment.')
}

/** Sends the request with a payment that was signed for it. */
export async function pay(request: PaidRequest, payment: string): Promise<Answer> {
  return (await send(request, { 'payment-signature': payment })).answer
}

function quoteOf(header: string | null, status: number): Quote {
  if (!header) throw new PayError('The server asks for a payment, but not in a form of x402 v2.')
  let required: PaymentRequired
  try {
    required = decodePaymentRequiredHeader(header)
    PaymentRequiredV2Schema.parse(required)
  } catch (cause) {
    throw new PayError('The server asks for a payment in a form that cannot be read.', { cause })
  }
  const requirement = required.accepts.find(
    ({ scheme, network, amount }) =>
      scheme === 'exact' && network.startsWith('eip155:') && /^\d+$/.test(amount),
  )
  if (!requirement) throw new PayError('The server offers no payment of scheme exact on an EVM network.')
  return { required, requirement, price: formatUsdc(BigInt(requirement.amount)), status }
}

async function send(
  request: PaidRequest,
  payment: Readonly<Record<string, string>>,
): Promise<{ answer: Answer; headers: Headers }> {
  const prepared = prepare(request, payment)
  try {
    const response = await fetch(prepared)
    const { status, headers } = response
    const receipt = receiptOf(headers.get('payment-response'))
    const answer = { status, body: await response.text(), textEngine: headers.get('x-text-engine'), receipt }
    return { answer, headers }
  } catch (cause) {
    throw new PayError(
      `${request.url} does not answer: ${reasonOf(cause)}. Does the gateway run, and is the address right?`,
      { cause },
    )
  }
}

function prepare(
  { url, method, body, idempotencyKey }: PaidRequest,
  payment: Readonly<Record<string, string>>,
): Request {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const name = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  try {
    return new Request(url, {
      method,
      headers: { ...json, ...name, ...payment },
      body: body ?? null,
      signal: AbortSignal.timeout(deadlineMs),
    })
  } catch (cause) {
    throw new PayError(`This request cannot be sent: ${reasonOf(cause)}`, { cause })
  }
}

function receiptOf(header: string | null): SettleResponse | undefined {
  if (!header) return undefined
  try {
    return decodePaymentResponseHeader(header)
  } catch {
    // The answer was paid for and is worth showing, whatever stands in its receipt.
    return undefined
  }
}

/** fetch hides what happened in its cause; a name with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
