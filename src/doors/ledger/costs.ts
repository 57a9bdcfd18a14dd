import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { isBehind } from '../../platform/store/page.ts'
import { rowJson } from '../../platform/store/row-json.ts'
import type { CostRow } from '../../platform/store/rows/payments.ts'
import type { Period } from './list.ts'

/**
 * Our payments to upstreams. Each one is recorded before its signature leaves the gateway, because from then
 * on the upstream can take the money. The sum signed in a day never exceeds the limit of the catalog.
 */

export type Cost = Omit<CostRow, 'state' | 'transaction' | 'createdAt' | 'updatedAt'>

export interface SpendingLimit {
  /** Atomic units, for one upstream and all gateways on these books together. */
  readonly perDay: bigint
  readonly dayStart: Date
}

/**
 * Records a payment, if it stays within the limit. One statement decides
 * (`store/migrations/doors/0008-metered.ts`), so payments that begin at the same time cannot exceed the limit
 * together.
 * @returns false when the limit is reached; then nothing may be signed.
 */
export async function beginCost(
  { queries, clock }: Books,
  cost: Cost,
  { perDay, dayStart }: SpendingLimit,
): Promise<boolean> {
  const now = new Date(clock.now())
  const wanted = rowJson({ ...cost, state: 'signed', createdAt: now, updatedAt: now })
  const { rows } = await sql<{ isBegun: boolean }>`
    select begin_cost(jsonb_populate_record(null::costs, ${JSON.stringify(wanted)}::jsonb), ${perDay}::int8,
      ${dayStart}::timestamptz) as is_begun`.execute(queries)
  return rows[0]?.isBegun === true
}

/**
 * Records that the money was taken, or that it can no longer be. An unused amount may be spent again.
 * @returns false when the outcome was recorded before.
 */
export async function concludeCost(
  { queries, clock }: Books,
  id: string,
  state: 'taken' | 'unused',
  transaction: string | null,
): Promise<boolean> {
  const concluded = await queries
    .updateTable('costs')
    .set({ state, transaction, updatedAt: new Date(clock.now()) })
    .where('id', '=', id)
    .where('state', '=', 'signed')
    .returning('id')
    .executeTakeFirst()
  return concluded !== undefined
}

/** Lists payments with an open outcome, the oldest first. */
export async function openCosts(
  { queries }: Pick<Books, 'queries'>,
  limit: number,
  { chainId, after }: OpenOptions = {},
): Promise<CostRow[]> {
  let query = queries.selectFrom('costs').selectAll().where('state', '=', 'signed')
  if (chainId !== undefined) query = query.where('chainId', '=', chainId)
  if (after) {
    const position = [after.createdAt.toISOString(), after.id] as const
    query = query.where(isBehind(['createdAt', 'id'], 'oldest first', position))
  }
  return query.orderBy('createdAt').orderBy('id').limit(limit).execute()
}

interface OpenOptions {
  readonly chainId?: number
  /** Only payments after this one. */
  readonly after?: Pick<CostRow, 'createdAt' | 'id'> | undefined
}

/** A sum of our payments, in atomic units. */
export interface CostTotal extends Pick<CostRow, 'operation' | 'upstream' | 'state' | 'amount'> {
  readonly payments: number
}

/** Sums the payments that were signed in a period. */
export async function costTotals(
  { queries }: Pick<Books, 'queries'>,
  { since, until, chainId }: Period & { readonly chainId?: number },
): Promise<CostTotal[]> {
  let query = queries
    .selectFrom('costs')
    .select(['operation', 'upstream', 'state'])
    .select(({ fn }) => fn.countAll<bigint>().as('payments'))
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
  if (since) query = query.where('createdAt', '>=', since)
  if (until) query = query.where('createdAt', '<', until)
  if (chainId !== undefined) query = query.where('chainId', '=', chainId)
  const rows = await query
    .groupBy(['operation', 'upstream', 'state'])
    .orderBy('operation')
    .orderBy('upstream')
    .orderBy('state')
    .execute()
  return rows.map((row) => ({ ...row, payments: Number(row.payments) }))
}
