import { describe, expect, test } from 'vitest'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { samplePages } from '../../../../src/products/scan/crawl/sample-pages.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { pagesOfKind, unreadOfKind } from '../../../../src/products/scan/site/linked-pages.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

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
    const one = read('<h1>Society</h1><a href="mailto:a@site.example">Write</a>')
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
