import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { parseUsdc } from '../core/money.ts'
import { reasonOf } from './fetch-failure.ts'
import { PayError } from './pay-error.ts'
import type { Quote } from './quote.ts'
import { type CallResult, type Outlet, type PaidRequest, send } from './send.ts'
import { signIn } from './sign-in.ts'

/**
 * Signs a payment for a quote, and sends a request with it. Together with `askPrice` it makes the three steps
 * of an agent: receive the 402, sign one of its requirements, repeat the request.
 */

/**
 * Signs a payment without sending it.
 * @param maxUsdc the limit of the payer, as decimal USDC.
 * @param rpcUrl of the chain: with it, a wallet that has not approved Permit2 sends a permit along, where the server
 *   accepts one.
 * @param name of the purchase, which goes into the payment where the server takes it there.
 * @returns the value of a payment header.
 * @throws PayError when the price is above `maxUsdc` or not in USDC; nothing is signed then.
 */
export async function sign(
  { required, requirement, price }: Quote,
  account: LocalAccount,
  maxUsdc: string,
  rpcUrl?: string,
  name?: string,
): Promise<string> {
  if (parseUsdc(price) > parseUsdc(maxUsdc)) {
    throw new PayError(
      `The call costs ${price} USDC, more than the ${maxUsdc} allowed (--max). Nothing was signed.`,
    )
  }
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .register('eip155:*', new UptoEvmScheme(account, rpcUrl === undefined ? undefined : { rpcUrl }))
    // Also refuses tokens that are not known to be worth a dollar; the limit above cannot see that.
    .setSpendControls({ maxAmountPerPayment: `$${maxUsdc}` })
  try {
    const named = name === undefined ? required : await withName(required, name)
    const payload = await client.createPaymentPayload({ ...named, accepts: [requirement] })
    const [header] = Object.values(new x402HTTPClient(client).encodePaymentSignatureHeader(payload))
    if (header) return header
  } catch (cause) {
    throw new PayError(`The wallet refused to sign: ${reasonOf(cause)}`, { cause })
  }
  throw new PayError('The wallet made no payment.')
}

/** Adds the name of the purchase as the extension `payment-identifier`, where the server declares that. */
async function withName(required: PaymentRequired, name: string): Promise<PaymentRequired> {
  // The library loads slowly, and not every payment has a name in it.
  const { appendPaymentIdentifierToExtensions } = await import('@x402/extensions/payment-identifier')
  const extensions = appendPaymentIdentifierToExtensions(structuredClone(required.extensions ?? {}), name)
  return { ...required, extensions }
}

/** Sends the request with a payment that was signed for it. */
export async function pay(request: PaidRequest, payment: string, outlet?: Outlet): Promise<CallResult> {
  return (await send(request, { 'payment-signature': payment }, outlet)).result
}

/**
 * Repeats a request with a payment that was sent before, to fetch its reply. Signs no payment; when the server asks who
 * pays, the wallet signs in, and the request is sent once more.
 * @param accountFor the wallet of the payer, on a network by its CAIP-2 name; undefined not to sign in. It may throw.
 */
export async function payAgain(
  request: PaidRequest,
  payment: string,
  accountFor: (network: string) => LocalAccount | undefined,
  outlet?: Outlet,
): Promise<CallResult> {
  const first = await pay(request, payment, outlet)
  const proof = await signIn(first, request.url, accountFor)
  if (proof === undefined) return first
  return (await send(request, { 'payment-signature': payment, 'sign-in-with-x': proof }, outlet)).result
}
