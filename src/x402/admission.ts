import type { Admission } from '../core/admission.ts'
import type { Reply } from '../core/call.ts'
import type { Log } from '../core/log.ts'
import type { Claimed } from '../ledger/claim.ts'
import {
  type Books,
  type Held,
  type Mined,
  markFailed,
  markPaid,
  markServed,
  markSettled,
  markSettling,
  markSold,
  release,
} from '../ledger/payments.ts'
import type { Challenges } from './challenge.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import { unknown } from './payment-errors.ts'
import { handlerLeaseMs, type Purchase, settleLeaseMs } from './purchase.ts'
import { type Receipts, withPaymentId } from './receipt.ts'
import { seal } from './seal.ts'

/** Opens admissions, by when the money moves. */
export interface Admissions {
  /** For a payment that was just claimed. @returns the reply instead when the money was to move first, and did not. */
  open(purchase: Purchase, claimed: Claimed & { kind: 'claimed' }): Promise<Admission | Reply>
  /** For a payment whose money is here and that nobody has served yet. */
  owed(purchase: Purchase, held: Held, taken: Taken): Admission
}

/** Where the money was taken, and when we learnt of it. */
type Taken = Pick<Mined, 'transaction' | 'at'>

interface AdmissionOptions {
  readonly books: Books
  readonly facilitator: Facilitator
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly settlementTimeoutMs: number
  readonly log: Log
}

export function createAdmissions(options: AdmissionOptions): Admissions {
  const { books, facilitator, challenges, receipts, log } = options
  const leaseMs = settleLeaseMs(options.settlementTimeoutMs)

  /** The work first: the reply is written down, then the money moves, then the reply goes out. */
  function payAfter(purchase: Purchase, held: Held): Admission {
    return {
      owed: undefined,
      payment: held,
      async release(failure) {
        await release(books, held, failure)
        return {}
      },
      async settle(reply) {
        // Not written as far as we know. Should it stand in the books all the same, the recovery takes
        // the money, so the payer must not be sent away to pay anew.
        if (!(await isMade(held, markServed(books, held, reply, leaseMs)))) throw unknown(held.id)
        const settlement = await facilitator.settle(purchase.payment, purchase.requirement, 'first')
        if (settlement.outcome !== 'settled') return unpaid(purchase, held, settlement)
        // Written or not, the money has moved and the reply is owed; a lost mark is found by the recovery.
        const mined = { ...settlement, at: new Date(books.clock.now()) }
        await isMade(held, markSettled(books, held, mined))
        return paidReply(purchase, withPaymentId(reply, held.id), mined)
      },
    }
  }

  /** The money first, for work that is dear or a payer whose money did not come. */
  async function payBefore(purchase: Purchase, held: Held): Promise<Admission | Reply> {
    const settlement = await facilitator.settle(purchase.payment, purchase.requirement, 'first')
    if (settlement.outcome !== 'settled') return unpaid(purchase, held, settlement)
    const mined = { ...settlement, at: new Date(books.clock.now()) }
    const leaseMs = handlerLeaseMs(purchase.operation)
    if (!(await isMade(held, markPaid(books, held, mined, leaseMs)))) throw unknown(held.id)
    return owed(purchase, held, mined)
  }

  function owed(purchase: Purchase, held: Held, taken: Taken): Admission {
    return {
      owed: held.id,
      payment: held,
      async release() {
        await release(books, held)
        return {}
      },
      async settle(reply) {
        // Whoever repeats the payment gets this reply or, when it was not written, another run.
        const { secretName } = purchase
        const kept = secretName === undefined ? reply : seal(reply, secretName, held.id)
        if (!(await isMade(held, markSold(books, held, kept)))) throw unknown(held.id)
        return paidReply(purchase, withPaymentId(reply, held.id), taken)
      },
    }
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
      throw unknown(held.id)
    }
    const { refusal } = settlement
    // Whoever has taken it over, or will, may settle it yet.
    if (!(await isMade(held, markFailed(books, held, refusal.reason)))) throw unknown(held.id)
    log.warn({ payment: held.id, reason: refusal.reason }, 'a payment failed to settle')
    const payer = payment.authorization.from
    const failure = { success: false, payer, errorReason: refusal.reason } as const
    const told = challenges.refused(endpoint, operation, refusal, 'PAYMENT_FAILED')
    return receipts.attach(withPaymentId(told, held.id), failure)
  }

  function paidReply({ endpoint, payment }: Purchase, reply: Reply, { transaction, at }: Taken): Reply {
    const payer = payment.authorization.from
    return receipts.attach(reply, { success: true, transaction, payer, endpoint, settledAt: at })
  }

  /** Whether a move in the books was made. One that the store did not confirm counts as not made. */
  async function isMade(held: Held, move: Promise<boolean>): Promise<boolean> {
    try {
      return await move
    } catch (error) {
      log.error({ err: error, payment: held.id }, 'a payment could not be moved in the books')
      return false
    }
  }

  return {
    open: async (purchase, { held, timing }) =>
      timing === 'before' ? payBefore(purchase, held) : payAfter(purchase, held),
    owed,
  }
}
