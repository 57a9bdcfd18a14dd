import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, endpoint, json, noBody } from '../../src/core/call.ts'
import { catalogSchema } from '../../src/core/catalog.ts'
import {
  type Health,
  healthEndpoints,
  healthSchema,
  paymentsHealthSchema,
} from '../../src/handlers/health.ts'

const row = (id: string, method: 'GET' | 'POST', path: string): Endpoint =>
  endpoint({ id, method, path, body: noBody, response: z.object({}), handle: () => json(200, {}) })

const open = { access: 'open', description: 'Free.' }
const priced = { access: 'price', description: 'Paid.', price: '0.10' }
const offered = {
  getHealth: open,
  getPaymentsHealth: open,
  getPricingMarkdown: open,
  analyzeBusiness: priced,
}

/** The two endpoints over a catalogue and checks that take 12 ms. */
function service(operations: Record<string, unknown> = offered, found: Partial<Health> = {}) {
  let time = Date.UTC(2026, 4, 1, 12)
  const rows: Endpoint[] = healthEndpoints({
    version: '1.0.0',
    now: () => time,
    catalog: () => catalogSchema.parse({ provider: { name: 'a', description: 'b' }, operations }),
    endpoints: () => [
      row('analyzeBusiness', 'POST', '/api/analyze'),
      ...rows,
      row('getPricingMarkdown', 'GET', '/pricing.md'),
      row('triggerScan', 'POST', '/api/insights/scan'),
    ],
    baseUrl: 'https://scan.example',
    paymentsBaseUrl: 'https://pay.example',
    network: 'base',
    checks: async () => {
      time += 12
      return { status: 'ok', components: { store: { status: 'healthy', latency_ms: 2 } }, ...found }
    },
  })
  return async (path: string) => {
    const found = rows.find((candidate) => candidate.path === path)
    if (!found) throw new Error(`no endpoint at ${path}`)
    const reply = await found.prepare({})({
      callId: 'test',
      signal: new AbortController().signal,
      accept: '',
    })
    const body: unknown = JSON.parse(new TextDecoder().decode(reply.body))
    return { ...reply, body }
  }
}

describe('GET /api/health', () => {
  test('answers the document of specification 2.12, true to the clock', async () => {
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

  test('lists what is served with what it asks for, and nothing that has no entry in the catalogue', async () => {
    const { body } = await service()('/api/health')
    expect(healthSchema.parse(body).endpoints).toEqual({
      analyzeBusiness: { method: 'POST', path: '/api/analyze', auth: 'payment' },
      getHealth: { method: 'GET', path: '/api/health', auth: 'none' },
      getPaymentsHealth: { method: 'GET', path: '/health', auth: 'none' },
      getPricingMarkdown: { method: 'GET', path: '/pricing.md', auth: 'none' },
    })
  })

  test('claims no free quota and no scans while there are none', async () => {
    const { body } = await service()('/api/health')
    expect(healthSchema.parse(body).capabilities).toEqual({
      free_tier: false,
      authentication: 'none or payment',
      scan_types: [],
      free_scan_limit: 'no scans are offered',
    })
  })

  test('tells the scan types as soon as scans are served', async () => {
    const { body } = await service({ ...offered, triggerScan: open })('/api/health')
    expect(healthSchema.parse(body).capabilities).toMatchObject({
      scan_types: ['light', 'basic', 'full'],
      free_scan_limit: 'as stated in /pricing.md',
    })
  })

  test('its quickstart leads to a first paid call at the payments address', async () => {
    const { body } = await service()('/api/health')
    const { quickstart } = healthSchema.parse(body)
    expect(quickstart.step_1).toContain('https://pay.example/pricing')
    expect(quickstart.step_2).toContain('POST https://pay.example/api/analyze')
    expect(quickstart.step_4).toContain('X-Payment-Signature')
  })

  test('its quickstart speaks of no payment when nothing has a price', async () => {
    const { body } = await service({ getHealth: open })('/api/health')
    const { quickstart, capabilities } = healthSchema.parse(body)
    expect(JSON.stringify(quickstart)).not.toMatch(/payment|402/i)
    expect(capabilities.authentication).toBe('none')
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
  test('tells each part of the payments side and the network', async () => {
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
