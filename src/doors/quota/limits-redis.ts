import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import { answerTimeoutMs, answerWithin, type RedisClient } from '../../platform/store/redis.ts'
import { type Counters, QuotasUnavailable } from './counters/counters.ts'
import { runScript, script, takeArguments } from './counters/redis.ts'
import { createLimits, type Limits, type Outcome } from './limits.ts'
import { type Rates, rateKey } from './rates.ts'

/**
 * In Redis a rate and the counters are one question, because to ask it costs more than to answer it. What stands
 * alone goes its own way: a rate through the limiter, which lets calls pass when Redis is gone, and counters
 * through theirs.
 */
export function createRedisLimits(
  client: RedisClient,
  { counters, rates, log }: { readonly counters: Counters; readonly rates: Rates; readonly log: Log },
): Limits {
  const apart = createLimits(counters, rates)
  return {
    async take(use, wanted) {
      if (!use || wanted.length === 0) return apart.take(use, wanted)
      const { rate, of } = use
      const { keys, args } = takeArguments(wanted)
      const answer = runScript(
        client,
        takeScript,
        [rateKey(rate, of), ...keys],
        [String(rate.calls), String(rate.seconds * 1_000), ...args],
      )
      try {
        return outcomeOf(await answerWithin(answerTimeoutMs, answer), rate.calls)
      } catch (cause) {
        void giveBackLate(answer, rate.calls).catch((error: unknown) => {
          log.debug({ err: error }, 'units may have been taken for a call that was refused')
        })
        throw new QuotasUnavailable(cause)
      }

      /** An answer that comes after all comes to nobody: the call was refused. */
      async function giveBackLate(late: Promise<unknown>, limit: number): Promise<void> {
        if (outcomeOf(await late, limit).taken?.kind !== 'taken') return
        await counters.give(wanted)
        await rates.give(of, rate)
      }
    },
  }
}

/** The place of the first counter with too few left, from 1, or 0, or -1 for the rate; calls in its window; its milliseconds left; what is used of each. */
const answerSchema = z.tuple([z.int(), z.int(), z.int()], z.int())

function outcomeOf(answer: unknown, limit: number): Outcome {
  const [full, calls, leftMs, ...used] = answerSchema.parse(answer)
  const rate = {
    allowed: full !== -1,
    limit,
    remaining: Math.max(limit - calls, 0),
    resetMs: Math.max(leftMs, 0),
  }
  if (full === -1) return { rate, taken: undefined }
  return { rate, taken: full === 0 ? { kind: 'taken', used } : { kind: 'exhausted', at: full - 1, used } }
}

/** Of the rate its calls and milliseconds; of each counter its operation, its limit, for how many seconds it is kept, and how many units are taken. */
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
