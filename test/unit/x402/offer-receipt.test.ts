import { createServer, type Server } from 'node:http'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  createOfferDomain,
  createReceiptDomain,
  decodeSignedOffers,
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
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { readPayment } from '../../../src/doors/x402/wire/headers.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import { requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import {
  baseUrl,
  call,
  network,
  offer,
  offerOf,
  operation,
  payer,
  receiptOf,
  resourceUrl,
  settled,
  signer,
} from '../../support/chain/signed-offers.ts'

describe('over HTTP, with the public x402 client', () => {
  const challenges = new Challenges(offer, baseUrl, { signer })
  const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer })
  let server: Server
  let url: string

  beforeAll(async () => {
    // Replies 402 to a call without payment, and accepts every payment unchecked.
    server = createServer((req, res) => {
      const read = readPayment((name) => req.headersDistinct[name])
      const reply =
        read.kind === 'payment'
          ? receipts.attach(json(200, { done: true }), {
              ...settled,
              payer: read.payment.authorization.from,
              settledAt: new Date(),
            })
          : challenges.unpaid(call, operation)
      res.writeHead(reply.status, { ...reply.headers }).end(reply.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    url = `http://127.0.0.1:${address.port}/api/analyze`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  test('an agent finds our signed offer in the 402, and the receipt that belongs to it in the paid reply', async () => {
    const challenge = decodePaymentRequiredHeader(
      (await fetch(url, { method: 'POST' })).headers.get('payment-required') ?? '',
    )
    PaymentRequiredV2Schema.parse(challenge)
    const [decoded] = decodeSignedOffers(extractOffersFromPaymentRequired(challenge))
    if (!decoded || !isEIP712SignedOffer(decoded.signedOffer)) throw new Error('no offer')
    expect((await verifyOfferSignatureEIP712(decoded.signedOffer)).signer).toBe(signer.address)
    expect(findAcceptsObjectFromSignedOffer(decoded, challenge.accepts)).toEqual(
      requirementFor(operation, offer),
    )
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

describe('a signature of an offer or a receipt', () => {
  test('equals viem’s signature with the same key, for thirty keys, so it is deterministic', async () => {
    const endings = new Set<string>()
    for (let n = 0; n < 30; n++) {
      const privateKey = generatePrivateKey()
      const account = privateKeyToAccount(privateKey)
      const own = createReceiptSigner(privateKey)
      expect(own.address).toBe(account.address)

      const offered = offerOf(new Challenges(offer, baseUrl, { signer: own }).unpaid(call, operation))
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
  ])('of an offer is not ours once the offer has %s', async (_change, change) => {
    const signed = offerOf(new Challenges(offer, baseUrl, { signer }).unpaid(call, operation))
    const forged = { ...signed, payload: { ...signed.payload, ...change } }
    expect((await verifyOfferSignatureEIP712(signed)).signer).toBe(signer.address)
    expect((await verifyOfferSignatureEIP712(forged)).signer).not.toBe(signer.address)
  })

  test.each<[string, Hex]>([
    ['zero', `0x${'00'.repeat(32)}`],
    ['the order of the curve', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['31 bytes', `0x${'11'.repeat(31)}`],
    ['33 bytes', `0x${'11'.repeat(33)}`],
  ])('cannot be made with %s as the key, and the error does not repeat it', (_label, notAKey) => {
    const create = () => createReceiptSigner(notAKey)
    expect(create).toThrow(RangeError)
    expect(create).not.toThrow(notAKey.slice(2, 20))
  })
})
