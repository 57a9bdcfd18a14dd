import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../src/core/log.ts'
import { type Counters, QuotasUnavailable } from '../../../src/doors/quota/counters/counters.ts'
import { periodOf } from '../../../src/doors/quota/counters/period.ts'
import { createRedisCounters } from '../../../src/doors/quota/counters/redis.ts'
import { createRedisRates } from '../../../src/doors/quota/rates/redis.ts'
import { StoreError } from '../../../src/platform/store/database.ts'
import { openRedis, type Redis } from '../../../src/platform/store/redis.ts'
import { hasRedis, type RedisServer, startRedis } from '../../support/stores/redis-server.ts'

/** Quotas and rates while Redis is down or hangs, and when it comes back. */

const day = periodOf('day', Date.now())
const month = periodOf('month', Date.now())
const rate = { calls: 2, seconds: 60 }

describe.runIf(hasRedis())('with a Redis that fails', () => {
  let server: RedisServer
  let redis: Redis
  let counters: Counters
  let counter = { subject: '', operation: 'writeBlog', period: day, limit: 100, units: 1 }
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const linesWith = (text: string) => lines.filter((line) => line.includes(text))

  beforeAll(async () => {
    server = await startRedis()
    redis = await openRedis(server.url, log)
    counters = createRedisCounters(redis.client, log)
  })
  afterEach(async () => {
    await server.start()
    server.thaw()
    await expect.poll(() => redis.client.isReady).toBe(true)
    lines.length = 0
  })
  afterAll(async () => {
    await redis.close()
    await server.close()
  })

  const newCounter = () => {
    counter = { ...counter, subject: `key:${randomBytes(8).toString('hex')}` }
    return counter
  }

  test('no unit is taken while Redis is down, and units are taken again when it is back', async () => {
    newCounter()
    expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [1] })
    await server.stop()
    await expect(counters.take([counter])).rejects.toThrow(QuotasUnavailable)
    await expect(counters.give([counter])).rejects.toThrow(QuotasUnavailable)
    await expect(counters.used(counter.subject, [day])).rejects.toThrow(QuotasUnavailable)
    await expect(redis.ping()).rejects.toThrow()

    await server.start()
    await expect.poll(() => counters.take([counter]).catch(() => 'refused')).toMatchObject({ kind: 'taken' })
    await redis.ping()
    expect(linesWith('an outage has begun: Redis')).toHaveLength(1)
    await expect.poll(() => linesWith('an outage is over: Redis')).toHaveLength(1)
  })

  test('calls pass without a rate while Redis is down', async () => {
    const rates = createRedisRates(redis.client, log)
    const subject = newCounter().subject
    await server.stop()
    for (let calls = 0; calls < 5; calls += 1) {
      expect(await rates.take(subject, rate)).toEqual({
        allowed: true,
        limit: 2,
        remaining: 2,
        resetMs: 60_000,
      })
    }
    await rates.give(subject, rate)

    await server.start()
    await expect.poll(async () => (await rates.take(subject, rate)).allowed).toBe(false)
  })

  test('a take is refused while Redis hangs, and a unit that Redis took late is given back', async () => {
    newCounter()
    await counters.take([counter])
    server.freeze()
    await expect(counters.take([counter])).rejects.toThrow(QuotasUnavailable)
    server.thaw()
    await expect.poll(async () => await counters.used(counter.subject, [day])).toMatchObject([{ used: 1 }])
  })

  test('calls pass without a rate while Redis hangs, before the connection breaks', async () => {
    const rates = createRedisRates(redis.client, log)
    server.freeze()
    expect(await rates.take(newCounter().subject, rate)).toMatchObject({ allowed: true })
    expect(redis.client.isReady).toBe(true)
  })

  test('a script that Redis no longer has is sent again', async () => {
    newCounter()
    await counters.take([counter])
    await redis.client.scriptFlush()
    expect(await counters.take([counter])).toEqual({ kind: 'taken', used: [2] })
  })

  test('a counter that Redis cannot read gives no unit', async () => {
    newCounter()
    await redis.client.set(`tollgate:usage:{${counter.subject}}:${day}`, 'no hash')
    await expect(counters.take([counter])).rejects.toThrow(QuotasUnavailable)
  })

  test('Redis deletes counters some days after their day, and some months after their month', async () => {
    const { subject } = newCounter()
    await counters.take([counter, { ...counter, period: month }])
    const daysLeft = async (period: string) =>
      (await redis.client.ttl(`tollgate:usage:{${subject}}:${period}`)) / 86_400
    expect(Math.ceil(await daysLeft(day))).toBe(4)
    expect(Math.ceil(await daysLeft(month))).toBe(14 * 31)
  })

  test('a unit given back to a deleted counter makes no new counter without expiry', async () => {
    newCounter()
    await counters.give([counter])
    expect(await redis.client.exists(`tollgate:usage:{${counter.subject}}:${day}`)).toBe(0)
  })
})

describe.runIf(hasRedis())('a Redis with a password', () => {
  test('Redis is used with the right password only, and no log line or error contains it', async () => {
    const server = await startRedis('correcthorse')
    const lines: string[] = []
    const log = createLog('debug', { write: (line: string) => void lines.push(line) })
    const withPassword = (password: string) => server.url.replace('://', `://:${password}@`)
    const redis = await openRedis(withPassword('correcthorse'), log)
    await redis.ping()
    await redis.close()
    const refused = await openRedis(withPassword('wronghorse'), log, 1_000).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreError)
    log.error({ err: refused }, 'as a start that fails does')
    expect(lines.join('')).toContain('WRONGPASS')
    expect(lines.join('')).not.toMatch(/correcthorse|wronghorse/)
    await server.close()
  })
})

test('opening a Redis that does not reply fails after the timeout', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  await expect(openRedis(`redis://127.0.0.1:${port}`, createLog('silent'), 500)).rejects.toThrow(StoreError)
  silent.close()
})
