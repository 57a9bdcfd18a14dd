import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import { type RedisClient, waitForRedis } from '../../platform/store/redis.ts'
import { type Counters, QuotasUnavailable } from './counters/counters.ts'
import { runScript, script, takeArguments } from './counters/redis.ts'
import { createLimits, type LimitOutcome, type Limits } from './limits.ts'
import { type Rates, rateKey } from './rates/rates.ts'

/**
 * Takes a rate and the counters in one Redis script: the trip to Redis costs more than the work there. The
 * script counts in the same window as the limiter of `rates/redis.ts`. A rate without counters, or counters
 * without a rate, are taken by themselves, so a call that has only a rate passes while Redis is down.
 */
export function createRedisLimits(
  client: RedisClient,
  { counters, rates, log }: { readonly counters: Counters; readonly rates: Rates; readonly log: Log },
): Limits {
  const separately = createLimits(counters, rates)
  return {
    async take(use, wanted) {
      if (!use || wanted.length === 0) return separately.take(use, wanted)
      const { rate, of } = use
      const { keys, args } = takeArguments(wanted)
      const reply = runScript(
        client,
        takeScript,
        [rateKey(rate, of), ...keys],
        [String(rate.calls), String(rate.seconds * 1_000), ...args],
      )
      try {
        return outcomeOf(await waitForRedis(reply, log), rate.calls)
      } catch (cause) {
        void giveBackLate(reply).catch((error: unknown) => {
          log.debug({ err: error }, 'units may have been taken for a call that was refused')
        })
        throw new QuotasUnavailable(cause)
      }

      /** The call was refused when its reply was late. What a late reply says was taken is given back. */
      async function giveBackLate(late: Promise<unknown>): Promise<void> {
        if (outcomeOf(await late, rate.calls).taken?.kind !== 'taken') return
        await counters.give(wanted)
        await rates.give(of, rate)
      }
    },
  }
}

/**
 * The first full counter, counted from 1; 0 when all units were taken; -1 when the rate is full. Then the
 * calls in the rate's window, its milliseconds left, and the used units of each counter.
 */
const replySchema = z.tuple([z.int(), z.int(), z.int()], z.int())

function outcomeOf(reply: unknown, limit: number): LimitOutcome {
  const [full, calls, leftMs, ...used] = replySchema.parse(reply)
  const rate = {
    allowed: full !== -1,
    limit,
    remaining: Math.max(limit - calls, 0),
    resetMs: Math.max(leftMs, 0),
  }
  if (full === -1) return { rate, taken: undefined }
  return { rate, taken: full === 0 ? { kind: 'taken', used } : { kind: 'exhausted', at: full - 1, used } }
}

/**
 * Takes the rate's calls and milliseconds; then for each counter its operation, limit, seconds to keep, and
 * units.
 */
const takeScript = script(`
local calls = tonumber(redis.call('get', KEYS[1]) or '0')
local left = redis.call('pttl', KEYS[1])
if left < 0 then left = tonumber(ARGV[2]) end
if calls >= tonumber(ARGV[1]) then return {-1, calls, left} end
local used, full = {}, 0
for i = 2, #KEYS do
  used[i - 1] = tonumber(redis.call('hget', KEYS[i], ARGV[4 * i - 5]) or '0')
  if full == 0 and used[i - 1] + tonumber(ARGV[4 * i - 2]) > tonumber(ARGV[4 * i - 4]) then full = i - 1 end
end
if full == 0 then
  for i = 2, #KEYS do
    used[i - 1] = redis.call('hincrby', KEYS[i], ARGV[4 * i - 5], ARGV[4 * i - 2])
    redis.call('expire', KEYS[i], ARGV[4 * i - 3])
  end
  calls = redis.call('incr', KEYS[1])
  if calls == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end
end
return {full, calls, left, unpack(used)}
`)
