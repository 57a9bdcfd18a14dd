import type { PaymentPayload } from '@x402/core/types'
import { getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRecoverSigner, parseWalletSignature } from '../../../src/doors/x402/evidence/signature.ts'
import { readPayment } from '../../../src/doors/x402/wire/headers.ts'
import { requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import type { Authorization } from '../../../src/doors/x402/wire/types.ts'
import { v2Payload } from '../../../src/doors/x402/wire/v2-payload.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { uptoProxyAddress } from '../../../src/platform/chain/permit2.ts'
import {
  account,
  network,
  offer,
  operation,
  read,
  readable,
  settling,
  signBoth,
  uptoHeader,
  withChange,
} from '../../support/chain/upto.ts'

const otherAddress = getAddress(devPayers[5].address)
let approved: PaymentPayload
let sponsored: PaymentPayload
beforeAll(async () => {
  const signed = await signBoth()
  approved = signed.approved
  sponsored = signed.sponsored
})

describe('an upto payment is read from its header', () => {
  test('as the public client signs it for our 402, and the recovered signer is its wallet', () => {
    const payment = readable(approved)
    expect(payment).toMatchObject({
      version: 2,
      accepted: { scheme: 'upto', amount: '50000' },
      authorization: {
        from: account.address,
        to: devPayTo.address,
        value: 50_000n,
        validAfter: 0n,
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        facilitator: settling,
      },
    })
    expect(payment.permit).toBeUndefined()
    const wallet = parseWalletSignature(payment.signature)
    expect(wallet && createRecoverSigner(network)(payment.authorization, wallet)).toBe(account.address)
  })

  test('with the permit of a wallet that never approved Permit2', () => {
    const { permit, authorization } = readable(sponsored)
    expect(permit).toEqual({
      value: 50_000n,
      nonce: 7n,
      deadline: authorization.validBefore,
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    })
  })

  test('as one payment when a copy in another header has no permit', () => {
    const { payload, accepted } = sponsored
    const copy: PaymentPayload = { x402Version: 2, accepted, payload }
    const headers: Record<string, string[]> = {
      'payment-signature': [uptoHeader(copy)],
      'x-payment': [uptoHeader(sponsored)],
    }
    const result = readPayment((name) => headers[name])
    expect(result).toMatchObject({ kind: 'payment', payment: { permit: { nonce: 7n } } })
  })

  test('as a conflict with a copy that names another facilitator', () => {
    const other = withChange(approved, 'payload.permit2Authorization.witness.facilitator', otherAddress)
    expect(
      readPayment((name) => (name === 'x-payment' ? [uptoHeader(approved), uptoHeader(other)] : undefined)),
    ).toEqual({
      kind: 'conflict',
    })
  })

  const signed = 'payload.permit2Authorization'
  const info = 'extensions.eip2612GasSponsoring.info'
  test.each<[string, string, unknown, string]>([
    ['another spender', `${signed}.spender`, otherAddress, 'invalid_permit2_spender'],
    ['another token', `${signed}.permitted.token`, otherAddress, 'permit2_token_mismatch'],
    ['no token', `${signed}.permitted.token`, undefined, 'invalid_payload'],
    ['no facilitator', `${signed}.witness.facilitator`, undefined, 'invalid_payload'],
    ['no witness', `${signed}.witness`, undefined, 'invalid_payload'],
    ['an amount that is a number', `${signed}.permitted.amount`, 50_000, 'invalid_payload'],
    ['a negative amount', `${signed}.permitted.amount`, '-1', 'invalid_payload'],
    ['a nonce in hex', `${signed}.nonce`, `0x${'11'.repeat(32)}`, 'invalid_payload'],
    ['a nonce over 256 bits', `${signed}.nonce`, (2n ** 256n).toString(), 'invalid_payload'],
    ['no deadline', `${signed}.deadline`, undefined, 'invalid_payload'],
    ['no signature', 'payload.signature', undefined, 'invalid_payload'],
    ['neither kind of authorization', signed, undefined, 'invalid_payload'],
    ['another payer’s permit', `${info}.from`, otherAddress, 'eip2612_from_mismatch'],
    ['a permit for another token', `${info}.asset`, otherAddress, 'eip2612_asset_mismatch'],
    ['a permit for another spender', `${info}.spender`, uptoProxyAddress, 'eip2612_spender_not_permit2'],
    ['a permit over more', `${info}.amount`, '50001', 'permit2_2612_amount_mismatch'],
    ['a permit over less', `${info}.amount`, '49999', 'permit2_2612_amount_mismatch'],
    ['a permit without a nonce', `${info}.nonce`, undefined, 'invalid_eip2612_extension_format'],
    ['a permit with a deadline in words', `${info}.deadline`, 'soon', 'invalid_eip2612_extension_format'],
    ['a permit with half a signature', `${info}.signature`, '0x12', 'invalid_eip2612_extension_format'],
  ])('not with %s', (_label, path, value, reason) => {
    expect(read(withChange(sponsored, path, value))).toMatchObject({
      kind: 'unreadable',
      refusal: { reason },
    })
  })

  test('not beside an EIP-3009 authorization, because either choice could be the wrong one', () => {
    const both = structuredClone(approved)
    both.payload.authorization = {
      from: account.address,
      to: devPayTo.address,
      value: '50000',
      validAfter: '0',
      validBefore: '9999999999',
      nonce: `0x${'ab'.repeat(32)}`,
    }
    expect(read(both)).toMatchObject({ kind: 'unreadable', refusal: { reason: 'invalid_payload' } })
  })
})

describe('a remote facilitator gets', () => {
  test('exactly what the payer’s client signed, with our own requirement', () => {
    const requirement = requirementFor(operation, offer, 'upto')
    const sent = v2Payload(readable(sponsored), requirement, undefined)
    expect(sent.payload).toEqual(sponsored.payload)
    expect(sent.accepted).toEqual(requirement)
    const info = { ...Reflect.get(Object(sponsored.extensions?.eip2612GasSponsoring), 'info') }
    expect(sent.extensions).toEqual({ eip2612GasSponsoring: { info } })
  })

  test('the signed maximum as the accepted amount when less is to be taken', () => {
    const requirement = requirementFor(operation, offer, 'upto')
    const sent = v2Payload(readable(approved), { ...requirement, amount: '7' }, undefined)
    expect(sent.accepted.amount).toBe('50000')
    expect(sent.payload).toEqual(approved.payload)
    expect(sent.extensions).toBeUndefined()
  })

  test('no permit with an EIP-3009 transfer', () => {
    const { facilitator: _, ...authorization }: Authorization = readable(sponsored).authorization
    const requirement = requirementFor(operation, offer)
    const sent = v2Payload({ ...readable(sponsored), authorization }, requirement, undefined)
    expect(sent.extensions).toBeUndefined()
    expect(sent.payload).toHaveProperty('authorization')
  })
})
