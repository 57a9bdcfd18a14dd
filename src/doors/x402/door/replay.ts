import { setTimeout as pause } from 'node:timers/promises'
import type { DoorOutcome } from '../../../core/admission.ts'
import { replayRuleOf } from '../../../core/catalog/replay-rule.ts'
import { formatUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import { findPayment, findPurchase } from '../../ledger/find-payment.ts'
import { release, takeUpPaid } from '../../ledger/payments.ts'
import { bindAdopted, isUnbound } from '../../ledger/reconciling/adopt.ts'
import { createReadPayerSignature, type ReadPayerSignature } from '../evidence/signature.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Receipts } from '../wire/receipt.ts'
import { type Refusal, unusedReasons } from '../wire/types.ts'
import type { Admissions } from './admissions/admissions.ts'
import { isOwedWithoutName, isPublic, type PayerProofs } from './payer-proofs.ts'
import {
  inProgress,
  keyReused,
  settlementUnknown,
  streamUnpaid,
  tooManyFailures,
  unavailable,
} from './payment-errors.ts'
import { handlerLeaseMs, type Purchase } from './purchase.ts'
import type { FailedRuns } from './repeats/failed-runs.ts'
import { isUsedNonce } from './repeats/kept-refusals.ts'
import { hasNoReply, payerUnproven, replayed } from './replayed.ts'
import { provesOwnership, signsTransfer, storedReply } from './stored-reply.ts'

/** What the books have for a payment that would not go through. */
export interface Recorded<Answer> {
  /** Undefined when it has bought nothing. */
  readonly answer: Answer | undefined
  /** Whether the payment itself is in the books. */
  readonly isRecorded: boolean
}

export const nothingRecorded = { answer: undefined, isRecorded: false } as const

type Answered = DoorOutcome & { readonly kind: 'answered' }
/** `recorded`: the body of the call decides. */
type EarlyAnswer = Answered | { readonly kind: 'recorded' }

interface FoundPayments {
  readonly own: PaymentRow | undefined
  readonly bought: PaymentRow | undefined
}

interface ReplayOptions {
  readonly books: Books
  readonly recovery: Recovery
  readonly admissions: Admissions
  readonly failedRuns: FailedRuns
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly network: Network
  readonly proofs: PayerProofs
  /** How long a copy of an open payment waits for the outcome. */
  readonly patienceMs: number
}

/** Whether the chain shows the authorization of a payment as carried out. */
type ShownNonce = 'unused' | 'used'

/**
 * Answers payments that are in the books already: a copy waits for the outcome of the first, a lost reply is
 * sent again, and a paid call that was never served is served now. Without it a payer whose connection broke
 * would have to pay twice for one run.
 */
export class Replays {
  readonly #options: ReplayOptions
  readonly #readPayerSignature: ReadPayerSignature

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#readPayerSignature = createReadPayerSignature(options.network)
  }

  /**
   * Answers a verified payment that could not be claimed.
   * @param id the payment in the books: this one, or the payer's other one with the same idempotency key.
   * @param nonce what the chain has just shown of the payment of this call; undefined when it was not asked.
   * @returns undefined when it can be claimed by now.
   * @throws GatewayError PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN, IDEMPOTENCY_KEY_REUSED.
   */
  async answer(purchase: Purchase, id: string, nonce?: ShownNonce): Promise<DoorOutcome | undefined> {
    const deadline = performance.now() + this.#options.patienceMs
    let isPayer: boolean | undefined
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const row = await this.#inBooks(() => findPayment(this.#options.books, id))
      if (!row) return undefined
      if (isUnbound(row)) {
        await this.#bind(row, purchase)
        continue
      }
      const isOtherRequest = row.requestHash !== purchase.wanted.requestHash
      const isOtherPayment = row.id !== purchase.wanted.id
      if (isOtherPayment && isCollected(row)) throw isOtherRequest ? keyReused(row) : streamUnpaid(row)
      // The signature of a failed payment is public on the chain, but its request is not: it stays bound to
      // that.
      if (row.state === 'failed' && isOtherRequest) throw replayed(row, 'other request')
      if (this.#isFree(row)) return undefined
      // Looked at once: a copy that came while the payment was a secret keeps its right while it waits.
      isPayer ??= (await this.#isSecretYet(row, purchase, nonce)) || (await this.#mayHaveReply(row, purchase))
      if (!isPayer && !isOwedWithoutName(row)) {
        throw payerUnproven(row, this.#options.proofs.challenge(row.id))
      }
      if (isOtherRequest) throw isOtherPayment ? keyReused(row) : replayed(row, 'other request')
      const outcome = await this.#answerFrom(row, purchase)
      if (outcome) return outcome
      if (performance.now() > deadline) {
        throw row.state === 'claimed' || row.state === 'paid' ? inProgress(id) : settlementUnknown(id)
      }
      await pause(waitMs)
    }
  }

  /**
   * Answers a payment that would not go through now, because it is too old, used, or cannot be checked. It
   * may still be in the books.
   * @param refusal why it would not go through; undefined when it could not be checked.
   * @throws GatewayError like `answer`.
   */
  async answerInvalid(purchase: Purchase, refusal: Refusal | undefined): Promise<Recorded<DoorOutcome>> {
    const found = await this.#find(purchase)
    return { answer: await this.#answerFound(purchase, found, refusal), isRecorded: found.own !== undefined }
  }

  async #answerFound(
    purchase: Purchase,
    { own, bought }: FoundPayments,
    refusal: Refusal | undefined,
  ): Promise<DoorOutcome | undefined> {
    const recorded = own ?? bought
    if (!recorded) return undefined
    if (!provesOwnership(purchase.payment, recorded, this.#readPayerSignature)) {
      return this.#answerUnproven(purchase, recorded, refusal)
    }
    if (own && (!this.#isFree(own) || (refusal && (await this.#hasArrived(own, refusal))))) {
      return this.answer(purchase, own.id, isUsedNonce(refusal?.reason) ? 'used' : undefined)
    }
    // This payment paid for nothing, but another payment may have bought under its key.
    return bought && !this.#isFree(bought) ? this.answer(purchase, bought.id) : undefined
  }

  /**
   * Answers a payment that would not go through, before the body of its call is read. Payer, nonce and
   * signature of a settled payment are public, so a body is read only for a caller who has the signature, and
   * only where it decides the answer.
   * @param refusal why it would not go through; undefined when it could not be checked.
   * @returns the answer `recorded` when the body decides.
   * @throws GatewayError PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN.
   */
  async answerEarly(purchase: Purchase, refusal: Refusal | undefined): Promise<Recorded<EarlyAnswer>> {
    const found = await this.#find(purchase)
    const answer = await this.#answerFoundEarly(purchase, found, refusal)
    return { answer, isRecorded: found.own !== undefined }
  }

  async #answerFoundEarly(
    purchase: Purchase,
    { own, bought }: FoundPayments,
    refusal: Refusal | undefined,
  ): Promise<EarlyAnswer | undefined> {
    const row = own ?? bought
    if (!row) return undefined
    if (!provesOwnership(purchase.payment, row, this.#readPayerSignature)) {
      return this.#answerUnproven(purchase, row, refusal)
    }
    if (bought && !this.#isFree(bought)) return { kind: 'recorded' }
    if (!own || isUnbound(own)) return { kind: 'recorded' }
    if (this.#isFree(own)) return mayHaveArrived(refusal) ? { kind: 'recorded' } : undefined
    if (isPublic(own) && !isOwedWithoutName(own) && !(await this.#mayHaveReply(own, purchase))) {
      throw payerUnproven(own, this.#options.proofs.challenge(own.id))
    }
    if (hasNoReply(own)) throw replayed(own, 'no reply')
    if (own.operation !== purchase.wanted.operation) throw replayed(own, 'other request')
    return { kind: 'recorded' }
  }

  /**
   * Whether only the payer can have made this call. Its own payment shows that while nobody else may know it; a
   * second payment for the same purchase does while the chain shows it unused and it was never handed out either.
   */
  async #isSecretYet(row: PaymentRow, { wanted }: Purchase, nonce: ShownNonce | undefined): Promise<boolean> {
    // Somebody carries the payment out beside us, and so knows it.
    if (nonce === 'used') return false
    if (row.id === wanted.id) return !isPublic(row)
    if (nonce === undefined) return false
    const own = await this.#inBooks(() => findPayment(this.#options.books, wanted.id))
    return own === undefined || !isPublic(own)
  }

  /** Whether the caller may have a reply of a payment whose signature others may know. */
  async #mayHaveReply(row: PaymentRow, purchase: Purchase): Promise<boolean> {
    const { endpoint, operation, idempotencyKey: name, signIn } = purchase
    if (replayRuleOf(endpoint, operation) === 'anyone_with_payment') return true
    return this.#options.proofs.isProven(row, { name, signIn })
  }

  /** @returns undefined while the outcome is open. */
  async #answerFrom(row: PaymentRow, purchase: Purchase): Promise<DoorOutcome | undefined> {
    const { books, receipts } = this.#options
    const isAbandoned = row.leaseUntil.getTime() < books.clock.now()
    switch (row.state) {
      case 'settled':
      case 'final':
      case 'refunding':
      case 'refunded': {
        const reply = storedReply(row, purchase, receipts)
        if (!reply) throw replayed(row, 'no reply')
        return { kind: 'answered', reply }
      }
      case 'paid':
        return isAbandoned ? this.#takeUp(row, purchase) : undefined
      case 'served':
      case 'settling':
        if (isAbandoned) await this.#finish(row.id)
        return undefined
      // A claim waits for its run; `answer` does not come here with payments that are free.
      case 'claimed':
      case 'released':
      case 'failed':
        return undefined
    }
  }

  /**
   * Binds an adopted payment to this call, unless another call is faster. The chain shows everybody its
   * signature, so a call with it need not be the payer's. It may therefore neither buy nor renew a key, which
   * a thief could keep using.
   */
  async #bind(row: PaymentRow, { endpoint, requirement, payment, wanted }: Purchase): Promise<void> {
    if (!signsTransfer(payment, row, this.#readPayerSignature)) throw replayed(row, 'other signature')
    if (endpoint.tierOf) throw replayed(row, 'adopted', noKey)
    const price = BigInt(requirement.amount)
    if (price > row.amount) {
      const problem = `it is of ${formatUsdc(row.amount)} USDC, and this call costs ${formatUsdc(price)}`
      throw replayed(row, 'adopted', problem)
    }
    const { id, operation, requestHash, version } = wanted
    await this.#inBooks(() =>
      bindAdopted(this.#options.books, { id, operation, requestHash, version }, price),
    )
  }

  async #takeUp(row: PaymentRow, purchase: Purchase): Promise<DoorOutcome | undefined> {
    const { books, admissions, failedRuns } = this.#options
    const held = await takeUpPaid(books, row.id, handlerLeaseMs(purchase.operation))
    if (!held || !row.transaction) return undefined
    const run = await failedRuns.take(row)
    if (!run) {
      await release(books, held)
      throw failedRuns.refusal(row) ?? tooManyFailures(0)
    }
    const amount = row.scheme === 'upto' ? row.amount : undefined
    const transfer = { transaction: row.transaction, at: row.settledAt ?? row.updatedAt, amount }
    return run.follow(Promise.resolve(admissions.openPaid(purchase, held, transfer)))
  }

  /** Answers a caller who has not proven that the recorded payment is theirs. */
  #answerUnproven(purchase: Purchase, row: PaymentRow, refusal: Refusal | undefined): Answered | undefined {
    const reason = wrongSigner.find((word) => word === refusal?.reason)
    if (reason) {
      const message = 'the signature is not the payer’s'
      const reply = this.#options.challenges.refused(purchase, purchase.operation, { reason, message })
      return { kind: 'answered', reply, refusedFor: reason, isRecorded: true }
    }
    // A wallet contract may have signed this, and only the chain can verify it. The caller must not be made
    // to pay again for a call that may be paid, so the reply says only what `GET /payments/{paymentId}` shows
    // to anyone.
    if (this.#isFree(row)) return undefined
    if (row.state === 'claimed') throw inProgress(row.id)
    throw row.transaction ? replayed(row, 'other signature') : settlementUnknown(row.id)
  }

  /** This payment in the books, and the one by which the payer has bought under the same idempotency key. */
  async #find({ wanted }: Purchase): Promise<FoundPayments> {
    const { books } = this.#options
    const { id, idempotencyKey: key } = wanted
    const own = await this.#inBooks(() => findPayment(books, id))
    const bought = key === null ? undefined : await this.#inBooks(() => findPurchase(books, wanted, key))
    return { own, bought }
  }

  /** Whether a payment may be claimed: no worker holds it, and no money was taken for it. */
  #isFree({ state, leaseUntil }: PaymentRow): boolean {
    if (state === 'claimed') return leaseUntil.getTime() < this.#options.books.clock.now()
    return state === 'released' || state === 'failed'
  }

  /** Whether another account has carried out a payment that was released or failed here. */
  async #hasArrived(row: PaymentRow, { reason }: Refusal): Promise<boolean> {
    try {
      return await this.#options.recovery.findArrival(row, isUsedNonce(reason))
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  async #inBooks<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  async #finish(id: string): Promise<void> {
    try {
      await this.#options.recovery.finish(id, 'payer')
    } catch (cause) {
      throw settlementUnknown(id, cause)
    }
  }
}

/**
 * Whether another account may have carried out a payment that was refused. The chain says these words only of
 * an authorization that was never used.
 */
function mayHaveArrived(refusal: Refusal | undefined): boolean {
  return refusal !== undefined && !unusedReasons.has(refusal.reason)
}

/** Whether the reply was delivered as a stream, and its money is asked for again after the transfer failed. */
function isCollected({ state, collectAt }: PaymentRow): boolean {
  return state === 'failed' && collectAt !== null
}

const noKey =
  'a payment that was adopted from the chain neither buys nor renews a key, because its signature is public there: ask the operator for the key, or for a refund'

/** The reasons for a signature that is not the payer's, for `exact` and for `upto`. */
const wrongSigner = ['invalid_exact_evm_payload_signature', 'invalid_permit2_signature']
