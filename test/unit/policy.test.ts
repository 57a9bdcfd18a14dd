import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/core/catalog.ts'
import type { Principal } from '../../src/gateway/identify.ts'
import { type Door, decide } from '../../src/gateway/policy.ts'
import type { Payment, Refusal } from '../../src/x402/types.ts'

const open = { access: 'open', description: 'Open.', deadline_seconds: 10 } as const satisfies Operation
const priced = {
  access: 'price',
  description: 'Priced.',
  price: '0.10',
  deadline_seconds: 60,
  validity_seconds: 300,
} as const satisfies Operation

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
}
const refusal: Refusal = { reason: 'invalid_payload', message: 'the header is not base64' }

const anonymous: Principal = { kind: 'anonymous' }
const payer: Principal = { kind: 'payer', payment }
const unreadable: Principal = { kind: 'unreadable', refusal }

describe('the door', () => {
  test.each<[string, Operation, Principal, Door]>([
    ['an open operation is open to anyone', open, anonymous, { kind: 'open' }],
    ['an open operation leaves a payment untouched', open, payer, { kind: 'open' }],
    ['an open operation ignores an unreadable payment', open, unreadable, { kind: 'open' }],
    [
      'a priced operation tells its price to who does not pay',
      priced,
      anonymous,
      { kind: 'challenge', operation: priced, refusal: undefined },
    ],
    ['a priced operation takes a payment', priced, payer, { kind: 'payment', operation: priced, payment }],
    [
      'a priced operation says why a payment could not be read',
      priced,
      unreadable,
      { kind: 'challenge', operation: priced, refusal },
    ],
  ])('%s', (_guarantee, operation, principal, door) => {
    expect(decide(operation, principal)).toEqual(door)
  })
})
