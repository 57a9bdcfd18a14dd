import { expect, test } from 'vitest'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

function run(id: string, entries: Entries, now?: number) {
  const outcome = runCheck(freshnessIndex, id, site(entries, now === undefined ? {} : { now }))
  return { outcome, said: JSON.stringify(outcome) }
}

const at = 'https://site.example'
const home = { [`${at}/`]: '<p>x' }
const map = (...entries: [path: string, lastmod?: string][]) => ({
  [`${at}/sitemap.xml`]: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
    .map(
      ([path, lastmod]) =>
        `<url><loc>${at}${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</url>`,
    )
    .join('')}</urlset>`,
})
const article = (head: object, body: string) =>
  `<title>a</title><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Article', headline: 'A', ...head })}</script><main><h1>A</h1>${body}</main>`
const post = (head: object, body = '') => ({ ...home, [`${at}/blog/a`]: article(head, body) })
const links = (broken: number, all: number, status = 404) =>
  Object.fromEntries(
    Array.from({ length: all }, (_, n) => [
      `${at}/l${n}`,
      { purpose: 'link' as const, status: n < broken ? status : 200 },
    ]),
  )
const feedHome = { [`${at}/`]: '<link rel=alternate type="application/rss+xml" href=/feed>' }
const feed = (body: string, status = 200) => ({
  ...feedHome,
  [`${at}/feed`]: { purpose: 'feed' as const, status, body },
})
const rss = (date: string) =>
  `<rss><channel><pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate><item><pubDate>${date}</pubDate></item></channel></rss>`
const nav = (...paths: string[]) => ({
  [`${at}/`]: `<nav><a href=/>Home</a>${paths.map((path) => `<a href=${path}>x</a>`).join('')}</nav>`,
})
const tagged = { [`${at}/`]: { body: '<p>x', headers: { etag: '"1"' } } }
const again = (status: number) => ({
  ...tagged,
  [`${at}/#again`]: { purpose: 'home-conditional' as const, status },
})
const year = (text: string) => ({ [`${at}/`]: `<p>x</p><footer>${text}</footer>` })

// Today is 2026-11-21; 90 days ago was 2026-08-23, 365 days ago 2025-11-21.
test.each<[string, string, Entries, string, string]>([
  ['an item of 90 days is new', 'newest', post({ datePublished: '2026-08-23' }), 'pass', '90 days'],
  ['an item of 91 days is not quite', 'newest', post({ datePublished: '2026-08-22' }), 'warn', '91 days'],
  ['an item of 365 days is not quite', 'newest', post({ datePublished: '2025-11-21' }), 'warn', '365 days'],
  ['an item of 366 days is old', 'newest', post({ datePublished: '2025-11-20' }), 'fail', '366 days'],
  [
    'a date that lies ahead makes nothing new',
    'newest',
    post({ datePublished: '2025-01-01', dateModified: '2027-03-01' }),
    'fail',
    '2025-01-01',
  ],
  [
    'the sitemap tells of new items',
    'newest',
    { ...home, ...map(['/a', '2026-11-01'], ['/b', '2020-01-01']) },
    'pass',
    '2026-11-01',
  ],
  [
    'a sitemap with one date for all tells of none',
    'newest',
    { ...home, ...map(['/a', '2026-11-01'], ['/b', '2026-11-01']) },
    'na',
    '',
  ],
  ['entries of a feed count', 'newest', feed(rss('Mon, 16 Nov 2026 10:00:00 GMT')), 'pass', '2026-11-16'],
  ['articles without any date fail', 'newest', post({}), 'fail', 'no date'],
  ['a site without anything dated is not judged', 'newest', home, 'na', ''],
  [
    'lastmod on 4 of 5 is enough',
    'lastmod',
    {
      ...home,
      ...map(['/a', '2026-01-01'], ['/b', '2026-01-02'], ['/c', '2026-01-03'], ['/d', '2026-01-04'], ['/e']),
    },
    'pass',
    '4 of 5',
  ],
  [
    'lastmod on 3 of 4 is too little',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-01-02'], ['/c', '2026-01-03'], ['/d']) },
    'fail',
    '3 of 4',
  ],
  [
    'a lastmod that is no date does not count',
    'lastmod',
    { ...home, ...map(['/a', 'yesterday']) },
    'fail',
    '0 of 1',
  ],
  [
    'equal dates tell nothing',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-01-01']) },
    'fail',
    '2026-01-01 on all 2',
  ],
  [
    'a date in the future is not believed',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-11-23']) },
    'fail',
    '2026-11-23',
  ],
  [
    'tomorrow is today somewhere',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-11-22']) },
    'pass',
    '2 of 2',
  ],
  [
    'a site without a sitemap is not judged by it',
    'lastmod',
    { ...home, [`${at}/sitemap.xml`]: { status: 404 } },
    'na',
    '',
  ],
  [
    'a sitemap that gave no answer is unmeasured',
    'lastmod',
    { ...home, [`${at}/sitemap.xml`]: { failed: 'timeout' } },
    'unmeasured',
    '',
  ],
  ['1 of 50 links may be broken', 'internal-links', { ...home, ...links(1, 50) }, 'pass', '/l0'],
  ['2 of 50 broken links are some', 'internal-links', { ...home, ...links(2, 50) }, 'warn', '2 of 50'],
  ['1 of 20 broken links is still some', 'internal-links', { ...home, ...links(1, 20) }, 'warn', '1 of 20'],
  ['3 of 50 broken links are many', 'internal-links', { ...home, ...links(3, 50) }, 'fail', 'status 404'],
  [
    'a server error is a broken link',
    'internal-links',
    { ...home, ...links(1, 2, 500) },
    'fail',
    'status 500',
  ],
  [
    'a refusal says nothing about a link',
    'internal-links',
    { ...home, ...links(2, 2, 403) },
    'unmeasured',
    '',
  ],
  [
    'neither does a link that was skipped',
    'internal-links',
    { ...home, [`${at}/a`]: { purpose: 'link', skipped: 'budget' } },
    'unmeasured',
    '',
  ],
  [
    'a host that does not exist is a dead end',
    'internal-links',
    { ...home, [`${at}/a`]: { purpose: 'link', failed: 'dns' } },
    'fail',
    'dns',
  ],
  [
    'a slow answer is not',
    'internal-links',
    { ...home, [`${at}/a`]: { purpose: 'link', failed: 'timeout' } },
    'unmeasured',
    '',
  ],
  ['a page without links has none that are broken', 'internal-links', home, 'na', ''],
  [
    'the declared day in words agrees',
    'date-match',
    post({ datePublished: '2026-03-05T23:30:00Z' }, '<p>March 6, 2026</p>'),
    'pass',
    '2026-03-05',
  ],
  [
    'another day contradicts',
    'date-match',
    post({ datePublished: '2026-03-05' }, '<p>9 March 2026</p>'),
    'fail',
    'visible 2026-03-09',
  ],
  [
    'the day of change agrees too',
    'date-match',
    post(
      { datePublished: '2025-03-05', dateModified: '2026-03-09' },
      '<time datetime="2026-03-09">9.3.</time>',
    ),
    'pass',
    '2026-03-09',
  ],
  [
    'an article without a visible date is not compared',
    'date-match',
    post({ datePublished: '2026-03-05' }),
    'na',
    '',
  ],
  [
    'a feed with an entry of 365 days is alive',
    'feed',
    feed(rss('Fri, 21 Nov 2025 13:00:00 GMT')),
    'pass',
    '2025-11-21',
  ],
  [
    'a feed whose entries are older is not',
    'feed',
    feed(rss('Wed, 19 Nov 2025 13:00:00 GMT')),
    'fail',
    '2025-11-19',
  ],
  [
    'an Atom feed is a feed',
    'feed',
    feed('<feed><entry><updated>2026-11-01T00:00:00Z</updated></entry></feed>'),
    'pass',
    '2026-11-01',
  ],
  [
    'a JSON feed is a feed',
    'feed',
    feed(
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"date_published":"2026-11-02T00:00:00Z"}]}',
    ),
    'pass',
    '2026-11-02',
  ],
  ['a page in place of the feed is none', 'feed', feed('<!doctype html><p>2026</p>'), 'fail', 'status 200'],
  ['a feed that is gone fails', 'feed', feed('', 404), 'fail', 'status 404'],
  [
    'a feed without dates does not tell what is new',
    'feed',
    feed('<rss><channel><item><title>a</title></item></channel></rss>'),
    'fail',
    'no dated entry',
  ],
  ['a feed that was not fetched is unmeasured', 'feed', feedHome, 'unmeasured', ''],
  ['a site with articles and no feed fails', 'feed', post({}), 'fail', 'no feed'],
  ['a site without articles needs none', 'feed', home, 'na', ''],
  ['304 spares the page', 'conditional', again(304), 'pass', '304'],
  ['200 to the page’s own validator does not', 'conditional', again(200), 'fail', '200'],
  ['a page without a validator cannot be spared', 'conditional', home, 'fail', 'no ETag'],
  ['a validator that was not tried is unmeasured', 'conditional', tagged, 'unmeasured', ''],
  [
    '7 of 10 pages of the menu in the sitemap are enough',
    'coverage',
    {
      ...nav(...'abcdefghij'.split('').map((path) => `/${path}`)),
      ...map(...'abcdefg'.split('').map((path): [string] => [`/${path}/`])),
    },
    'pass',
    '7 of 10',
  ],
  [
    '6 of 9 are too few',
    'coverage',
    {
      ...nav(...'abcdefghi'.split('').map((path) => `/${path}`)),
      ...map(...'abcdef'.split('').map((path): [string] => [`/${path}`])),
    },
    'fail',
    '/g',
  ],
  [
    'what another file of the sitemap may hold is not missing',
    'coverage',
    {
      ...nav('/a'),
      [`${at}/sitemap.xml`]: `<sitemapindex><sitemap><loc>${at}/s1.xml</loc></sitemap><sitemap><loc>${at}/s2.xml</loc></sitemap></sitemapindex>`,
      [`${at}/s1.xml`]: { purpose: 'sitemap', body: `<urlset><url><loc>${at}/z</loc></url></urlset>` },
    },
    'unmeasured',
    '0 of 1',
  ],
  [
    'without a sitemap there is nothing to cover',
    'coverage',
    { ...nav('/a'), [`${at}/sitemap.xml`]: { status: 404 } },
    'na',
    '',
  ],
  ['a page without a menu is not compared', 'coverage', { ...home, ...map(['/a']) }, 'na', ''],
  ['the current year is current', 'footer-year', year('© 2026 Acme'), 'pass', '2026'],
  ['so is the year before', 'footer-year', year('Copyright 2019–2025 Acme'), 'pass', '2025'],
  ['two years ago looks abandoned', 'footer-year', year('© 2024 Acme'), 'fail', '2024'],
  ['a year that has not come is wrong', 'footer-year', year('© 2031 Acme'), 'fail', '2031'],
  ['a footer without a year is not judged', 'footer-year', year('Acme, since 1990'), 'na', ''],
])('%s', (_title, id, entries, result, part) => {
  const { outcome, said } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(said).toContain(part)
})

