import { expect, test } from 'vitest'
import { disarm } from '../../../src/products/scan/report/disarm.ts'

test.each([
  ['click https://evil.com/login now', 'click https://evil[.]com/login now'],
  ['write to boss@evil.co.uk.', 'write to boss@evil[.]co[.]uk.'],
  ['WWW.Evil.Com', 'WWW[.]Evil[.]Com'],
  ['see https://evil.md/x', 'see https://evil[.]md/x'],
  ['evil.github.io', 'evil[.]github[.]io'],
])('disarm breaks an address of another site: %s', (text, expected) => {
  expect(disarm(text, 'good.com')).toBe(expected)
})

test.each([
  'https://shop.good.com/about and info@good.com',
  'https://good.com/about.md, /index.html.md, llms.txt and sitemap.xml',
  'grade 5.3: 1.459 words, 3.6 each',
  'a schema.org node. And another.',
])('disarm keeps addresses of the scanned site, files and numbers: %s', (text) => {
  expect(disarm(text, 'good.com')).toBe(text)
})
