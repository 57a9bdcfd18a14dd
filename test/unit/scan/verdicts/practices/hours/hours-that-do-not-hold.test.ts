import { describe, expect, test } from 'vitest'
import { openingHoursIn } from '../../../../../../src/products/scan/signals/contact/opening-hours.ts'

/** Lines of an attack: hours that were published, and sent customers to a closed door. */

describe('a day that is said to be closed is left out', () => {
  test.each([
    ['Montag-Freitag 9:00-18:00, Mittwoch geschlossen', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Montag-Freitag 9:00-18:00. Mittwoch Ruhetag.', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Mo-Fr 9-18 Uhr. Mittwochs bleibt die Praxis geschlossen.', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Monday-Friday 9:00-18:00. Closed Wednesday.', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Monday-Friday 9:00-18:00. We are closed on Wednesdays.', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Monday-Friday 9:00-18:00. Closed: Thursday', ['Mo-We,Fr 09:00-18:00']],
    ['Monday - Friday (Wednesday closed) 9:00-17:00', ['Mo-Tu,Th-Fr 09:00-17:00']],
    ['Monday - Sunday 9:00-18:00 Sunday closed', ['Mo-Sa 09:00-18:00']],
    ['Lundi-vendredi 9h-18h, fermé le mercredi', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Lunes a viernes 9:00-18:00, miércoles cerrado', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Lunedì-venerdì 9:00-19:00, giovedì chiuso', ['Mo-We,Fr 09:00-19:00']],
    ['Segunda a sexta 8h às 18h. Quarta-feira fechado', ['Mo-Tu,Th-Fr 08:00-18:00']],
    ['Pazartesi - Cuma 09:00-18:00, Çarşamba kapalı', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Пн-Пт 9:00-18:00, Ср выходной', ['Mo-Tu,Th-Fr 09:00-18:00']],
    ['Mo-Sa 9-18 Uhr, Mi und Do geschlossen', ['Mo-Tu,Fr-Sa 09:00-18:00']],
    [
      'Mo-Fr 8:00-12:00, Mo-Fr 14:00-18:00, Mi geschlossen',
      ['Mo-Tu,Th-Fr 08:00-12:00', 'Mo-Tu,Th-Fr 14:00-18:00'],
    ],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('where it is not plain, the owner is asked', () => {
  test.each([
    ['Mo-Fr 8-18 Uhr. Am Mittwoch schließen wir um 13 Uhr.'],
    ['Mon-Fri 8:00-18:00, every Wednesday afternoon we are closed'],
    ['Montag-Freitag 8:00-18:00 (Mittwoch nur vormittags)'],
    ['Closed Monday 9:00-17:00'],
    ['Mo-Fr 9-18 Uhr. Jeden ersten Mittwoch im Monat geschlossen.'],
    ['Mon-Fri 9:00-17:00. Closed Wednesday in August'],
    ['Mo-Fr 9:00-18:00, Mi 9:00-12:00, Mi geschlossen'],
    ['Mo-Fr 9:00-18:00 Filiale Bonn Mo-Do 9:00-18:00, Fr geschlossen'],
    ['Monday to Friday 9am-5pm, except the first Monday of the month'],
    ['Mon-Fri 9:00-17:00 (not Wednesday)'],
  ])('%s', (text) => {
    expect(openingHoursIn(text)).toBe('partly')
  })
})

describe('a closed day beside the hours changes nothing', () => {
  test.each([
    ['Mo-Fr 9-18 Uhr, Sa/So geschlossen', ['Mo-Fr 09:00-18:00']],
    ['Mo-Fr 9-18 Uhr, Sa, So und Feiertage geschlossen', ['Mo-Fr 09:00-18:00']],
    ['Tuesday to Sunday 9:00-17:00. Closed Monday.', ['Tu-Su 09:00-17:00']],
    ['Monday - Saturday (Sunday closed) 9:00-17:00', ['Mo-Sa 09:00-17:00']],
    ['Sunday Closed Monday 9:00-17:00 Tuesday Closed', ['Mo 09:00-17:00']],
    ['Bank Holidays Closed Monday 9:00-17:00', ['Mo 09:00-17:00']],
    ['Mon-Fri 9am-5pm, closed Easter Monday', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9am-5pm. We are closed on Friday 3rd May.', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9am-5pm. Closed Monday 25 December.', ['Mo-Fr 09:00-17:00']],
    ['lundi au vendredi 9h-19h. Fermé le lundi de Pâques', ['Mo-Fr 09:00-19:00']],
    // "We" is no Wednesday.
    ['Mon-Fri 9:00-17:00. We are closed Sunday', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9:00-17:00. We are open 10:00 AM to 9:00 PM', ['Mo-Fr 09:00-17:00']],
    // "So" is no Sunday, and "qui" no Thursday.
    ['Mon-Sun 9:00-17:00. So we are closed on holidays. Das ist nicht so schlimm.', ['Mo-Su 09:00-17:00']],
    ['Mon-Sun 9:00-17:00. On holidays we are closed so please call', ['Mo-Su 09:00-17:00']],
    ['Lun-ven 9h-18h. Le cabinet, qui est fermé en août', ['Mo-Fr 09:00-18:00']],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('hours of some weeks, and on request, are not those of each week', () => {
  test.each([
    ['Mon-Fri 8:00-18:00 Sat 9:00-13:00 (once a month)'],
    ['Mon-Fri 8:00-18:00, one Saturday per month: Sat 9:00-13:00'],
    ['Mon-Fri 8:00-18:00, Saturday 9-13 (1st and 3rd)'],
    ['Mon-Fri 8:00-18:00 Sat 9:00-13:00 by arrangement'],
    ['Mon-Fri 8:00-18:00 Sat 9:00-13:00 on request'],
    ['Mon-Fri 8:00-18:00 Sat 9:00-13:00 (emergencies only)'],
    ['Emergencies only: Sat 9-13'],
    ['Mo-Fr 8-18, Sa 9-13 auf Anfrage'],
    ['Mo-Fr 8:00-18:00, Sa 9:00-13:00 nach telefonischer Vereinbarung'],
    ['Mo-Fr 8:00-18:00, Sa 9:00-13:00 (jeden 1. im Monat)'],
    ['Mo-Fr 8:00-18:00, jeden 1. Samstag im Monat 9:00-13:00'],
    ['Mo-Fr 8:00-18:00, Sa (nur gerade Wochen) 9:00-13:00'],
    ['Mo-Fr 8:00-18:00, Sa 9:00-13:00 nur Privatpatienten'],
    ['Maandag t/m vrijdag 8:00-17:00, om de week zaterdag 9:00-12:00'],
    ['Segunda a sexta das 8h às 18h, sábado das 8h às 12h (quinzenal)'],
    ['Lundi au vendredi 9h00-12h30 14h00-19h00, samedi un sur deux 9h-12h'],
    ['Pazartesi - Cuma 09:00-18:00, Cumartesi 09:00-13:00 (ayda bir)'],
    ['Пн-Пт 9:00-18:00, Сб 10:00-14:00 (первая суббота месяца)'],
    ['Каждая вторая суббота 9:00-12:00'],
    ['Sat 9:00-12:00 twice a month'],
    ['Samstag 9:00-12:00 zweimal im Monat'],
    ['Samstag 9:00-12:00 alle 14 Tage'],
    ['Alle 14 Tage Samstag 9:00-12:00'],
    ['Jeden zweiten und vierten Samstag 9:00-12:00'],
    ['Am letzten Samstag des Monats: Samstag 9:00-12:00'],
    ['Le premier samedi du mois : samedi 9h00-12h00'],
    ['Primo sabato del mese: sabato 9:00-12:00'],
    ['Second and fourth Saturday 9:00-12:00'],
    ['Every fourth Saturday 9:00-12:00'],
    ['Some Saturdays 9:00-12:00'],
  ])('%s', (text) => {
    expect(openingHoursIn(text)).toBe('partly')
  })
})

describe('hours of a season or of one date are not those of each week', () => {
  test.each([
    ['Summer hours (July and August): Mon–Fri 8–14'],
    ['Mon-Fri 8-18. Summer hours: Mon–Fri 8–14'],
    ['Sommer (Mai-Sept): Mo-Fr 8:00-20:00; Winter: Mo-Fr 8:00-17:00'],
    ['Sommeröffnungszeiten: Mo-Fr 8-12 Uhr'],
    ['Lunes a jueves 9:30-13:30. Julio: lunes a viernes 8:00-15:00'],
    ['Orario estivo: lunedì-venerdì 9:00-13:00'],
    ['In den Ferien: Mo-Fr 9:00-12:00'],
    ['During school holidays Monday to Friday 9:00-12:00'],
    ['From 1 December: Monday to Friday 9:00-12:00'],
    ['Until 31 December 2025: Monday to Friday 9:00-12:00'],
    ['Vom 24.12. bis 31.12.: Mo-Fr 9:00-12:00'],
    ['Ab 1.1.2027: Mo-Fr 9:00-12:00'],
    ['Neue Öffnungszeiten ab Januar: Mo-Fr 9:00-12:00'],
    ['Mon-Fri 9:00-17:00 from 1 June'],
    ['Mo-Fr 9:00-12:00 (im Sommer)'],
    ['Open Monday 13 - 17 May'],
    ['Monday 12-14 June workshop'],
  ])('%s', (text) => {
    expect(openingHoursIn(text)).toBe('partly')
  })

  test('a date beside the hours of each week is passed over', () => {
    expect(openingHoursIn('Open Monday 13 - 17 May. Mon-Fri 9am-5pm')).toEqual(['Mo-Fr 09:00-17:00'])
  })
})

describe('hours of something else are not opening hours', () => {
  test.each([
    ['Live chat: Monday to Friday 9:00-17:00'],
    ['Our lines are open Monday to Friday 9:00-17:00'],
    ['Call us Monday to Friday 9:00-17:00'],
    ['Telephone: Monday to Friday 9:00-17:00'],
    ['Phone lines open Monday to Friday 9:00-17:00'],
    ['Hotline Mo-Fr 8:00-12:00'],
    ['Hotline: Mo-Do 8:00-12:00, Fr 8:00-11:00'],
    ['Anrufbeantworter: Mo-Fr 8:00-12:00'],
    ['Visiting hours Monday to Sunday 14:00-18:00'],
    ['Besuchszeiten: Mo-So 14:00-18:00'],
    ['Blutabnahme Mo-Fr 7:30-9:00'],
    ['Blood tests Monday to Friday 8:00-10:00'],
    ['Webinar: Tuesday 18:00-19:00'],
    ['The course runs Monday to Wednesday 10:00-16:00'],
    ['The pharmacy next door is open Monday to Saturday 8:00-20:00'],
    ['Emergency dentist on call: Monday to Sunday 18:00-22:00'],
    ['Kitchen open Tuesday to Sunday 12:00-14:00'],
    ['Lieferservice Mo-So 17:00-22:00'],
  ])('%s', (text) => {
    expect(openingHoursIn(text)).toBeUndefined()
  })

  test.each([
    ['Mon-Fri 8:00-18:00. Emergency line: Sat 9:00-13:00', ['Mo-Fr 08:00-18:00']],
    ['Hotline: Mo-Fr 8:00-12:00 Mo-Fr 9:00-18:00', ['Mo-Fr 09:00-18:00']],
    ['Call us: 0113 496 0123 Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
    ['Phone: 0113 496 0123 Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
    ['Live chat Contact Opening hours Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
    ['Emergency dentist in Leeds Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
  ])('those of the business beside them are read: "%s"', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('these hold in each week', () => {
  test.each([
    ['Dr. Winter Mo-Fr 8-12 Uhr', ['Mo-Fr 08:00-12:00']],
    ['In Real Estate: Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9am-5pm Summer courses', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9am-5pm First consultation free', ['Mo-Fr 09:00-17:00']],
    ['Mo-Fr 8-18 Uhr Termine nach Vereinbarung', ['Mo-Fr 08:00-18:00']],
    ['Blog 12 December 2025 Opening hours Mon-Fri 9am-5pm', ['Mo-Fr 09:00-17:00']],
    ['Mon-Fri 9:00-17:00, Saturdays 9:00-13:00', ['Mo-Fr 09:00-17:00', 'Sa 09:00-13:00']],
    ['Montags 8-12 Uhr, Sonntags geschlossen', ['Mo 08:00-12:00']],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

test.each([
  'Mo ',
  'Mo closed ',
  'closed Mo ',
  'Mo-Fr 9:00-18:00. Th closed. ',
  'call us Mo 9:00-12:00 ',
  'ferien',
])('50 KB of "%s" are read in time', (unit) => {
  const text = unit.repeat(Math.ceil(50_000 / unit.length))
  const { user } = process.cpuUsage()
  openingHoursIn(text)
  expect(process.cpuUsage().user - user).toBeLessThan(1_000_000)
})
