import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'

/**
 * Payments with an open outcome, whose worker died or did not learn the outcome. A gateway leaves those of
 * other networks alone: it can neither ask their chain nor settle there.
 */

const open = ['served', 'settling', 'refunding'] as const

/**
 * Takes over an unfinished payment.
 * @returns undefined when another worker holds it, or when nothing is left to finish.
 */
export async function takeOver(
  books: Books,
  chainId: number,
  id: string,
  leaseMs: number,
): Promise<PaymentRow | undefined> {
  const now = new Date(books.clock.now())
  return books.queries
    .updateTable('payments')
    .set((row) => ({
      attempt: row('attempt', '+', 1),
      leaseUntil: new Date(now.getTime() + leaseMs),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('chainId', '=', chainId)
    .where('state', 'in', open)
    .where('leaseUntil', '<', now)
    .returningAll()
    .executeTakeFirst()
}

/** Lists the ids of unfinished payments, the longest waiting first. */
export async function unfinishedPayments(books: Books, chainId: number, limit: number): Promise<string[]> {
  const rows = await books.queries
    .selectFrom('payments')
    .select('id')
    .where('chainId', '=', chainId)
    .where('state', 'in', open)
    .where('leaseUntil', '<', new Date(books.clock.now()))
    .orderBy('leaseUntil')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
