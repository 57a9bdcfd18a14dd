import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createFetcher, type Fetcher } from '../../../src/platform/net/fetch.ts'
import { decodeBody } from '../../../src/products/scan/crawl/decode-body.ts'
import { readSitemapAddresses } from '../../../src/products/scan/crawl/sitemap-addresses.ts'
import { takeCapture } from '../../../src/products/scan/crawl/take-capture.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import { siteDomain } from '../../../src/products/scan/site/addresses.ts'
import {
  type Capture,
  type Depth,
  depths,
  type Purpose,
  repliesFor,
} from '../../../src/products/scan/site/capture.ts'
import {
  type SiteAnswer,
  type SitePage,
  type SiteRequest,
  type SiteServer,
  startSite,
} from '../../support/servers/site-server.ts'

const takenAt = Date.parse('2026-11-21T12:00:00Z')
const html = { 'content-type': 'text/html; charset=utf-8' }
const text = { 'content-type': 'text/plain; charset=utf-8' }
const xml = { 'content-type': 'application/xml' }
const missing: SitePage = { status: 404, headers: html, body: '<h1>Nothing here</h1>' }

let site: SiteServer | undefined
let fetcher: Fetcher | undefined

afterEach(close)

async function close() {
  await fetcher?.close()
  await site?.close()
  fetcher = undefined
  site = undefined
}

