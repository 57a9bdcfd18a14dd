import { type Kysely, sql } from 'kysely'

/**
 * When the chain may be searched again for the transfer of a payment that was released or failed, and what
 * the runs of each payer that were released count for. Without them, callers decide how often we ask the node
 * and call an upstream for nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    .addColumn('search_after', 'timestamptz')
    .addColumn('search_found', 'text', (column) =>
      column.check(sql`search_found in ('unused', 'unknown', 'nothing')`),
    )
    .addColumn('searches', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('released_runs')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('clear_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('released_runs_pkey', ['chain_id', 'payer'])
    .execute()
  await sql`create index released_runs_by_end on released_runs (clear_at)`.execute(db)
}
