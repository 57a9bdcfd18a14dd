import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { startRedis } from '../support/stores/redis-server.ts'
import { compareCpu, latencyP99, measureCalls, median, medianThroughput } from './measure.ts'
import type { Result } from './report.ts'
import { type BenchServer, startProgram } from './servers.ts'

const rounds = 7
const calls = 20_000
const seconds = 2
const operatorToken = 'operator-token-of-the-benchmark-gateway'

/** The limits are too high to be reached: the bench measures the counting. */
const catalog = stringify({
  provider: { name: 'bench', description: 'Counts calls.' },
  operations: {
    analyzeBusiness: {
      access: 'optional',
      description: 'An echo.',
      free: '100000000/day',
      rate: '999999/second',
    },
  },
  tiers: {
    bench: {
      description: 'For the benchmark.',
      rate: '999999/second',
      operations: { analyzeBusiness: ['100000000/day', '100000000/month'] },
    },
  },
})

/** Measures calls on the free quota and with a key against a bare route, and in Redis against rate-limiter-flexible. */
export async function benchDoors(bareServer: BenchServer): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const redis = await startRedis()
  const started: BenchServer[] = []
  const start = async (server: Promise<BenchServer>) => {
    started.push(await server)
    return server
  }
  try {
    const catalogFile = join(folder, 'catalog.yaml')
    await writeFile(catalogFile, catalog)
    const gateway = async (name: string, settings: Readonly<Record<string, string>>) =>
      start(
        startProgram('echo-gateway.ts', [], {
          DATA_DIR: join(folder, name),
          PORT: String(await freePort()),
          DEV_CHAIN_PORT: String(await freePort()),
          CATALOG_FILE: catalogFile,
          OPERATOR_TOKEN: operatorToken,
          LOG_LEVEL: 'warn',
          ...settings,
        }),
      )
    const ours = await gateway('memory', {})
    const shared = await gateway('redis', { REDIS_URL: redis.url })
    const limited = await start(startProgram('peers/redis-limited-express.ts', [redis.url], {}))
    const [key, sharedKey] = [await createKey(ours.url), await createKey(shared.url)]

    const bare = { server: bareServer, key: undefined }
    const free = { server: ours, key: undefined }
    const keyed = { server: ours, key }
    const peer = { server: limited, key: 'peer' }
    const inRedis = { server: shared, key: sharedKey }

    const runs = await measureByTurns([bare, free, keyed, peer, inRedis], (server, headers) =>
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
      compareCpu(
        'key call counted in Redis, CPU µs per call; peer: Express with rate-limiter-flexible in Redis',
        cost(inRedis),
        cost(peer),
        1.2,
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
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    await redis.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function compare(what: string, ours: number, peer: number, wanted: string): Result {
  return { what, ours, peer, ratio: ours / peer, wanted }
}

interface Target {
  readonly server: BenchServer
  readonly key: string | undefined
}

/**
 * Measures the targets by turns, several times, so that a busy moment of the machine affects all of them. The first
 * round warms up and does not count.
 * @returns a function that gives the figures of one target.
 */
async function measureByTurns<Figure>(
  targets: readonly Target[],
  measure: (
    server: { readonly url: string; readonly pid: number },
    headers: Readonly<Record<string, string>>,
  ) => Promise<Figure>,
): Promise<(target: Target) => readonly Figure[]> {
  const figures = new Map<Target, Figure[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      const { server, key } = target
      const figure = await measure(
        { url: `${server.url}/api/analyze`, pid: server.pid },
        key === undefined ? {} : { 'x-mcp-api-key': key },
      )
      if (round > 0) figures.set(target, [...(figures.get(target) ?? []), figure])
    }
  }
  return (target) => figures.get(target) ?? []
}

async function createKey(url: string): Promise<string> {
  const response = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'bench' }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}
