import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { type Database, openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { Jobs } from '../../../src/platform/store/jobs/jobs.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import { createScan, markQueued, type NewScan } from '../../../src/products/scan/scans/accepted-scans.ts'
import { findScan } from '../../../src/products/scan/scans/find-scans.ts'
import { findPlaybook } from '../../../src/products/scan/scans/playbooks.ts'
import { followScan } from '../../../src/products/scan/scans/scan-events.ts'
import type { Scan } from '../../../src/products/scan/scans/scan-rows.ts'
import { begin, createScans, type Scans } from '../../../src/products/scan/scans/scans.ts'
import type { Capture } from '../../../src/products/scan/site/capture.ts'
import { ScanWorker, type ScanWorkerParts } from '../../../src/products/scan/worker/worker.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { patienceMs } from '../../support/patience.ts'
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

/** The part of a gateway that runs scans. */
interface TestWorker {
  readonly scans: Scans
  readonly worker: ScanWorker
  /** Scans whose report was sent, in order. */
  readonly reports: readonly Scan[]
  /** Resolves when the report of this scan is sent. */
  reportOf(id: string): Promise<Scan>
  close(): Promise<void>
}

function openWorker(database: Database, change: Partial<ScanWorkerParts> = {}, pace = seldom): TestWorker {
  const scans = createScans({ queries: database.queries, clock })
  const jobs = new Jobs(database, log, pace)
  const reports: Scan[] = []
  const sent = new EventEmitter<Record<string, [Scan]>>()
  const worker = new ScanWorker({
    ...{ scans, jobs, log, concurrency: 2, retryDelaySeconds: 0 },
    capture: async (request) => captureOf(request),
    analyze: async () => analysis(),
    async sendReport(scan) {
      reports.push(scan)
      sent.emit(scan.id, scan)
    },
    makePlaybook: async () => playbook(),
    giveBack: async () => {},
    ...change,
  })
  return {
    ...{ scans, worker, reports },
    async reportOf(id) {
      const known = reports.find((scan) => scan.id === id)
      if (known) return known
      const [scan] = await once(sent, id, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {
        throw new Error(`no report of the scan ${id} was sent within 25 seconds`)
      })
      return scan
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

async function submit(gateway: TestWorker, change: Partial<NewScan> = {}): Promise<string> {
  const created = await gateway.worker.submit(newScan(change))
  if (created === 'conflict')
    throw new Error('the store took a new scan for one with the same idempotency key')
  return created.id
}

async function statusesOf(scans: Scans, id: string): Promise<string[]> {
  const statuses: string[] = []
  for await (const event of followScan(scans, id, 0, AbortSignal.timeout(patienceMs)))
    statuses.push(event.status)
  return statuses
}

/**
 * Starts a process that begins a scan, and kills it.
 * @returns the id of the scan.
 */
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

describe('the scan worker', () => {
  let url: string
  let database: Database
  const opened: TestWorker[] = []

  beforeAll(async () => {
    url = await emptyDatabase()
    database = await openPostgres(url, log)
  })
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close()
  })
  afterAll(() => database.close())

  async function open(change: Partial<ScanWorkerParts> = {}, pace = seldom): Promise<TestWorker> {
    const gateway = openWorker(database, change, pace)
    opened.push(gateway)
    await gateway.worker.start()
    return gateway
  }

  test('an accepted scan completes, gets its playbook, and its report is sent once', async () => {
    const gateway = await open({
      async capture(request, onProgress) {
        onProgress(0.5)
        onProgress(1)
        return captureOf(request)
      },
      makePlaybook: async (found) => ({ ...playbook(), topPrioritySkills: [found.companyName] }),
    })
    const id = await submit(gateway, { email: 'a@b.example' })
    const statuses = await statusesOf(gateway.scans, id)
    expect([...new Set(statuses)]).toEqual(['pending', 'fetching', 'analyzing', 'complete'])
    expect(await gateway.reportOf(id)).toMatchObject({ id, status: 'complete', email: 'a@b.example' })
    expect(gateway.reports.filter((scan) => scan.id === id)).toMatchObject([{ analysis: analysis() }])
    await expect
      .poll(() => findPlaybook(gateway.scans, id))
      .toMatchObject({ status: 'complete', content: { topPrioritySkills: ['Example'] } })
  })

  test('the site is fetched as the caller asked, and events tell the progress of fetching', async () => {
    const asked: unknown[] = []
    const middle = Promise.withResolvers<void>()
    const gateway = await open({
      async capture(request, onProgress) {
        asked.push(request)
        onProgress(0.5)
        await middle.promise
        return captureOf(request)
      },
    })
    const id = await submit(gateway, { domain: 'asked.example', depth: 'full', hasScheme: false })
    for await (const { progress } of followScan(gateway.scans, id, 0, AbortSignal.timeout(patienceMs))) {
      if (progress === 35) middle.resolve()
    }
    await gateway.reportOf(id)
    expect(asked).toEqual([
      { url: 'https://asked.example/', hasScheme: false, depth: 'full', domain: 'asked.example' },
    ])
  })

  test('a site that cannot be scanned ends the scan in its first attempt, with an error that says what is wrong', async () => {
    let attempts = 0
    const gateway = await open({
      async capture() {
        attempts += 1
        throw new ScanFailure('SITE_NOT_FOUND', 'There is no site of this name. Check how it is spelt.')
      },
    })
    const id = await submit(gateway)
    expect(await gateway.reportOf(id)).toMatchObject({
      ...{ status: 'error', errorCode: 'SITE_NOT_FOUND' },
      errorMessage: 'There is no site of this name. Check how it is spelt.',
    })
    expect(gateway.reports.filter((scan) => scan.id === id)).toMatchObject([{ analysis: null }])
    expect(attempts).toBe(1)
    expect(await findPlaybook(gateway.scans, id)).toBeUndefined()
  })

  describe('the units of a scan whose site cannot be reached', () => {
    const units = [{ subject: 'client:192.0.2.7', operation: 'triggerScan', period: '2026-11-22', units: 1 }]
    const unreached = (isUnreached = true) =>
      new ScanFailure('SITE_UNREACHABLE', 'The name has no address.', { isUnreached })
    /** A worker whose scans end so, and what it gave back. */
    async function openFailing(capture: ScanWorkerParts['capture'], change: Partial<ScanWorkerParts> = {}) {
      const given: unknown[] = []
      const giveBack = async (back: unknown) => void given.push(back)
      return { given, gateway: await open({ capture, giveBack, ...change }) }
    }

    test('are given back once, and the error says so', async () => {
      const { given, gateway } = await openFailing(() => Promise.reject(unreached()))
      const { errorMessage } = await gateway.reportOf(await submit(gateway, { units }))
      expect(errorMessage).toBe('The name has no address. It does not count against your scans.')
      await expect.poll(() => given, { message: 'no unit was given back' }).toEqual([units])
    })

    test('stay counted when the site was reached, and after ten seconds', async () => {
      let now = Date.now()
      const later = { ...createScans({ queries: database.queries, clock: { now: () => now } }) }
      const reached = () => openFailing(() => Promise.reject(unreached(false)))
      const late = () =>
        openFailing(
          async () => {
            now += 10_001
            throw unreached()
          },
          { scans: later },
        )
      // One after the other: of two workers, either takes the scan.
      for (const opening of [reached, late]) {
        const { given, gateway } = await opening()
        const { errorMessage } = await gateway.reportOf(await submit(gateway, { units }))
        expect(errorMessage).toBe('The name has no address.')
        expect(given).toEqual([])
        await gateway.close()
      }
    })

    test('are given back by the worker that takes the scan over, and not by the one it was taken from', async () => {
      const begun = Promise.withResolvers<void>()
      const gone = await openFailing(async () => {
        begun.resolve()
        return new Promise(() => {})
      })
      const id = await submit(gone.gateway, { units })
      await begun.promise
      await gone.gateway.close()
      const other = await openFailing(() => Promise.reject(unreached()))
      await other.gateway.reportOf(id)
      await expect.poll(() => other.given, { message: 'no unit was given back' }).toEqual([units])
      expect(gone.given).toEqual([])
    })
  })

  test('a scan that fails twice by a fault of ours completes in its third attempt', async () => {
    let attempts = 0
    const gateway = await open({
      async capture(request) {
        attempts += 1
        if (attempts < 3) throw new Error('out of luck')
        return captureOf(request)
      },
    })
    expect(await gateway.reportOf(await submit(gateway))).toMatchObject({ status: 'complete', attempt: 3 })
  })

  test('a scan that fails three times by a fault of ours ends with an error that shows no internals', async () => {
    const gateway = await open({
      analyze: () => Promise.reject(new Error('cannot read /etc/secret')),
    })
    const id = await submit(gateway)
    const { status, errorCode, errorMessage } = await gateway.reportOf(id)
    expect({ status, errorCode }).toEqual({ status: 'error', errorCode: 'SCAN_FAILED' })
    expect(errorMessage).toMatch(/could not be finished/)
    expect(errorMessage).not.toMatch(/secret|Error/)
    expect((await statusesOf(gateway.scans, id)).at(-1)).toBe('error')
  })

  test('a site that is not fetched in time ends the scan with an error, even when the fetching ignores its signal', async () => {
    const gateway = await open({
      capture: () => new Promise(() => {}),
      limitsMs: { light: 50, basic: 60_000, full: 60_000 },
    })
    expect(await gateway.reportOf(await submit(gateway))).toMatchObject({
      ...{ status: 'error', errorCode: 'SCAN_TIMEOUT', attempt: 2 },
      errorMessage: expect.stringMatching(/within 1 seconds.*try again later/),
    })
  })

  test('the time a scan waits to be judged does not count against the limit for fetching', async () => {
    const gateway = await open({
      async analyze(_captured, signal) {
        await setTimeout(400)
        signal.throwIfAborted()
        return analysis()
      },
      limitsMs: { light: 300, basic: 60_000, full: 60_000 },
    })
    expect(await gateway.reportOf(await submit(gateway))).toMatchObject({ status: 'complete' })
  })

  test('the time a scan waits for another scan of its domain does not count against the limit for fetching', async () => {
    const first = Promise.withResolvers<void>()
    const gateway = await open({
      async capture(request) {
        if (request.depth === 'full') await first.promise
        return captureOf(request)
      },
      limitsMs: { light: 300, basic: 60_000, full: 60_000 },
    })
    const domain = 'busy.example'
    const before = await submit(gateway, { domain, depth: 'full' })
    const waits = await submit(gateway, { domain })
    // Longer than fetching may take.
    const { createdAt } = (await findScan(gateway.scans, waits, undefined)) ?? {}
    await expect.poll(() => Date.now() - (createdAt?.getTime() ?? 0)).toBeGreaterThan(400)
    first.resolve()
    expect(await gateway.reportOf(before)).toMatchObject({ status: 'complete' })
    expect(await gateway.reportOf(waits)).toMatchObject({ status: 'complete' })
  })

  test('two gateways never scan one domain at the same time, and a scan of another domain does not wait for them', async () => {
    let fetching = 0
    let most = 0
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const began = gates.map(() => Promise.withResolvers<void>())
    let turn = 0
    const capture: ScanWorkerParts['capture'] = async (request) => {
      if (request.domain === 'other.example') return captureOf(request)
      fetching += 1
      most = Math.max(most, fetching)
      began[turn]?.resolve()
      await gates[turn++]?.promise
      fetching -= 1
      return captureOf(request)
    }
    const [one, other] = [await open({ capture }), await open({ capture })]
    const ids = [await submit(one, { domain: 'same.example', priority: 9 })]
    await began[0]?.promise
    ids.push(await submit(other, { domain: 'same.example', priority: 9 }))
    const free = await submit(one, { domain: 'other.example' })
    await Promise.race([one.reportOf(free), other.reportOf(free)])
    gates[0]?.resolve()
    await began[1]?.promise
    gates[1]?.resolve()
    await Promise.all(ids.map((id) => Promise.race([one.reportOf(id), other.reportOf(id)])))
    expect(most).toBe(1)
  })

  test('a worker whose scan another worker has taken over stops and does not end it', async () => {
    const stopped = Promise.withResolvers<void>()
    const gateway = await open({
      async capture(request, onProgress, signal) {
        signal.addEventListener('abort', () => stopped.resolve())
        const { rows } = await sql<{
          id: string
        }>`select id from scans where domain = ${request.domain}`.execute(database.queries)
        await begin(gateway.scans, rows[0]?.id ?? '')
        onProgress(0.9)
        return await new Promise(() => {})
      },
    })
    const id = await submit(gateway)
    await stopped.promise
    expect(await findScan(gateway.scans, id, undefined)).toMatchObject({ status: 'fetching', attempt: 2 })
  })

  test('a scan without an e-mail address sends no report, however it ends', async () => {
    const gateway = await open({
      async capture(request) {
        if (request.domain === 'gone.example')
          throw new ScanFailure('SITE_NOT_FOUND', 'There is no such site.')
        if (request.domain === 'odd.example') throw new Error('out of luck')
        return captureOf(request)
      },
    })
    const domains = ['fine.example', 'gone.example', 'odd.example']
    const ids = await Promise.all(domains.map((domain) => submit(gateway, { domain, email: undefined })))
    const ends = await Promise.all(ids.map(async (id) => (await statusesOf(gateway.scans, id)).at(-1)))
    expect(ends).toEqual(['complete', 'error', 'error'])
    await expect.poll(() => findPlaybook(gateway.scans, ids[0] ?? '')).toMatchObject({ status: 'complete' })
    // Reports are sent one after the other: any report of these scans would have been sent before this one.
    await gateway.reportOf(await submit(gateway))
    expect(gateway.reports.filter(({ id }) => ids.includes(id))).toEqual([])
    const { rows } =
      await sql`select 1 from pgboss.job where name = 'scan-afterwards' and id = any(${ids})`.execute(
        database.queries,
      )
    expect(rows).toEqual([])
  })

  test('a report that could not be sent is sent again, without another scan', async () => {
    const counts = { captured: 0, reported: 0 }
    const done = Promise.withResolvers<void>()
    const gateway = await open({
      async capture(request) {
        counts.captured += 1
        return captureOf(request)
      },
      async sendReport() {
        counts.reported += 1
        if (counts.reported === 1) throw new Error('the mail server is away')
        done.resolve()
      },
    })
    const id = await submit(gateway)
    await done.promise
    expect(counts).toEqual({ captured: 1, reported: 2 })
    expect(await findScan(gateway.scans, id, undefined)).toMatchObject({ status: 'complete' })
  })

  test('a scan whose process died between accepting and queueing it completes', async () => {
    const scans = createScans({ queries: database.queries, clock })
    const created = await createScan(scans, newScan())
    const gateway = await open()
    expect(created !== 'conflict' && (await gateway.reportOf(created.id))).toMatchObject({
      ...{ status: 'complete', isQueued: true },
    })
  })

  test('a scan that began and whose job got lost completes', async () => {
    // Begun so long ago that no attempt can be under way.
    const earlier = createScans({ queries: database.queries, clock: { now: () => Date.now() - 2_000_000 } })
    const created = await createScan(earlier, newScan())
    if (created === 'conflict')
      throw new Error('the store took a new scan for one with the same idempotency key')
    await markQueued(earlier, created.id)
    await begin(earlier, created.id)
    const gateway = await open()
    expect(await gateway.reportOf(created.id)).toMatchObject({ status: 'complete', attempt: 2 })
  })

  test('a scan whose process died when it was complete gets its report and its playbook', async () => {
    const first = await open({ sendReport: async () => {} })
    const id = await submit(first)
    await statusesOf(first.scans, id)
    await expect.poll(() => findPlaybook(first.scans, id)).toMatchObject({ status: 'complete' })
    await first.close()
    // The state after a process died right after the last statement of the scan.
    await sql`update pgboss.job set state = 'retry' where name = 'scans' and id = ${id}`.execute(
      database.queries,
    )
    await sql`delete from pgboss.job where name = 'scan-afterwards' and id = ${id}`.execute(database.queries)
    await sql`update playbooks set status = 'generating', content = null where scan_id = ${id}`.execute(
      database.queries,
    )
    const second = await open()
    expect(await second.reportOf(id)).toMatchObject({ status: 'complete', attempt: 1 })
    await expect.poll(() => findPlaybook(second.scans, id)).toMatchObject({ status: 'complete' })
  })

  test('a scan whose gateway closes completes at another gateway', async () => {
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
    const other = await open({}, { ...seldom, pollSeconds: 0.5 })
    expect(await other.reportOf(id)).toMatchObject({ status: 'complete' })
  })

  test('a scan whose process is killed completes in another process', async () => {
    const id = await killWhileScanning(url)
    expect(await findScan({ queries: database.queries }, id, undefined)).toMatchObject({ status: 'fetching' })
    // Lets the time pass after which a silent process counts as dead.
    await sql`update pgboss.job set heartbeat_on = 'epoch' where id = ${id}`.execute(database.queries)
    const gateway = await open({}, { ...seldom, pollSeconds: 0.5, superviseSeconds: 1 })
    await statusesOf(gateway.scans, id)
    expect(await findScan(gateway.scans, id, undefined)).toMatchObject({ status: 'complete', attempt: 2 })
  })
})

test('in the embedded store, a scan whose process is killed completes after the next start', async () => {
  const { folder, remove } = await temporaryFolder()
  const id = await killWhileScanning(folder)
  const database = await openEmbedded(folder, cacheDir)
  const gateway = openWorker(database)
  try {
    await gateway.worker.start()
    await statusesOf(gateway.scans, id)
    expect(await findScan(gateway.scans, id, undefined)).toMatchObject({ status: 'complete', attempt: 2 })
  } finally {
    await gateway.close()
    await database.close()
    await remove()
  }
})
