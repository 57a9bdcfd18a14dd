import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  isEIP712SignedOffer,
  verifyOfferSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import { x402Client } from '@x402/fetch'
import type { Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { createBuilderCode } from '../../../src/doors/x402/wire/builder-code.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { replayNotStored } from '../../../src/doors/x402/wire/extensions.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { requirementFor, requirementsFor } from '../../../src/doors/x402/wire/requirements.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import {
  account,
  chatCall,
  offer,
  operation,
  payUpto,
  readable,
  requiredBy,
  settling,
  uptoHeader,
} from '../../support/chain/upto.ts'

const baseUrl = 'https://pay.example.com'
const signer = createReceiptSigner(generatePrivateKey())
const { declared } = createBuilderCode('bc_tollgate')
const metered = new Challenges(offer, baseUrl, { signer, declared }).unpaid(chatCall, operation)
const fixed: PricedOperation = {
  description: operation.description,
  price: operation.price,
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
const plain = new Challenges(offer, baseUrl, { signer }).unpaid(chatCall, fixed)

test('a v2 client is offered a metered call by upto and by exact, at its maximum', () => {
  const required = PaymentRequiredV2Schema.parse(requiredBy(metered))
  expect(required.accepts).toEqual(requirementsFor(operation, offer))
  expect(required.accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual([
    ['upto', '50000'],
    ['exact', '50000'],
  ])
})

test('a v1 client, which does not know upto, is offered exact alone and can read the whole body', () => {
  const { accepts } = PaymentRequiredV1Schema.parse(JSON.parse(Buffer.from(metered.body).toString()))
  expect(accepts.map(({ scheme, maxAmountRequired }) => [scheme, maxAmountRequired])).toEqual([
    ['exact', '50000'],
  ])
  expect(accepts[0]?.extra).toEqual({ name: 'USDC', version: '2' })
})

test('a client with both schemes pays by upto, a client with exact alone by exact', async () => {
  const required = requiredBy(metered)
  const exact = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  expect(readable(await exact.createPaymentPayload(required)).accepted.scheme).toBe('exact')
  const upto = await payUpto(account, required, { allowance: 50_000n, nonce: 0n })
  expect(readable(upto).accepted.scheme).toBe('upto')
})

test('the 402 of a metered call says how its price is made and what its maximum is', () => {
  const body: unknown = JSON.parse(Buffer.from(metered.body).toString())
  expect(body).toMatchObject({
    details: {
      price: '0.05',
      metered: { per: 'tokens', units: 1_000_000, input: '0.15', output: '0.60', max: '0.05' },
      replay: expect.stringContaining('given once and not stored'),
    },
  })
  expect(metered.headers['x-payment']).toBe(
    'scheme="exact", network="base-sepolia", asset="USDC", amount="50000", price="0.05", max="0.05"',
  )
})

test('the 402 of a call at a fixed price has no meter, no word about streams and exact alone', () => {
  expect(requiredBy(plain).accepts).toEqual([requirementFor(fixed, offer)])
  expect(Object.keys(requiredBy(plain).extensions ?? {}).sort()).toEqual([
    'offer-receipt',
    'payment-identifier',
    'replay',
  ])
  const body: unknown = JSON.parse(Buffer.from(plain.body).toString())
  expect(body).not.toHaveProperty('details.metered')
  expect(body).toMatchObject({ details: { replay: expect.not.stringContaining('streamed') } })
  expect(plain.headers['x-payment']).toMatch(/price="0\.05"$/)
})

test('each way to pay has an offer that we signed', async () => {
  const required = requiredBy(metered)
  const offers = decodeSignedOffers(extractOffersFromPaymentRequired(required))
  const matched = offers.map((one) => findAcceptsObjectFromSignedOffer(one, required.accepts))
  expect(matched).toEqual(required.accepts)
  expect(offers.map(({ signedOffer }) => signedOffer.acceptIndex)).toEqual([0, 1])
  for (const { signedOffer } of offers) {
    if (!isEIP712SignedOffer(signedOffer)) throw new Error('no EIP-712 offer')
    expect((await verifyOfferSignatureEIP712(signedOffer)).signer).toBe(signer.address)
  }
})

test('the 402 of an upstream says that a streamed reply is given once, in the same words as the receipt', () => {
  const { replay } = requiredBy(metered).extensions ?? {}
  expect(replay).toMatchObject({
    info: { streamed: 'given once', stored: { maxBytes: 1_000_000, hours: 24 } },
  })
  expect(replayNotStored.replay).toMatchObject({ info: { streamed: 'given once', stored: false } })
})

test('the 402 follows the account that settles upto, and has the same bytes while the account is the same', () => {
  let settles: Address | undefined = settling
  const challenges = new Challenges({ ...offer, upto: () => settles }, baseUrl)
  const accountOf = () =>
    requiredBy(challenges.unpaid(chatCall, operation)).accepts[0]?.extra.facilitatorAddress
  const first = challenges.unpaid(chatCall, operation)
  expect(accountOf()).toBe(settling)
  expect(challenges.unpaid(chatCall, operation)).toBe(first)
  settles = devPayers[5].address
  expect(accountOf()).toBe(devPayers[5].address)
  settles = undefined
  expect(requiredBy(challenges.unpaid(chatCall, operation)).accepts).toHaveLength(1)
  expect(requiredBy(challenges.unpaid(chatCall, operation)).extensions).not.toHaveProperty(
    'eip2612GasSponsoring',
  )
})

test('the 402 for a refused payment has the same terms, and the reason', () => {
  const challenges = new Challenges(offer, baseUrl, { signer, declared })
  const refusal = { reason: 'upto_facilitator_mismatch', message: 'sign another' }
  const refused = requiredBy(challenges.refused(chatCall, operation, refusal))
  const unpaid = requiredBy(challenges.unpaid(chatCall, operation))
  expect(refused).toEqual({ ...unpaid, error: 'upto_facilitator_mismatch' })
})

test('the head of a metered 402 with all extensions stays below the 4 KB of the narrowest proxies', () => {
  const head = Object.entries(metered.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  expect(head.join('').length).toBeLessThan(4_096)
})

test('the header of an upto payment with a permit and the repeated extensions fits a line of 8 KB', async () => {
  const paid = await payUpto(account, requiredBy(metered), { allowance: 0n, nonce: 0n })
  expect(uptoHeader(paid).length).toBeLessThan(6_000)
})
