import { type Kysely, sql } from 'kysely'
import { claimFunction } from './claim-function.ts'

/**
 * Adds money that moves before the work, purchases named by their payer, the block that holds the transfer,
 * refunds, and a claim that checks all of a payer's payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('payments')
    .addColumn('timing', 'text', (column) =>
      column.notNull().defaultTo('after').check(sql`timing in ('after', 'before')`),
    )
    .addColumn('idempotency_key', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('block_number', 'int8')
    .addColumn('block_hash', 'text')
    .addColumn('settled_at', 'timestamptz')
    .addColumn('refund_from', 'text')
    .addColumn('refund_until', 'int8')
    .addColumn('refund_transaction', 'text')
    .execute()
  await db.schema.alterTable('payments').dropConstraint('payments_state_check').execute()
  await db.schema
    .alterTable('payments')
    .addCheckConstraint(
      'payments_state_check',
      sql`state in ('claimed', 'served', 'settling', 'paid', 'settled', 'final', 'released', 'failed',
        'refunding', 'refunded')`,
    )
    .execute()
  // A settled payment without a block cannot become final; the finality check looks its block up.
  await sql`update payments set settled_at = updated_at where state = 'settled'`.execute(db)

  await db.schema.dropIndex('payments_unfinished').execute()
  const indexes = [
    sql`create index payments_unfinished on payments (lease_until)
      where state in ('served', 'settling', 'refunding')`,
    // The rows that a claim reads: few of a payer's payments, however many there are.
    sql`create index payments_open on payments (payer)
      where state in ('claimed', 'served', 'settling', 'paid', 'failed')
        or (state = 'released' and failure is not null)`,
    // One purchase under one idempotency key; a released or failed payment does not use the key up.
    sql`create unique index payments_purchase on payments (payer, idempotency_key)
      where idempotency_key is not null and state not in ('released', 'failed')`,
    sql`create index payments_block on payments (block_number) where block_number is not null`,
    sql`create index payments_not_final on payments (block_number nulls first) where state in ('paid', 'settled')`,
    sql`create index payments_refund_valid on payments (refund_until) where state = 'refunded'`,
    sql`create index payments_replies on payments (settled_at) where reply_body is not null`,
    sql`create index payments_by_settlement on payments (settled_at, id) where settled_at is not null`,
    sql`create index payments_refunded on payments (updated_at, id) where state = 'refunded'`,
    sql`create index payments_by_age on payments (created_at, id)`,
  ]
  for (const index of indexes) await index.execute(db)

  await db.schema
    .createTable('strangers')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('transaction', 'text', (column) => column.notNull())
    .addColumn('log_index', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('block_number', 'int8', (column) => column.notNull())
    .addColumn('block_hash', 'text', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull())
    .addColumn('nonce', 'text')
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('strangers_pkey', ['chain_id', 'transaction', 'log_index'])
    .execute()
  await db.schema
    .createTable('reconciled')
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('opened_block', 'int8', (column) => column.notNull())
    .addColumn('block_number', 'int8', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('reconciled_pkey', ['chain_id', 'asset', 'pay_to'])
    .execute()

  await claimFunction({ create: sql`create`, settings: sql``, theirs }).execute(db)
}

/** The first version: one condition over two indexes. 0006 replaces it. */
const theirs = sql`
from payments
    where payer = wanted.payer and chain_id = wanted.chain_id and asset = wanted.asset
      and (state in ('served', 'settling', 'failed') or (state in ('claimed', 'paid') and lease_until >= now)
        or (state = 'released' and failure is not null) or block_number > balance_block);`
