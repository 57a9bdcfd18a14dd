import { expect, test } from 'vitest'
import { companyName, listedName } from '../../../src/products/scan/signals/company-name.ts'
import { site } from '../../support/scans/captured.ts'

/** The name of the business in a scan's result: what the site says, and the domain only where it says none. */

const nameOf = (html: string) => companyName(site({ 'https://bsd-austin.example/': html }))
const wellKnown = '<title>Home</title><h1>We care for teeth</h1>'

test.each([
  [
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Bright Smile Dental"}</script>`,
    'its markup',
  ],
  [
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"Bright Smile Dental"}</script>`,
    'its markup of the website',
  ],
  ['<meta property="og:site_name" content="Bright Smile Dental">', 'og:site_name'],
  ['<meta name="application-name" content="Bright Smile Dental">', 'the name of the application'],
  ['<footer>© 2026 Bright Smile Dental. All rights reserved.</footer>', 'the copyright line'],
  ['<footer>Bright Smile Dental © Some rights reserved.</footer>', 'the words before the sign'],
  ['<footer>Bright Smile Dental © 2026</footer>', 'the words before the sign and the year'],
  ['<footer>Bright Smile Dental © Alguns direitos reservados.</footer>', 'the words before the phrase'],
])('%s names the business by %s', (html) => {
  expect(nameOf(`${wellKnown}${html}`)).toBe('Bright Smile Dental')
})

test.each([
  'Alguns direitos reservados.',
  'Todos os direitos reservados',
  'Certains droits réservés',
  'Tutti i diritti sono riservati.',
  'Wszelkie prawa zastrzeżone',
  'Все права защищены.',
  'Tüm hakları saklıdır.',
  'Toate drepturile rezervate',
])('"%s" behind a copyright sign is no name', (phrase) => {
  expect(nameOf(`${wellKnown}<footer>© 2026 ${phrase}</footer>`)).toBe('bsd-austin.example')
})

test('the maker before a copyright sign is no name', () => {
  expect(nameOf(`${wellKnown}<footer>Website by Nord Design © 2026</footer>`)).toBe('bsd-austin.example')
})

test.each([
  ['<title>Bright Smile Dental</title><h1>Teeth without fear</h1>', 'Bright Smile Dental'],
  ['<title>Home | Bright Smile Dental</title><h1>Teeth without fear</h1>', 'Bright Smile Dental'],
  ['<title>Welcome to Bright Smile Dental</title>', 'Bright Smile Dental'],
  [
    '<title>bright smile dental - teeth without fear</title><h1>bright smile dental</h1>',
    'bright smile dental',
  ],
  ['<title>acme: everything you need</title><header><img alt="acme logo"></header>', 'acme'],
])('the title of %s names the business', (html, name) => {
  expect(nameOf(html)).toBe(name)
})

test.each([
  ['<title>Home</title><h1>Home</h1>'],
  ['<title>Fine teeth for everyone</title><h1>Make a date today</h1>'],
  ['<title>404 Not Found</title><h1>404 Not Found</h1>'],
  ['<p>Nothing else.</p>'],
])('%s names no business, so its domain stands for it', (html) => {
  expect(nameOf(html)).toBe('bsd-austin.example')
})

test('the directory never takes a name from a copyright line', () => {
  const page = `${wellKnown}<footer>© 2026 Themes Ltd. All rights reserved.</footer>`
  expect(listedName(site({ 'https://bsd-austin.example/': page }))).toBe('bsd-austin.example')
  const named = `${page}<meta property="og:site_name" content="Bright Smile Dental">`
  expect(listedName(site({ 'https://bsd-austin.example/': named }))).toBe('Bright Smile Dental')
})

test.each([
  [
    'the town of its address',
    'lind.example',
    '<title>Zahnarzt Dr. Lind | Ulm – Ihre Praxis mit Herz</title><footer>© Zahnarzt Dr. Anna Lind, 89073 Ulm | Ulm</footer>',
    'Zahnarzt Dr. Lind',
  ],
  ['a word for the page', 'lindschool.example', '<title>Lind School Home</title>', 'Lind School'],
  [
    'a description around it',
    'lind.example',
    '<title>緑が丘の歯医者「酒井歯科医院」|駅徒歩7分の歯科医院</title>',
    '酒井歯科医院',
  ],
  [
    'the domain that a system filled in',
    'lindhomes.example',
    '<title>Anna Lind Homes</title><meta property="og:site_name" content="lindhomes"><h1>Welcome to Lind Homes</h1>',
    'Anna Lind Homes',
  ],
  [
    'a greeting with its exclamation mark',
    'fernwoodcafe.example',
    '<title>Fernwood Road Cafe ~ Official Site</title><h1>Welcome to the Fernwood Road Cafe!</h1>',
    'Fernwood Road Cafe',
  ],
  [
    'its first words alone',
    'ulmeyeclinic.example',
    '<title>Ulm Eye</title><h1>Ulm Eye Clinic</h1>',
    'Ulm Eye Clinic',
  ],
])('the name of a business is not %s', (_what, domain, html, name) => {
  expect(companyName(site({ [`https://${domain}/`]: html }))).toBe(name)
})

test('the year behind a copyright sign makes no town of the name', () => {
  const html = '<title>Lind Bakery – Bread</title><footer>© 2026 Lind Bakery</footer>'
  expect(nameOf(html)).toBe('Lind Bakery')
})
