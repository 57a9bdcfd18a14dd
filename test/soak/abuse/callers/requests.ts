import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import type { Address, LocalAccount } from 'viem'
import { devPayTo } from '../../../../src/platform/chain/dev-accounts.ts'
import { payUpto, uptoHeader } from '../../../support/chain/upto.ts'
import { type SignedPayment, signPayment, v2Header } from '../../../support/chain/wallet.ts'
import { paths, validitySeconds } from '../catalog.ts'
import type { CallerRequest, LargeBody } from './callers.ts'

/** Paid requests as clients make them, by honest payers and by attackers alike. */

/** The 402 of the stream at one gateway: it names the account that settles there. */
export type Offers = PaymentRequired

export async function readOffers(url: string): Promise<Offers> {
  const reply = await fetch(url + paths.stream, { method: 'POST' })
  await reply.body?.cancel()
  return decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
}

/** Whether these offers name an account that settles `upto`. */
export const isSettledBy = ({ accepts }: Offers, account: Address): boolean =>
  accepts.some(({ extra }) => extra?.facilitatorAddress === account)

/** The same offers with `upto` settled by this account. */
export function settledBy(offers: Offers, account: Address): Offers {
  const accepts = offers.accepts.map((one) =>
    one.scheme === 'upto' ? { ...one, extra: { ...one.extra, facilitatorAddress: account } } : one,
  )
  return { ...offers, accepts }
}

/** Signs a payment by `exact`. */
export function signPrice(
  wallet: LocalAccount,
  amount: bigint,
  change: Partial<SignedPayment['authorization']> = {},
): Promise<SignedPayment> {
  // A minute less than the 402 asks for, as clients with slow clocks do.
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + validitySeconds - 60)
  return signPayment(wallet, amount, { validBefore, ...change })
}

/** The header of a signed payment. */
export const headerOf = (payment: SignedPayment): string =>
  v2Header(payment, { payTo: devPayTo.address, maxTimeoutSeconds: validitySeconds })

export async function signExact(...args: Parameters<typeof signPrice>): Promise<string> {
  return headerOf(await signPrice(...args))
}

/** Signs the maximum of a stream, by a wallet that has approved Permit2. */
export async function signUpto(wallet: LocalAccount, offers: Offers): Promise<string> {
  return uptoHeader(await payUpto(wallet, offers, { allowance: 2n ** 128n, nonce: 0n }))
}

interface CallOptions {
  /** The local address that the call comes from. */
  readonly from: string
  readonly body?: object | LargeBody
  /** The `Idempotency-Key`. */
  readonly key?: string
}

/** @param urls the gateways to try. @param path with its query. */
export function callOf(
  urls: readonly string[],
  path: string,
  payment: string,
  { from, body = {}, key }: CallOptions,
): CallerRequest {
  return {
    urls,
    path,
    headers: {
      'content-type': 'application/json',
      'payment-signature': payment,
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: isLarge(body) ? body : JSON.stringify(body),
    from,
  }
}

const isLarge = (body: object | LargeBody): body is LargeBody => 'holdMs' in body

/** The body of a stream that takes `ms` for so many words. */
export const streamBody = (words: number, ms: number) => ({
  model: 'words',
  messages: [],
  stream: true,
  max_tokens: words,
  paceMs: Math.round((ms * 5) / words),
})
