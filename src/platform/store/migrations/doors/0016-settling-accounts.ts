import { type Kysely, sql } from 'kysely'

/**
 * Which gateway sends from which account, and the payments that one gateway hands to another to be settled.
 * All times in these tables are the store's: the clocks of gateways may differ.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settling_gateways')
    .addColumn('gateway', 'text', (column) => column.primaryKey())
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('accounts', sql`text[]`, (column) => column.notNull())
    .addColumn('live_until', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('settling_accounts')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    // The order of registration: it stays the same when another gateway joins.
    .addColumn('position', 'int8', (column) => column.notNull().generatedAlwaysAsIdentity())
    .addColumn('owner', 'text')
    .addColumn('lease_until', 'timestamptz', (column) => column.notNull())
    .addColumn('gas', 'text', (column) => column.notNull().check(sql`gas in ('enough', 'low', 'out')`))
    .addPrimaryKeyConstraint('settling_accounts_pkey', ['chain_id', 'address'])
    .execute()
  await db.schema
    .createTable('handovers')
    .addColumn('payment_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('is_again', 'boolean', (column) => column.notNull())
    .addColumn('begun_by', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('outcome', 'text', (column) => column.check(sql`outcome in ('settled', 'failed', 'unknown')`))
    .addColumn('transaction', 'text')
    .addColumn('block_number', 'int8')
    .addColumn('block_hash', 'text')
    .addColumn('reason', 'text')
    .addColumn('message', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('handovers_pkey', ['payment_id', 'attempt'])
    .execute()
  await sql`create index handovers_open on handovers (chain_id, account) where outcome is null`.execute(db)
}
