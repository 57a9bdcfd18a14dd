import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import {
  type EIP712SignedOffer,
  type EIP712SignedReceipt,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
} from '@x402/extensions/offer-receipt'
import { getAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { endpoint, noBody, noInput } from '../../../src/core/endpoint.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { freshWallet } from './wallet.ts'

/** One priced operation, a key that signs its offers and receipts, and what a client reads of them. */

export const network = networks['base-sepolia']
export const offer = { network, payTo: getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8') }
export const baseUrl = 'https://pay.example.com'
export const analyze = endpoint(
  'analyzeBusiness',
  { ...noInput, method: 'POST', path: '/api/analyze', response: noBody },
  () => json(200, {}),
)
/** A call of it. */
export const call = { endpoint: analyze, target: analyze.path }
export const resourceUrl = 'https://pay.example.com/api/analyze'
export const operation: PricedOperation = {
  description: 'Names the three automation opportunities most worth having for a business.',
  price: '0.10',
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
export const key = generatePrivateKey()
export const signer = createReceiptSigner(key)
export const payer = freshWallet()
export const settledAt = new Date('2026-03-01T12:00:00.789Z')
export const settled = {
  success: true,
  transaction: `0x${'5e'.repeat(32)}`,
  payer: payer.address,
  call,
  settledAt,
} as const

/** What the PAYMENT-REQUIRED header of a 402 says. */
export function required(reply: Reply): PaymentRequired {
  return decodePaymentRequiredHeader(reply.headers['payment-required'] ?? '')
}

/** The one signed offer of a 402. */
export function offerOf(reply: Reply): EIP712SignedOffer {
  const [signed, ...others] = extractOffersFromPaymentRequired(required(reply))
  if (!signed || others.length > 0 || !isEIP712SignedOffer(signed)) throw new Error('not one EIP-712 offer')
  return signed
}

/** The signed receipt of a paid reply. */
export function receiptOf(reply: Reply): EIP712SignedReceipt {
  const signed = extractReceiptFromResponse(new Response(null, { headers: { ...reply.headers } }))
  if (!signed || !isEIP712SignedReceipt(signed)) throw new Error('no EIP-712 receipt')
  return signed
}
