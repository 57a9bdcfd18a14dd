import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { type Database, openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { type Jobs, openJobs } from '../../../src/platform/store/jobs/jobs.ts'
import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import { findScan } from '../../../src/products/scan/scans/find-scans.ts'
import { findPlaybook } from '../../../src/products/scan/scans/playbooks.ts'
import { followScan } from '../../../src/products/scan/scans/scan-events.ts'
import type { Scan } from '../../../src/products/scan/scans/scan-rows.ts'
import {
  begin,
  createScan,
  createScans,
  markQueued,
  type NewScan,
  type Scans,
} from '../../../src/products/scan/scans/scans.ts'
import type { Capture } from '../../../src/products/scan/site/capture.ts'
import {
  createScanWorker,
  type ScanParts,
  type ScanWorker,
} from '../../../src/products/scan/worker/worker.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { analysis, playbook } from '../../support/scans/scans.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

const log = createLog('silent')
const clock = { now: () => Date.now() }
const seldom = { pollSeconds: 600, superviseSeconds: 600, graceMs: 200 }

const captureOf = ({ url, depth, domain }: Pick<Capture, 'url' | 'depth' | 'domain'>): Capture => ({
  ...{ url, depth, domain },
  takenAt: 0,
  exchanges: [],
})

/** A gateway as far as scans are concerned. */
interface Shop {
  readonly scans: Scans
  readonly worker: ScanWorker
  /** Scans that came to their end, as their caller was told. */
  readonly told: { readonly scan: Scan; readonly analysis: Analysis | undefined }[]
  /** Resolves when the caller of this scan, who gave an address, has been told. */
  toldOf(id: string): Promise<Scan>
  close(): Promise<void>
}

function openShop(database: Database, change: Partial<ScanParts> = {}, pace = seldom): Shop {
  const scans = createScans({ queries: database.queries, clock })
  const jobs: Jobs = openJobs(database, log, pace)
  const told: Shop['told'] = []
  const waiting = new Map<string, (scan: Scan) => void>()
  const worker = createScanWorker({
    ...{ scans, jobs, log, atOnce: 2, retryDelaySeconds: 0 },
    capture: async (request) => captureOf(request),
    analyze: async () => analysis(),
    afterwards: async (scan, found) => {
      told.push({ scan, analysis: found })
      waiting.get(scan.id)?.(scan)
    },
    makePlaybook: playbook,
    ...change,
  })
  return {
    ...{ scans, worker, told },
    toldOf(id) {
      const known = told.find(({ scan }) => scan.id === id)
      return known ? Promise.resolve(known.scan) : new Promise((resolve) => waiting.set(id, resolve))
    },
    async close() {
      await worker.close()
      await jobs.close()
    },
  }
}

const newScan = (change: Partial<NewScan> = {}): NewScan => {
  const domain = change.domain ?? `${randomUUID()}.example`
  const email = 'a@b.example'
  return { url: `https://${domain}/`, domain, hasScheme: true, depth: 'light', priority: 0, email, ...change }
}

async function submit(shop: Shop, change: Partial<NewScan> = {}): Promise<string> {
  const created = await shop.worker.submit(newScan(change))
  if (created === 'conflict') throw new Error('a new scan was taken for another')
  return created.id
}

async function statusesOf(scans: Scans, id: string): Promise<string[]> {
  const statuses: string[] = []
  for await (const event of followScan(scans, id, 0, AbortSignal.timeout(20_000))) statuses.push(event.status)
  return statuses
}

/** Starts the process that is to be killed. @returns the id of the scan it has begun. */
async function killWhileScanning(store: string): Promise<string> {
  const program = fileURLToPath(new URL('../../support/scans/scan-killed.ts', import.meta.url))
  const child = spawn(process.execPath, ['--liftoff-only', program, store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [id] = await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGKILL')
  await ended
  return String(id)
}

describe('the worker of scans', () => {
  let url: string
  let database: Database
  const shops: Shop[] = []

  beforeAll(async () => {
    url = await emptyDatabase()
    database = await openPostgres(url, log)
  })
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close()
  })
  afterAll(() => database.close())

  async function open(change: Partial<ScanParts> = {}, pace = seldom): Promise<Shop> {
    const shop = openShop(database, change, pace)
    shops.push(shop)
    await shop.worker.start()
    return shop
  }

  test('an accepted scan is carried out, its playbook made, and its caller told once', async () => {
    const shop = await open({
      async capture(request, onProgress) {
        onProgress(0.5)
        onProgress(1)
        return captureOf(request)
      },
      makePlaybook: (found) => ({ ...playbook(), topPrioritySkills: [found.companyName] }),
    })
    const id = await submit(shop, { email: 'a@b.example' })
    const statuses = await statusesOf(shop.scans, id)
    expect([...new Set(statuses)]).toEqual(['pending', 'fetching', 'analyzing', 'complete'])
    expect(await shop.toldOf(id)).toMatchObject({ id, status: 'complete', email: 'a@b.example' })
    expect(shop.told.filter(({ scan }) => scan.id === id)).toMatchObject([{ analysis: analysis() }])
    await expect
      .poll(() => findPlaybook(shop.scans, id))
      .toMatchObject({ status: 'complete', content: { topPrioritySkills: ['Example'] } })
  })

  test('a scan gets what was asked for, and its progress is told while it is fetched', async () => {
    const asked: unknown[] = []
    const middle = Promise.withResolvers<void>()
    const shop = await open({
      async capture(request, onProgress) {
        asked.push(request)
        onProgress(0.5)
        await middle.promise
        return captureOf(request)
      },
    })
    const id = await submit(shop, { domain: 'asked.example', depth: 'full', hasScheme: false })
    for await (const { progress } of followScan(shop.scans, id, 0, AbortSignal.timeout(20_000))) {
      if (progress === 35) middle.resolve()
    }
    await shop.toldOf(id)
    expect(asked).toEqual([
      { url: 'https://asked.example/', hasScheme: false, depth: 'full', domain: 'asked.example' },
    ])
  })

  test('a site that cannot be scanned ends the scan at once, with what is wrong', async () => {
    let attempts = 0
    const shop = await open({
      async capture() {
        attempts += 1
        throw new ScanFailure('SITE_NOT_FOUND', 'There is no site of this name. Check how it is spelt.')
      },
    })
    const id = await submit(shop)
    expect(await shop.toldOf(id)).toMatchObject({
      ...{ status: 'error', errorCode: 'SITE_NOT_FOUND' },
      errorMessage: 'There is no site of this name. Check how it is spelt.',
    })
    expect(shop.told.filter(({ scan }) => scan.id === id)).toMatchObject([{ analysis: undefined }])
    expect(attempts).toBe(1)
    expect(await findPlaybook(shop.scans, id)).toBeUndefined()
  })

  test('a fault of ours is tried twice more, and a scan that then works out is complete', async () => {
    let attempts = 0
    const shop = await open({
      async capture(request) {
        attempts += 1
        if (attempts < 3) throw new Error('out of luck')
        return captureOf(request)
      },
    })
    expect(await shop.toldOf(await submit(shop))).toMatchObject({ status: 'complete', attempt: 3 })
  })

  test('a fault that stays ends the scan, without a word about our insides', async () => {
    const shop = await open({
      analyze: () => Promise.reject(new Error('cannot read /etc/secret')),
    })
    const id = await submit(shop)
    const { status, errorCode, errorMessage } = await shop.toldOf(id)
    expect({ status, errorCode }).toEqual({ status: 'error', errorCode: 'SCAN_FAILED' })
    expect(errorMessage).toMatch(/could not be finished/)
    expect(errorMessage).not.toMatch(/secret|Error/)
    expect((await statusesOf(shop.scans, id)).at(-1)).toBe('error')
  })

  test('a scan that takes too long ends in an error that says so, also when its capture hears of nothing', async () => {
    const shop = await open({
      capture: () => new Promise(() => {}),
      limitsMs: { light: 50, basic: 60_000, full: 60_000 },
    })
    expect(await shop.toldOf(await submit(shop))).toMatchObject({
      ...{ status: 'error', errorCode: 'SCAN_TIMEOUT', attempt: 2 },
      errorMessage: expect.stringMatching(/within 1 seconds.*try again later/),
    })
  })

  test('the time a scan waits to be judged is not counted, and its site is not called slow', async () => {
    const late = Promise.withResolvers<void>()
    const shop = await open({
      async capture(request, _onProgress, limited) {
        limited.addEventListener('abort', () => late.resolve())
        return captureOf(request)
      },
      async analyze(_captured, signal) {
        await late.promise
        signal.throwIfAborted()
        return analysis()
      },
      limitsMs: { light: 300, basic: 60_000, full: 60_000 },
    })
    expect(await shop.toldOf(await submit(shop))).toMatchObject({ status: 'complete' })
  })

  test('the time a scan waits for its turn is not counted', async () => {
    const first = Promise.withResolvers<void>()
    const shop = await open({
      async capture(request) {
        if (request.depth === 'full') await first.promise
        return captureOf(request)
      },
      limitsMs: { light: 300, basic: 60_000, full: 60_000 },
    })
    const domain = 'busy.example'
    const before = await submit(shop, { domain, depth: 'full' })
    const waits = await submit(shop, { domain })
    // Longer than it may take once it is begun.
    const { createdAt } = (await findScan(shop.scans, waits, undefined)) ?? {}
    await expect.poll(() => Date.now() - (createdAt?.getTime() ?? 0)).toBeGreaterThan(400)
    first.resolve()
    expect(await shop.toldOf(before)).toMatchObject({ status: 'complete' })
    expect(await shop.toldOf(waits)).toMatchObject({ status: 'complete' })
  })

  test('one domain is scanned once at a time, over all gateways, and does not hold up another', async () => {
    let running = 0
    let most = 0
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const began = gates.map(() => Promise.withResolvers<void>())
    let turn = 0
    const capture: ScanParts['capture'] = async (request) => {
      if (request.domain === 'other.example') return captureOf(request)
      running += 1
      most = Math.max(most, running)
      began[turn]?.resolve()
      await gates[turn++]?.promise
      running -= 1
      return captureOf(request)
    }
    const [one, other] = [await open({ capture }), await open({ capture })]
    const ids = [await submit(one, { domain: 'same.example', priority: 9 })]
    await began[0]?.promise
    ids.push(await submit(other, { domain: 'same.example', priority: 9 }))
    const free = await submit(one, { domain: 'other.example' })
    await Promise.race([one.toldOf(free), other.toldOf(free)])
    gates[0]?.resolve()
    await began[1]?.promise
    gates[1]?.resolve()
    await Promise.all(ids.map((id) => Promise.race([one.toldOf(id), other.toldOf(id)])))
    expect(most).toBe(1)
  })

  test('a worker whose scan was taken over stops, and does not end it', async () => {
    const stopped = Promise.withResolvers<void>()
    const shop = await open({
      async capture(request, onProgress, signal) {
        signal.addEventListener('abort', () => stopped.resolve())
        const { rows } = await sql<{
          id: string
        }>`select id from scans where domain = ${request.domain}`.execute(database.queries)
        await begin(shop.scans, rows[0]?.id ?? '')
        onProgress(0.9)
        return await new Promise(() => {})
      },
    })
    const id = await submit(shop)
    await stopped.promise
    expect(await findScan(shop.scans, id, undefined)).toMatchObject({ status: 'fetching', attempt: 2 })
  })

  test('a scan without an e-mail address leaves nobody to be told, however it ends', async () => {
    const shop = await open({
      async capture(request) {
        if (request.domain === 'gone.example')
          throw new ScanFailure('SITE_NOT_FOUND', 'There is no such site.')
        if (request.domain === 'odd.example') throw new Error('out of luck')
        return captureOf(request)
      },
    })
    const domains = ['fine.example', 'gone.example', 'odd.example']
    const ids = await Promise.all(domains.map((domain) => submit(shop, { domain, email: undefined })))
    const ends = await Promise.all(ids.map(async (id) => (await statusesOf(shop.scans, id)).at(-1)))
    expect(ends).toEqual(['complete', 'error', 'error'])
    await expect.poll(() => findPlaybook(shop.scans, ids[0] ?? '')).toMatchObject({ status: 'complete' })
    // Told in turn: had there been anything to tell, it would have been told by now.
    await shop.toldOf(await submit(shop))
    expect(shop.told.filter(({ scan }) => ids.includes(scan.id))).toEqual([])
    const { rows } =
      await sql`select 1 from pgboss.job where name = 'scan-afterwards' and id = any(${ids})`.execute(
        database.queries,
      )
    expect(rows).toEqual([])
  })

  test('telling the caller is tried again by itself: the scan stays complete and is not run again', async () => {
    const counts = { captured: 0, told: 0 }
    const done = Promise.withResolvers<void>()
    const shop = await open({
      async capture(request) {
        counts.captured += 1
        return captureOf(request)
      },
      async afterwards() {
        counts.told += 1
        if (counts.told === 1) throw new Error('the mail server is away')
        done.resolve()
      },
    })
    const id = await submit(shop)
    await done.promise
    expect(counts).toEqual({ captured: 1, told: 2 })
    expect(await findScan(shop.scans, id, undefined)).toMatchObject({ status: 'complete' })
  })

  test('a scan that was accepted by a process that died before it told the workers is carried out', async () => {
    const scans = createScans({ queries: database.queries, clock })
    const created = await createScan(scans, newScan())
    const shop = await open()
    expect(created !== 'conflict' && (await shop.toldOf(created.id))).toMatchObject({
      ...{ status: 'complete', isQueued: true },
    })
  })

  test('a scan that was begun and whose work has got lost is carried out', async () => {
    // Begun so long ago that no attempt can be under way.
    const earlier = createScans({ queries: database.queries, clock: { now: () => Date.now() - 2_000_000 } })
    const created = await createScan(earlier, newScan())
    if (created === 'conflict') throw new Error('a new scan was taken for another')
    await markQueued(earlier, [created.id])
    await begin(earlier, created.id)
    const shop = await open()
    expect(await shop.toldOf(created.id)).toMatchObject({ status: 'complete', attempt: 2 })
  })

  test('a scan that was complete when its process died is told of, and gets its playbook', async () => {
    const first = await open({ afterwards: async () => {} })
    const id = await submit(first)
    await statusesOf(first.scans, id)
    await expect.poll(() => findPlaybook(first.scans, id)).toMatchObject({ status: 'complete' })
    await first.close()
    // As it is when the process dies right behind the last statement of the scan.
    await sql`update pgboss.job set state = 'retry' where name = 'scans' and id = ${id}`.execute(
      database.queries,
    )
    await sql`delete from pgboss.job where name = 'scan-afterwards' and id = ${id}`.execute(database.queries)
    await sql`update playbooks set status = 'generating', content = null where scan_id = ${id}`.execute(
      database.queries,
    )
    const second = await open()
    expect(await second.toldOf(id)).toMatchObject({ status: 'complete', attempt: 1 })
    await expect.poll(() => findPlaybook(second.scans, id)).toMatchObject({ status: 'complete' })
  })

  test('a scan whose gateway closes goes on at another one, as if nothing had been', async () => {
    const begun = Promise.withResolvers<void>()
    const closing = await open({
      capture() {
        begun.resolve()
        return new Promise(() => {})
      },
    })
    const id = await submit(closing)
    await begun.promise
    await closing.close()
    const other = await open()
    expect(await other.toldOf(id)).toMatchObject({ status: 'complete' })
  })

  test('a scan whose process is killed is taken up by another one and completes', async () => {
    const id = await killWhileScanning(url)
    expect(await findScan({ queries: database.queries }, id, undefined)).toMatchObject({ status: 'fetching' })
    // Lets the time pass after which a silent process is presumed dead.
    await sql`update pgboss.job set heartbeat_on = 'epoch' where id = ${id}`.execute(database.queries)
    const shop = await open({}, { ...seldom, pollSeconds: 0.5, superviseSeconds: 1 })
    await statusesOf(shop.scans, id)
    expect(await findScan(shop.scans, id, undefined)).toMatchObject({ status: 'complete', attempt: 2 })
  })
})

test('in the embedded store, a scan whose process is killed is taken up at the next start', async () => {
  const { folder, remove } = await temporaryFolder()
  const id = await killWhileScanning(folder)
  const database = await openEmbedded(folder, cacheDir)
  const shop = openShop(database)
  try {
    await shop.worker.start()
    await statusesOf(shop.scans, id)
    expect(await findScan(shop.scans, id, undefined)).toMatchObject({ status: 'complete', attempt: 2 })
  } finally {
    await shop.close()
    await database.close()
    await remove()
  }
})
