import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Books } from '../../../src/platform/store/books.ts'
import { summarize } from '../../../src/products/analytics/summarize.ts'
import { createScan } from '../../../src/products/scan/scans/accepted-scans.ts'
import { loadScan } from '../../../src/products/scan/scans/find-scans.ts'
import {
  advance,
  begin,
  complete,
  createScans,
  type FollowUp,
  fail,
} from '../../../src/products/scan/scans/scans.ts'
import { writeScanEvents } from '../../../src/products/webhooks/events/scan-events.ts'
import { announceWeek, type Summarize } from '../../../src/products/webhooks/events/weekly.ts'
import { analysis } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

const dayMs = 86_400_000

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('events in %s', (_driver, open) => {
  let opened: Opened
  /** The test clock, which only the tests move. It begins on a Saturday. */
  const clock = { time: Date.UTC(2026, 10, 21), now: () => clock.time }
  let books: Books
  let others: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    others = { queries: opened.other.queries, clock }
  })
  afterAll(() => opened.close())

  const tell: FollowUp = (queries, move) => writeScanEvents(queries, new Date(clock.now()), move)

  async function begun(followUps: readonly FollowUp[], owner?: string) {
    const scans = createScans(books, followUps)
    const domain = `${randomUUID()}.example`
    const asked = {
      url: `https://${domain}/`,
      domain,
      hasScheme: false,
      depth: 'basic' as const,
      priority: 0,
    }
    const created = await createScan(scans, { ...asked, owner })
    if (created === 'conflict') throw new Error('the store took a new scan for another one')
    const { attempt = 0 } = (await begin(scans, created.id)) ?? {}
    return { scans, id: created.id, attempt, domain }
  }

  async function eventsOf(scanId: string) {
    return await books.queries
      .selectFrom('outbox')
      .select(['type', 'owner', 'data'])
      .where('scanId', '=', scanId)
      .orderBy('type')
      .execute()
  }

  async function completed(opportunities: readonly string[] = [], owner?: string): Promise<string> {
    const { scans, id, attempt } = await begun([tell], owner)
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'half' })
    const sound = analysis()
    const found = opportunities.map((category) => ({
      ...{ id: category, title: 'a', description: 'b', category },
      impact: 'high' as const,
      effort: 'low' as const,
    }))
    expect(
      await complete(scans, id, attempt, { ...sound, report: { ...sound.report, opportunities: found } }),
    ).toBe(true)
    return id
  }

  test('a scan that completes is told with the fields of the specification, and changes what insights say', async () => {
    const id = await completed()
    const { domain } = (await loadScan({ queries: books.queries }, id)) ?? {}
    const named = { scan_id: id, domain }
    expect(await eventsOf(id)).toEqual([
      {
        type: 'insights.updated',
        owner: null,
        data: { scope: 'public', cause: 'scan.completed', ...named, affects: ['analytics', 'search'] },
      },
      {
        type: 'scan.completed',
        owner: null,
        data: { ...named, status: 'complete', scores: { readiness: 61, aeo: 48 } },
      },
      { type: 'scan.started', owner: null, data: { ...named, status: 'fetching', scan_type: 'basic' } },
    ])
  })

  test('a scan that fails is told with the reason, and one that begins again is not told again', async () => {
    const { scans, id, domain } = await begun([tell])
    await begin(scans, id)
    expect(await fail(scans, id, 'any', 'SITE_UNREACHABLE', 'No connection.')).toBe(true)
    expect(await fail(scans, id, 'any', 'SITE_UNREACHABLE', 'No connection.')).toBe(false)
    expect(await eventsOf(id)).toMatchObject([
      {
        type: 'scan.failed',
        data: {
          ...{ scan_id: id, domain, status: 'error' },
          error: { code: 'SITE_UNREACHABLE', message: 'No connection.' },
        },
      },
      { type: 'scan.started' },
    ])
  })

  test('events of a scan that was made with a key are for that key', async () => {
    const id = await completed([], 'key:abc')
    expect((await eventsOf(id)).map(({ owner }) => owner)).toEqual(['key:abc', 'key:abc', 'key:abc'])
    expect((await eventsOf(id))[0]?.data).toMatchObject({ scope: 'key' })
  })

  test('a step that is undone is not told', async () => {
    const { scans, id, attempt } = await begun([
      tell,
      async (_queries, { to }) => {
        if (to === 'completed') throw new Error('a later follow-up failed')
      },
    ])
    await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'half' })
    await expect(complete(scans, id, attempt, analysis())).rejects.toThrow('a later follow-up failed')
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['scan.started'])
  })

  test('a week is announced once over all gateways, with its own public scans', async () => {
    await books.queries.deleteFrom('scans').execute()
    // Before the week, in it, of a key, and after it.
    await completed(['data'])
    clock.time = Date.UTC(2026, 10, 23)
    await completed(['data', 'communication'])
    await completed(['communication'])
    await completed(['secret'], 'key:abc')
    const failed = await begun([tell])
    await fail(failed.scans, failed.id, 'any', 'SITE_UNREACHABLE', 'No connection.')
    clock.time = Date.UTC(2026, 10, 30)
    await completed(['after'])

    const sumUp: Summarize = (queries, since, until) => summarize(queries, { since, until })
    const weekly = async () =>
      await books.queries.selectFrom('outbox').select('data').where('type', '=', 'analytics.weekly').execute()
    // Early on Monday the week before is announced still.
    expect(await announceWeek(books, sumUp)).toBe(true)
    expect(await announceWeek(books, sumUp)).toBe(false)
    clock.time += dayMs / 2
    const announced = await Promise.all([
      announceWeek(books, sumUp),
      announceWeek(others, sumUp),
      announceWeek(books, sumUp),
    ])
    expect(announced.filter(Boolean)).toHaveLength(1)
    const [, latest] = await weekly()
    expect(latest?.data).toEqual({
      week: { from: '2026-11-23', to: '2026-11-29' },
      totalScans: 3,
      averageReadinessScore: 61,
      averageAeoScore: 48,
      topOpportunityCategories: ['communication', 'data'],
      scansByStatus: { pending: 0, fetching: 0, analyzing: 0, complete: 2, error: 1 },
    })
    clock.time += 6 * dayMs
    expect(await announceWeek(others, sumUp)).toBe(false)
    clock.time += dayMs
    expect(await announceWeek(others, sumUp)).toBe(true)
    expect(await weekly()).toHaveLength(3)
  })
})