type Answer = (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer>

/** A site with the hosts `works.example` and `www.works.example`, which replies as the test says. */
async function open(answer: Answer, options?: Parameters<typeof startSite>[2]) {
  site = await startSite(['works.example', 'www.works.example'], answer, options)
  fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
  return { site, fetcher }
}

function capture(
  fetcher: Fetcher,
  depth: Depth,
  {
    url = 'https://works.example/',
    hasScheme = true,
    onProgress = (_: number) => {},
    signal = new AbortController().signal,
    deadlineMs = 20_000,
  } = {},
): Promise<Capture> {
  const parts = { fetcher, clock: { now: () => takenAt }, productToken: 'tollgate' }
  return takeCapture(parts, { url, hasScheme, depth }, onProgress, signal, deadlineMs)
}

/** Replies by path, and 404 for every other path. */
const routes =
  (pages: Readonly<Record<string, SiteAnswer>>): Answer =>
  ({ path }) =>
    pages[path] ?? missing

const page = (body: string): SitePage => ({
  headers: html,
  body: `<!doctype html><title>Works</title>${body}`,
})
const open200 = { '/robots.txt': { headers: text, body: 'User-agent: *\nAllow: /\n' } }
const pathsOf = ({ requests }: SiteServer) => requests.map(({ path }) => path)
const urlsOf = (capture: Capture, purpose: Purpose) =>
  capture.exchanges.filter((exchange) => exchange.purpose === purpose).map(({ url }) => new URL(url).pathname)

const manyPages = Array.from({ length: 60 }, (_, index) => `/things/thing-${index}`)
const namedPages = ['/about', '/pricing', '/contact', '/faq', '/services', '/privacy', '/terms']

/** A site with more of everything than any scan may fetch. */
const bigSite: Answer = ({ path }) => {
  const links = (urls: string[]) => urls.map((url) => `<a href="${url}">${url}</a>`).join(' ')
  if (path === '/') {
    return page(`<link rel="canonical" href="/start"><link rel="alternate" type="application/rss+xml" href="/feed">
      <link rel="service-desc" href="/api.json"><script src="/a.js"></script><script src="/b.js"></script>
      <img src="/pic.3f9a2b1c.png"><nav>${links(namedPages)}</nav>${links(manyPages)}`)
  }
  if (path === '/robots.txt') {
    return { headers: text, body: 'User-agent: *\nAllow: /\nSitemap: https://works.example/index.xml\n' }
  }
  if (path === '/index.xml') {
    const files = ['one', 'two', 'three', 'four', 'five'].map(
      (name) => `<sitemap><loc>https://works.example/${name}.xml</loc></sitemap>`,
    )
    return { headers: xml, body: `<sitemapindex>${files.join('')}</sitemapindex>` }
  }
  if (path.endsWith('.xml')) {
    const articles = Array.from({ length: 30 }, (_, day) => {
      const date = `2026-0${1 + (day % 9)}-11`
      return `<url><loc>https://works.example/blog${path.slice(0, -4)}-${day}</loc><lastmod>${date}</lastmod></url>`
    })
    return { headers: xml, body: `<urlset>${articles.join('')}</urlset>` }
  }
  if (path === '/llms.txt') {
    return {
      headers: text,
      body: `# Works\n- [About](/about)\n${manyPages.map((url) => `- [Guide](/guide${url})`).join('\n')}`,
    }
  }
  return page(`<h1>${path}</h1>`)
}

describe('a scan of a site with more of everything than its budget', () => {
  const shares: number[] = []
  const asked: Partial<Record<Depth, string[]>> = {}
  const taken: Partial<Record<Depth, Capture>> = {}
  let again: Capture
  let maxAtOnce = 0

  beforeAll(async () => {
    let order = 'first'
    const { site, fetcher } = await open(async (request) => {
      const [pause = 0] = createHash('sha256')
        .update(order + request.path)
        .digest()
      await setTimeout(pause % 4)
      return bigSite(request)
    })
    for (const depth of depths) {
      const before = site.requests.length
      taken[depth] = await capture(
        fetcher,
        depth,
        depth === 'full' ? { onProgress: (share) => shares.push(share) } : {},
      )
      asked[depth] = pathsOf(site).slice(before)
    }
    order = 'second'
    again = await capture(fetcher, 'full')
    maxAtOnce = site.maxAtOnce
    await close()
  })

  test.each([
    ['light', 5, 8],
    ['basic', 25, 30],
    ['full', 116, 120],
  ] as const)('a %s scan sends at least %d and at most %d requests, four at a time', (depth, least, most) => {
    expect(asked[depth]?.length).toBeGreaterThanOrEqual(least)
    expect(asked[depth]?.length).toBeLessThanOrEqual(most)
    expect(maxAtOnce).toBeLessThanOrEqual(4)
    expect(taken[depth]?.exchanges.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(taken[depth]).toMatchObject({
      depth,
      url: 'https://works.example/',
      domain: 'works.example',
      takenAt,
    })
  })

  test('a scan reads the pages that say most: about, prices, contact and the newest article', () => {
    expect(taken.basic && urlsOf(taken.basic, 'page')).toEqual([
      ...['/about', '/pricing', '/contact', '/faq', '/services', '/blog/one-8', '/privacy', '/terms'],
    ])
  })

  test('a page whose status was fetched before is read whole', () => {
    const about = taken.full && repliesFor(taken.full, 'page').find(({ url }) => url.endsWith('/about'))
    expect(taken.full && urlsOf(taken.full, 'llms-link')).toContain('/about')
    expect(about?.body).toContain('<h1>/about</h1>')
  })

  test('an address that serves two purposes is fetched once', () => {
    expect(taken.full && urlsOf(taken.full, 'link')).toContain('/pricing')
    expect(asked.full?.filter((path) => path === '/pricing')).toHaveLength(1)
  })

  test('two scans give the same capture although the replies arrive in another order', () => {
    expect(taken.full && withoutTimes(taken.full)).toBe(withoutTimes(again))
  })

  test('a full scan asks which HTTP protocol the site chooses, and a basic scan does not', () => {
    expect(taken.full?.alpn).toBe('h2')
    expect(taken.basic?.alpn).toBeUndefined()
  })

  test('the progress of a scan only grows and ends at 1', () => {
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(new Set(shares).size).toBeGreaterThan(20)
  })
})

/** Two captures may differ only in their times. */
const withoutTimes = (capture: Capture) =>
  JSON.stringify(capture, (key, value: unknown) => (key === 'firstByteMs' ? 0 : value))

describe('what a scan fetches of a site', () => {
  test('a scan reads robots.txt first and the page next', async () => {
    const { site, fetcher } = await open(routes({ ...open200, '/': page('<h1>Works</h1>') }))
    const taken = await capture(fetcher, 'light')
    expect(pathsOf(site).slice(0, 2)).toEqual(['/robots.txt', '/'])
    // A site without one at the usual address may have it at others.
    expect(taken.exchanges.map(({ purpose }) => purpose)).toEqual([
      ...['robots', 'home', 'llms', 'sitemap', 'sitemap', 'sitemap', 'sitemap'],
    ])
  })

  test('a link is kept with its status and without a body, also when the server refuses HEAD', async () => {
    const { fetcher } = await open(({ method, path }) => {
      if (path === '/llms.txt') return { headers: text, body: '# Works\n[Here](/x/here) [Gone](/x/gone)' }
      if (path === '/x/gone') return missing
      return method === 'HEAD' ? { status: 405 } : page('<h1>Works</h1>')
    })
    const taken = await capture(fetcher, 'full')
    expect(repliesFor(taken, 'llms-link').map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: '' },
      { status: 404, body: '' },
    ])
  })

  test('of a site in a folder, a scan reads the pages that links with a leading slash miss', async () => {
    const pages = ['/dental/crowns.html', '/dental/fees.html']
    const home = page('<a href="/crowns.html">Crowns</a><a href="/fees.html">Fees</a>')
    site = await startSite(['lind.github.io'], ({ path }) =>
      path === '/dental/' ? home : pages.includes(path) ? page(`<h1>${path}</h1>`) : missing,
    )
    fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
    const taken = await capture(fetcher, 'full', { url: 'https://lind.github.io/dental/' })
    const read = repliesFor(taken, 'page').filter(({ status }) => status === 200)
    expect(read.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(pages)
    expect(urlsOf(taken, 'link')).toEqual(['/crowns.html', '/fees.html'])
  })

  test('a page is cut after 2 MiB, and all bodies of a scan together after 8 MiB', async () => {
    const big = page(
      `${namedPages.map((url) => `<a href="${url}">${url}</a>`).join('')}<p>${'x'.repeat(3 * mebibyte)}</p>`,
    )
    const { fetcher } = await open(
      routes(Object.fromEntries(['/', ...namedPages].map((path) => [path, big]))),
    )
    const taken = await capture(fetcher, 'basic')
    expect(repliesFor(taken, 'home')[0]).toMatchObject({ isCut: true, bytes: 2 * mebibyte })
    expect(Math.max(...repliesFor(taken, 'page').map(({ body }) => body.length))).toBe(2 * mebibyte)
    expect(keptBytes(taken)).toBe(8 * mebibyte)
  })

  test('large sitemaps leave half of the kept bytes to the pages', async () => {
    const names = ['a', 'b', 'c'].map((name) => `https://works.example/${name}.xml`)
    const { fetcher } = await open(({ path }) => {
      if (path === '/robots.txt')
        return { headers: text, body: names.map((url) => `Sitemap: ${url}\n`).join('') }
      if (path.endsWith('.xml')) return { headers: xml, body: `<urlset>${' '.repeat(4 * mebibyte)}` }
      return path === '/' ? page('<a href="/about">About</a>') : page('<h1>About</h1>')
    })
    const taken = await capture(fetcher, 'basic')
    expect(keptBytes(taken, 'sitemap')).toBe(4 * mebibyte)
    expect(repliesFor(taken, 'page')[0]?.body).toContain('<h1>About</h1>')
  })
})

const mebibyte = 1024 * 1024
const keptBytes = ({ exchanges }: Capture, purpose?: Purpose) =>
  exchanges
    .filter((exchange) => purpose === undefined || exchange.purpose === purpose)
    .reduce(
      (sum, exchange) => sum + (exchange.outcome === 'replied' ? Buffer.byteLength(exchange.body) : 0),
      0,
    )

describe('a site that causes more requests than a scan may make', () => {
  const listed = (urls: readonly string[]) => urls.map((url) => `<a href="${url}">${url}</a>`).join(' ')

  test.each([
    ['light', 8, 0],
    ['basic', 30, 5],
    ['full', 120, 7],
  ] as const)(
    'a %s scan of a site that redirects everything stays within its requests and still reads the pages first',
    async (depth, most, pagesAtLeast) => {
      // Five redirects before each reply, and a refused HEAD at the end. Pages need two redirects.
      const { site, fetcher } = await open(({ method, path }) => {
        if (path === '/robots.txt') return open200['/robots.txt']
        if (path === '/') return page(`<nav>${listed(namedPages)}</nav>${listed(manyPages)}`)
        if (path === '/llms.txt')
          return { headers: text, body: manyPages.map((url) => `[Guide](/guide${url})`).join('\n') }
        const [, bare = path, step = '0'] = /^(.*)\.(\d)$/.exec(path) ?? []
        if (Number(step) < (namedPages.includes(bare) ? 2 : 5))
          return { status: 302, headers: { location: `${bare}.${Number(step) + 1}` } }
        return method === 'HEAD' ? { status: 405 } : page(`<h1>${bare}</h1>`)
      })
      const taken = await capture(fetcher, depth)
      expect(site.requests.length).toBeLessThanOrEqual(most)
      expect(site.requests.length).toBeGreaterThan(most - 3)
      expect(repliesFor(taken, 'page').length).toBeGreaterThanOrEqual(pagesAtLeast)
      expect(repliesFor(taken, 'llms').map(({ status }) => status)).toEqual([200])
    },
  )

  test('with few requests left, a scan follows the first links to their end instead of some steps of all of them', async () => {
    const { fetcher } = await open(({ path }) => {
      if (path === '/robots.txt') return open200['/robots.txt']
      if (path === '/') return page(listed(manyPages.map((url) => `/old${url}`)))
      if (!path.startsWith('/old/')) return page('<h1>Here</h1>')
      return {
        status: 301,
        headers: { location: path.replace('/old', path.includes('/old2') ? '/new' : '/old/old2') },
      }
    })
    const taken = await capture(fetcher, 'full')
    const links = taken.exchanges.filter(({ purpose }) => purpose === 'link')
    const first = links.findIndex(({ outcome }) => outcome === 'skipped')
    expect(first).toBeGreaterThanOrEqual(8)
    expect(repliesFor(taken, 'link').length).toBeGreaterThanOrEqual(8)
  })

  test.each([
    ['light', 2],
    ['basic', 6],
    ['full', 20],
  ] as const)(
    'a %s scan sends at most %d requests to other sites, including those for robots.txt',
    async (depth, most) => {
      const others = ['one.example', 'two.example', 'three.example']
      const elsewhere = manyPages.map((path, index) => `https://${others[index % 3]}${path}`)
      site = await startSite(['works.example', ...others], ({ host, path }) => {
        if (path === '/robots.txt') {
          const files = elsewhere.slice(0, 6).map((url) => `Sitemap: ${url}\n`)
          return host === 'works.example' ? { headers: text, body: files.join('') } : open200['/robots.txt']
        }
        if (host !== 'works.example') return { status: 302, headers: { location: `${path}/on` } }
        if (path === '/') return page(`${listed(namedPages)} ${listed(manyPages)}`)
        if (path === '/llms.txt')
          return { headers: text, body: elsewhere.map((url) => `[There](${url})`).join('\n') }
        return { status: 302, headers: { location: `https://one.example${path}` } }
      })
      fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
      const taken = await capture(fetcher, depth)
      const foreign = site.requests.filter(({ host }) => host !== 'works.example')
      expect(foreign).toHaveLength(most)
      expect(taken.exchanges).toContainEqual(
        expect.objectContaining({ outcome: 'skipped', reason: 'budget' }),
      )
    },
  )

  test('a site whose robots.txt redirects too often through another site is unreachable', async () => {
    site = await startSite(['works.example', 'one.example'], ({ host, path }) => {
      const step = Number(/\d+/.exec(path)?.[0] ?? 0)
      if (host === 'works.example' && path === '/') return page('<h1>Works</h1>')
      return { status: 302, headers: { location: `https://one.example/${step + 1}` } }
    })
    fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
    await expect(capture(fetcher, 'light')).rejects.toMatchObject({
      code: 'SITE_UNREACHABLE',
      message: expect.stringContaining('redirects too often'),
    })
    expect(site.requests.map(({ host }) => host)).toEqual(['works.example', 'one.example', 'one.example'])
  })

  test('a site that has moved counts as one with the requested address, so its pages are not foreign', async () => {
    site = await startSite(['works.example', 'moved.example'], ({ host, path }) => {
      if (path === '/robots.txt') return open200['/robots.txt']
      if (host === 'works.example')
        return { status: 301, headers: { location: `https://moved.example${path}` } }
      return page(listed(namedPages))
    })
    fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: site.allowed, ca: site.ca })
    const taken = await capture(fetcher, 'basic')
    expect(repliesFor(taken, 'page')).toHaveLength(namedPages.length)
  })
})

