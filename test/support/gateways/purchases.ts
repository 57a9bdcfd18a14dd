import request, { type Response } from 'supertest'
import { type LocalAccount, parseAbi } from 'viem'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { TestChain } from '../chain/chain.ts'
import { domain } from '../chain/chain-authorization.ts'
import { type SignedPayment, v1Header, v2Header } from '../chain/wallet.ts'
import type { Scene, Seller } from './scene.ts'

/** Purchases of lead research by honest and dishonest payers, and their result. */

const path = '/api/leads/research'

export interface Purchase {
  readonly body?: object
  /** The envelope of the payment; 2 when left out. */
  readonly version?: 1 | 2
  /** The `Idempotency-Key` header; several values are sent in several headers. */
  readonly key?: string | string[]
  /** The identifier in the payment, by the extension `payment-identifier`. */
  readonly identifier?: string
}

/** Sends a call with a payment now. */
export async function buy(
  { url }: { readonly url: string },
  payment: SignedPayment,
  { body = { companyName: 'Acme Dental' }, version = 2, key, identifier }: Purchase = {},
): Promise<Response> {
  const payTo = payment.authorization.to
  const named = identifier ? { extensions: { 'payment-identifier': { info: { id: identifier } } } } : {}
  const call = request(url).post(path)
  if (version === 1) call.set('X-PAYMENT', v1Header(payment))
  else call.set('PAYMENT-SIGNATURE', v2Header(payment, { payTo }, named))
  if (key !== undefined) call.set({ 'Idempotency-Key': key })
  return call.send(body)
}

/** Sends a call with a payment, and disconnects when `reached` resolves. */
export async function buyAndLeave(
  { url }: { readonly url: string },
  payment: SignedPayment,
  reached: () => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController()
  const gone = fetch(url + path, {
    method: 'POST',
    headers: { 'x-payment': v1Header(payment), 'content-type': 'application/json' },
    body: JSON.stringify({ companyName: 'Acme Dental' }),
    signal: controller.signal,
  }).then(
    () => 'answered',
    () => 'left',
  )
  await reached()
  controller.abort()
  if ((await gone) === 'answered') throw new Error('the call was answered before its caller left')
  // A call made now gets its reply after the gateway has seen the caller disconnect.
  await request(url).get('/health')
}

/** Buys, and runs `meanwhile` right before the settlement is sent to the node. */
export async function buyWhile(
  seller: Seller,
  payment: SignedPayment,
  meanwhile: () => Promise<unknown>,
  purchase?: Purchase,
): Promise<Response> {
  const held = seller.node.hold('eth_sendRawTransaction')
  try {
    const reply = buy(seller, payment, purchase)
    await held.reached
    await meanwhile()
    held.release()
    return await reply
  } finally {
    held.release()
  }
}

/** Cancels the authorization on the chain, as the payer. */
export async function cancel(
  { client }: TestChain,
  { authorization: { from, nonce } }: SignedPayment,
  wallet: LocalAccount,
): Promise<void> {
  const signature = await wallet.signTypedData({
    domain,
    types: { CancelAuthorization: cancelFields },
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  })
  const hash = await client.writeContract({
    account: devPayers[5].address,
    address: networks['base-sepolia'].usdc.address,
    abi: parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']),
    functionName: 'cancelAuthorization',
    args: [from, nonce, signature],
  })
  await client.waitForTransactionReceipt({ hash })
}

const cancelFields = [
  { name: 'authorizer', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** Runs of the handler, and atomic units received. */
interface Tally {
  readonly runs: number
  readonly received: bigint
}

export async function tally({ model, payee }: Scene): Promise<Tally> {
  return { runs: model.asked, received: await payee.balanceOf(payee.address) }
}

/** The changes of these numbers since. */
export async function since(before: Tally, scene: Scene): Promise<Tally> {
  const now = await tally(scene)
  return { runs: now.runs - before.runs, received: now.received - before.received }
}
