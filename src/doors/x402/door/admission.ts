import type { Admission, DoorOutcome } from '../../../core/admission.ts'
import type { Log } from '../../../core/log.ts'
import { discardReply, type Reply } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { ClaimResult } from '../../ledger/claim.ts'
import { markServed, markSettled } from '../../ledger/grouped-moves.ts'
import { type Held, markPaid, markSold, release } from '../../ledger/payments.ts'
import { isStreamed } from '../../ledger/reply-columns.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Facilitator } from '../wire/facilitator.ts'
import type { Receipts } from '../wire/receipt.ts'
import { createCharge, type Taken } from './charge.ts'
import { createDeliveries, type Delivered } from './deliveries.ts'
import { createMetered } from './metered-admission.ts'
import { settlementUnknown } from './payment-errors.ts'
import { handlerLeaseMs, type Purchase, settleLeaseMs } from './purchase.ts'
import { seal } from './seal.ts'

/** Opens admissions, by when the money moves. */
export interface Admissions {
  /** For a payment that was just claimed. @returns the reply instead when the money was to move first, and did not. */
  open(purchase: Purchase, claimed: ClaimResult & { kind: 'claimed' }): Promise<DoorOutcome>
  /** For a payment whose money is here and that nobody has served yet. */
  owed(purchase: Purchase, held: Held, taken: Taken): Admission
  /** Resolves when no reply that was sent is on its way or waits for its settlement. */
  idle(): Promise<void>
}

interface AdmissionOptions {
  readonly books: Books
  readonly facilitator: Facilitator
  readonly challenges: Challenges
  readonly receipts: Receipts
  readonly settlementTimeoutMs: number
  readonly log: Log
}

export function createAdmissions(options: AdmissionOptions): Admissions {
  const { books, receipts, log } = options
  const leaseMs = settleLeaseMs(options.settlementTimeoutMs)
  const charge = createCharge(options)
  const { isMade } = charge
  const deliveries = createDeliveries(log)
  const openMetered = createMetered({ books, charge, deliveries, receipts, leaseMs, log })

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
        if (isStreamed(reply)) return payWithHead(purchase, held, reply)
        // Not written as far as we know. Should it stand in the books all the same, the recovery takes
        // the money, so the payer must not be sent away to pay anew.
        if (!(await isMade(held, markServed(books, held, reply, leaseMs)))) throw settlementUnknown(held.id)
        const mined = await charge.take(purchase, held)
        if ('status' in mined) return mined
        // Written or not, the money has moved and the reply is owed; a lost mark is found by the recovery.
        await isMade(held, markSettled(books, held, mined))
        return charge.receipted(purchase, held, reply, mined)
      },
    }
  }

  /**
   * What is streamed cannot be written down first. The money moves once there is something to stream, and until
   * that has been delivered it is owed: a payer to whom it broke off is served again.
   */
  async function payWithHead(purchase: Purchase, held: Held, reply: Reply): Promise<Reply> {
    if (!(await isMade(held, markServed(books, held, undefined, leaseMs)))) throw settlementUnknown(held.id)
    const mined = await charge.take(purchase, held)
    if ('status' in mined) return mined
    const servingMs = handlerLeaseMs(purchase.operation)
    if (!(await isMade(held, markPaid(books, held, mined, servingMs)))) throw settlementUnknown(held.id)
    return give(purchase, held, mined, reply)
  }

  /** The money first, for work that is dear or a payer whose money did not come. */
  async function payBefore(purchase: Purchase, held: Held): Promise<DoorOutcome> {
    const mined = await charge.take(purchase, held)
    if ('status' in mined) return { kind: 'answered', reply: mined }
    const servingMs = handlerLeaseMs(purchase.operation)
    if (!(await isMade(held, markPaid(books, held, mined, servingMs)))) throw settlementUnknown(held.id)
    return admitted(owed(purchase, held, mined))
  }

  function owed(purchase: Purchase, held: Held, taken: Taken): Admission {
    return {
      owed: held.id,
      payment: held,
      async release() {
        await release(books, held)
        return {}
      },
      settle: (reply) => give(purchase, held, taken, reply),
    }
  }

  /** Whoever repeats the payment gets this reply or, when it was not written, another run. */
  async function give(purchase: Purchase, held: Held, taken: Taken, reply: Reply): Promise<Reply> {
    const { secretName } = purchase
    const kept = secretName === undefined ? reply : seal(reply, secretName, held.id)
    const receipted = charge.receipted(purchase, held, reply, taken)
    if (isStreamed(reply) && !reply.tunnel) {
      return deliveries.follow(receipted, (delivered) => concludePaid(held, kept, delivered))
    }
    // A connection has no end to wait for: to be connected is what was bought.
    if (!(await isMade(held, markSold(books, held, kept)))) throw settlementUnknown(held.id)
    return receipted
  }

  async function concludePaid(held: Held, reply: Reply, { outcome, hasBegun }: Delivered): Promise<void> {
    if (hasBegun && outcome !== 'broken') {
      await markSold(books, held, reply)
      return
    }
    log.warn({ payment: held.id, outcome }, 'a paid reply did not reach its payer and is owed')
    await release(books, held)
  }

  function admitted(admission: Admission): DoorOutcome {
    return { kind: 'admitted', admission: settleOrDiscard(admission) }
  }

  /** What was to be streamed and will not be is ended, with the upstream that makes it. */
  function settleOrDiscard(admission: Admission): Admission {
    return {
      ...admission,
      async settle(reply) {
        try {
          const sent = await admission.settle(reply)
          if (!isStreamed(sent)) void discardReply(reply)
          return sent
        } catch (error) {
          void discardReply(reply)
          throw error
        }
      },
    }
  }

  async function open(
    purchase: Purchase,
    { held, timing }: ClaimResult & { kind: 'claimed' },
  ): Promise<DoorOutcome> {
    switch (timing) {
      case 'after':
        return admitted(payAfter(purchase, held))
      case 'metered':
        return admitted(openMetered(purchase, held))
      case 'before':
        return payBefore(purchase, held)
    }
  }

  return {
    open,
    owed: (purchase, held, taken) => settleOrDiscard(owed(purchase, held, taken)),
    idle: deliveries.idle,
  }
}
