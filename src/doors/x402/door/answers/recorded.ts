import type { DoorOutcome } from '../../../../core/admission.ts'
import type { Network } from '../../../../platform/chain/networks.ts'
import type { Books } from '../../../../platform/store/books.ts'
import type { PaymentRow } from '../../../../platform/store/rows/payments.ts'
import { findPayment, findPurchase } from '../../../ledger/find-payment.ts'
import { isUnbound } from '../../../ledger/reconciling/adopt.ts'
import { createReadPayerSignature, type ReadPayerSignature } from '../../evidence/signature.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { Challenges } from '../../wire/challenge.ts'
import { type Refusal, unusedReasons } from '../../wire/types.ts'
import { isOwedWithoutName, isPublic, type PayerProofs } from '../payer-proofs.ts'
import { inProgress, orUnavailable, settlementUnknown } from '../payment-errors.ts'
import type { Purchase } from '../purchase.ts'
import { isUsedNonce } from '../repeats/kept-refusals.ts'
import { provesOwnership } from '../stored-reply.ts'
import { isFree, type Replays } from './replay.ts'
import { hasNoReply, payerUnproven, replayed } from './replayed.ts'

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
export type EarlyAnswer = Answered | { readonly kind: 'recorded' }

interface FoundPayments {
  readonly own: PaymentRow | undefined
  readonly bought: PaymentRow | undefined
}

interface RecordedOptions {
  readonly books: Books
  readonly recovery: Pick<Recovery, 'findArrival'>
  readonly replays: Replays
  readonly challenges: Challenges
  readonly network: Network
  readonly proofs: PayerProofs
}

/**
 * Answers payments that would not go through now, because they are too old, used, or cannot be checked. They may
 * have bought something before: without a look at the books, a payer who lost a reply would be told to pay again.
 */
export class RecordedPayments {
  readonly #options: RecordedOptions
  readonly #readPayerSignature: ReadPayerSignature

  constructor(options: RecordedOptions) {
    this.#options = options
    this.#readPayerSignature = createReadPayerSignature(options.network)
  }

  /**
   * @param refusal why it would not go through; undefined when it could not be checked.
   * @throws GatewayError PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS, SETTLEMENT_UNKNOWN, IDEMPOTENCY_KEY_REUSED.
   */
  async answer(purchase: Purchase, refusal: Refusal | undefined): Promise<Recorded<DoorOutcome>> {
    const found = await this.#find(purchase)
    return { answer: await this.#answerFound(purchase, found, refusal), isRecorded: found.own !== undefined }
  }

  async #answerFound(
    purchase: Purchase,
    { own, bought }: FoundPayments,
    refusal: Refusal | undefined,
  ): Promise<DoorOutcome | undefined> {
    const { replays } = this.#options
    const recorded = own ?? bought
    if (!recorded) return undefined
    if (!provesOwnership(purchase.payment, recorded, this.#readPayerSignature)) {
      return this.#answerUnproven(purchase, recorded, refusal)
    }
    if (own && (!this.#isFree(own) || (refusal && (await this.#hasArrived(own, refusal))))) {
      return replays.answer(purchase, own.id, isUsedNonce(refusal?.reason) ? 'used' : undefined)
    }
    // This payment paid for nothing, but another payment may have bought under its key.
    return bought && !this.#isFree(bought) ? replays.answer(purchase, bought.id) : undefined
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
    if (
      isPublic(own) &&
      !isOwedWithoutName(own) &&
      !(await this.#options.replays.mayHaveReply(own, purchase))
    ) {
      throw payerUnproven(own, this.#options.proofs.challenge(own.id))
    }
    if (hasNoReply(own)) throw replayed(own, 'no reply')
    if (own.operation !== purchase.wanted.operation) throw replayed(own, 'other request')
    return { kind: 'recorded' }
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
    const own = await orUnavailable(() => findPayment(books, id))
    const bought = key === null ? undefined : await orUnavailable(() => findPurchase(books, wanted, key))
    return { own, bought }
  }

  /** Whether another account has carried out a payment that was released or failed here. */
  #hasArrived(row: PaymentRow, { reason }: Refusal): Promise<boolean> {
    return orUnavailable(() => this.#options.recovery.findArrival(row, isUsedNonce(reason)))
  }

  #isFree(row: PaymentRow): boolean {
    return isFree(row, this.#options.books.clock.now())
  }
}

/**
 * Whether another account may have carried out a payment that was refused. The chain says these words only of
 * an authorization that was never used.
 */
function mayHaveArrived(refusal: Refusal | undefined): boolean {
  return refusal !== undefined && !unusedReasons.has(refusal.reason)
}

/** The reasons for a signature that is not the payer's, for `exact` and for `upto`. */
const wrongSigner = ['invalid_exact_evm_payload_signature', 'invalid_permit2_signature']
