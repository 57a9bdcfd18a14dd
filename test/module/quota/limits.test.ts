import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { QuotasUnavailable } from '../../../src/doors/quota/counters/counters.ts'
import { createMemoryCounters } from '../../../src/doors/quota/counters/memory.ts'
import { createRedisCounters } from '../../../src/doors/quota/counters/redis.ts'
import { createLimits, type Limits } from '../../../src/doors/quota/limits.ts'
import { createRedisLimits } from '../../../src/doors/quota/limits-redis.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import { createRedisRates } from '../../../src/doors/quota/rates/redis.ts'
import { openRedis } from '../../../src/platform/store/redis.ts'
import { openFolder } from '../../support/stores/ledger.ts'
import { hasRedis, startRedis } from '../../support/stores/redis-server.ts'

/** A rate and the counters of a call are taken together or not at all. */

interface OpenedLimits {
  readonly limits: Limits
  readonly used: (subject: string) => Promise<number>
  /** Makes counting impossible. */
  readonly breakOff: () => Promise<void>
  close(): Promise<void>
}

const log = createLog('silent')
const period = '2026-11-21'
const operation = 'writeBlog'

async function openMemory(): Promise<OpenedLimits> {
  const store = await openFolder()
  const counters = createMemoryCounters(store.one.queries, { log })
  return {
    limits: createLimits(counters, createMemoryRates()),
    used: async (subject) => (await counters.used(subject, [period]))[0]?.used ?? 0,
    breakOff: () => store.close(),
    close: () => counters.close(),
  }
}

async function openInRedis(): Promise<OpenedLimits> {
  const server = await startRedis()
  const redis = await openRedis(server.url, log)
  const counters = createRedisCounters(redis.client, log)
  const rates = createRedisRates(redis.client, log)
  return {
    limits: createRedisLimits(redis.client, { counters, rates, log }),
    used: async (subject) => (await counters.used(subject, [period]))[0]?.used ?? 0,
    breakOff: () => server.stop(),
    async close() {
      await redis.close()
      await server.close()
    },
  }
}

const drivers: [string, () => Promise<OpenedLimits>][] = [['memory', openMemory]]
if (hasRedis()) drivers.push(['Redis', openInRedis])

describe.each(drivers)('limits counted in %s', (_driver, open) => {
  let opened: OpenedLimits
  let subject = ''

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const callsAtOnce = async (times: number, calls: number, limit: number, units = 1) => {
    const rate = { of: subject, rate: { calls, seconds: 3_600 } }
    const counter = { subject, operation, period, limit, units }
    return Promise.all(Array.from({ length: times }, () => opened.limits.take(rate, [counter])))
  }
  const served = (outcomes: Awaited<ReturnType<typeof callsAtOnce>>) =>
    outcomes.filter(({ taken }) => taken?.kind === 'taken').length
  const newSubject = () => {
    subject = `key:${randomBytes(8).toString('hex')}`
  }

  test('a take returns what is left of each limit', async () => {
    newSubject()
    const [first] = await callsAtOnce(1, 10, 5)
    expect(first).toMatchObject({
      rate: { allowed: true, limit: 10, remaining: 9 },
      taken: { kind: 'taken', used: [1] },
    })
    expect(first?.rate?.resetMs).toBeGreaterThan(0)
    expect(first?.rate?.resetMs).toBeLessThanOrEqual(3_600_000)
  })

  test('the last unit is taken once, however many calls the rate allows', async () => {
    newSubject()
    expect(served(await callsAtOnce(100, 1_000, 1))).toBe(1)
    newSubject()
    expect(served(await callsAtOnce(100, 30, 1))).toBe(1)
  })

  test('a call above its rate takes no unit', async () => {
    newSubject()
    const outcomes = await callsAtOnce(50, 3, 1_000)
    expect(served(outcomes)).toBe(3)
    expect(outcomes.filter(({ rate }) => rate?.allowed === false)).toHaveLength(47)
    expect(await opened.used(subject)).toBe(3)
  })

  test('a call without a unit left does not count against its rate', async () => {
    newSubject()
    await callsAtOnce(1, 4, 1)
    for (let n = 0; n < 10; n += 1) {
      const [refused] = await callsAtOnce(1, 4, 1)
      expect(refused).toMatchObject({
        rate: { allowed: true, remaining: 3 },
        taken: { kind: 'exhausted', at: 0, used: [1] },
      })
    }
    expect(served(await callsAtOnce(10, 4, 1_000))).toBe(3)
  })

  test('a call with too few units left does not count against its rate, and no more calls pass than units suffice for', async () => {
    newSubject()
    expect(served(await callsAtOnce(50, 100, 100_000, 8_000))).toBe(12)
    expect(await opened.used(subject)).toBe(96_000)
    const [refused] = await callsAtOnce(1, 100, 100_000, 8_000)
    expect(refused).toMatchObject({
      rate: { allowed: true, remaining: 88 },
      taken: { kind: 'exhausted', at: 0, used: [96_000] },
    })
    const [fitting] = await callsAtOnce(1, 100, 100_000, 4_000)
    expect(fitting).toMatchObject({ rate: { remaining: 87 }, taken: { kind: 'taken', used: [100_000] } })
  })

  test('a refused call gets the time until its window ends', async () => {
    newSubject()
    await callsAtOnce(1, 1, 10)
    const [refused] = await callsAtOnce(1, 1, 10)
    expect(refused?.taken).toBeUndefined()
    expect(refused?.rate).toMatchObject({ allowed: false, limit: 1, remaining: 0 })
    expect(refused?.rate?.resetMs).toBeGreaterThan(3_000_000)
  })
})

describe.each(drivers)('limits in %s that cannot be counted', (_driver, open) => {
  test('a call whose units cannot be counted is refused', async () => {
    const opened = await open()
    await opened.breakOff()
    const rate = { of: 'key:somebody', rate: { calls: 10, seconds: 60 } }
    const counter = { subject: 'key:somebody', operation, period, limit: 10, units: 1 }
    await expect(opened.limits.take(rate, [counter])).rejects.toThrow(QuotasUnavailable)
    await opened.close()
  })
})
