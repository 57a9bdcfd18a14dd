import { describe, expect, test } from 'vitest'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { streetsIn } from '../../../../../src/products/scan/agents/entity-trust/street-address.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { samplePages } from '../../../../../src/products/scan/crawl/sample-pages.ts'
import type { Outcome } from '../../../../../src/products/scan/findings/check.ts'
import { businessBlock } from '../../../../../src/products/scan/report/blocks/business-block.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { openingHoursIn } from '../../../../../src/products/scan/report/blocks/facts/opening-hours.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { pagesOfKind, unreadOfKind } from '../../../../../src/products/scan/site/linked-pages.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that a reader of sixteen more public sites, in fourteen languages, found to be false. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)
const fixOf = (outcome: Outcome) => ('fix' in outcome ? outcome.fix : '')

describe('one page at several addresses', () => {
  const copies = { hasCopies: true }
  const list = '<title>Parts</title><h1>Parts</h1><p>The list is filled by a script.</p>'

  test('answers of equal bytes are one page, at the address without a query', () => {
    const read = site(
      {
        [`${at}/`]: '<h1>Tractors</h1>',
        [`${at}/parts.html?make=a`]: list,
        [`${at}/parts.html`]: list,
        [`${at}/parts.html?make=b`]: list,
      },
      copies,
    )
    expect(read.pages.map(({ url }) => url)).toEqual([`${at}/`, `${at}/parts.html`])
  })

  test('the page keeps the address that it names as its own', () => {
    const page = `<link rel="canonical" href="/club"><h1>Club</h1>`
    const read = site(
      { [`${at}/`]: '<h1>Tennis</h1>', [`${at}/club.html`]: page, [`${at}/club`]: page },
      copies,
    )
    expect(read.pages.map(({ url }) => url)).toEqual([`${at}/`, `${at}/club`])
  })

  test('a link to its other address leads to a page that was read', () => {
    const page = '<h1>Write to us</h1>'
    const read = site(
      {
        [`${at}/`]: '<a href="/w2.html">Contact</a><a href="/w.html">Home</a>',
        [`${at}/w.html`]: page,
        [`${at}/w2.html`]: page,
      },
      copies,
    )
    expect(unreadOfKind(read, 'contact')).toBeUndefined()
    expect(pagesOfKind(read, 'contact').map(({ url }) => url)).toEqual([`${at}/w.html`])
  })

  test('takes no places of the sample from other pages', () => {
    const paths = [
      '/a.html',
      '/a',
      '/parts.html',
      '/parts.html?make=a',
      '/parts.html?make=b',
      '/parts.html?make=c',
      '/z.html',
    ]
    const sources = {
      home: `${at}/`,
      links: paths.map((path) => ({ url: `${at}${path}`, isNavigation: false })),
      sitemapUrls: [],
      isAllowed: () => true,
    }
    expect(samplePages(sources, [], 4).rest).toEqual(
      ['/a.html', '/parts.html', '/z.html', '/parts.html?make=a'].map((path) => `${at}${path}`),
    )
  })
})

describe('a site in a folder of a host', () => {
  const project = `${at}/society/`
  const read = (html: string, more: Entries = {}) =>
    site({ [project]: { body: html, purpose: 'home' }, [`${at}/sitemap.xml`]: { status: 404 }, ...more })

  test('a page beside its home page is not deep', () => {
    const one = read('<h1>Society</h1>', { [`${project}about.html`]: '<h1>About</h1>' })
    expect(runCheck(structuredData, 'breadcrumbs', one).result).toBe('na')
    const deep = read('<h1>Society</h1>', { [`${project}talks/spring.html`]: '<h1>Spring</h1>' })
    expect(runCheck(structuredData, 'breadcrumbs', deep).result).toBe('fail')
  })

  test.each([
    [entityTrust, 'nap', project],
    [entityTrust, 'legal', project],
    [coreSnapshot, 'sitemap', `${project}sitemap.xml`],
  ])('the fix of %o %s leads into the folder', (agent, check, address) => {
    const one = read('<h1>Society</h1><h2>Our services</h2><a href="mailto:a@site.example">Write</a>')
    expect(fixOf(runCheck(agent, check, one))).toContain(address)
  })

  test('what needs the root of the host says so', () => {
    const one = read('<h1>Society</h1><p>We meet.</p>', {
      [`${at}/.well-known/security.txt`]: { status: 404 },
    })
    expect(fixOf(runCheck(entityTrust, 'accountability', one))).toContain('domain of your own')
    const root = site({
      [`${at}/`]: '<h1>Society</h1><p>We meet.</p>',
      [`${at}/.well-known/security.txt`]: { status: 404 },
    })
    expect(fixOf(runCheck(entityTrust, 'accountability', root))).not.toContain('domain of your own')
  })
})

