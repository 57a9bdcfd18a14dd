import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, noInput } from '../../../../src/core/endpoint.ts'
import { createLog } from '../../../../src/core/log.ts'
import { json } from '../../../../src/core/reply.ts'
import { createCheck, type Verified } from '../../../../src/doors/x402/door/check.ts'
import { createCompare, createFirstLook } from '../../../../src/doors/x402/door/first-look.ts'
import { createPurchase, type Purchase } from '../../../../src/doors/x402/door/purchase.ts'
import { KeptRefusals } from '../../../../src/doors/x402/door/repeats/kept-refusals.ts'
import { offer, operation, readable, signBoth } from '../../../support/chain/upto.ts'

const row = endpoint(
  'upload',
  { ...noInput, method: 'POST', path: '/upload', body: z.object({}), response: z.object({}) },
  () => json(200, {}),
)
const early = { balance: 1n, block: 1n }
const late = { balance: 2n, block: 2n }

let purchase: Purchase
beforeAll(async () => {
  const payment = readable((await signBoth()).approved)
  const call = { endpoint: row, operation, payment, idempotencyKey: undefined, target: '/upload' }
  purchase = createPurchase({ ...call, body: new Uint8Array(), client: '192.0.2.1' }, offer)
})

/** @returns the verdict `ageMs` after the early one, and how often the facilitator was asked for it. */
async function verdictAfter(ageMs: number, paid = purchase) {
  const clock = { now: () => Date.now() + ageMs }
  let asked = 0
  const facilitator = {
    verify: async () => {
      asked += 1
      return { isValid: true, funds: late } as const
    },
  }
  const refusals = new KeptRefusals(clock)
  const compare = createCompare({ offer, clock, settlementTimeoutMs: 60_000 })
  const check = createCheck({
    firstLook: createFirstLook({ compare, refusals, whyNotReady: () => undefined }),
    facilitator,
    runVerification: (_call, verify) => verify(false),
    guard: { require: async () => {}, noteRefused: () => {} },
    clock,
    refusals,
    log: createLog('silent'),
  })
  const verified: Verified = { funds: early, atMs: Date.now() }
  return { verdict: await check(paid, verified), asked }
}

test('a verdict from before the upload is used again while it is fresh, without asking the facilitator', async () => {
  expect(await verdictAfter(0)).toEqual({ verdict: { kind: 'valid', funds: early }, asked: 0 })
})

test('after a slow upload the facilitator is asked again, so that the claim sees the balance of now', async () => {
  expect(await verdictAfter(3_000)).toEqual({ verdict: { kind: 'valid', funds: late }, asked: 1 })
})

test('a payment that expires during the upload is refused, whatever its early verdict was', async () => {
  const { verdict, asked } = await verdictAfter(3_600_000)
  expect(verdict).toMatchObject({ kind: 'refused', refusal: { reason: expect.any(String) } })
  expect(asked).toBe(0)
})
