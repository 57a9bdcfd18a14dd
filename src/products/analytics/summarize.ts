import { type SqlBool, sql } from 'kysely'
import type { Queries } from '../../platform/store/database.ts'
import type { ScanStatus } from '../../platform/store/rows/scans.ts'

/** The analytics summary of the specification (2.9). */
export interface AnalyticsSummary {
  /** All scans, whatever their status. */
  readonly totalScans: number
  /** Means over the complete scans, 0 to 100, to two decimals; 0 when there is none. */
  readonly averageReadinessScore: number
  readonly averageAeoScore: number
  /** The ten categories with the most opportunities; of equal ones, by name. */
  readonly topOpportunityCategories: readonly string[]
  readonly scansByStatus: Readonly<Record<ScanStatus, number>>
}

/**
 * Sums up the scans that an owner may see: its own and those that were made without a key. It reads one row per day
 * and status, so a million scans cost as little as ten.
 *
 * Days are UTC days, and a scan belongs to the day on which it was created. The time of day of `since` and `until` is
 * ignored.
 * @param owner the subject of a key; undefined sums up only scans that were made without one.
 * @param since the first day; undefined for all days.
 * @param until the day after the last; undefined for today and, should clocks differ, days to come.
 */
export async function summarize(
  queries: Queries,
  {
    owner,
    since,
    until,
  }: {
    readonly owner?: string | undefined
    readonly since?: Date | undefined
    readonly until?: Date | undefined
  },
): Promise<AnalyticsSummary> {
  const matches = sql.join(
    [
      sql<SqlBool>`owner in ('', ${owner ?? ''})`,
      ...(since ? [sql<SqlBool>`day >= ${dayOf(since)}::date`] : []),
      ...(until ? [sql<SqlBool>`day < ${dayOf(until)}::date`] : []),
    ],
    sql` and `,
  )
  const [byStatus, categories] = await Promise.all([
    sql<StatusSums>`select status, sum(scans)::float8 as scans, sum(scored)::float8 as scored,
        sum(readiness)::float8 as readiness, sum(aeo)::float8 as aeo
      from scan_days where ${matches} group by status`.execute(queries),
    sql<{ category: string }>`select category from scan_day_categories where ${matches}
      group by category having sum(opportunities) > 0 order by sum(opportunities) desc, category collate "C" limit 10`.execute(
      queries,
    ),
  ])
  const sumOf = (name: keyof Omit<StatusSums, 'status'>, status?: ScanStatus) =>
    byStatus.rows.reduce(
      (sum, row) => sum + (status === undefined || row.status === status ? row[name] : 0),
      0,
    )
  const scored = sumOf('scored')
  return {
    totalScans: sumOf('scans'),
    averageReadinessScore: mean(sumOf('readiness'), scored),
    averageAeoScore: mean(sumOf('aeo'), scored),
    topOpportunityCategories: categories.rows.map(({ category }) => category),
    scansByStatus: countsOf((status) => sumOf('scans', status)),
  }
}

interface StatusSums {
  readonly status: ScanStatus
  readonly scans: number
  readonly scored: number
  readonly readiness: number
  readonly aeo: number
}

function mean(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100
}

function countsOf(count: (status: ScanStatus) => number): Record<ScanStatus, number> {
  return {
    pending: count('pending'),
    fetching: count('fetching'),
    analyzing: count('analyzing'),
    complete: count('complete'),
    error: count('error'),
  }
}

/** `2026-05-01`, in UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
