import { beforeAll, expect, test } from 'vitest'
import { KeptRefusals } from '../../../../src/doors/x402/door/repeats/kept-refusals.ts'
import type { Payment, Refusal } from '../../../../src/doors/x402/wire/types.ts'
import { readable, signBoth } from '../../../support/chain/upto.ts'

const empty: Refusal = { reason: 'insufficient_funds', message: 'the wallet holds 0 USDC' }
const used: Refusal = { reason: 'invalid_transaction_state', message: 'the nonce is used' }

let payment: Payment
let other: Payment
beforeAll(async () => {
  const { approved, sponsored } = await signBoth()
  payment = readable(approved)
  other = readable(sponsored)
})

/** Refusals with a clock that a test sets. */
function createRefusals() {
  const clock = { at: 1_000_000, now: () => clock.at }
  return { clock, refusals: new KeptRefusals(clock) }
}

test('a refusal that may change is looked at again at once, then after pauses that double up to half a minute', () => {
  const { clock, refusals } = createRefusals()
  const pauses = Array.from({ length: 10 }, () => {
    refusals.note(payment, empty, clock.at)
    const from = clock.at
    while (refusals.find(payment)) clock.at += 500
    const pauseMs = clock.at - from
    clock.at += 1
    return pauseMs
  })
  expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

test('a used nonce is kept for a minute at once, and the refusal says when the chain is asked again', () => {
  const { clock, refusals } = createRefusals()
  refusals.note(payment, used, clock.at)
  clock.at += 50_000
  expect(refusals.find(payment)).toEqual({
    ...used,
    message: 'the nonce is used; the chain is asked again in 10 s',
  })
  expect(refusals.find(other)).toBeUndefined()
  clock.at += 10_000
  expect(refusals.find(payment)).toBeUndefined()
})

test('copies that were looked at together count as one look', () => {
  const { clock, refusals } = createRefusals()
  const askedAt = clock.at
  clock.at += 20
  for (let copy = 0; copy < 10; copy += 1) refusals.note(payment, empty, askedAt)
  expect(refusals.find(payment)).toBeUndefined()
})

test('a refusal is forgotten when the payment is good, after ten minutes, and when the clock was set back', () => {
  const { clock, refusals } = createRefusals()
  const refuseTwice = () => {
    refusals.note(payment, empty, clock.at)
    refusals.note(payment, empty, clock.at)
  }
  refuseTwice()
  expect(refusals.find(payment)).toBeDefined()
  clock.at -= 1
  expect(refusals.find(payment)).toBeUndefined()
  clock.at += 1
  refusals.forget(payment)
  expect(refusals.find(payment)).toBeUndefined()
  refuseTwice()
  clock.at += 600_001
  refusals.note(payment, empty, clock.at)
  expect(refusals.find(payment)).toBeUndefined()
})
