import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { z } from 'zod'

/** A payment as the public client makes it, kept so that it can be sent more than once. */
export interface KeptPayment {
  /** What goes with the call. */
  readonly headers: Readonly<Record<string, string>>
  readonly signature: string
}

/** What a 402, or a 429 that names a price, asks for. */
export function asked(reply: Response): PaymentRequired {
  return decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
}

/** Pays what the reply asks for. */
export async function paymentFor(
  reply: Response,
  wallet: LocalAccount,
  scheme: 'upto' | 'exact' = 'upto',
): Promise<KeptPayment> {
  const signer = scheme === 'upto' ? new UptoEvmScheme(wallet) : new ExactEvmScheme(wallet)
  const client = new x402HTTPClient(new x402Client().register('eip155:*', signer))
  const payload = await client.createPaymentPayload(asked(reply))
  const { signature } = z.object({ signature: z.string() }).parse(payload.payload)
  return { headers: client.encodePaymentSignatureHeader(payload), signature }
}
