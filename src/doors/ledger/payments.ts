import { sql, type UpdateObject } from 'kysely'
import type { Reply } from '../../core/reply.ts'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentState } from '../../platform/store/rows/payments.ts'
import type { Tables } from '../../platform/store/schema.ts'
import { noReply, replyColumns } from './reply-columns.ts'
import { nextCollection } from './unpaid/collections.ts'

/**
 * The moves of a payment from state to state. Each move is one statement that names the state and the attempt
 * it starts from. So of two workers that both believe they hold a payment only one can move it, and a worker
 * that comes back late changes nothing.
 *
 *     claimed ──► served ──► settled ──► final     the money moves after the work
 *     settling ──► paid ──► settled ──► final      the money moves before the work
 *
 * A transfer whose outcome is unknown waits in `settling`. A `released` or `failed` payment may be claimed
 * again; if its money arrives after all, it becomes `paid`. A payment whose money is here may be refunded.
 */

/** A payment that this worker may move until its lease ends. */
export interface Held {
  readonly id: string
  readonly attempt: number
}

/** A transfer that the chain shows. */
export interface MinedTransfer {
  readonly transaction: string
  readonly block: { readonly number: bigint; readonly hash: string }
  /** When we learned of it. The first such time stays in the books, because signed receipts state it. */
  readonly at: Date
}

/**
 * Marks that the money has moved and that the payer has received nothing for it: nothing was served yet, or
 * the reply was lost. The worker that holds the payment serves it until the lease ends.
 */
export async function markPaid(
  books: Books,
  held: Held,
  mined: MinedTransfer,
  leaseMs: number,
): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'paid',
    ...takenAt(mined),
    leaseUntil: new Date(books.clock.now() + leaseMs),
  })
}

/** Marks that a `paid` payment was served, and stores the reply. */
export async function markSold(books: Books, held: Held, reply: Reply): Promise<boolean> {
  return move(books, held, ['paid'], { state: 'settled', ...replyColumns(reply) })
}

/**
 * Marks that a transfer may have been sent and that its outcome is unknown. Only the chain shows the outcome;
 * it is asked again later, at growing intervals.
 */
export async function markSettling(
  books: Books,
  held: Held,
  transaction: string | undefined,
): Promise<boolean> {
  return move(books, held, ['served', 'settling'], {
    state: 'settling',
    ...(transaction ? { transaction } : {}),
    ...backOff(books),
  })
}

/**
 * @returns the change that makes workers leave a payment alone for five seconds, then ten, twenty, up to a
 *   minute.
 */
export function backOff({ clock }: Books) {
  const now = new Date(clock.now())
  return {
    tries: sql<number>`tries + 1`,
    leaseUntil: sql<Date>`${now}::timestamptz + least(interval '5 seconds' * power(2, least(tries, 10)), interval '1 minute')`,
  }
}

/**
 * Marks that the chain refused to move the money. The reply that waited for it is dropped. A metered stream
 * was delivered already: its payment is tried again after ten seconds, then twenty, forty, up to ten minutes.
 * @param isFinal when no later try can succeed.
 */
export async function markFailed(
  books: Books,
  held: Held,
  failure: string,
  isFinal?: true,
): Promise<boolean> {
  const wasDelivered = sql<boolean>`timing = 'metered' and reply_status is not null and reply_headers is null`
  return move(books, held, ['served', 'settling'], {
    state: 'failed',
    failure,
    ...noReply,
    replyStatus: sql<number | null>`case when ${wasDelivered} then reply_status end`,
    ...(isFinal
      ? {}
      : { collectAt: sql<Date | null>`case when ${wasDelivered} then ${nextCollection(books)} end` }),
  })
}

/** Extends the lease of a payment that is about to be settled. @returns false when this worker no longer holds it. */
export async function keep(books: Books, held: Held, leaseMs: number): Promise<boolean> {
  const leaseUntil = new Date(books.clock.now() + leaseMs)
  return move(books, held, ['served', 'settling'], { leaseUntil })
}

/**
 * Ends a run that served nothing. A payment that was not charged becomes free: its signature may be used
 * again. A payment that was charged first stays `paid`: its reply is owed to the next copy of it.
 * @param failure set when the caller left, because runs that a payer abandons count against them.
 */
export async function release(books: Books, held: Held, failure?: 'caller_left'): Promise<boolean> {
  return move(books, held, ['claimed', 'paid'], {
    ...(failure ? { failure } : {}),
    state: sql`case state when 'claimed' then 'released' else state end`,
    leaseUntil: new Date(books.clock.now() - 1),
  })
}

/**
 * Takes over a `paid` payment that no worker is serving.
 * @returns undefined when another worker holds it, or when nothing is owed for it any more.
 */
export async function takeUpPaid(books: Books, id: string, leaseMs: number): Promise<Held | undefined> {
  const now = books.clock.now()
  return books.queries
    .updateTable('payments')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      leaseUntil: new Date(now + leaseMs),
      holder: books.gateway ?? null,
      updatedAt: new Date(now),
    }))
    .where('id', '=', id)
    .where('state', '=', 'paid')
    .where('leaseUntil', '<', new Date(now))
    .returning(['id', 'attempt'])
    .executeTakeFirst()
}

/**
 * Marks a released or failed payment as `paid`, because the chain shows its transfer: another account has
 * submitted the signed authorization. We have the money, so the payer is owed the reply.
 */
export async function markArrived(books: Books, id: string, mined: MinedTransfer): Promise<boolean> {
  const now = new Date(books.clock.now())
  const moved = await books.queries
    .updateTable('payments')
    .set((row) => ({
      state: 'paid' as const,
      ...takenAt(mined),
      attempt: row('attempt', '+', 1),
      leaseUntil: new Date(now.getTime() - 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row('state', 'in', ['released', 'failed']),
        row.and([row('state', '=', 'claimed'), row('leaseUntil', '<', now)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

function takenAt({ transaction, block, at }: MinedTransfer) {
  return {
    transaction,
    blockNumber: block.number,
    blockHash: block.hash,
    settledAt: sql<Date>`coalesce(settled_at, ${at}::timestamptz)`,
    failure: null,
  }
}

/** Moves a payment, if it is still in one of the states `from` and no other worker has taken it over. */
export async function move(
  books: Books,
  held: Held,
  from: readonly PaymentState[],
  change: UpdateObject<Tables, 'payments'>,
): Promise<boolean> {
  const moved = await books.queries
    .updateTable('payments')
    .set({ ...change, updatedAt: new Date(books.clock.now()) })
    .where('id', '=', held.id)
    .where('attempt', '=', held.attempt)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}
