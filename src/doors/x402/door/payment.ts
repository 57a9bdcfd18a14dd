import { setTimeout as pause } from 'node:timers/promises'
import type { DoorOutcome } from '../../../core/admission.ts'
import type { Reply } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type ClaimResult, claim } from '../../ledger/claim.ts'
import { findPayment, findPurchase } from '../../ledger/find-payment.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Funds } from '../wire/facilitator.ts'
import type { Offer } from '../wire/requirements.ts'
import type { Refusal } from '../wire/types.ts'
import type { Admissions } from './admission.ts'
import type { CheckPayment, Verified } from './check.ts'
import { inProgress, tooManyInFlight, unavailable } from './payment-errors.ts'
import { createPurchase, handlerLeaseMs, type PaidCall, type Purchase, settleLeaseMs } from './purchase.ts'
import type { Replays } from './replay.ts'

/**
 * The payment door. The order is the point: match what was signed with what we ask, which costs
 * nothing; verify; claim, in the one statement that decides between copies; only then may the handler
 * run. What is refused or taken is looked up in the books, so that a lost reply is answered and not
 * charged, and whatever happens to a payment happens once.
 */
export interface PaymentDoor {
  /**
   * Verifies the payment and claims it for this call.
   * @param verified what `verifyEarly` returned for the same call.
   * @returns an admission to run the handler under, or the reply that answers the call without it: a
   *   402 for a payment that does not fit, the stored reply for one that was served before.
   * @throws GatewayError PAYMENTS_UNAVAILABLE, PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN,
   *   IDEMPOTENCY_KEY_REUSED, TOO_MANY_PAYMENTS.
   */
  open(call: PaidCall, verified?: Verified): Promise<DoorOutcome>
  /**
   * Verifies the payment of a call whose large body is not read yet, and claims nothing. Without this, callers could
   * fill our memory with bodies beside worthless payments.
   * @throws GatewayError PAYMENTS_UNAVAILABLE.
   */
  verifyEarly(call: Omit<PaidCall, 'body'>): Promise<EarlyOutcome>
  /** Resolves when no reply that was sent is on its way or waits for its settlement: what a gateway waits for before it closes. */
  idle(): Promise<void>
}

export type EarlyOutcome =
  | { readonly kind: 'verified'; readonly verified: Verified }
  /** The payment would not go through, but it is in the books: `open` may have a stored reply for it. */
  | { readonly kind: 'recorded' }
  /** The 402 for a payment that would not go through. */
  | { readonly kind: 'answered'; readonly reply: Reply }

/** How far a payer is trusted, by the settings. */
export interface Exposure {
  readonly maxInFlight: number
  readonly settleFirstAfter: number
}

interface PaymentDoorOptions {
  readonly books: Books
  /** Whether a payment would go through; what is known already is answered also while none can be taken. */
  readonly check: CheckPayment
  readonly admissions: Admissions
  readonly replays: Replays
  readonly challenges: Challenges
  readonly offer: Offer
  readonly exposure: Exposure
  /** Longest time a settlement may take. */
  readonly settlementTimeoutMs: number
  /** How long a payment waits for the payer's others to leave the balance. */
  readonly patienceMs: number
}

export function createPaymentDoor(options: PaymentDoorOptions): PaymentDoor {
  const { books, check, admissions, replays, challenges, offer, exposure, settlementTimeoutMs } = options

  async function open(call: PaidCall, early?: Verified): Promise<DoorOutcome> {
    const purchase = createPurchase(call, offer)
    const refused = (refusal: Refusal): DoorOutcome => ({
      kind: 'answered',
      reply: challenges.refused(call.endpoint, call.operation, refusal),
    })

    const patience = performance.now() + options.patienceMs
    let verified = early
    for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
      const verdict = await check(purchase, verified)
      verified = undefined
      if (!verdict.isValid) {
        const known = await replays.afterRefusal(purchase, verdict.refusal)
        if (known) return known
        if (!verdict.refusal) throw verdict.error
        return refused(verdict.refusal)
      }

      const claimed = await claimFor(purchase, verdict.funds)
      switch (claimed.kind) {
        case 'claimed':
          return admissions.open(purchase, claimed)
        case 'taken':
        case 'bought': {
          const id = claimed.kind === 'bought' ? claimed.id : purchase.wanted.id
          const answer = await replays.answer(purchase, id)
          if (answer) return answer
          // It became free meanwhile, so it may be claimed after all.
          if (performance.now() > patience) throw inProgress(id)
          break
        }
        case 'busy':
          throw tooManyInFlight(exposure.maxInFlight)
        case 'overdrawn':
          return refused(overdrawn)
        case 'distrusted':
          return refused(distrusted)
        case 'moving':
          if (performance.now() > patience) return refused(overdrawn)
          await pause(wait)
      }
    }
  }

  async function claimFor({ wanted, operation }: Purchase, funds: Funds): Promise<ClaimResult> {
    try {
      return await claim(books, wanted, {
        ...exposure,
        balance: funds.balance,
        balanceBlock: funds.block,
        handlerLeaseMs: handlerLeaseMs(operation),
        settleLeaseMs: settleLeaseMs(settlementTimeoutMs),
      })
    } catch (cause) {
      // A claim that cannot be written must not be served: the same payment could run twice.
      throw unavailable(cause)
    }
  }

  async function verifyEarly(call: Omit<PaidCall, 'body'>): Promise<EarlyOutcome> {
    const purchase = createPurchase({ ...call, body: new Uint8Array() }, offer)
    const verdict = await check(purchase)
    if (verdict.isValid) return { kind: 'verified', verified: { verdict, atMs: books.clock.now() } }
    if (await isKnown(purchase)) return { kind: 'recorded' }
    if (!verdict.refusal) throw verdict.error
    return { kind: 'answered', reply: challenges.refused(call.endpoint, call.operation, verdict.refusal) }
  }

  async function isKnown({ wanted: { id, payer, idempotencyKey: key } }: Purchase): Promise<boolean> {
    try {
      if (await findPayment(books, id)) return true
      return key !== null && (await findPurchase(books, payer, key)) !== undefined
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  return { open, verifyEarly, idle: admissions.idle }
}

const overdrawn: Refusal = {
  reason: 'insufficient_funds',
  message: 'the payer’s other payments under way need what the wallet holds',
}

const distrusted: Refusal = {
  reason: 'unsupported_scheme',
  offered: 'exact',
  message:
    'the scheme must be exact: payments of this payer came to nothing today, so the money has to move before the work',
}
