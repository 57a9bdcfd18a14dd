import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { startRedis } from '../support/stores/redis-server.ts'
import { latencyP99, median, requestsPerSecond } from './measure.ts'
import type { Result } from './report.ts'
import { type BenchServer, startProgram } from './servers.ts'

const rounds = 4
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
export async function benchDoors(bareUrl: string): Promise<Result[]> {
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

    const bare = { url: bareUrl, key: undefined }
    const free = { url: ours.url, key: undefined }
    const keyed = { url: ours.url, key }
    const peer = { url: limited.url, key: 'peer' }
    const inRedis = { url: shared.url, key: sharedKey }

    const rate = await measureByTurns([bare, free, keyed, peer, inRedis], (url, headers) =>
      requestsPerSecond(url, 200, seconds, headers),
    )
    const p99 = await measureByTurns([bare, free, keyed], (url, headers) =>
      latencyP99(url, 2_000, seconds, headers),
    )
    return [
      compare(
        'free call with daily quota and rate, requests/s; peer: bare Express 5 JSON route',
        rate(free),
        rate(bare),
        'at least 0.6',
      ),
      compare(
        'key call with rate, daily and monthly quota, requests/s; peer: bare Express 5 JSON route',
        rate(keyed),
        rate(bare),
        'at least 0.55',
      ),
      compare(
        'key call counted in Redis, requests/s; peer: Express with rate-limiter-flexible in Redis',
        rate(inRedis),
        rate(peer),
        'at least 0.6',
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
  readonly url: string
  readonly key: string | undefined
}

/**
 * Measures the targets by turns, several times, so that a busy moment of the machine affects all of them. The first
 * round warms up and does not count.
 * @returns a function that gives the median of one target.
 */
async function measureByTurns(
  targets: readonly Target[],
  measure: (url: string, headers: Readonly<Record<string, string>>) => Promise<number>,
): Promise<(target: Target) => number> {
  const figures = new Map<Target, number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      const { url, key } = target
      const figure = await measure(`${url}/api/analyze`, key === undefined ? {} : { 'x-mcp-api-key': key })
      if (round > 0) figures.set(target, [...(figures.get(target) ?? []), figure])
    }
  }
  return (target) => median(figures.get(target) ?? [])
}

async function createKey(url: string): Promise<string> {
  const response = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'bench' }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}
