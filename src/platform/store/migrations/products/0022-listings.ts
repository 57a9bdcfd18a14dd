import { type Kysely, sql } from 'kysely'

/**
 * The directory: one row for each site that was ever listed, asks not to be listed, or was removed by the operator.
 * The key to the scan is checked when a transaction ends: who deletes a scan must first rebuild the listing made of
 * it. Also what the deletion of old scans and addresses finds its rows by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listings')
    .addColumn('domain', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('business_name', 'text')
    .addColumn('industry', 'text')
    .addColumn('description', 'text')
    .addColumn('readiness_score', 'double precision')
    .addColumn('aeo_score', 'double precision')
    .addColumn('scan_id', 'uuid')
    .addColumn('scanned_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addForeignKeyConstraint('listings_scan', ['scan_id'], 'scans', ['id'], (key) =>
      key.deferrable().initiallyDeferred(),
    )
    .execute()
  await sql`create index listings_by_score on listings (readiness_score desc, aeo_score desc, slug)
    where state = 'listed'`.execute(db)
  await sql`create index listings_by_industry on listings (industry, readiness_score desc, aeo_score desc, slug)
    where state = 'listed'`.execute(db)
  // Small, for the number of listings on all pages.
  await sql`create index listings_counted on listings (industry) where state = 'listed'`.execute(db)
  await sql`create index listings_by_scan on listings (scan_id)`.execute(db)

  await sql`create index scans_by_email on scans (lower(email)) where email is not null`.execute(db)
  await sql`create index scans_with_email on scans (completed_at) where email is not null`.execute(db)

  await db.schema
    .createTable('chores')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('ran_at', 'timestamptz', (column) => column.notNull())
    .execute()
}
