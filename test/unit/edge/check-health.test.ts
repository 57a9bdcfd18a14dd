import { expect, test } from 'vitest'
import { checkHealth } from '../../../src/edge/handlers/service/check-health.ts'

const answers = async () => {}
const down = async () => {
  throw new Error('no answer')
}
const all = { store: answers, chain: answers, redis: answers, whyNotReady: () => undefined }

test('health is ok when every part answers, and names Redis only when there is one', async () => {
  const { status, components } = await checkHealth(all)
  expect([status, Object.keys(components)]).toEqual(['ok', ['store', 'chain', 'redis', 'payments']])
  const without = await checkHealth({ ...all, redis: undefined })
  expect([without.status, Object.keys(without.components)]).toEqual(['ok', ['store', 'chain', 'payments']])
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
