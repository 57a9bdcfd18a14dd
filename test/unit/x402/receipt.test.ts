import { expect, test } from 'vitest'
import { json } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { createReceipts } from '../../../src/doors/x402/wire/receipt.ts'
import {
  baseUrl,
  call,
  key,
  network,
  offer,
  operation,
  payer,
  receiptOf,
  resourceUrl,
  settled,
  settledAt,
  signer,
} from '../../support/chain/signed-offers.ts'
import { decode } from '../../support/chain/wallet.ts'

/** The receipts of paid replies. */

const receipts = createReceipts({ network, paymentsBaseUrl: baseUrl, signer })

test('a receipt names payer, resource, time of settlement and transaction', () => {
  expect(receiptOf(receipts.attach(json(200, {}), settled)).payload).toEqual({
    version: 1,
    network: 'eip155:84532',
    resourceUrl,
    payer: payer.address,
    issuedAt: Math.floor(settledAt.getTime() / 1000),
    transaction: settled.transaction,
  })
})

test('a receipt that is given again has the same bytes, also from another process with the same key', () => {
  const reply = json(200, { done: true })
  const first = receipts.attach(reply, settled)
  const again = createReceipts({ network, paymentsBaseUrl: baseUrl, signer: createReceiptSigner(key) })
  expect(receipts.attach(reply, settled)).toEqual(first)
  expect(again.attach(reply, { ...settled, settledAt: new Date(settledAt) })).toEqual(first)
})

test('the signed receipt is in v2’s header only; v1’s header has the same facts without a signature', () => {
  const { headers } = receipts.attach(json(200, {}), settled)
  const outcome = { success: true, transaction: settled.transaction, payer: payer.address }
  expect(decode(headers['payment-response'])).toMatchObject({ ...outcome, network: 'eip155:84532' })
  expect(decode(headers['x-payment-response'])).toEqual({ ...outcome, network: 'base-sepolia' })
})

test('a failed payment gets no signed receipt', () => {
  const refused = new Challenges(offer, baseUrl, { signer }).unpaid(call, operation)
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

test.each([400, 402, 500])(
  'a reply with status %i gets no signed receipt, even when the money has moved',
  (status) => {
    const { headers } = receipts.attach(json(status, {}), settled)
    expect(decode(headers['payment-response'])).toEqual({
      success: true,
      transaction: settled.transaction,
      payer: payer.address,
      network: 'eip155:84532',
    })
  },
)

test('without a key a paid reply has no signed receipt', () => {
  const unsigned = createReceipts({ network, paymentsBaseUrl: baseUrl })
  const { headers } = unsigned.attach(json(200, {}), settled)
  expect(decode(headers['payment-response'])).not.toHaveProperty('extensions')
  expect(headers['cache-control']).toBe('private, no-store')
})
