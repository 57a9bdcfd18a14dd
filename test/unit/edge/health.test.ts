import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import { bind, type Endpoint, endpoint, noInput } from '../../../src/core/endpoint.ts'
import { json } from '../../../src/core/reply.ts'
import {
  type Health,
  healthHandlers,
  healthRows,
  healthSchema,
  paymentsHealthSchema,
} from '../../../src/edge/handlers/service/health.ts'
import { contextOf } from '../../support/gateways/context.ts'

const row = (id: string, method: 'GET' | 'POST', path: string): Endpoint =>
  endpoint(id, { ...noInput, method, path, response: z.object({}) }, () => json(200, {}))

const open = { access: 'open', description: 'Free.' }
const priced = { access: 'price', description: 'Paid.', price: '0.10' }
const optional = { access: 'optional', description: 'Some free.', free: '3/day' }
const key = { access: 'key', description: 'For holders.' }
const offered = {
  getHealth: open,
  getPaymentsHealth: open,
  getPricingMarkdown: open,
  analyzeBusiness: priced,
}

/** The two health endpoints over a catalog, with checks that take 12 ms. */
function service(
  operations: Record<string, unknown> = offered,
  found: Partial<Health> = {},
  tiers: Record<string, unknown> = {},
  isDryRun = false,
) {
  let time = Date.UTC(2026, 4, 1, 12)
  const rows: Endpoint[] = bind(
    healthRows,
    healthHandlers({
      version: '1.0.0',
      now: () => time,
      catalog: () =>
        catalogSchema([]).parse({ provider: { name: 'a', description: 'b' }, operations, tiers }),
      endpoints: () => [
        row('analyzeBusiness', 'POST', '/api/analyze'),
        ...rows,
        row('getPricingMarkdown', 'GET', '/pricing.md'),
        row('triggerScan', 'POST', '/api/insights/scan'),
      ],
      baseUrl: 'https://scan.example',
      paymentsBaseUrl: 'https://pay.example',
      network: 'base',
      isDryRun,
      checks: async () => {
        time += 12
        return { status: 'ok', components: { store: { status: 'healthy', latency_ms: 2 } }, ...found }
      },
    }),
  )
  return async (path: string) => {
    const found = rows.find((candidate) => candidate.path === path)
    if (!found) throw new Error(`no endpoint at ${path}`)
    const reply = await found.prepare({})(contextOf())
    const body: unknown = JSON.parse(new TextDecoder().decode(reply.body))
    return { ...reply, body }
  }
}

test('all callers of both endpoints share one check for a second, with its time and duration', async () => {
  const ask = service()
  const replies = await Promise.all([ask('/api/health'), ask('/health'), ask('/api/health')])
  const [first, parts, second] = [...replies.map(({ body }) => body)]
  const later = healthSchema.parse((await ask('/api/health')).body)
  const timestamp = '2026-05-01T12:00:00.012Z'
  expect([first, parts, second, later]).toMatchObject(Array.from({ length: 4 }, () => ({ timestamp })))
  expect(later.services.api_latency_ms).toBe(12)
  expect(later.response_time_ms).toBe(0)
})

