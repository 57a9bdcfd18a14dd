import { expect, test } from 'vitest'
import { datesIn, dayOf, readDate } from '../../../../src/products/scan/site/dates.ts'

test.each([
  ['2026-11-17', '2026-11-17T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['2026-11-17T10:30:00Z', '2026-11-17T10:30:00.000Z'],
  ['2026-11-17T10:30:00.123+02:00', '2026-11-17T08:30:00.000Z'],
  ['2026-11-17T10:30', '2026-11-17T10:30:00.000Z'],
  ['Tue, 17 Nov 2026 10:30:00 GMT', '2026-11-17T10:30:00.000Z'],
  ['17 Nov 2026 10:30:00 -0500', '2026-11-17T15:30:00.000Z'],
  ['Tue, 17 Nov 2026 10:30 EST', '2026-11-17T15:30:00.000Z'],
])('%s is %s wherever it is read', (text, moment) => {
  expect(new Date(readDate(text) ?? 0).toISOString()).toBe(moment)
})

test.each([
  '',
  'yesterday',
  '2026',
  '2026-02-30',
  '2026-13-01',
  '1970-01-01',
  '99999-01-01',
  '11/12/2026',
  '31 Foo 2026',
])('what is no date is none: %s', (text) => {
  expect(readDate(text)).toBeUndefined()
})

test.each([
  ['Published on 5 March 2026 by', ['2026-03-05']],
  ['March 5th, 2026 and Sept. 6 2026', ['2026-03-05', '2026-09-06']],
  ['5. März 2026', ['2026-03-05']],
  ['le 1er août 2026', ['2026-08-01']],
  ['5 de diciembre de 2026', ['2026-12-05']],
  ['am 05.03.2026 um', ['2026-03-05']],
  ['2026-03-05', ['2026-03-05']],
  ['11/12/2026, version 1.2.2026.4, room 5 block 2026, 45 March 2026', []],
])('in "%s" stand the days %j', (text, days) => {
  expect(datesIn(text).map(dayOf)).toEqual(days)
})