test('today comes with the site', () => {
  expect(run('newest', post({ datePublished: '2026-08-23' }), Date.UTC(2030, 0, 1)).outcome.result).toBe(
    'fail',
  )
})

test('without a page only the sitemap and the links can be judged', () => {
  const gone = { [`${at}/`]: { status: 503 } }
  const results = freshnessIndex.checks.map(({ id }) => run(id, gone).outcome.result)
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

const parts = (...bodies: string[]) => ({
  [`${at}/sitemap.xml`]: `<sitemapindex>${bodies.map((_, n) => `<sitemap><loc>${at}/s${n}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
  ...Object.fromEntries(
    bodies.map((body, n) => [
      `${at}/s${n}.xml`,
      { purpose: 'sitemap' as const, body: `<urlset>${body}</urlset>` },
    ]),
  ),
})
const entry = (path: string, lastmod = '') =>
  `<url><loc>${at}${path}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`
const menu = nav('/a', '/cart', '/login', '/sign-up', '/private/x')

test.each<[string, string, Entries, string, string]>([
  [
    'the cart, the login and what robots.txt forbids need not be in the sitemap',
    'coverage',
    { ...menu, [`${at}/robots.txt`]: 'User-agent: *\nDisallow: /private/', ...map(['/a']) },
    'pass',
    '1 of 1 page in the navigation is in the sitemap',
  ],
  [
    'a menu of nothing else has no pages to compare',
    'coverage',
    { ...nav('/cart', '/login'), ...map(['/a']) },
    'na',
    '',
  ],
  [
    'the part of the sitemap that holds pages is named, not its index',
    'coverage',
    { ...nav('/a', '/b', '/c'), ...parts(entry('/post'), entry('/a')) },
    'fail',
    `to ${at}/s1.xml`,
  ],
  [
    'the part that lacks dates is named',
    'lastmod',
    { ...home, ...parts(entry('/a', '2026-01-01'), entry('/b?x=1&amp;y=2')) },
    'fail',
    `into ${at}/s1.xml`,
  ],
  [
    'the part with a date in the future is named',
    'lastmod',
    { ...home, ...parts(entry('/a', '2026-01-01'), entry('/b', '2027-01-01')) },
    'fail',
    `"url":"${at}/s1.xml"`,
  ],
])('%s', (_title, id, entries, result, part) => {
  const { outcome, said } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(said).toContain(part)
})

test('why all dates of a sitemap are equal is not guessed', () => {
  const { said } = run('lastmod', { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-01-01']) })
  expect(said).not.toContain('when the file was made')
})
