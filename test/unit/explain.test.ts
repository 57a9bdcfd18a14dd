import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, json, noBody } from '../../src/core/call.ts'
import { catalogSchema } from '../../src/core/catalog.ts'
import { GatewayError } from '../../src/core/errors.ts'
import { createExplain, type ExplainParts } from '../../src/gateway/explain.ts'

/** What is explained while a part of the gateway is down, or is only tried out. */

const payer = '0x0000000000000000000000000000000000000001'
const row = (id: string, path: string, isSale = false) =>
  endpoint({
    id,
    method: 'POST',
    path,
    body: noBody,
    response: z.object({}),
    ...(isSale && { tierOf: () => 'pro' }),
    handle: () => json(200, {}),
  })
const catalog = catalogSchema.parse({
  provider: { name: 'a', description: 'b' },
  operations: {
    paid: { access: 'price', price: '0.10', description: 'Paid.' },
    limited: { access: 'optional', free: '1/day', price: '0.10', description: 'Limited.' },
    buyKey: { access: 'tier', description: 'A key.' },
  },
  tiers: { pro: { price: '9', description: 'For work.', operations: {} } },
})
const parts: ExplainParts = {
  endpoints: () => [row('paid', '/paid'), row('limited', '/limited'), row('buyKey', '/keys', true)],
  catalog: () => catalog,
  credentials: {
    key: async () => ({ kind: 'refused', code: 'API_KEY_UNKNOWN' }),
    token: async () => ({ kind: 'refused', code: 'TOKEN_INVALID' }),
  },
  quotas: { look: async () => [{ name: 'day', limit: 1, used: 1, resetsAtMs: 0 }] },
  balanceOf: async () => 10_000_000n,
  whyNotReady: () => undefined,
  isDryRun: false,
}
const explainWith = (change: Partial<ExplainParts>, path: string, more: object = {}) =>
  createExplain({ ...parts, ...change })({ method: 'POST', path, ...more }, undefined)

const notReady = { whyNotReady: () => 'no account has gas' }

test('while payments cannot be taken nobody is said to be asked for one', async () => {
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

test('while the chain does not tell what a wallet holds its payment is not taken', async () => {
  const balanceOf = async () => {
    throw new Error('no answer')
  }
  const told = await explainWith({ balanceOf }, '/paid', { payer })
  expect(told).toMatchObject({ door: 'payment', status: 503, code: 'PAYMENTS_UNAVAILABLE' })
})

test('while the store is down a key is refused as it would be, and a fault of ours is thrown', async () => {
  const down = (error: Error) => ({
    credentials: { ...parts.credentials, key: async () => Promise.reject(error) },
  })
  const told = await explainWith(down(new GatewayError('QUOTAS_UNAVAILABLE')), '/paid', { key: 'a' })
  expect(told).toMatchObject({ door: 'refuse', status: 503, code: 'QUOTAS_UNAVAILABLE', operation: 'paid' })
  await expect(explainWith(down(new Error('a bug')), '/paid', { key: 'a' })).rejects.toThrow('a bug')
})

test('a dry run says that it takes no money, and sells no keys', async () => {
  const told = await explainWith({ isDryRun: true }, '/paid', { payer })
  expect(told).toMatchObject({ door: 'payment', status: 200, why: expect.stringContaining('dry run') })
  expect((await explainWith({}, '/paid', { payer })).why).not.toContain('dry run')
  expect(await explainWith({ isDryRun: true }, '/keys', { payer })).toMatchObject({
    status: 403,
    code: 'DRY_RUN',
  })
  expect(await explainWith({}, '/keys', { payer })).toMatchObject({ status: 200, price: '9.00', tier: 'pro' })
})

test('an operation without an entry in the catalogue is not served', async () => {
  const empty = catalogSchema.parse({ provider: { name: 'a', description: 'b' }, operations: {} })
  expect(await explainWith({ catalog: () => empty }, '/paid')).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  })
})
