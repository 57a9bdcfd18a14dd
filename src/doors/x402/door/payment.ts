import { setTimeout as pause } from 'node:timers/promises'
import type { DoorOutcome } from '../../../core/admission.ts'
import type { Reply } from '../../../core/reply.ts'
import { createSlotsByKey } from '../../../core/slots-by-key.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type ClaimResult, claim } from '../../ledger/claim.ts'
import { findPayment, findPurchase } from '../../ledger/find-payment.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Funds } from '../wire/facilitator.ts'
import type { Refusal } from '../wire/types.ts'
import type { Admissions } from './admissions.ts'
import type { Check, CheckPayment, Verified } from './check.ts'
import { inProgress, tooManyInFlight, unavailable } from './payment-errors.ts'
import { createPurchase, handlerLeaseMs, type PaidCall, type Purchase, settleLeaseMs } from './purchase.ts'
import type { Recipients } from './recipients.ts'
import type { Replays } from './replay.ts'

/**
 * The payment door. The order matters: compare what was signed with what we ask, which costs nothing; verify
 * on the chain; claim, in one statement that decides between copies; only then may the handler run. A payment
 * that is refused or claimed already is looked up in the books, so that a payer who lost a reply gets it
 * again without a second charge.
 */
export interface PaymentDoor {
  /**
   * Verifies the payment and claims it for this call.
   * @param verified what `verifyEarly` returned for the same call.
   * @returns an admission to run the handler under, or a reply instead of it: a 402 for a payment that does
   *   not fit, the stored reply for one that was served before.
   * @throws GatewayError PAYMENTS_UNAVAILABLE, PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN,
   *   IDEMPOTENCY_KEY_REUSED, TOO_MANY_PAYMENTS.
   */
  open(call: PaidCall, verified?: Verified): Promise<DoorOutcome>
  /**
   * Verifies the payment of a call whose large body is not read yet, and claims nothing. Without this,
   * callers could fill our memory with bodies beside worthless payments.
   * @throws GatewayError PAYMENTS_UNAVAILABLE.
   */
  verifyEarly(call: Omit<PaidCall, 'body'>): Promise<EarlyOutcome>
  /**
   * Resolves when no sent reply is being delivered or waits for its settlement. A gateway waits for it before
   * it closes.
   */
  idle(): Promise<void>
}

export type EarlyOutcome =
  | { readonly kind: 'verified'; readonly verified: Verified }
  /** The payment would not go through, but it is in the books: `open` may have a stored reply for it. */
  | { readonly kind: 'recorded' }
  /** The 402 for a payment that would not go through. */
  | { readonly kind: 'answered'; readonly reply: Reply }

/** The limits for one payer, by the settings. */
export interface Exposure {
  /** The maximum number of open payments. */
  readonly maxInFlight: number
  /** After so many failed settlements or abandoned runs within a day, the money moves before the work. */
  readonly settleFirstAfter: number
}

interface PaymentDoorOptions {
  readonly books: Books
  readonly check: CheckPayment
  readonly admissions: Admissions
  readonly replays: Replays
  readonly challenges: Challenges
  readonly recipients: Pick<Recipients, 'offerFor'>
  readonly exposure: Exposure
  /** Longest time that a settlement may take. */
  readonly settlementTimeoutMs: number
  /** How long a payment waits until the payer's other payments have left the balance. */
  readonly patienceMs: number
}

/** How many waiting calls of one payer look at the chain at a time. */
const maxLooking = 4
/** Between two looks of a call. */
const firstPauseMs = 50
const longestPauseMs = 1_000

export function createPaymentDoor(options: PaymentDoorOptions): PaymentDoor {
  return new ClaimingDoor(options)
}

class ClaimingDoor implements PaymentDoor {
  readonly #options: PaymentDoorOptions
  readonly #waiting = createSlotsByKey(maxLooking)

  constructor(options: PaymentDoorOptions) {
    this.#options = options
  }

