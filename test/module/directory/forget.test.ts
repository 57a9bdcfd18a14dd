import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { Jobs } from '../../../src/platform/store/jobs/jobs.ts'
import { findListingOf } from '../../../src/products/directory/find-listings.ts'
import { findScan } from '../../../src/products/scan/scans/find-scans.ts'
import { findPlaybook } from '../../../src/products/scan/scans/playbooks.ts'
import { eventsAfter } from '../../../src/products/scan/scans/scan-events.ts'
import { advance, begin, complete, fail, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { ScanQueues } from '../../../src/products/scan/worker/scan-queues.ts'
import { fanOut } from '../../../src/products/webhooks/deliveries/fan-out.ts'
import { createForgetting, type Forgetting } from '../../../src/server/products/forgetting.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { analyzing, createListedScans, named, scanned } from '../../support/scans/listed-scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

const dayMs = 86_400_000

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('forgetting scans in %s', (_driver, open) => {
  let opened: Opened
  let letters: string
  let removeFolder: () => Promise<void>
  /** The test clock, which only the tests move. */
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let scans: Scans
  let forgetting: Forgetting
  /** The same store at another gateway. */
  let other: Forgetting
  const retention = { scanDays: 100, emailDays: 10, deliveryDays: 20 }

  beforeAll(async () => {
    opened = await open()
    const { folder, remove } = await temporaryFolder()
    removeFolder = remove
    letters = join(folder, 'mail')
    await mkdir(letters)
    scans = createListedScans({ queries: opened.one.queries, clock })
    forgetting = createForgetting(scans, retention, letters)
    other = createForgetting({ queries: opened.other.queries, clock }, retention, letters)
  })
  afterAll(async () => {
    await opened.close()
    await removeFolder()
  })
  beforeEach(async () => {
    clock.time += dayMs
    await sql`delete from listings`.execute(scans.queries)
    await sql`delete from scans`.execute(scans.queries)
  })

  const rest = async () =>
    (await scans.queries.selectFrom('scans').select('domain').execute()).map((row) => row.domain)
  const letterOf = (id: string) => writeFile(join(letters, `scan-${id}.eml`), 'To: a@b.example')

  test('a deleted scan leaves no row, event, playbook, job or letter behind', async () => {
    const id = await scanned(scans, 'whole.example', 'Whole', { email: 'a@b.example' })
    const jobs = new Jobs(opened.one, createLog('silent'))
    const limitsMs = { light: 1_000, basic: 1_000, full: 1_000 }
    const queues = new ScanQueues({ scans, jobs, limitsMs, retryDelaySeconds: 1 })
    const kept = await scanned(scans, 'kept.example', 'Kept', { email: 'a@b.example' })
    for (const one of [id, kept]) {
      await queues.queueScan({ id: one, domain: `${one}.example`, depth: 'light', priority: 0 })
      await queues.queueReport({ id: one, email: 'a@b.example' })
      await letterOf(one)
    }
    await jobs.close()

    expect(await forgetting.forgetScans({ ids: [id] })).toEqual({ deleted: 1, isDone: true })

    expect(await findScan(scans, id, undefined)).toBeUndefined()
    expect(await eventsAfter(scans.queries, id, 0)).toEqual([])
    expect(await findPlaybook(scans, id)).toBeUndefined()
    const found = await sql<{
      id: string
    }>`select data ->> 'id' as id from pgboss.job where name like 'scan%'`.execute(scans.queries)
    expect(found.rows.map((row) => row.id)).toEqual([kept, kept])
    expect(await readdir(letters)).toEqual([`scan-${kept}.eml`])
    const told = await scans.queries.selectFrom('outbox').select('scanId').where('scanId', '=', id).execute()
    expect(told).toEqual([])
    expect(await findScan(scans, kept, undefined)).toBeDefined()
    expect(await findPlaybook(scans, kept)).toBeDefined()
  })

  test('scans are chosen by domain, address in any case, and age, and all conditions must hold', async () => {
    await scanned(scans, 'old.example', 'Old', { email: 'Ada@Example.com' })
    clock.time += dayMs
    await scanned(scans, 'new.example', 'New', { email: 'ada@example.com', owner: 'key:1' })
    await scanned(scans, 'sub.new.example', 'Sub')
    const until = new Date(clock.time)
    expect(await forgetting.forgetScans({ domain: 'new.example', until })).toMatchObject({ deleted: 0 })
    expect(await forgetting.forgetScans({ email: 'ADA@example.com', until })).toMatchObject({ deleted: 1 })
    expect(await forgetting.forgetScans({ domain: 'new.example' })).toMatchObject({ deleted: 1 })
    expect(await rest()).toEqual(['sub.new.example'])
  })

  test('a listing of a deleted scan is rebuilt from the newest scan that is left, and else deleted', async () => {
    const first = await scanned(scans, 'twice.example', 'First')
    clock.time += 1_000
    const second = await scanned(scans, 'twice.example', 'Second')
    await forgetting.forgetScans({ ids: [second] })
    expect(await findListingOf(scans, 'twice.example')).toMatchObject({
      ...{ businessName: 'First', slug: 'first', scanId: first },
    })
    await forgetting.forgetScans({ ids: [first] })
    expect(await findListingOf(scans, 'twice.example')).toBeUndefined()
    const events = await scans.queries.selectFrom('outbox').select('data').execute()
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ slug: 'first', businessName: 'First', change: 'removed' }),
    )
  })

  test('a worker cannot bring back a scan that was deleted while it ran', async () => {
    const { id, attempt } = await analyzing(scans, 'running.example')
    await forgetting.forgetScans({ ids: [id] })
    expect(await advance(scans, id, attempt, { status: 'analyzing', progress: 90, message: '' })).toBe(false)
    expect(await complete(scans, id, attempt, named('Running'))).toBe(false)
    expect(await fail(scans, id, 'any', 'LATE', 'Late.')).toBe(false)
    expect(await begin(scans, id)).toBeUndefined()
    expect(await eventsAfter(scans.queries, id, 0)).toEqual([])
    expect(await findListingOf(scans, 'running.example')).toBeUndefined()
  })

  test('a deletion while the scans of a site are completed leaves a listing of a scan that exists, or none', async () => {
    for (let round = 0; round < 4; round += 1) {
      const domain = `busy-${round}.example`
      const running = await Promise.all([analyzing(scans, domain), analyzing(scans, domain)])
      await scanned(scans, domain, `Busy ${round}`)
      await Promise.all([
        ...running.map(({ id, attempt }) => complete(scans, id, attempt, named(`Busy ${round}`))),
        forgetting.forgetScans({ domain }),
        other.forgetScans({ domain }),
      ])
      const listing = await findListingOf(scans, domain)
      if (listing) expect(await findScan(scans, listing.scanId, undefined)).toBeDefined()
    }
  })

  test('a deletion of more scans than one batch holds deletes them all', async () => {
    await sql`insert into scans (id, domain, url, has_scheme, depth, priority, is_queued, status, progress, attempt, events,
        created_at, moved_at)
      select gen_random_uuid(), 'many.example', 'https://many.example/', true, 'light', 0, true, 'complete', 100, 1, 1,
        ${new Date(clock.time)}, ${new Date(clock.time)} from generate_series(1, 1000)`.execute(scans.queries)
    expect(await forgetting.forgetScans({ domain: 'many.example' })).toEqual({ deleted: 1_000, isDone: true })
    expect(await rest()).toEqual([])
  })

  test('old scans, addresses, letters and events go by themselves, and a gateway does it for all of them', async () => {
    const young = await scanned(scans, 'young.example', 'Young', { email: 'a@b.example' })
    await letterOf(young)
    await letterOf(randomUUID())
    clock.time += 11 * dayMs
    await Promise.all([forgetting.forgetOld(), other.forgetOld()])
    expect(await findScan(scans, young, undefined)).toMatchObject({ domain: 'young.example', email: null })
    expect(await findListingOf(scans, 'young.example')).toBeDefined()
    // The letter of a scan that is not there is gone, whatever its age; the other one was written just now.
    expect((await readdir(letters)).filter((name) => name.includes(young))).toHaveLength(1)
    expect(await readdir(letters)).toHaveLength(1)
    const longAgo = new Date(clock.time - 11 * dayMs)
    await utimes(join(letters, `scan-${young}.eml`), longAgo, longAgo)

    // An event stays until its deliveries were made.
    await fanOut(scans)
    clock.time += 10 * dayMs
    await forgetting.forgetOld()
    expect(await readdir(letters)).toEqual([])
    expect(await scans.queries.selectFrom('outbox').selectAll().execute()).toEqual([])
    expect(await rest()).toEqual(['young.example'])

    clock.time += 80 * dayMs
    await forgetting.forgetOld()
    expect(await rest()).toEqual([])
    expect(await findListingOf(scans, 'young.example')).toBeUndefined()
  })

  test('what an hour ago was done by another gateway is done again, and not earlier', async () => {
    clock.time += 7_200_000
    await forgetting.forgetOld()
    const { ranAt } = await scans.queries.selectFrom('chores').select('ranAt').executeTakeFirstOrThrow()
    clock.time += 60_000
    await other.forgetOld()
    expect(await scans.queries.selectFrom('chores').select('ranAt').execute()).toEqual([{ ranAt }])
    clock.time += 3_600_000
    await other.forgetOld()
    expect(await scans.queries.selectFrom('chores').select('ranAt').execute()).toEqual([
      { ranAt: new Date(clock.time) },
    ])
  })
})
