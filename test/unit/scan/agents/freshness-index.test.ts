import { expect, test } from 'vitest'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

function run(id: string, entries: Entries, now?: number) {
  const outcome = runCheck(freshnessIndex, id, site(entries, now === undefined ? {} : { now }))
  return { outcome, json: JSON.stringify(outcome) }
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
const onNewYear = (path: string): [string, string] => [path, '2026-01-01']
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
  ['an item of 90 days passes as new', 'newest', post({ datePublished: '2026-08-23' }), 'pass', '90 days'],
  ['an item of 91 days gives a warning', 'newest', post({ datePublished: '2026-08-22' }), 'warn', '91 days'],
  [
    'an item of 365 days gives a warning',
    'newest',
    post({ datePublished: '2025-11-21' }),
    'warn',
    '365 days',
  ],
  [
    'an item of 366 days fails as old',
    'newest',
    post({ datePublished: '2025-11-20' }),
    'fail',
    'from November 2025',
  ],
  [
    'a date in the future does not make a site new',
    'newest',
    post({ datePublished: '2025-01-01', dateModified: '2027-03-01' }),
    'fail',
    '2025-01-01',
  ],
  [
    'a lastmod in the sitemap counts as a new item',
    'newest',
    { ...home, ...map(['/a', '2026-11-01'], ['/b', '2020-01-01']) },
    'pass',
    '2026-11-01',
  ],
  [
    'a sitemap with the same date everywhere shows no new item',
    'newest',
    { ...home, ...map(['/a', '2026-11-01'], ['/b', '2026-11-01']) },
    'na',
    '',
  ],
  [
    'the entries of a feed count as items',
    'newest',
    feed(rss('Mon, 16 Nov 2026 10:00:00 GMT')),
    'pass',
    '2026-11-16',
  ],
  ['newest fails for articles without any date', 'newest', post({}), 'fail', 'an article without a date'],
  ['newest does not apply to a site without dates', 'newest', home, 'na', ''],
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
    'lastmod on 3 of 4 is too few',
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
    'the same lastmod on every page fails',
    'lastmod',
    { ...home, ...map(...['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h'].map(onNewYear)) },
    'fail',
    '2026-01-01 on all 8',
  ],
  [
    'the same lastmod on a few pages, which may all have changed on one day, is no fault',
    'lastmod',
    { ...home, ...map(onNewYear('/a'), onNewYear('/b')) },
    'na',
    '',
  ],
  [
    'a lastmod in the future fails',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-11-23']) },
    'fail',
    '2026-11-23',
  ],
  [
    'a lastmod of tomorrow passes, because a time zone may be ahead',
    'lastmod',
    { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-11-22']) },
    'pass',
    '2 of 2',
  ],
  [
    'lastmod does not apply to a site without a sitemap',
    'lastmod',
    { ...home, [`${at}/sitemap.xml`]: { status: 404 } },
    'na',
    '',
  ],
  [
    'lastmod is unmeasured when the sitemap gave no answer',
    'lastmod',
    { ...home, [`${at}/sitemap.xml`]: { failed: 'timeout' } },
    'unmeasured',
    '',
  ],
  ['1 of 50 broken links passes', 'internal-links', { ...home, ...links(1, 50) }, 'pass', '/l0'],
  ['2 of 50 broken links give a warning', 'internal-links', { ...home, ...links(2, 50) }, 'warn', '2 of 50'],
  ['1 of 20 broken links gives a warning', 'internal-links', { ...home, ...links(1, 20) }, 'warn', '1 of 20'],
  ['3 of 50 broken links fail', 'internal-links', { ...home, ...links(3, 50) }, 'fail', 'status 404'],
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
    'a skipped request says nothing about a link',
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
    'a failed look-up of ours says nothing about a link',
    'internal-links',
    { ...home, [`${at}/a`]: { purpose: 'link', failed: 'lookup' } },
    'unmeasured',
    '',
  ],
  [
    'a timeout says nothing about a link',
    'internal-links',
    { ...home, [`${at}/a`]: { purpose: 'link', failed: 'timeout' } },
    'unmeasured',
    '',
  ],
  [
    'a button to another folder than that of its page may be meant for the page of the same name',
    'internal-links',
    {
      [`${at}/`]:
        '<p>x<a class="cta-button" href=/html/contact.html>Book</a><a href=/contact.html>Contact</a>',
      [`${at}/contact.html`]: '<p>y<form><input></form>',
      [`${at}/html/contact.html`]: { purpose: 'link', status: 404 },
      ...links(0, 60),
    },
    'fail',
    `the button \\"Book\\" on ${at}/: ${at}/html/contact.html shows no page. It may be meant to lead to ${at}/contact.html.`,
  ],
  [
    'one dead link of the menu fails, however many others answer',
    'internal-links',
    { ...nav('/gone'), [`${at}/gone`]: { purpose: 'link', status: 404 }, ...links(0, 60) },
    'fail',
    `Correct the address of the link \\"x\\" on ${at}/`,
  ],
  [
    'a page of another language is no right address for a dead link',
    'internal-links',
    {
      [`${at}/`]: '<p>x<a href=/de/kontakt>k</a>',
      [`${at}/fr/kontakt`]: '<p>y',
      [`${at}/de/kontakt`]: { purpose: 'link', status: 404 },
    },
    'fail',
    'let the link lead to the page that comes closest',
  ],
  ['internal-links does not apply to a page without links', 'internal-links', home, 'na', ''],
  [
    'a visible date in words agrees with the declared one',
    'date-match',
    post({ datePublished: '2026-03-05T23:30:00Z' }, '<p>March 6, 2026</p>'),
    'pass',
    '2026-03-05',
  ],
  [
    'a visible date of another day fails',
    'date-match',
    post({ datePublished: '2026-03-05' }, '<p>9 March 2026</p>'),
    'fail',
    'visible 2026-03-09',
  ],
  [
    'a visible date of the last change agrees',
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
    'a feed with an entry of 365 days passes',
    'feed',
    feed(rss('Fri, 21 Nov 2025 13:00:00 GMT')),
    'pass',
    '2025-11-21',
  ],
  [
    'a feed whose entries are older fails',
    'feed',
    feed(rss('Wed, 19 Nov 2025 13:00:00 GMT')),
    'fail',
    '2025-11-19',
  ],
  [
    'an Atom feed passes',
    'feed',
    feed('<feed><entry><updated>2026-11-01T00:00:00Z</updated></entry></feed>'),
    'pass',
    '2026-11-01',
  ],
  [
    'a JSON feed passes',
    'feed',
    feed(
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"date_published":"2026-11-02T00:00:00Z"}]}',
    ),
    'pass',
    '2026-11-02',
  ],
  ['a web page in place of the feed fails', 'feed', feed('<!doctype html><p>2026</p>'), 'fail', 'status 200'],
  ['a feed that answers 404 fails', 'feed', feed('', 404), 'fail', 'status 404'],
  [
    'a feed without dates fails',
    'feed',
    feed('<rss><channel><item><title>a</title></item></channel></rss>'),
    'fail',
    'no dated entry',
  ],
  ['a feed that was not fetched is unmeasured', 'feed', feedHome, 'unmeasured', ''],
  ['a site with articles and no feed fails', 'feed', post({}), 'fail', 'no feed'],
  ['a site without articles needs no feed', 'feed', home, 'na', ''],
  ['304 to the page’s validator passes', 'conditional', again(304), 'pass', '304'],
  ['200 to the page’s own validator fails', 'conditional', again(200), 'fail', '200'],
  ['a page without a validator fails', 'conditional', home, 'fail', 'no ETag'],
  ['conditional is unmeasured when the validator was not tried', 'conditional', tagged, 'unmeasured', ''],
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
    '6 of 9 pages of the menu in the sitemap are too few',
    'coverage',
    {
      ...nav(...'abcdefghi'.split('').map((path) => `/${path}`)),
      ...map(...'abcdef'.split('').map((path): [string] => [`/${path}`])),
    },
    'fail',
    '/g',
  ],
  [
    'coverage is unmeasured when another file of the sitemap may hold the page',
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
    'coverage does not apply to a site without a sitemap',
    'coverage',
    { ...nav('/a'), [`${at}/sitemap.xml`]: { status: 404 } },
    'na',
    '',
  ],
  ['coverage does not apply to a page without a menu', 'coverage', { ...home, ...map(['/a']) }, 'na', ''],
  ['the current year in the footer passes', 'footer-year', year('© 2026 Acme'), 'pass', '2026'],
  ['the year before in the footer passes', 'footer-year', year('Copyright 2019–2025 Acme'), 'pass', '2025'],
  ['a footer of two years ago fails', 'footer-year', year('© 2024 Acme'), 'fail', '2024'],
  ['a future year in the footer fails', 'footer-year', year('© 2031 Acme'), 'fail', '2031'],
  [
    'footer-year does not apply to a footer without a year',
    'footer-year',
    year('Acme, since 1990'),
    'na',
    '',
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('the time of the scan is today for every check', () => {
  expect(run('newest', post({ datePublished: '2026-08-23' }), Date.UTC(2030, 0, 1)).outcome.result).toBe(
    'fail',
  )
})

test('all freshness-index checks are unmeasured when the page answers 503', () => {
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
    'a page that asks not to be indexed need not be in the sitemap',
    'coverage',
    {
      ...nav('/a', '/imprint'),
      [`${at}/imprint`]: '<head><meta name="robots" content="noindex"></head><body><p>Lind</p></body>',
      ...map(['/a']),
    },
    'pass',
    '1 of 1 page in the navigation is in the sitemap',
  ],
  [
    'coverage does not apply to a menu of only such pages',
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
    'the part of the sitemap that lacks dates is named',
    'lastmod',
    { ...home, ...parts(entry('/a', '2026-01-01'), entry('/b?x=1&amp;y=2')) },
    'fail',
    `into ${at}/s1.xml`,
  ],
  [
    'the part of the sitemap with a date in the future is named',
    'lastmod',
    { ...home, ...parts(entry('/a', '2026-01-01'), entry('/b', '2027-01-01')) },
    'fail',
    `"url":"${at}/s1.xml"`,
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('the text does not guess why all dates of a sitemap are equal', () => {
  const { json } = run('lastmod', { ...home, ...map(['/a', '2026-01-01'], ['/b', '2026-01-01']) })
  expect(json).not.toContain('when the file was made')
})
