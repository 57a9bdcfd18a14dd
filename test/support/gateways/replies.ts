import type { Response } from 'supertest'
import { type Hex, isHex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { decode, type SignedPayment } from '../chain/wallet.ts'
import { idOf } from './scene.ts'

/** The expected replies of the payment door. */

const receipt = z.object({
  success: z.literal(true),
  transaction: z.custom<Hex>((value) => isHex(value)),
})

/** The transaction in the reply's receipt; throws for a reply without one. */
export function transactionOf(reply: Response): Hex {
  return receipt.parse(decode(reply.headers['payment-response'])).transaction
}

/** Expects an unknown settlement, and nothing in the reply that makes a client pay again. */
export function expectUnknown(reply: Response): void {
  expect([reply.status, reply.body.code]).toEqual([503, 'SETTLEMENT_UNKNOWN'])
  expect(reply.body.message).toContain('Do not sign a new payment')
  expectNoInvitation(reply)
}

/**
 * Expects that the money was taken and nothing served, and that the reply asks for the same payment again.
 * @param failure the error code of the failure; left out where it has none.
 */
export function expectNotServed(reply: Response, payment: SignedPayment, failure?: string): void {
  expect([reply.status, reply.body.code]).toEqual([502, 'PAID_NOT_SERVED'])
  expect(reply.body.message).toContain('Do not sign a new payment')
  expect(reply.body.details).toEqual({ payment: { id: idOf(payment), state: 'paid' }, failure })
  expect(reply.headers).not.toHaveProperty('payment-response')
  expectNoInvitation(reply)
}

/** Each of these headers would make some client sign a second payment. */
export function expectNoInvitation(reply: Response): void {
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  expect(reply.headers).not.toHaveProperty('payment-required')
  expect(reply.headers).not.toHaveProperty('x-payment')
  expect(reply.body).not.toHaveProperty('accepts')
}

/** Expects a refusal with this reason, before a transfer was sent or by the chain. */
export function expectRefused(
  reply: Response,
  reason: string,
  code: 'PAYMENT_INVALID' | 'PAYMENT_FAILED' = 'PAYMENT_INVALID',
): void {
  expect([reply.status, reply.body.code, reply.body.details?.reason]).toEqual([402, code, reason])
  expect(reply.headers).toHaveProperty('payment-required')
  expect(reply.body).not.toHaveProperty('lead')
}

/** Expects that the payment was used already, and that nothing was served or charged now. */
export function expectReplayed(reply: Response, payment: object): void {
  expect([reply.status, reply.body.code]).toEqual([409, 'PAYMENT_REPLAYED'])
  expect(reply.body.details.payment).toMatchObject(payment)
  expect(reply.body).not.toHaveProperty('accepts')
}
