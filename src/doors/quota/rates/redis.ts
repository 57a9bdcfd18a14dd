import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Rate } from '../../../core/catalog/limits.ts'
import type { Log } from '../../../core/log.ts'
import { type RedisClient, waitForRedis } from '../../../platform/store/redis.ts'
import { consume, limiterName, limiterOptions, type RateState, type Rates, stateNow } from './rates.ts'

/**
 * Counts rates in Redis, for all gateways together. While Redis is down calls pass. The library's
 * `insuranceLimiter` would count them in each gateway's memory instead, and refuse calls by a count that the
 * other gateways do not share.
 */
export function createRedisRates(client: RedisClient, log: Log): Rates {
  return new RedisRates(client, log)
}

class RedisRates implements Rates {
  readonly #client: RedisClient
  readonly #log: Log
  readonly #limiters = new Map<string, RateLimiterRedis>()

  constructor(client: RedisClient, log: Log) {
    this.#client = client
    this.#log = log
  }

  async take(subject: string, rate: Rate): Promise<RateState> {
    const { calls: limit, seconds } = rate
    const passing = { allowed: true, limit, remaining: limit, resetMs: seconds * 1_000 }
    return this.#orElse(consume(this.#limiterOf(rate), subject), passing)
  }

  async give(subject: string, rate: Rate): Promise<void> {
    await this.#orElse(this.#limiterOf(rate).reward(subject), undefined)
  }

  async look(subject: string, rate: Rate): Promise<RateState | undefined> {
    const limiter = this.#limiterOf(rate)
    const window = await this.#orElse(limiter.get(subject), undefined)
    return window === undefined ? undefined : stateNow(limiter.points, window)
  }

  #limiterOf(rate: Rate): RateLimiterRedis {
    const name = limiterName(rate)
    const limiter = this.#limiters.get(name) ?? createLimiter(this.#client, rate)
    this.#limiters.set(name, limiter)
    return limiter
  }

  /** Waits for Redis, and passes when it does not reply. */
  async #orElse<Result, Other>(reply: Promise<Result>, other: Other): Promise<Result | Other> {
    try {
      return await waitForRedis(reply, this.#log)
    } catch (error) {
      this.#log.warn({ err: error }, 'a rate cannot be counted, so a call passes without it')
      return other
    }
  }
}

function createLimiter(client: RedisClient, rate: Rate): RateLimiterRedis {
  return new RateLimiterRedis({
    ...limiterOptions(rate),
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: countScript,
  })
}

/**
 * Replaces the library's script, which also counts refused calls and lets a count fall below zero. With that
 * script a client that goes on calling would use up the calls that others of its subject give back, and a
 * call that is given back after its window has ended would make room for one more in the next window. To
 * correct both from outside would take a second command, and other calls could come in between.
 *
 * Takes the change, the seconds of a window, and its limit. Returns the calls in the window and its
 * milliseconds left.
 */
const countScript = `
local counted = tonumber(redis.call('get', KEYS[1]) or '0') + ARGV[1]
local ttl = redis.call('pttl', KEYS[1])
if counted < 0 or (tonumber(ARGV[1]) > 0 and counted > tonumber(ARGV[3])) then
  return {math.max(counted, 0), ttl}
end
redis.call('incrby', KEYS[1], ARGV[1])
if ttl < 0 then
  redis.call('expire', KEYS[1], ARGV[2])
  ttl = 1000 * ARGV[2]
end
return {counted, ttl}
`
