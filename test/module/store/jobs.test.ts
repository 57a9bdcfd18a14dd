import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pTimeout from 'p-timeout'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../src/core/log.ts'
import { type Database, openPostgres } from '../../../src/platform/store/database.ts'
import { Jobs } from '../../../src/platform/store/jobs/jobs.ts'
import type { Job, Queue } from '../../../src/platform/store/jobs/queue.ts'
import { linesOf } from '../../support/gateways/logged.ts'
import { patienceMs } from '../../support/patience.ts'
import { emptyDatabase } from '../../support/stores/database.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

const log = createLog('silent')
/** Polls are so rare that work starts only by a notification. */
const seldom = { pollSeconds: 600, superviseSeconds: 600, graceMs: 200 }

interface Step {
  readonly step: string
}

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('background work in %s', (driver, open) => {
  let opened: Opened
  const openedJobs: Jobs[] = []

  beforeAll(async () => {
    opened = await open()
  })
  afterEach(async () => {
    for (const jobs of openedJobs.splice(0)) await jobs.close()
  })
  afterAll(() => opened.close())

  function openHere(database: Database = opened.one, pace = seldom): Jobs {
    const jobs = new Jobs(database, log, pace)
    openedJobs.push(jobs)
    return jobs
  }

  /** Sends from another process where the store allows one. */
  const openSender = (worker: Jobs) => (driver === 'PGlite' ? worker : openHere(opened.other))

  /** A queue whose work waits until the test lets it end, and a record of what happened. */
  function createBench(change: Partial<Queue<Step>> = {}) {
    const queue: Queue<Step> = {
      name: `queue-${randomUUID()}`,
      schema: z.object({ step: z.string() }),
      isKeyed: false,
      attempts: 3,
      retryDelaySeconds: 0,
      limitSeconds: 60,
      ...change,
    }
    const seen: string[] = []
    const waiting: { until: () => boolean; resolve: () => void }[] = []
    const gates = new Map<string, PromiseWithResolvers<void>>()
    const gate = (step: string) => {
      const known = gates.get(step) ?? Promise.withResolvers<void>()
      gates.set(step, known)
      return known
    }
    const note = (what: string) => {
      seen.push(what)
      for (const one of waiting) if (one.until()) one.resolve()
    }
    return {
      queue,
      seen,
      note,
      letEnd: (step: string) => gate(step).resolve(),
      happened(what: string, until = () => seen.includes(what)): Promise<void> {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.push({ until, resolve })
        if (until()) resolve()
        const fallback = () => {
          throw new Error(`"${what}" did not happen within 25 seconds, only: ${seen.join(', ')}`)
        }
        return pTimeout(promise, { milliseconds: patienceMs, fallback })
      },
      async run({ work: { step } }: Job<Step>): Promise<void> {
        note(`${step} begins`)
        await gate(step).promise
        note(`${step} ends`)
      },
      giveUp: async ({ step }: Step) => note(`${step} is given up`),
    }
  }

  test('work that is sent starts without a poll, also when another process sent it', async () => {
    const { queue, run, giveUp, happened, letEnd } = createBench()
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, run)
    await openSender(worker).send(queue, { step: 'a' })
    await happened('a begins')
    letEnd('a')
    await happened('a ends')
  })

  test('waiting work starts when a worker is free, higher priorities first', async () => {
    const { queue, run, giveUp, happened, letEnd, seen } = createBench()
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, run)
    await worker.send(queue, { step: 'first' })
    await happened('first begins')
    await worker.send(queue, { step: 'low' }, { priority: 1 })
    await worker.send(queue, { step: 'high' }, { priority: 2 })
    for (const step of ['high', 'low', 'first']) letEnd(step)
    await happened('low ends')
    expect(seen.filter((line) => line.endsWith('begins'))).toEqual([
      'first begins',
      'high begins',
      'low begins',
    ])
  })

  test('as many pieces of work run at a time as there are workers, and the rest follows', async () => {
    const { queue, run, giveUp, happened, letEnd, seen } = createBench()
    const worker = openHere()
    await worker.work(queue, { concurrency: 3, giveUp }, run)
    const steps = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    await Promise.all(steps.map((step) => worker.send(queue, { step })))
    await happened('three begin', () => seen.length === 3)
    // All workers are busy now.
    await worker.send(queue, { step: 'late' })
    expect(seen.filter((line) => line.endsWith('begins'))).toHaveLength(3)
    const all = [...steps, 'late']
    for (const step of all) letEnd(step)
    await happened('all end', () => all.every((step) => seen.includes(`${step} ends`)))
  })

  test('work that is sent just when a worker runs out of work is not forgotten', async () => {
    const { queue, giveUp, happened, note } = createBench()
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, async ({ work: { step } }) => note(step))
    for (let round = 0; round < 40; round += 1) {
      // Each time a little later: while the last job is being completed, while the worker polls, when it
      // sleeps.
      for (let turn = 0; turn < round % 20; turn += 1) await setImmediate()
      await worker.send(queue, { step: `${round}` })
      await happened(`${round}`)
    }
  })

  // There each poll runs in the thread that answers calls.
  if (driver === 'PGlite')
    test('in the embedded store, sent work wakes one idle worker, not all of them', async () => {
      const { engine } = opened.one
      if (engine.kind !== 'embedded') throw new Error('this is not the embedded store')
      const { queue, giveUp, happened, note } = createBench({ isKeyed: true })
      const worker = openHere()
      await worker.work(queue, { concurrency: 8, giveUp }, async ({ work: { step } }) => note(step))
      const statements = [vi.spyOn(engine.client, 'query'), vi.spyOn(engine.client, 'exec')]
      for (let count = 0; count < 10; count += 1) {
        await worker.send(queue, { step: `${count}` }, { key: `${count}` })
        await happened(`${count}`)
      }
      const texts = statements.flatMap(({ mock }) => mock.calls.map(([text]) => text))
      vi.restoreAllMocks()
      const looks = texts.filter((text) => /skip locked/i.test(text)).length
      // Eight at the start. Then for each job: the worker that runs it, the one it wakes, and itself once
      // more.
      expect(looks).toBeGreaterThanOrEqual(10)
      expect(looks).toBeLessThanOrEqual(8 + 10 * 3)
    })

  test('work with the same key runs one after the other, and work with another key does not wait', async () => {
    const { queue, run, giveUp, happened, letEnd, seen } = createBench({ isKeyed: true })
    const worker = openHere()
    await worker.work(queue, { concurrency: 3, giveUp }, run)
    await worker.send(queue, { step: 'a1' }, { key: 'a.example', priority: 5 })
    await happened('a1 begins')
    await worker.send(queue, { step: 'a2' }, { key: 'a.example', priority: 5 })
    await worker.send(queue, { step: 'b' }, { key: 'b.example' })
    await happened('b begins')
    expect(seen).not.toContain('a2 begins')
    letEnd('a1')
    await happened('a2 begins')
    expect(seen.indexOf('a1 ends')).toBeLessThan(seen.indexOf('a2 begins'))
    for (const step of ['a2', 'b']) letEnd(step)
  })

  test('work that fails in every attempt is abandoned, and later work with its key runs', async () => {
    const { queue, giveUp, happened, note, seen } = createBench({ isKeyed: true, attempts: 3 })
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, async ({ work: { step }, attempt }) => {
      note(`${step} ${attempt}`)
      if (step === 'bad') throw new Error('it does not work')
    })
    await worker.send(queue, { step: 'bad' }, { key: 'same' })
    await worker.send(queue, { step: 'good' }, { key: 'same' })
    await happened('good 1')
    expect(seen).toEqual(['bad 1', 'bad 2', 'bad 3', 'bad is given up', 'good 1'])
  })

  test('a retry that is due later starts then, without a notification', async () => {
    const { queue, giveUp, happened, note } = createBench({ retryDelaySeconds: 1 })
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, async ({ attempt }) => {
      note(`attempt ${attempt}`)
      if (attempt === 1) throw new Error('it does not work')
    })
    await worker.send(queue, { step: 'a' })
    await happened('attempt 2')
  })

  test('work that is sent twice under one id runs once', async () => {
    const { queue, giveUp, happened, note, seen } = createBench()
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, async ({ work: { step } }) => note(step))
    const id = randomUUID()
    await worker.send(queue, { step: 'once' }, { id })
    await worker.send(queue, { step: 'once' }, { id })
    await happened('once')
    await worker.send(queue, { step: 'once' }, { id })
    await worker.send(queue, { step: 'last' })
    await happened('last')
    expect(seen).toEqual(['once', 'last'])
  })

  test('work that exceeds its time limit is aborted and tried again', async () => {
    const { queue, giveUp, happened, note } = createBench({ limitSeconds: 1 })
    const worker = openHere()
    await worker.work(queue, { concurrency: 1, giveUp }, async ({ attempt, signal }) => {
      note(`attempt ${attempt}`)
      if (attempt > 1) return
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await worker.send(queue, { step: 'slow' })
    await happened('attempt 2')
  })

  test('work that cannot be read is dropped, and later work with its key runs', async () => {
    const { queue, run, giveUp, happened, letEnd, seen } = createBench({ isKeyed: true })
    const worker = openHere()
    const older: Queue<{ old: boolean }> = { ...queue, schema: z.object({ old: z.boolean() }) }
    await worker.send(older, { old: true }, { key: 'same' })
    await worker.send(queue, { step: 'new' }, { key: 'same' })
    letEnd('new')
    await worker.work(queue, { concurrency: 1, giveUp }, run)
    await happened('new ends')
    expect(seen).toEqual(['new begins', 'new ends'])
  })

  test('work that runs when a gateway closes is aborted, and runs at the next gateway as its first attempt', async () => {
    const { queue, giveUp, happened, note, seen } = createBench({ isKeyed: true })
    const doomed = openHere()
    await doomed.work(queue, { concurrency: 1, giveUp }, async ({ attempt, signal }) => {
      note(`begins ${attempt}`)
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await doomed.send(queue, { step: 'a' }, { key: 'same' })
    await happened('begins 1')
    await doomed.close()
    await openHere().work(queue, { concurrency: 1, giveUp }, async ({ attempt }) =>
      note(`done at ${attempt}`),
    )
    await happened('done at 1')
    expect(seen).toEqual(['begins 1', 'done at 1'])
  })

  test('work that ignores its signal does not keep a gateway from closing, and is not lost', async () => {
    const { queue, run, giveUp, happened, note } = createBench()
    const doomed = openHere()
    await doomed.work(queue, { concurrency: 1, giveUp }, run)
    await doomed.send(queue, { step: 'deaf' })
    await happened('deaf begins')
    await doomed.close()
    await openHere().work(queue, { concurrency: 1, giveUp }, async ({ work }) => note(`${work.step} is done`))
    await happened('deaf is done')
  })

  test('work is not lost when a worker asks for work just as a closing gateway gives it back', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { queue, run, giveUp, happened, note } = createBench()
      const doomed = openHere(opened.one, { ...seldom, graceMs: 0 })
      await doomed.work(queue, { concurrency: 4, giveUp }, run)
      await doomed.send(queue, { step: 'deaf' })
      await happened('deaf begins')
      await doomed.close()
      const next = openHere()
      await next.work(queue, { concurrency: 1, giveUp }, async ({ work }) => note(`${work.step} is done`))
      await happened('deaf is done')
      await next.close()
    }
  })

  test('work whose process died runs in another process, and is abandoned when the process died in every attempt', async () => {
    const { queue, giveUp, happened, note, seen } = createBench({ attempts: 2 })
    const dead = openHere()
    await dead.work(queue, { concurrency: 1, giveUp: async () => {} }, async () => note('never'))
    await dead.close()
    // As a dead process leaves jobs behind: begun for the first or the last time, and without a heartbeat
    // since.
    const sender = openHere()
    const ids = { first: randomUUID(), last: randomUUID() }
    await sender.send(queue, { step: 'begun once' }, { id: ids.first })
    await sender.send(queue, { step: 'begun twice' }, { id: ids.last })
    await sender.close()
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = 'epoch',
      retry_count = case id when ${ids.first}::uuid then 0 else 1 end
      where name = ${queue.name}`.execute(opened.one.queries)

    const pace = { ...seldom, pollSeconds: 0.5, superviseSeconds: 1 }
    await openHere(opened.other, pace).work(queue, { concurrency: 1, giveUp }, async ({ work, attempt }) =>
      note(`${work.step}: attempt ${attempt}`),
    )
    await happened('begun once: attempt 2')
    await happened('begun twice is given up')
    expect(seen).not.toContain('begun twice: attempt 3')
  })
})

test('workers that find PostgreSQL down report its outage, and write no warning for each attempt', async () => {
  const proxy = await startStoreProxy(await emptyDatabase())
  const logged: string[] = []
  const ownLog = createLog('debug', { write: (line) => void logged.push(line) })
  const database = await openPostgres(proxy.url, ownLog)
  const jobs = new Jobs(database, ownLog, { ...seldom, pollSeconds: 0.5 })
  const queue = { name: 'scans', schema: z.object({}), isKeyed: false, attempts: 1, retryDelaySeconds: 0 }
  await jobs.work({ ...queue, limitSeconds: 60 }, { concurrency: 1, giveUp: async () => {} }, async () => {})
  await proxy.close()
  // Copies of errors, which only the workers emit.
  await expect
    .poll(
      () => logged.filter((line) => line.includes('ECONNREFUSED') && line.includes('Queue: scans')).length,
      {
        message: 'the worker did not ask for work',
      },
    )
    .toBeGreaterThan(1)
  await jobs.close()
  await database.close()
  ownLog.outages.stop()
  expect(linesOf(logged).map(({ msg }) => msg)).toEqual(['an outage has begun: PostgreSQL'])
})
