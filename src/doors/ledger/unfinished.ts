import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/rows/payments.ts'

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
      holder: books.gateway ?? null,
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('chainId', '=', chainId)
    .where('state', 'in', open)
    .where('leaseUntil', '<', now)
    .returningAll()
    .executeTakeFirst()
}

/** Unfinished payments that other gateways can finish, and this one cannot. */
export interface LeftToOthers {
  /** Payments that name one of these accounts, in lower-case hex. */
  readonly accounts: readonly string[]
  /** All payments. */
  readonly all: boolean
}

/**
 * After so long, any gateway looks at a payment that is left to others: their keys may be gone for good, and the
 * chain may show its outcome all the same.
 */
const overdueMs = 120_000

/** Lists the ids of unfinished payments, the longest waiting first. */
export async function unfinishedPayments(
  books: Books,
  chainId: number,
  limit: number,
  { accounts, all }: LeftToOthers = { accounts: [], all: false },
): Promise<string[]> {
  const now = books.clock.now()
  const rows = await books.queries
    .selectFrom('payments')
    .select('id')
    .where('chainId', '=', chainId)
    .where('state', 'in', open)
    .where('leaseUntil', '<', new Date(now))
    .where((row) => {
      const overdue = row('leaseUntil', '<', new Date(now - overdueMs))
      if (all) return overdue
      if (accounts.length === 0) return row.lit(true)
      return row.or([row('facilitator', 'is', null), row('facilitator', 'not in', accounts), overdue])
    })
    .orderBy('leaseUntil')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
