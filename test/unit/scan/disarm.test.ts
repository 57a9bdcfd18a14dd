import { expect, test } from 'vitest'
import { disarm } from '../../../src/products/scan/report/disarm.ts'

test.each([
  ['click https://evil.com/login now', 'click https[://]evil[.]com/login now'],
  ['write to boss@evil.co.uk.', 'write to boss@evil[.]co[.]uk.'],
  ['WWW.Evil.Com', 'WWW[.]Evil[.]Com'],
  ['see https://evil.md/x', 'see https[://]evil[.]md/x'],
  ['a/evil.md, /about.md', 'a/evil[.]md, /about[.]md'],
  ['evil.github.io', 'evil[.]github[.]io'],
  ['http://203.0.113.7/x, 203.0.113.7', 'http[://]203[.]0[.]113[.]7/x, 203[.]0[.]113[.]7'],
  ['http://2130706433/ and HTTPS://[::1]/', 'http[://]2130706433/ and HTTPS[://][::1]/'],
  ['evil\u3002com evil\uff0ecom evil\uff61com', 'evil[.]com evil[.]com evil[.]com'],
  ['\uff45\uff56\uff49\uff4c\uff0e\uff43\uff4f\uff4d', '\uff45\uff56\uff49\uff4c[.]\uff43\uff4f\uff4d'],
  ['evil.\ufe0fcom', 'evil[.]\ufe0fcom'],
  ['xn--80ak6aa92e.com and \u0430pple.com', 'xn--80ak6aa92e[.]com and \u0430pple[.]com'],
])('disarm breaks every address: %s', (text, expected) => {
  expect(disarm(text)).toBe(expected)
})

test.each([
  'robots.txt, llms.txt and sitemap.xml',
  'grade 5.3: 1.459 words, 3.6 each',
  'a schema.org node. And another.',
])('disarm keeps files and numbers: %s', (text) => {
  expect(disarm(text)).toBe(text)
})

test('disarm makes one line of a text, and shows its hidden characters', () => {
  expect(disarm('one\n\nAll results:\u2028 two \u202egnp.exe')).toBe('one All results: two \\u{202e}gnp.exe')
})
