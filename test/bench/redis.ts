import { startRedis } from '../support/stores/redis-server.ts'
import { createKey, withServers } from './limited-gateways.ts'
import { compareCpu, measureCalls, medianThroughput } from './measure.ts'
import type { Result } from './report.ts'
import { measureByTurns, type Target } from './turns.ts'

const calls = 20_000

/**
 * Measures calls that are counted in Redis against rate-limiter-flexible: a rate against a rate, and a key call with
 * three limits against a peer that looks the key up and counts the same three.
 */
export async function benchRedis(): Promise<Result[]> {
  const redis = await startRedis()
  try {
    return await withServers(async ({ gateway, peer }) => {
      const settings = { REDIS_URL: redis.url }
      const counting = await gateway('quotas', settings)
      const key = await createKey(counting)
      const rate = { server: await gateway('rate', settings), key: undefined }
      const keyed = { server: counting, key }
      const ratePeer = { server: await peer('peers/redis-limited-express.ts', [redis.url]), key: 'peer' }
      const keyedPeer = { server: await peer('peers/redis-keys-express.ts', [redis.url, key]), key }

      const runs = await measureByTurns([rate, ratePeer, keyed, keyedPeer], (server, headers) =>
        measureCalls(server, 200, calls, headers),
      )
      const cost = (target: Target) => medianThroughput(runs(target))
      return [
        compareCpu(
          'call with one rate in Redis, CPU µs per call; peer: Express with one rate of rate-limiter-flexible in Redis',
          cost(rate),
          cost(ratePeer),
          1.2,
        ),
        compareCpu(
          'key call with rate, day and month in Redis, CPU µs per call; peer: Express that looks a hashed key up, with the same three limits of rate-limiter-flexible in Redis',
          cost(keyed),
          cost(keyedPeer),
          1.2,
        ),
        compareCpu(
          'key call with rate, day and month in Redis, CPU µs per call; peer, which does less: Express without keys, with one rate of rate-limiter-flexible in Redis',
          cost(keyed),
          cost(ratePeer),
          1.2,
        ),
      ]
    })
  } finally {
    await redis.close()
  }
}
