import { expect, test } from 'vitest'
import {
  absolute,
  depthOf,
  isSameSite,
  pathOf,
  registrableDomain,
  shown,
} from '../../../../src/products/scan/site/addresses.ts'
import { headerOf, isHtml, mediaTypeOf } from '../../../../src/products/scan/site/files/headers.ts'
import { reply } from '../../../support/scans/captured.ts'

test.each([
  [' ../c?d#e ', 'https://a.example/c?d'],
  ['#top', 'https://a.example/b/'],
  ['HTTP://B.example', 'http://b.example/'],
  ['ftp://b.example/', undefined],
  ['data:text/html,x', undefined],
  ['https://', undefined],
  [`/${'a'.repeat(2_048)}`, undefined],
])('the link %j leads to %j', (href, expected) =>
  expect(absolute(href, 'https://a.example/b/')).toBe(expected),
)

test.each([
  ['https://www.shop.example.co.uk/a', 'example.co.uk'],
  ['https://alice.github.io/', 'alice.github.io'],
  ['https://192.0.2.7/', '192.0.2.7'],
  ['http://localhost:80/', 'localhost'],
  ['www.site.example', 'site.example'],
  ['https://site.example./', 'site.example'],
])('the registrable domain of %s is %s', (url, domain) => expect(registrableDomain(url)).toBe(domain))

test('two sites on one hosting service are two sites, and text that is no address has none', () => {
  expect(isSameSite('https://a.site.example', 'https://site.example')).toBe(true)
  expect(isSameSite('https://a.github.io', 'https://b.github.io')).toBe(false)
  expect(isSameSite('', '')).toBe(false)
})

test('path and depth ignore the query, a slash at the end and empty segments', () => {
  expect([pathOf('https://a.example/b/c/?d'), pathOf('no')]).toEqual(['/b/c/', '/'])
  expect(['https://a.example', 'https://a.example/b//c/?d'].map(depthOf)).toEqual([0, 2])
})

test.each([
  [' a \n\t b ', 'a b'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\u200bb\u00adc', 'a\\u{200b}b\\u{ad}c'],
  ['\u{e0041}x', '\\u{e0041}x'],
  ['\u0000\u001b[2J', '\\u{0}\\u{1b}[2J'],
  ['\ufeffa\u3164', '\\u{feff}a\\u{3164}'],
  ['x\ud800y', 'x\\u{d800}y'],
  ['Füße 東京 🚲', 'Füße 東京 🚲'],
])('%j is shown as %j', (text, expected) => expect(shown(text)).toBe(expected))

test('quoted text is cut at its limit between characters and ends with an ellipsis', () => {
  expect(shown('a'.repeat(120))).toBe('a'.repeat(120))
  expect(shown('a'.repeat(121))).toBe(`${'a'.repeat(119)}…`)
  expect(shown('abc 🚲🚲', 7)).toBe('abc 🚲…')
  expect(shown('\u200b'.repeat(99), 200).length).toBeLessThanOrEqual(200)
})

test('a repeated header is one list, and a header name that is an inherited property is missing', () => {
  const seen = reply('https://a.example/', {
    headers: { 'Content-Type': 'Text/HTML; charset=x', vary: ['Accept', 'Origin'] },
  })
  expect([headerOf(seen, 'vary'), headerOf(seen, 'constructor'), mediaTypeOf(seen)]).toEqual([
    'Accept, Origin',
    '',
    'text/html',
  ])
  expect([isHtml(seen), isHtml(reply('https://a.example/robots.txt', '<html>'))]).toEqual([true, false])
})
