import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { type BenchServer, startProgram } from './servers.ts'

const operatorToken = 'operator-token-of-the-benchmark-gateway'

/** The limits are too high to be reached: the bench measures the counting. */
const rate = '999999/second'
const daily = '100000000/day'
const monthly = '100000000/month'

const provider = { name: 'bench', description: 'Counts calls.' }
const echo = { access: 'optional', description: 'An echo.', rate }

/** What a gateway of the bench counts. */
const catalogs = {
  /** A rate for each client. */
  rate: { provider, operations: { analyzeBusiness: echo } },
  /** A rate and a day for each client; a rate, a day and a month for each key. */
  quotas: {
    provider,
    operations: { analyzeBusiness: { ...echo, free: daily } },
    tiers: {
      bench: { description: 'For the benchmark.', rate, operations: { analyzeBusiness: [daily, monthly] } },
    },
  },
} as const

/** Starts servers for a part of the bench, and ends them with it. */
interface Servers {
  /** Starts a gateway that echoes, with these limits. */
  readonly gateway: (
    limits: keyof typeof catalogs,
    settings: Readonly<Record<string, string>>,
  ) => Promise<BenchServer>
  /** Starts a program of this folder. */
  readonly peer: (program: string, args: readonly string[]) => Promise<BenchServer>
}

/** Runs a part of the bench with its servers. */
export async function withServers<Result>(run: (servers: Servers) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const started: BenchServer[] = []
  const start = async (...program: Parameters<typeof startProgram>) => {
    const server = await startProgram(...program)
    started.push(server)
    return server
  }
  try {
    return await run({
      async gateway(limits, settings) {
        const name = `gateway-${started.length}`
        const catalogFile = join(folder, `${name}.yaml`)
        await writeFile(catalogFile, stringify(catalogs[limits]))
        return start('echo-gateway.ts', [], {
          DATA_DIR: join(folder, name),
          PORT: String(await freePort()),
          DEV_CHAIN_PORT: String(await freePort()),
          CATALOG_FILE: catalogFile,
          OPERATOR_TOKEN: operatorToken,
          LOG_LEVEL: 'warn',
          ...settings,
        })
      },
      peer: (program, args) => start(program, args, {}),
    })
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates a key of a gateway that counts quotas. */
export async function createKey({ url }: BenchServer): Promise<string> {
  const response = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'bench' }),
  })
  return z.object({ key: z.string() }).parse(await response.json()).key
}
