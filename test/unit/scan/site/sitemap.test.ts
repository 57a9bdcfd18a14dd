import { describe, expect, test } from 'vitest'
import { readSitemapAddresses } from '../../../../src/products/scan/crawl/sitemap-addresses.ts'
import { readRobots } from '../../../../src/products/scan/site/files/robots.ts'
import { parseSitemap, readSitemap } from '../../../../src/products/scan/site/files/sitemap.ts'
import { captured, type Entries } from '../../../support/scans/captured.ts'

const robots = readRobots(undefined, 'https://site.example')
const read = (entries: Entries) => readSitemap(captured(entries).exchanges, robots)
const file = 'https://site.example/sitemap.xml'
const urlset = (inside: string) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`

describe('one sitemap file', () => {
  test('an address in a comment is not in it, wherever the comment begins and ends', () => {
    const xml = urlset(
      '<url><loc>https://site.example/a</loc></url><!-- <url><loc>https://site.example/b</loc></url> --><!--\n<loc>https://site.example/c</loc>--><url><loc><![CDATA[https://site.example/d]]></loc></url>',
    )
    const addresses = ['https://site.example/a', 'https://site.example/d']
    expect(readSitemapAddresses(xml).urls.map(({ loc }) => loc)).toEqual(addresses)
    expect(parseSitemap(xml)?.urls.map(({ loc }) => loc)).toEqual(addresses)
  })

  test('a urlset gives addresses and dates as they are written, with entities decoded once', () => {
    const parsed = parseSitemap(
      urlset(`<url><loc> https://site.example/a?b=1&amp;c=&#50;&#x33;&amp;lt; </loc><lastmod>2026-01-02</lastmod></url>
        <url><loc><![CDATA[https://site.example/c]]></loc><lastmod></lastmod></url>`),
    )
    expect(parsed).toEqual({
      kind: 'urlset',
      urls: [
        { loc: 'https://site.example/a?b=1&c=23&lt;', lastmod: '2026-01-02' },
        { loc: 'https://site.example/c' },
      ],
    })
  })

  test('a sitemap index gives its files, also with a namespace prefix', () => {
    const xml =
      '<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://site.example/1.xml</s:loc></s:sitemap></s:sitemapindex>'
    expect(parseSitemap(xml)).toEqual({ kind: 'sitemapindex', urls: [{ loc: 'https://site.example/1.xml' }] })
  })

  test('plain text with an address on each line is read as a urlset', () => {
    expect(parseSitemap('https://site.example/\r\n\nhttps://site.example/a\n')?.urls.length).toBe(2)
    expect(parseSitemap('https://site.example/\nNot found')).toBeUndefined()
  })

  test.each([
    ['empty', ''],
    ['HTML', '<html><body>x</body></html>'],
    ['a feed', '<rss><channel></channel></rss>'],
    ['cut off', '<urlset><url><loc>https://site.example/</loc></url>'],
    ['crossed tags', '<urlset><url></urlset></url>'],
    [
      'entities',
      '<!DOCTYPE x [<!ENTITY a "https://site.example/">]><urlset><url><loc>&a;</loc></url></urlset>',
    ],
    ['deep nesting', `<urlset>${'<url>'.repeat(10_000)}${'</url>'.repeat(10_000)}</urlset>`],
    ['a name of every object', '<constructor><url></url></constructor>'],
  ])('%s is no sitemap', (_, xml) => expect(parseSitemap(xml)).toBeUndefined())

  test.each(['javascript:alert(1)', '/relative', 'https://', `https://site.example/${'a'.repeat(2_100)}`])(
    '%s is no address in it',
    (loc) => expect(parseSitemap(urlset(`<url><loc>${loc}</loc></url>`))?.urls).toEqual([]),
  )

  test('an empty urlset is a valid sitemap', () => {
    expect(parseSitemap(urlset(''))).toEqual({ kind: 'urlset', urls: [] })
    expect(parseSitemap('<urlset/>')).toEqual({ kind: 'urlset', urls: [] })
  })
})

describe('the sitemap of a site', () => {
  test('the sitemap of a site joins the addresses of all urlsets, without the files that an index names', () => {
    const map = read({
      'https://site.example/': 'x',
      [file]: `<sitemapindex><sitemap><loc>https://site.example/1.xml</loc></sitemap></sitemapindex>`,
      'https://site.example/1.xml': {
        purpose: 'sitemap',
        body: urlset('<url><loc>https://site.example/a</loc></url>'),
      },
      'https://site.example/2.xml': {
        purpose: 'sitemap',
        body: urlset('<url><loc>https://site.example/b</loc></url>'),
      },
    })
    expect(map.files.map(({ state, kind }) => [state, kind])).toEqual([
      ['ok', 'sitemapindex'],
      ['ok', 'urlset'],
      ['ok', 'urlset'],
    ])
    expect(map.urls.map(({ loc }) => loc)).toEqual(['https://site.example/a', 'https://site.example/b'])
    expect([map.isDeclared, map.isOverLimit]).toEqual([false, false])
  })

  test.each([
    ['404', { status: 404 }, 'absent', undefined],
    ['a server error', { status: 500 }, 'broken', 'it answered 500'],
    ['a page in its place', '<!doctype html><p>x', 'broken', 'it is an HTML page'],
    ['entities', '<!ENTITY a "b">', 'broken', 'it declares XML entities'],
    ['something else', 'hello', 'broken', 'it is neither a urlset nor a sitemapindex'],
    ['a failure', { failed: 'timeout', message: 'It took too long.' }, 'unread', 'It took too long.'],
  ])('the problem of a sitemap file is reported: %s', (_, entry, state, problem) => {
    const { url, ...rest } = read({ [file]: entry }).files[0] ?? {}
    expect(rest).toEqual({ state, kind: undefined, ...(problem !== undefined && { problem }) })
  })

  test('a sitemap file that was skipped is not listed', () => {
    expect(read({ [file]: { skipped: 'budget' } }).files).toEqual([])
  })

  test('a sitemap of which only the beginning was kept gives the entries that are whole', () => {
    const body = urlset(
      '<url><loc>https://site.example/a</loc></url><url><loc>https://site.example/b</loc></url>',
    )
    const map = read({ [file]: { body: body.slice(0, -20), isCut: true } })
    expect([map.files[0]?.state, map.urls]).toEqual(['ok', [{ loc: 'https://site.example/a' }]])
  })

  test('a sitemap with 50,001 addresses is over the limit, and one with 50,000 is not', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `https://site.example/${at}`).join('\n')
    const full = read({ 'https://site.example/sitemap.txt': lines(50_000) })
    const over = read({ 'https://site.example/sitemap.txt': lines(50_001) })
    expect([full.urls.length, full.isOverLimit, over.urls.length, over.isOverLimit]).toEqual([
      50_000,
      false,
      50_000,
      true,
    ])
    expect(read({ [file]: { body: urlset(''), bytes: 50 * 1024 * 1024 + 1 } }).isOverLimit).toBe(true)
  })

  test('a sitemap that robots.txt names is declared', () => {
    const { exchanges } = captured({
      'https://site.example/robots.txt': 'Sitemap: https://site.example/s.xml',
    })
    expect(readSitemap([], readRobots(exchanges[0], 'https://site.example')).isDeclared).toBe(true)
  })
})
