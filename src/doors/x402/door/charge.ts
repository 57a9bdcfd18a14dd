import type { Log } from '../../../core/log.ts'
import type { Reply } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type Held, type MinedTransfer, markFailed, markSettling } from '../../ledger/payments.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Facilitator, Settlement } from '../wire/facilitator.ts'
import { type Receipts, withPaymentId } from '../wire/receipt.ts'
import { settlementUnknown } from './payment-errors.ts'
import type { Purchase } from './purchase.ts'

/**
 * Takes the money of a payment that was written down as due, and says what became of it: in the books, and in the
 * reply to its payer. Whoever decides when the money moves shares it, so that no outcome is told in two ways.
 */
export interface Charge {
  /**
   * @param amount atomic units, where it is less than was signed.
   * @returns where it was taken, or the reply that tells the payer that it was not.
   * @throws GatewayError SETTLEMENT_UNKNOWN.
   */
  take(purchase: Purchase, held: Held, amount?: bigint): Promise<MinedTransfer | Reply>
  /** The reply with its receipt. */
  receipted(purchase: Purchase, held: Held, reply: Reply, taken: Taken): Reply
  /** Whether a move in the books was made. One that the store did not confirm counts as not made. */
  isMade(held: Held, move: Promise<boolean>): Promise<boolean>
}

/** Where the money was taken, and when we learnt of it. */
export interface Taken extends Pick<MinedTransfer, 'transaction' | 'at'> {
  /** How much, in atomic units, of a payment that allowed more. */
  readonly amount?: bigint | undefined
}

interface ChargeOptions {
  readonly books: Books
  readonly facilitator: Facilitator
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly log: Log
}

export function createCharge({ books, facilitator, challenges, receipts, log }: ChargeOptions): Charge {
  async function take(purchase: Purchase, held: Held, amount?: bigint): Promise<MinedTransfer | Reply> {
    const { payment, requirement } = purchase
    const due = amount === undefined ? requirement : { ...requirement, amount: amount.toString() }
    const settlement = await facilitator.settle(payment, due, 'first')
    if (settlement.outcome !== 'settled') return unpaid(purchase, held, settlement)
    return { ...settlement, at: new Date(books.clock.now()) }
  }

  /** What the payer is told when the money has not moved, as far as anyone knows. */
  async function unpaid(
    { endpoint, operation, payment }: Purchase,
    held: Held,
    settlement: Exclude<Settlement, { outcome: 'settled' }>,
  ): Promise<Reply> {
    if (settlement.outcome === 'unknown') {
      log.error({ err: settlement.cause, payment: held.id }, 'the outcome of a settlement is unknown')
      await isMade(held, markSettling(books, held, settlement.transaction))
      throw settlementUnknown(held.id)
    }
    const { refusal } = settlement
    // Whoever has taken it over, or will, may settle it yet.
    if (!(await isMade(held, markFailed(books, held, refusal.reason)))) throw settlementUnknown(held.id)
    log.warn({ payment: held.id, reason: refusal.reason }, 'a payment failed to settle')
    const payer = payment.authorization.from
    const failure = { success: false, payer, errorReason: refusal.reason } as const
    const told = challenges.refused(endpoint, operation, refusal, 'PAYMENT_FAILED')
    return receipts.attach(withPaymentId(told, held.id), failure)
  }

  async function isMade(held: Held, move: Promise<boolean>): Promise<boolean> {
    try {
      return await move
    } catch (error) {
      log.error({ err: error, payment: held.id }, 'a payment could not be moved in the books')
      return false
    }
  }

  return {
    take,
    isMade,
    receipted({ endpoint, payment }, held, reply, { transaction, at, amount }) {
      const payer = payment.authorization.from
      const paid = { success: true, transaction, payer, endpoint, settledAt: at, amount } as const
      return receipts.attach(withPaymentId(reply, held.id), paid)
    },
  }
}
