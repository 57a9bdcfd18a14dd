import { type Clock, unixNow } from '../../../core/clock.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { type Facilitator, PaymentsUnavailable, type Verdict } from '../wire/facilitator.ts'
import { matchPayment } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import { unavailable } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'

/** A payment that was checked, or could not be. */
export type Check =
  | Verdict
  | { readonly isValid: false; readonly refusal: undefined; readonly error: GatewayError }

interface CheckOptions {
  readonly facilitator: Pick<Facilitator, 'verify'>
  readonly offer: Offer
  readonly clock: Clock
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  /** Longest time a settlement may take. */
  readonly settlementTimeoutMs: number
}

/** @returns what tells whether a payment would go through: first by what was signed, which costs nothing, then by the chain. */
export function createCheck(options: CheckOptions): (purchase: Purchase) => Promise<Check> {
  const { facilitator, offer, clock, settlementTimeoutMs } = options
  return async ({ operation, payment, requirement }) => {
    const neededSeconds = operation.deadlineSeconds + Math.ceil(settlementTimeoutMs / 1000)
    const mismatch = matchPayment(payment, requirement, offer.network, unixNow(clock), neededSeconds)
    if (mismatch) return { isValid: false, refusal: mismatch }
    const reason = options.whyNotReady()
    if (reason) return unchecked(new PaymentsUnavailable(reason))
    try {
      return await facilitator.verify(payment, requirement)
    } catch (cause) {
      if (cause instanceof PaymentsUnavailable) return unchecked(cause)
      throw cause
    }
  }
}

function unchecked(cause: PaymentsUnavailable): Check {
  return { isValid: false, refusal: undefined, error: unavailable(cause) }
}
