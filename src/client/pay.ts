import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
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

/** `exact` moves the price; `upto` allows a maximum to be taken, and what the call came to is. */
export const schemes = ['exact', 'upto'] as const

export type Scheme = (typeof schemes)[number]

export interface Quote {
  readonly required: PaymentRequired
  /** The requirement a wallet of ours is to sign, on an EVM network. */
  readonly requirement: PaymentRequirements
  readonly scheme: Scheme
  /** Decimal USDC; with `upto` the most that may be taken. */
  readonly price: string
  /** 402, or 429 where a free quota is used up and a payment opens the call as well. */
  readonly status: number
}

export interface CallResult {
  readonly status: number
  /** Empty when it was given away piece by piece; in base64 when it is no text. */
  readonly body: string
  readonly isBase64: boolean
  readonly textEngine: string | null
  /** What the reply says was settled; undefined when it bears no receipt. */
  readonly receipt: SettleResponse | undefined
  /** Of a payment that is settled once the reply is delivered. */
  readonly paymentId: string | null
  readonly isStreamed: boolean
}

/** Gets an answer as it comes in: a stream of events as text, and what is no text as the bytes that it is. */
export interface Outlet {
  readonly text: (piece: string) => void
  /** Resolves when there is room for more. */
  readonly bytes: (piece: Uint8Array) => Promise<void>
}

/** The call could not be made or paid; the message says why and holds no secret. */
export class PayError extends Error {
  override readonly name = 'PayError'
}

/** For each wait; longer than operations take, so that it is the server that gives up and says what became of the payment. */
const deadlineMs = 180_000

/**
 * Sends the request without payment.
 * @param scheme the one to pay by; undefined for the cheapest that is offered.
 * @returns its price, or the answer when it was given without one.
 */
export async function askPrice(
  request: PaidRequest,
  scheme?: Scheme,
  outlet?: Outlet,
): Promise<Quote | CallResult> {
  return priceOrAnswer(await send(request, {}, outlet), scheme)
}

/**
 * Asks for the price and for nothing else: the payment in the request is empty, so that a free quota is neither
 * used up nor in the way.
 */
export async function askPriceAlone(request: PaidRequest, scheme?: Scheme): Promise<Quote | CallResult> {
  return priceOrAnswer(await send(request, { 'payment-signature': emptyPayment }), scheme)
}

/** Base64 of `{}`. */
const emptyPayment = 'e30='

function priceOrAnswer({ answer, headers }: Sent, scheme: Scheme | undefined): Quote | CallResult {
  const isPriced = answer.status === 402 || (answer.status === 429 && headers.has('payment-required'))
  return isPriced ? quoteOf(headers.get('payment-required'), answer.status, scheme) : answer
}

export function isQuote(priced: Quote | CallResult): priced is Quote {
  return 'requirement' in priced
}

/**
 * Signs a payment without sending it. Only the requirement that was quoted can be signed.
 * @param rpcUrl of the chain: with it, a wallet that has not allowed Permit2 to move its money sends a permit along
 *   where the server carries it out.
 * @returns the value of a payment header.
 * @throws PayError when the price is above `maxUsdc` or not in USDC; nothing is signed then.
 */
export async function sign(
  { required, requirement, price }: Quote,
  account: LocalAccount,
  maxUsdc: string,
  rpcUrl?: string,
): Promise<string> {
  if (parseUsdc(price) > parseUsdc(maxUsdc)) {
    throw new PayError(
      `The call costs ${price} USDC, more than the ${maxUsdc} allowed (--max). Nothing was signed.`,
    )
  }
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .register('eip155:*', new UptoEvmScheme(account, rpcUrl === undefined ? undefined : { rpcUrl }))
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
export async function pay(request: PaidRequest, payment: string, outlet?: Outlet): Promise<CallResult> {
  return (await send(request, { 'payment-signature': payment }, outlet)).answer
}

function quoteOf(header: string | null, status: number, scheme: Scheme | undefined): Quote {
  if (!header) throw new PayError('The server asks for a payment, but not in a form of x402 v2.')
  let required: PaymentRequired
  try {
    required = decodePaymentRequiredHeader(header)
    PaymentRequiredV2Schema.parse(required)
  } catch (cause) {
    throw new PayError('The server asks for a payment in a form that cannot be read.', { cause })
  }
  const offered = required.accepts.filter(
    ({ network, amount }) => network.startsWith('eip155:') && /^\d+$/.test(amount),
  )
  const [exact, upto] = schemes.map((one) => offered.find((requirement) => requirement.scheme === one))
  // By `upto` nobody pays more than by `exact`, unless the server asks for a higher maximum.
  const cheapest = upto && (!exact || BigInt(upto.amount) <= BigInt(exact.amount)) ? upto : exact
  const requirement = scheme === undefined ? cheapest : { exact, upto }[scheme]
  if (!requirement) {
    throw new PayError(
      `The server offers no payment of scheme ${scheme ?? 'exact or upto'} on an EVM network.`,
    )
  }
  const chosen = requirement === upto ? 'upto' : 'exact'
  return { required, requirement, scheme: chosen, price: formatUsdc(BigInt(requirement.amount)), status }
}

interface Sent {
  readonly answer: CallResult
  readonly headers: Headers
}

async function send(
  request: PaidRequest,
  payment: Readonly<Record<string, string>>,
  outlet?: Outlet,
): Promise<Sent> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new Error(`nothing came for ${deadlineMs / 1000} seconds`)),
    deadlineMs,
  )
  try {
    const prepared = prepare(request, payment, late.signal)
    const response = await fetch(prepared).catch((cause: unknown) => {
      const problem = `${request.url} does not answer: ${reasonOf(cause)}. Does the gateway run, and is the address right?`
      throw new PayError(problem, { cause })
    })
    const { status, headers } = response
    const kind = kindOf(headers)
    const outflow = response.ok && kind !== 'text' ? outlet : undefined
    const kept: Uint8Array[] = []
    const decoder = new TextDecoder()
    for await (const bytes of bytesOf(response, request.url)) {
      timer.refresh()
      if (!outflow) kept.push(bytes)
      else if (kind === 'bytes') await outflow.bytes(bytes)
      else outflow.text(decoder.decode(bytes, { stream: true }))
    }
    outflow?.text(decoder.decode())
    const isBase64 = kind === 'bytes'
    const whole = Buffer.concat(kept)
    const body = isBase64 ? whole.toString('base64') : decoder.decode(whole)
    const receipt = receiptOf(headers.get('payment-response'))
    const paymentId = headers.get('x-payment-id')
    const textEngine = headers.get('x-text-engine')
    const isStreamed = outflow !== undefined
    return { answer: { status, body, isBase64, textEngine, receipt, paymentId, isStreamed }, headers }
  } finally {
    clearTimeout(timer)
  }
}

function kindOf(headers: Headers): 'events' | 'text' | 'bytes' {
  const type = headers.get('content-type') ?? 'text/plain'
  if (/^text\/event-stream\b/i.test(type)) return 'events'
  return /^text\/|[/+-](?:json|jsonl|ndjson|xml|yaml|javascript|x-www-form-urlencoded)\b|charset=/i.test(type)
    ? 'text'
    : 'bytes'
}

async function* bytesOf({ body }: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch (cause) {
    throw new PayError(`${url} broke off its answer: ${reasonOf(cause)}.`, { cause })
  }
}

function prepare(
  { url, method, body, idempotencyKey }: PaidRequest,
  payment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Request {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const name = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  try {
    return new Request(url, {
      method,
      headers: { ...json, ...name, ...payment },
      body: body ?? null,
      signal,
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
