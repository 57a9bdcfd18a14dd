import { expect, test } from 'vitest'
import { formatUsdc, isUsdc, parseUsdc } from '../../../src/core/money.ts'

test.each([
  ['0.10', 100_000n],
  ['1', 1_000_000n],
  ['0.000001', 1n],
  ['999999999999.999999', 999_999_999_999_999_999n],
  ['0', 0n],
])('reads %s as %s atomic units', (text, atomic) => {
  expect(parseUsdc(text)).toBe(atomic)
})

test.each([
  '',
  '.5',
  '1.',
  '01',
  '-1',
  '+1',
  '1e3',
  '0x10',
  '0.0000001',
  '1,5',
  'NaN',
  ' 1',
  '1000000000000',
])('refuses %j as an amount', (text) => {
  expect(isUsdc(text)).toBe(false)
  expect(() => parseUsdc(text)).toThrow(RangeError)
})

test.each([
  [100_000n, '0.10'],
  [1n, '0.000001'],
  [1_500_000n, '1.50'],
  [0n, '0.00'],
  [-250_000n, '-0.25'],
  [123_456_789n, '123.456789'],
])('writes %s atomic units as %s', (atomic, text) => {
  expect(formatUsdc(atomic)).toBe(text)
})
