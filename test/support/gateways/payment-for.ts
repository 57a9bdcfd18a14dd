import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { z } from 'zod'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import type { Queries } from '../../../src/platform/store/database.ts'
import type { ReceivingAccount } from '../chain/receiving-account.ts'

/** Calls of what stands behind a gateway, and payments for them that can be sent more than once. */

interface FarCall {
  /** Behind the gateway's address. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export const get = (path: string): FarCall => ({ path, method: 'GET', headers: {}, body: undefined })
export const post = (path: string, value: unknown): FarCall => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** A question to the model that stands behind `/far`. @param more of the body: what it asks besides. */
export const askModel = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
): FarCall => {
  const call = post(`/far${path}`, { model: 'm', messages: [{ role: 'user', content: 'Well?' }], ...more })
  return { ...call, headers: { ...call.headers, ...headers } }
}

/** A payment as the public client makes it. */
interface KeptPayment {
  /** What goes with the call. */
  readonly headers: Readonly<Record<string, string>>
  readonly signature: string
}

/** What a 402, or a 429 that names a price, asks for. */
export function asked(reply: Response): PaymentRequired {
  return decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
}

/** Pays what the reply asks for. */
async function paymentFor(
  reply: Response,
  wallet: LocalAccount,
  scheme: 'upto' | 'exact',
): Promise<KeptPayment> {
  const signer = scheme === 'upto' ? new UptoEvmScheme(wallet) : new ExactEvmScheme(wallet)
  const client = new x402HTTPClient(new x402Client().register('eip155:*', signer))
  const payload = await client.createPaymentPayload(asked(reply))
  const { signature } = z.object({ signature: z.string() }).parse(payload.payload)
  return { headers: client.encodePaymentSignatureHeader(payload), signature }
}

const refusal = z.looseObject({ code: z.string() })

/** Status and code of a refusal of ours. */
export const codeOf = async (reply: Response) => [reply.status, refusal.parse(await reply.json()).code]

/** The money of a payment was taken, and what it bought was given. */
export const settled: unknown = expect.stringMatching(/^(settled|final)$/)

/** The wallet of one of the accounts of the local chain that pay. */
export function walletOf(number: 0 | 1 | 2 | 3 | 4 | 5): LocalAccount {
  return privateKeyToAccount(devPayers[number].privateKey)
}

/** Where they buy: one gateway, its books, and who is paid. */
interface Shop {
  readonly gateway: { readonly url: string; readonly services: { readonly queries: Queries } }
  readonly till: ReceivingAccount
}

/** Callers of a gateway, and what its books and the chain show of their payments. */
export function createBuyers({ gateway, till }: Shop) {
  function send(
    { path, method, headers, body }: FarCall,
    payment?: Partial<KeptPayment>,
    signal?: AbortSignal,
  ) {
    return fetch(`${gateway.url}${path}`, {
      method,
      headers: { connection: 'close', ...headers, ...payment?.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  }

  async function rowOf({ signature }: KeptPayment) {
    const { queries } = gateway.services
    return queries.selectFrom('payments').selectAll().where('signature', '=', signature).executeTakeFirst()
  }

  return {
    send,
    rowOf,
    /** Asks what it costs, and signs that. */
    sign: async (call: FarCall, wallet: LocalAccount, scheme: 'upto' | 'exact' = 'upto') =>
      paymentFor(await send(call), wallet, scheme),
    stateOf: async (payment: KeptPayment) => (await rowOf(payment))?.state,
    /** @returns what comes in from now on, in atomic units. */
    async receives() {
      const before = await till.balanceOf(till.address)
      return async () => (await till.balanceOf(till.address)) - before
    },
  }
}
