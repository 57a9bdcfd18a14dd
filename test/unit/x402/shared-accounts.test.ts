import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { chooseGift } from '../../../src/doors/x402/accounts/balance.ts'
import { LeaseTerms } from '../../../src/doors/x402/accounts/lease-terms.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const open = () => new LeaseTerms(6_000, createLog('silent'))

test('an account is sent from until its term ends, counted from before the store was asked', () => {
  const terms = open()
  const record = terms.renew()
  vi.advanceTimersByTime(4_000)
  record(['0xa'])
  expect(terms.held()).toEqual(['0xa'])
  vi.advanceTimersByTime(1_999)
  expect(terms.termOf('0xa')).toBe(1)
  vi.advanceTimersByTime(1)
  expect(terms.termOf('0xa')).toBeUndefined()
})

test('a reply that comes after the end of the term gives no right to send', () => {
  const terms = open()
  const record = terms.renew()
  vi.advanceTimersByTime(6_000)
  record(['0xa'])
  expect(terms.held()).toEqual([])
})

test('a term that is renewed in time goes on, and one that has lapsed is another one', () => {
  const terms = open()
  terms.renew()(['0xa'])
  vi.advanceTimersByTime(5_000)
  terms.renew()(['0xa'])
  expect(terms.termOf('0xa')).toBe(1)
  vi.advanceTimersByTime(6_000)
  terms.renew()(['0xa'])
  expect(terms.termOf('0xa')).toBe(2)
})

test('a machine that was suspended sends nothing, although its steady clock stood still', () => {
  const terms = open()
  terms.renew()(['0xa'])
  vi.setSystemTime(Date.now() + 6_000)
  expect(terms.termOf('0xa')).toBeUndefined()
})

test('an account that the store gave to another gateway is left at once', () => {
  const terms = open()
  terms.renew()(['0xa', '0xb'])
  terms.renew()(['0xb'])
  expect(terms.held()).toEqual(['0xb'])
})

test.each([
  [
    'the last registered of its idle accounts to a gateway that has none',
    3,
    ['0xa', '0xb'],
    ['0xa', '0xb', '0xc'],
    '0xb',
  ],
  ['nothing to a gateway that holds only one fewer', 1, ['0xa'], ['0xa'], undefined],
  ['nothing while its accounts are busy', 3, [], ['0xa', '0xb', '0xc'], undefined],
  ['nothing to a gateway without the keys', 3, ['0xa', '0xb', '0xc'], ['0xd'], undefined],
])('a gateway gives %s', (_what, held, idle, keys, expected) => {
  const accounts = ['0xa', '0xb', '0xc'].map((address) => ({ address, owner: 'rich' }))
  const gift = chooseGift({ accounts, others: [{ gateway: 'poor', accounts: keys }] }, held, idle)
  expect(gift?.address).toBe(expected)
})
