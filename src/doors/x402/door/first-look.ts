import { type Clock, unixNow } from '../../../core/clock.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { type Funds, PaymentsUnavailable } from '../wire/facilitator.ts'
import { matchPayment } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import type { Refusal } from '../wire/types.ts'
import { unavailable } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'
import type { KeptRefusals } from './repeats/kept-refusals.ts'

/** Why a payment would not go through now. */
export type Declined =
  /** @property funds what the payer holds, when that is the reason. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly funds?: Funds | undefined }
  /** The payment cannot be checked now. */
  | { readonly kind: 'unchecked'; readonly error: GatewayError }

/**
 * What costs nothing to ask of a payment: whether it fits the call, whether payments can be taken at all, and
 * whether it was refused just before. Every other look at a payment begins with it.
 */
export type FirstLook = (purchase: Purchase) => Declined | undefined

interface FirstLookOptions {
  readonly compare: ComparePayment
  readonly refusals: Pick<KeptRefusals, 'find'>
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
}

export function createFirstLook({ compare, refusals, whyNotReady }: FirstLookOptions): FirstLook {
  return (purchase) => {
    const mismatch = compare(purchase)
    if (mismatch) return { kind: 'refused', refusal: mismatch }
    const reason = whyNotReady()
    if (reason) return unchecked(new PaymentsUnavailable(reason))
    const kept = refusals.find(purchase.payment)
    return kept && { kind: 'refused', refusal: kept }
  }
}

export type ComparePayment = (
  purchase: Pick<Purchase, 'operation' | 'payment' | 'requirement'>,
) => Refusal | undefined

interface CompareOptions {
  readonly offer: Offer
  readonly clock: Clock
  /** Longest time that a settlement may take. */
  readonly settlementTimeoutMs: number
}

/** @returns compares a payment with what its call asks for, without asking the chain. */
export function createCompare({ offer, clock, settlementTimeoutMs }: CompareOptions): ComparePayment {
  return ({ operation, payment, requirement }) => {
    const neededSeconds = operation.deadlineSeconds + Math.ceil(settlementTimeoutMs / 1000)
    return matchPayment(payment, requirement, offer.network, unixNow(clock), neededSeconds)
  }
}

export function unchecked(cause: PaymentsUnavailable): Declined & { kind: 'unchecked' } {
  return { kind: 'unchecked', error: unavailable(cause) }
}
