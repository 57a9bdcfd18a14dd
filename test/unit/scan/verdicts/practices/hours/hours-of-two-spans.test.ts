import { describe, expect, test } from 'vitest'
import { openingHoursIn } from '../../../../../../src/products/scan/signals/contact/opening-hours.ts'

/** Hours that were published false or without a part. */

describe('the number of a house below the hours is no minute', () => {
  test.each([
    ['Lundi : 14h – 19h 30 avenue Lind, 69006 Nord', ['Mo 14:00-19:00']],
    ['Lundi : 9h–12h 12, rue Lind', ['Mo 09:00-12:00']],
    ['Lundi : 9h–12h 12 bis, rue Lind', ['Mo 09:00-12:00']],
    ['Lundi 9h à 12h et 14h à 19h 12 ans d’expérience', ['Mo 09:00-12:00', 'Mo 14:00-19:00']],
    ['Lundi 14h – 19h 04 99 42 10 11', ['Mo 14:00-19:00']],
    ['Lundi 14h – 19h 30 Nordplatz', 'partly'],
    [
      'Lundi 8 h 30 à 12 h 30 et 14h 30 à 19h 30 Mardi 9 h 30 – 12 h',
      ['Mo 08:30-12:30', 'Mo 14:30-19:30', 'Tu 09:30-12:00'],
    ],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('the afternoon is read, or asked for', () => {
  test.each([
    ['De lunes a viernes de 9:30 a 13:30 y de 16:00 a 20:00', ['Mo-Fr 09:30-13:30', 'Mo-Fr 16:00-20:00']],
    ['Lunes de las 9 a las 13 y de las 16 a las 20', ['Mo 09:00-13:00', 'Mo 16:00-20:00']],
    ['Du lundi au samedi de 8h30 à 12h30 et de 14h à 18h30', ['Mo-Sa 08:30-12:30', 'Mo-Sa 14:00-18:30']],
    ['Lunedì dalle 9 alle 13 e dalle 15 alle 19', ['Mo 09:00-13:00', 'Mo 15:00-19:00']],
    ['Dal lunedì al venerdì: 9:00 - 13:00', ['Mo-Fr 09:00-13:00']],
    ['Mo 8–12 u. 14–18 Uhr', ['Mo 08:00-12:00', 'Mo 14:00-18:00']],
    ['Di 8-12 Uhr sowie 14-16 Uhr', ['Tu 08:00-12:00', 'Tu 14:00-16:00']],
    ['Ma 9u30-12u30 en 13-17u', ['Mo 09:30-12:30', 'Mo 13:00-17:00']],
    ['Mo 8–12 Uhr, nachmittags 14–18 Uhr', 'partly'],
    ['Mo 8–12 Uhr, telefonisch 14–18 Uhr', ['Mo 08:00-12:00']],
    ['lundi 9h-12h, du mardi au vendredi 14h-18h', ['Mo 09:00-12:00', 'Tu-Fr 14:00-18:00']],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('days of a week by other words', () => {
  test.each([
    ['Mon-Fri 9am-5pm Sat 12 noon – 4pm', ['Mo-Fr 09:00-17:00', 'Sa 12:00-16:00']],
    ['Hafta içi 09:00–18:00, Cumartesi 09:00 - 14:00', ['Mo-Fr 09:00-18:00', 'Sa 09:00-14:00']],
    ['Werktags 8–18 Uhr, Sa 9–12 Uhr', 'partly'],
    ['pon – pt: 09.00-20.00, sobota: 09.00-14.00', ['Mo-Fr 09:00-20:00', 'Sa 09:00-14:00']],
    ['poniedziałek od 9:00 do 17:00', ['Mo 09:00-17:00']],
    ['Svaki radni dan: 9h-16h, Subota: 9h-13h', ['Mo-Fr 09:00-16:00', 'Sa 09:00-13:00']],
    ['Nyitvatartás: H-P 7-19', ['Mo-Fr 07:00-19:00']],
    // Short names prove no language.
    ['H-P 7-19', undefined],
    ['Sizes pt: 9-12, pet 10-14', undefined],
    ['Open Mon-Fri 9am-5pm PT', ['Mo-Fr 09:00-17:00']],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('the halves of a day are spans of it', () => {
  test.each([
    [
      'Monday to Thursday Morning: 8:30am - 12:50pm Afternoon: 2:00pm - 5:00pm Friday Morning: 8:30am - 12:50pm Afternoon: 2:00pm - 4:00pm Weekend Saturdays: By prior arrangement only Sundays: Closed',
      ['Mo-Th 08:30-12:50', 'Mo-Th 14:00-17:00', 'Fr 08:30-12:50', 'Fr 14:00-16:00'],
    ],
    ['Montag: Vormittag 8–12 Uhr, Nachmittag 14–18 Uhr', ['Mo 08:00-12:00', 'Mo 14:00-18:00']],
    ['Lundi Matin : 9h-12h Après-midi : 14h-18h', ['Mo 09:00-12:00', 'Mo 14:00-18:00']],
    ['Lunes a viernes Mañana: 9:30 - 13:30 Tarde: 16:00 - 20:00', ['Mo-Fr 09:30-13:30', 'Mo-Fr 16:00-20:00']],
    ['Segunda a sexta Manhã: 9:00 - 12:00 Tarde: 14:00 - 18:00', ['Mo-Fr 09:00-12:00', 'Mo-Fr 14:00-18:00']],
    ['Lunedì mattina: 9:00-13:00 pomeriggio: 15:00-19:00', ['Mo 09:00-13:00', 'Mo 15:00-19:00']],
    ['Friday Morning: 8:30am - 12:50pm Saturday: by appointment', ['Fr 08:30-12:50']],
    // A half that could not be read is not left out.
    ['Monday Morning: 8:30am - 12:50pm Tuesday Afternoon: from 2pm', 'partly'],
    ['Monday Morning: 8:30am - 12:50pm Afternoon: from 2pm', 'partly'],
    // Without am or pm nobody says that the afternoon is meant to be one of twelve hours.
    ['Monday Morning: 8:30 - 12:50 Afternoon: 2:00 - 5:00', 'partly'],
    // A course.
    ['Kids club: Saturday morning 9:00-12:00', 'partly'],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })

  test('a page of one day and one half a hundred thousand times is read in time', () => {
    const started = performance.now()
    openingHoursIn('Monday morning 9:00-12:00 afternoon '.repeat(10_000))
    openingHoursIn(`Monday ${'Monday and '.repeat(10_000)}`)
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})
