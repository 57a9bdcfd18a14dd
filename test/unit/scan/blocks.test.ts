import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import { openingHoursIn } from '../../../src/products/scan/report/blocks/opening-hours.ts'
import { pastedSite } from '../../../src/products/scan/report/blocks/pasted-site.ts'
import { postalAddressIn } from '../../../src/products/scan/report/blocks/postal-address.ts'
import { provenBlocks } from '../../../src/products/scan/report/blocks/proven-blocks.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { readRobots } from '../../../src/products/scan/site/files/robots.ts'
import { nodesOf } from '../../../src/products/scan/site/html/json-ld.ts'
import { readPage } from '../../../src/products/scan/site/page.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'
import { type Entries, reply, site } from '../../support/scans/captured.ts'

const agents = agentsOf('full').map(({ agent }) => agent)
const at = (path: string) => `https://smile.example${path}`

function practice(
  change: { readonly head?: string; readonly footer?: string; readonly more?: Entries } = {},
): Site {
  const footer =
    change.footer ??
    '14 Harbour Street, Northhaven NH4 2QT. Phone <a href="tel:+441632960142">01632 960142</a>, <a href="mailto:desk@smile.example">desk@smile.example</a>. Open Monday to Friday, 8:30 to 18:00.'
  return site({
    [at('/')]: `<html lang="en"><head><title>Family dentist in Northhaven | Smile Dental</title>
      <meta name="description" content="Smile Dental is a dental practice in Northhaven with same-day visits and published fees.">
      <meta property="og:site_name" content="Smile Dental">${change.head ?? ''}</head><body>
      <header><img src="/logo.svg" alt="Smile Dental"><a href="/prices">Fees</a></header>
      <main><h1>A family dentist</h1><p>Smile Dental mends teeth.</p><img src="/front.jpg" alt="The house"></main>
      <footer>${footer} <a href="https://www.facebook.com/smiledental">Facebook</a>
      <a href="https://www.instagram.com/smiledental">Instagram</a></footer></body></html>`,
    [at('/prices')]:
      `<html lang="en"><head><title>Fees</title><meta name="description" content="All fees."></head><body><main><h1>Fees</h1><table>
      <tr><td>Check-up</td><td>£62.00</td></tr><tr><td>Filling</td><td>£95 to £160</td></tr><tr><td>Whitening</td><td>$300</td></tr></table></main></body></html>`,
    [at('/robots.txt')]: 'User-agent: *\nAllow: /',
    [at('/llms.txt')]: { status: 404 },
    ...change.more,
  })
}

function blocksOf(one: Site) {
  return provenBlocks(one, readSignals(one), agents)
}

function blockOf(one: Site, settled: string) {
  const found = blocksOf(one).find(({ settles }) => settles.includes(settled))
  if (found === undefined) throw new Error(`no block settles ${settled}`)
  return found
}

function businessOf(text: string) {
  const page = readPage(reply(at('/'), text))
  expect(page.jsonLd.errors).toEqual([])
  return nodesOf(page, 'Organization')[0]
}

