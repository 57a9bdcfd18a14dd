import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Agent, request } from 'undici'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { type Depth, depths } from '../../src/products/scan/site/capture.ts'
import { loadSite } from '../support/servers/saved-site.ts'
import {
  type SitePage,
  type SiteRequest,
  type SiteServer,
  startSite,
} from '../support/servers/site-server.ts'
import type { Result } from './report.ts'
import { type BenchServer, residentMb, startProgram } from './servers.ts'

const latencyMs = 50
const scansOfDepth = 20
const atOnce = 20
const callsPerSecond = 100
const seconds = 15
const warmUpScans = 16
const fullScans = 50

const wantedSeconds: Readonly<Record<Depth, number>> = { light: 3, basic: 8, full: 25 }

/**
 * Measures how long a scan takes against fetching the same addresses without a scan, how much twenty running scans slow
 * other calls down, and how much memory fifty scans add.
 */
export async function benchScans(): Promise<Result[]> {
  return [
    ...(await withScanSetup('dentist', { SCANS_AT_ONCE: String(atOnce) }, async (setup) => [
      ...(await benchTimes(setup)),
      await benchCalls(setup),
    ])),
    // The saved site with the largest replies.
    await withScanSetup('hostile', {}, benchMemory),
  ]
}

async function benchTimes(setup: ScanSetup): Promise<Result[]> {
  const results: Result[] = []
  for (const depth of depths) {
    const scanTimes: number[] = []
    const bareTimes: number[] = []
    let requests = 0
    for (let count = 0; count <= scansOfDepth; count++) {
      const name = setup.names[count % setup.names.length] ?? ''
      const before = setup.site.requests.length
      const scanSeconds = await timed(() => scan(setup, name, depth))
      const asked = setup.site.requests.slice(before)
      const bareSeconds = await timed(() => fetchBare(setup.site, asked))
      // The first scan warms up.
      if (count === 0) continue
      scanTimes.push(scanSeconds)
      bareTimes.push(bareSeconds)
      requests = asked.length
    }
    const [ours, peer] = [percentile(scanTimes, 95), percentile(bareTimes, 95)]
    results.push({
      what: `${depth} scan, p95 of ${scansOfDepth} in seconds; peer: its ${requests} requests without a scan`,
      ours,
      peer,
      ratio: ours / peer,
      wanted: `under ${wantedSeconds[depth]}`,
    })
  }
  return results
}

/** Uses the 99th percentile: the median would hide the calls that arrive while a page is parsed. */
async function benchCalls(setup: ScanSetup): Promise<Result> {
  const p99 = () => latencyP99(`${setup.gateway.url}/api/analyze`)
  await p99()
  const peer = await p99()
  let isOver = false
  let finished = 0
  const scanAll = async () => {
    while (!isOver) {
      await Promise.all(
        setup.names.map((name, index) => scan(setup, name, depths[index % depths.length] ?? 'full')),
      )
      finished += atOnce
    }
  }
  const scanning = scanAll()
  const ours = await p99()
  isOver = true
  await scanning
  return {
    what: `free call at ${callsPerSecond} requests/s during ${atOnce} scans, p99 in ms; peer: without scans`,
    ours,
    peer,
    ratio: ours / peer,
    wanted: 'under 250',
    note: `${finished} scans of all depths, started ${atOnce} at a time`,
  }
}

/**
 * Sends each call at its time, whether or not earlier ones are answered.
 * @returns milliseconds.
 */
async function latencyP99(url: string): Promise<number> {
  const call = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"businessName":"Bright Smile Dental"}',
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  }
  const calls: Promise<number>[] = []
  const startedAt = performance.now()
  for (let count = 0; count < seconds * callsPerSecond; count++) {
    await pause(Math.max(0, startedAt + (count * 1_000) / callsPerSecond - performance.now()))
    calls.push(timed(call))
  }
  return percentile(await Promise.all(calls), 99) * 1_000
}

async function benchMemory(setup: ScanSetup): Promise<Result> {
  const limitScans = pLimit(atOnce)
  const scanMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        limitScans(async () => {
          await scan(setup, setup.names[index % setup.names.length] ?? '', 'full')
          peak = Math.max(peak, await residentMb(setup.gateway.pid))
        }),
      ),
    )
  let peak = 0
  await scanMany(warmUpScans)
  const before = peak
  peak = 0
  await scanMany(fullScans)
  const after = await residentMb(setup.gateway.pid)
  return {
    what: `${fullScans} full scans of the largest site after ${warmUpScans}, growth of resident MB`,
    ours: peak - before,
    wanted: 'under 150',
    note: `peak ${before} MB before, peak ${peak} MB during, ${after} MB after`,
  }
}

