import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate } from '../../core/catalog/limits.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { answerTimeoutMs, answerWithin, type RedisClient } from '../../platform/store/redis.ts'

/**
 * How fast somebody calls, in windows that begin with their first call: in Redis for all gateways
 * together, otherwise in each gateway's memory. A rate keeps the service from being overrun and is not
 * what anybody pays for, so when it cannot be counted the call passes; a quota would refuse it.
 */
export interface Rates {
  /**
   * Counts one call, unless the window is full: a call that is refused uses nothing up.
   * @param subject whoever and whatever is limited together; the same one at another rate is counted apart.
   */
  take(subject: string, rate: Rate): Promise<RateState>
  /** Takes a call that came to nothing out of the window again. */
  give(subject: string, rate: Rate): Promise<void>
  /** How the window stands, counting nothing; undefined while it cannot be counted. */
  look(subject: string, rate: Rate): Promise<RateState | undefined>
}

export interface RateState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until the window ends. */
  readonly resetMs: number
}

export interface RatesOptions {
  /** Unset: counted in memory. */
  readonly redis?: RedisClient
  readonly log: Log
  readonly clock?: Clock
  /** Beyond so many in one window, in memory, new subjects are counted together. */
  readonly maxSubjects?: number
}

export function createRates(options: RatesOptions): Rates {
  const { redis, log, clock = systemClock, maxSubjects = 100_000 } = options
  // By what they allow, so that a rate that is changed while the gateway runs simply has another one.
  const limiters = new Map<string, Limiter>()
  let warnedAt = Number.NEGATIVE_INFINITY

  function limiterOf(rate: Rate): Limiter {
    const name = nameOf(rate)
    const known = limiters.get(name)
    if (known) return known
    const window = { keyPrefix: prefixOf(rate), points: rate.calls, duration: rate.seconds }
    const limiter = redis ? orPass(inRedis(redis, window), rate) : inMemory(window, maxSubjects)
    limiters.set(name, limiter)
    return limiter
  }

  /** What cannot be counted passes. */
  function orPass({ take, give, look }: Limiter, rate: Rate): Limiter {
    const passing = { allowed: true, limit: rate.calls, remaining: rate.calls, resetMs: rate.seconds * 1_000 }
    const warn = (error: unknown) => {
      if (clock.now() - warnedAt < 60_000) return
      warnedAt = clock.now()
      log.warn({ err: error }, 'rates cannot be counted; calls pass without')
    }
    const orElse = async <Answer, Other>(answer: Promise<Answer>, other: Other): Promise<Answer | Other> => {
      try {
        return await answer
      } catch (error) {
        warn(error)
        return other
      }
    }
    return {
      take: (subject) => orElse(take(subject), passing),
      give: (subject) => orElse(give(subject), undefined),
      look: (subject) => orElse(look(subject), undefined),
    }
  }

  return {
    take: (subject, rate) => limiterOf(rate).take(subject),
    give: (subject, rate) => limiterOf(rate).give(subject),
    look: (subject, rate) => limiterOf(rate).look(subject),
  }
}

/** Where Redis counts it. */
export function rateKey(rate: Rate, subject: string): string {
  return `${prefixOf(rate)}:${subject}`
}

function prefixOf(rate: Rate): string {
  return `tollgate:rate:${nameOf(rate)}`
}

function nameOf({ calls, seconds }: Rate): string {
  return `${calls}/${seconds}`
}

interface Limiter {
  take(subject: string): Promise<RateState>
  give(subject: string): Promise<void>
  look(subject: string): Promise<RateState | undefined>
}

interface LimiterOptions {
  readonly keyPrefix: string
  readonly points: number
  readonly duration: number
}

const theOthers = 'the others'

function inMemory(options: LimiterOptions, maxSubjects: number): Limiter {
  const limiter = new RateLimiterMemory(options)
  const crowd = createCrowd(options.duration * 1_000, maxSubjects)

  /** In a crowd: whoever has many addresses would otherwise fill our memory with them. */
  async function placeOf(subject: string): Promise<string> {
    return (await limiter.get(subject)) ? subject : theOthers
  }

  return {
    async take(subject) {
      const state = await consume(limiter, crowd.isFull() ? await placeOf(subject) : subject)
      if (state.allowed && state.remaining === limiter.points - 1) crowd.add()
      // The limiter counts those it refuses as well.
      if (!state.allowed) await limiter.reward(subject)
      return state
    },
    async give(subject) {
      const window = await limiter.get(subject)
      // In a window that has ended there is nothing to give back, and the next one owes nothing.
      if (window && window.msBeforeNext > 0 && window.consumedPoints > 0) await limiter.reward(subject)
    },
    look: async (subject) => stateNow(limiter.points, await limiter.get(subject)),
  }
}

/** How many have come in this window and the one before: no fewer than are remembered now. */
function createCrowd(windowMs: number, most: number) {
  let begunAt = performance.now()
  let [before, now] = [0, 0]
  const turn = () => {
    const windows = Math.floor((performance.now() - begunAt) / windowMs)
    if (windows === 0) return
    begunAt += windows * windowMs
    before = windows === 1 ? now : 0
    now = 0
  }
  return {
    add() {
      turn()
      now += 1
    },
    isFull() {
      turn()
      return before + now >= most
    },
  }
}

function inRedis(client: RedisClient, options: LimiterOptions): Limiter {
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: countScript,
  })
  return {
    take: (subject) => answerWithin(answerTimeoutMs, consume(limiter, subject)),
    give: async (subject) => void (await answerWithin(answerTimeoutMs, limiter.reward(subject))),
    look: async (subject) =>
      stateNow(limiter.points, await answerWithin(answerTimeoutMs, limiter.get(subject))),
  }
}

/**
 * The limiter's own script, except that what is refused is not counted and nothing falls below zero.
 * Given the change, the seconds of a window and its calls; answers the calls in it and its milliseconds left.
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

/** A full window is thrown, as a value that is no error. */
async function consume(limiter: RateLimiterMemory | RateLimiterRedis, subject: string): Promise<RateState> {
  try {
    return stateOf(true, limiter.points, await limiter.consume(subject))
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return stateOf(false, limiter.points, refusal)
    throw refusal
  }
}

/** A window that nobody has called in yet, or that has ended, is whole. */
function stateNow(limit: number, window: RateLimiterRes | null): RateState {
  if (window && window.msBeforeNext > 0) return stateOf(window.remainingPoints > 0, limit, window)
  return { allowed: true, limit, remaining: limit, resetMs: 0 }
}

function stateOf(allowed: boolean, limit: number, result: RateLimiterRes): RateState {
  return {
    allowed,
    limit,
    remaining: result.remainingPoints,
    resetMs: Math.max(result.msBeforeNext, 0),
  }
}
