import { decodePaymentRequiredHeader } from '@x402/core/http'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

/** Offers and receipts of a whole gateway, as a client of the public package reads them. */
const receiptKey = generatePrivateKey()
const signer = privateKeyToAccount(receiptKey).address
const payer = privateKeyToAccount(devPayers[0].privateKey)
let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl, { RECEIPT_KEY: receiptKey })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
})

function call(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}/api/analyze`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ businessName: 'Bright Smile Dental' }),
  })
}

async function offerOf(response: Response) {
  const required = decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
  const [signed] = extractOffersFromPaymentRequired(required)
  if (!signed || !isEIP712SignedOffer(signed)) throw new Error('the 402 holds no offer signed by EIP-712')
  const [decoded] = decodeSignedOffers([signed])
  if (!decoded) throw new Error('the offer cannot be decoded')
  return { signed, decoded }
}

test('the 402 contains an offer that the public package verifies, signed by the key that our host names', async () => {
  const { signed, decoded } = await offerOf(await call())
  expect((await verifyOfferSignatureEIP712(signed)).signer).toBe(signer)
  expect(decoded).toMatchObject({ amount: '100000', resourceUrl: 'https://pay.example.com/api/analyze' })

  const identity = await fetch(`${gateway.url}/.well-known/did.json`)
  expect(await identity.json()).toMatchObject({
    id: 'did:web:pay.example.com',
    verificationMethod: [{ blockchainAccountId: `eip155:1:${signer}` }],
    assertionMethod: ['did:web:pay.example.com#receipts'],
  })
})

test('a settled reply contains a receipt for that offer, and the replayed reply contains the same one', async () => {
  const { decoded } = await offerOf(await call())
  const payment = v2Header(await signPayment(payer, 100_000n))
  const first = await call({ 'payment-signature': payment })
  expect(first.status).toBe(200)

  const receipt = extractReceiptFromResponse(first)
  if (!receipt || !isEIP712SignedReceipt(receipt)) throw new Error('no receipt signed by EIP-712')
  expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(signer)
  expect(verifyReceiptMatchesOffer(receipt, decoded, [payer.address])).toBe(true)
  const { transaction } = receipt.payload
  expect(decode(first.headers.get('payment-response'))).toMatchObject({ transaction, payer: payer.address })

  const again = await call({ 'payment-signature': payment })
  expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
})

test('a gateway without a key for it signs nothing and names no signer', async () => {
  const plain = await startGateway(chain.rpcUrl)
  try {
    const response = await fetch(`${plain.url}/api/analyze`, { method: 'POST' })
    const required = decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
    expect(extractOffersFromPaymentRequired(required)).toEqual([])
    expect((await fetch(`${plain.url}/.well-known/did.json`)).status).toBe(404)
  } finally {
    await plain.close()
  }
})
