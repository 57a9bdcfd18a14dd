import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { grouped } from '../../../platform/store/group.ts'

/**
 * Runs that served nothing and took no money. Such a run still costs work, an upstream's above all, so a
 * payer may have only so many at a time. Each counts for some seconds, and the sum runs off as time passes:
 * `clear_at` says when nothing is left of it.
 *
 * A payer without such runs is only looked up, by the primary key. Once there are some, each further run
 * counts as a failed one from its beginning, so that a hundred at once have no more than one after the other.
 * A paid run gives that back and takes off as much again: who pays for most calls does not wait. The limits
 * of what is in flight bound the first runs, before anything is counted.
 */

/** The payer whose runs are counted. */
interface Payer {
  readonly chainId: number
  readonly payer: string
}

export type RunAllowance =
  /** Nothing is counted against this payer. */
  | { readonly kind: 'free' }
  /** The run is counted in advance. */
  | { readonly kind: 'counted' }
  /** The payer may begin another run in `waitMs`. */
  | { readonly kind: 'refused'; readonly waitMs: number }

/** What one run counts for that failed by the caller's own making. */
export const ownFailureMs = 10_000
/** What any other counts for: an upstream that is down must not shut its payers out for long. */
export const otherFailureMs = 2_500
/** What a run counts for from its beginning, until it has ended; not more than a failed one. */
export const runningMs = 2_500

/**
 * Takes a run for a payer. One statement decides, so that gateways on one store share the limit.
 * @param maxRuns how many runs that fail by the caller's making count at a time.
 */
export function takeRun({ queries, clock }: Books, payer: Payer, maxRuns: number): Promise<RunAllowance> {
  const now = clock.now()
  return takeTogether(queries, { ...payer, now, lastMs: (maxRuns - 1) * ownFailureMs })
}

interface Wanted extends Payer {
  readonly now: number
  /** The most that may be counted already when a run begins. */
  readonly lastMs: number
}

const takeTogether = grouped<Wanted, RunAllowance>({
  keyOf: ({ chainId, payer }) => `${chainId} ${payer}`,
  sizeOf: () => 200,
  async run(queries, wanted) {
    // Rows are locked in one order, so that two gateways cannot deadlock.
    const ordered = wanted.toSorted((a, b) => (a.payer < b.payer ? -1 : 1))
    const rows = ordered.map(
      ({ chainId, payer, now, lastMs }) =>
        sql`(${chainId}::integer, ${payer}::text, ${new Date(now)}::timestamptz, ${new Date(now + lastMs)}::timestamptz)`,
    )
    const found = await sql<{ chainId: number; payer: string; clearAt: Date; isTaken: boolean }>`
      with wanted (chain_id, payer, now, latest) as (values ${sql.join(rows)}),
      known as (
        select runs.chain_id, runs.payer, runs.clear_at, now, latest
        from wanted join released_runs as runs using (chain_id, payer)
        where clear_at > now order by payer for update of runs
      ),
      taken as (
        update released_runs as runs
        set clear_at = runs.clear_at + ${runningMs}::float8 * interval '1 millisecond'
        from known where runs.chain_id = known.chain_id and runs.payer = known.payer
          and known.clear_at <= latest
        returning runs.chain_id, runs.payer
      )
      select chain_id, payer, clear_at, taken.payer is not null as is_taken
      from known left join taken using (chain_id, payer)`.execute(queries)
    return wanted.map(({ chainId, payer, now, lastMs }): RunAllowance => {
      const known = found.rows.find((row) => row.chainId === chainId && row.payer === payer)
      if (!known) return { kind: 'free' }
      if (known.isTaken) return { kind: 'counted' }
      return { kind: 'refused', waitMs: Math.max(known.clearAt.getTime() - now - lastMs, 1) }
    })
  },
})

/** Takes something off what is counted. */
export async function takeOff(
  { queries }: Books,
  { chainId, payer }: Payer,
  milliseconds: number,
): Promise<void> {
  await queries
    .updateTable('releasedRuns')
    .set({ clearAt: sql<Date>`clear_at - ${milliseconds}::float8 * interval '1 millisecond'` })
    .where('chainId', '=', chainId)
    .where('payer', '=', payer)
    .execute()
}

/**
 * Counts a run that failed.
 * @param maxRuns the sum is never more than so many runs count for: a payer waits for the last one only.
 */
export async function countRun(
  { queries, clock }: Books,
  { chainId, payer }: Payer,
  milliseconds: number,
  maxRuns: number,
): Promise<void> {
  const now = clock.now()
  const latest = new Date(now + maxRuns * ownFailureMs)
  await queries
    .insertInto('releasedRuns')
    .values({ chainId, payer, clearAt: new Date(now + milliseconds) })
    .onConflict((conflict) =>
      conflict.columns(['chainId', 'payer']).doUpdateSet({
        clearAt: sql<Date>`least(
          greatest(released_runs.clear_at, ${new Date(now)}::timestamptz)
            + ${milliseconds}::float8 * interval '1 millisecond',
          ${latest}::timestamptz)`,
      }),
    )
    .execute()
}

/** Deletes what counts for nothing any more, some of it at a time. */
export async function forgetRuns({ queries, clock }: Books): Promise<void> {
  await sql`
    delete from released_runs where (chain_id, payer) in (
      select chain_id, payer from released_runs where clear_at < ${new Date(clock.now())}::timestamptz
      order by clear_at limit 1000 for update skip locked
    )`.execute(queries)
}
