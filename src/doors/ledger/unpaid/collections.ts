import { sql, type UpdateObject } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { Tables } from '../../../platform/store/schema.ts'

/**
 * Failed payments for delivered streams. The payer has the output, and the authorization stays valid for a
 * while, so the money is asked for again at the time `collectAt`.
 */

/**
 * Lists failed payments whose reply was delivered as a stream and that are due to be tried again, the longest
 * waiting first.
 */
export async function dueCollections(books: Books, chainId: number, limit: number): Promise<PaymentRow[]> {
  return books.queries
    .selectFrom('payments')
    .selectAll()
    .where('chainId', '=', chainId)
    .where('state', '=', 'failed')
    .where('collectAt', '<=', new Date(books.clock.now()))
    .orderBy('collectAt')
    .limit(limit)
    .execute()
}

/** @returns the time of the next try: after ten seconds, then twenty, forty, up to ten minutes. */
export function nextCollection({ clock }: Books) {
  const now = new Date(clock.now())
  return sql<Date>`${now}::timestamptz + least(interval '10 seconds' * power(2, least(tries, 10)), interval '10 minutes')`
}

/** Leaves failed payments for a later try. */
export async function postponeCollection(
  books: Books,
  rows: readonly Pick<PaymentRow, 'id'>[],
): Promise<void> {
  await changeCollection(books, rows, { tries: sql<number>`tries + 1`, collectAt: nextCollection(books) })
}

/** Ends the tries of payments that can no longer be settled. */
export async function endCollection(books: Books, rows: readonly Pick<PaymentRow, 'id'>[]): Promise<void> {
  await changeCollection(books, rows, { collectAt: null })
}

async function changeCollection(
  { queries }: Books,
  rows: readonly Pick<PaymentRow, 'id'>[],
  change: UpdateObject<Tables, 'payments'>,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await queries
    .updateTable('payments')
    .set(change)
    .where('id', 'in', ids)
    .where('state', '=', 'failed')
    .where('collectAt', 'is not', null)
    .execute()
}

/**
 * Opens a failed payment again: its outcome is unknown until the chain is asked, and any worker may take it
 * over now.
 * @returns false when another worker was faster.
 */
export async function reopenFailed(books: Books, { id, attempt }: PaymentRow): Promise<boolean> {
  const now = books.clock.now()
  const reopened = await books.queries
    .updateTable('payments')
    .set({ state: 'settling', collectAt: null, leaseUntil: new Date(now - 1), updatedAt: new Date(now) })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'failed')
    .where('collectAt', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return reopened !== undefined
}
