import { type Clock, unixNow } from '../../../core/clock.ts'
import type { GatewayError } from '../../../core/errors.ts'
import { type Facilitator, PaymentsUnavailable, type Verdict } from '../wire/facilitator.ts'
import { matchPayment } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import { unavailable } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'

/** A payment that was verified before the body of its call was read. */
export interface Verified {
  readonly verdict: Verdict & { readonly isValid: true }
  /** In milliseconds of the door's clock. */
  readonly atMs: number
}

/** One block of Base: an older verdict would let a slow upload stretch the time between this check and the claim. */
const maxVerdictAgeMs = 2_000

/** A payment that was checked, or could not be. */
export type Check =
  | Verdict
  | { readonly isValid: false; readonly refusal: undefined; readonly error: GatewayError }

/** @param verified an earlier verdict on the same payment: if it is still fresh, the facilitator is not asked again. */
export type CheckPayment = (purchase: Purchase, verified?: Verified) => Promise<Check>

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
export function createCheck(options: CheckOptions): CheckPayment {
  const { facilitator, offer, clock, settlementTimeoutMs } = options
  return async ({ operation, payment, requirement }, verified) => {
    const neededSeconds = operation.deadlineSeconds + Math.ceil(settlementTimeoutMs / 1000)
    const mismatch = matchPayment(payment, requirement, offer.network, unixNow(clock), neededSeconds)
    if (mismatch) return { isValid: false, refusal: mismatch }
    const reason = options.whyNotReady()
    if (reason) return unchecked(new PaymentsUnavailable(reason))
    if (verified && clock.now() - verified.atMs <= maxVerdictAgeMs) return verified.verdict
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
