import { describe, expect, test } from 'vitest'
import { site } from '../../../../support/scans/captured.ts'

const at = 'https://lind.example/'
const phones = (html: string) => site({ [at]: html }).home?.phones

describe('telephone numbers with signs that programs and keyboards put in', () => {
  test.each([
    ['<p>TEL 06−6345−2011</p>', '06-6345-2011'],
    ['<footer>〒060−0001 06ー6345ー2011</footer>', '06-6345-2011'],
    ['<footer>大阪市 06−6345−2011 FAX 06−6345−2012</footer>', '06-6345-2011'],
    ['<p>Telefon 05141 – 90 18 20</p>', '05141-90 18 20'],
    ['<footer>05141 – 901820</footer>', '05141-901820'],
    ['<p>Call 0113 – 249 – 6021</p>', '0113-249-6021'],
    ['<p>Call 0113‒249‒6021</p>', '0113-249-6021'],
    ['<footer>512–478–2210</footer>', '512-478-2210'],
    ['<p>Call (512) 478—2210</p>', '(512) 478-2210'],
    ['<footer>0 (216) 345 20 11</footer>', '0 (216) 345 20 11'],
    ['<footer>Calle Lind 12, 46001 Nord 963 51 20 11</footer>', '963 51 20 11'],
    ['<footer>96 351 20 11 Lunes</footer>', '96 351 20 11'],
  ])('%s', (html, number) => {
    expect(phones(html)).toEqual([number])
  })
})

test.each(['Faks: 0 (216) 345 20 12', '963 51 20 11 (fax)', 'GDC 512 – 478 – 2210'])(
  'the number of a fax or of a register is none: %s',
  (text) => {
    expect(phones(`<footer>${text}</footer>`)).toEqual([])
  },
)

test('a number before that of a fax is one', () => {
  expect(phones('<footer>0113 496 0123 Fax 0113 496 0124</footer>')).toEqual(['0113 496 0123'])
})

describe('what a dash joins is no telephone number', () => {
  test.each([
    ['years', 'Call 1998–2024, 2019 – 2024'],
    ['prices', 'Tel 100–200–300 €, 080 – 120 €, 1000 – 2000 €'],
    ['hours', 'Call 0900 – 1700, 08–12 14–18 13–17, 08.00 – 12.00, 0900 – 1700 1800'],
    ['dates', '01–02–2025, 01–02–2025 03–04–2025'],
    ['a register', 'SIREN 963 512 011, CIF 963 51 20 11'],
    ['a longer row', '12 963 51 20 11 12 14'],
  ])('%s', (_, text) => {
    expect(phones(`<footer>${text}</footer>`)).toEqual([])
  })

  test('and a fax with such signs is none', () => {
    expect(phones('<footer>FAX 06−6345−2012</footer>')).toEqual([])
  })
})

test('a link that dials words in place of a number to come has no number', () => {
  expect(phones('<a href="tel:06-電話番号準備中">06-電話番号準備中</a>')).toEqual([])
})
