import { expect, test } from 'vitest'
import { isShell } from '../../../../src/products/scan/findings/scripted/shell.ts'
import { site } from '../../../support/scans/captured.ts'

const at = 'https://site.example/'
const script = '<script src="/main.js"></script>'
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')

test.each([
  ['no text and a script', true, `<div id="root"></div>${script}`],
  ['49 words and a script', true, `${words(49)}${script}`],
  ['50 words', false, `${words(50)}${script}`],
  ['no word, links and a script', true, `<a href="/a"></a>${script}`],
  ['no word and an inline script', true, '<div id="app"></div><script>start()</script>'],
  ['no word and markup for programs', false, '<script type="application/ld+json">{}</script>'],
  ['a link that only readers without scripts get', true, `<noscript><a href="/a">a</a></noscript>${script}`],
  ['no script that could write anything', false, '<div id="root"></div>'],
  ['a link', false, `<a href="/a">a</a>${script}`],
  ['a form', false, `<form></form>${script}`],
])('with %s it is %s that a page is a shell', (_title, expected, body) => {
  expect(isShell(site({ [at]: body }))).toBe(expected)
})

test('a site with one page of text is no shell', () => {
  expect(isShell(site({ [at]: script, [`${at}a`]: words(50) }))).toBe(false)
})

test('a site without pages is no shell', () => {
  expect(isShell(site({ [at]: { status: 503 } }))).toBe(false)
})
