import { getAddress, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import { matchPayment } from '../../../src/doors/x402/wire/match.ts'
import { paymentId, requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import type { Accepted, Authorization } from '../../../src/doors/x402/wire/types.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

const network = networks['base-sepolia']
const payTo = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const other = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
const operation: PricedOperation = {
  description: 'Priced.',
  price: '0.10',
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
const requirement = requirementFor(operation, { network, payTo })
const now = 1_700_000_000
const neededSeconds = 90
/** Twice what the 402 asks for, and ten minutes. */
const longest = 1_200

const authorization: Authorization = {
  from: other,
  to: payTo,
  value: 100_000n,
  validAfter: BigInt(now - 600),
  validBefore: BigInt(now + 300),
  nonce: `0x${'ab'.repeat(32)}`,
}
const v1: Accepted & { version: 1 } = { version: 1, scheme: 'exact', network: 'base-sepolia' }
const v2: Accepted & { version: 2 } = { version: 2, ...requirement }

/** The reason for which a payment with this change is refused; undefined when it matches. */
function reason(change: Partial<Authorization>, accepted: Accepted = v2): string | undefined {
  const payment = {
    version: accepted.version,
    accepted,
    authorization: { ...authorization, ...change },
    signature: '0x00',
    identifier: undefined,
  } as const
  return matchPayment(payment, requirement, network, now, neededSeconds)?.reason
}

test('the requirement has the catalog’s price in atomic units, and the domain that the payer has to sign', () => {
  expect(requirement).toEqual({
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '100000',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
  })
})

test.each([v1, v2])('a payment as requested matches, in envelope %#', (accepted) => {
  expect(reason({}, accepted)).toBeUndefined()
})

describe('an exact authorization matches its requirement', () => {
  const early = 'invalid_exact_evm_payload_authorization_valid_after'
  const late = 'invalid_exact_evm_payload_authorization_valid_before'
  const amount = 'invalid_exact_evm_payload_authorization_value_mismatch'
  const largest = 2n ** 256n - 1n

  test.each<[string, Partial<Authorization>, string | undefined]>([
    [
      'with validAfter a second ago, because the token needs a later second',
      { validAfter: BigInt(now - 1) },
      undefined,
    ],
    ['not with validAfter now', { validAfter: BigInt(now) }, early],
    ['not with validAfter in a second', { validAfter: BigInt(now + 1) }, early],
    ['not with the largest validAfter', { validAfter: largest }, early],
    ['with validAfter zero', { validAfter: 0n }, undefined],
    [
      'with validBefore a second after the call’s longest duration',
      { validBefore: BigInt(now + neededSeconds + 1) },
      undefined,
    ],
    ['not with validBefore right at its end', { validBefore: BigInt(now + neededSeconds) }, late],
    ['not with validBefore a second short of it', { validBefore: BigInt(now + neededSeconds - 1) }, late],
    ['not when it has expired', { validBefore: BigInt(now) }, late],
    ['not with validBefore zero', { validBefore: 0n }, late],
    [
      'with validBefore at twice maxTimeoutSeconds and ten minutes, which leaves room for margins and fast clocks',
      { validBefore: BigInt(now + longest) },
      undefined,
    ],
    ['not with validBefore a second later', { validBefore: BigInt(now + longest + 1) }, late],
    ['not with the largest validBefore', { validBefore: largest }, late],
    ['not over a unit less', { value: 99_999n }, amount],
    ['not over a unit more', { value: 100_001n }, amount],
    ['not over nothing', { value: 0n }, amount],
    ['not over the largest amount', { value: largest }, amount],
    ['not to another payee', { to: other }, 'invalid_exact_evm_payload_recipient_mismatch'],
  ])('%s', (_boundary, change, refused) => {
    expect(reason(change)).toBe(refused)
    expect(reason(change, v1)).toBe(refused)
  })
})

describe('the accepted part of a payment is compared', () => {
  test.each<[string, Accepted, string | undefined]>([
    ['v1: another scheme', { ...v1, scheme: 'upto' }, 'unsupported_scheme'],
    ['v1: the other network', { ...v1, network: 'base' }, 'invalid_network'],
    ['v1: the network by its v2 name', { ...v1, network: 'eip155:84532' }, 'invalid_network'],
    ['v2: another scheme', { ...v2, scheme: 'upto' }, 'unsupported_scheme'],
    ['v2: the other network', { ...v2, network: 'eip155:8453' }, 'invalid_network'],
    ['v2: the network by its v1 name', { ...v2, network: 'base-sepolia' }, 'invalid_network'],
    ['v2: another asset', { ...v2, asset: other }, 'invalid_payment_requirements'],
    ['v2: another recipient', { ...v2, payTo: other }, 'invalid_exact_evm_payload_recipient_mismatch'],
    ['v2: a lower price', { ...v2, amount: '1' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [
      'v2: the same price in other digits',
      { ...v2, amount: '0100000' },
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    ['v2: a longer validity', { ...v2, maxTimeoutSeconds: 301 }, 'invalid_payment_requirements'],
    [
      'v2: another domain name',
      { ...v2, extra: { name: 'USD Coin', version: '2' } },
      'invalid_payment_requirements',
    ],
    [
      'v2: another domain version',
      { ...v2, extra: { name: 'USDC', version: '1' } },
      'invalid_payment_requirements',
    ],
    ['v2: no domain', { ...v2, extra: {} }, 'invalid_payment_requirements'],
    [
      'v2: addresses in another case are the same',
      { ...v2, asset: v2.asset.toLowerCase(), payTo: payTo.toLowerCase() },
      undefined,
    ],
    ['v2: an unknown extra field is ignored', { ...v2, extra: { ...v2.extra, wallet: 'x' } }, undefined],
  ])('%s', (_label, accepted, refused) => {
    expect(reason({}, accepted)).toBe(refused)
  })
})

describe('the identity of a payment', () => {
  const asset = network.usdc.address
  const nonce: Hex = `0x${'ab'.repeat(32)}`
  const id = paymentId(84532, asset, other, nonce)
  const lower = (text: Hex): Hex => `0x${text.slice(2).toLowerCase()}`
  const upper = (text: Hex): Hex => `0x${text.slice(2).toUpperCase()}`

  test('does not depend on the case of addresses and nonce', () => {
    expect(paymentId(84532, lower(asset), lower(other), lower(nonce))).toBe(id)
    expect(paymentId(84532, upper(asset), upper(other), upper(nonce))).toBe(id)
  })

  test('differs by chain, asset, payer and nonce', () => {
    const ids = [
      id,
      paymentId(8453, asset, other, nonce),
      paymentId(84532, payTo, other, nonce),
      paymentId(84532, asset, payTo, nonce),
      paymentId(84532, asset, other, `0x${'ac'.repeat(32)}`),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})
