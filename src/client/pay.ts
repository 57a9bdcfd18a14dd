import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { parseUsdc } from '../core/money.ts'
import { reasonOf } from './fetch-failure.ts'
import { PayError } from './pay-error.ts'
import type { Quote } from './quote.ts'
import { type CallResult, type Outlet, type PaidRequest, send } from './send.ts'

/**
 * Signs a payment for a quote, and sends a request with it. Together with `askPrice` it makes the three steps
 * of an agent: receive the 402, sign one of its requirements, repeat the request.
 */

/**
 * Signs a payment without sending it.
 * @param maxUsdc the limit of the payer, as decimal USDC.
 * @param rpcUrl of the chain: with it, a wallet that has not approved Permit2 sends a permit along, where the server
 *   accepts one.
 * @returns the value of a payment header.
 * @throws PayError when the price is above `maxUsdc` or not in USDC; nothing is signed then.
 */
export async function sign(
  { required, requirement, price }: Quote,
  account: LocalAccount,
  maxUsdc: string,
  rpcUrl?: string,
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
    const payload = await client.createPaymentPayload({ ...required, accepts: [requirement] })
    const [header] = Object.values(new x402HTTPClient(client).encodePaymentSignatureHeader(payload))
    if (header) return header
  } catch (cause) {
    throw new PayError(`The wallet refused to sign: ${reasonOf(cause)}`, { cause })
  }
  throw new PayError('The wallet made no payment.')
}

/** Sends the request with a payment that was signed for it. */
export async function pay(request: PaidRequest, payment: string, outlet?: Outlet): Promise<CallResult> {
  return (await send(request, { 'payment-signature': payment }, outlet)).result
}
