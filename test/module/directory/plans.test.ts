import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Books } from '../../../src/platform/store/books.ts'
import type { Queries } from '../../../src/platform/store/database.ts'
import { findListing, findListingOf, listListings } from '../../../src/products/directory/find-listings.ts'
import { rebuildListings } from '../../../src/products/directory/removals.ts'
import { deleteScans, findScans, forgetAddresses } from '../../../src/products/scan/scans/forget-scans.ts'
import { newestListableSite } from '../../../src/products/scan/scans/listable-scans.ts'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

/**
 * The statements of the directory, and those that delete, find their rows by an index. PostgreSQL counts the
 * sequential scans of a transaction by table: with many sites there must be none.
 */
const rows = 20_000
const at = new Date(Date.UTC(2026, 10, 21))
let opened: Opened

beforeAll(async () => {
  opened = await openServer()
  const { queries } = opened.one
  const industries = [...industrySlugs]
  const statements = [
    sql`insert into scans (id, domain, url, has_scheme, email, depth, priority, is_queued, status, progress, attempt, events,
        created_at, moved_at, completed_at)
      select lpad(to_hex(n), 32, '0')::uuid, 'site-' || n || '.example', 'https://site-' || n || '.example/', true,
        case n % 2 when 0 then 'reader-' || n || '@example.com' end, 'basic', 0, true, 'complete', 100, 1, 4,
        ${at}::timestamptz - n * interval '1 minute', ${at}, ${at}::timestamptz - n * interval '1 minute'
      from generate_series(1, ${rows}::integer) as n`,
    sql`insert into scan_events (scan_id, seq, status, progress, message, created_at)
      select id, 1, 'pending', 0, 'waits', created_at from scans`,
    sql`insert into playbooks (id, scan_id, status, created_at) select id, id, 'generating', created_at from scans`,
    sql`insert into listings (domain, slug, state, business_name, industry, description, readiness_score, aeo_score, scan_id,
        scanned_at, created_at, updated_at)
      select domain, 'site-' || n, 'listed', 'Site ' || n, (${industries}::text[])[n % 11 + 1], 'What the site says of itself.',
        n % 101, n % 97, id, created_at, created_at, created_at
      from (select row_number() over () as n, * from scans) as numbered`,
    sql`vacuum analyze scans`,
    sql`vacuum analyze listings`,
    sql`analyze scan_events, playbooks`,
  ]
  for (const statement of statements) await statement.execute(queries)
})
afterAll(() => opened.close())

const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000)
const idOf = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`

/** What is done, the index that it needs, and how it is done. */
const statements: readonly [string, string, (books: Books) => Promise<unknown>][] = [
  ['the first page', 'listings_by_score', (books) => page(books, { limit: 20, offset: 0 })],
  ['the total', 'listings_counted', (books) => page(books, { limit: 20, offset: 0 })],
  [
    'a page of one industry',
    'listings_by_industry',
    (books) => page(books, { industry: 'finance', limit: 50, offset: 100 }),
  ],
  [
    'one listing',
    'listings_slug_key',
    async (books) => expect(await findListing(books, 'site-4711')).toBeDefined(),
  ],
  [
    'the listing of a site',
    'listings_pkey',
    async (books) => expect(await findListingOf(books, 'site-7.example')).toBeDefined(),
  ],
  [
    'the newest scan of a site',
    'scans_by_domain',
    (books) => newestListableSite(books.queries, 'site-7.example'),
  ],
  [
    'the listings of deleted scans',
    'listings_by_scan',
    (books) => rebuildListings(books, [idOf(7)], newestListableSite),
  ],
  ['the oldest scans', 'scans_by_age', (books) => deletion(books, { until: minutesAgo(19_990) })],
  ['scans by their ids', 'scans_pkey', (books) => deletion(books, { ids: [idOf(8), idOf(9)] })],
  ['the scans of a site', 'scans_by_domain', (books) => deletion(books, { domain: 'site-10.example' })],
  [
    'the scans of an address',
    'scans_by_email',
    (books) => deletion(books, { email: 'Reader-200@example.com' }),
  ],
  [
    'the search for the scans of an address',
    'scans_by_email',
    async (books) => {
      const { total } = await findScans(books, { email: 'reader-300@example.com' }, undefined, 10)
      expect(total).toBe(1)
    },
  ],
  [
    'the deletion of old addresses',
    'scans_with_email',
    async (books) => expect(await forgetAddresses(books, minutesAgo(19_000))).toBe(495),
  ],
]

async function page(books: Books, query: Parameters<typeof listListings>[1]): Promise<void> {
  expect((await listListings(books, query)).listings).toHaveLength(query.limit)
}

async function deletion(books: Books, choice: Parameters<typeof deleteScans>[1]): Promise<void> {
  const { ids } = await deleteScans(books, choice, async (queries, gone) => {
    await rebuildListings({ ...books, queries }, gone, newestListableSite)
  })
  expect(ids.length).toBeGreaterThan(0)
}

test.each(statements)(
  '%s: found by the index %s, and no table is read from end to end',
  async (_what, index, run) => {
    const [before, after] = await opened.one.queries.connection().execute(async (queries) => {
      // A deletion opens a transaction of its own, so the counts are those of the connection's session.
      const first = await usesOf(queries)
      await run({ queries, clock: { now: () => at.getTime() } })
      return [first, await usesOf(queries)]
    })
    const used = after.flatMap(({ name, uses }) =>
      uses > (before.find((one) => one.name === name)?.uses ?? 0n) ? [name] : [],
    )
    expect(used.filter((name) => name.startsWith('all of '))).toEqual([])
    expect(used).toContain(index)
  },
)

/** How often this session has read each table from end to end, and each index. */
async function usesOf(queries: Queries) {
  // The view then has the statements before.
  await sql`select pg_stat_force_next_flush()`.execute(queries)
  const { rows: counts } = await sql<{ name: string; uses: bigint }>`
    select 'all of ' || relname as name, seq_scan as uses from pg_stat_user_tables where schemaname = 'public'
    union all
    select indexrelname, idx_scan from pg_stat_user_indexes where schemaname = 'public'`.execute(queries)
  return counts
}
