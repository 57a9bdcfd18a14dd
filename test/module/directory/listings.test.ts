import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  findListing,
  findListingOf,
  listListings,
  listRows,
} from '../../../src/products/directory/find-listings.ts'
import { removeListing, restoreListing } from '../../../src/products/directory/removals.ts'
import { newestListableSite } from '../../../src/products/scan/scans/listable-scans.ts'
import { complete, fail, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { analyzing, createListedScans, named, scanned, scored } from '../../support/scans/listed-scans.ts'
import { analysis } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the directory in %s', (_driver, open) => {
  let opened: Opened
  /** The test clock, which only the tests move. */
  const clock = { time: Date.UTC(2026, 10, 21), now: () => clock.time }
  let scans: Scans
  /** The same scans through another connection, as at another gateway. */
  let others: Scans

  beforeAll(async () => {
    opened = await open()
    scans = createListedScans({ queries: opened.one.queries, clock })
    others = createListedScans({ queries: opened.other.queries, clock })
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    clock.time += 60_000
    await sql`delete from listings`.execute(scans.queries)
    await sql`delete from outbox`.execute(scans.queries)
  })

  const listingOf = (domain: string) => findListingOf(scans, domain)
  const remove = (domain: string) =>
    scans.queries.transaction().execute((queries) => removeListing({ queries, clock }, domain))
  const restore = (domain: string) =>
    scans.queries
      .transaction()
      .execute((queries) => restoreListing({ queries, clock }, domain, newestListableSite))
  async function events(): Promise<unknown[]> {
    const rows = await scans.queries.selectFrom('outbox').selectAll().orderBy('createdAt').execute()
    return rows.map(({ type, owner, data }) => ({ type, owner, data }))
  }
  const event = (slug: string, domain: string, businessName: string, change: string) => ({
    ...{ type: 'directory.updated', owner: null },
    data: { slug, domain, businessName, change },
  })

  test('a complete scan lists its site, and the event is written with it', async () => {
    const id = await scanned(scans, 'shop.example', 'Bright Smile', {
      analysis: { ...scored(71, 44), industry: 'healthcare', description: 'Dentists.' },
    })
    expect(await listingOf('shop.example')).toEqual({
      ...{
        businessName: 'Bright Smile',
        slug: 'bright-smile',
        domain: 'shop.example',
        industry: 'healthcare',
      },
      ...{ readinessScore: 71, aeoScore: 44, description: 'Dentists.' },
      ...{ scanId: id, scannedAt: new Date(clock.time) },
    })
    expect(await events()).toEqual([event('bright-smile', 'shop.example', 'Bright Smile', 'created')])
  })

  test.each([
    ['a light scan', { depth: 'light' }],
    ['a scan that was made with a key', { owner: 'key:1' }],
    ['a scan of another page, on which strangers may write', { url: 'https://quiet.example/users/eve' }],
    ['a scan of a search', { url: 'https://quiet.example/?q=eve' }],
    ['a scan whose home page could not be read', { analysis: { listing: { kind: 'unread' } } }],
    ['a scan of a site that asks not to be listed', { analysis: { listing: { kind: 'unwanted' } } }],
  ] as const)('%s lists nothing', async (_what, change) => {
    await scanned(scans, 'quiet.example', 'Quiet', change)
    expect(await listingOf('quiet.example')).toBeUndefined()
    expect(await events()).toEqual([])
  })

  test('a failed transaction keeps neither the result of the scan nor its listing nor the event', async () => {
    const { id, attempt } = await analyzing(scans, 'torn.example')
    const torn = {
      ...scans,
      followUps: [...scans.followUps, () => Promise.reject(new Error('the process dies'))],
    }
    await expect(complete(torn, id, attempt, named('Torn'))).rejects.toThrow('the process dies')
    expect(await listingOf('torn.example')).toBeUndefined()
    expect(await events()).toEqual([])
    expect(await complete(scans, id, attempt, named('Torn'))).toBe(true)
    expect(await listingOf('torn.example')).toMatchObject({ slug: 'torn' })
  })

  test('a renewed listing keeps its slug, and only a change that readers see is told', async () => {
    await scanned(scans, 'stable.example', 'First Name')
    const again = await scanned(scans, 'stable.example', 'First Name')
    const fresh = (await listingOf('stable.example'))?.scanId
    expect([again, fresh].sort()[1]).toBe(fresh)
    clock.time += 1_000
    await scanned(scans, 'stable.example', 'Second Name')
    expect(await listingOf('stable.example')).toMatchObject({
      businessName: 'Second Name',
      slug: 'first-name',
    })
    expect(await events()).toEqual([
      event('first-name', 'stable.example', 'First Name', 'created'),
      event('first-name', 'stable.example', 'Second Name', 'updated'),
    ])
  })

  test('an older scan that finishes later does not overwrite a newer one', async () => {
    const old = await analyzing(scans, 'late.example')
    clock.time += 1_000
    await scanned(scans, 'late.example', 'New')
    expect(await complete(scans, old.id, old.attempt, named('Old'))).toBe(true)
    expect(await listingOf('late.example')).toMatchObject({ businessName: 'New' })
  })

  test('of two scans of a site that finish at once at two gateways, the newer one is listed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const domain = `twice-${round}.example`
      const old = await analyzing(scans, domain)
      clock.time += 1_000
      const fresh = await analyzing(others, domain)
      await Promise.all([
        complete(scans, old.id, old.attempt, named(`Old ${round}`)),
        complete(others, fresh.id, fresh.attempt, named(`New ${round}`)),
      ])
      expect(await listingOf(domain)).toMatchObject({ businessName: `New ${round}`, scanId: fresh.id })
    }
  })

  test('sites that want one slug at once get different ones', async () => {
    const domains = Array.from({ length: 8 }, (_, at) => `same-${at}.example`)
    const waiting = await Promise.all(
      domains.map(async (domain, at) => ({
        at: at % 2 ? scans : others,
        ...(await analyzing(scans, domain)),
      })),
    )
    await Promise.all(waiting.map(({ at, id, attempt }) => complete(at, id, attempt, named('Same Name'))))
    const { listings } = await listListings(scans, { limit: 50, offset: 0 })
    const slugs = listings.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(8)
    expect(slugs.filter((slug) => slug === 'same-name')).toHaveLength(1)
    expect(slugs.filter((slug) => /^same-name-same-\d-example$/.test(slug))).toHaveLength(7)
  })

  test('the best prepared site comes first, and pages neither repeat nor leave out a listing', async () => {
    const scores = [
      ['b.example', 50, 60],
      ['a.example', 50, 60],
      ['c.example', 90, 10],
      ['d.example', 50, 70],
    ] as const
    for (const [domain, readiness, aeo] of scores)
      await scanned(scans, domain, `Shop ${domain}`, { analysis: scored(readiness, aeo) })
    const pages = []
    for (let offset = 0; offset < 5; offset += 1) {
      const { listings, total } = await listListings(scans, { limit: 1, offset })
      expect(total).toBe(4)
      pages.push(listings.map(({ domain }) => domain))
    }
    expect(pages).toEqual([['c.example'], ['d.example'], ['a.example'], ['b.example'], []])
  })

  test('the list of an industry has its sites only, and counts them', async () => {
    await scanned(scans, 'one.example', 'One', { analysis: { industry: 'finance' } })
    await scanned(scans, 'two.example', 'Two', { analysis: { industry: 'retail' } })
    const { listings, total } = await listListings(scans, { industry: 'finance', limit: 20, offset: 0 })
    expect([listings.map(({ domain }) => domain), total]).toEqual([['one.example'], 1])
  })

  test('a site that asks not to be listed is withdrawn, and comes back when it no longer asks', async () => {
    await scanned(scans, 'shy.example', 'Shy')
    clock.time += 1_000
    await scanned(scans, 'shy.example', 'Shy', { analysis: { listing: { kind: 'unwanted' } } })
    expect(await listingOf('shy.example')).toBeUndefined()
    expect(await findListing(scans, 'shy')).toBeUndefined()
    clock.time += 1_000
    await scanned(scans, 'shy.example', 'Bold')
    expect(await listingOf('shy.example')).toMatchObject({ businessName: 'Bold', slug: 'shy' })
    expect(await events()).toEqual([
      event('shy', 'shy.example', 'Shy', 'created'),
      event('shy', 'shy.example', 'Shy', 'removed'),
      event('shy', 'shy.example', 'Bold', 'created'),
    ])
  })

  test('a site whose robots.txt shuts our crawler out is withdrawn; one that is down stays', async () => {
    for (const domain of ['shut.example', 'down.example']) await scanned(scans, domain, domain)
    clock.time += 1_000
    const shut = await analyzing(scans, 'shut.example', { depth: 'light' })
    await fail(scans, shut.id, shut.attempt, 'ROBOTS_DISALLOWED', 'Not allowed.')
    const down = await analyzing(scans, 'down.example')
    await fail(scans, down.id, down.attempt, 'SITE_UNREACHABLE', 'Down.')
    expect(await listingOf('shut.example')).toBeUndefined()
    expect(await listingOf('down.example')).toBeDefined()
  })

  test('a renewed scan of a removed site does not bring it back, and a restored site returns at once', async () => {
    await scanned(scans, 'gone.example', 'Gone')
    expect(await remove('gone.example')).toBe(true)
    expect(await remove('gone.example')).toBe(false)
    clock.time += 1_000
    await scanned(scans, 'gone.example', 'Gone Again')
    expect(await listingOf('gone.example')).toBeUndefined()
    const { rows } = await listRows(scans, { state: 'removed', limit: 10 })
    expect(rows).toMatchObject([{ domain: 'gone.example', slug: 'gone', businessName: null, scanId: null }])

    expect((await restore('gone.example'))?.listing).toMatchObject({ state: 'listed', slug: 'gone' })
    expect(await listingOf('gone.example')).toMatchObject({ businessName: 'Gone Again' })
    expect(await restore('gone.example')).toBeUndefined()
    expect(await events()).toEqual([
      event('gone', 'gone.example', 'Gone', 'created'),
      event('gone', 'gone.example', 'Gone', 'removed'),
      event('gone', 'gone.example', 'Gone Again', 'created'),
    ])
  })

  test('a site that was never scanned can be kept out, and let in again', async () => {
    expect(await remove('never.example')).toBe(true)
    await scanned(scans, 'never.example', 'Never')
    expect(await listingOf('never.example')).toBeUndefined()
    expect((await restore('never.example'))?.listing).toMatchObject({ businessName: 'Never' })
    expect(await remove('unknown.example')).toBe(true)
    expect(await restore('unknown.example')).toEqual({ listing: undefined })
  })

  test('a removal covers the names below the domain, those of today and those to come, and no others', async () => {
    for (const domain of ['a.big.example', 'notbig.example']) {
      clock.time += 1_000
      await scanned(scans, domain, domain)
    }
    expect(await remove('big.example')).toBe(true)
    await scanned(scans, 'b.c.big.example', 'B')
    expect(await listingOf('a.big.example')).toBeUndefined()
    expect(await listingOf('b.c.big.example')).toBeUndefined()
    expect(await listingOf('notbig.example')).toBeDefined()
    expect(await events()).toContainEqual(event('a-big-example', 'a.big.example', 'a.big.example', 'removed'))
    await restore('big.example')
    clock.time += 1_000
    await scanned(scans, 'a.big.example', 'A')
    expect(await listingOf('a.big.example')).toBeDefined()
  })

  test('a removal and the end of a scan at the same time leave the site removed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const domain = `race-${round}.example`
      const { id, attempt } = await analyzing(others, domain)
      await Promise.all([remove(domain), complete(others, id, attempt, named(`Race ${round}`))])
      expect(await listingOf(domain)).toBeUndefined()
    }
  })

  test('names that look like addresses of other sites are broken, those of the own site are not', async () => {
    await scanned(scans, 'www.own.example.com', 'own.example.com', {
      analysis: { description: 'Not evil.com but https://example.com/shop' },
    })
    expect(await listingOf('www.own.example.com')).toMatchObject({
      businessName: 'own.example.com',
      description: 'Not evil[.]com but https[://]example.com/shop',
    })
  })

  test('an analysis of an earlier version lists its site under the name of the company', async () => {
    const { id, attempt } = await analyzing(scans, 'earlier.example')
    await complete(scans, id, attempt, analysis({ companyName: 'Earlier Ltd' }))
    expect(await listingOf('earlier.example')).toMatchObject({ slug: 'earlier-ltd' })
  })
})
