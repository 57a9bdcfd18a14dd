import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { type RedisClient, waitForRedis } from '../../../platform/store/redis.ts'
import {
  type Counter,
  type Counters,
  orUnavailable,
  QuotasUnavailable,
  type TakeResult,
  type Usage,
} from './counters.ts'
import { keptSeconds } from './period.ts'

/**
 * Counters in Redis, which any number of gateways share: a hash for each subject and period, with a field for
 * each operation. A take is one script, and Redis runs one script at a time, so it is exact. When the
 * connection breaks before the reply, units may stay taken for a call that was refused. A gateway that is
 * killed does not give back what it had reserved.
 */
export function createRedisCounters(client: RedisClient, log: Log): Counters {
  async function give(counters: readonly Counter[]): Promise<void> {
    const keys = counters.map(({ subject, period }) => keyOf(subject, period))
    const args = counters.flatMap(({ operation, units }) => [operation, String(units)])
    await waitForRedis(runScript(client, giveScript, keys, args), log)
  }

  async function take(counters: readonly Counter[]): Promise<TakeResult> {
    const { keys, args } = takeArguments(counters)
    const reply = runScript(client, takeScript, keys, args)
    try {
      return resultOf(await waitForRedis(reply, log))
    } catch (cause) {
      void giveBackLate(reply, counters)
      throw new QuotasUnavailable(cause)
    }
  }

  /** The call was refused when its reply was late. What a late reply says was taken is given back. */
  async function giveBackLate(reply: Promise<unknown>, counters: readonly Counter[]): Promise<void> {
    try {
      if (resultOf(await reply).kind === 'taken') await give(counters)
    } catch (error) {
      log.debug({ err: error }, 'units may have been taken for a call that was refused')
    }
  }

  async function used(subject: string, periods: readonly string[]): Promise<readonly Usage[]> {
    const replies = periods.map(async (period) => {
      const fields = z
        .record(z.string(), z.coerce.number())
        .parse(await client.hGetAll(keyOf(subject, period)))
      return Object.entries(fields).map(([operation, units]) => ({ operation, period, used: units }))
    })
    const usages = await waitForRedis(Promise.all(replies), log)
    return usages.flat().filter((usage) => usage.used > 0)
  }

  return {
    take,
    give: (counters) => orUnavailable(give(counters)),
    used: (subject, periods) => orUnavailable(used(subject, periods)),
    // Redis deletes the keys itself, because each has an expiry.
    forget: async () => {},
    close: async () => {},
  }
}

/** The braces make a cluster keep all keys of a subject on one node, where one script can reach them. */
function keyOf(subject: string, period: string): string {
  return `tollgate:usage:{${subject}}:${period}`
}

/**
 * The first full counter, counted from 1, or 0 when all units were taken; then the used units of each
 * counter.
 */
const replySchema = z.tuple([z.int()], z.int())

function resultOf(reply: unknown): TakeResult {
  const [full, ...used] = replySchema.parse(reply)
  return full === 0 ? { kind: 'taken', used } : { kind: 'exhausted', at: full - 1, used }
}

/** @returns the keys and arguments of a script that takes units from these counters. */
export function takeArguments(counters: readonly Counter[]): {
  readonly keys: string[]
  readonly args: string[]
} {
  return {
    keys: counters.map(({ subject, period }) => keyOf(subject, period)),
    args: counters.flatMap(({ operation, period, limit, units }) => [
      operation,
      String(limit),
      String(keptSeconds(period)),
      String(units),
    ]),
  }
}

/** Runs a script by its hash. A Redis that does not have it, as after a restart, is sent the whole script. */
export async function runScript(
  client: RedisClient,
  { text, sha1 }: Script,
  keys: string[],
  args: string[],
): Promise<unknown> {
  const options = { keys, arguments: args }
  try {
    return await client.evalSha(sha1, options)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return await client.eval(text, options)
  }
}

interface Script {
  readonly text: string
  readonly sha1: string
}

export function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}

/** Takes for each key its operation, its limit, the seconds to keep it, and the units to take. */
const takeScript = script(`
local used, full = {}, 0
for i = 1, #KEYS do
  used[i] = tonumber(redis.call('hget', KEYS[i], ARGV[4 * i - 3]) or '0')
  if full == 0 and used[i] + tonumber(ARGV[4 * i]) > tonumber(ARGV[4 * i - 2]) then full = i end
end
if full == 0 then
  for i = 1, #KEYS do
    used[i] = redis.call('hincrby', KEYS[i], ARGV[4 * i - 3], ARGV[4 * i])
    redis.call('expire', KEYS[i], ARGV[4 * i - 1])
  end
end
return {full, unpack(used)}
`)

/** Takes for each key its operation and the units to give back. Never goes below zero. */
const giveScript = script(`
for i = 1, #KEYS do
  local field, units = ARGV[2 * i - 1], tonumber(ARGV[2 * i])
  local used = tonumber(redis.call('hget', KEYS[i], field) or '0')
  if used > units then redis.call('hincrby', KEYS[i], field, '-' .. ARGV[2 * i])
  elseif used > 0 then redis.call('hset', KEYS[i], field, 0) end
end
`)
