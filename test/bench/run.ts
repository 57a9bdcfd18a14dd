import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { benchDirectory, benchEmbeddedDirectory } from './directory.ts'
import { benchDocuments } from './documents.ts'
import { benchDoors } from './doors.ts'
import { benchLedger } from './ledger.ts'
import { benchMcp } from './mcp.ts'
import { benchPaid } from './paid.ts'
import { benchProxy } from './proxy.ts'
import { benchRedis } from './redis.ts'
import { type Result, report } from './report.ts'
import { benchScans } from './scans.ts'
import { type BenchServer, startProgram } from './servers.ts'
import { benchStart } from './start.ts'
import { benchTexts } from './texts/bench-texts.ts'
import { benchUnpaid } from './unpaid.ts'
import { benchVerify } from './verify.ts'

/**
 * `npm run bench`: measures the gateway and its peers in the same run, by turns. Absolute times mean little on a shared
 * machine; the ratios do. `npm run bench -- ledger scans` runs only the named parts.
 */

interface SharedServers {
  readonly ours: BenchServer
  readonly bare: BenchServer
  readonly reference: BenchServer
  readonly rpc: string
}

/** Parts that measure one gateway, a bare Express and @x402/express on one local chain. */
const sharedParts = {
  unpaid: benchUnpaid,
  documents: benchDocuments,
  mcp: benchMcp,
  doors: ({ bare }: SharedServers) => benchDoors(bare),
  paid: ({ ours, reference, rpc }: SharedServers) =>
    benchPaid({ ours: ours.url, reference: reference.url, rpc }),
} as const

/** Parts that start their own servers. */
const ownParts = {
  redis: benchRedis,
  ledger: benchLedger,
  start: benchStart,
  proxy: benchProxy,
  scans: benchScans,
  texts: benchTexts,
  directory: benchDirectory,
  'directory-embedded': benchEmbeddedDirectory,
} as const

if (process.argv.includes('--help')) {
  process.stdout.write(`npm run bench -- [parts]

Measures the gateway and its peers in the same run, by turns; all parts when none is named. Prints the rows, and writes them
as JSON to node_modules/.cache/tollgate/bench.json.

  verify      reading a payment header and recovering its signer
  unpaid      the 402 with the price
  documents   the price list as JSON, and each discovery document
  mcp         a tool call, against its operation over HTTP
  doors       calls on the free quota and with a key, counted in memory
  redis       calls with one rate and with a key, counted in Redis
  paid        paid and settled calls of 1, 20 and 200 clients, and their gas
  ledger      a claim, a lookup and an hour of a store with a million payments
  start       time to the first 402, and memory
  proxy       small replies, a stream of 1 GB and events from an upstream
  scans       time of scans, and other calls meanwhile
  texts       forty requests for texts, scored by fixed rules
`)
  process.exit(0)
}

const names = ['verify', ...Object.keys(sharedParts), ...Object.keys(ownParts)]
const wanted = new Set(process.argv.slice(2))
for (const name of wanted) {
  if (names.includes(name)) continue
  process.stderr.write(`${name} is not a part of the bench; the parts are ${names.join(', ')}.\n`)
  process.exit(2)
}

const results: Result[] = []
if (isWanted('verify')) results.push(...(await benchVerify()))
results.push(...(await runShared()))
for (const [name, bench] of Object.entries(ownParts)) if (isWanted(name)) results.push(...(await bench()))
await report(results)

function isWanted(name: string): boolean {
  return wanted.size === 0 || wanted.has(name)
}

async function runShared(): Promise<Result[]> {
  const parts = Object.entries(sharedParts).filter(([name]) => isWanted(name))
  if (parts.length === 0) return []
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const chainPort = await freePort()
  const rpc = `http://127.0.0.1:${chainPort}`
  const ours = await startProgram('../../src/main.ts', [], {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(chainPort),
  })
  const bare = await startProgram('peers/bare-express.ts', [], {})
  const reference = await startProgram('peers/x402-express.ts', [rpc], {})
  try {
    const measured: Result[] = []
    for (const [, bench] of parts) measured.push(...(await bench({ ours, bare, reference, rpc })))
    return measured
  } finally {
    await Promise.all([ours.stop(), bare.stop(), reference.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
}
