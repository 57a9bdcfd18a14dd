import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { stringify } from 'yaml'
import { createLog } from '../../src/core/log.ts'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { type Database, openEmbedded, openPostgres } from '../../src/platform/store/database.ts'
import { industrySlugs } from '../../src/products/text/knowledge/industry.ts'
import { startPostgres } from '../soak/postgres.ts'
import { seedScans } from '../support/scans/seed-scans.ts'
import type { Result } from './report.ts'
import { type BenchServer, startProgram } from './servers.ts'

const scans = 100_000
const seconds = 10

/** Measures the directory of 100,000 scans on PostgreSQL. */
export async function benchDirectory(): Promise<Result[]> {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase('directory')
    const database = await openPostgres(url, createLog('silent'))
    return await inFolder(database, { DATABASE_URL: url }, (gateway, slugs) =>
      measure(gateway, slugs, { store: 'PostgreSQL', perSecond: 50, wanted: 'under 50' }),
    )
  } finally {
    await server.stop()
  }
}

/** The same on the embedded store. */
export async function benchEmbeddedDirectory(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  try {
    const database = await openEmbedded(folder)
    return await inFolder(database, { DATA_DIR: folder }, (gateway, slugs) =>
      measure(gateway, slugs, { store: 'PGlite', perSecond: 10, wanted: 'under 200' }),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inFolder(
  database: Database,
  settings: Readonly<Record<string, string>>,
  use: (gateway: BenchServer, slugs: readonly string[]) => Promise<Result[]>,
): Promise<Result[]> {
  const slugs = await fill(database)
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const catalogFile = join(folder, 'catalog.yaml')
  await writeFile(catalogFile, catalog)
  const gateway = await startProgram('../../src/main.ts', [], {
    DATA_DIR: join(folder, 'store'),
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
    CATALOG_FILE: catalogFile,
    LOG_LEVEL: 'warn',
    ...settings,
  })
  try {
    return await use(gateway, slugs)
  } finally {
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Fills the store and closes it. Every site that has a scan of the newest kind is listed.
 * @returns some slugs.
 */
async function fill({ queries, close }: Database): Promise<string[]> {
  await seedScans(queries, scans, Date.now())
  await sql`
    insert into listings (domain, slug, state, business_name, industry, description, readiness_score, aeo_score, scan_id,
      scanned_at, created_at, updated_at)
    select distinct on (domain) domain, replace(domain, '.', '-'), 'listed', analysis ->> 'companyName',
      analysis ->> 'industry', analysis ->> 'description', (analysis #>> '{report,readinessScore}')::float,
      (analysis #>> '{report,aeoScore}')::float, id, created_at, created_at, created_at
    from scans where analysis is not null order by domain, created_at desc`.execute(queries)
  await sql`vacuum analyze listings`.execute(queries)
  const rows = await queries.selectFrom('listings').select('slug').limit(1_000).execute()
  await close()
  return rows.map(({ slug }) => slug)
}

/** The limits are too high to be reached. */
const catalog = stringify({
  provider: { name: 'bench', description: 'Lists sites.' },
  operations: {
    listDirectory: { access: 'optional', description: 'The directory.', rate: '999999/minute' },
    getDirectoryListing: { access: 'optional', description: 'One site.', rate: '999999/minute' },
  },
})

async function measure(
  { url }: BenchServer,
  slugs: readonly string[],
  {
    store,
    perSecond,
    wanted,
  }: { readonly store: string; readonly perSecond: number; readonly wanted: string },
): Promise<Result[]> {
  const industryOf = (count: number) => industrySlugs[count % industrySlugs.length]
  const forms: readonly [string, (count: number) => string][] = [
    ['first pages', () => '?limit=50'],
    ['pages of an industry', (count) => `?industry=${industryOf(count)}&offset=${(count % 20) * 50}`],
    ['pages far behind', (count) => `?offset=${(count * 997) % 50_000}`],
    ['listings', (count) => `/${slugs[count % slugs.length]}`],
  ]
  const results: Result[] = []
  for (const [what, query] of forms) {
    const pathOf = (count: number) => `${url}/api/directory${query(count)}`
    // Warms up.
    for (let count = 0; count < 20; count += 1) await get(pathOf(count))
    const { median, p99 } = await latency(pathOf, perSecond)
    results.push({
      what: `directory of ${scans} scans on ${store}, ${what} at ${perSecond} requests/s, p99 in ms`,
      ours: p99,
      wanted,
      note: `median ${median.toFixed(1)}`,
    })
  }
  return results
}

async function get(url: string): Promise<void> {
  const response = await fetch(url)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`)
}

/** Sends each request at its time, whether or not earlier ones are answered. Gives milliseconds. */
async function latency(
  pathOf: (count: number) => string,
  perSecond: number,
): Promise<{ readonly median: number; readonly p99: number }> {
  const calls: Promise<number>[] = []
  const startedAt = performance.now()
  for (let count = 0; count < seconds * perSecond; count += 1) {
    await pause(Math.max(0, startedAt + (count * 1_000) / perSecond - performance.now()))
    calls.push(timed(pathOf(count)))
  }
  const times = (await Promise.all(calls)).sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}

async function timed(url: string): Promise<number> {
  const startedAt = performance.now()
  await get(url)
  return performance.now() - startedAt
}
