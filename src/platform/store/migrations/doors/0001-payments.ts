import { type Kysely, sql } from 'kysely'

const states = sql.raw(
  "'claimed', 'served', 'settling', 'settled', 'final', 'released', 'failed', 'refunding', 'refunded'",
)

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('chain_id', 'integer', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('pay_to', 'text', (column) => column.notNull())
    .addColumn('amount', 'int8', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('valid_after', 'text', (column) => column.notNull())
    .addColumn('valid_before', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .addColumn('version', 'int2', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().check(sql`state in (${states})`))
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('lease_until', 'timestamptz', (column) => column.notNull())
    .addColumn('transaction', 'text')
    .addColumn('failure', 'text')
    .addColumn('reply_status', 'int2')
    .addColumn('reply_headers', 'jsonb')
    .addColumn('reply_body', 'bytea')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute()
  // Only a few payments are unfinished, however many are in the books, so the index stays small.
  await db.schema
    .createIndex('payments_unfinished')
    .on('payments')
    .column('lease_until')
    .where(sql.ref('state'), 'in', ['served', 'settling'])
    .execute()
}
