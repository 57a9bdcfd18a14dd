import type { RunFailure } from '../../../core/admission.ts'
import type { Log } from '../../../core/log.ts'
import { discardReply, type Reply } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type Held, type MinedTransfer, markFailed, markSettling, release } from '../../ledger/payments.ts'
import { isStreamed } from '../../ledger/reply-columns.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Facilitator, Settlement } from '../wire/facilitator.ts'
import { type Receipts, withPaymentId } from '../wire/receipt.ts'
import type { ListingTurns } from './listing/listing-turns.ts'
import { settlementUnknown } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'

/** What all sales share. */
export interface SaleParts {
  readonly books: Books
  readonly facilitator: Facilitator
  /** Has one payment in a while settled by the facilitator that lists the operation. */
  readonly listingTurns?: Pick<ListingTurns, 'settle'> | undefined
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly log: Log
}

export type ChargeResult =
  | { readonly kind: 'taken'; readonly transfer: MinedTransfer }
  /** No money was taken; `reply` tells the payer why. */
  | { readonly kind: 'refused'; readonly reply: Reply }

/** The settled transfer that paid for a call. */
export interface SettledTransfer extends Pick<MinedTransfer, 'transaction' | 'at'> {
  /** The amount that was taken, in atomic units, when the payment allowed more. */
  readonly amount?: bigint | undefined
}

/**
 * A purchase whose payment this worker holds. It takes the money, and says in the books and in the reply how
 * that ended. The admissions decide when; they all charge through this class, so that an outcome has one
 * meaning.
 */
export class Sale {
  readonly purchase: Purchase
  readonly held: Held
  readonly parts: SaleParts

  constructor(purchase: Purchase, held: Held, parts: SaleParts) {
    this.purchase = purchase
    this.held = held
    this.parts = parts
  }

  /**
   * Takes the money of a payment that is recorded as due.
   * @param amount atomic units, when it is less than was signed.
   * @throws GatewayError SETTLEMENT_UNKNOWN.
   */
  async charge(amount?: bigint): Promise<ChargeResult> {
    const { books, facilitator, listingTurns } = this.parts
    const { payment, requirement } = this.purchase
    const due = amount === undefined ? requirement : { ...requirement, amount: amount.toString() }
    const settlement =
      (await listingTurns?.settle(this.purchase, due, this.held)) ??
      (await facilitator.settle(payment, due, 'first', this.held))
    switch (settlement.outcome) {
      case 'settled':
        return { kind: 'taken', transfer: { ...settlement, at: new Date(books.clock.now()) } }
      case 'failed':
        return { kind: 'refused', reply: await this.#fail(settlement) }
      case 'unknown':
        return this.#leaveOpen(settlement)
    }
  }

  async #fail({ refusal, isFinal }: Settlement & { outcome: 'failed' }): Promise<Reply> {
    const { books, challenges, receipts, log } = this.parts
    const { operation, payment } = this.purchase
    // Without the mark the payment stays due: another worker that takes it over may still settle it.
    await this.requireMove(markFailed(books, this.held, refusal.reason, isFinal))
    log.warn({ payment: this.held.id, reason: refusal.reason }, 'a payment failed to settle')
    const payer = payment.authorization.from
    const failure = { success: false, payer, errorReason: refusal.reason } as const
    const reply = challenges.refused(this.purchase, operation, refusal, 'PAYMENT_FAILED')
    return receipts.attach(withPaymentId(reply, this.held.id), failure)
  }

  async #leaveOpen({ transaction, cause }: Settlement & { outcome: 'unknown' }): Promise<never> {
    const { books, log } = this.parts
    log.error({ err: cause, payment: this.held.id }, 'the outcome of a settlement is unknown')
    await this.confirmMove(markSettling(books, this.held, transaction))
    throw settlementUnknown(this.held.id)
  }

  /** The reply with the receipt of the transfer. */
  withReceipt(reply: Reply, { transaction, at, amount }: SettledTransfer): Reply {
    const payer = this.purchase.payment.authorization.from
    const outcome = { success: true, transaction, payer, call: this.purchase, settledAt: at, amount } as const
    return this.parts.receipts.attach(withPaymentId(reply, this.held.id), outcome)
  }

  /** Gives the claim back after a run that served nothing. */
  async release(failure?: RunFailure): Promise<Readonly<Record<string, string>>> {
    await release(this.parts.books, this.held, failure === 'caller_left' ? failure : undefined)
    return {}
  }

  /**
   * Waits for a move in the books.
   * @returns false when it was not made, or when the store did not confirm it.
   */
  async confirmMove(move: Promise<boolean>): Promise<boolean> {
    try {
      return await move
    } catch (error) {
      this.parts.log.error(
        { err: error, payment: this.held.id },
        'the state of a payment could not be stored',
      )
      return false
    }
  }

  /**
   * Waits for a move that must be in the books before the call goes on.
   * @throws GatewayError SETTLEMENT_UNKNOWN when it is not confirmed: it may have been made, and the recovery
   *   would then take the money, so the payer must not pay again.
   */
  async requireMove(move: Promise<boolean>): Promise<void> {
    if (!(await this.confirmMove(move))) throw settlementUnknown(this.held.id)
  }
}

/**
 * Waits for the reply to send. Ends a streamed reply that is not sent after all, and the upstream behind it.
 */
export async function discardUnsent(reply: Reply, settling: Promise<Reply>): Promise<Reply> {
  try {
    const sent = await settling
    if (!isStreamed(sent)) void discardReply(reply)
    return sent
  } catch (error) {
    void discardReply(reply)
    throw error
  }
}
