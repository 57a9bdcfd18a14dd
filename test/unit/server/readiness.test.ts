import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import { createLog } from '../../../src/core/log.ts'
import { Closers } from '../../../src/server/closers.ts'
import { watchGateway } from '../../../src/server/readiness.ts'

/** Whether a balancer gets red or green, by what the components answer. */

const closers = new Closers()
let storeFails: boolean
let redisFails: boolean
let asked: number

beforeEach(() => {
  vi.useFakeTimers()
  storeFails = false
  redisFails = false
  asked = 0
})
afterEach(async () => {
  await closers.close()
  vi.useRealTimers()
})

const sold = { access: 'price', description: 'Paid.', price: '0.10' }
const open = { access: 'open', description: 'Free.' }

function watch(whyNoPayments?: string, operation: object = sold) {
  const catalog = catalogSchema([]).parse({
    provider: { name: 'a', description: 'b' },
    operations: { analyzeBusiness: operation },
  })
  const answer = async (fails: boolean) => {
    asked += 1
    if (fails) throw new Error('no answer')
  }
  return watchGateway({
    catalog: () => catalog,
    whyNoPayments: () => whyNoPayments,
    store: () => answer(storeFails),
    redis: () => answer(redisFails),
    closers,
    log: createLog('silent'),
  })
}

const nextCheck = () => vi.advanceTimersByTimeAsync(2_000)

test('one failed check of a component leaves the gateway ready, two in a row do not, and one good check makes it ready again', async () => {
  const gateway = watch()
  storeFails = true
  await nextCheck()
  expect(gateway.whyNot()).toEqual([])
  storeFails = false
  await nextCheck()
  storeFails = true
  await nextCheck()
  expect(gateway.whyNot()).toEqual([])
  await nextCheck()
  expect(gateway.whyNot()).toMatchObject([{ component: 'store' }])
  storeFails = false
  await nextCheck()
  expect(gateway.whyNot()).toEqual([])
})

test('each component that fails is named', async () => {
  const gateway = watch('the settlement account is out of gas')
  storeFails = true
  redisFails = true
  await nextCheck()
  await nextCheck()
  expect(gateway.whyNot()).toMatchObject([
    { component: 'payments', reason: 'the settlement account is out of gas' },
    { component: 'store' },
    { component: 'redis' },
  ])
})

test('a gateway that sells nothing needs no payments', () => {
  expect(watch('no gas', open).whyNot()).toEqual([])
  expect(watch('no gas').whyNot()).toHaveLength(1)
})

test('a gateway that is about to stop is never ready again', async () => {
  const gateway = watch()
  gateway.beginStop()
  await nextCheck()
  expect(gateway.whyNot()).toEqual([{ component: 'gateway', reason: 'the gateway is stopping' }])
})

test('a thousand probes ask no component', async () => {
  const gateway = watch()
  await nextCheck()
  const before = asked
  for (let probes = 0; probes < 1_000; probes += 1) gateway.whyNot()
  expect([before, asked]).toEqual([2, 2])
})
