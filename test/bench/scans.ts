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
 * How long a scan takes next to fetching the same addresses bare, what a caller of the API notices of twenty
 * scans at once, and what memory fifty scans leave behind.
 */
export async function benchScans(): Promise<Result[]> {
  return [
    ...(await withShop('dentist', { SCANS_AT_ONCE: String(atOnce) }, async (shop) => [
      ...(await benchTimes(shop)),
      await benchCalls(shop),
    ])),
    // The site whose answers are the largest by far.
    await withShop('hostile', {}, benchMemory),
  ]
}

async function benchTimes(shop: Shop): Promise<Result[]> {
  const results: Result[] = []
  for (const depth of depths) {
    const took: number[] = []
    const bareTook: number[] = []
    let requests = 0
    for (let count = 0; count <= scansOfDepth; count++) {
      const name = shop.names[count % shop.names.length] ?? ''
      const before = shop.site.requests.length
      const scanSeconds = await timed(() => scan(shop, name, depth))
      const asked = shop.site.requests.slice(before)
      const bareSeconds = await timed(() => fetchBare(shop.site, asked))
      // The first one warms up.
      if (count === 0) continue
      took.push(scanSeconds)
      bareTook.push(bareSeconds)
      requests = asked.length
    }
    const [ours, peer] = [percentile(took, 95), percentile(bareTook, 95)]
    results.push({
      what: `seconds of a ${depth} scan, p95 of ${scansOfDepth}, with its ${requests} requests made bare as peer`,
      ours,
      peer,
      ratio: ours / peer,
      wanted: `under ${wantedSeconds[depth]}`,
    })
  }
  return results
}

/** The median of what a call waits hides whoever came while a page was parsed; so the slowest percent counts. */
async function benchCalls(shop: Shop): Promise<Result> {
  const p99 = () => latencyP99(`${shop.gateway.url}/api/analyze`)
  await p99()
  const peer = await p99()
  let isOver = false
  let finished = 0
  const scanAll = async () => {
    while (!isOver) {
      await Promise.all(
        shop.names.map((name, index) => scan(shop, name, depths[index % depths.length] ?? 'full')),
      )
      finished += atOnce
    }
  }
  const scanning = scanAll()
  const ours = await p99()
  isOver = true
  await scanning
  return {
    what: `p99 of a free call at ${callsPerSecond} requests/s while ${atOnce} sites are scanned, ms, no scans as peer`,
    ours,
    peer,
    ratio: ours / peer,
    wanted: 'under 250',
    note: `${finished} scans of all depths, ${atOnce} begun at once, again and again`,
  }
}

/** Each call is sent at its time, whether those before it are answered or not. In milliseconds. */
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

async function benchMemory(shop: Shop): Promise<Result> {
  const inTurn = pLimit(atOnce)
  const scanMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        inTurn(async () => {
          await scan(shop, shop.names[index % shop.names.length] ?? '', 'full')
          most = Math.max(most, await residentMb(shop.gateway.pid))
        }),
      ),
    )
  let most = 0
  await scanMany(warmUpScans)
  const before = most
  most = 0
  await scanMany(fullScans)
  const after = await residentMb(shop.gateway.pid)
  return {
    what: `resident MB that ${fullScans} full scans of the largest site add at most, after ${warmUpScans} scans`,
    ours: most - before,
    wanted: 'under 150',
    note: `${before} MB at most before, ${most} MB at most during them, ${after} MB after them`,
  }
}

/** Limits that nobody reaches. */
const catalog = stringify({
  provider: { name: 'bench', description: 'What scans take.' },
  operations: {
    analyzeBusiness: { access: 'optional', description: 'A call like any other.', free: '100000000/day' },
    triggerScan: { access: 'optional', description: 'A scan.', free: '100000000/day' },
    stream: { access: 'optional', description: 'How far it is.', rate: '999999/minute' },
  },
})

/** A gateway and the websites it scans. */
interface Shop {
  readonly gateway: BenchServer
  readonly site: SiteServer
  readonly names: readonly string[]
}

async function withShop<Found>(
  siteName: string,
  settings: Readonly<Record<string, string>>,
  use: (shop: Shop) => Promise<Found>,
): Promise<Found> {
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

/** The saved site under whatever name it is asked for, so that it can be scanned many times at once. */
function servedUnder(siteName: string): (request: SiteRequest) => SitePage {
  const { names, answer } = loadSite(siteName)
  const [own = ''] = names
  return (request) => {
    const page = answer({ ...request, host: own })
    if (typeof page === 'string') throw new Error(`${request.path} of ${siteName} never ends`)
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

/** From asking for the scan to the end of its stream. */
async function scan({ gateway: { url } }: Shop, name: string, scanType: Depth): Promise<void> {
  const response = await fetch(`${url}/api/insights/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `https://${name}/`, scanType }),
  })
  const answer: unknown = await response.json()
  if (response.status !== 200) throw new Error(`a scan was refused: ${JSON.stringify(answer)}`)
  const { scanId } = started.parse(answer)
  const events = await (await fetch(`${url}/api/insights/scan/${scanId}/stream`)).text()
  if (!events.includes('"complete"')) throw new Error(`a scan did not work out: ${events.slice(-500)}`)
}

async function fetchBare(site: SiteServer, asked: readonly SiteRequest[]): Promise<void> {
  const inTurn = pLimit(4)
  const portOf = (scheme: string) =>
    site.allowed.find(({ namePort }) => namePort === (scheme === 'https' ? 443 : 80))?.port
  const dispatcher = new Agent({ connect: { ca: site.ca, servername: asked[0]?.host ?? '' } })
  await Promise.all(
    asked.map(({ scheme, host, path, method, userAgent }) =>
      inTurn(async () => {
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

/** The smallest value that so many percent of them do not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}
