import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median } from './measure.ts'
import type { Result } from './report.ts'
import { type BenchServer, cpuMs, startProgram } from './servers.ts'

const rounds = 5
const seconds = 3

/** Measures the price list, and every discovery document. */
export async function benchDocuments({ ours }: { ours: BenchServer }): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  try {
    return [await benchPriceList(ours, folder), ...(await benchDiscovery(ours, folder))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The price list as JSON, against a bare route that serialises the same document for each request. */
async function benchPriceList(ours: BenchServer, folder: string): Promise<Result> {
  const file = join(folder, 'pricing.json')
  const document = await (await fetch(`${ours.url}/pricing`)).text()
  await writeFile(file, document)
  const peer = await startProgram('peers/document-express.ts', [file], {})
  try {
    const [own, other] = await measureByTurns([ours, peer], '/pricing', rounds, seconds)
    if (!own || !other) throw new Error('the price list was not measured')
    return {
      what: 'document from the catalog, CPU µs per call; peer: bare Express 5 that serialises it',
      ours: own.cpuMicros,
      peer: other.cpuMicros,
      ratio: own.cpuMicros / other.cpuMicros,
      wanted: 'at most 0.8',
      note: `GET /pricing, ${Math.round(document.length / 1000)} kB; requests/s ${Math.round(own.perSecond)}, peer ${Math.round(other.perSecond)}`,
    }
  } finally {
    await peer.stop()
  }
}

/**
 * Each document that the Link header or llms.txt leads to, against Express 5 as it comes, which sends the same reply, and
 * against Express 5 without its ETag, which sends the same bytes and no header but their type.
 */
async function benchDiscovery(ours: BenchServer, folder: string): Promise<Result[]> {
  const documents = await Promise.all(
    discoveryPaths.map(async (path) => {
      const reply = await fetch(`${ours.url}${path}`)
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
      const headers = Object.fromEntries([...reply.headers].filter(([name]) => !ofOneReply.has(name)))
      return { path, type: reply.headers.get('content-type') ?? '', headers, body: await reply.text() }
    }),
  )
  const file = join(folder, 'documents.json')
  await writeFile(file, JSON.stringify(documents))
  const same = await startProgram('peers/reply-express.ts', [file], {})
  const bytes = await startProgram('peers/bytes-express.ts', [file], {})
  try {
    const rows: Row[] = []
    for (const { path } of documents) {
      const [own, replied, sent] = await measureByTurns([ours, same, bytes], path, 3, 1)
      if (!own || !replied || !sent) throw new Error(`${path} was not measured`)
      const [p99, peerP99] = await p99sByTurns([ours, same], path)
      if (p99 === undefined || peerP99 === undefined) throw new Error(`${path} was not measured`)
      rows.push({ path, p99, peerP99, own, replied, sent })
    }
    const [late] = rows.toSorted((a, b) => b.p99 - a.p99)
    if (!late) throw new Error('no document was measured')
    return [
      slowestOf(rows, 'replied', 'bare Express 5 that sends the same reply', 0.85),
      slowestOf(rows, 'sent', 'Express 5 without an ETag that sends the bytes alone'),
      {
        what: 'discovery document with the longest p99 at 1,000 requests/s, ms; peer: bare Express 5',
        ours: late.p99,
        peer: late.peerP99,
        ratio: late.p99 / late.peerP99,
        wanted: `under 5 ms${late.p99 >= 5 ? ', missed' : ''}`,
        note: `${late.path}; of each, and of the peer: ${rows.map(({ path, p99, peerP99 }) => `${path} ${p99}, ${peerP99}`).join('; ')}`,
      },
    ]
  } finally {
    await Promise.all([same.stop(), bytes.stop()])
  }
}

/** Headers that differ from reply to reply, or that each server writes by itself. */
const ofOneReply: ReadonlySet<string> = new Set(
  'connection content-length date etag keep-alive x-request-id'.split(' '),
)

interface Row {
  readonly path: string
  readonly p99: number
  readonly peerP99: number
  readonly own: Run
  readonly replied: Run
  readonly sent: Run
}

function slowestOf(rows: readonly Row[], peer: 'replied' | 'sent', who: string, least = 0): Result {
  const slowest = rows
    .map((row) => ({ ...row, ratio: row.own.perSecond / row[peer].perSecond }))
    .toSorted((a, b) => a.ratio - b.ratio)
  const [worst] = slowest
  if (!worst) throw new Error('no document was measured')
  return {
    what: `${rows.length} discovery documents, requests/s of the slowest; peer: ${who}`,
    ours: worst.own.perSecond,
    peer: worst[peer].perSecond,
    ratio: worst.ratio,
    wanted: least === 0 ? 'none' : `at least ${least}${worst.ratio < least ? ', missed' : ''}`,
    note: slowest.map(({ path, ratio }) => `${path} ${ratio.toFixed(2)}`).join(', '),
  }
}

const discoveryPaths = [
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/ai-plugin.json',
  '/.well-known/api-catalog',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/scan-website/SKILL.md',
  '/.well-known/mcp/server-card',
  '/.well-known/oauth-protected-resource',
  '/agents.md',
  '/docs',
  '/index.md',
  '/llms.txt',
  '/llms-full.txt',
  '/payments/openapi.json',
  '/pricing.md',
  '/robots.txt',
  '/sitemap.xml',
]

/** Runs all by turns, as fast as they answer; the first round warms up. */
async function measureByTurns(
  servers: readonly BenchServer[],
  path: string,
  times: number,
  duration: number,
): Promise<Run[]> {
  const runs = servers.map((): Run[] => [])
  for (let round = 0; round <= times; round++) {
    for (const [place, server] of servers.entries()) {
      const run = await measure(server, path, duration)
      if (round > 0) runs[place]?.push(run)
    }
  }
  return runs.map(medianRun)
}

function medianRun(runs: readonly Run[]): Run {
  return {
    cpuMicros: median(runs.map(({ cpuMicros }) => cpuMicros)),
    perSecond: median(runs.map(({ perSecond }) => perSecond)),
  }
}

/** In milliseconds; medians of three runs, because twenty late replies of 2,000 are one pause of a shared machine. */
async function p99sByTurns(servers: readonly BenchServer[], path: string): Promise<number[]> {
  const runs = servers.map((): number[] => [])
  for (let run = 0; run < 3; run++) {
    for (const [place, server] of servers.entries()) runs[place]?.push(await p99AtRate(server, path))
  }
  return runs.map((times) => median(times))
}

async function p99AtRate({ url }: BenchServer, path: string): Promise<number> {
  const { latency, non2xx, errors } = await autocannon({
    url: `${url}${path}`,
    connections: 10,
    duration: 2,
    overallRate: 1_000,
  })
  if (non2xx + errors > 0) throw new Error(`${url}${path} failed ${non2xx + errors} times`)
  return latency.p99
}

interface Run {
  readonly cpuMicros: number
  readonly perSecond: number
}

async function measure({ url, pid }: BenchServer, path: string, duration: number): Promise<Run> {
  const before = await cpuMs(pid)
  const { requests, non2xx, errors } = await autocannon({
    url: `${url}${path}`,
    connections: 50,
    duration,
  })
  if (non2xx + errors > 0) throw new Error(`${url}${path} failed ${non2xx + errors} times`)
  return {
    cpuMicros: (((await cpuMs(pid)) - before) * 1_000) / requests.total,
    perSecond: requests.average,
  }
}
