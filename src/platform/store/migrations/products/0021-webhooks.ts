import { type Kysely, sql } from 'kysely'

/** Subscriptions to events, and the deliveries that are made of the events in the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column fanned_at timestamptz`.execute(db)
  await sql`create index outbox_to_fan on outbox (created_at, id) where fanned_at is null`.execute(db)

  await db.schema
    .createTable('webhook_subscriptions')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('is_anonymous', 'boolean', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('variant', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('events', sql`text[]`, (column) => column.notNull())
    .addColumn('secret', 'bytea')
    .addColumn('metadata', 'jsonb', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('proven_at', 'timestamptz')
    .addColumn('failing_since', 'timestamptz')
    .addColumn('hold_until', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await sql`create unique index webhook_subscriptions_of_owner on webhook_subscriptions (owner, url, variant)`.execute(
    db,
  )
  await sql`create index webhook_subscriptions_by_owner on webhook_subscriptions (owner, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index webhook_subscriptions_by_age on webhook_subscriptions (created_at desc, id desc)`.execute(db)
  await sql`create index webhook_subscriptions_by_site on webhook_subscriptions (site) where is_anonymous`.execute(db)
  await sql`create index webhook_subscriptions_held on webhook_subscriptions (hold_until)
    where status = 'active'`.execute(db)
  await sql`create index webhook_subscriptions_to_end on webhook_subscriptions (expires_at)
    where expires_at is not null`.execute(db)

  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('subscription_id', 'uuid', (column) =>
      column.notNull().references('webhook_subscriptions.id').onDelete('cascade'),
    )
    .addColumn('event_id', 'uuid', (column) => column.notNull().references('outbox.id').onDelete('cascade'))
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('is_held', 'boolean', (column) => column.notNull())
    .addColumn('is_leased', 'boolean', (column) => column.notNull())
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('claims', 'integer', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('attempted_at', 'timestamptz')
    .addColumn('answer_status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sent_by_hand_at', 'timestamptz')
    .addColumn('ended_at', 'timestamptz')
    .execute()
  await sql`create unique index webhook_deliveries_of_event on webhook_deliveries (event_id, subscription_id)`.execute(db)
  await sql`create index webhook_deliveries_by_age on webhook_deliveries (subscription_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index webhook_deliveries_due on webhook_deliveries (due_at)
    where status = 'pending' and not is_held`.execute(db)
  await sql`create index webhook_deliveries_held on webhook_deliveries (due_at)
    where status = 'pending' and is_held`.execute(db)
  await sql`create index webhook_deliveries_pending on webhook_deliveries (subscription_id, created_at, id)
    where status = 'pending'`.execute(db)
  await sql`create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null`.execute(db)

  await db.schema
    .createTable('weekly_events')
    .addColumn('week', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute()
}
