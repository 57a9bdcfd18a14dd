import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { compareThroughput, median, medianThroughput, type Throughput } from './measure.ts'
import type { Result } from './report.ts'
import { cpuMs, residentMb, startProgram } from './servers.ts'

/** Measures the gateway in front of an upstream, against Express with http-proxy-middleware in front of the same one. */
export async function benchProxy(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-proxy-'))
  const upstream = await startProgram('peers/upstream.ts', [], {})
  const peer = await startProgram('peers/express-proxy.ts', [upstream.url], {})
  const catalog = join(folder, 'catalog.yaml')
  await writeFile(catalog, catalogOf(upstream.url))
  const ours = await startProgram('../../src/main.ts', [], {
    DATA_DIR: folder,
    CATALOG_FILE: catalog,
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  })
  try {
    const urls = { ours: `${ours.url}/up`, peer: `${peer.url}/up`, direct: upstream.url }
    const pids = { ours: ours.pid, peer: peer.pid }
    return [...(await benchJson(urls, pids)), ...(await benchLarge(urls, pids)), ...(await benchEvents(urls))]
  } finally {
    await Promise.all([ours.stop(), peer.stop(), upstream.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

interface Urls {
  readonly ours: string
  readonly peer: string
  readonly direct: string
}

interface Pids {
  readonly ours: number
  readonly peer: number
}

const rounds = 5
/** Rounds that do not count: the gateway has more code than the peer, and V8 takes longer to optimize it. */
const warmUps = 2
const seconds = 3
const gigabyte = 1_000_000_000

async function benchJson(urls: Urls, pids: Pids): Promise<Result[]> {
  const runs = { ours: [] as Throughput[], peer: [] as Throughput[] }
  const times = { ours: [] as number[], direct: [] as number[] }
  for (let round = 0; round < warmUps + rounds; round++) {
    const ours = await load(`${urls.ours}/json`, pids.ours)
    const peer = await load(`${urls.peer}/json`, pids.peer)
    const alone = await timeCalls(`${urls.ours}/json`)
    const direct = await timeCalls(`${urls.direct}/json`)
    if (round < warmUps) continue
    runs.ours.push(ours)
    runs.peer.push(peer)
    times.ours.push(median(alone))
    times.direct.push(median(direct))
  }
  return [
    compareThroughput(
      'proxied 1 kB JSON, requests/s; peer: Express with http-proxy-middleware',
      medianThroughput(runs.ours),
      medianThroughput(runs.peer),
      'at least 1',
    ),
    {
      what: 'proxied 1 kB JSON, added ms per call at p50',
      ours: median(times.ours) - median(times.direct),
      wanted: 'under 1',
      note: `direct ${median(times.direct).toFixed(2)} ms`,
    },
  ]
}

async function load(url: string, pid: number): Promise<Throughput> {
  const before = await cpuMs(pid)
  const result = await autocannon({ url, connections: 50, duration: seconds })
  const usedMs = (await cpuMs(pid)) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} replies without status 2xx, ${result.errors} errors`)
  const { average, total } = result.requests
  return { perSecond: average, cpuMicros: (usedMs * 1_000) / total }
}

/** Measures calls one after the other, each in milliseconds to the end of its reply. */
async function timeCalls(url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let call = 0; call < 500; call += 1) times.push((await fetchOnce(url, agent)).wholeMs)
  agent.destroy()
  return times
}

async function benchLarge(urls: Urls, pids: Pids): Promise<Result[]> {
  const rates = { ours: [] as number[], peer: [] as number[] }
  const growths = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const who of ['ours', 'peer'] as const) {
      const { growthMb, wholeMs } = await measureGrowth(pids[who], `${urls[who]}/bytes?count=${gigabyte}`)
      // The memory of any proxy grows with its first replies.
      if (round < warmUps) continue
      growths[who].push(growthMb)
      rates[who].push(gigabyte / wholeMs / 1000)
    }
  }
  const [ours, peer] = [median(rates.ours), median(rates.peer)]
  return [
    {
      what: 'proxied stream of 1 GB, MB/s; peer: Express with http-proxy-middleware',
      ours,
      peer,
      ratio: ours / peer,
      wanted: 'at least 0.8',
    },
    {
      what: 'proxied stream of 1 GB, growth of resident MB',
      ours: median(growths.ours),
      wanted: 'under 20',
      note: `peer ${median(growths.peer)} MB`,
    },
  ]
}

/** Reads a reply and measures by how much the memory of the sending process grows meanwhile. */
async function measureGrowth(pid: number, url: string): Promise<{ growthMb: number; wholeMs: number }> {
  const before = await residentMb(pid)
  let peak = before
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMb(pid))
  }, 50)
  const { wholeMs } = await fetchOnce(url)
  clearInterval(watch)
  return { growthMb: peak - before, wholeMs }
}

async function benchEvents(urls: Urls): Promise<Result[]> {
  const times = { ours: [] as number[], direct: [] as number[] }
  for (let call = 0; call < 50; call += 1) {
    times.direct.push((await fetchOnce(`${urls.direct}/events`)).firstMs)
    times.ours.push((await fetchOnce(`${urls.ours}/events`)).firstMs)
  }
  return [
    {
      what: 'proxied server-sent events, added ms to the first event at p50',
      ours: median(times.ours) - median(times.direct),
      wanted: 'under 5',
      note: `direct ${median(times.direct).toFixed(2)} ms`,
    },
  ]
}

/** Reads a whole reply without keeping it. */
function fetchOnce(url: string, agent?: Agent): Promise<{ firstMs: number; wholeMs: number }> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { ...(agent && { agent }) }, (response) => {
      let firstMs = 0
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.on('data', () => {
        firstMs ||= performance.now() - startedAt
      })
      response.on('end', () => resolve({ firstMs, wholeMs: performance.now() - startedAt }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

function catalogOf(upstream: string): string {
  return `
provider: { name: Bench, description: Forwards calls. }
upstreams:
  up: { prefix: /up, targets: ["${upstream}"], private: true, max_response_bytes: 2000000000 }
operations:
  readJson: { access: open, upstream: up, route: GET /json, description: A kilobyte. }
  readBytes: { access: open, upstream: up, route: GET /bytes, description: Many bytes., deadline_seconds: 300 }
  readEvents: { access: open, upstream: up, route: GET /events, description: Events. }
`
}