describe('a site without a sitemap', () => {
  const blog = routes({
    ...open200,
    '/': page('<a href="/pricing">Pricing</a><a href="/blog">Blog</a>'),
    '/pricing': page('<h1>Pricing</h1>'),
    '/blog': page(
      '<a href="/blog/third">3</a><a href="/blog/second">2</a><a href="/blog/first">1</a><a href="/">Home</a>',
    ),
    '/blog/third': page('<h1>Third</h1><a href="/blog/older">More</a>'),
  })

  test('a full scan reads what stands behind a page that only asks for the language', async () => {
    const { fetcher } = await open(
      routes({
        ...open200,
        '/': page('<a href="/fr/">Français</a><a href="/en/">English</a>'),
        '/fr/': page('<nav><a href="/fr/soins">Soins</a></nav>'),
        '/fr/soins': page('<a href="/fr/soins/dos">Le dos</a>'),
        '/fr/soins/dos': page('<h1>Le dos</h1>'),
      }),
    )
    expect(urlsOf(await capture(fetcher, 'full'), 'page')).toEqual([
      ...['/fr/', '/en/', '/fr/soins', '/fr/soins/dos'],
    ])
  })

  test('a full scan reads articles that only the list of articles links, and a basic scan reads none of them', async () => {
    const { fetcher } = await open(blog)
    expect(urlsOf(await capture(fetcher, 'full'), 'page')).toEqual([
      ...['/pricing', '/blog', '/blog/third', '/blog/second', '/blog/first', '/blog/older'],
    ])
    expect(urlsOf(await capture(fetcher, 'basic'), 'page')).toEqual(['/pricing', '/blog'])
  })

  test.each([
    ['light', {}],
    ['basic', {}],
    ['full', { '//map.xml': page('<p>Home</p>') }],
  ] as const)(
    'at the address that its robots.txt names is asked for one at the usual address (%s)',
    async (depth, more) => {
      const { fetcher } = await open(
        routes({
          ...open200,
          '/': page('<p>Home</p>'),
          '/robots.txt': { headers: text, body: 'User-agent: *\nSitemap: https://works.example//map.xml\n' },
          '/sitemap.xml': {
            headers: xml,
            body: '<urlset><url><loc>https://works.example/</loc></url></urlset>',
          },
          ...more,
        }),
      )
      expect(urlsOf(await capture(fetcher, depth), 'sitemap')).toEqual(['//map.xml', '/sitemap.xml'])
    },
  )
})

