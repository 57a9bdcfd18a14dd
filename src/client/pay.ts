import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { formatUsdc } from '../core/money.ts'

/**
 * A small paying client, so that a person can try a paid endpoint by hand and see what an agent does:
 * meet the 402, sign one of its requirements, repeat the request.
 */
export interface PaidRequest {
  readonly url: string
  readonly method: string
  /** JSON text; undefined for none. */
  readonly body: string | undefined
}

export interface Quote {
  readonly required: PaymentRequired
  /** The requirement a wallet of ours can sign: scheme `exact` on an EVM network. */
  readonly requirement: PaymentRequirements
  /** Decimal USDC. */
  readonly price: string
}

export interface Paid {
  readonly status: number
  readonly body: string
  readonly textEngine: string | null
  /** What the reply says was settled; undefined when it bears no receipt. */
  readonly receipt: SettleResponse | undefined
}

/** The caller cannot pay this, or would not; the message says why. Nothing was signed. */
export class PayError extends Error {
  override readonly name = 'PayError'
}

const deadlineMs = 120_000

/** Sends the request without payment. @returns its price, or undefined when it was answered without one. */
export async function askPrice(request: PaidRequest): Promise<Quote | Paid> {
  const response = await send(request)
  const body = await response.text()
  if (response.status !== 402) return { ...read(response, body), receipt: undefined }
  const header = response.headers.get('payment-required')
  if (!header) throw new PayError('The server asks for a payment, but not in a form of x402 v2.')
  const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse((name) =>
    response.headers.get(name),
  )
  const requirement = required.accepts.find(
    ({ scheme, network }) => scheme === 'exact' && network.startsWith('eip155:'),
  )
  if (!requirement) throw new PayError('The server offers no payment of scheme exact on an EVM network.')
  return { required, requirement, price: formatUsdc(BigInt(requirement.amount)) }
}

/**
 * Sends the request, pays what it costs up to `maxUsdc`, and reads the answer.
 * @throws PayError when the price is higher; nothing is signed then.
 */
export async function pay(request: PaidRequest, account: LocalAccount, maxUsdc: string): Promise<Paid> {
  const response = await wrapFetchWithPayment(fetch, walletClient(account, maxUsdc))(
    request.url,
    init(request),
  )
  const body = await response.text()
  const settled = response.headers.get('payment-response')
  const receipt = settled
    ? new x402HTTPClient(new x402Client()).getPaymentSettleResponse((name) => response.headers.get(name))
    : undefined
  return { ...read(response, body), receipt }
}

/** Signs a payment without sending it. @returns the value of a payment header. */
export async function sign(quote: Quote, account: LocalAccount, maxUsdc: string): Promise<string> {
  const http = new x402HTTPClient(walletClient(account, maxUsdc))
  const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(quote.required))
  const [value] = Object.values(headers)
  if (!value) throw new PayError('The wallet made no payment.')
  return value
}

function walletClient(account: LocalAccount, maxUsdc: string): x402Client {
  return new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .setSpendControls({ maxAmountPerPayment: `$${maxUsdc}` })
}

function send(request: PaidRequest): Promise<Response> {
  return fetch(request.url, init(request))
}

function init({ method, body }: PaidRequest): RequestInit {
  return {
    method,
    signal: AbortSignal.timeout(deadlineMs),
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  }
}

function read(response: Response, body: string): Omit<Paid, 'receipt'> {
  return { status: response.status, body, textEngine: response.headers.get('x-text-engine') }
}