  async open(call: PaidCall, early?: Verified): Promise<DoorOutcome> {
    const { recipients, patienceMs } = this.#options
    const purchase = createPurchase(call, await recipients.offerFor(call.payment))
    const deadline = performance.now() + patienceMs
    return (await this.#tryToOpen(purchase, deadline, early)) ?? this.#awaitBalance(purchase, deadline)
  }

  /**
   * Calls of a payer whose other payments are being settled wait here. Few of them look again at a time:
   * if all did, their looks at the chain would hold up the very settlements that they wait for.
   */
  async #awaitBalance(purchase: Purchase, deadline: number): Promise<DoorOutcome> {
    const lookedAt = performance.now()
    const patience = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - lookedAt)))
    try {
      return await this.#waiting.run(purchase.wanted.payer, patience, async () => {
        let waitMs = Math.max(0, lookedAt + firstPauseMs - performance.now())
        for (let nextMs = firstPauseMs; ; nextMs = Math.min(nextMs * 2, longestPauseMs)) {
          await pause(waitMs)
          const outcome = await this.#tryToOpen(purchase, deadline)
          if (outcome) return outcome
          patience.throwIfAborted()
          waitMs = nextMs
        }
      })
    } catch (error) {
      if (error !== patience.reason) throw error
      return this.#refuse(purchase, overdrawn)
    }
  }

  /**
   * @param early what `verifyEarly` returned for the same call.
   * @returns undefined when the payer's other payments may still leave the balance that this one needs.
   */
  async #tryToOpen(purchase: Purchase, deadline: number, early?: Verified): Promise<DoorOutcome | undefined> {
    const { check, admissions, replays, exposure } = this.#options
    let verified = early
    for (;;) {
      const checked = await check(purchase, verified)
      verified = undefined
      if (checked.kind !== 'valid') return this.#answerInvalid(purchase, checked)

      const claimed = await this.#claim(purchase, checked.funds)
      switch (claimed.kind) {
        case 'claimed':
          return admissions.open(purchase, claimed)
        case 'taken':
        case 'bought': {
          const id = claimed.kind === 'bought' ? claimed.id : purchase.wanted.id
          // The chain showed the nonce unused a moment ago.
          const outcome = await replays.answer(purchase, id, 'unused')
          if (outcome) return outcome
          // The other payment became free meanwhile, so this one may be claimed after all.
          if (performance.now() > deadline) throw inProgress(id)
          break
        }
        case 'busy':
          throw tooManyInFlight(exposure.maxInFlight)
        case 'overdrawn':
          return this.#refuse(purchase, overdrawn)
        case 'distrusted':
          return this.#refuse(purchase, mustPayFirst)
        case 'moving':
          return undefined
      }
    }
  }

  async verifyEarly(call: Omit<PaidCall, 'body'>): Promise<EarlyOutcome> {
    const { check, recipients, books } = this.#options
    const offer = await recipients.offerFor(call.payment)
    const purchase = createPurchase({ ...call, body: new Uint8Array() }, offer)
    const checked = await check(purchase)
    if (checked.kind === 'valid') {
      return { kind: 'verified', verified: { funds: checked.funds, atMs: books.clock.now() } }
    }
    if (await this.#isRecorded(purchase)) return { kind: 'recorded' }
    if (checked.kind === 'unchecked') throw checked.error
    return this.#refuse(purchase, checked.refusal)
  }

  idle(): Promise<void> {
    return this.#options.admissions.idle()
  }

  /** A payment that would not go through now may have been served before. */
  async #answerInvalid(purchase: Purchase, checked: Exclude<Check, { kind: 'valid' }>): Promise<DoorOutcome> {
    const refusal = checked.kind === 'refused' ? checked.refusal : undefined
    const recorded = await this.#options.replays.answerInvalid(purchase, refusal)
    if (recorded) return recorded
    if (checked.kind === 'unchecked') throw checked.error
    return this.#refuse(purchase, checked.refusal)
  }

  async #claim({ wanted, operation }: Purchase, { balance, block }: Funds): Promise<ClaimResult> {
    const { books, exposure, settlementTimeoutMs } = this.#options
    try {
      return await claim(books, wanted, {
        ...exposure,
        balance,
        balanceBlock: block,
        handlerLeaseMs: handlerLeaseMs(operation),
        settleLeaseMs: settleLeaseMs(settlementTimeoutMs),
      })
    } catch (cause) {
      // Without a recorded claim the call must not run: the same payment could run twice.
      throw unavailable(cause)
    }
  }

  async #isRecorded({ wanted }: Purchase): Promise<boolean> {
    const { books } = this.#options
    const { id, idempotencyKey: key } = wanted
    try {
      if (await findPayment(books, id)) return true
      return key !== null && (await findPurchase(books, wanted, key)) !== undefined
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  #refuse(purchase: Purchase, refusal: Refusal) {
    const reply = this.#options.challenges.refused(purchase, purchase.operation, refusal)
    return { kind: 'answered', reply } as const
  }
}

const overdrawn: Refusal = {
  reason: 'insufficient_funds',
  message: 'the payer’s other open payments need the balance of the wallet',
}

const mustPayFirst: Refusal = {
  reason: 'unsupported_scheme',
  offered: 'exact',
  message:
    'the scheme must be exact: calls of this payer went unpaid within the last day, so the money has to move before the work',
}
