import { type Kysely, sql } from 'kysely'

/**
 * The gas that our accounts have paid, what the operator has done, and indexes that hold all that a sum of the
 * books reads: without them, the sums of a day read every stored reply of every year.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gas_costs')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('transaction', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('settlement', 'refund', 'unblock')`),
    )
    // Wei of 18 decimals: int8 holds nine ether, and the sum of a busy year is more.
    .addColumn('wei', sql`numeric(78, 0)`, (column) => column.notNull().check(sql`wei >= 0`))
    .addColumn('is_reverted', 'boolean', (column) => column.notNull())
    .addColumn('block_number', 'int8', (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('gas_costs_pkey', ['chain_id', 'transaction'])
    .execute()
  await db.schema
    .createTable('audit')
    .addColumn('call_id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('details', 'jsonb', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) =>
      column.notNull().check(sql`outcome in ('begun', 'done', 'refused', 'failed')`),
    )
    .addColumn('status', 'integer')
    .addColumn('code', 'text')
    .addColumn('result', 'jsonb')
    .execute()
  const indexes = [
    sql`create index gas_costs_by_age on gas_costs (seen_at, transaction)`,
    sql`create index audit_by_age on audit (at, call_id)`,
    sql`create index payments_received on payments (settled_at) include (chain_id, asset, operation, state, amount)
      where settled_at is not null`,
    sql`create index payments_not_received on payments (created_at) include (chain_id, asset, operation, state, amount)
      where settled_at is null`,
    // Finds the last call that was served for a payment.
    sql`create index meterings_by_payment on meterings (payment_id, created_at, call_id)
      where payment_id is not null`,
    // The export reads by payments_received.
    sql`drop index payments_by_settlement`,
  ]
  for (const index of indexes) await index.execute(db)
}
