import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Supported } from '../../../src/doors/x402/facilitators/http.ts'
import { readSupported, uptoAccountOf } from '../../../src/doors/x402/facilitators/supported.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

const network = networks['base-sepolia']
const one = getAddress(`0x${'a1'.repeat(20)}`)
const two = getAddress(`0x${'b2'.repeat(20)}`)
const exact = { x402Version: 2, scheme: 'exact', network: network.caip2 }
const upto = { x402Version: 2, scheme: 'upto', network: network.caip2 }

/** A facilitator that settles from these accounts and names the first of them. */
function settlingFrom(accounts: readonly [...(typeof one)[]], pattern = 'eip155:*'): Supported {
  const [facilitatorAddress] = accounts
  return { kinds: [exact, { ...upto, extra: { facilitatorAddress } }], signers: { [pattern]: [...accounts] } }
}

describe('the account of a remote facilitator that settles upto', () => {
  test('is the one that the facilitator names for our network', () => {
    expect(uptoAccountOf(settlingFrom([one]), network, undefined)).toBe(one)
  })

  test.each(['eip155:*', network.caip2])(
    'stays the same while the list for %s has it, whichever is named next',
    (pattern) => {
      expect(uptoAccountOf(settlingFrom([two, one], pattern), network, one)).toBe(one)
    },
  )

  test('changes once the facilitator no longer has it', () => {
    expect(uptoAccountOf(settlingFrom([two]), network, one)).toBe(two)
  })

  test.each<[string, Supported['kinds']]>([
    ['settles exact only', [exact]],
    [
      'settles upto on another network',
      [exact, { ...upto, network: 'eip155:8453', extra: { facilitatorAddress: one } }],
    ],
    [
      'settles upto by another version',
      [exact, { ...upto, x402Version: 1, extra: { facilitatorAddress: one } }],
    ],
    ['does not say from which account', [exact, upto]],
  ])('is undefined when the facilitator %s', (_label, kinds) => {
    expect(uptoAccountOf({ kinds, signers: {} }, network, one)).toBeUndefined()
  })
})

describe('a remote facilitator', () => {
  const answering = (status: number, body: Supported) => ({ supported: async () => ({ status, body }) })

  test('that does not settle exact is not ready, whatever else it settles', async () => {
    const only = { kinds: [upto], signers: {} }
    await expect(readSupported(answering(200, only), network)).rejects.toThrow(
      'does not settle exact payments',
    )
  })

  test('that replies with an error is not ready, whatever its list says', async () => {
    await expect(readSupported(answering(500, settlingFrom([one])), network)).rejects.toThrow(
      'does not answer',
    )
  })
})
