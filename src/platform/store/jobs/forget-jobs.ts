import { sql } from 'kysely'
import type { Queries } from '../database.ts'

/**
 * Deletes the jobs of these queues whose work has one of these ids, waiting or running, with whatever else they hold.
 * A worker that runs such a job is not stopped; what it works on is gone.
 * @param queries of the transaction that deletes what the jobs work on.
 */
export async function forgetJobs(
  queries: Queries,
  queueNames: readonly string[],
  workIds: readonly string[],
): Promise<void> {
  // pg-boss makes its tables with the first job.
  const found = await sql<{
    hasJobs: boolean
  }>`select to_regclass('pgboss.job') is not null as has_jobs`.execute(queries)
  if (!found.rows[0]?.hasJobs) return
  await sql`delete from pgboss.job where name = any(${[...queueNames]}::text[])
    and data ->> 'id' = any(${[...workIds]}::text[])`.execute(queries)
}