test.each([
  ['www.works.example', 'works.example'],
  ['www.com', 'www.com'],
  ['www.co.uk', 'www.co.uk'],
  ['www.github.io', 'www.github.io'],
  ['www.shop.works.example', 'shop.works.example'],
  ['works.example', 'works.example'],
  ['192.0.2.1', '192.0.2.1'],
])('the site of %s is called %s', (hostname, domain) => {
  expect(siteDomain(hostname)).toBe(domain)
})

describe('what robots.txt forbids', () => {
  const forbidding = {
    headers: text,
    body: 'User-agent: tollgate\nDisallow: /private\nDisallow: /llms.txt\n\nUser-agent: *\nAllow: /\n',
  }

  test('an address that robots.txt forbids is never fetched, neither from a link nor behind a redirect', async () => {
    const { site, fetcher } = await open(
      routes({
        '/robots.txt': forbidding,
        '/': page('<a href="/private/a">A</a> <a href="/x/door">Door</a>'),
        '/x/door': { status: 302, headers: { location: '/private/b' } },
        '/sitemap.xml': {
          headers: xml,
          body: '<urlset><url><loc>https://works.example/private/c</loc></url></urlset>',
        },
        '/private/b': page('<h1>Secret</h1>'),
      }),
    )
    const taken = await capture(fetcher, 'full')
    expect(pathsOf(site)).toContain('/x/door')
    expect(pathsOf(site).filter((path) => path.startsWith('/private') || path === '/llms.txt')).toEqual([])
    const skipped = taken.exchanges.filter(({ outcome }) => outcome === 'skipped')
    expect(skipped).toContainEqual({
      purpose: 'llms',
      url: 'https://works.example/llms.txt',
      outcome: 'skipped',
      reason: 'robots',
    })
    expect(skipped.map(({ url }) => new URL(url).pathname)).toContain('/x/door')
  })

  test('an address that does something is never fetched, whatever the page names it for', async () => {
    const { site, fetcher } = await open(
      routes({
        ...open200,
        '/': page(
          '<link rel="canonical" href="/?action=logout"><meta property="og:image" content="/?action=delete&id=9"><img src="/logout" alt="Lind" width="90" height="30"><a href="/about">About</a>',
        ),
        '/about': page(
          '<link rel="canonical" href="/about?do=delete"><h1>About</h1><a href="/sign-out">x</a>',
        ),
        '/door': { status: 302, headers: { location: '/logout' } },
      }),
    )
    const taken = await capture(fetcher, 'full')
    expect(pathsOf(site)).toContain('/about')
    expect(pathsOf(site).filter((path) => /log-?out|sign-?out|delete/.test(path))).toEqual([])
    expect(taken.exchanges).toContainEqual({
      purpose: 'canonical',
      url: 'https://works.example/?action=logout',
      outcome: 'skipped',
      reason: 'action',
    })
  })

  test('each host is ruled by its own robots.txt, and the one that rules the page comes first in the capture', async () => {
    const { site, fetcher } = await open(({ host, path }) => {
      const isWww = host === 'www.works.example'
      if (path === '/robots.txt')
        return { headers: text, body: `User-agent: *\nDisallow: ${isWww ? '/llms.txt' : '/x'}\n` }
      if (path === '/' && !isWww) return { status: 301, headers: { location: 'https://www.works.example/' } }
      return path === '/' ? page('<h1>Works</h1>') : missing
    })
    const taken = await capture(fetcher, 'light')
    expect(taken.exchanges.map(({ url }) => url).slice(0, 3)).toEqual([
      'https://www.works.example/robots.txt',
      'https://works.example/',
      'https://works.example/robots.txt',
    ])
    expect(repliesFor(taken, 'home')[0]).toMatchObject({
      finalUrl: 'https://www.works.example/',
      redirects: [{ url: 'https://works.example/', status: 301 }],
    })
    expect(pathsOf(site)).not.toContain('/llms.txt')
  })

  test('a scan fails without fetching the page when robots.txt forbids the page', async () => {
    const { site, fetcher } = await open(
      routes({
        '/robots.txt': { headers: text, body: 'User-agent: tollgate\nDisallow: /\n' },
        '/': page('Hello'),
      }),
    )
    const failure = capture(fetcher, 'light', { hasScheme: false })
    await expect(failure).rejects.toThrow(ScanFailure)
    await expect(failure).rejects.toMatchObject({
      code: 'ROBOTS_DISALLOWED',
      message: expect.stringContaining('https://works.example/'),
    })
    expect(pathsOf(site)).toEqual(['/robots.txt'])
  })

  test('a scan fetches nothing while robots.txt answers with a server error', async () => {
    const { site, fetcher } = await open(routes({ '/robots.txt': { status: 503 }, '/': page('Hello') }))
    await expect(capture(fetcher, 'light', { hasScheme: false })).rejects.toMatchObject({
      code: 'ROBOTS_UNREACHABLE',
      message: expect.stringContaining('503'),
    })
    expect(pathsOf(site)).toEqual(['/robots.txt'])
  })
})

