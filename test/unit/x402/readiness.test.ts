import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { type Readiness, watchReadiness } from '../../../src/doors/x402/facilitators/readiness.ts'

let readiness: Readiness | undefined
let checks = 0

afterEach(() => readiness?.close())

/** @param outcomes the reason with which each check fails, in turn, or undefined; the last one repeats. */
async function watch(...outcomes: (string | undefined)[]): Promise<Readiness> {
  checks = 0
  const probe = async () => {
    const reason = outcomes[Math.min(checks, outcomes.length - 1)]
    checks += 1
    if (reason) throw new Error(reason)
  }
  readiness = await watchReadiness(probe, 3_600_000, createLog('silent'))
  return readiness
}

test('one failed check turns no payer away', async () => {
  const { check, whyNot } = await watch(undefined, 'the chain does not answer', undefined)

  await check()

  expect(whyNot()).toBeUndefined()
  expect(checks).toBe(3)
})

test('payments stop after two failed checks in a row, with the reason of the second, and go on after one that succeeds', async () => {
  const { check, whyNot } = await watch(undefined, 'no answer', 'no gas', 'no answer', undefined)

  await check()
  expect(whyNot()).toBe('no gas')

  await check()
  expect(whyNot()).toBe('no answer')
  expect(checks).toBe(4)

  await check()
  expect(whyNot()).toBeUndefined()
})

test('no payment is taken before a check has succeeded', async () => {
  const { whyNot } = await watch('the settlement account is out of gas')

  expect(whyNot()).toBe('the settlement account is out of gas')
  expect(checks).toBe(1)
})
