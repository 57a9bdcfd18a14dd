import { createServer, type Server } from 'node:http'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  createOfferDomain,
  createReceiptDomain,
  decodeSignedOffers,
  type EIP712SignedOffer,
  type EIP712SignedReceipt,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
  OFFER_TYPES,
  type OfferPayload,
  prepareOfferForEIP712,
  prepareReceiptForEIP712,
  RECEIPT_TYPES,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { endpoint, noBody } from '../../../src/core/endpoint.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { createBuilderCode } from '../../../src/doors/x402/wire/builder-code.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { paymentIdentifier } from '../../../src/doors/x402/wire/extensions.ts'
import { readPayment } from '../../../src/doors/x402/wire/headers.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import { requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { decode, freshWallet } from '../../support/chain/wallet.ts'

const network = networks['base-sepolia']
const offer = { network, payTo: getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8') }
const baseUrl = 'https://pay.example.com'
const analyze = endpoint({
  id: 'analyzeBusiness',
  method: 'POST',
  path: '/api/analyze',
  body: noBody,
  response: noBody,
  handle: () => json(200, {}),
})
const resourceUrl = 'https://pay.example.com/api/analyze'
const operation: PricedOperation = {
  description: 'Names the three automation opportunities most worth having for a business.',
  price: '0.10',
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
const requirement = requirementFor(operation, offer)
const key = generatePrivateKey()
const signer = createReceiptSigner(key)
const payer = freshWallet()
const settledAt = new Date('2026-03-01T12:00:00.789Z')
const settled = {
  success: true,
  transaction: `0x${'5e'.repeat(32)}`,
  payer: payer.address,
  endpoint: analyze,
  settledAt,
} as const

/** What the PAYMENT-REQUIRED header of a 402 says. */
function required(reply: Reply): PaymentRequired {
  return decodePaymentRequiredHeader(reply.headers['payment-required'] ?? '')
}

/** The one signed offer of a 402. */
function offerOf(reply: Reply): EIP712SignedOffer {
  const [signed, ...others] = extractOffersFromPaymentRequired(required(reply))
  if (!signed || others.length > 0 || !isEIP712SignedOffer(signed)) throw new Error('not one EIP-712 offer')
  return signed
}

/** The signed receipt of a paid reply. */
function receiptOf(reply: Reply): EIP712SignedReceipt {
  const signed = extractReceiptFromResponse(new Response(null, { headers: { ...reply.headers } }))
  if (!signed || !isEIP712SignedReceipt(signed)) throw new Error('no EIP-712 receipt')
  return signed
}

describe('over HTTP, with the public client', () => {
  const challenges = new Challenges(offer, baseUrl, { signer })
  const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer })
  let server: Server
  let url: string

  beforeAll(async () => {
    // Says the price to whoever brings no payment, and takes every payment at its word.
    server = createServer((req, res) => {
      const read = readPayment((name) => req.headersDistinct[name])
      const reply =
        read.kind === 'payment'
          ? receipts.attach(json(200, { done: true }), {
              ...settled,
              payer: read.payment.authorization.from,
              settledAt: new Date(),
            })
          : challenges.unpaid(analyze, operation)
      res.writeHead(reply.status, { ...reply.headers }).end(reply.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    url = `http://127.0.0.1:${address.port}/api/analyze`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  test('an agent finds in the 402 an offer we signed, and in the paid reply the receipt that belongs to it', async () => {
    const challenge = decodePaymentRequiredHeader(
      (await fetch(url, { method: 'POST' })).headers.get('payment-required') ?? '',
    )
    PaymentRequiredV2Schema.parse(challenge)
    const [decoded] = decodeSignedOffers(extractOffersFromPaymentRequired(challenge))
    if (!decoded || !isEIP712SignedOffer(decoded.signedOffer)) throw new Error('no offer')
    expect((await verifyOfferSignatureEIP712(decoded.signedOffer)).signer).toBe(signer.address)
    expect(findAcceptsObjectFromSignedOffer(decoded, challenge.accepts)).toEqual(requirement)
    expect(decoded.resourceUrl).toBe(challenge.resource.url)

    const client = new x402Client().register('eip155:*', new ExactEvmScheme(payer))
    const paid = await wrapFetchWithPayment(fetch, client)(url, { method: 'POST' })
    expect(paid.status).toBe(200)
    const receipt = extractReceiptFromResponse(paid)
    if (!receipt || !isEIP712SignedReceipt(receipt)) throw new Error('no receipt')
    expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(signer.address)
    expect(verifyReceiptMatchesOffer(receipt, decoded, [payer.address])).toBe(true)
    expect(verifyReceiptMatchesOffer(receipt, decoded, [offer.payTo])).toBe(false)
    expect(receipt.payload.transaction).toBe(settled.transaction)
  })
})

describe('a signature', () => {
  test('is the one viem makes with the same key, for any of thirty keys, so nothing random is in it', async () => {
    const endings = new Set<string>()
    for (let n = 0; n < 30; n++) {
      const privateKey = generatePrivateKey()
      const account = privateKeyToAccount(privateKey)
      const own = createReceiptSigner(privateKey)
      expect(own.address).toBe(account.address)

      const offered = offerOf(new Challenges(offer, baseUrl, { signer: own }).unpaid(analyze, operation))
      const viemOffer = await account.signTypedData({
        domain: createOfferDomain(),
        types: OFFER_TYPES,
        primaryType: 'Offer',
        message: prepareOfferForEIP712(offered.payload),
      })
      expect(offered.signature).toBe(viemOffer)
      endings.add(offered.signature.slice(-2))

      const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer: own })
      const receipt = receiptOf(receipts.attach(json(200, {}), settled))
      const viemReceipt = await account.signTypedData({
        domain: createReceiptDomain(),
        types: RECEIPT_TYPES,
        primaryType: 'Receipt',
        message: prepareReceiptForEIP712(receipt.payload),
      })
      expect(receipt.signature).toBe(viemReceipt)
    }
    expect(endings).toEqual(new Set(['1b', '1c']))
  })

  test.each<[string, Partial<OfferPayload>]>([
    ['another amount', { amount: '1' }],
    ['another recipient', { payTo: payer.address }],
    ['another asset', { asset: payer.address }],
    ['another network', { network: 'eip155:8453' }],
    ['another resource', { resourceUrl: `${resourceUrl}/` }],
    ['another scheme', { scheme: 'upto' }],
    ['a longer validity', { validUntil: 2_000_000_000 }],
    ['another version', { version: 2 }],
  ])('of an offer is not ours once it says %s', async (_change, change) => {
    const signed = offerOf(new Challenges(offer, baseUrl, { signer }).unpaid(analyze, operation))
    const forged = { ...signed, payload: { ...signed.payload, ...change } }
    expect((await verifyOfferSignatureEIP712(signed)).signer).toBe(signer.address)
    expect((await verifyOfferSignatureEIP712(forged)).signer).not.toBe(signer.address)
  })

  test.each<[string, Hex]>([
    ['zero', `0x${'00'.repeat(32)}`],
    ['the order of the curve', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['31 bytes', `0x${'11'.repeat(31)}`],
    ['33 bytes', `0x${'11'.repeat(33)}`],
  ])('is not made with %s for a key, and the error does not repeat it', (_label, notAKey) => {
    const create = () => createReceiptSigner(notAKey)
    expect(create).toThrow(RangeError)
    expect(create).not.toThrow(notAKey.slice(2, 20))
  })
})

describe('an offer', () => {
  const start = Date.UTC(2026, 0, 1) + 1
  let now = start
  const clock = { now: () => now }
  const make = () => new Challenges(offer, baseUrl, { signer, clock })

  test('is the price of the 402 it comes in, for the resource it comes for', () => {
    const reply = make().unpaid(analyze, operation)
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

  test('is signed once for all who ask within ten seconds, and anew after them', () => {
    now = start
    const challenges = make()
    const first = challenges.unpaid(analyze, operation)
    now = start + 9_999
    expect(challenges.unpaid(analyze, operation)).toBe(first)
    now = start + 10_000
    const second = challenges.unpaid(analyze, operation)
    expect(offerOf(second).payload.validUntil).toBe(offerOf(first).payload.validUntil + 10)
    expect(offerOf(second).signature).not.toBe(offerOf(first).signature)
  })

  test('holds for the whole validity of a payment whenever it is given out', () => {
    now = start
    const challenges = make()
    for (let step = 0; step < 100; step++) {
      now += 777
      const { validUntil } = offerOf(challenges.unpaid(analyze, operation)).payload
      const leftMs = validUntil * 1000 - now
      expect(leftMs).toBeGreaterThanOrEqual(operation.validitySeconds * 1000)
      expect(leftMs).toBeLessThan((operation.validitySeconds + 12) * 1000)
    }
  })

  test('made while the clock was an hour ahead is not given out any more once it is right', () => {
    now = start + 3_600_000
    const challenges = make()
    challenges.unpaid(analyze, operation)
    now = start
    const { validUntil } = offerOf(challenges.unpaid(analyze, operation)).payload
    expect(validUntil * 1000 - now).toBeLessThan((operation.validitySeconds + 12) * 1000)
  })

  test('follows the price: an operation that was priced anew is offered at its new price at once', () => {
    const challenges = make()
    challenges.unpaid(analyze, operation)
    const dearer = offerOf(challenges.unpaid(analyze, { ...operation, price: '0.20' }))
    expect(dearer.payload.amount).toBe('200000')
  })

  test('also goes to whoever sent a payment that was refused', async () => {
    const challenges = make()
    const refusal = { reason: 'insufficient_funds', message: 'the payer does not hold the amount' }
    const refused = challenges.refused(analyze, operation, refusal)
    expect(required(refused).error).toBe('insufficient_funds')
    expect((await verifyOfferSignatureEIP712(offerOf(refused))).signer).toBe(signer.address)
  })

  test('is left out without a key, and the 402 is then the same for ever', () => {
    now = start
    const challenges = new Challenges(offer, baseUrl, { clock })
    const first = challenges.unpaid(analyze, operation)
    expect(required(first).extensions).not.toHaveProperty('offer-receipt')
    now += 86_400_000
    expect(challenges.unpaid(analyze, operation)).toBe(first)
  })
})

describe('a receipt', () => {
  const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer })

  test('says who paid for what, when it was settled and by which transaction', () => {
    expect(receiptOf(receipts.attach(json(200, {}), settled)).payload).toEqual({
      version: 1,
      network: 'eip155:84532',
      resourceUrl,
      payer: payer.address,
      issuedAt: Math.floor(settledAt.getTime() / 1000),
      transaction: settled.transaction,
    })
  })

  test('given again is the same to the byte, from another process with the same key too', () => {
    const reply = json(200, { done: true })
    const first = receipts.attach(reply, settled)
    const again = createReceipts({ network, paymentsBaseUrl: baseUrl, signer: createReceiptSigner(key) })
    expect(receipts.attach(reply, settled)).toEqual(first)
    expect(again.attach(reply, { ...settled, settledAt: new Date(settledAt) })).toEqual(first)
  })

  test('is in the header of v2 only; the one of v1 says the same without a signature', () => {
    const { headers } = receipts.attach(json(200, {}), settled)
    const outcome = { success: true, transaction: settled.transaction, payer: payer.address }
    expect(decode(headers['payment-response'])).toMatchObject({ ...outcome, network: 'eip155:84532' })
    expect(decode(headers['x-payment-response'])).toEqual({ ...outcome, network: 'base-sepolia' })
  })

  test('is not given for a payment that failed', () => {
    const refused = new Challenges(offer, baseUrl, { signer }).unpaid(analyze, operation)
    const failure = { success: false, payer: payer.address, errorReason: 'insufficient_funds' } as const
    const { headers } = receipts.attach(refused, failure)
    expect(decode(headers['payment-response'])).toEqual({
      ...failure,
      transaction: '',
      network: 'eip155:84532',
    })
    expect(headers['payment-required']).toBe(refused.headers['payment-required'])
    expect(headers['cache-control']).toBe('no-store')
  })

  test.each([400, 402, 500])('is not given with a %i, even when the money has moved', (status) => {
    const { headers } = receipts.attach(json(status, {}), settled)
    expect(decode(headers['payment-response'])).toEqual({
      success: true,
      transaction: settled.transaction,
      payer: payer.address,
      network: 'eip155:84532',
    })
  })

  test('is left out without a key', () => {
    const unsigned = createReceipts({ network, paymentsBaseUrl: baseUrl })
    const { headers } = unsigned.attach(json(200, {}), settled)
    expect(decode(headers['payment-response'])).not.toHaveProperty('extensions')
    expect(headers['cache-control']).toBe('private, no-store')
  })
})

describe('what the 402 declares', () => {
  const { declared } = createBuilderCode('bc_tollgate')
  const reply = new Challenges(offer, baseUrl, { signer, declared }).unpaid(analyze, operation)
  const extensions = z.record(z.string(), z.custom<{ info: object; schema: z.core.JSONSchema.JSONSchema }>())
  const all = extensions.parse(required(reply).extensions)

  test('is each extension’s info, which its schema admits', () => {
    expect(Object.keys(all).sort()).toEqual(['builder-code', 'offer-receipt', 'payment-identifier'])
    for (const { info, schema } of Object.values(all)) {
      expect(z.fromJSONSchema(schema).parse(info)).toEqual(info)
    }
    expect(z.fromJSONSchema(all['offer-receipt']?.schema ?? {}).safeParse({}).success).toBe(false)
  })

  test('is a payment identifier as the public package declares it, which its client can fill in', () => {
    expect(all['payment-identifier']).toEqual(declarePaymentIdentifierExtension(false))
    expect(paymentIdentifier(true)).toEqual({ 'payment-identifier': declarePaymentIdentifierExtension(true) })
    const echoed = appendPaymentIdentifierToExtensions(structuredClone(all), 'order-2026-03-01-000017')
    expect(validatePaymentIdentifier(echoed['payment-identifier'])).toEqual({ valid: true })
    expect(echoed['payment-identifier']).toHaveProperty('info.id', 'order-2026-03-01-000017')
  })

  test('leaves the head of a 402 below the 4 KB of the narrowest proxies', () => {
    const head = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    expect(head.join('').length).toBeLessThan(3_300)
  })
})
