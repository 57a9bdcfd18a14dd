import { sql } from 'kysely'
import type { Queries } from '../../../platform/store/database.ts'
import { type Counter, type Counters, orUnavailable, type TakeResult, type Usage } from './counters.ts'
import { oldestKept } from './period.ts'

/**
 * Counters in PostgreSQL, which any number of gateways share. One statement takes the units and locks the
 * counters in a fixed order (`take_units`, migration 0009), so two calls can neither take the same last unit
 * nor deadlock. A gateway that is killed does not give back what it had reserved.
 */
export function createStoreCounters(queries: Queries): Counters {
  return {
    take: (counters) => orUnavailable(take(queries, counters)),
    give: (counters) => orUnavailable(give(queries, counters)),
    used: (subject, periods) => orUnavailable(usedBy(queries, subject, periods)),
    forget: async (now) => void (await orUnavailable(forgetUsage(queries, now))),
    close: async () => {},
  }
}

async function take(queries: Queries, counters: readonly Counter[]): Promise<TakeResult> {
  const wanted = JSON.stringify(counters.map((counter, place) => ({ ...counter, place })))
  const { rows } = await sql<{ fullAt: number | null; used: readonly number[] }>`
    select full_at, used from take_units(${wanted}::jsonb)`.execute(queries)
  const [row] = rows
  if (!row) throw new Error('take_units returned no row')
  const { fullAt: at, used } = row
  return at === null ? { kind: 'taken', used } : { kind: 'exhausted', at, used }
}

async function give(queries: Queries, counters: readonly Counter[]): Promise<void> {
  await sql`select give_units(${JSON.stringify(counters)}::jsonb)`.execute(queries)
}

/** Reads what a subject has used in these periods from the table. */
export async function usedBy(
  queries: Queries,
  subject: string,
  periods: readonly string[],
): Promise<readonly Usage[]> {
  if (periods.length === 0) return []
  const rows = await queries
    .selectFrom('usage')
    .select(['operation', 'period', 'used'])
    .where('subject', '=', subject)
    .where('period', 'in', periods)
    .where('used', '>', 0n)
    .orderBy('period')
    .orderBy('operation')
    .execute()
  return rows.map(({ operation, period, used }) => ({ operation, period, used: Number(used) }))
}

/**
 * Deletes old counters. Two gateways that do so at once skip each other's rows.
 * @returns the number of deleted counters.
 */
export async function forgetUsage(queries: Queries, now: number): Promise<number> {
  const { day, month } = oldestKept(now)
  const { numAffectedRows } = await sql`
    delete from usage where ctid in (
      select ctid from usage
      where period < case length(period) when ${day.length}::integer then ${day} else ${month} end
      for update skip locked
    )`.execute(queries)
  return Number(numAffectedRows ?? 0n)
}
