import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { type Counter, type Counters, QuotasUnavailable } from '../../../src/doors/quota/counters/counters.ts'
import { createMemoryCounters, type MemoryOptions } from '../../../src/doors/quota/counters/memory.ts'
import { type Database, openEmbedded } from '../../../src/platform/store/database.ts'
import { cacheDir, temporaryFolder } from '../../support/chain/chain.ts'
import { openFolder } from '../../support/stores/ledger.ts'

/** How the counters of the embedded store, which decide in memory, are written to the table. */

const log = createLog('silent')
const day = '2026-11-21'
const month = '2026-11'
const anHourMs = 3_600_000

let database: Database
let closeStore: () => Promise<void>
let counter: Counter
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  const { one, close } = await openFolder()
  database = one
  closeStore = close
})
afterAll(() => closeStore())
beforeEach(() => {
  const subject = `client:${randomBytes(8).toString('hex')}`
  counter = { subject, operation: 'writeBlog', period: day, limit: 100, units: 1 }
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function newFolder(): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  closers.push(remove)
  return folder
}

async function openStore(folder: string): Promise<Database> {
  const opened = await openEmbedded(folder, cacheDir)
  closers.push(opened.close)
  return opened
}

/** Counters that write only when a test says so. */
function count(options: Partial<MemoryOptions> = {}, { queries }: Database = database): Counters {
  const counters = createMemoryCounters(queries, { log, flushMs: anHourMs, ...options })
  closers.push(() => counters.close())
  return counters
}

async function takeTimes(counters: Counters, times: number, change: Partial<Counter> = {}): Promise<void> {
  for (let units = 0; units < times; units += 1) await counters.take([{ ...counter, ...change }])
}

/** The subject's usage by period in the table, as the next process reads it. */
async function written(): Promise<Record<string, number>> {
  const rows = await database.queries
    .selectFrom('usage')
    .selectAll()
    .where('subject', '=', counter.subject)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.period, Number(row.used)]))
}

test('counts are written to the table after a short time', async () => {
  const counters = count({ flushMs: 1 })
  await takeTimes(counters, 2)
  await expect.poll(() => written()).toEqual({ [day]: 2 })
  await counters.give([counter])
  await expect.poll(() => written()).toEqual({ [day]: 1 })
})

test('a restarted gateway continues its counts', async () => {
  const folder = await newFolder()
  const first = await openEmbedded(folder, cacheDir)
  const counters = createMemoryCounters(first.queries, { log, flushMs: anHourMs })
  await takeTimes(counters, 3)
  await counters.close()
  await first.close()

  const again = count({}, await openStore(folder))
  expect(await again.take([{ ...counter, limit: 4 }])).toEqual({ kind: 'taken', used: [4] })
  expect(await again.take([{ ...counter, limit: 4 }])).toEqual({ kind: 'exhausted', at: 0, used: [4] })
})

test('a killed gateway loses only unwritten counts, and its written reservations stay taken', async () => {
  const folder = await newFolder()
  const script = fileURLToPath(new URL('../../support/stores/quota-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, counter.subject, day], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit'),
  ])
  expect(line).toBe('taken')
  child.kill('SIGKILL')
  await once(child, 'exit')

  const again = count({}, await openStore(folder))
  const setAside = { ...counter, operation: 'chat.tokens', limit: 10_000, units: 8_000 }
  expect(await again.take([counter, setAside])).toEqual({ kind: 'exhausted', at: 1, used: [5, 8_000] })
  expect(await again.take([counter])).toEqual({ kind: 'taken', used: [6] })
})

test('a count that cannot be written is kept, logged once, and written later', async () => {
  const lines: string[] = []
  const counters = count({
    flushMs: 1,
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  })
  await takeTimes(counters, 1)
  await sql`alter table usage rename to elsewhere`.execute(database.queries)
  await takeTimes(counters, 2)
  await expect.poll(() => lines.filter((line) => line.includes('in memory only'))).toHaveLength(1)
  expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [4] })
  await expect(counters.used(counter.subject, [day])).rejects.toThrow(QuotasUnavailable)

  await sql`alter table elsewhere rename to usage`.execute(database.queries)
  await expect.poll(() => written()).toEqual({ [day]: 4 })
  expect(lines.filter((line) => line.includes('in memory only'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('written to the store again'))).toHaveLength(1)
})

test('a counter that cannot be read gives no unit, and the next call reads it again', async () => {
  const counters = count()
  await sql`alter table usage rename to elsewhere`.execute(database.queries)
  await expect(counters.take([counter])).rejects.toThrow(QuotasUnavailable)
  await expect(counters.give([counter])).rejects.toThrow(QuotasUnavailable)
  await sql`alter table elsewhere rename to usage`.execute(database.queries)
  expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [1] })
})

test('counters that left memory come back unchanged', async () => {
  const counters = count({ flushMs: 1, maxEntries: 10 })
  const subjects = Array.from({ length: 60 }, (_, n) => `client:${n}`)
  for (let round = 1; round <= 4; round += 1) {
    const taken = await Promise.all(subjects.map((name) => counters.take([{ ...counter, subject: name }])))
    expect(taken.map(({ used }) => used[0])).toEqual(subjects.map(() => round))
    await counters.used(counter.subject, [day])
  }
})

test('the most recently used counter stays in memory when others leave', async () => {
  const counters = count({ maxEntries: 2 })
  for (const name of ['a', 'b', 'c', 'a']) await takeTimes(counters, 1, { subject: name })
  await counters.used('a', [day])
  // A counter in memory does not follow this change of the table.
  await sql`update usage set used = 50`.execute(database.queries)
  const usedNow = async (name: string) => (await counters.take([{ ...counter, subject: name }])).used[0]
  expect([await usedNow('a'), await usedNow('c'), await usedNow('b')]).toEqual([3, 2, 51])
})

test('a unit that is taken during a write is not lost, even with full memory', async () => {
  const counters = count({ maxEntries: 0 })
  await takeTimes(counters, 1)
  const writing = counters.used(counter.subject, [day])
  await takeTimes(counters, 50)
  await writing
  expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [52] })
})

test('yesterday’s counters leave memory, and today’s stay', async () => {
  const clock = { time: Date.parse('2026-11-20T23:59:00Z'), now: () => clock.time }
  const counters = count({ clock })
  await takeTimes(counters, 1, { period: '2026-11-20' })
  await takeTimes(counters, 1, { period: month })
  clock.time += 120_000
  await takeTimes(counters, 1)
  await counters.used(counter.subject, [day])
  await sql`update usage set used = 50`.execute(database.queries)
  const usedNow = async (period: string) => (await counters.take([{ ...counter, period }])).used[0]
  expect([await usedNow('2026-11-20'), await usedNow(day), await usedNow(month)]).toEqual([51, 2, 2])
})

test('old counters are deleted from memory and table, and not written again', async () => {
  const counters = count()
  const periods = ['2026-11-17', '2026-11-18', day, '2025-09', '2025-10', month]
  for (const period of periods) await takeTimes(counters, 1, { period })
  await counters.forget(Date.parse('2026-11-21T12:00:00Z'))
  await counters.used(counter.subject, periods)
  expect(Object.keys(await written()).sort()).toEqual(['2025-10', month, '2026-11-18', day].sort())
  expect(await counters.take([{ ...counter, period: '2026-11-17' }])).toEqual({ kind: 'taken', used: [1] })
})
