import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { json } from '../../../src/core/reply.ts'
import { createExplain, type ExplainParts } from '../../../src/gateway/explain/explain.ts'

/** Explanations while a part of the gateway is down, and in dry-run mode. */

const payer = '0x0000000000000000000000000000000000000001'
const row = (id: string, path: string, isSale = false) =>
  endpoint(
    id,
    { ...noInput, method: 'POST', path, response: z.object({}) },
    { handle: () => json(200, {}), ...(isSale && { tierOf: () => 'pro' }) },
  )
const catalog = catalogSchema([]).parse({
  provider: { name: 'a', description: 'b' },
  operations: {
    paid: { access: 'price', price: '0.10', description: 'Paid.' },
    limited: { access: 'optional', free: '1/day', price: '0.10', description: 'Limited.' },
    buyKey: { access: 'tier', description: 'A key.' },
    chat: {
      access: 'optional',
      free: '20000 tokens/day',
      price: { per: 'tokens', output: '0.000001', max: '0.01', max_units: 8_000 },
      description: 'Metered.',
      upstream: 'llm',
      route: 'POST /chat',
    },
    callTool: {
      access: 'price',
      price: {
        per: 'request',
        count: '1',
        each: '0.01',
        max: '0.01',
        free_when: 'body.method == "initialize"',
      },
      description: 'Free to begin with.',
      upstream: 'llm',
      route: 'POST /mcp',
    },
  },
  upstreams: { llm: { prefix: '/llm', targets: ['https://llm.example'] } },
  tiers: { pro: { price: '9', description: 'For work.', operations: {} } },
})
const parts: ExplainParts = {
  endpoints: () => [
    row('paid', '/paid'),
    row('limited', '/limited'),
    row('buyKey', '/keys', true),
    row('chat', '/chat'),
    row('callTool', '/mcp'),
  ],
  findUpstreamRoute: () => undefined,
  catalog: () => catalog,
  credentials: {
    key: async () => ({ kind: 'refused', code: 'API_KEY_UNKNOWN' }),
    token: async () => ({ kind: 'refused', code: 'TOKEN_INVALID' }),
  },
  quotas: { look: async () => [{ name: 'day', unit: 'calls', units: 1, limit: 1, used: 1, resetsAtMs: 0 }] },
  balanceOf: async () => 10_000_000n,
  whyNotReady: () => undefined,
  isDryRun: false,
}
const explainWith = (change: Partial<ExplainParts>, path: string, more: object = {}) =>
  createExplain({ ...parts, ...change })({ method: 'POST', path, ...more }, undefined)

const notReady = { whyNotReady: () => 'no account has gas' }

test('while payments cannot be taken, paid calls are explained as 503 and full quotas offer no payment', async () => {
  for (const sent of [{}, { payer }]) {
    expect(await explainWith(notReady, '/paid', sent)).toMatchObject({
      status: 503,
      code: 'PAYMENTS_UNAVAILABLE',
      details: { reason: 'no account has gas' },
    })
  }
  const full = await explainWith(notReady, '/limited', { client: '192.0.2.1' })
  expect(full).toMatchObject({ status: 429, code: 'RATE_LIMIT' })
  expect(full).not.toHaveProperty('price')
})

test('while the chain does not answer with a balance, a paid call is explained as 503', async () => {
  const balanceOf = async () => {
    throw new Error('no answer')
  }
  const explanation = await explainWith({ balanceOf }, '/paid', { payer })
  expect(explanation).toMatchObject({ door: 'payment', status: 503, code: 'PAYMENTS_UNAVAILABLE' })
})

test('while the store is down, a call with a key is explained as 503, and a bug is thrown', async () => {
  const down = (error: Error) => ({
    credentials: { ...parts.credentials, key: async () => Promise.reject(error) },
  })
  const explanation = await explainWith(down(new GatewayError('QUOTAS_UNAVAILABLE')), '/paid', { key: 'a' })
  expect(explanation).toMatchObject({
    door: 'refuse',
    status: 503,
    code: 'QUOTAS_UNAVAILABLE',
    operation: 'paid',
  })
  await expect(explainWith(down(new Error('a bug')), '/paid', { key: 'a' })).rejects.toThrow('a bug')
})

test('in dry-run mode the explanation says that no money is taken, and keys are not for sale', async () => {
  const explanation = await explainWith({ isDryRun: true }, '/paid', { payer })
  expect(explanation).toMatchObject({ door: 'payment', status: 200, why: expect.stringContaining('dry run') })
  expect((await explainWith({}, '/paid', { payer })).why).not.toContain('dry run')
  expect(await explainWith({ isDryRun: true }, '/keys', { payer })).toMatchObject({
    status: 403,
    code: 'DRY_RUN',
  })
  expect(await explainWith({}, '/keys', { payer })).toMatchObject({ status: 200, price: '9.00', tier: 'pro' })
})

test('an operation without an entry in the catalog is explained as 404', async () => {
  const empty = catalogSchema([]).parse({ provider: { name: 'a', description: 'b' }, operations: {} })
  expect(await explainWith({ catalog: () => empty }, '/paid')).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  })
})

test('an allowance in units is explained with the units left, and refuses a call that would reserve more', async () => {
  const standing = { name: 'day', unit: 'tokens', units: 8_000, limit: 20_000, resetsAtMs: 999 } as const
  const ask = (used: number) =>
    explainWith({ quotas: { look: async () => [{ ...standing, used }] } }, '/chat', { client: '192.0.2.1' })
  expect(await ask(12_000)).toMatchObject({
    status: 200,
    limits: [{ name: 'day', unit: 'tokens', limit: 20_000, used: 12_000, remaining: 8_000, resetsAt: 1 }],
  })
  const short = 'The day limit of this address (20000 tokens) has 7999 left, and a call reserves 8000'
  expect(await ask(12_001)).toMatchObject({ status: 429, why: expect.stringContaining(short) })
  const whole = 'The day limit of this address (20000 tokens) is used up until 1970-01-01T00:00:01.000Z'
  expect(await ask(20_000)).toMatchObject({ status: 429, why: expect.stringContaining(whole) })
  expect(await explainWith({}, '/chat')).toMatchObject({
    limits: [{ name: 'day', unit: 'tokens', limit: 20_000 }],
  })
})

test('a call that its price lets pass for nothing is explained as open, with the reason', async () => {
  const explained = (method: string) => explainWith({}, '/mcp', { body: { method } })
  expect(await explained('initialize')).toMatchObject({
    door: 'open',
    status: 200,
    why: expect.stringContaining('free_when'),
  })
  expect(await explained('tools/call')).toMatchObject({ door: 'challenge', status: 402 })
})
