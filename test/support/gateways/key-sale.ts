import { randomUUID } from 'node:crypto'
import request, { type Response } from 'supertest'
import { type SignedPayment, v2Header } from '../chain/wallet.ts'

/** How agents buy and renew API keys over HTTP, honest ones and others. */

/** What the tiers of the tests' catalogue cost, in atomic units. */
export const prices = { starter: 9_000_000n, pro: 49_000_000n }

interface Selling {
  readonly url: string
}

/** What a purchase is called; nobody else can guess it. */
export const newName = () => randomUUID()

export interface Order {
  readonly body?: unknown
  readonly payment?: SignedPayment
  /** In the header `Idempotency-Key`. */
  readonly name?: string
  /** In the payment, by the extension `payment-identifier`. */
  readonly identifier?: string
}

/** Asks for a key, at once; for one of the tier `starter` when no body is given. */
export function buyKey(seller: Selling, order: Order): Promise<Response> {
  return send(seller, '/api/keys', { body: { tier: 'starter' }, ...order })
}

export function renewKey(seller: Selling, body: unknown, payment?: SignedPayment): Promise<Response> {
  return send(seller, '/api/keys/renew', { body, ...(payment ? { payment } : {}) })
}

/** What the holder of a key or token is told of its use. */
export async function usageOf({ url }: Selling, key: string): Promise<Response> {
  return request(url).get('/api/keys/usage').set('x-mcp-api-key', key)
}

async function send(
  { url }: Selling,
  path: string,
  { body, payment, name, identifier }: Order,
): Promise<Response> {
  const call = request(url).post(path)
  if (payment) {
    const named = identifier ? { extensions: { 'payment-identifier': { info: { id: identifier } } } } : {}
    call.set('PAYMENT-SIGNATURE', v2Header(payment, { payTo: payment.authorization.to }, named))
  }
  if (name !== undefined) call.set('Idempotency-Key', name)
  if (body === undefined) return call
  // As it is, whatever JSON value it is.
  return call.set('content-type', 'application/json').send(JSON.stringify(body))
}
