import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Counters } from '../doors/quota/counters/counters.ts'
import { createMemoryCounters } from '../doors/quota/counters/memory.ts'
import { createRedisCounters } from '../doors/quota/counters/redis.ts'
import { createStoreCounters } from '../doors/quota/counters/store.ts'
import { type CountLimit, createQuotaDoor, type QuotaDoor } from '../doors/quota/door.ts'
import { createLateUses } from '../doors/quota/late-uses.ts'
import { createLimits } from '../doors/quota/limits.ts'
import { createRedisLimits } from '../doors/quota/limits-redis.ts'
import { createMemoryRates } from '../doors/quota/rates/memory.ts'
import type { Rates } from '../doors/quota/rates/rates.ts'
import { createRedisRates } from '../doors/quota/rates/redis.ts'
import type { Config } from '../platform/config/config.ts'
import type { Queries } from '../platform/store/database.ts'
import { openRedis } from '../platform/store/redis.ts'

/** The quota door and its counters. */
export interface Quotas {
  readonly door: QuotaDoor
  readonly counters: Pick<Counters, 'used' | 'give' | 'forget'>
  readonly rates: Rates
  /** Resolves when Redis answers; undefined without Redis. */
  readonly ping: (() => Promise<void>) | undefined
  close(): Promise<void>
}

/**
 * Quotas and rates are counted in Redis, for all replicas together. Without Redis, quotas are counted in
 * Postgres, or in memory with the embedded store, which has only one process; and each replica counts rates
 * for itself.
 */
export async function createQuotas({
  store,
  redisUrl,
  queries,
  clock,
  countLimit,
  log,
}: {
  readonly store: Config['store']
  readonly redisUrl: string | undefined
  readonly queries: Queries
  readonly clock: Clock
  readonly countLimit: CountLimit
  readonly log: Log
}): Promise<Quotas> {
  const redis = redisUrl === undefined ? undefined : await openRedis(redisUrl, log)
  const counters = redis
    ? createRedisCounters(redis.client, log)
    : store === 'embedded'
      ? createMemoryCounters(queries, { log })
      : createStoreCounters(queries)
  const lateUses = createLateUses(counters, log)
  const rates = redis ? createRedisRates(redis.client, log) : createMemoryRates()
  return {
    door: createQuotaDoor({
      limits: redis
        ? createRedisLimits(redis.client, { counters, rates, log })
        : createLimits(counters, rates),
      counters,
      lateUses,
      rates,
      countLimit,
      clock,
      log,
    }),
    rates,
    counters: {
      forget: (now) => counters.forget(now),
      give: (...units) => counters.give(...units),
      // A caller who reads its usage sees its last call.
      async used(subject, periods) {
        await lateUses.flush()
        return counters.used(subject, periods)
      },
    },
    ping: redis?.ping,
    async close() {
      await lateUses.close()
      await counters.close()
      await redis?.close()
    },
  }
}
