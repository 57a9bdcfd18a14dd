import type { Response } from 'supertest'
import { type Hex, isHex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { decode, type SignedPayment } from '../chain/wallet.ts'
import { idOf } from './scene.ts'

/** What the answers of the payment door have to look like, whichever test meets them. */

const receipt = z.object({
  success: z.literal(true),
  transaction: z.custom<Hex>((value) => isHex(value)),
})

/** The transaction that the reply's receipt names; throws for a reply without one. */
export function transactionOf(reply: Response): Hex {
  return receipt.parse(decode(reply.headers['payment-response'])).transaction
}

/** The outcome of the settlement is open, and nothing in the reply makes a client pay anew. */
export function expectUnknown(reply: Response): void {
  expect([reply.status, reply.body.code]).toEqual([503, 'SETTLEMENT_UNKNOWN'])
  expect(reply.body.message).toContain('Do not sign a new payment')
  expectNoInvitation(reply)
}

/**
 * The money was taken and nothing served: the payer is told so, and to repeat the same payment.
 * @param failure the error code of what went wrong; left out where it has none.
 */
export function expectNotServed(reply: Response, payment: SignedPayment, failure?: string): void {
  expect([reply.status, reply.body.code]).toEqual([502, 'PAID_NOT_SERVED'])
  expect(reply.body.message).toContain('Do not sign a new payment')
  expect(reply.body.details).toEqual({ payment: { id: idOf(payment), state: 'paid' }, failure })
  expect(reply.headers).not.toHaveProperty('payment-response')
  expectNoInvitation(reply)
}

/** Each of these would make some client sign a second payment. */
export function expectNoInvitation(reply: Response): void {
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  expect(reply.headers).not.toHaveProperty('payment-required')
  expect(reply.headers).not.toHaveProperty('x-payment')
  expect(reply.body).not.toHaveProperty('accepts')
}

/** Refused with this reason, and nothing was served: before the chain was troubled with it, or by the chain. */
export function expectRefused(
  reply: Response,
  reason: string,
  code: 'PAYMENT_INVALID' | 'PAYMENT_FAILED' = 'PAYMENT_INVALID',
): void {
  expect([reply.status, reply.body.code, reply.body.details?.reason]).toEqual([402, code, reason])
  expect(reply.headers).toHaveProperty('payment-required')
  expect(reply.body).not.toHaveProperty('lead')
}

/** The payment was used already; nothing was served or charged now. */
export function expectReplayed(reply: Response, payment: object): void {
  expect([reply.status, reply.body.code]).toEqual([409, 'PAYMENT_REPLAYED'])
  expect(reply.body.details.payment).toMatchObject(payment)
  expect(reply.body).not.toHaveProperty('accepts')
}