describe('the block that describes the business', () => {
  test('it holds what the site says of itself, in the words of the site', () => {
    const { block } = blockOf(practice(), 'structured-data/organization')
    expect(businessOf(block.text)).toMatchObject({
      types: ['Dentist'],
      properties: {
        name: 'Smile Dental',
        url: at('/'),
        logo: at('/logo.svg'),
        image: at('/front.jpg'),
        telephone: '+441632960142',
        email: 'desk@smile.example',
        address: { streetAddress: '14 Harbour Street', addressLocality: 'Northhaven', postalCode: 'NH4 2QT' },
        openingHours: ['Mo-Fr 08:30-18:00'],
        sameAs: ['https://www.facebook.com/smiledental', 'https://www.instagram.com/smiledental'],
      },
    })
    expect(block.missing).toEqual([])
  })

  test('it repeats exact prices only, and no dollars of an unknown country', () => {
    const { block } = blockOf(practice(), 'structured-data/organization')
    expect(businessOf(block.text)?.properties.makesOffer).toEqual([
      { '@type': 'Offer', name: 'Check-up', price: '62.00', priceCurrency: 'GBP' },
    ])
  })

  test('a fact that the site does not state is left out and named', () => {
    const { block } = blockOf(
      practice({ footer: '14 Harbour Street. Phone 01632 960142.' }),
      'core-snapshot/jsonld-any',
    )
    const properties = businessOf(block.text)?.properties ?? {}
    expect(Object.keys(properties)).not.toContain('email')
    expect(Object.keys(properties)).not.toContain('openingHours')
    expect(properties.address).toEqual({ '@type': 'PostalAddress', streetAddress: '14 Harbour Street' })
    expect(block.missing).toEqual([
      'your e-mail address (email)',
      'the town and postal code (addressLocality, postalCode)',
      'your opening hours (openingHours)',
    ])
  })

  test('what the site’s own markup says stays', () => {
    const own =
      '{"@context":"https://schema.org","@type":"Dentist","@id":"#x","name":"Smile Dental Ltd","openingHours":"Mo 10:00-11:00","founder":{"@type":"Person","name":"Ann"}}'
    const { block } = blockOf(
      practice({ head: `<script type="application/ld+json">${own}</script>` }),
      'structured-data/organization',
    )
    expect(businessOf(block.text)?.properties).toMatchObject({
      '@id': '#x',
      name: 'Smile Dental Ltd',
      openingHours: 'Mo 10:00-11:00',
      founder: { '@type': 'Person', name: 'Ann' },
    })
    expect(block.where).toContain('in place of')
  })

  test('a closing tag in a text of the site does not end the block', () => {
    const head =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Smile Dental","description":"<\\/script><b>x"}</script>'
    const { block } = blockOf(practice({ head }), 'structured-data/organization')
    expect(block.text.match(/<\/script>/g)).toHaveLength(1)
    expect(businessOf(block.text)?.properties.description).toBe('</script><b>x')
  })

  test('a site without a name gets no such block', () => {
    const nameless = site({ [at('/')]: '<html><body><main><p>words</p></main></body></html>' })
    expect(blocksOf(nameless).flatMap(({ settles }) => settles)).not.toContain('structured-data/organization')
  })
})

describe('robots.txt', () => {
  const closed = `# ours
User-agent: *
Disallow: /admin
Content-Signal: search=yes

User-agent: GPTBot
User-agent: PerplexityBot
Disallow: /

User-agent: ChatGPT-User
Disallow: /

Sitemap: https://smile.example/sitemap.xml
`
  const { block } = blockOf(practice({ more: { [at('/robots.txt')]: closed } }), 'crawl-access/user-tier')
  const robots = readRobots(reply(at('/robots.txt'), block.text), 'https://smile.example')

  test('search bots and assistants get in', () => {
    for (const bot of ['PerplexityBot', 'ChatGPT-User', 'OAI-SearchBot'])
      expect(robots.isAllowed(bot, at('/prices'))).toBe(true)
  })

  test('every other rule stays, also for those that are let in', () => {
    expect(robots.isAllowed('GPTBot', at('/'))).toBe(false)
    for (const bot of ['ChatGPT-User', 'PerplexityBot', 'SomeBot'])
      expect(robots.isAllowed(bot, at('/admin/x'))).toBe(false)
    expect(robots.sitemaps).toEqual([at('/sitemap.xml')])
    expect(block.text).toContain('# ours\nUser-agent: *\nDisallow: /admin\nContent-Signal: search=yes')
  })

  test('no bot is named in two groups', () => {
    const named = robots.groups.flatMap(({ agents: names }) => names)
    expect(new Set(named).size).toBe(named.length)
  })

  test('a web page in its place is replaced by the least that is valid', () => {
    const page = { body: '<!doctype html><html></html>', headers: { 'content-type': 'text/html' } }
    const broken = blockOf(practice({ more: { [at('/robots.txt')]: page } }), 'crawl-access/robots-file')
    expect(broken.block.text).toBe('User-agent: *\nAllow: /\n')
  })
})

