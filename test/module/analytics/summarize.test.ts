import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '../../../src/platform/store/migrations.ts'
import { summarize } from '../../../src/products/analytics/summarize.ts'
import { firstDay, type TimeRange, timeRanges } from '../../../src/products/analytics/time-range.ts'
import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { advance, begin, createScans, fail, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { acceptScan, completeScan } from '../../support/scans/complete-scan.ts'
import { analysis } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

const dayMs = 86_400_000
const none = { pending: 0, fetching: 0, analyzing: 0, complete: 0, error: 0 }

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the analytics summary in %s', (_driver, open) => {
  let opened: Opened
  let scans: Scans
  const clock = { time: 0, now: () => clock.time }

  beforeAll(async () => {
    opened = await open()
    scans = createScans({ queries: opened.one.queries, clock })
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    clock.time = Date.UTC(2026, 4, 20, 15, 30)
    await scans.queries.deleteFrom('scans').execute()
  })

  const all = (owner?: string) => summarize(scans.queries, { owner })
  const within = (range: TimeRange) => summarize(scans.queries, { since: firstDay(range, clock.time) })

  /** Accepts a scan at a time. */
  async function acceptedAt(time: number): Promise<string> {
    const now = clock.time
    clock.time = time
    const id = await acceptScan(scans, 'a.example')
    clock.time = now
    return id
  }

  test('without scans every number is 0 and there is no category', async () => {
    for (const range of timeRanges) {
      expect(await within(range)).toEqual({
        totalScans: 0,
        averageReadinessScore: 0,
        averageAeoScore: 0,
        topOpportunityCategories: [],
        scansByStatus: none,
      })
    }
  })

  test('each scan counts once, by its status now, and only complete ones enter the averages', async () => {
    await acceptScan(scans, 'pending.example')
    await begin(scans, await acceptScan(scans, 'fetching.example'))
    const analyzing = await acceptScan(scans, 'analyzing.example')
    await begin(scans, analyzing)
    for (const progress of [70, 80])
      await advance(scans, analyzing, 1, { status: 'analyzing', progress, message: '' })
    for (const name of ['one', 'two']) {
      const failing = await acceptScan(scans, `${name}.example`)
      await fail(scans, failing, 'any', 'SITE_DOWN', 'The site is down.')
    }
    await completeScan(scans, 'low.example', scored(60, 10))
    await completeScan(scans, 'high.example', scored(61, 20))
    await completeScan(scans, 'top.example', scored(100, 0))
    expect(await all()).toMatchObject({
      totalScans: 8,
      averageReadinessScore: 73.67,
      averageAeoScore: 10,
      scansByStatus: { pending: 1, fetching: 1, analyzing: 1, complete: 3, error: 2 },
    })
  })

  test('categories come by the number of their opportunities, at most ten, and equal ones by name', async () => {
    const twelve = Array.from({ length: 12 }, (_, at) => `category ${String.fromCharCode(108 - at)}`)
    await completeScan(scans, 'a.example', withCategories(['data', 'sales', 'data', ...twelve]))
    await completeScan(scans, 'b.example', withCategories(['sales', 'data', 'Éclair "x"']))
    const { topOpportunityCategories } = await all()
    expect(topOpportunityCategories).toEqual(['data', 'sales', ...twelve.toReversed().slice(0, 8)])
  })

  test.each([
    ['7d', 6],
    ['30d', 29],
    ['90d', 89],
  ] as const)(
    '%s begins with midnight UTC %i days ago, and holds today up to now',
    async (range, daysBack) => {
      const first = Date.UTC(2026, 4, 20) - daysBack * dayMs
      await acceptedAt(first - 1)
      expect((await within(range)).totalScans).toBe(0)
      await acceptedAt(first)
      expect((await within(range)).totalScans).toBe(1)
      await acceptedAt(clock.time)
      expect((await within(range)).totalScans).toBe(2)
      // The range moves on at midnight.
      clock.time = Date.UTC(2026, 4, 20, 23, 59, 59, 999)
      expect((await within(range)).totalScans).toBe(2)
      clock.time += 1
      expect((await within(range)).totalScans).toBe(1)
      expect((await within('all')).totalScans).toBe(3)
    },
  )

  test('a week is counted from its first day up to the day after its last', async () => {
    const [since, until] = [new Date(Date.UTC(2026, 4, 11)), new Date(Date.UTC(2026, 4, 18))]
    for (const time of [since.getTime() - 1, since.getTime(), until.getTime() - 1, until.getTime()])
      await acceptedAt(time)
    expect((await summarize(scans.queries, { since, until })).totalScans).toBe(2)
  })

  test('a caller sees the sums of its own scans and of those that were made without a key', async () => {
    await completeScan(scans, 'open.example', scored(10, 10))
    await completeScan(
      scans,
      'own.example',
      { ...scored(30, 30), ...withCategories(['secret'], 30) },
      { owner: 'key:1' },
    )
    expect(await all('key:1')).toMatchObject({
      totalScans: 2,
      averageReadinessScore: 20,
      topOpportunityCategories: ['secret'],
    })
    for (const owner of ['key:2', undefined])
      expect(await all(owner)).toMatchObject({
        totalScans: 1,
        averageReadinessScore: 10,
        topOpportunityCategories: [],
      })
  })

  test('a deleted scan leaves every sum, also when many are deleted at once', async () => {
    await completeScan(scans, 'stays.example', scored(50, 50))
    const before = await all('key:1')
    await completeScan(scans, 'goes.example', { ...scored(99, 98), ...withCategories(['gone'], 99) })
    await completeScan(scans, 'goes.example', scored(33.3, 1), { owner: 'key:1' })
    await acceptScan(scans, 'goes.example')
    expect((await all('key:1')).totalScans).toBe(4)
    await scans.queries.deleteFrom('scans').where('domain', '=', 'goes.example').execute()
    expect(await all('key:1')).toEqual(before)
  })

  test('scans that move at the same time are all counted', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, at) => completeScan(scans, `${at}.example`, scored(at, at))),
    )
    expect(ids).toHaveLength(20)
    expect(await all()).toMatchObject({
      totalScans: 20,
      averageReadinessScore: 9.5,
      scansByStatus: { complete: 20 },
    })
  })
})

