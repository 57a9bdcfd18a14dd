import type { DoorOutcome } from '../../../core/admission.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type ClaimResult, type CreditLimits, claim, type PayerLimits } from '../../ledger/claim.ts'
import type { Funds } from '../wire/facilitator.ts'
import type { Admissions } from './admissions/admissions.ts'
import type { Replays } from './answers/replay.ts'
import type { UnpaidAnswers } from './answers/unpaid-answers.ts'
import type { CheckPayment, Verified } from './check.ts'
import { inProgress, orUnavailable, tooManyInFlight } from './payment-errors.ts'
import { createPurchase, handlerLeaseMs, type PaidCall, type Purchase, settleLeaseMs } from './purchase.ts'
import type { PaymentRecipients } from './recipients.ts'
import type { FailedRuns } from './repeats/failed-runs.ts'
import type { KeptRefusals } from './repeats/kept-refusals.ts'
import { type BooksRefusal, refusalBy } from './turns/books-refusal.ts'
import { type Comer, type Entry, PayerTurns } from './turns/payer-turns.ts'
import type { ScreenPayment } from './turns/screen.ts'
import { FundsSeen } from './turns/seen-funds.ts'

/**
 * The payment door. The order matters: compare what was signed with what we ask, which costs nothing; ask the
 * books whether they have room, where other calls of the payer are here; verify on the chain; claim, in one
 * statement that decides between copies; only then may the handler run. A payment that is refused or claimed
 * already is looked up in the books, so that a payer who lost a reply gets it again without a second charge.
 */
export interface PaymentDoor {
  /**
   * Verifies the payment and claims it for this call.
   * @param verified what `verifyEarly` returned for the same call.
   * @returns an admission to run the handler under, or a reply instead of it: a 402 for a payment that does
   *   not fit, the stored reply for one that was served before.
   * @throws GatewayError PAYMENTS_UNAVAILABLE, PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN,
   *   IDEMPOTENCY_KEY_REUSED, TOO_MANY_PAYMENTS, TOO_MANY_FAILURES, CALLER_LEFT.
   */
  open(call: PaidCall, verified?: Verified): Promise<DoorOutcome>
  /**
   * Verifies the payment of a call whose large body is not read yet, and claims nothing. Without this,
   * callers could fill our memory with bodies beside worthless payments.
   * @throws GatewayError PAYMENTS_UNAVAILABLE, PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN.
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
  /**
   * The payment would not go through, but it is in the books and the caller has its signature: the body decides
   * whether `open` has a stored reply for it.
   */
  | { readonly kind: 'recorded' }
  /** The 402 for a payment that would not go through. */
  | (DoorOutcome & { readonly kind: 'answered' })

/** The limits for one payer, by the settings. */
export interface Exposure {
  /** The maximum number of open payments. */
  readonly maxInFlight: number
  /** After so many failed settlements or abandoned runs within a day, the money moves before the work. */
  readonly settleFirstAfter: number
  /** How much work payers get before their money has moved. */
  readonly credit: CreditLimits
}

interface PaymentDoorOptions {
  readonly books: Books
  readonly check: CheckPayment
  readonly screen: ScreenPayment
  readonly refusals: KeptRefusals
  readonly admissions: Admissions
  readonly replays: Replays
  readonly answers: UnpaidAnswers
  readonly recipients: PaymentRecipients
  readonly failedRuns: FailedRuns
  readonly exposure: Exposure
  /** Longest time that a settlement may take. */
  readonly settlementTimeoutMs: number
  /** How long a payment waits until the payer's other payments have left the balance. */
  readonly patienceMs: number
}

/** The payer's other payments need the balance (`moving`), or use up its credit (`waiting`). */
type Obstacle = 'moving' | 'waiting'

export function createPaymentDoor(options: PaymentDoorOptions): PaymentDoor {
  return new ClaimingDoor(options)
}

class ClaimingDoor implements PaymentDoor {
  readonly #options: PaymentDoorOptions
  readonly #funds: FundsSeen
  readonly #turns: PayerTurns

  constructor(options: PaymentDoorOptions) {
    const { books } = options
    this.#options = options
    this.#funds = new FundsSeen(books.clock)
    const limitsFor = (purchase: Purchase) => this.#limitsFor(purchase)
    this.#turns = new PayerTurns({ books, funds: this.#funds, limitsFor })
  }