describe('how the page is reached', () => {
  const small = routes({ ...open200, '/': page('<h1>Works</h1>') })

  test('a site without HTTPS is read over HTTP when the caller wrote no scheme', async () => {
    const { fetcher } = await open(small, { hasHttps: false })
    const taken = await capture(fetcher, 'light', { hasScheme: false })
    expect(taken.exchanges.slice(0, 2).map(({ url }) => url)).toEqual([
      'http://works.example/robots.txt',
      'http://works.example/',
    ])
    expect(taken.exchanges).toContainEqual(
      expect.objectContaining({ url: 'https://works.example/robots.txt', outcome: 'failed' }),
    )
  })

  test.each<[string, SiteAnswer, string, string]>([
    [
      'forbids',
      { headers: text, body: 'User-agent: *\nDisallow: /\n' },
      'ROBOTS_DISALLOWED',
      'http://works.example/',
    ],
    [
      'breaks',
      { status: 503 },
      'ROBOTS_UNREACHABLE',
      'http://works.example/robots.txt answered with status 503',
    ],
  ])(
    'when there is no HTTPS and robots.txt over HTTP %s, the error says so',
    async (_, robots, code, message) => {
      const { fetcher } = await open(routes({ '/robots.txt': robots }), { hasHttps: false })
      await expect(capture(fetcher, 'light', { hasScheme: false })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      })
    },
  )

  test('a site that answers neither over HTTPS nor over HTTP is reported with the error of HTTPS', async () => {
    const { fetcher } = await open(small, { hasHttps: false, hasHttp: false })
    await expect(capture(fetcher, 'light', { hasScheme: false })).rejects.toMatchObject({
      code: 'SITE_UNREACHABLE',
      message: expect.stringContaining('https://works.example/robots.txt'),
    })
  })

  test('a site without HTTPS is unreachable when the caller wrote https', async () => {
    const { site, fetcher } = await open(small, { hasHttps: false })
    await expect(capture(fetcher, 'light')).rejects.toMatchObject({ code: 'SITE_UNREACHABLE' })
    expect(site.requests).toEqual([])
  })

  const sendsOn = (target: string, more = '') =>
    page(`<meta name="robots" content="noindex"><meta http-equiv="refresh" content="2;url=${target}">${more}`)

  test('a page that only sends browsers on is a hop, and the page behind it is the home page', async () => {
    const { fetcher } = await open(
      routes({ ...open200, '/': sendsOn('/de/', '<a href="/de/">/de/</a>'), '/de/': page('<h1>Werke</h1>') }),
    )
    const [home, ...more] = repliesFor(await capture(fetcher, 'basic'), 'home')
    expect(more).toEqual([])
    expect(home).toMatchObject({
      url: 'https://works.example/',
      finalUrl: 'https://works.example/de/',
      redirects: [{ url: 'https://works.example/', status: 200 }],
    })
    expect(home?.body).toContain('Werke')
  })

  test.each([
    ['in short', '0;/de/'],
    ['with an entity', '0; url=/de/?a=1&amp;b=2'],
    ['in quotes', "1; URL='/de/'"],
  ])('a refresh that names its target %s is followed', async (_, content) => {
    const { fetcher } = await open(({ path }) =>
      path === '/robots.txt'
        ? open200['/robots.txt']
        : path === '/'
          ? page(`<meta http-equiv="refresh" content="${content}">`)
          : path.startsWith('/de/') && !path.includes('&amp;')
            ? page('<h1>Werke</h1>')
            : missing,
    )
    const [home] = repliesFor(await capture(fetcher, 'light'), 'home')
    expect(home?.finalUrl).toMatch(/^https:\/\/works\.example\/de\//)
  })

  const choosing = (script: string, more: string) =>
    page(
      `<link rel="alternate" hreflang="x-default" href="/en.html"><script>${script}</script><p>Redirecting…</p>${more}`,
    )
  const chosen = `const to = /^fr/.test(navigator.language) ? 'fr.html' : 'en.html'; location.replace(to)`

  test('a start page whose script chooses a language leads to the page that it links for all languages', async () => {
    const { fetcher } = await open(
      routes({ ...open200, '/': choosing(chosen, ''), '/en.html': page('<h1>Works</h1>') }),
    )
    const [home] = repliesFor(await capture(fetcher, 'basic'), 'home')
    expect(home).toMatchObject({
      finalUrl: 'https://works.example/en.html',
      redirects: [{ url: 'https://works.example/', status: 200 }],
    })
  })

  async function openedWith(pages: Parameters<typeof routes>[0]) {
    const { fetcher } = await open(routes({ ...open200, ...pages, '/it/': page('<h1>Officina</h1>') }))
    const [home] = repliesFor(await capture(fetcher, 'basic'), 'home')
    return home
  }

  test('a start page with nothing but a script file is read where that file leads', async () => {
    const script = `(function () { var pages = { it: '/it/', en: '/en/' }; window.location.href = pages[navigator.language] || '/it/' }())`
    const start = page('<script src="/js/redirect.js"></script><p>Redirecting…</p>')
    const opened = async (code: string) =>
      await openedWith({
        '/': start,
        '/js/redirect.js': { headers: { 'content-type': 'text/javascript' }, body: code },
      })
    expect(await opened(script)).toMatchObject({ finalUrl: 'https://works.example/it/' })
    await close()
    // It has the names of pages for another purpose.
    expect(await opened(`show('/it/')`)).toMatchObject({ finalUrl: 'https://works.example/' })
  })

  test.each([
    ['changes the scheme alone', choosing(`if (location.protocol === 'http:') location.href = 'https:'`, '')],
    [
      'waits for a click',
      choosing(
        `document.onclick = 1; b.addEventListener('click', () => { if (a) { location.href = '/en.html' } })`,
        '',
      ),
    ],
    [
      'leads on in a function that nothing calls',
      choosing(`function go() { location.href = '/en.html' }`, ''),
    ],
    [
      'compares, and leads on in a comment',
      choosing(`if (location.href == a) b() // location.href = '/en.html'`, ''),
    ],
    ['has a text beside', choosing(chosen, `<p>${'word '.repeat(40)}</p>`)],
    ['names a page that no link names', page(`<script>location.href = '/en.html'</script>`)],
  ])('a start page whose script %s stays the home page', async (_, start) => {
    const { fetcher } = await open(routes({ ...open200, '/': start, '/en.html': page('<h1>Works</h1>') }))
    const [home] = repliesFor(await capture(fetcher, 'basic'), 'home')
    expect(home).toMatchObject({ finalUrl: 'https://works.example/', redirects: [] })
  })

  test.each([
    ['in a comment', page('<!-- <meta http-equiv="refresh" content="0; url=/de/"> --><h1>Works</h1>')],
    ['leads to a script', sendsOn('javascript:alert(1)')],
    ['leads to another site', sendsOn('https://other.example/')],
    ['leads to a page that is not there', sendsOn('/gone')],
    ['leads to itself', sendsOn('/')],
    ['has a text of its own', sendsOn('/de/', 'word '.repeat(40))],
  ])('a page that sends browsers on and %s stays the home page', async (_, start) => {
    const { fetcher } = await open(routes({ ...open200, '/': start, '/de/': page('<h1>Werke</h1>') }))
    const [home] = repliesFor(await capture(fetcher, 'light'), 'home')
    expect(home).toMatchObject({ finalUrl: 'https://works.example/', redirects: [] })
  })

  test('a page that redirects in a circle, or a sixth time, is unreachable', async () => {
    const { fetcher } = await open(({ path }) => {
      if (path === '/robots.txt') return open200['/robots.txt']
      const step = Number(/\d+/.exec(path)?.[0] ?? 0)
      return {
        status: 302,
        headers: {
          location:
            path === '/round' ? '/round?again' : path.startsWith('/round') ? '/round' : `/${step + 1}`,
        },
      }
    })
    await expect(capture(fetcher, 'light', { url: 'https://works.example/round' })).rejects.toThrow('circle')
    await expect(capture(fetcher, 'light')).rejects.toThrow('more than 5 times')
  })

  test('a page that blocks bots is captured with its status 403, beside the page that a browser gets', async () => {
    const { fetcher } = await open(({ path, userAgent }) => {
      if (path === '/robots.txt') return missing
      return userAgent.includes('Chrome/')
        ? page('<h1>Works</h1>')
        : { status: 403, headers: html, body: 'Just a moment' }
    })
    const taken = await capture(fetcher, 'basic')
    expect(repliesFor(taken, 'home')[0]).toMatchObject({ status: 403, body: 'Just a moment' })
    expect(repliesFor(taken, 'home-browser')[0]).toMatchObject({ status: 200 })
  })
})

