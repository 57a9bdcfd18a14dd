import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { z } from 'zod'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { projectRoot } from '../../support/gateways/process.ts'
import { openShop, type Shop } from '../../support/gateways/shop.ts'
import { hasPromtool, promtool } from '../../support/servers/promtool.ts'

/** What Prometheus reads of a gateway, and the alert rules and the dashboard that are made of it. */

const folder = join(projectRoot, 'src/edge/metrics')
const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})
const dashboardSchema = z.object({
  title: z.string().min(1),
  uid: z.string().min(1),
  schemaVersion: z.int().min(36),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), query: z.string() })) }),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string().min(1),
      type: z.enum(['row', 'stat', 'timeseries']),
      gridPos: z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) }),
      targets: z
        .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
        .optional(),
    }),
  ),
})

let shop: Shop
let catalogFile: string
let removeFolder: () => Promise<void>
let alerts: { alert: string; expr: string; annotations: { summary: string; runbook: string } }[]
let dashboard: z.infer<typeof dashboardSchema>

beforeAll(async () => {
  const temporary = await temporaryFolder()
  removeFolder = temporary.remove
  catalogFile = await writeCatalog(temporary.folder, {
    getPricingMarkdown: { access: 'optional', rate: '2/minute' },
  })
  const catalog = parseDocument(await readFile(catalogFile, 'utf8'))
  catalog.setIn(['upstreams', 'gone'], { prefix: '/gone', private: true, targets: ['http://127.0.0.1:1'] })
  catalog.setIn(['operations', 'relay'], {
    description: 'Leads nowhere.',
    access: 'open',
    upstream: 'gone',
    route: 'GET /thing',
  })
  await writeFile(catalogFile, String(catalog))
  shop = await openShop({ CATALOG_FILE: catalogFile })
  const { groups } = rulesSchema.parse(parse(await readFile(join(folder, 'alerts.yaml'), 'utf8')))
  alerts = groups.flatMap(({ rules }) => rules)
  dashboard = dashboardSchema.parse(JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')))
})
afterAll(async () => {
  await shop.close()
  await removeFolder()
})

async function scrape(): Promise<string> {
  const { status, text } = await shop.asOperator('get', '/metrics')
  expect(status).toBe(200)
  return text
}

/** The value of a series, as it is written. */
async function sampleOf(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((row) => row.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

/** The names of the series that a gateway has, also of those that have no value yet. */
function namesIn(text: string): Set<string> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, ...['bucket', 'sum', 'count'].map((part) => `${name}_${part}`)] : [name],
    ),
  )
}

const words = /^(?:by|without|or|and|unless|offset|bool)$/