  async open(call: PaidCall, early?: Verified): Promise<DoorOutcome> {
    const { books, screen, answers, failedRuns, recipients, patienceMs } = this.#options
    const arrivedAt = books.clock.now()
    const deadline = performance.now() + patienceMs
    const purchase = createPurchase(call, await recipients.offerFor(call.payment))
    const wait = failedRuns.refusal(purchase.wanted)
    if (wait) return answers.bought(purchase, wait)
    for (let looks = 0; ; looks += 1) {
      const screened = await screen(purchase)
      if (screened.kind === 'refused' || screened.kind === 'unchecked') {
        return answers.declined(purchase, screened)
      }
      const comer = { purchase, kind: screened.kind, arrivedAt, looks, deadline }
      const entry = await this.#turns.take(comer)
      if (entry.kind === 'refused') return this.#refuse(purchase, entry.room.kind)
      const verified = looks === 0 ? early : undefined
      const tried = await entry.turn.follow(this.#tryToOpen(comer, entry, verified))
      if (typeof tried !== 'string') return tried
      if (performance.now() > deadline) return this.#refuse(purchase, tried)
    }
  }

  /**
   * @param early what `verifyEarly` returned for the same call.
   * @returns what the payer's other payments keep from this one, when they may still leave it.
   */
  async #tryToOpen(
    comer: Comer,
    { turn, isChargedFirst }: Entry & { kind: 'turn' },
    early: Verified | undefined,
  ): Promise<DoorOutcome | Obstacle> {
    const { check, refusals, admissions, replays, answers, failedRuns, exposure } = this.#options
    const { purchase, deadline } = comer
    let verified = early
    for (;;) {
      const askedAt = this.#options.books.clock.now()
      const checked = await check(purchase, verified)
      verified = undefined
      if (checked.kind !== 'unchecked' && checked.funds) this.#funds.note(purchase.payment, checked.funds)
      if (checked.kind !== 'valid') {
        if (checked.kind === 'refused') this.#turns.noteRefused(comer)
        turn.leave()
        return answers.declined(purchase, checked)
      }

      const claimed = await this.#claim(purchase, checked.funds, isChargedFirst)
      turn.leave()
      if (claimed.kind === 'claimed') {
        refusals.forget(purchase.payment)
        const run = failedRuns.begin(purchase.wanted, claimed.isRunCounted)
        return run.follow(admissions.open(purchase, claimed, checked.funds.block))
      }
      switch (claimed.kind) {
        case 'failing':
          return answers.bought(purchase, failedRuns.letWait(purchase.wanted, claimed.waitMs))
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
        case 'moving':
        case 'waiting':
          this.#turns.hold(comer)
          return claimed.kind
        case 'overdrawn':
        case 'distrusted':
        case 'uncredited':
          this.#turns.hold(comer)
          return answers.unclaimed(purchase, refusalBy(claimed.kind, purchase, checked.funds), askedAt)
      }
    }
  }

  /** Refuses a payment as the books do, or answers a call that asks again for what it has bought. */
  async #refuse(purchase: Purchase, kind: BooksRefusal): Promise<DoorOutcome> {
    const { books, refusals, answers, exposure } = this.#options
    if (kind === 'busy' || kind === 'queued') throw tooManyInFlight(exposure.maxInFlight)
    const refusal = refusalBy(kind, purchase, this.#funds.of(purchase.payment))
    refusals.note(purchase.payment, refusal, books.clock.now())
    return answers.declined(purchase, { kind: 'refused', refusal })
  }

  async verifyEarly(call: Omit<PaidCall, 'body'>): Promise<EarlyOutcome> {
    const { check, recipients, books, answers } = this.#options
    const offer = await recipients.offerFor(call.payment)
    const purchase = createPurchase({ ...call, body: new Uint8Array() }, offer)
    const checked = await check(purchase)
    if (checked.kind === 'valid') {
      return { kind: 'verified', verified: { funds: checked.funds, atMs: books.clock.now() } }
    }
    return answers.declinedEarly(purchase, checked)
  }

  idle(): Promise<void> {
    return this.#options.admissions.idle()
  }

  #limitsFor({ operation }: Purchase): PayerLimits {
    return { ...this.#options.exposure, newPayerFirst: operation.newPayersFirst === true }
  }

  #claim(purchase: Purchase, { balance, block }: Funds, isChargedFirst: boolean): Promise<ClaimResult> {
    const { books, failedRuns, settlementTimeoutMs } = this.#options
    const { wanted, operation } = purchase
    const timing = isChargedFirst && wanted.scheme === 'exact' ? 'before' : wanted.timing
    const limits = {
      ...this.#limitsFor(purchase),
      balance,
      balanceBlock: block,
      maxFailedRuns: failedRuns.maxRuns,
      handlerLeaseMs: handlerLeaseMs(operation),
      settleLeaseMs: settleLeaseMs(settlementTimeoutMs),
    }
    // Without a recorded claim the call must not run: the same payment could run twice.
    return orUnavailable(() => claim(books, { ...wanted, timing }, limits))
  }
}
