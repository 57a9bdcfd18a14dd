import { verifyOfferSignatureEIP712 } from '@x402/extensions/offer-receipt'
import { expect, test } from 'vitest'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import {
  baseUrl,
  call,
  offer,
  offerOf,
  operation,
  required,
  resourceUrl,
  signer,
} from '../../support/chain/signed-offers.ts'

/** The signed offers of a 402. */

const start = Date.UTC(2026, 0, 1) + 1
let now = start
const clock = { now: () => now }
const make = () => new Challenges(offer, baseUrl, { signer, clock })

test('an offer has the price, the requirements and the resource of its 402', () => {
  const reply = make().unpaid(call, operation)
  const { resource, accepts } = required(reply)
  expect(offerOf(reply)).toMatchObject({
    acceptIndex: 0,
    payload: {
      version: 1,
      resourceUrl: resource.url,
      scheme: accepts[0]?.scheme,
      network: accepts[0]?.network,
      asset: accepts[0]?.asset,
      payTo: accepts[0]?.payTo,
      amount: accepts[0]?.amount,
    },
  })
  expect(resource.url).toBe(resourceUrl)
})

test('an offer is signed once for all callers within ten seconds, and anew after them', () => {
  now = start
  const challenges = make()
  const first = challenges.unpaid(call, operation)
  now = start + 9_999
  expect(challenges.unpaid(call, operation)).toBe(first)
  now = start + 10_000
  const second = challenges.unpaid(call, operation)
  expect(offerOf(second).payload.validUntil).toBe(offerOf(first).payload.validUntil + 10)
  expect(offerOf(second).signature).not.toBe(offerOf(first).signature)
})

test('an offer is valid for the whole validity of a payment whenever a caller gets it', () => {
  now = start
  const challenges = make()
  for (let step = 0; step < 100; step++) {
    now += 777
    const { validUntil } = offerOf(challenges.unpaid(call, operation)).payload
    const leftMs = validUntil * 1000 - now
    expect(leftMs).toBeGreaterThanOrEqual(operation.validitySeconds * 1000)
    expect(leftMs).toBeLessThan((operation.validitySeconds + 12) * 1000)
  }
})

test('an offer made while the clock was an hour ahead is not given out once the clock is right', () => {
  now = start + 3_600_000
  const challenges = make()
  challenges.unpaid(call, operation)
  now = start
  const { validUntil } = offerOf(challenges.unpaid(call, operation)).payload
  expect(validUntil * 1000 - now).toBeLessThan((operation.validitySeconds + 12) * 1000)
})

test('after a change of the price, the next offer has the new price', () => {
  const challenges = make()
  challenges.unpaid(call, operation)
  const dearer = offerOf(challenges.unpaid(call, { ...operation, price: '0.20' }))
  expect(dearer.payload.amount).toBe('200000')
})

test('the 402 for a refused payment has a signed offer too', async () => {
  const challenges = make()
  const refusal = { reason: 'insufficient_funds', message: 'the payer does not hold the amount' }
  const refused = challenges.refused(call, operation, refusal)
  expect(required(refused).error).toBe('insufficient_funds')
  expect((await verifyOfferSignatureEIP712(offerOf(refused))).signer).toBe(signer.address)
})

test('without a key there is no signed offer, and the 402 stays the same', () => {
  now = start
  const challenges = new Challenges(offer, baseUrl, { clock })
  const first = challenges.unpaid(call, operation)
  expect(required(first).extensions).not.toHaveProperty('offer-receipt')
  now += 86_400_000
  expect(challenges.unpaid(call, operation)).toBe(first)
})

test('after a reload of the catalog, an unchanged operation keeps its offer, and a changed one gets a new offer', () => {
  now = start
  const challenges = make()
  const first = challenges.unpaid(call, operation)
  expect(challenges.unpaid(call, { ...operation })).toBe(first)
  const longer = challenges.unpaid(call, { ...operation, validitySeconds: 600 })
  expect(offerOf(longer).payload.validUntil).toBe(offerOf(first).payload.validUntil + 300)
})
