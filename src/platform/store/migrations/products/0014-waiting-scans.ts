import { type Kysely, sql } from 'kysely'

/** The metrics count the scans that wait and look for the oldest, every half minute, however many scans there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index scans_waiting on scans (created_at) where status = 'pending'`.execute(db)
}
