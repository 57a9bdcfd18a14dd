import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import type { Rates } from '../../../src/doors/quota/rates/rates.ts'
import { createRedisRates } from '../../../src/doors/quota/rates/redis.ts'
import { openRedis } from '../../../src/platform/store/redis.ts'
import { hasRedis, startRedis } from '../../support/stores/redis-server.ts'

/** How fast a subject may call, counted in memory or by two gateways in one Redis. */

interface OpenedRates {
  readonly one: Rates
  readonly other: Rates
  close(): Promise<void>
}

const log = createLog('silent')

async function openMemory(): Promise<OpenedRates> {
  const rates = createMemoryRates()
  return { one: rates, other: rates, close: async () => {} }
}

async function openInRedis(): Promise<OpenedRates> {
  const given = process.env.TEST_REDIS_URL
  const server = given ? undefined : await startRedis()
  const url = given ?? server?.url ?? ''
  const [one, other] = await Promise.all([openRedis(url, log), openRedis(url, log)])
  return {
    one: createRedisRates(one.client, log),
    other: createRedisRates(other.client, log),
    async close() {
      await Promise.all([one.close(), other.close()])
      await server?.close()
    },
  }
}

const drivers: [string, () => Promise<OpenedRates>][] = [['memory', openMemory]]
if (process.env.TEST_REDIS_URL || hasRedis()) drivers.push(['Redis', openInRedis])

const rate = { calls: 3, seconds: 60 }
const newSubject = () => `client:${randomBytes(8).toString('hex')}`

describe.each(drivers)('rates counted in %s', (_driver, open) => {
  let opened: OpenedRates
  let one: Rates
  let other: Rates

  beforeAll(async () => {
    opened = await open()
    one = opened.one
    other = opened.other
  })
  afterAll(() => opened.close())

  const takeAtOnce = async (times: number, subject: string) => {
    const all = await Promise.all(
      Array.from({ length: times }, (_, n) => (n % 2 ? one : other).take(subject, rate)),
    )
    return all.filter(({ allowed }) => allowed).length
  }

  test('a rate lets its number of calls pass, and returns the rest and the time left', async () => {
    const subject = newSubject()
    const states = [
      await one.take(subject, rate),
      await other.take(subject, rate),
      await one.take(subject, rate),
      await other.take(subject, rate),
    ]
    expect(states.map(({ allowed, limit, remaining }) => [allowed, limit, remaining])).toEqual([
      [true, 3, 2],
      [true, 3, 1],
      [true, 3, 0],
      [false, 3, 0],
    ])
    for (const { resetMs } of states) {
      expect(resetMs).toBeGreaterThan(0)
      expect(resetMs).toBeLessThanOrEqual(60_000)
    }
  })

  test('of fifty calls at once exactly the rate’s number pass', async () => {
    expect(await takeAtOnce(50, newSubject())).toBe(3)
  })

  test('refused calls are not counted, so a call that is given back lets one more pass', async () => {
    const subject = newSubject()
    await takeAtOnce(50, subject)
    await other.give(subject, rate)
    expect(await takeAtOnce(50, subject)).toBe(1)
  })

  test('calls that were never taken cannot be given back', async () => {
    const subject = newSubject()
    await one.give(subject, rate)
    await one.take(subject, rate)
    await one.give(subject, rate)
    await one.give(subject, rate)
    expect(await takeAtOnce(50, subject)).toBe(3)
  })

  test('each subject has its own window', async () => {
    const [first, second] = [newSubject(), newSubject()]
    await takeAtOnce(10, first)
    expect(await takeAtOnce(10, second)).toBe(3)
  })

  test('a changed rate begins a new window', async () => {
    const subject = newSubject()
    await takeAtOnce(10, subject)
    expect(await one.take(subject, { calls: 5, seconds: 60 })).toMatchObject({ allowed: true, limit: 5 })
    expect(await one.take(subject, { calls: 3, seconds: 3_600 })).toMatchObject({ allowed: true })
    expect(await one.take(subject, rate)).toMatchObject({ allowed: false })
  })

  test('calls pass again when the window has ended', async () => {
    const subject = newSubject()
    const brief = { calls: 1, seconds: 1 }
    expect(await one.take(subject, brief)).toMatchObject({ allowed: true })
    await expect.poll(async () => (await one.take(subject, brief)).allowed).toBe(true)
  })
})

test('a call that is given back after its window makes no room in the next one', async () => {
  vi.useFakeTimers()
  try {
    const rates = createMemoryRates()
    const subject = newSubject()
    for (let calls = 0; calls < 3; calls += 1) await rates.take(subject, rate)
    expect(await rates.take(subject, rate)).toMatchObject({ allowed: false })
    vi.advanceTimersByTime(60_000)
    await rates.give(subject, rate)
    const states = await Promise.all(Array.from({ length: 5 }, () => rates.take(subject, rate)))
    expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
  } finally {
    vi.useRealTimers()
  }
})

test('new subjects above the maximum share one window, and earlier subjects keep theirs', async () => {
  const rates = createMemoryRates(10)
  const known = Array.from({ length: 10 }, newSubject)
  for (const subject of known) await rates.take(subject, rate)
  const later = await Promise.all(Array.from({ length: 50 }, () => rates.take(newSubject(), rate)))
  expect(later.filter(({ allowed }) => allowed)).toHaveLength(3)
  for (const subject of known) expect(await rates.take(subject, rate)).toMatchObject({ remaining: 1 })
})

test('a refused subject above the maximum gets no window of its own by calling again', async () => {
  const rates = createMemoryRates(10)
  for (let subjects = 0; subjects < 10; subjects += 1) await rates.take(newSubject(), rate)
  for (let calls = 0; calls < 3; calls += 1) await rates.take(newSubject(), rate)
  const refused = newSubject()
  for (let calls = 0; calls < 5; calls += 1) {
    expect(await rates.take(refused, rate)).toMatchObject({ allowed: false })
  }
})