describe('a slow site', () => {
  test('a site that never sends its page fails the scan as too slow', async () => {
    const { fetcher } = await open(routes({ ...open200, '/': 'hang' }))
    await expect(capture(fetcher, 'light', { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'SITE_TOO_SLOW',
    })
  })

  test('a slow site is captured up to the deadline, and the rest is recorded as skipped', async () => {
    const { fetcher } = await open(
      routes({
        ...open200,
        '/': page('<a href="/about">About</a><a href="/faq">Faq</a>'),
        '/llms.txt': 'drip',
        '/sitemap.xml': 'hang',
      }),
    )
    const taken = await capture(fetcher, 'full', { deadlineMs: 1_000 })
    const firstOf = (purpose: Purpose) => taken.exchanges.find((exchange) => exchange.purpose === purpose)
    expect(firstOf('home')).toMatchObject({ outcome: 'replied', status: 200 })
    expect(firstOf('missing')).toMatchObject({ outcome: 'replied', status: 404 })
    expect(firstOf('sitemap')).toMatchObject({ outcome: 'skipped', reason: 'deadline' })
    expect(firstOf('page')).toMatchObject({ outcome: 'skipped', reason: 'deadline' })
    expect(firstOf('link')).toMatchObject({ outcome: 'skipped', reason: 'deadline' })
  })

  test('a scan that its worker aborts before the page arrives throws the reason of the abort', async () => {
    const reason = new Error('the worker closes')
    const given = new AbortController()
    const { fetcher } = await open(({ path }) => {
      if (path === '/') given.abort(reason)
      return path === '/' ? 'hang' : open200['/robots.txt']
    })
    await expect(capture(fetcher, 'light', { signal: given.signal })).rejects.toBe(reason)
  })
})

describe('sitemaps', () => {
  test('a gzipped sitemap is read, and a sitemap index that names itself is read once', async () => {
    const { site, fetcher } = await open(
      routes({
        '/robots.txt': {
          headers: text,
          body: 'User-agent: *\nAllow: /\nSitemap: https://works.example/map.xml.gz\nSitemap: https://works.example/loop.xml\n',
        },
        '/': page('<h1>Works</h1>'),
        '/map.xml.gz': {
          headers: { 'content-type': 'application/octet-stream' },
          body: gzipSync('<urlset><url><loc>https://works.example/about</loc></url></urlset>'),
        },
        '/loop.xml': {
          headers: xml,
          body: '<sitemapindex><sitemap><loc>https://works.example/loop.xml</loc></sitemap></sitemapindex>',
        },
        '/about': page('<h1>About</h1>'),
      }),
    )
    const taken = await capture(fetcher, 'basic')
    expect(urlsOf(taken, 'page')).toEqual(['/about'])
    expect(pathsOf(site).filter((path) => path === '/loop.xml')).toHaveLength(1)
  })
})

describe('addresses of a sitemap for the sample', () => {
  const entry = (inside: string) =>
    `<urlset><url>${inside}</url><url><loc>https://a.example/2</loc></url></urlset>`

  test.each([
    [
      'entities',
      entry('<loc>https://a.example/?a=1&amp;b=2</loc>'),
      ['https://a.example/?a=1&b=2', 'https://a.example/2'],
    ],
    [
      'CDATA',
      entry('<lastmod>2026-01-01</lastmod><loc>\n<![CDATA[https://a.example/1]]></loc>'),
      ['https://a.example/1', 'https://a.example/2'],
    ],
    [
      'one address in each line',
      'https://a.example/1\r\nfile:///etc/passwd\nhttps://a.example/2',
      ['https://a.example/1', 'https://a.example/2'],
    ],
    ['an entry that was cut', entry('').slice(0, -20), []],
    ['entities that it declares, which are refused', `<!DOCTYPE x [<!ENTITY e "y">]>${entry('')}`, []],
  ])('are read from a sitemap with %s', (_, xml, expected) => {
    expect(readSitemapAddresses(xml).urls.map(({ loc }) => loc)).toEqual(expected)
  })
})

describe('text', () => {
  // In windows-1251 and in Shift_JIS.
  const russian = Buffer.from('3c703eccfb20f7e8ede8ec20e4e8e2e0edfb20e220cae0ebe8ede8ede3f0e0e4e52e', 'hex')
  const japanese = Buffer.from(
    '906697c38e9e8ad482cd95bd93fa8be38e9e82a982e78f5c94aa8e9e82dc82c582c582b7814282a88b438c7982c982a896e282a28d8782ed82b982ad82be82b382a28142',
    'hex',
  )
  const latin = Buffer.from('<meta charset="windows-1252">caf\xe9 \x80', 'latin1')

  test.each([
    ['the charset of its type', Buffer.from('caf\xe9', 'latin1'), 'text/html; charset="ISO-8859-1"', 'café'],
    ['the charset of its meta element', latin, 'text/html', '<meta charset="windows-1252">café €'],
    ['its byte order mark before all', Buffer.from('\ufeffcafé'), 'text/html; charset=iso-8859-1', 'café'],
    ['UTF-8 when its charset is unknown', Buffer.from('café'), 'text/html; charset=klingon', 'café'],
    ['UTF-8 when it names none', Buffer.from('café'), 'text/plain', 'café'],
    [
      'UTF-8 when its meta element says UTF-16',
      Buffer.from('<meta charset=utf-16>é'),
      'text/html',
      '<meta charset=utf-16>é',
    ],
    ['UTF-8 when its type says Latin', Buffer.from('Bäckerei'), 'text/html; charset=iso-8859-1', 'Bäckerei'],
    [
      'UTF-8 when its type says Cyrillic and the text is cut within a character',
      Buffer.from('Привет').subarray(0, -1),
      'text/html; charset=windows-1251',
      'Приве\ufffd',
    ],
    [
      'the charset of its meta element when its type says UTF-8 and it is not',
      Buffer.concat([Buffer.from('<meta charset=windows-1251>'), Buffer.from([0xcf, 0xf0, 0xe8])]),
      'text/html; charset=utf-8',
      '<meta charset=windows-1251>При',
    ],
    [
      'the charset of its type when it is written in ASCII alone',
      Buffer.from('\u001b$B$"\u001b(B'),
      'text/html; charset=iso-2022-jp',
      'あ',
    ],
    [
      'its letters when it names none and is Russian',
      russian,
      'text/html',
      '<p>Мы чиним диваны в Калининграде.',
    ],
    [
      'its letters when it says UTF-8 and is Japanese in Shift_JIS',
      Buffer.concat([Buffer.from('<meta charset=utf-8>'), japanese]),
      'text/html',
      '<meta charset=utf-8>診療時間は平日九時から十八時までです。お気軽にお問い合わせください。',
    ],
    [
      'UTF-8 when it is UTF-8 with a broken character',
      Buffer.concat([Buffer.from('Bäckerei in Köln '), Buffer.from([0xe4]), Buffer.from(' täglich')]),
      'text/html',
      'Bäckerei in Köln \ufffd täglich',
    ],
  ])('of a body is decoded by %s', (_, bytes, type, expected) => {
    expect(decodeBody(bytes, type)).toBe(expected)
  })
})

test('a feed that only a page of the blog names is fetched', async () => {
  const { fetcher } = await open(
    routes({
      ...open200,
      '/': page('<a href="/blog/">Blog</a>'),
      '/blog/': page('<link rel="alternate" type="application/rss+xml" href="/blog/feed.xml"><h1>Blog</h1>'),
      '/blog/feed.xml': { headers: xml, body: '<rss><channel><item></item></channel></rss>' },
    }),
  )
  expect(urlsOf(await capture(fetcher, 'full'), 'feed')).toEqual(['/blog/feed.xml'])
})