describe('a block says of a business what the site says of it', () => {
  const factsOf = (html: string, more: Entries = {}) => {
    const read = site({ ...home(html), ...more })
    if (read.home === undefined) throw new Error('the site has no home page')
    return readFacts(read, read.home)
  }
  const link = (path: string, text = 'x') => `<a href="https://www.instagram.com/${path}">${text}</a>`

  test('the profiles of staff and of a photographer are not those of the firm', () => {
    const team = `<title>Lind Lab</title><main><h2>Team</h2>${link('anna_lind_1')}${link('berta_x')}</main>`
    const footer = `<footer>${link('lindlab')}<p>Photos by ${link('chels')}</p></footer>`
    expect(factsOf(`${team}${footer}`).profiles).toEqual(['https://www.instagram.com/lindlab'])
    expect(factsOf(`${team}<p>Foto door ${link('chels')}</p>`).profiles).toEqual([])
  })

  test('a single photo is no profile, and check and block take the same list', () => {
    const page = '<title>Lind</title><footer><a href="https://www.facebook.com/photo/?fbid=63">x</a></footer>'
    expect(factsOf(page).profiles).toEqual([])
    expect(runCheck(entityTrust, 'profiles', site(home(page))).result).toBe('na')
  })

  test.each(['Segunda à Sábado: 07:30 - 18:00', 'Maanantai to Sat 07:30 - 18:00'])(
    'the hours "%s" are not those of Saturday alone',
    (hours) => {
      expect(openingHoursIn(hours)).not.toEqual(['Sa 07:30-18:00'])
    },
  )

  test('hours of Portuguese and Turkish days are read', () => {
    expect(openingHoursIn('Segunda à Sábado: 07:30 - 18:00')).toEqual(['Mo-Sa 07:30-18:00'])
    expect(openingHoursIn('Pazartesi - Cuma: 09:00 - 18:00')).toEqual(['Mo-Fr 09:00-18:00'])
  })

  test('a house number keeps its letter, and the labelled code stands beside it', () => {
    const text =
      'Rua Sete de Agosto 51A, Centro Passo Fundo, RS, Brazil CEP: 99025-030 CNPJ: 20.098.767/0001-02'
    expect(postalAddressesIn(text)[0]?.address).toEqual({
      streetAddress: 'Rua Sete de Agosto 51A',
      postalCode: '99025-030',
    })
  })

  test('an address ends where the number of a register begins', () => {
    const page =
      '<h1>Lab</h1><address>Rua Sete 51A, Centro CNPJ: 20.098.767/0001-02 Razão Social: X</address>'
    expect(quotesOf(runCheck(entityTrust, 'nap', site(home(page))))).not.toContain('CNPJ')
  })

  test('a number that a link dials with "+0" is the one that the link shows', () => {
    const page = '<title>Club</title><footer><a href="tel:+013333703">013/33.37.03</a></footer>'
    expect(factsOf(page).telephone).toBe('013/33.37.03')
  })

  test('the number that is linked comes before one that is only written', () => {
    const page = '<title>Shop</title><footer><a href="tel:533654033">call</a> Tel. 781 863 794</footer>'
    expect(factsOf(page).telephone).toBe('533654033')
  })

  test.each([
    '<header><img src="/img/logo-placeholder.svg"></header>',
    '<div><a href="/gradle/"><img src="/gradle/_logo-gradle.svg"></a></div>',
    '<header><img class="logo" src="/img/profile1.jpg"></header>',
  ])('%s is not the logo', (html) => {
    expect(factsOf(`<title>Notes of Mo</title>${html}`).logo).toBeUndefined()
  })

  test.each([
    '<header><img src="/l.svg" class="logo"></header>',
    '<div><a href="/"><img src="/logo.svg"></a></div>',
    '<div><img src="/l.svg" alt="Lind logo"></div>',
  ])('%s is the logo', (html) => {
    expect(factsOf(`<title>Lind</title><h1>Lind</h1>${html}`).logo).toContain('l')
  })

  test('the hall of a conference gives it neither its number nor its street', () => {
    const page =
      '<title>第72回 日本航空医学会大会</title><footer>東京都港区芝一丁目5番1号 TEL 097-576-7555</footer>'
    expect(factsOf(page)).toMatchObject({ telephone: undefined, address: undefined })
  })

  test('a Japanese address has its whole number', () => {
    expect(streetsIn('大分県大分市金池南一丁目5番1号')[0]?.written).toBe('大分県大分市金池南一丁目5番1号')
  })

  test('a site that offers nothing and names no owner is described as a site', () => {
    const read = site(home(`<title>Notes of Mo</title><h1>Notes of Mo</h1><p>${words(80)}</p>`))
    if (read.home === undefined) throw new Error('the site has no home page')
    const draft = businessBlock(read, read.home, readFacts(read, read.home))
    expect(draft?.block.text).not.toContain('Organization')
    expect(draft?.block.missing.join()).not.toMatch(/telephone|street/)
  })
})
