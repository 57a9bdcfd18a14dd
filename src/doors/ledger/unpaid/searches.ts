import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'

/**
 * When the chain may be searched for the transfer of a payment that was released or failed. A search takes
 * from two calls of the node to many, and the payment may be sent as often as its sender likes, so the books
 * say when the next one is due, for all gateways.
 */

/**
 * What a search has found: the nonce is unused, or it is used by an unknown transaction, or no later search
 * can find a transfer.
 */
export type Finding = NonNullable<PaymentRow['searchFound']>

/** How long a worker that searches is presumed alive. */
const searchLeaseMs = 60_000
/** The first pause after a search, and the longest; each is twice the one before. */
const pauses = {
  unused: { firstMs: 1_000, longestMs: 60_000 },
  unknown: { firstMs: 10_000, longestMs: 3_600_000 },
  nothing: { firstMs: 604_800_000, longestMs: 604_800_000 },
} as const satisfies Record<Finding, object>

export type SearchTurn =
  /** This worker searches. */
  | 'taken'
  /** Another worker is searching. */
  | 'running'
  /** The last search found nothing, and the next one is not due. */
  | 'not due'
  /** The payment is not released or failed any more. */
  | 'over'

/**
 * Takes up the search for the transfer of a released or failed payment.
 * @param isUsed whether the chain has just shown the nonce as used: then it is searched at once if it was
 *   unused at the last search.
 */
export async function takeUpSearch(
  { queries, clock }: Books,
  id: string,
  isUsed: boolean,
): Promise<SearchTurn> {
  const now = new Date(clock.now())
  const taken = await queries
    .updateTable('payments')
    .set({ searchAfter: new Date(now.getTime() + searchLeaseMs), searchFound: null })
    .where('id', '=', id)
    .where(isFree(now))
    .where(
      sql<SqlBool>`(search_after is null or search_after <= ${now}::timestamptz
        or (${isUsed}::boolean and search_found = 'unused'))`,
    )
    .returning('id')
    .executeTakeFirst()
  if (taken) return 'taken'
  const row = await queries
    .selectFrom('payments')
    .select('searchFound')
    .where('id', '=', id)
    .where(isFree(now))
    .executeTakeFirst()
  if (!row) return 'over'
  return row.searchFound === null ? 'running' : 'not due'
}

/** Whether no worker holds the payment and no money was taken for it. */
function isFree(now: Date) {
  return sql<SqlBool>`(state in ('released', 'failed')
    or (state = 'claimed' and lease_until < ${now}::timestamptz))`
}

/** Records what a search has found, and when the next one is due. */
export async function noteSearch({ queries, clock }: Books, id: string, found: Finding): Promise<void> {
  const { firstMs, longestMs } = pauses[found]
  const now = new Date(clock.now())
  await queries
    .updateTable('payments')
    .set({
      searchFound: found,
      searches: sql<number>`searches + 1`,
      searchAfter: sql<Date>`${now}::timestamptz
        + least(${firstMs}::float8 * power(2, least(searches, 20)), ${longestMs}::float8) * interval '1 millisecond'`,
    })
    .where('id', '=', id)
    .execute()
}

/** Makes the search due again, because the chain did not answer. */
export async function giveUpSearch({ queries }: Books, id: string): Promise<void> {
  await queries.updateTable('payments').set({ searchAfter: null }).where('id', '=', id).execute()
}
