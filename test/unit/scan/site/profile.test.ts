import { expect, test } from 'vitest'
import type { Profile } from '../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'

const home = 'https://site.example/'
const jsonLd = (type: string, more = '') =>
  `<script type="application/ld+json">{"@type":"${type}"${more}}</script>`
const kinds = (profile: Profile) => Object.entries(profile).flatMap(([kind, has]) => (has ? [kind] : []))

test.each<[string, Entries, string[]]>([
  [
    'a plain business',
    { [home]: `<nav><a href="/about">About</a><a href="/contact">Contact</a></nav>${jsonLd('Dentist')}` },
    [],
  ],
  ['no home page', { [home]: { status: 403 } }, []],
  ['a link to an API reference', { [home]: '<a href="/docs/api/v1">Docs</a>' }, ['api']],
  ['a developer host', { [home]: '<a href="https://developers.site.example/">Build</a>' }, ['api']],
  ["another site's API", { [home]: '<a href="https://api.other.example/">API</a>' }, []],
  ['a link to an OpenAPI document', { [home]: '<a href="/api/openapi.json">Description</a>' }, []],
  ['a Link header', { [home]: { body: 'x', headers: { link: '</openapi.json>; rel="service-desc"' } } }, []],
  [
    'an OpenAPI document',
    {
      [home]: 'x',
      'https://site.example/openapi.json': { purpose: 'well-known', body: '{"openapi": "3.1.0"}' },
    },
    [],
  ],
  [
    'an OpenAPI document in YAML',
    {
      [home]: 'x',
      'https://site.example/openapi.yaml': {
        purpose: 'well-known',
        body: "openapi: '3.0.3'",
        headers: { 'content-type': 'text/yaml' },
      },
    },
    [],
  ],
  [
    'a page in place of an OpenAPI document',
    {
      [home]: 'x',
      'https://site.example/openapi.json': {
        purpose: 'well-known',
        body: '<p>{"openapi": "3.1.0"}',
        headers: { 'content-type': 'text/html' },
      },
    },
    [],
  ],
  ['a log-in link alone: clubs have members', { [home]: '<a href="/login">Log in</a>' }, []],
  ['a log-in and a sign-up', { [home]: '<a href="/login">Log in</a><a href="/signup">Sign up</a>' }, ['app']],
  [
    'software that a consultant shows on a page of his own',
    { [home]: 'x', 'https://site.example/a': jsonLd('SoftwareApplication') },
    [],
  ],
  [
    'the documentation of a library, with its API',
    { [home]: '<p>Install it: $ pip install httpx</p><a href="/api/">Developer Interface</a>' },
    [],
  ],
  [
    'a library for an API on the web',
    {
      [home]: '<pre>npm install acme</pre><a href="/docs/api/v1">Docs</a><a href="/keys">Get an API key</a>',
    },
    ['api'],
  ],
  ['an app host', { [home]: '<a href="https://app.site.example/">Go</a>' }, ['app']],
  [
    'a password field on another page, and an invitation to start',
    { [home]: '<a href="/start">Get started</a>', 'https://site.example/a': '<input type="password">' },
    ['app'],
  ],
  [
    'software markup',
    { [home]: jsonLd('SoftwareApplication', ',"offers":{"@type":"Offer","price":1}') },
    ['app'],
  ],
  [
    'a cart, whose log-in is not an app',
    { [home]: '<a href="/cart">Cart</a><a href="/login">Log in</a>' },
    ['shop'],
  ],
  ['product markup', { [home]: 'x', 'https://site.example/p': jsonLd('Product') }, ['shop']],
  ['a cart of enquiries', { [home]: '<p>Your enquiry cart is empty!</p>' }, []],
  ['an empty cart', { [home]: '<p>Your cart is empty!</p>' }, ['shop']],
  ['a form that fills the cart', { [home]: '<form action="/cart/add"></form>' }, ['shop']],
  ['a blog link', { [home]: '<a href="/en/blog/first">Read</a>' }, ['content']],
  [
    'a word that begins like one',
    { [home]: '<a href="/newsletter">Read</a><a href="/apiary">Bees</a><a href="/appointments">Book</a>' },
    [],
  ],
  ['article markup', { [home]: 'x', 'https://site.example/a': jsonLd('NewsArticle') }, ['content']],
  [
    'a dated article by Open Graph',
    { [home]: '<meta property="og:type" content="article"><time datetime="2026-01-02">2 January</time>' },
    ['content'],
  ],
  [
    'a page that its template calls an article',
    { [home]: '<meta property="og:type" content="article">' },
    [],
  ],
  [
    'a feed with an item',
    { [home]: 'x', 'https://site.example/f': { purpose: 'feed', body: '<rss><item></item></rss>' } },
    ['content'],
  ],
  [
    'a feed without items',
    { [home]: 'x', 'https://site.example/f': { purpose: 'feed', body: '<rss></rss>' } },
    [],
  ],
])('%s', (_, entries, expected) => expect(kinds(site(entries).profile)).toEqual(expected))
