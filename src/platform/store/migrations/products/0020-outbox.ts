import { type Kysely, sql } from 'kysely'

/** Events that subscribers are told of. Each is written in the transaction of the change that it tells of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('scan_id', 'uuid', (column) => column.references('scans.id').onDelete('cascade'))
    .addColumn('data', 'jsonb', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await sql`create index outbox_by_age on outbox (created_at, id)`.execute(db)
  await sql`create index outbox_by_scan on outbox (scan_id)`.execute(db)
}
