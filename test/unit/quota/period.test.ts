import { expect, test } from 'vitest'
import {
  isForgotten,
  keptSeconds,
  oldestKept,
  type Per,
  periodEnd,
  periodOf,
} from '../../../src/doors/quota/counters/period.ts'

test.each<[Per, string, string, string]>([
  ['day', '2026-11-21T00:00:00.000Z', '2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['day', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['day', '2026-12-31T12:00:00.000Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['day', '2028-02-28T12:00:00.000Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
  ['month', '2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['month', '2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
])('the %s of %s is %s and ends at %s', (per, at, period, end) => {
  expect(periodOf(per, Date.parse(at))).toBe(period)
  expect(new Date(periodEnd(per, Date.parse(at))).toISOString()).toBe(end)
})

test('the end of a period is the start of the next one', () => {
  const end = periodEnd('month', Date.UTC(2026, 1, 3))
  expect([periodOf('month', end - 1), periodOf('month', end)]).toEqual(['2026-02', '2026-03'])
})

test.each([
  // A day is deleted three days after its end, to the millisecond.
  ['2026-11-17', '2026-11-20T23:59:59.999Z', false],
  ['2026-11-17', '2026-11-21T00:00:00.000Z', true],
  // A month is deleted thirteen months after its end; the last day of a long month counts as its month.
  ['2025-09', '2026-10-31T23:59:59.999Z', false],
  ['2025-09', '2026-11-01T00:00:00.000Z', true],
  ['2025-12', '2027-01-31T23:59:59.999Z', false],
  ['2025-12', '2027-02-01T00:00:00.000Z', true],
])('a counter of %s at %s is old: %s', (period, at, forgotten) => {
  expect(isForgotten(period, oldestKept(Date.parse(at)))).toBe(forgotten)
})

test('a counter with an expiry, used when its period begins, stays as long as one that is deleted by age', () => {
  const days = (period: string, begin: string, forgottenAt: string) =>
    Date.parse(begin) + keptSeconds(period) * 1_000 - Date.parse(forgottenAt)
  expect(days('2026-11-17', '2026-11-17', '2026-11-21')).toBe(0)
  expect(days('2025-09', '2025-09-01', '2026-11-01')).toBeGreaterThanOrEqual(0)
})
