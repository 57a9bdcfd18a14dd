import { type Kysely, sql } from 'kysely'

/**
 * What the gateways have learned of wallet contracts: how many of their payments failed at our cost, how many
 * settled, and until when they are refused. In the store, so that a restart forgets nothing and all gateways
 * refuse the same wallets.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wallet_records')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull().check(sql`scope in ('wallet', 'kind', 'heavy')`))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull().check(sql`failures >= 0`))
    .addColumn('settled', 'int8', (column) => column.notNull().check(sql`settled >= 0`))
    .addColumn('refused_until', 'timestamptz')
    .addColumn('kept_until', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('wallet_records_pkey', ['chain_id', 'scope', 'subject'])
    .execute()
  await db.schema
    .createIndex('wallet_records_by_end')
    .on('wallet_records')
    .column('kept_until')
    .execute()
  // Counts what a wallet has settled, without reading the payments themselves.
  await sql`create index if not exists payments_earned on payments (payer, chain_id, settled_at) include (amount)
    where state in ('settled', 'final')`.execute(db)
}
