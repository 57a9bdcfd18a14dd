import { expect, test } from 'vitest'
import { isSamePhone } from '../../../../src/products/scan/site/contact/phone-rules.ts'
import { site } from '../../../support/scans/captured.ts'

const at = 'https://site.example/'

const phones = (html: string) => site({ [at]: html }).home?.phones

test.each([
  ['<a href="tel:+12175550142">Call</a>', '+12175550142'],
  ['<a href="tel:+1-217-555-0142;ext=12">Call</a>', '+1-217-555-0142'],
  ['Tél. 04 72 00 00 00', '04 72 00 00 00'],
  ['Tel: 030 / 90 18 20', '030 / 90 18 20'],
  ['Fon 030 901820', '030 901820'],
  ['Telefon: +49 (0)30 901820', '+49 (0)30 901820'],
  ['Téléphone : 04.72.00.00.00', '04.72.00.00.00'],
  ['Teléfono 912 345 678', '912 345 678'],
  ['Call us today on (217) 555-0142', '(217) 555-0142'],
  ['☎ 0113 496 0123', '0113 496 0123'],
  ['<address>0113 496 0123</address>', '0113 496 0123'],
  ['<footer>Mill & Sons 217-555-0142</footer>', '217-555-0142'],
  ['<address>(217)555-0142</address>', '(217)555-0142'],
  ['<header>07700900123</header>', '07700900123'],
  ['<div id="contact">+33 4 72 00 00 00</div>', '+33 4 72 00 00 00'],
])('the telephone number in %s is found', (html, number) => {
  expect(phones(html)).toEqual([number])
})

test.each([
  ['a number in running text', '<p>Model 0113 496 0123 is out.</p>'],
  ['a fax', '<footer>Fax: 0113 496 0124</footer>'],
  ['a Korean fax', '<footer>팩스 02-555-1235</footer>'],
  ['a Chinese fax', '<footer>传真：010-8500 1235</footer>'],
  ['a company register', '<footer>Company no. 0123 456 789</footer>'],
  ['a tax number', '<footer>VAT 0123 456 789, SIRET 012 345 678 00012, USt-IdNr. 0123456789</footer>'],
  ['a span of years', '<footer>© 2019-2026</footer>'],
  ['a date', '<footer>01.02.2026</footer>'],
  ['opening hours', '<footer>09.00 - 17.30 09.00 - 12.00</footer>'],
  ['a call to action with a year', '<p>Call 2026</p>'],
  ['an invisible number', '<footer><span hidden>0113 496 0123</span></footer>'],
])('%s is no telephone number', (_what, html) => {
  expect(phones(html)).toEqual([])
})

test.each([
  ['+49 (0)8161 123456', '08161 / 12 34 56'],
  ['+49 (08161) 123456', '08161-123456'],
  ['0049 8161 123456', '+498161123456'],
  ['8 (495) 755-83-21', '+7 495 7558321'],
  ['+82-2-555-8321', '02-555-8321'],
  ['+81 3 5550 8321', '０３-５５５０-８３２１'],
  ['+1 (217) 555-0142 ext. 12', '217.555.0142'],
  ['217-555-0142 x12', '+1 217 555 0142'],
  ['555-0142', '+1 217 555 0142'],
])('%s and %s are one number', (one, other) => {
  expect(isSamePhone(one, other)).toBe(true)
  expect(isSamePhone(other, one)).toBe(true)
})

test.each([
  ['02-555-8321', '031-555-8321'],
  ['08161 123456', '08161 123457'],
  ['112', '0112'],
  ['800-555-0142', '900-555-0142'],
])('%s and %s are two numbers', (one, other) => {
  expect(isSamePhone(one, other)).toBe(false)
})

test('a hundred thousand digits give at most 100 telephone numbers', () => {
  expect(
    phones(`<footer>${'0113 496 0123 '.repeat(10_000)}${'0'.repeat(100_000)}</footer>`)?.length,
  ).toBeLessThan(101)
})
