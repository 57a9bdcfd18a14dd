import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Counters } from '../doors/quota/counters/counters.ts'
import { createMemoryCounters } from '../doors/quota/counters/memory.ts'
import { createRedisCounters } from '../doors/quota/counters/redis.ts'
import { createStoreCounters } from '../doors/quota/counters/store.ts'
import { createQuotaDoor, type QuotaDoor } from '../doors/quota/door.ts'
import { createLimits } from '../doors/quota/limits.ts'
import { createRedisLimits } from '../doors/quota/limits-redis.ts'
import { createRates } from '../doors/quota/rates.ts'
import type { Config } from '../platform/config/config.ts'
import type { Queries } from '../platform/store/database.ts'
import { openRedis } from '../platform/store/redis.ts'

/** What is counted, and where. */
export interface Quotas {
  readonly door: QuotaDoor
  readonly counters: Counters
  /** Resolves when Redis answers; undefined without one. */
  readonly ping: (() => Promise<void>) | undefined
  close(): Promise<void>
}

/**
 * In Redis where there is one, for all gateways together. Otherwise quotas are counted in the store, which the
 * embedded one leaves to its only process' memory, and rates by each gateway for itself.
 */
export async function createQuotas({
  config,
  queries,
  clock,
  log,
}: {
  readonly config: Pick<Config, 'redisUrl' | 'store'>
  readonly queries: Queries
  readonly clock: Clock
  readonly log: Log
}): Promise<Quotas> {
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, log)
  const counters = redis
    ? createRedisCounters(redis.client, log)
    : config.store.kind === 'embedded'
      ? createMemoryCounters(queries, { log })
      : createStoreCounters(queries)
  const rates = createRates({ ...(redis ? { redis: redis.client } : {}), log })
  return {
    door: createQuotaDoor({
      limits: redis
        ? createRedisLimits(redis.client, { counters, rates, log })
        : createLimits(counters, rates),
      counters,
      rates,
      clock,
      log,
    }),
    counters,
    ping: redis?.ping,
    async close() {
      await counters.close()
      await redis?.close()
    },
  }
}
