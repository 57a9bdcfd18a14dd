import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queries } from '../../../src/platform/store/database.ts'
import { summarize } from '../../../src/products/analytics/summarize.ts'
import { listScans } from '../../../src/products/scan/scans/find-scans.ts'
import { createScans } from '../../../src/products/scan/scans/scans.ts'
import { readQuery } from '../../../src/products/search/query.ts'
import { search } from '../../../src/products/search/search.ts'
import { seedScans } from '../../support/scans/seed-scans.ts'
import { seedSearch } from '../../support/scans/seed-search.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

/**
 * What callers ask over many scans is found by an index. PostgreSQL counts the sequential scans of a transaction by
 * table: there must be none.
 */

const scanCount = 10_000
const now = Date.UTC(2026, 4, 20)
const viewer = 'key:4'

let opened: Opened
beforeAll(async () => {
  opened = await openServer()
  await seedScans(opened.one.queries, scanCount, now)
  await seedSearch(opened.one.queries, scanCount, now)
  // A service has many keys; with few, a whole table is as quick to read as its index.
  await sql`insert into scan_days select 'other:' || n % 2000, day, 'complete', 1, 1, 50, 50
    from generate_series(1, 20000) as n, lateral (select date '2026-05-20' - n / 2000) as of (day)`.execute(
    opened.one.queries,
  )
  await sql`insert into scan_day_categories select owner, day, 'data', 1 from scan_days
    where owner like 'other:%'`.execute(opened.one.queries)
  await sql`analyze scan_days, scan_day_categories`.execute(opened.one.queries)
})
afterAll(() => opened.close())

const searchFor = (text: string) => async (queries: Queries) => {
  const query = readQuery(text)
  if (typeof query === 'string') throw new Error(query)
  const { total } = await search({ queries }, { query, type: undefined, limit: 10, viewer })
  expect(total).toBeGreaterThan(0)
}
const list = (change: Partial<Parameters<typeof listScans>[1]>) => async (queries: Queries) => {
  const scans = createScans({ queries, clock: { now: () => now } })
  const { nextCursor, total } = await listScans(scans, { viewer, limit: 20, ...change })
  expect(total).toBeGreaterThan(0)
  if (nextCursor) await listScans(scans, { viewer, limit: 20, ...change, cursor: nextCursor })
}

const statements: readonly [string, (queries: Queries) => Promise<unknown>][] = [
  ['a search for a word that every scan has', searchFor('example')],
  ['a search for a word that some scans have', searchFor('robotics "business scores"')],
  ['a search for a domain', searchFor('site-4711')],
  ['a search for the beginning of a domain', searchFor('site-47')],
  ['a summary of all time', (queries) => summarize(queries, { owner: viewer })],
  [
    'a summary of a week',
    (queries) => summarize(queries, { owner: viewer, since: new Date(now - 6 * 86_400_000) }),
  ],
  ['a page of the list of scans', list({})],
  ['a page of the complete scans', list({ status: 'complete' })],
]

test.each(statements)('%s reads no table from end to end', async (_what, run) => {
  expect(await readWhole(run)).toEqual([])
})

test('without the index over words, a search for a rare word would read all documents', async () => {
  const run = searchFor('site-4711')
  const read = readWhole(async (queries) => {
    await sql`drop index search_documents_words`.execute(queries)
    await run(queries)
  })
  expect(await read).toEqual(['search_documents'])
})

/** The tables that the work reads from end to end, in a transaction that is rolled back. */
async function readWhole(work: (queries: Queries) => Promise<unknown>): Promise<string[]> {
  const { queries } = opened.one
  let tables: string[] = []
  const undo = new Error('undone')
  await queries
    .transaction()
    .execute(async (transaction) => {
      // The counts of a connection also hold what its transactions before have not reported yet.
      const before = await sequentialScans(transaction)
      await work(transaction)
      const after = await sequentialScans(transaction)
      tables = [...after].flatMap(([table, scans]) => (scans > (before.get(table) ?? 0n) ? [table] : []))
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return tables
}

async function sequentialScans(queries: Queries): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ table: string; whole: bigint }>`
    select relname as table, seq_scan as whole from pg_stat_xact_user_tables where schemaname = 'public'`.execute(
    queries,
  )
  return new Map(rows.map(({ table, whole }) => [table, whole]))
}
