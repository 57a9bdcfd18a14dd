import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { type Readiness, watchReadiness } from '../../../src/doors/x402/facilitators/readiness.ts'

let readiness: Readiness | undefined
let looks = 0

afterEach(() => readiness?.close())

/** @param answers what each look meets, in turn: a reason, or nothing. The last one stays. */
async function watch(...answers: (string | undefined)[]): Promise<Readiness> {
  looks = 0
  const probe = async () => {
    const reason = answers[Math.min(looks, answers.length - 1)]
    looks += 1
    if (reason) throw new Error(reason)
  }
  readiness = await watchReadiness(probe, 3_600_000, createLog('silent'))
  return readiness
}

test('one answer that gets lost turns no payer away', async () => {
  const { check, whyNot } = await watch(undefined, 'the chain does not answer', undefined)

  await check()

  expect(whyNot()).toBeUndefined()
  expect(looks).toBe(3)
})

test('payments stop when two looks in a row fail, with the reason of the second, and go on after the first that does not', async () => {
  const { check, whyNot } = await watch(undefined, 'no answer', 'no gas', 'no answer', undefined)

  await check()
  expect(whyNot()).toBe('no gas')

  await check()
  expect(whyNot()).toBe('no answer')
  expect(looks).toBe(4)

  await check()
  expect(whyNot()).toBeUndefined()
})

test('nothing is taken before a look has shown that it can be', async () => {
  const { whyNot } = await watch('the settlement account is out of gas')

  expect(whyNot()).toBe('the settlement account is out of gas')
  expect(looks).toBe(1)
})
