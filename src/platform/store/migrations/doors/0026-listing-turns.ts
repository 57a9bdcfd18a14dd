import { type Kysely, sql } from 'kysely'

/**
 * Which payment goes through the facilitator that lists an operation: one row for each operation, facilitator and way
 * to call it. The row decides between gateways, and keeps what the facilitator said.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listing_turns')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('transport', 'text', (column) => column.notNull().check(sql`transport in ('http', 'mcp')`))
    .addColumn('facilitator', 'text', (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('payment_id', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) =>
      column.notNull().check(sql`outcome in ('begun', 'settled', 'unreachable', 'refused', 'unknown')`),
    )
    .addColumn('reason', 'text')
    .addColumn('extension_responses', 'jsonb')
    .addColumn('taken_at', 'timestamptz', (column) => column.notNull())
    .addColumn('held_until', 'timestamptz', (column) => column.notNull())
    .addColumn('settled_at', 'timestamptz')
    .addPrimaryKeyConstraint('listing_turns_pkey', ['chain_id', 'operation', 'transport', 'facilitator'])
    .execute()
}
