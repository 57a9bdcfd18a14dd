import { sql } from 'kysely'
import { z } from 'zod'
import type { Queries } from '../../../src/platform/store/database.ts'
import { searchableScan } from '../../../src/products/search/entries.ts'
import { seedAnalysis } from './seed-scans.ts'

/**
 * Makes the scans of `seedScans` searchable, as completing them would: the words come from the gateway's own reader, and
 * the store puts the number of each domain into them.
 * @param now as `seedScans` got it.
 */
export async function seedSearch(queries: Queries, count: number, now: number): Promise<void> {
  await sql`create table seed_documents (n integer primary key, words text)`.execute(queries)
  await sql`create table seed_entries (n integer, position integer, type text, title text, body text, words text)`.execute(
    queries,
  )
  for (let at = 0; at < variants; at += 1) {
    const { entries, words } = searchableScan('site-0.example', seedAnalysis(at))
    await sql`insert into seed_documents values (${at}, ${words})`.execute(queries)
    await sql`insert into seed_entries select ${at}, * from jsonb_to_recordset(${JSON.stringify(
      entries.map((entry, position) => ({ position, ...entry })),
    )}::text::jsonb) as entry (position integer, type text, title text, body text, words text)`.execute(
      queries,
    )
  }
  // Building the index over all words at once takes a tenth of the time.
  const { rows } =
    await sql`select indexdef from pg_indexes where indexname = 'search_documents_words'`.execute(queries)
  const [{ indexdef }] = z.tuple([z.object({ indexdef: z.string() })]).parse(rows)
  await sql`drop index search_documents_words`.execute(queries)
  for (let from = 1; from <= count; from += batch) await insertBatch(queries, from, now)
  await queries.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`set local maintenance_work_mem = '128MB'`.execute(transaction)
    await sql.raw(indexdef).execute(transaction)
  })
  await sql`drop table seed_documents, seed_entries`.execute(queries)
  await sql`analyze search_documents, search_entries`.execute(queries)
}

/** A scan and its older twin of the same domain are in one batch. */
async function insertBatch(queries: Queries, from: number, now: number): Promise<void> {
  const [oldest, newest] = [from + batch - 1, from].map((n) => new Date(now - n * 60_000))
  const inserted = sql`
    insert into search_documents (scan_id, owner, domain, created_at, words)
    select id, owner, domain, created_at, ${numbered('words')}::tsvector
    from (
      select distinct on (domain, coalesce(owner, '')) id, owner, domain, created_at,
        substring(domain from '\\d+') as number,
        (round(extract(epoch from ${new Date(now)}::timestamptz - created_at) / 60)::integer % ${variants}) as n
      from scans where status = 'complete' and created_at between ${oldest} and ${newest}
      order by domain, coalesce(owner, ''), created_at desc
    ) as newest join seed_documents using (n)
    order by created_at
    returning id, created_at, domain`
  await sql`with documents as (${inserted})
    insert into search_entries
    select id, position, type, replace(title, 'site-0', 'site-' || number), body, ${numbered('words')}::tsvector
    from (
      select id, substring(domain from '\\d+') as number,
        (round(extract(epoch from ${new Date(now)}::timestamptz - created_at) / 60)::integer % ${variants}) as n
      from documents
    ) as documents join seed_entries using (n)`.execute(queries)
}

/** The words of `site-0.example`, of the site with another number. */
function numbered(column: string) {
  return sql`replace(replace(${sql.ref(column)}, '''0''', '''' || number || ''''), 'site-0.', 'site-' || number || '.')`
}

const variants = 300
const batch = 10_000
