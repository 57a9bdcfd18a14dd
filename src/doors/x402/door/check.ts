import type { Clock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import {
  type Facilitator,
  type Funds,
  PaymentsUnavailable,
  payments,
  type Verdict,
} from '../wire/facilitator.ts'
import { type Declined, type FirstLook, unchecked } from './first-look.ts'
import type { Purchase } from './purchase.ts'
import type { RefusalGuard } from './refusal-guard.ts'
import { type KeptRefusals, paymentKey } from './repeats/kept-refusals.ts'
import type { RunVerification } from './verification-slots.ts'

/** Whether a payment would go through now. */
type Check = { readonly kind: 'valid'; readonly funds: Funds } | Declined

/** A payment that was verified before the body of its call was read. */
export interface Verified {
  readonly funds: Funds
  /** When it was verified, in milliseconds of the door's clock. */
  readonly atMs: number
}

/** Two seconds, one block of Base: the balance must not be older than that when the payment is claimed. */
const maxVerdictAgeMs = 2_000

/**
 * @param verified an earlier verdict on the same payment: if it is still fresh, the facilitator is not asked
 *   again.
 */
export type CheckPayment = (purchase: Purchase, verified?: Verified) => Promise<Check>

interface CheckOptions {
  readonly firstLook: FirstLook
  readonly facilitator: Pick<Facilitator, 'verify'>
  /** Bounds how many payments are verified at once. */
  readonly runVerification: RunVerification
  readonly refusals: Pick<KeptRefusals, 'note'>
  /** The limit on refused payments, for those that wait to be verified. */
  readonly guard: Pick<RefusalGuard, 'require' | 'noteRefused'>
  readonly clock: Clock
  readonly log: Log
}

/** @returns checks a payment: first what costs nothing, then on the chain. */
export function createCheck(options: CheckOptions): CheckPayment {
  const { firstLook, facilitator, clock, refusals, guard, runVerification, log } = options
  const looks = new Map<string, Promise<Verdict>>()

  /** Copies that arrive at the same time share a look at the chain. */
  function verify(purchase: Purchase): Promise<Verdict> {
    const key = paymentKey(purchase.payment)
    const shared = looks.get(key)
    if (shared) return shared
    const look = ask(purchase).finally(() => looks.delete(key))
    looks.set(key, look)
    return look
  }

  async function ask(purchase: Purchase): Promise<Verdict> {
    const { payment, requirement } = purchase
    const askedAt = clock.now()
    return runVerification(purchase, async (hasWaited) => {
      // Meanwhile others of its address may have been refused, as many as may be.
      if (hasWaited) await guard.require(purchase)
      const verdict = await facilitator.verify(payment, requirement)
      if (!verdict.isValid) {
        refusals.note(payment, verdict.refusal, askedAt)
        guard.noteRefused(purchase)
      }
      return verdict
    })
  }

  return async (purchase, verified) => {
    const declined = firstLook(purchase)
    if (declined) return declined
    if (verified && clock.now() - verified.atMs <= maxVerdictAgeMs) {
      return { kind: 'valid', funds: verified.funds }
    }
    try {
      const verdict = await verify(purchase)
      return verdict.isValid
        ? { kind: 'valid', funds: verdict.funds }
        : { kind: 'refused', refusal: verdict.refusal, funds: verdict.funds }
    } catch (cause) {
      if (!(cause instanceof PaymentsUnavailable)) throw cause
      log.outages.failed(payments, cause)
      return unchecked(cause)
    }
  }
}