test('a store that is older than analytics counts its scans when it is opened', async () => {
  const opened = await openServer()
  try {
    const { queries } = opened.one
    const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } })
    await sql`drop schema public cascade`.execute(queries)
    await sql`create schema public`.execute(queries)
    await migrator.migrateTo('0020_outbox')
    const scans = createScans({ queries, clock: { now: () => Date.UTC(2026, 4, 20) } })
    await completeScan(scans, 'a.example', withCategories(['data'], 40))
    await completeScan(scans, 'b.example', scored(60, 60), { owner: 'key:1' })
    await acceptScan(scans, 'c.example')
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    expect(await summarize(queries, { owner: 'key:1' })).toEqual({
      totalScans: 3,
      averageReadinessScore: 50,
      averageAeoScore: 50,
      topOpportunityCategories: ['data'],
      scansByStatus: { ...none, complete: 2, pending: 1 },
    })
  } finally {
    await opened.close()
  }
})

function scored(readinessScore: number, aeoScore: number): Analysis {
  const base = analysis()
  return { ...base, report: { ...base.report, readinessScore, aeoScore } }
}

function withCategories(categories: readonly string[], score = 50): Analysis {
  const base = scored(score, score)
  const opportunities = categories.map((category, at) => ({
    ...{ id: `${at}`, title: `Opportunity ${at}`, description: 'Text.', category },
    ...({ impact: 'high', effort: 'low' } as const),
  }))
  return { ...base, report: { ...base.report, opportunities } }
}
