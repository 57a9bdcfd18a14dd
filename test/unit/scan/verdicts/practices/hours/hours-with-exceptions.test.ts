import { describe, expect, test } from 'vitest'
import { openingHoursIn } from '../../../../../../src/products/scan/signals/contact/opening-hours.ts'

/** Hours that do not hold on each of the days named beside them: a patient would stand before a closed door. */

describe('opening hours are not read in part', () => {
  test.each([
    ['half a day is closed', 'Mo.-Fr. 8.00-12.00 u. 14.00-18.00, Mi. nachm. frei'],
    ['half a day is closed', 'Hafta içi 09:00-19:00, Çarşamba öğleden sonra kapalı'],
    ['half a day is closed', 'Lunes a viernes 9:00-14:00, 16:00-20:00. Viernes tarde cerrado.'],
    ['half a day is closed', 'maandag - vrijdag 8:00-17:00, woensdagmiddag gesloten'],
    ['half a day is closed', 'Mon-Fri 9am-5pm, closed Wednesday afternoons'],
    ['a day is left out', 'Mo–Fr 8–18 Uhr, außer Mittwoch'],
    ['a day is left out', 'poniedziałek - piątek 9:00-17:00 oprócz środy'],
    ['a day is left out', 'lundi au vendredi 9h-19h sauf mercredi après-midi'],
    ['a day ends earlier', 'Mo–Fr 8–18 Uhr, mittwochs nur bis 13 Uhr'],
    ['a day ends earlier', 'Mon-Fri 9am-5pm. We close at 1pm on Wednesdays.'],
    ['they hold every second time', 'pon. - pt. 9:00-17:00, co druga sobota 9:00-13:00'],
    ['they hold every second time', 'pon - pet 8-16; subota 8-14 (neparne subote)'],
    ['they hold every second time', 'pon - pt 9:00-18:00, Sobota: 9:00 - 14:00 (co druga)'],
    ['they hold once a month', 'Mo-Fr 8-18, jeden 1. Samstag 9–12'],
    ['they hold once a month', 'Mon-Fri 9am-5pm, Saturday 9am - 12pm (first Saturday of the month)'],
    ['one has to have an appointment', 'Weekends 10am-2pm by appointment only'],
    ['the second span stands behind a break', 'Mo-Fr 8-12 Mittagspause 12-13 13-17'],
  ])('where %s: "%s"', (_, text) => {
    expect(openingHoursIn(text)).toBe('partly')
  })
})

test.each([
  'Parking: Mon-Sat 8am-8pm',
  'Reception phones: Mon-Fri 8am-6pm',
  'Our implant course: Mon 9-17',
  'Implantatkurs Mo 12-14',
  '2019 11/ 8 Friday 11:00 - 17:00',
])('the hours of something else are none of the business: "%s"', (text) => {
  expect(openingHoursIn(text)).toBeUndefined()
})

test.each([
  ['Central Park, Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
  ['Mo–Fr 8–18 Uhr, Samstag geschlossen', ['Mo-Fr 08:00-18:00']],
  ['Mo-Fr 8-12 und 14-18 Uhr und nach Vereinbarung', ['Mo-Fr 08:00-12:00', 'Mo-Fr 14:00-18:00']],
  ['Mon-Fri 9am - 5pm. Closed at weekends.', ['Mo-Fr 09:00-17:00']],
])('hours without an exception are read: "%s"', (text, expected) => {
  expect(openingHoursIn(text)).toEqual(expected)
})

test.each([
  [
    'Nyitvatartás: H, Sze 8-14, K, Cs 14-20, P 8-12',
    ['Mo,We 08:00-14:00', 'Tu,Th 14:00-20:00', 'Fr 08:00-12:00'],
  ],
  ['Rendelés H, K, P 8-14', ['Mo,Tu,Fr 08:00-14:00']],
])('Hungarian days that share a time are all read: "%s"', (text, expected) => {
  expect(openingHoursIn(text)).toEqual(expected)
})
