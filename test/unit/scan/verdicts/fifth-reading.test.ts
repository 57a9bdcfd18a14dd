import { describe, expect, test } from 'vitest'
import { samplePages } from '../../../../src/products/scan/crawl/sample-pages.ts'
import { pagesOfKind, unreadOfKind } from '../../../../src/products/scan/site/linked-pages.ts'
import { site } from '../../../support/scans/captured.ts'

/** Verdicts that a reader of sixteen more public sites, in fourteen languages, found to be false. */

const at = 'https://site.example'

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
