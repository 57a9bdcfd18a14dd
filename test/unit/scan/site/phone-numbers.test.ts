import { expect, test } from 'vitest'
import { site } from '../../../support/scans/captured.ts'

const at = 'https://site.example/'

const phones = (html: string) => site({ [at]: html }).home?.phones

test.each([
  ['<a href="tel:+12175550142">Call</a>', '+12175550142'],
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

test('a hundred thousand digits give at most 100 telephone numbers', () => {
  expect(
    phones(`<footer>${'0113 496 0123 '.repeat(10_000)}${'0'.repeat(100_000)}</footer>`)?.length,
  ).toBeLessThan(101)
})