/** The limits are too high to be reached. */
const catalog = stringify({
  provider: { name: 'bench', description: 'Scans sites.' },
  operations: {
    analyzeBusiness: { access: 'optional', description: 'A call beside the scans.', free: '100000000/day' },
    triggerScan: { access: 'optional', description: 'A scan.', free: '100000000/day' },
    stream: { access: 'optional', description: 'Progress of a scan.', rate: '999999/minute' },
  },
})

/** A gateway and the websites it scans. */
interface ScanSetup {
  readonly gateway: BenchServer
  readonly site: SiteServer
  readonly names: readonly string[]
}

async function withScanSetup<Measured>(
  siteName: string,
  settings: Readonly<Record<string, string>>,
  use: (setup: ScanSetup) => Promise<Measured>,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const names = Array.from({ length: atOnce }, (_, index) => `site-${index + 1}.example`)
  const site = await startSite(names, servedUnder(siteName), { latencyMs })
  const authority = join(folder, 'ca.pem')
  await writeFile(authority, site.ca)
  const catalogFile = join(folder, 'catalog.yaml')
  await writeFile(catalogFile, catalog)
  const gateway = await startProgram('../../src/main.ts', [], {
    DATA_DIR: join(folder, 'store'),
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
    CATALOG_FILE: catalogFile,
    ALLOW_PRIVATE_TARGETS: site.allowed
      .map(({ name, namePort, address, port }) => `${name}:${namePort}=${address}:${port}`)
      .join(','),
    NODE_EXTRA_CA_CERTS: authority,
    LOG_LEVEL: 'warn',
    ...settings,
  })
  try {
    return await use({ gateway, site, names })
  } finally {
    await gateway.stop()
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Serves the saved site under any name, so that it can be scanned many times at once. */
function servedUnder(siteName: string): (request: SiteRequest) => SitePage {
  const { names, answer } = loadSite(siteName)
  const [own = ''] = names
  return (request) => {
    const page = answer({ ...request, host: own })
    if (typeof page === 'string') throw new Error(`${request.path} of ${siteName} is a reply without end`)
    const { headers = {}, body = '' } = page
    const renamed = (text: string) => text.replaceAll(own, request.host)
    return {
      ...page,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? renamed(value) : value.map(renamed),
        ]),
      ),
      body: typeof body === 'string' ? renamed(body) : body,
    }
  }
}

const started = z.object({ scanId: z.uuid() })

/** Runs a scan from its request to the end of its event stream. */
async function scan({ gateway: { url } }: ScanSetup, name: string, scanType: Depth): Promise<void> {
  const response = await fetch(`${url}/api/insights/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `https://${name}/`, scanType }),
  })
  const answer: unknown = await response.json()
  if (response.status !== 200) throw new Error(`a scan was refused: ${JSON.stringify(answer)}`)
  const { scanId } = started.parse(answer)
  const events = await (await fetch(`${url}/api/insights/scan/${scanId}/stream`)).text()
  if (!events.includes('"complete"')) throw new Error(`a scan did not complete: ${events.slice(-500)}`)
}

async function fetchBare(site: SiteServer, asked: readonly SiteRequest[]): Promise<void> {
  const limitRequests = pLimit(4)
  const portOf = (scheme: string) =>
    site.allowed.find(({ namePort }) => namePort === (scheme === 'https' ? 443 : 80))?.port
  const dispatcher = new Agent({ connect: { ca: site.ca, servername: asked[0]?.host ?? '' } })
  await Promise.all(
    asked.map(({ scheme, host, path, method, userAgent }) =>
      limitRequests(async () => {
        const { body } = await request(`${scheme}://127.0.0.1:${portOf(scheme)}${path}`, {
          method: method === 'HEAD' ? 'HEAD' : 'GET',
          headers: { host, 'user-agent': userAgent },
          dispatcher,
        })
        await body.dump({ limit: Number.POSITIVE_INFINITY })
      }),
    ),
  )
  await dispatcher.close()
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** The smallest value that `percent` of the values do not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}
