import type { PaymentPayload } from '@x402/core/types'
import { getAddress, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPurchase } from '../../../src/doors/x402/door/purchase.ts'
import { readRow } from '../../../src/doors/x402/recovery/payment-row.ts'
import { paymentId, requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import type { Payment } from '../../../src/doors/x402/wire/types.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { permit2Address, uptoProxyAddress } from '../../../src/platform/chain/permit2.ts'
import type { PaymentRow } from '../../../src/platform/store/rows/payments.ts'
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
  client: '192.0.2.1',
})

describe('the claim of a payment by upto', () => {
  test('an upto claim has the maximum, its facilitator and its permit, and is charged after the call', () => {
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

  test('an upto claim has the same id while upto cannot be settled, so a recorded payment is found', () => {
    const payment = readable(approved)
    const now = createPurchase(call(payment), { ...offer, upto: () => undefined })
    expect(now.wanted).toEqual(createPurchase(call(payment), offer).wanted)
    expect(now.requirement.scheme).toBe('exact')
  })

  test('an upto claim differs from that of an EIP-3009 transfer with the same nonce', () => {
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

  test('each namespace of nonces has its own payment ids', () => {
    const nonce: Hex = `0x${'ab'.repeat(32)}`
    const upto = paymentId(84_532, asset, stranger, nonce, permit2Address)
    const lower: Hex = `0x${permit2Address.slice(2).toLowerCase()}`
    expect(upto).not.toBe(paymentId(84_532, asset, stranger, nonce))
    expect(upto).not.toBe(paymentId(84_532, asset, stranger, nonce, uptoProxyAddress))
    expect(upto).toBe(paymentId(84_532, asset, stranger, nonce, lower))
  })

  test('a payment read from its row is the one that came in, so that a restarted gateway can settle it', () => {
    const payment = readable(sponsored)
    const { wanted } = createPurchase(call(payment), offer)
    const restored = readRow({ ...rest, ...wanted, amount: 1_234n }, network)
    expect(restored.requirement).toEqual({
      ...requirementFor(operation, offer, 'upto'),
      amount: '1234',
      // As the books have it, in lower case.
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

  test.each(['', '1:2', '1:2:3:0xzz', '-1:2:3:0x12'])('a row with the permit %j is not settled', (permit) => {
    const { wanted } = createPurchase(call(readable(sponsored)), offer)
    expect(() => readRow({ ...rest, ...wanted, permit }, network)).toThrow(TypeError)
  })
})

/** The columns that the books add to a claim. */
const rest: Omit<PaymentRow, keyof ReturnType<typeof createPurchase>['wanted']> = {
  state: 'served',
  attempt: 1,
  leaseUntil: new Date(0),
  holder: null,
  tries: 0,
  transaction: null,
  blockNumber: null,
  blockHash: null,
  settledAt: null,
  failure: null,
  onCredit: false,
  collectAt: null,
  replyStatus: null,
  replyHeaders: null,
  replyBody: null,
  refundFrom: null,
  refundUntil: null,
  refundTransaction: null,
  refundAmount: null,
  refundReason: null,
  searchAfter: null,
  searchFound: null,
  searches: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
