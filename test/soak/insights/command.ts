import { join } from 'node:path'
import { z } from 'zod'
import { devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { environmentOfStart, flagsOfStart } from '../../bench/servers.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { type GatewayProcess, openGatewayProcess } from '../gateway-process.ts'
import { count, listOf, readOptions } from '../options.ts'
import { withCommas, writeTable } from '../table.ts'
import { type Latencies, load } from './load.ts'
import { casesOf } from './requests.ts'
import { measures, type StoreName, seedStore, storeNames } from './stores.ts'

/**
 * `npm run soak -- insights`: how long lists, search and analytics take over many scans, at a steady rate. Prints a
 * table.
 *
 *     npm run soak -- insights
 *     npm run soak -- insights --stores postgres --scans 1000000 --seconds 30 --rate 100
 */
const optionsSchema = z.object({
  stores: listOf(storeNames),
  scans: count(100_000),
  seconds: count(10),
  // 0 takes the rate of the store.
  rate: count(0),
})

/** @returns the number of rows that are outside of the measure. */
export async function soakInsights(args: readonly string[]): Promise<number> {
  const { stores, scans, seconds, rate } = readOptions(args, optionsSchema)
  const rows: string[][] = []
  let outside = 0
  for (const name of stores) {
    process.stderr.write(`insights: ${withCommas(scans)} scans are written into the store "${name}"\n`)
    const store = await seedStore(name, scans)
    try {
      const measure = { ...measures[name], ...(rate > 0 && { rate }) }
      for (const [what, latencies] of await play(store.settings, measure.rate, seconds)) {
        const isWithin = latencies.p99 <= measure.p99Ms && latencies.refused === 0
        if (!isWithin) outside += 1
        rows.push(rowOf(name, what, latencies, measure, isWithin))
        process.stderr.write(`insights: ${name}, ${what}: p99 ${latencies.p99.toFixed(1)} ms\n`)
      }
    } finally {
      await store.close()
    }
  }
  process.stdout.write(writeTable([columns, ...rows]))
  return outside
}

const columns = ['store', 'endpoint', 'requests/s', 'requests', 'p50, ms', 'p99, ms', 'max, ms', 'measure']

function rowOf(
  store: StoreName,
  what: string,
  { requests, refused, p50, p99, max }: Latencies,
  { rate, p99Ms }: { readonly rate: number; readonly p99Ms: number },
  isWithin: boolean,
): string[] {
  const verdict = refused > 0 ? `${refused} refused` : `${isWithin ? 'within' : 'OUTSIDE'} ${p99Ms} ms`
  return [store, what, `${rate}`, `${requests}`, ...[p50, p99, max].map((ms) => ms.toFixed(1)), verdict]
}

async function play(
  settings: Readonly<Record<string, string>>,
  rate: number,
  seconds: number,
): Promise<[string, Latencies][]> {
  const { folder, remove } = await temporaryFolder()
  let gateway: GatewayProcess | undefined
  try {
    gateway = await openGatewayProcess(
      {
        RPC_URL: 'http://127.0.0.1:9',
        PAY_TO: devPayTo.address,
        OPERATOR_TOKEN: operatorToken,
        CATALOG_FILE: await writeCatalog(folder, {}, tiers),
        DATA_DIR: join(folder, 'data'),
        ...(await environmentOfStart),
        ...settings,
      },
      await flagsOfStart,
    )
    const headers = { 'x-mcp-api-key': await newKey(gateway.url) }
    const played: [string, Latencies][] = []
    const cases = casesOf(await cursorsOf(gateway.url, headers), await slugsOf(gateway.url, headers))
    for (const one of cases) {
      // The first calls compile the code and read the pages of the store.
      await load(gateway.url, headers, one, rate, 2)
      played.push([one.name, await load(gateway.url, headers, one, rate, seconds)])
    }
    return played
  } finally {
    await gateway?.kill()
    await remove()
  }
}

const operatorToken = 'operator-token-of-the-insights-soak-gateway'
const operations = [
  'listScans',
  'searchInsights',
  'getAnalyticsSummary',
  'listDirectory',
  'getDirectoryListing',
]
const tiers = {
  soak: {
    description: 'Reads as much as it likes.',
    operations: Object.fromEntries(operations.map((id) => [id, 'unlimited'])),
  },
}

async function newKey(url: string): Promise<string> {
  const reply = await fetch(`${url}/operator/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tier: 'soak' }),
  })
  return z.object({ key: z.string() }).parse(await reply.json()).key
}

/** Some pages of the list, each a thousand scans after the one before. */
async function cursorsOf(url: string, headers: Readonly<Record<string, string>>): Promise<string[]> {
  const cursors: string[] = []
  let path = '/api/insights/scans?limit=100'
  for (let page = 0; page < 100; page += 1) {
    const reply = await fetch(url + path, { headers })
    const { nextCursor } = z.object({ nextCursor: z.string().nullable() }).parse(await reply.json())
    if (nextCursor === null) break
    if (page % 10 === 9) cursors.push(nextCursor)
    path = `/api/insights/scans?limit=100&cursor=${nextCursor}`
  }
  return cursors
}

/** Slugs of some listings of the first page. */
async function slugsOf(url: string, headers: Readonly<Record<string, string>>): Promise<string[]> {
  const reply = await fetch(`${url}/api/directory?limit=50`, { headers })
  const { listings } = z
    .object({ listings: z.array(z.object({ slug: z.string() })) })
    .parse(await reply.json())
  return listings.map(({ slug }) => slug)
}
