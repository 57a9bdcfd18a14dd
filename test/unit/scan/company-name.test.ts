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
])('%s names the business by %s', (html) => {
  expect(nameOf(`${wellKnown}${html}`)).toBe('Bright Smile Dental')
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