describe('GET /api/health', () => {
  test('replies with the document of specification 2.12, with times of the clock', async () => {
    const { status, headers, body } = await service()('/api/health')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(healthSchema.parse(body)).toMatchObject({
      status: 'ok',
      service: 'tollgate',
      version: '1.0.0',
      timestamp: '2026-05-01T12:00:00.012Z',
      response_time_ms: 12,
      services: { website: 'healthy', api: 'healthy', api_latency_ms: 12 },
    })
  })

  test('lists every served endpoint with the access it requires, and none without an entry in the catalog', async () => {
    const { body } = await service()('/api/health')
    expect(healthSchema.parse(body).endpoints).toEqual({
      analyzeBusiness: { method: 'POST', path: '/api/analyze', auth: 'none' },
      getHealth: { method: 'GET', path: '/api/health', auth: 'none' },
      getPaymentsHealth: { method: 'GET', path: '/health', auth: 'none' },
      getPricingMarkdown: { method: 'GET', path: '/pricing.md', auth: 'none' },
    })
  })

  test('names no free quota and no scans when there are none', async () => {
    const { body } = await service()('/api/health')
    expect(healthSchema.parse(body).capabilities).toEqual({
      free_tier: false,
      authentication: 'optional',
      scan_types: [],
      free_scan_limit: 'no scans are offered',
    })
  })

  test('has the specification’s word for each kind of access', async () => {
    const body = healthSchema.parse(
      (
        await service(
          { ...offered, getPricingMarkdown: key, triggerScan: optional },
          {},
          { pro: { description: 'p', operations: { analyzeBusiness: 'unlimited' } } },
        )('/api/health')
      ).body,
    )
    expect(Object.entries(body.endpoints).map(([id, { auth }]) => [id, auth])).toEqual([
      ['analyzeBusiness', 'optional'],
      ['getHealth', 'none'],
      ['getPaymentsHealth', 'none'],
      ['getPricingMarkdown', 'api_key'],
      ['triggerScan', 'optional'],
    ])
    expect(body.capabilities).toMatchObject({
      free_tier: true,
      authentication: 'optional',
    })
  })

  test('asks for no credentials where only a payment opens the call, and for an optional key where a tier covers it', async () => {
    const authWith = async (operation: string) => {
      const tiers = { pro: { description: 'p', operations: { [operation]: '5/day' } } }
      const { body } = await service(offered, {}, tiers)('/api/health')
      return healthSchema.parse(body).endpoints.analyzeBusiness?.auth
    }
    expect(await authWith('analyzeBusiness')).toBe('optional')
    expect(await authWith('triggerScan')).toBe('none')
  })

  test.each([
    ['a free quota', optional, '3 per day'],
    ['only a rate', { access: 'optional', description: 'd', rate: '2/minute' }, 'no daily limit'],
    ['open access', open, 'no daily limit'],
    ['keys alone', key, 'none'],
    ['a price', priced, 'none'],
  ])(
    'names the scan types and the free quota of scans when scans are served with %s',
    async (_what, triggerScan, limit) => {
      const { body } = await service({ ...offered, triggerScan })('/api/health')
      expect(healthSchema.parse(body).capabilities).toMatchObject({
        scan_types: ['light', 'basic', 'full'],
        free_scan_limit: limit,
      })
    },
  )

  test('has a quickstart that begins with a free call when there is one, and names keys only when one opens it', async () => {
    const tiers = { pro: { description: 'p', operations: { triggerScan: '5/day' } } }
    const withKeys = healthSchema.parse(
      (await service({ ...offered, triggerScan: optional }, {}, tiers)('/api/health')).body,
    )
    expect(withKeys.quickstart.step_2).toContain('POST https://scan.example/api/insights/scan')
    expect(withKeys.quickstart.step_3).toContain('x-mcp-api-key')
    const without = healthSchema.parse(
      (await service({ ...offered, triggerScan: { ...optional, price: '0.05' } })('/api/health')).body,
    )
    expect(without.quickstart.step_2).toContain('POST https://pay.example/api/insights/scan')
    expect(without.quickstart.step_3).not.toContain('x-mcp-api-key')
  })

  test('has a quickstart to a first paid call at the payments address', async () => {
    const { body } = await service()('/api/health')
    const { quickstart } = healthSchema.parse(body)
    expect(quickstart.step_1).toContain('https://pay.example/pricing')
    expect(quickstart.step_2).toContain('POST https://pay.example/api/analyze')
    expect(quickstart.step_4).toContain('X-Payment-Signature')
  })

  test('has a quickstart without payments when nothing has a price', async () => {
    const { body } = await service({ getHealth: open })('/api/health')
    const { quickstart, capabilities } = healthSchema.parse(body)
    expect(JSON.stringify(quickstart)).not.toMatch(/payment|402/i)
    expect(capabilities.authentication).toBe('optional')
  })

  test('links only to documents that are served', async () => {
    const self = { href: 'https://scan.example/api/health', method: 'GET' }
    const docs = { href: 'https://scan.example/pricing.md', method: 'GET' }
    expect((await service()('/api/health')).body).toMatchObject({ _links: { self, docs } })
    const without = await service({ getHealth: open })('/api/health')
    expect(healthSchema.parse(without.body)._links).toEqual({ self })
  })
})

describe('GET /health', () => {
  test('shows each part that payments need, and the network', async () => {
    const { status, headers, body } = await service()('/health')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(paymentsHealthSchema.parse(body)).toEqual({
      status: 'ok',
      service: 'tollgate',
      version: '1.0.0',
      timestamp: '2026-05-01T12:00:00.012Z',
      network: 'base',
      components: { store: { status: 'healthy', latency_ms: 2 } },
    })
  })
})

test.each(['/api/health', '/health'])(
  'GET %s stays 200 when degraded, so that no replica is taken out',
  async (path) => {
    const components = { chain: { status: 'down', reason: 'the RPC does not answer' } } as const
    const { status, body } = await service(offered, { status: 'degraded', components })(path)
    expect(status).toBe(200)
    expect(body).toMatchObject(
      path === '/health'
        ? { status: 'degraded', components }
        : { status: 'degraded', services: { api: 'degraded' } },
    )
  },
)

test.each(['/api/health', '/health'])('GET %s says that this is a dry run, only when it is', async (path) => {
  expect((await service(offered, {}, {}, true)(path)).body).toMatchObject({ dry_run: true })
  expect((await service()(path)).body).not.toHaveProperty('dry_run')
})
