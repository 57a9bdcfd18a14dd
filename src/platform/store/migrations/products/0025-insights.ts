import { type Kysely, sql } from 'kysely'

/** What analytics and search read: scans counted by day, and the words of what scans have found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A store with many scans counts for longer than one statement may take.
  await sql`set local statement_timeout = 0`.execute(db)
  await createDays(db)
  await createSearch(db)
}

/**
 * Scans by owner, day of creation (UTC) and status. Triggers count in the statement that inserts, moves or deletes a
 * scan, so no way to change a scan is left out, also not by a gateway of the version before that still runs beside
 * this one.
 */
async function createDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scan_days')
    // Empty for scans that were made without a key: null cannot be part of a key.
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('day', 'date', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('scans', 'integer', (column) => column.notNull())
    // Sums over the scans that have scores.
    .addColumn('scored', 'integer', (column) => column.notNull())
    .addColumn('readiness', 'numeric', (column) => column.notNull())
    .addColumn('aeo', 'numeric', (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_days_pkey', ['owner', 'day', 'status'])
    .execute()
  await db.schema
    .createTable('scan_day_categories')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('day', 'date', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('opportunities', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_day_categories_pkey', ['owner', 'day', 'category'])
    .execute()
  for (const [event, tables, changed] of changes) {
    const name = `count_scans_on_${event}`
    await sql.raw(`create function ${name}() returns trigger language plpgsql as $$
begin
  ${count(changed)};
  ${countCategories(changed)};
  return null;
end $$`).execute(db)
    await sql.raw(`create trigger ${name} after ${event} on scans ${tables}
      for each statement execute function ${name}()`).execute(db)
  }
  const all = `select owner, created_at, status, analysis, 1 as change from scans`
  await sql.raw(count(all)).execute(db)
  await sql.raw(countCategories(all)).execute(db)
}

/** Each way to change scans, with the rows that count once more and once less. */
const changes = [
  [
    'insert',
    'referencing new table as new_scans',
    'select owner, created_at, status, analysis, 1 as change from new_scans',
  ],
  [
    'update',
    'referencing old table as old_scans new table as new_scans',
    // Most updates only report progress.
    ...['after', 'before'].map((row) => `select ${row}.owner, ${row}.created_at, ${row}.status, ${row}.analysis,
        ${row === 'after' ? 1 : -1} as change
      from new_scans as after join old_scans as before using (id)
      where (after.owner, after.status, after.analysis is null)
        is distinct from (before.owner, before.status, before.analysis is null)`),
  ],
  [
    'delete',
    'referencing old table as old_scans',
    'select owner, created_at, status, analysis, -1 as change from old_scans',
  ],
].map(([event, tables, ...rows]) => [event, tables, rows.join(' union all ')] as const)

const report = `(case status when 'complete' then analysis -> 'report' end)`

/** The rows are locked in one order, so that two statements which change many days do not wait for each other. */
const count = (changed: string) => `
  insert into scan_days as known (owner, day, status, scans, scored, readiness, aeo)
  select coalesce(owner, ''), (created_at at time zone 'UTC')::date, status, sum(change), sum(change * scored),
    sum(change * scored * coalesce(readiness, 0)), sum(change * scored * coalesce(aeo, 0))
  from (
    select owner, created_at, status, change, (readiness is not null and aeo is not null)::integer as scored, readiness, aeo
    from (${changed}) as changed, lateral (select (${report} ->> 'readinessScore')::numeric as readiness,
      (${report} ->> 'aeoScore')::numeric as aeo) as scores
  ) as scans
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (owner, day, status) do update set scans = known.scans + excluded.scans,
    scored = known.scored + excluded.scored, readiness = known.readiness + excluded.readiness,
    aeo = known.aeo + excluded.aeo`

const countCategories = (changed: string) => `
  insert into scan_day_categories as known (owner, day, category, opportunities)
  select coalesce(owner, ''), (created_at at time zone 'UTC')::date, left(opportunity ->> 'category', 100), sum(change)
  from (${changed}) as changed, jsonb_array_elements(coalesce(${report} -> 'opportunities', '[]')) as opportunity
  where opportunity ->> 'category' is not null
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (owner, day, category) do update set opportunities = known.opportunities + excluded.opportunities`

/**
 * Search reads in two steps: the newest scans that have all words, by the index over documents; then the entries of
 * these scans. One step over all entries would read every entry that has a common word.
 */
async function createSearch(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_documents')
    .addColumn('id', 'int8', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('scan_id', 'uuid', (column) => column.notNull().unique().references('scans.id').onDelete('cascade'))
    .addColumn('owner', 'text')
    .addColumn('domain', 'text', (column) => column.notNull())
    // Of the scan.
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('words', sql`tsvector`, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('search_entries')
    .addColumn('document', 'int8', (column) => column.notNull().references('search_documents.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('words', sql`tsvector`, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_entries_pkey', ['document', 'position'])
    .execute()
  const statements = [
    sql`create unique index search_documents_by_domain on search_documents (domain, coalesce(owner, ''))`,
    // Without fastupdate, no search has to read entries that wait to be merged into the index.
    sql`create index search_documents_words on search_documents using gin (words) with (fastupdate = off)`,
    // The words are kept beside the rows: a common word makes a search read many rows, and only their ids.
    sql`alter table search_documents set (toast_tuple_target = 128)`,
    sql`alter table search_documents alter column words set storage external`,
    sql`create index search_documents_by_age on search_documents (created_at desc, id desc)`,
    findDocuments,
  ]
  for (const statement of statements) await statement.execute(db)
}

/**
 * The newest documents that have all words. Of a word that many documents have, the newest few hold enough, and reading
 * the index over words would take as long as there are documents with it. Any other word has few enough documents to
 * read them all. A sequential scan would read the words of all documents.
 */
const findDocuments = sql`
create function find_documents(wanted tsquery, viewer text, most integer)
returns table (document bigint, domain text, scan_id uuid, created_at timestamptz)
language plpgsql stable rows 200 set enable_seqscan = off as $$
#variable_conflict use_column
declare
  newest bigint[];
begin
  newest := array(
    select id from (select * from search_documents order by created_at desc, id desc limit 1500) as recent
    where (owner is null or owner = viewer) and words @@ wanted
    order by created_at desc, id desc limit most
  );
  if cardinality(newest) < most then
    newest := array(
      select id from search_documents where words @@ wanted and (owner is null or owner = viewer)
      -- The sum keeps the planner from walking through the index by age.
      order by created_at + interval '0' desc, id desc limit most
    );
  end if;
  return query select id, domain, scan_id, created_at from search_documents where id = any(newest);
end $$`
