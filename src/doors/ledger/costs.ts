import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { rowJson } from '../../platform/store/row-json.ts'
import type { CostRow } from '../../platform/store/schema.ts'
import type { Period } from './list.ts'

/**
 * What we pay upstreams. Each spending is written down before its signature leaves the gateway, because from then
 * on somebody else can take the money; and no more is ever signed in a day than the catalogue allows.
 */

export type Cost = Omit<CostRow, 'state' | 'transaction' | 'createdAt' | 'updatedAt'>

export interface SpendingLimit {
  /** Atomic units for one upstream, by all gateways on these books. */
  readonly perDay: bigint
  readonly dayStart: Date
}

/**
 * Writes a spending down, if it stays within the limit. One statement decides (`store/migrations/0008-metered.ts`):
 * of any number at once no more are signed than the limit holds.
 * @returns false when it would be more; then nothing may be signed.
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
 * The chain shows that the money was taken, or that it no longer can be: what was not is free to be spent again.
 * @returns false when it was concluded before.
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

/** What was signed and is not concluded, the oldest first. @param options.after the one behind which to go on. */
export async function openCosts(
  { queries }: Pick<Books, 'queries'>,
  limit: number,
  { chainId, after }: OpenOptions = {},
): Promise<CostRow[]> {
  let query = queries.selectFrom('costs').selectAll().where('state', '=', 'signed')
  if (chainId !== undefined) query = query.where('chainId', '=', chainId)
  if (after)
    query = query.where(sql<SqlBool>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id})`)
  return query.orderBy('createdAt').orderBy('id').limit(limit).execute()
}

interface OpenOptions {
  readonly chainId?: number
  readonly after?: Pick<CostRow, 'createdAt' | 'id'> | undefined
}

/** Amounts in atomic units. */
export interface CostTotal extends Pick<CostRow, 'operation' | 'upstream' | 'state' | 'amount'> {
  readonly payments: number
}

/** What was signed in a period, in sum. */
export async function costTotals(
  { queries }: Pick<Books, 'queries'>,
  { since, until }: Period,
): Promise<CostTotal[]> {
  let query = queries
    .selectFrom('costs')
    .select(['operation', 'upstream', 'state'])
    .select(({ fn }) => fn.countAll<bigint>().as('payments'))
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
  if (since) query = query.where('createdAt', '>=', since)
  if (until) query = query.where('createdAt', '<', until)
  const rows = await query
    .groupBy(['operation', 'upstream', 'state'])
    .orderBy('operation')
    .orderBy('upstream')
    .orderBy('state')
    .execute()
  return rows.map((row) => ({ ...row, payments: Number(row.payments) }))
}
