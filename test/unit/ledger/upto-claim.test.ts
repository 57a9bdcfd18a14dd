import type { PaymentPayload } from '@x402/core/types'
import { getAddress, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPurchase } from '../../../src/doors/x402/door/purchase.ts'
import { readRow } from '../../../src/doors/x402/recovery/payment-row.ts'
import { paymentId, requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import type { Payment } from '../../../src/doors/x402/wire/types.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { permit2Address, uptoProxyAddress } from '../../../src/platform/chain/permit2.ts'
import type { PaymentRow } from '../../../src/platform/store/schema.ts'
import { chat, network, offer, operation, readable, settling, signBoth } from '../../support/chain/upto.ts'

const stranger = getAddress(devPayers[5].address)
const asset = network.usdc.address
let approved: PaymentPayload
let sponsored: PaymentPayload
beforeAll(async () => {
  const signed = await signBoth()
  approved = signed.approved
  sponsored = signed.sponsored
})

const call = (payment: Payment, priced = operation) => ({
  endpoint: chat,
  operation: priced,
  payment,
  idempotencyKey: undefined,
  target: '/v1/chat',
  body: new Uint8Array(),
})

describe('the claim of a payment by upto', () => {
  test('holds the maximum, who may settle it and its permit, and waits for the end of the call', () => {
    const payment = readable(sponsored)
    const { requirement, wanted } = createPurchase(call(payment), offer)
    expect(requirement.scheme).toBe('upto')
    expect(wanted).toMatchObject({
      scheme: 'upto',
      amount: 50_000n,
      authorized: 50_000n,
      facilitator: settling.toLowerCase(),
      timing: 'metered',
      validAfter: '0',
      validBefore: payment.authorization.validBefore.toString(),
    })
    expect(wanted.permit).toContain(payment.permit?.signature)
  })

  test('is the same while nobody settles upto: what is in the books already is found', () => {
    const payment = readable(approved)
    const now = createPurchase(call(payment), { ...offer, upto: () => undefined })
    expect(now.wanted).toEqual(createPurchase(call(payment), offer).wanted)
    expect(now.requirement.scheme).toBe('exact')
  })

  test('is another than that of an EIP-3009 transfer with the same nonce, whose money moves with the reply', () => {
    const payment = readable(approved)
    const { facilitator: _, ...authorization } = payment.authorization
    const accepted = { version: 1, scheme: 'exact', network: 'base-sepolia' } as const
    const exact = createPurchase(call({ ...payment, version: 1, accepted, authorization }), offer)
    expect(exact.wanted).toMatchObject({
      scheme: 'exact',
      facilitator: null,
      permit: null,
      authorized: 50_000n,
      timing: 'after',
    })
    expect(exact.wanted.id).not.toBe(createPurchase(call(payment), offer).wanted.id)
  })

  test('is known by a name of its own for each namespace of nonces', () => {
    const nonce: Hex = `0x${'ab'.repeat(32)}`
    const upto = paymentId(84_532, asset, stranger, nonce, permit2Address)
    const lower: Hex = `0x${permit2Address.slice(2).toLowerCase()}`
    expect(upto).not.toBe(paymentId(84_532, asset, stranger, nonce))
    expect(upto).not.toBe(paymentId(84_532, asset, stranger, nonce, uptoProxyAddress))
    expect(upto).toBe(paymentId(84_532, asset, stranger, nonce, lower))
  })

  test('gives the payment back as it came in, to whoever settles less of it after a restart', () => {
    const payment = readable(sponsored)
    const { wanted } = createPurchase(call(payment), offer)
    const restored = readRow({ ...rest, ...wanted, amount: 1_234n }, network)
    expect(restored.requirement).toEqual({
      ...requirementFor(operation, offer, 'upto'),
      amount: '1234',
      // As the books have it: all in lower case.
      asset: asset.toLowerCase(),
      payTo: devPayTo.address.toLowerCase(),
      maxTimeoutSeconds: Number(payment.authorization.validBefore),
    })
    const { to, from, ...authorization } = payment.authorization
    expect(restored.payment).toMatchObject({
      authorization,
      signature: payment.signature,
      permit: payment.permit,
      accepted: { amount: '50000', scheme: 'upto' },
    })
    expect(getAddress(restored.payment.authorization.from)).toBe(from)
    expect(getAddress(restored.payment.authorization.to)).toBe(to)
  })

  test.each(['', '1:2', '1:2:3:0xzz', '-1:2:3:0x12'])(
    'is not settled with %j for a permit in the books',
    (permit) => {
      const { wanted } = createPurchase(call(readable(sponsored)), offer)
      expect(() => readRow({ ...rest, ...wanted, permit }, network)).toThrow(TypeError)
    },
  )
})

/** What the books add to a claim. */
const rest: Omit<PaymentRow, keyof ReturnType<typeof createPurchase>['wanted']> = {
  state: 'served',
  attempt: 1,
  leaseUntil: new Date(0),
  tries: 0,
  transaction: null,
  blockNumber: null,
  blockHash: null,
  settledAt: null,
  failure: null,
  replyStatus: null,
  replyHeaders: null,
  replyBody: null,
  refundFrom: null,
  refundUntil: null,
  refundTransaction: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
