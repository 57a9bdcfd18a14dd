import { createLog } from '../../../src/core/log.ts'
import type { Counters } from '../../../src/doors/quota/counters/counters.ts'
import { createMemoryCounters } from '../../../src/doors/quota/counters/memory.ts'
import { createRedisCounters } from '../../../src/doors/quota/counters/redis.ts'
import { createStoreCounters } from '../../../src/doors/quota/counters/store.ts'
import { createLimits, type Limits } from '../../../src/doors/quota/limits.ts'
import { createRedisLimits } from '../../../src/doors/quota/limits-redis.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import type { Rates } from '../../../src/doors/quota/rates/rates.ts'
import { createRedisRates } from '../../../src/doors/quota/rates/redis.ts'
import { openRedis, type Redis } from '../../../src/platform/store/redis.ts'
import { openFolder, openServer } from './ledger.ts'
import { hasRedis, startRedis } from './redis-server.ts'

/** The counters, limits and rates of one gateway. */
export interface Counting {
  readonly counters: Counters
  readonly limits: Limits
  readonly rates: Rates
}

/** The same counts through two gateways; the embedded store has one gateway only. */
export interface OpenedCounting {
  readonly one: Counting
  readonly other: Counting
  close(): Promise<void>
}

const log = createLog('silent')

function ownRates(counters: Counters): Counting {
  const rates = createMemoryRates()
  return { counters, rates, limits: createLimits(counters, rates) }
}

async function openMemory(open: typeof openServer): Promise<OpenedCounting> {
  const { one, close } = await open()
  const counting = ownRates(createMemoryCounters(one.queries, { log }))
  const closeAll = async () => {
    await counting.counters.close()
    await close()
  }
  return { one: counting, other: counting, close: closeAll }
}

async function openStore(open: typeof openServer): Promise<OpenedCounting> {
  const { one, other, close } = await open()
  return {
    one: ownRates(createStoreCounters(one.queries)),
    other: ownRates(createStoreCounters(other.queries)),
    close,
  }
}

async function openInRedis(): Promise<OpenedCounting> {
  const given = process.env.TEST_REDIS_URL
  const server = given ? undefined : await startRedis()
  const url = given ?? server?.url ?? ''
  const [one, other] = await Promise.all([openRedis(url, log), openRedis(url, log)])
  const close = async () => {
    await Promise.all([one.close(), other.close()])
    await server?.close()
  }
  return { one: sharedRates(one), other: sharedRates(other), close }
}

function sharedRates({ client }: Redis): Counting {
  const counters = createRedisCounters(client, log)
  const rates = createRedisRates(client, log)
  return { counters, rates, limits: createRedisLimits(client, { counters, rates, log }) }
}

type Driver = readonly [name: string, open: () => Promise<OpenedCounting>]

/** The drivers that gateways use. */
export const drivers: readonly Driver[] = [
  ['memory over PGlite', () => openMemory(openFolder)],
  ['PostgreSQL', () => openStore(openServer)],
  ...(process.env.TEST_REDIS_URL || hasRedis() ? [['Redis', openInRedis] as const] : []),
]

/** The same without PGlite, for tests that do not depend on the table: a folder takes long to open. */
export const quickDrivers: readonly Driver[] = [['memory', () => openMemory(openServer)], ...drivers.slice(1)]

/**
 * The store's counters over PGlite, which gateways do not use: shows that the SQL is right in both databases.
 */
export const storeOverPGlite: Driver = ['the store’s own way over PGlite', () => openStore(openFolder)]
