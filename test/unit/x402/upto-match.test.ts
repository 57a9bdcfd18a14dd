import type { PaymentPayload } from '@x402/core/types'
import { getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { matchPayment } from '../../../src/doors/x402/wire/match.ts'
import { type Offer, requirementFor, requirementsFor } from '../../../src/doors/x402/wire/requirements.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import {
  network,
  offer,
  operation,
  readable,
  settling,
  signBoth,
  withChange,
} from '../../support/chain/upto.ts'

const otherAddress = getAddress(devPayers[5].address)
const asset = network.usdc.address
const neededSeconds = 120
let approved: PaymentPayload
let sponsored: PaymentPayload
beforeAll(async () => {
  const signed = await signBoth()
  approved = signed.approved
  sponsored = signed.sponsored
})

/** The reason for which this payload is refused; undefined when it matches. */
function reason(payload: PaymentPayload, asked: Offer = offer, now = Math.floor(Date.now() / 1000)) {
  const payment = readable(payload)
  const scheme = payment.accepted.scheme
  return matchPayment(payment, requirementFor(operation, asked, scheme), network, now, neededSeconds)?.reason
}

describe('an upto payment matches its requirement', () => {
  test('as the public client signs it, with a permit or without', () => {
    expect(reason(approved)).toBeUndefined()
    expect(reason(sponsored)).toBeUndefined()
  })

  const late = 10_000_000_000
  test.each<[string, string, unknown, string | undefined]>([
    [
      'not to another payee',
      'payload.permit2Authorization.witness.to',
      otherAddress,
      'invalid_permit2_recipient_mismatch',
    ],
    [
      'not over a unit less',
      'payload.permit2Authorization.permitted.amount',
      '49999',
      'permit2_amount_mismatch',
    ],
    [
      'not over a unit more',
      'payload.permit2Authorization.permitted.amount',
      '50001',
      'permit2_amount_mismatch',
    ],
    [
      'not for another facilitator',
      'payload.permit2Authorization.witness.facilitator',
      otherAddress,
      'upto_facilitator_mismatch',
    ],
    [
      'not before it is valid',
      'payload.permit2Authorization.witness.validAfter',
      `${late}`,
      'permit2_not_yet_valid',
    ],
    ['not after its deadline', 'payload.permit2Authorization.deadline', '1', 'permit2_deadline_expired'],
    ['with addresses in another case', 'accepted.payTo', devPayTo.address.toLowerCase(), undefined],
    [
      'not with another accepted recipient',
      'accepted.payTo',
      otherAddress,
      'invalid_permit2_recipient_mismatch',
    ],
    ['not with another accepted amount', 'accepted.amount', '1', 'permit2_amount_mismatch'],
    ['not with another accepted network', 'accepted.network', 'eip155:8453', 'invalid_network'],
    ['not with another accepted validity', 'accepted.maxTimeoutSeconds', 301, 'invalid_payment_requirements'],
    ['not with another accepted domain', 'accepted.extra.name', 'USD Coin', 'invalid_payment_requirements'],
    [
      'not with another accepted method',
      'accepted.extra.assetTransferMethod',
      'eip3009',
      'invalid_payment_requirements',
    ],
    [
      'not with the method left out',
      'accepted.extra.assetTransferMethod',
      undefined,
      'invalid_payment_requirements',
    ],
    [
      'not with the facilitator left out',
      'accepted.extra.facilitatorAddress',
      undefined,
      'upto_facilitator_mismatch',
    ],
    ['not as exact', 'accepted.scheme', 'exact', 'unsupported_payload_type'],
    ['not with an unknown scheme', 'accepted.scheme', 'batch-settlement', 'unsupported_scheme'],
  ])('%s', (_label, path, value, refused) => {
    const exactly = path === 'accepted.scheme' ? withExactAccepted(value) : withChange(approved, path, value)
    expect(reason(exactly)).toBe(refused)
  })

  /** The accepted part is right for `exact`, so that only the signed part differs. */
  function withExactAccepted(scheme: unknown): PaymentPayload {
    const { extra, ...exact } = requirementFor(operation, offer)
    return withChange({ ...approved, accepted: { ...exact, extra: { ...extra } } }, 'accepted.scheme', scheme)
  }

  test('to the second: from validAfter on, and while the longest duration of the call is left', () => {
    const { authorization } = readable(approved)
    const deadline = Number(authorization.validBefore)
    expect(reason(approved, offer, deadline - neededSeconds - 1)).toBeUndefined()
    expect(reason(approved, offer, deadline - neededSeconds)).toBe('permit2_deadline_expired')
    const validAfter = withChange(approved, 'payload.permit2Authorization.witness.validAfter', '1700000000')
    const later = withChange(validAfter, 'payload.permit2Authorization.deadline', '1700000300')
    expect(reason(later, offer, 1_700_000_000)).toBeUndefined()
    expect(reason(later, offer, 1_699_999_999)).toBe('permit2_not_yet_valid')
  })

  test('not for longer than twice maxTimeoutSeconds and ten minutes from now', () => {
    const deadline = Number(readable(approved).authorization.validBefore)
    expect(reason(approved, offer, deadline - 1_200)).toBeUndefined()
    expect(reason(approved, offer, deadline - 1_201)).toBe('invalid_payment_requirements')
  })

  test('not with a permit that ends before the call’s longest duration', () => {
    const short = withChange(sponsored, 'extensions.eip2612GasSponsoring.info.deadline', '1')
    expect(reason(short)).toBe('eip2612_deadline_expired')
  })

  test('not once another account of ours settles, so that an older 402 gets a new one', () => {
    expect(reason(approved, { ...offer, upto: () => otherAddress })).toBe('upto_facilitator_mismatch')
  })

  test('not while no account settles upto', () => {
    expect(reason(approved, { ...offer, upto: () => undefined })).toBe('unsupported_scheme')
    expect(reason(approved, { network, payTo: offer.payTo })).toBe('unsupported_scheme')
  })

  test('not for an operation with a fixed price', () => {
    const { meter: _, ...fixed } = operation
    const requirement = requirementFor({ ...fixed, settle: 'after' }, offer, 'upto')
    expect(requirement.scheme).toBe('exact')
    const now = Math.floor(Date.now() / 1000)
    expect(matchPayment(readable(approved), requirement, network, now, neededSeconds)?.reason).toBe(
      'unsupported_scheme',
    )
  })

  test('not as an EIP-3009 transfer', () => {
    const { facilitator: _, ...authorization } = readable(approved).authorization
    const payment = { ...readable(approved), authorization }
    const requirement = requirementFor(operation, offer, 'upto')
    const now = Math.floor(Date.now() / 1000)
    expect(matchPayment(payment, requirement, network, now, neededSeconds)?.reason).toBe(
      'unsupported_payload_type',
    )
  })
})

describe('the ways to pay for a metered call', () => {
  test('are upto first, for the account that settles now, then exact at the maximum', () => {
    expect(requirementsFor(operation, offer)).toEqual([
      {
        scheme: 'upto',
        network: 'eip155:84532',
        amount: '50000',
        asset,
        payTo: devPayTo.address,
        maxTimeoutSeconds: 300,
        extra: {
          name: 'USDC',
          version: '2',
          assetTransferMethod: 'permit2',
          facilitatorAddress: getAddress(settling),
        },
      },
      requirementFor(operation, offer),
    ])
    expect(requirementFor(operation, offer)).toMatchObject({ scheme: 'exact', amount: '50000' })
  })

  test('are exact alone while no account settles upto, and for a fixed price', () => {
    const { meter: _, ...fixed } = operation
    const schemes = (priced: PricedOperation, asked: Offer) =>
      requirementsFor(priced, asked).map(({ scheme }) => scheme)
    expect(schemes(operation, { ...offer, upto: () => undefined })).toEqual(['exact'])
    expect(schemes(operation, { network, payTo: offer.payTo })).toEqual(['exact'])
    expect(schemes(fixed, offer)).toEqual(['exact'])
  })
})
