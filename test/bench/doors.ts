import { createKey, withServers } from './limited-gateways.ts'
import { compareCpu, latencyP99, measureCalls, median, medianThroughput } from './measure.ts'
import type { Result } from './report.ts'
import type { BenchServer } from './servers.ts'
import { measureByTurns, type Target } from './turns.ts'

const calls = 20_000
const seconds = 2

/** Measures calls on the free quota and with a key against a bare route. */
export function benchDoors(bareServer: BenchServer): Promise<Result[]> {
  return withServers(async ({ gateway }) => {
    const ours = await gateway('quotas', {})
    const bare = { server: bareServer, key: undefined }
    const free = { server: ours, key: undefined }
    const keyed = { server: ours, key: await createKey(ours) }

    const runs = await measureByTurns([bare, free, keyed], (server, headers) =>
      measureCalls(server, 200, calls, headers),
    )
    const cost = (target: Target) => medianThroughput(runs(target))
    const latencies = await measureByTurns([bare, free, keyed], ({ url }, headers) =>
      latencyP99(url, 2_000, seconds, headers),
    )
    const p99 = (target: Target) => median(latencies(target))
    return [
      compareCpu(
        'free call with daily quota and rate, CPU µs per call; peer: bare Express 5 JSON route',
        cost(free),
        cost(bare),
        1.3,
      ),
      compareCpu(
        'key call with rate, daily and monthly quota, CPU µs per call; peer: bare Express 5 JSON route',
        cost(keyed),
        cost(bare),
        1.3,
      ),
      compare(
        'free call at 2,000 requests/s, p99 in ms; peer: bare Express 5 JSON route',
        p99(free),
        p99(bare),
        'under 5 ms more',
      ),
      compare(
        'key call at 2,000 requests/s, p99 in ms; peer: bare Express 5 JSON route',
        p99(keyed),
        p99(bare),
        'under 5 ms more',
      ),
    ]
  })
}

function compare(what: string, ours: number, peer: number, wanted: string): Result {
  return { what, ours, peer, ratio: ours / peer, wanted }
}
