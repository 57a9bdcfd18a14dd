import { type Clock, unixNow } from '../../../core/clock.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import {
  type Facilitator,
  type Funds,
  PaymentsUnavailable,
  payments,
  type Verdict,
} from '../wire/facilitator.ts'
import { matchPayment } from '../wire/match.ts'
import type { Offer } from '../wire/requirements.ts'
import type { Refusal } from '../wire/types.ts'
import { unavailable } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'
import type { RefusalGuard } from './refusal-guard.ts'
import { type KeptRefusals, paymentKey } from './repeats/kept-refusals.ts'
import type { RunVerification } from './verification-slots.ts'

/** Whether a payment would go through now. */
export type Check =
  | { readonly kind: 'valid'; readonly funds: Funds }
  /** @property funds what the payer holds, when that is the reason. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly funds?: Funds | undefined }
  /** The payment cannot be checked now. */
  | { readonly kind: 'unchecked'; readonly error: GatewayError }

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

interface CheckOptions extends CompareOptions {
  readonly facilitator: Pick<Facilitator, 'verify'>
  /** Bounds how many payments are verified at once. */
  readonly runVerification: RunVerification
  readonly refusals: KeptRefusals
  /** The limit on refused payments, for those that wait to be verified. */
  readonly guard: Pick<RefusalGuard, 'require' | 'noteRefused'>
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  readonly log: Log
}

interface CompareOptions {
  readonly offer: Offer
  readonly clock: Clock
  /** Longest time that a settlement may take. */
  readonly settlementTimeoutMs: number
}

export type ComparePayment = (
  purchase: Pick<Purchase, 'operation' | 'payment' | 'requirement'>,
) => Refusal | undefined

/** @returns compares a payment with what its call asks for, without asking the chain. */
export function createCompare({ offer, clock, settlementTimeoutMs }: CompareOptions): ComparePayment {
  return ({ operation, payment, requirement }) => {
    const neededSeconds = operation.deadlineSeconds + Math.ceil(settlementTimeoutMs / 1000)
    return matchPayment(payment, requirement, offer.network, unixNow(clock), neededSeconds)
  }
}

/**
 * @returns checks a payment: first what was signed, which costs nothing, then on the chain, unless the same
 *   payment was refused just before.
 */
export function createCheck(options: CheckOptions): CheckPayment {
  const { facilitator, clock, refusals, guard, runVerification, log } = options
  const compare = createCompare(options)
  const looks = new Map<string, Promise<Verdict>>()

  async function verify(purchase: Purchase): Promise<Verdict> {
    const { payment } = purchase
    const kept = refusals.find(payment)
    if (kept) return { isValid: false, refusal: kept }
    // Copies that arrive at the same time share a look at the chain.
    const key = paymentKey(payment)
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
    const mismatch = compare(purchase)
    if (mismatch) return { kind: 'refused', refusal: mismatch }
    const reason = options.whyNotReady()
    if (reason) return unchecked(new PaymentsUnavailable(reason))
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

export function unchecked(cause: PaymentsUnavailable): Check & { kind: 'unchecked' } {
  return { kind: 'unchecked', error: unavailable(cause) }
}
