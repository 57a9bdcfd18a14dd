import { randomUUID } from 'node:crypto'
import request, { type Response } from 'supertest'
import { type SignedPayment, v2Header } from '../chain/wallet.ts'

/** Purchases and renewals of API keys over HTTP, by honest and dishonest agents. */

/** The prices of the tiers in the tests' catalog, in atomic units. */
export const prices = { starter: 9_000_000n, pro: 49_000_000n }

interface Selling {
  readonly url: string
}

/** A name for a purchase that others cannot guess. */
export const newName = () => randomUUID()

export interface Order {
  readonly body?: unknown
  readonly payment?: SignedPayment
  /** The `Idempotency-Key` header. */
  readonly name?: string
  /** The identifier in the payment, by the extension `payment-identifier`. */
  readonly identifier?: string
}

/** Requests a key now; one of the tier `starter` when no body is given. */
export function buyKey(seller: Selling, order: Order): Promise<Response> {
  return send(seller, '/api/keys', { body: { tier: 'starter' }, ...order })
}

export function renewKey(seller: Selling, body: unknown, payment?: SignedPayment): Promise<Response> {
  return send(seller, '/api/keys/renew', { body, ...(payment ? { payment } : {}) })
}

/** The usage that the holder of a key or token reads. */
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
  // Sent as it is, whatever JSON value it is.
  return call.set('content-type', 'application/json').send(JSON.stringify(body))
}