/** The metrics that an expression asks for: its words that are no function, no keyword, no label and no duration. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without)\s*\([^)]*\)/g, '')
  const found = [...bare.matchAll(/\b[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([word]) => word)
  return found.filter((word) => !words.test(word))
}

describe('GET /metrics', () => {
  const counted = async (labels: string) => {
    const { text } = await shop.asOperator('get', '/metrics')
    const line = text.split('\n').find((row) => row.startsWith(`tollgate_http_requests_total{${labels}}`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  test('tells the money by operation and state in micro-USDC, unmatched transfers, and what the refund account has', async () => {
    expect(await sampleOf('tollgate_received_microusdc_total{operation="analyzeBusiness"}')).toBe(300_000)
    expect(await sampleOf('tollgate_received_microusdc_total{operation="researchLead"}')).toBe(250_000)
    // The chain may have finalized some meanwhile.
    const taken = await Promise.all(
      ['settled', 'final'].map((state) =>
        sampleOf(`tollgate_payments{operation="analyzeBusiness",state="${state}"}`),
      ),
    )
    expect((taken[0] ?? 0) + (taken[1] ?? 0)).toBe(3)
    const amounts = await Promise.all(
      ['settled', 'final'].map((state) =>
        sampleOf(`tollgate_payments_microusdc{operation="researchLead",state="${state}"}`),
      ),
    )
    expect((amounts[0] ?? 0) + (amounts[1] ?? 0)).toBe(250_000)
    expect(await sampleOf('tollgate_refunded_microusdc_total{operation="researchLead"}')).toBe(0)
    expect(await sampleOf('tollgate_unmatched_transfers')).toBe(0)
    expect(await sampleOf('tollgate_refund_account_microusdc')).toBeGreaterThan(0)
    expect(await sampleOf('tollgate_books_read_timestamp_seconds')).toBeGreaterThan(1_700_000_000)
  })

  test('counts calls by door and outcome, refusals by limit, and errors of upstreams', async () => {
    const series = {
      paid: 'tollgate_door_calls_total{door="payment",outcome="served"}',
      free: 'tollgate_door_calls_total{door="free",outcome="served"}',
      refused: 'tollgate_door_calls_total{door="free",outcome="refused"}',
      failed: 'tollgate_door_calls_total{door="open",outcome="failed"}',
      limit: 'tollgate_quota_refusals_total{door="free",limit="rate"}',
      upstream: 'tollgate_upstream_errors_total{upstream="gone",kind="unreachable"}',
      down: 'tollgate_dependency_down{dependency="upstream gone, target http://127.0.0.1:1"}',
    }
    expect(await sampleOf(series.paid)).toBe(4)
    expect(await sampleOf(series.down)).toBeUndefined()
    for (let calls = 0; calls < 3; calls += 1) await request(shop.gateway.url).get('/pricing.md')
    expect((await request(shop.gateway.url).get('/gone/thing')).status).toBe(502)
    expect(await sampleOf(series.free)).toBe(2)
    expect(await sampleOf(series.refused)).toBe(1)
    expect(await sampleOf(series.limit)).toBe(1)
    expect(await sampleOf(series.failed)).toBe(1)
    expect(await sampleOf(series.upstream)).toBeGreaterThanOrEqual(1)
    expect(await sampleOf(series.down)).toBe(1)
  })

  test('tells the scans that wait, the age of the catalog, and that its file is faulty', async () => {
    expect(await sampleOf('tollgate_scans{state="waiting"}')).toBe(0)
    expect(await sampleOf('tollgate_scans{state="running"}')).toBe(0)
    expect(await sampleOf('tollgate_scan_oldest_waiting_seconds')).toBe(0)
    const loadedAt = await sampleOf('tollgate_catalog_loaded_timestamp_seconds')
    expect(loadedAt).toBeGreaterThan(Date.now() / 1000 - 600)
    expect(await sampleOf('tollgate_catalog_file_faulty')).toBe(0)
    const good = await readFile(catalogFile, 'utf8')
    await writeFile(catalogFile, 'provider: nobody')
    expect((await shop.asOperator('post', '/operator/catalog/reload')).status).toBe(409)
    expect(await sampleOf('tollgate_catalog_file_faulty')).toBe(1)
    expect(await sampleOf('tollgate_catalog_loaded_timestamp_seconds')).toBe(loadedAt)
    await writeFile(catalogFile, good)
    expect((await shop.asOperator('post', '/operator/catalog/reload')).status).toBe(200)
    expect(await sampleOf('tollgate_catalog_file_faulty')).toBe(0)
  })

  test('names no payer', async () => {
    const text = (await scrape()).toLowerCase()
    for (const { address } of [shop.payer, shop.other]) expect(text).not.toContain(address.toLowerCase())
  })

  test('has the metrics that its README lists, and no others of its own', async () => {
    const readme = await readFile(join(folder, 'README.md'), 'utf8')
    const documented = readme
      .split('\n')
      .filter((line) => line.startsWith('| `tollgate_'))
      .flatMap((line) => line.split('|')[1]?.match(/tollgate_\w+/g) ?? [])
    const own = [...(await scrape()).matchAll(/^# TYPE (tollgate_\S+)/gm)].map(([, name]) => name)
    expect(documented.toSorted()).toEqual(own.toSorted())
  })

  test('replies with a Prometheus document of the process’s own metrics', async () => {
    const reply = await shop.asOperator('get', '/metrics')
    expect(reply.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(reply.text).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(reply.text).toMatch(
      /^tollgate_http_request_duration_seconds_count\{operation="analyzeBusiness"\} \d+/m,
    )
  })

  test('counts every reply by operation and status, and all paths without an endpoint together', async () => {
    const prices = 'operation="getPricing",status="200"'
    const unpaid = 'operation="writeBlog",status="402"'
    const nowhere = 'operation="none",status="404"'
    const before = [await counted(prices), await counted(unpaid), await counted(nowhere)]
    await request(shop.gateway.url).get('/pricing')
    await request(shop.gateway.url).post('/api/content/blog')
    await request(shop.gateway.url).get('/nowhere')
    await request(shop.gateway.url).get('/nowhere/else')
    const after = [await counted(prices), await counted(unpaid), await counted(nowhere)]
    expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual([1, 1, 2])
  })
})

describe('the alert rules and the dashboard', () => {
  test('ask for metrics only that a gateway has', async () => {
    const names = namesIn(await scrape())
    const exprs = [
      ...alerts.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ]
    const asked = exprs.flatMap(metricsIn)
    expect(asked.length).toBeGreaterThanOrEqual(exprs.length)
    expect(asked.filter((name) => !names.has(name))).toEqual([])
    for (const { query } of dashboard.templating.list.filter(({ query }) =>
      query.startsWith('label_values'),
    )) {
      expect(names).toContain(/\((\w+),/.exec(query)?.[1])
    }
  })

  test('name entries of the runbook that exist', async () => {
    for (const { annotations } of alerts) {
      const [file = '', anchor] = annotations.runbook.split('#')
      const text = await readFile(join(projectRoot, file), 'utf8')
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
      expect(headings).toContain(anchor)
    }
  })

  test('have panels that do not overlap, each with an id of its own', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  })
})

describe.runIf(hasPromtool())('promtool', () => {
  test('finds no fault in the metrics of a gateway', async () => {
    const { output } = promtool(['check', 'metrics'], await scrape())
    // prom-client names its own gauges of the process with _total.
    const faults = output.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))
    expect(faults).toEqual([])
  })

  test('finds no fault in the alert rules, and they fire when they should', () => {
    expect(promtool(['check', 'rules', join(folder, 'alerts.yaml')])).toMatchObject({ status: 0 })
    const tested = promtool(['test', 'rules', join(folder, 'alerts.test.yaml')])
    expect(tested.status, tested.output).toBe(0)
  })

  test('reads every expression of the dashboard', async () => {
    const { folder: away, remove } = await temporaryFolder()
    const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const rules = exprs.map((expr, n) => ({
      record: `panel:${n}`,
      expr: expr.replaceAll('$instance', '.*'),
    }))
    const file = join(away, 'rules.yaml')
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const checked = promtool(['check', 'rules', file])
    await remove()
    expect(checked.status, checked.output).toBe(0)
  })
})
