import { expect, test } from 'vitest'
import type { SettlerAccount } from '../../../src/doors/x402/wire/facilitator.ts'
import { checkHealth } from '../../../src/edge/handlers/service/check-health.ts'

const answers = async () => {}
const down = async () => {
  throw new Error('no answer')
}
const all = {
  store: answers,
  chain: answers,
  redis: answers,
  whyNotReady: () => undefined,
  gasAccounts: () => [],
  catalogFaultySince: () => undefined,
}
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const holding = (state: 'enough' | 'low' | 'out') =>
  ({ address, gas: { balanceWei: 123_000_000_000_000n, runwayPayments: 812n, state } }) as const

test('health is ok when every part answers, and names Redis only when there is one', async () => {
  const { status, components } = await checkHealth(all)
  expect([status, Object.keys(components)]).toEqual([
    'ok',
    ['store', 'chain', 'redis', 'payments', 'catalog'],
  ])
  const without = await checkHealth({ ...all, redis: undefined })
  expect([without.status, without.components.redis]).toEqual(['ok', undefined])
})

test.each(['store', 'chain', 'redis'] as const)('health is degraded when the %s is down', async (part) => {
  const { status, components } = await checkHealth({ ...all, [part]: down })
  expect(status).toBe('degraded')
  expect(components[part]).toEqual({ status: 'down', reason: 'does not answer' })
})

test('health names the reason when payments cannot be taken', async () => {
  const { status, components } = await checkHealth({ ...all, whyNotReady: () => 'no gas' })
  expect([status, components.payments]).toEqual(['degraded', { status: 'down', reason: 'no gas' }])
})

test.each(['store', 'chain'] as const)(
  'payments are degraded while the %s is down, before the watch has found it out',
  async (part) => {
    const { components } = await checkHealth({ ...all, [part]: down })
    expect(components.payments).toEqual({ status: 'degraded', reason: `the ${part} does not answer` })
  },
)

test('health names each gas account that is low or out with its balance and runway, and is ok while all have enough', async () => {
  const gasOf = async (...accounts: SettlerAccount[]) => {
    const { status, components } = await checkHealth({ ...all, gasAccounts: () => accounts })
    return [status, components.gas]
  }
  const holds = 'it holds 0.000123 ETH, enough for 812 payments'
  expect(await gasOf(holding('enough'))).toEqual(['ok', { status: 'healthy' }])
  expect(await gasOf(holding('enough'), holding('low'))).toEqual([
    'degraded',
    { status: 'degraded', reason: `${address} runs low on gas: ${holds}` },
  ])
  expect(await gasOf(holding('out'))).toEqual([
    'degraded',
    { status: 'down', reason: `${address} has too little gas for a full batch: ${holds}` },
  ])
  expect(await gasOf({ address, gas: undefined })).toEqual(['ok', undefined])
})

test('health says since when the catalog file is faulty, and not why', async () => {
  const faultySince = new Date('2026-05-01T12:00:00Z')
  const { status, components } = await checkHealth({ ...all, catalogFaultySince: () => faultySince })
  expect([status, components.catalog]).toEqual([
    'degraded',
    {
      status: 'degraded',
      since: '2026-05-01T12:00:00.000Z',
      reason: 'the catalog file cannot be used; the catalog before the change stays in use',
    },
  ])
})