describe('llms.txt', () => {
  test('a faulty file keeps what it has and gets what it lacks', () => {
    const own = 'Welcome, robots.\n\n## Offers\n\nnone'
    const { block } = blockOf(practice({ more: { [at('/llms.txt')]: own } }), 'agent-files/llms-structure')
    expect(block.text).toBe(`# Smile Dental

> Smile Dental is a dental practice in Northhaven with same-day visits and published fees.

Welcome, robots.

## Offers

none

## Pages

- [Family dentist in Northhaven | Smile Dental](https://smile.example/): Smile Dental is a dental practice in Northhaven with same-day visits and published fees.
- [Fees](https://smile.example/prices): All fees.
`)
  })
})

test('the lines for the head and the headers are those that the page lacks', () => {
  const head = blockOf(
    practice({ head: '<meta name="viewport" content="width=device-width">' }),
    'crawl-access/canonical',
  ).block.text
  expect(head).toContain('<link rel="canonical" href="https://smile.example/">')
  expect(head).not.toContain('viewport')
  const sent = {
    [at('/')]: { body: '<title>Smile</title><h1>Smile</h1>', headers: { 'referrer-policy': 'no-referrer' } },
  }
  const headers = blockOf(site(sent), 'security-safety/headers').block.text
  expect(headers.split('\n')).toContain('X-Content-Type-Options: nosniff')
  expect(headers).not.toContain('Referrer-Policy')
})

test('a block that would make a check worse is not offered', () => {
  // Without a sentence on the site, the guide would have no summary, and the check of its structure would fail.
  const guide = { body: '<!doctype html><html></html>', headers: { 'content-type': 'text/html' } }
  const silent = site({
    [at('/')]: '<html><title>Smile</title><body><h1>Smile</h1></body></html>',
    [at('/llms.txt')]: guide,
  })
  expect(blocksOf(silent).map(({ block }) => block.kind)).not.toContain('llms.txt')
  const speaking = practice({ more: { [at('/llms.txt')]: guide } })
  expect(blocksOf(speaking).map(({ block }) => block.kind)).toContain('llms.txt')
})

test('trying a block leaves the site as it was', () => {
  const before = practice()
  const after = pastedSite(before, { headers: { 'x-robots-tag': 'noindex' } })
  expect(after.home?.reply.headers['x-robots-tag']).toEqual(['noindex'])
  expect(before.home?.reply.headers['x-robots-tag']).toBeUndefined()
})

test.each([
  ['We are open from Monday to Saturday, 8:00 to 18:00.', ['Mo-Sa 08:00-18:00']],
  ['Mo–Fr 8.00–12.30 Uhr, Sa 9–12 Uhr', ['Mo-Fr 08:00-12:30', 'Sa 09:00-12:00']],
  ['Lundi - Vendredi : 9h00 - 17h30', ['Mo-Fr 09:00-17:30']],
  ['Mon-Fri 9am - 5pm', ['Mo-Fr 09:00-17:00']],
  ['Mon-Fri 9 - 5pm', undefined],
  ['Open Monday. We have 8 to 10 rooms.', undefined],
  ['Fr 18:00 to 8:00', undefined],
])('opening hours of "%s"', (text, hours) => {
  expect(openingHoursIn(text)).toEqual(hours)
})

test.each([
  [
    'Harbour Dental, 14 Harbour Street, Northhaven NH4 2QT. Phone',
    { streetAddress: '14 Harbour Street', addressLocality: 'Northhaven', postalCode: 'NH4 2QT' },
  ],
  [
    '500 Main Street, Austin, TX 78701',
    { streetAddress: '500 Main Street', addressLocality: 'Austin', postalCode: '78701' },
  ],
  [
    'Mühlenweg 5, 10115 Berlin. Tel',
    { streetAddress: 'Mühlenweg 5', addressLocality: 'Berlin', postalCode: '10115' },
  ],
  ['Visit 12 Mill Lane today', { streetAddress: '12 Mill Lane' }],
  ['Postfach 12', undefined],
])('the address in "%s"', (text, address) => {
  expect(postalAddressIn(text)).toEqual(address)
})
