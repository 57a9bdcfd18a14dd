import { expect, test } from 'vitest'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entry } from '../../support/scans/captured.ts'

/** What a site says of its listing in the directory. */

const wishOf = (home: Entry) =>
  analyze(captured({ 'https://shop.example/': home }, { depth: 'basic' }), defaultNow).analysis.listing
const page = (head: string) => `<title>Small Shop</title>${head}<h1>Small Shop</h1>`

test('a site that says nothing is listed under its name', () => {
  expect(wishOf(page(''))).toEqual({ kind: 'welcome', businessName: 'Small Shop' })
})

test.each([
  ['our name in a meta element', { body: page('<meta name="tollgate" content="noindex">') }],
  ['our name in capitals', { body: page('<META NAME="Tollgate" CONTENT="nofollow, NOINDEX">') }],
  ['all robots', { body: page('<meta name="robots" content="noindex">') }],
  ['none of all', { body: page('<meta name="robots" content="none">') }],
  ['our name in a header', { headers: { 'x-robots-tag': 'tollgate: noindex' }, body: page('') }],
  [
    'our name after another',
    { headers: { 'x-robots-tag': ['otherbot: nofollow', 'tollgate: noindex'] }, body: page('') },
  ],
  [
    'two names in one line',
    { headers: { 'x-robots-tag': 'otherbot: nofollow, tollgate: noindex' }, body: page('') },
  ],
  ['all robots in a header', { headers: { 'x-robots-tag': 'noindex' }, body: page('') }],
])('a site that asks not to be indexed, by %s, is not listed', (_how, home) => {
  expect(wishOf(home)).toEqual({ kind: 'unwanted' })
})

test.each([
  ['another crawler in a meta element', { body: page('<meta name="otherbot" content="noindex">') }],
  ['another crawler in a header', { headers: { 'x-robots-tag': 'otherbot: noindex' }, body: page('') }],
  ['something else of us', { body: page('<meta name="tollgate" content="nofollow">') }],
])('a site that asks %s is listed', (_how, home) => {
  expect(wishOf(home)).toMatchObject({ kind: 'welcome' })
})

test.each([
  ['an error', { status: 503, body: page('') }],
  ['no HTML', { headers: { 'content-type': 'application/pdf' }, body: '%PDF' }],
])('a home page that is %s says nothing of a listing', (_what, home) => {
  expect(wishOf(home)).toEqual({ kind: 'unread' })
})

test('a home page that redirects to another site is not listed, so nobody takes the name of that site', () => {
  const home = { finalUrl: 'https://other.example/', body: page('') }
  expect(wishOf(home)).toEqual({ kind: 'unwanted' })
})

test('a home page that redirects within its site is listed', () => {
  const home = { finalUrl: 'https://www.shop.example/en/', body: page('') }
  expect(wishOf(home)).toMatchObject({ kind: 'welcome' })
})
