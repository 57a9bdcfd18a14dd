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
    const { own, other } = await compare(ours, peer, '/pricing', rounds, seconds)
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

/** Each document that the Link header or llms.txt leads to, against bare Express 5 that sends the same bytes. */
async function benchDiscovery(ours: BenchServer, folder: string): Promise<Result[]> {
  const documents = await Promise.all(
    discoveryPaths.map(async (path) => {
      const reply = await fetch(`${ours.url}${path}`)
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
      return { path, type: reply.headers.get('content-type') ?? '', body: await reply.text() }
    }),
  )
  const file = join(folder, 'documents.json')
  await writeFile(file, JSON.stringify(documents))
  const peer = await startProgram('peers/bytes-express.ts', [file], {})
  try {
    const rows = []
    for (const { path } of documents) {
      const { own, other } = await compare(ours, peer, path, 3, 1)
      const p99 = await p99AtRate(ours, path)
      rows.push({ path, own, other, p99, ratio: own.perSecond / other.perSecond })
    }
    const slowest = rows.toSorted((a, b) => a.ratio - b.ratio)
    const [worst] = slowest
    const [late] = rows.toSorted((a, b) => b.p99 - a.p99)
    if (!worst || !late) throw new Error('no document was measured')
    const peerP99 = await p99AtRate(peer, late.path)
    const listed = slowest.map(({ path, ratio, p99 }) => `${path} ${ratio.toFixed(2)} (${p99} ms)`).join(', ')
    return [
      {
        what: `${rows.length} discovery documents, requests/s of the slowest; peer: bare Express 5 that sends its bytes`,
        ours: worst.own.perSecond,
        peer: worst.other.perSecond,
        ratio: worst.ratio,
        wanted: `at least 0.85${worst.ratio < 0.85 ? ', missed' : ''}`,
        note: `${worst.path}; ratio and p99 at 1,000/s of each: ${listed}`,
      },
      {
        what: 'discovery document with the longest p99 at 1,000 requests/s, ms; peer: bare Express 5',
        ours: late.p99,
        peer: peerP99,
        ratio: late.p99 / peerP99,
        wanted: `under 5 ms${late.p99 >= 5 ? ', missed' : ''}`,
        note: late.path,
      },
    ]
  } finally {
    await peer.stop()
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

/** Runs both by turns, as fast as they answer; the first round warms up. */
async function compare(
  ours: BenchServer,
  peer: BenchServer,
  path: string,
  times: number,
  duration: number,
): Promise<{ own: Run; other: Run }> {
  const own: Run[] = []
  const other: Run[] = []
  for (let round = 0; round <= times; round++) {
    const [peers, measured] = [await measure(peer, path, duration), await measure(ours, path, duration)]
    if (round === 0) continue
    other.push(peers)
    own.push(measured)
  }
  return { own: medianRun(own), other: medianRun(other) }
}

function medianRun(runs: readonly Run[]): Run {
  return {
    cpuMicros: median(runs.map(({ cpuMicros }) => cpuMicros)),
    perSecond: median(runs.map(({ perSecond }) => perSecond)),
  }
}

/** In milliseconds. */
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
