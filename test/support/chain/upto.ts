import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { endpoint, noBody, noInput } from '../../../src/core/endpoint.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { type ReadPayment, readPayment } from '../../../src/doors/x402/wire/headers.ts'
import type { Offer } from '../../../src/doors/x402/wire/requirements.ts'
import type { Payment } from '../../../src/doors/x402/wire/types.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

/** A metered operation, and payments for it by the scheme `upto` as the public client makes them. */

export const network = networks['base-sepolia']
/** The account that settles. */
export const settling = devPayers[6].address
export const offer: Offer = { network, payTo: devPayTo.address, upto: () => settling }
export const account = privateKeyToAccount(devPayers[0].privateKey)
export const operation: PricedOperation = {
  description: 'Answers a conversation with a language model, in one piece or as it is written.',
  price: '0.05',
  settle: 'metered',
  deadlineSeconds: 60,
  validitySeconds: 300,
  meter: { per: 'tokens', units: 1_000_000, input: '0.15', output: '0.60', max: '0.05' },
  upstream: 'models',
}
export const chat = endpoint(
  'chatCompletions',
  { ...noInput, method: 'POST', path: '/v1/chat/completions', response: noBody },
  () => json(200, {}),
)

/** A call of it. */
export const chatCall = { endpoint: chat, target: chat.path }

/** What the PAYMENT-REQUIRED header of a 402 says. */
export function requiredBy({ headers }: Reply): PaymentRequired {
  return decodePaymentRequiredHeader(headers['payment-required'] ?? '')
}

/** What a wallet reads about itself from the chain. */
export interface WalletState {
  /** How much of its tokens Permit2 may move. */
  readonly allowance: bigint
  /** The nonce of its next EIP-2612 permit. */
  readonly nonce: bigint
}

/**
 * Makes the payload of a wallet that pays a 402; with too small an allowance the wallet signs a permit too.
 */
export function payUpto(
  { address, signTypedData }: LocalAccount,
  required: PaymentRequired,
  { allowance, nonce }: WalletState,
): Promise<PaymentPayload> {
  const readContract = async ({ functionName }: { functionName: string }) =>
    functionName === 'nonces' ? nonce : allowance
  const scheme = new UptoEvmScheme({ address, signTypedData, readContract })
  return new x402Client().register('eip155:*', scheme).createPaymentPayload(required)
}

/** What clients sign for our 402: a wallet with enough allowance, and one whose allowance lacks a unit. */
export async function signBoth(): Promise<{ approved: PaymentPayload; sponsored: PaymentPayload }> {
  const required = requiredBy(new Challenges(offer, 'https://pay.example.com').unpaid(chatCall, operation))
  return {
    approved: await payUpto(account, required, { allowance: 50_000n, nonce: 0n }),
    sponsored: await payUpto(account, required, { allowance: 49_999n, nonce: 7n }),
  }
}

/** Encodes a payload for a payment header. */
export const uptoHeader = encodePaymentSignatureHeader

export function read(payload: PaymentPayload): ReadPayment {
  return readPayment((name) => (name === 'x-payment' ? [uptoHeader(payload)] : undefined))
}

export function readable(payload: PaymentPayload): Payment {
  const result = read(payload)
  if (result.kind !== 'payment') throw new Error(JSON.stringify(result))
  return result.payment
}

/** Copies a payload with another value at this existing path; `undefined` removes it. */
export function withChange(payload: PaymentPayload, path: string, value: unknown): PaymentPayload {
  const copy = structuredClone(payload)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let holder: unknown = copy
  for (const name of names) holder = Reflect.get(Object(holder), name)
  if (!Reflect.has(Object(holder), last)) throw new Error(`there is no ${path}`)
  if (value === undefined) Reflect.deleteProperty(Object(holder), last)
  else Reflect.set(Object(holder), last, value)
  return copy
}
