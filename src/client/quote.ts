import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { formatUsdc } from '../core/money.ts'
import { PayError } from './pay-error.ts'
import { type CallResult, type Outlet, type PaidRequest, type Sent, send } from './send.ts'

/** Asks for the price of a call and chooses which of the offered payment requirements to pay. */

/** `exact` moves the price; `upto` allows a maximum, and the server takes the cost of the call. */
export const schemes = ['exact', 'upto'] as const

export type Scheme = (typeof schemes)[number]

export interface Quote {
  readonly required: PaymentRequired
  /** The chosen payment requirements, on an EVM network. */
  readonly requirement: PaymentRequirements
  readonly scheme: Scheme
  /** Decimal USDC; for `upto` the maximum. */
  readonly price: string
  /** 402, or 429 when a free quota is used up and a payment opens the call as well. */
  readonly status: number
}

/** The reply to a request without a payment: its price, or the result when the call needs none. */
export type UnpaidReply =
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'result'; readonly result: CallResult }

/**
 * Sends the request without a payment.
 * @param scheme the scheme to pay by; undefined for the cheapest that is offered.
 */
export async function askPrice(request: PaidRequest, scheme?: Scheme, outlet?: Outlet): Promise<UnpaidReply> {
  return readUnpaidReply(await send(request, {}, outlet), scheme)
}

/**
 * Asks for the price without making the call: the request carries an empty payment, so that a free quota neither
 * serves it nor loses a unit.
 */
export async function askPriceOnly(request: PaidRequest, scheme?: Scheme): Promise<UnpaidReply> {
  return readUnpaidReply(await send(request, { 'payment-signature': emptyPayment }), scheme)
}

/** Base64 of `{}`. */
const emptyPayment = 'e30='

function readUnpaidReply({ result, headers }: Sent, scheme: Scheme | undefined): UnpaidReply {
  const required = headers.get('payment-required')
  const isPriced = result.status === 402 || (result.status === 429 && required !== null)
  if (!isPriced) return { kind: 'result', result }
  return { kind: 'quote', quote: readQuote(required, result.status, scheme) }
}

/**
 * Reads a price, and chooses how to pay it.
 * @param header base64 of x402's PaymentRequired.
 * @throws PayError when it cannot be read, or offers no payment of the scheme.
 */
export function readQuote(header: string | null, status: number, scheme: Scheme | undefined): Quote {
  if (!header) throw new PayError('The server asks for a payment, but not in the form of x402 v2.')
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
  // A payer never pays more by `upto` than by `exact`, unless the server asks for a higher maximum.
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
