import { describe, expect, test } from 'vitest'
import type { OperatorOperation } from '../../src/core/call.ts'
import type { Operation } from '../../src/core/catalog.ts'
import type { Principal } from '../../src/gateway/identify.ts'
import { type Door, decide } from '../../src/gateway/policy.ts'
import type { Payment, Refusal } from '../../src/x402/types.ts'

const open = { access: 'open', description: 'Open.', deadline_seconds: 10 } as const satisfies Operation
const priced = {
  access: 'price',
  description: 'Priced.',
  price: '0.10',
  settle: 'after',
  deadline_seconds: 60,
  validity_seconds: 300,
} as const satisfies Operation
const own: OperatorOperation = { access: 'operator', description: 'Its own.', deadline_seconds: 10 }

const payment: Payment = {
  version: 1,
  accepted: { version: 1, scheme: 'exact', network: 'base-sepolia' },
  authorization: {
    from: '0x0000000000000000000000000000000000000001',
    to: '0x0000000000000000000000000000000000000002',
    value: 100_000n,
    validAfter: 0n,
    validBefore: 1n,
    nonce: `0x${'01'.repeat(32)}`,
  },
  signature: '0x00',
  identifier: undefined,
}
const refusal: Refusal = { reason: 'invalid_payload', message: 'the header is not base64' }

const anonymous: Principal = { kind: 'anonymous' }
const payer: Principal = { kind: 'payer', payment, idempotencyKey: 'order-7' }
const unreadable: Principal = { kind: 'unreadable', refusal }
const operator: Principal = { kind: 'operator' }
const pretender: Principal = { kind: 'pretender' }

const needsToken: Door = {
  kind: 'refuse',
  code: 'OPERATOR_TOKEN_REQUIRED',
  challenge: 'Bearer realm="operator"',
}
const wrongToken: Door = {
  kind: 'refuse',
  code: 'OPERATOR_TOKEN_INVALID',
  challenge: 'Bearer realm="operator", error="invalid_token"',
}

describe('the door', () => {
  test.each<[string, Operation | OperatorOperation, Principal, Door]>([
    ['an open operation is open to anyone', open, anonymous, { kind: 'open' }],
    ['an open operation leaves a payment untouched', open, payer, { kind: 'open' }],
    ['an open operation ignores an unreadable payment', open, unreadable, { kind: 'open' }],
    [
      'a priced operation tells its price to who does not pay',
      priced,
      anonymous,
      { kind: 'challenge', operation: priced, refusal: undefined },
    ],
    [
      'a priced operation takes a payment, under the name the payer gives it',
      priced,
      payer,
      { kind: 'payment', operation: priced, payment, idempotencyKey: 'order-7' },
    ],
    [
      'a priced operation says why a payment could not be read',
      priced,
      unreadable,
      { kind: 'challenge', operation: priced, refusal },
    ],
    [
      'a priced operation is sold to the operator as to anyone',
      priced,
      operator,
      { kind: 'challenge', operation: priced, refusal: undefined },
    ],
    [
      'a priced operation is not given away for a token',
      priced,
      pretender,
      { kind: 'challenge', operation: priced, refusal: undefined },
    ],
    ['an operation of the operator is open to the operator', own, operator, { kind: 'open' }],
    ['an operation of the operator asks everybody for a token', own, anonymous, needsToken],
    ['an operation of the operator takes no payment instead of a token', own, payer, needsToken],
    ['an operation of the operator is closed to any other token', own, pretender, wrongToken],
  ])('%s', (_guarantee, operation, principal, door) => {
    expect(decide(operation, principal)).toEqual(door)
  })
})
