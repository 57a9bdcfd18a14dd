import { randomUUID } from 'node:crypto'
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

/** Calls of a gateway's upstreams, and payments that can be sent more than once. */

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

/** The call with a name of its own, which proves that a repeat is the payer's. */
export const named = (call: FarCall): FarCall => ({
  ...call,
  headers: { ...call.headers, 'idempotency-key': randomUUID() },
})

/**
 * A request to the model behind `/far`.
 * @param more members of its body.
 */
export const askModel = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
): FarCall => {
  const call = post(`/far${path}`, { model: 'm', messages: [{ role: 'user', content: 'Well?' }], ...more })
  return { ...call, headers: { ...call.headers, ...headers } }
}

/** A payment made by the public x402 client. */
interface KeptPayment {
  /** To send with the call. */
  readonly headers: Readonly<Record<string, string>>
  readonly signature: string
}

/** The payment requirements of a 402, or of a 429 with a price. */
export function asked(reply: Response): PaymentRequired {
  return decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')
}

/** Signs a payment for the reply's requirements. */
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

/** Status and code of a refusal by the gateway. */
export const codeOf = async (reply: Response) => [reply.status, refusal.parse(await reply.json()).code]

/** The state of a payment that settled and was served. */
export const settled: unknown = expect.stringMatching(/^(settled|final)$/)

/** The wallet of one of the local chain's payers. */
export function walletOf(number: 0 | 1 | 2 | 3 | 4 | 5): LocalAccount {
  return privateKeyToAccount(devPayers[number].privateKey)
}

/** One gateway, its books, and its receiving account. */
interface Shop {
  readonly gateway: { readonly url: string; readonly services: { readonly queries: Queries } }
  readonly account: ReceivingAccount
}

/** Calls a gateway, and reads its books and the chain for the payments. */
export function createBuyers({ gateway, account }: Shop) {
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
    /** Requests the price of a call and signs a payment for it. */
    sign: async (call: FarCall, wallet: LocalAccount, scheme: 'upto' | 'exact' = 'upto') =>
      paymentFor(await send(call), wallet, scheme),
    stateOf: async (payment: KeptPayment) => (await rowOf(payment))?.state,
    /** @returns a function that tells the amount received since, in atomic units. */
    async receives() {
      const before = await account.balanceOf(account.address)
      return async () => (await account.balanceOf(account.address)) - before
    },
  }
}
