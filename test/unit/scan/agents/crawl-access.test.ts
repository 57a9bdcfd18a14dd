import { describe, expect, test } from 'vitest'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { type Entries, type Entry, type ReplyEntry, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'
const robotsUrl = 'https://site.example/robots.txt'

function run(id: string, entries: Entries): Outcome {
  return runCheck(crawlAccess, id, site(entries, { depth: 'basic' }))
}

function ofRobots(id: string, robots: Entry, pages: readonly string[] = []): Outcome {
  const entries = pages.map((path): [string, Entry] => [`https://site.example${path}`, '<p>x</p>'])
  return run(id, { [home]: '<p>x</p>', [robotsUrl]: robots, ...Object.fromEntries(entries) })
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

test('the crawl-access checks keep their ids and weights', () => {
  expect(crawlAccess.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'robots-file 4, search-tier 5, user-tier 4, training-stance 1, signal-syntax 2, bot-wall 4, challenge 4, sitemap-quality 3, canonical 3, soft-404 5',
  )
})

describe('robots-file', () => {
  const rules = 'User-agent: *\nAllow: /\n'

  test.each([
    ['pass', rules],
    ['pass', { body: rules, bytes: 512_000 }],
    ['warn', { body: rules, bytes: 512_001 }],
    ['warn', 'Sitemap: https://site.example/sitemap.xml'],
    ['warn', { body: rules, headers: { 'content-type': 'text/markdown' } }],
    ['warn', { status: 404 }],
    ['fail', { status: 500 }],
    ['fail', '<!doctype html><html><body>Shell</body></html>'],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
  ] as const)('robots-file is %s for %j', (result, robots) => {
    expect(ofRobots('robots-file', robots).result).toBe(result)
  })
})

describe('search-tier and user-tier', () => {
  const pages = ['/a', '/b', '/c', '/d', '/e']

  test.each([
    ['search-tier', 'pass', 'User-agent: GPTBot\nDisallow: /'],
    ['search-tier', 'warn', 'User-agent: YouBot\nDisallow: /c'],
    ['search-tier', 'warn', 'User-agent: *\nDisallow: /c\nDisallow: /d'],
    ['search-tier', 'fail', 'User-agent: *\nDisallow: /b\nDisallow: /c\nDisallow: /d'],
    ['user-tier', 'pass', 'User-agent: YouBot\nDisallow: /'],
    ['user-tier', 'warn', 'User-agent: ChatGPT-User\nUser-agent: Claude-User\nDisallow: /'],
    ['user-tier', 'fail', 'User-agent: *\nDisallow: /'],
  ] as const)('%s is %s for %j', (id, result, robots) => {
    expect(ofRobots(id, robots, pages).result).toBe(result)
  })

  test('search-tier tries the first five pages and names each bot with the paths it may not read', () => {
    const outcome = ofRobots('search-tier', 'User-agent: YouBot\nDisallow: /c\nDisallow: /e', pages)
    expect(outcome.reason).toContain('49 of 50')
    expect(quotesOf(outcome)).toBe('YouBot may read 4 of 5 pages, and not /c')
    const all = ofRobots('search-tier', 'User-agent: YouBot\nDisallow: /', pages)
    expect(quotesOf(all)).toBe('YouBot may read none of 5 pages')
  })

  test('user-tier judges the rules for the root when no page was read', () => {
    const outcome = run('user-tier', {
      [home]: { status: 503 },
      [robotsUrl]: 'User-agent: *\nDisallow: /',
    })
    expect(outcome.result).toBe('fail')
  })
})

test.each([
  ['pass', 'User-agent: gptbot\nAllow: /'],
  ['pass', 'User-agent: *\nContent-Signal: search=yes, ai-train=no'],
  ['pass', 'User-agent: *\nContent-Usage: /blog train-ai=y'],
  ['fail', 'User-agent: *\nContent-Signal: search=yes'],
  ['fail', 'User-agent: *\nContent-Signal: ai-train=maybe'],
  ['fail', { status: 404 }],
  ['unmeasured', { failed: 'timeout' }],
] as const)('training-stance is %s for %j', (result, robots) => {
  expect(ofRobots('training-stance', robots).result).toBe(result)
})

test('training-stance accepts a Content-Usage header', () => {
  const outcome = run('training-stance', {
    [home]: { body: '<p>x</p>', headers: { 'Content-Usage': 'search=y, train-ai=n' } },
    [robotsUrl]: { status: 404 },
  })
  expect(outcome.result).toBe('pass')
})

test.each([
  ['na', 'User-agent: *\nAllow: /', ''],
  ['pass', 'User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference', ''],
  ['pass', 'User-agent: *\nContent-Usage: / train-ai=n', ''],
  ['fail', 'Content-Signal: search=yes\nUser-agent: *\nAllow: /', 'before the first'],
  ['fail', 'User-agent: *\nContent-Signal: ai_train=no', 'ai_train'],
  ['fail', 'User-agent: *\nContent-Signal: ai-train=n', 'yes or no'],
  ['fail', 'User-agent: *\nContent-Usage: train-ai=no', 'y or n'],
  ['fail', 'User-agent: *\nContent-Signal: use=all', 'no value of use'],
  ['fail', 'User-agent: *\nContent-Signal:', 'says nothing'],
] as const)('signal-syntax is %s for %j', (result, robots, fault) => {
  const outcome = ofRobots('signal-syntax', robots)
  expect(outcome.result).toBe(result)
  expect(quotesOf(outcome)).toContain(fault)
})

describe('bot-wall', () => {
  const seen = (ours: ReplyEntry, theirs: Entry) =>
    run('bot-wall', { [home]: ours, [`${home}#browser`]: theirs })
  const browser = (entry: ReplyEntry): Entry => ({ purpose: 'home-browser', ...entry })

  test.each([
    ['pass', { body: words(50) }, { body: words(100) }],
    ['fail', { body: words(49) }, { body: words(100) }],
    ['fail', { status: 403, body: words(100) }, { body: words(100) }],
    ['unmeasured', { body: words(50) }, { status: 403 }],
  ] as const)('bot-wall is %s for %j and %j', (result, ours, theirs) => {
    expect(seen(ours, browser(theirs)).result).toBe(result)
  })

  test('bot-wall is unmeasured when the request as a browser failed', () => {
    expect(seen({ body: words(50) }, { purpose: 'home-browser', failed: 'timeout' }).result).toBe(
      'unmeasured',
    )
  })
})

test.each([
  ['pass', { body: words(60) }],
  ['fail', { body: words(60), headers: { 'cf-mitigated': 'challenge' } }],
  ['fail', { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } }],
  ['fail', { status: 403, body: '<title>Just a moment...</title>' }],
  ['unmeasured', { status: 403, body: '<title>Forbidden</title>' }],
  ['fail', { body: `<script src="https://js.hcaptcha.com/1/api.js"></script>${words(49)}` }],
  ['warn', { body: `<form></form><script src="https://js.hcaptcha.com/1/api.js"></script>${words(50)}` }],
  ['pass', { body: `<script src="https://js.hcaptcha.com/1/api.js"></script>${words(50)}` }],
  [
    'pass',
    { body: `<script src="https://www.google.com/recaptcha/api.js?render=6Lkey"></script>${words(50)}` },
  ],
  [
    'warn',
    {
      body: `<p data-sitekey="a"></p><script src="https://www.google.com/recaptcha/api.js?render=explicit"></script>${words(50)}`,
    },
  ],
  ['unmeasured', { failed: 'timeout' }],
] as const)('challenge is %s for %j', (result, entry) => {
  expect(run('challenge', { [home]: entry }).result).toBe(result)
})

describe('sitemap-quality', () => {
  const page = (at: number) => `https://site.example/p${at}`
  const urlset = (urls: readonly string[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
  const tried = (entries: readonly (ReplyEntry | { failed: string })[], strangers: readonly string[] = []) =>
    run('sitemap-quality', {
      [home]: '<p>x</p>',
      'https://site.example/sitemap.xml': urlset([...entries.map((_, at) => page(at)), ...strangers]),
      ...Object.fromEntries(
        entries.map((entry, at) => [page(at), { purpose: 'sitemap-url' as const, ...entry }]),
      ),
    })
  const good = (count: number) => Array.from({ length: count }, () => ({}))

  test.each([
    ['pass', good(10), []],
    ['warn', [...good(8), { status: 404 }, { status: 500 }], []],
    ['fail', [...good(7), { status: 404 }, { status: 404 }, { status: 404 }], []],
    ['warn', [...good(9), { headers: { 'x-robots-tag': 'noindex' } }], []],
    ['warn', [...good(9), { body: '<meta name="robots" content="noindex">' }], []],
    ['pass', [...good(9), { failed: 'timeout' }], []],
    ['unmeasured', [{ failed: 'timeout' }], []],
    ['warn', good(10), ['https://www.site.example/a']],
    ['fail', good(10), ['https://other.example/a']],
  ] as const)('sitemap-quality is %s for %j with %j', (result, entries, strangers) => {
    expect(tried(entries, strangers).result).toBe(result)
  })

  test.each([
    ['na', { status: 404 }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
  ] as const)('sitemap-quality is %s when the sitemap answered %j', (result, entry) => {
    const outcome = run('sitemap-quality', { [home]: '<p>x</p>', 'https://site.example/sitemap.xml': entry })
    expect(outcome.result).toBe(result)
  })

  const index = (urls: readonly string[]) =>
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`
  const parts = ['https://site.example/sitemap-pages.xml', 'https://site.example/sitemap-posts.xml'] as const

  test('sitemap-quality names the file with a dead address and not its index', () => {
    const outcome = run('sitemap-quality', {
      [home]: '<p>x</p>',
      'https://site.example/sitemap.xml': index(parts),
      [parts[0]]: urlset([page(0)]),
      [parts[1]]: urlset([`${page(1)}?a=1&amp;b=2`]),
      [page(0)]: { purpose: 'sitemap-url' },
      [`${page(1)}?a=1&b=2`]: { purpose: 'sitemap-url', status: 404 },
    })
    expect('fix' in outcome && outcome.fix).toContain(parts[1])
    expect('fix' in outcome && outcome.fix).toContain('status 404')
    expect('fix' in outcome && outcome.fix).not.toContain('sitemap.xml')
    expect(quotesOf(outcome)).toContain(`status 404, listed in ${parts[1]}`)
  })

  test('sitemap-quality names the file with an address of another host and not its index', () => {
    const outcome = run('sitemap-quality', {
      [home]: '<p>x</p>',
      'https://site.example/sitemap.xml': index(parts),
      [parts[0]]: urlset([page(0)]),
      [parts[1]]: urlset(['https://other.example/a']),
      [page(0)]: { purpose: 'sitemap-url' },
    })
    expect('fix' in outcome && outcome.fix).toMatch(/other\.example.*sitemap-posts\.xml/)
    expect(outcome.reason).not.toContain('dead end')
  })

  test('sitemap-quality names the file with too many addresses and not its index', () => {
    const outcome = run('sitemap-quality', {
      [home]: '<p>x</p>',
      'https://site.example/sitemap.xml': index(parts),
      [parts[0]]: urlset([page(0)]),
      [parts[1]]: Array.from({ length: 50_001 }, () => page(1)).join('\n'),
    })
    expect(outcome.result).toBe('fail')
    expect('fix' in outcome && outcome.fix).toContain(parts[1])
  })

  test('sitemap-quality fails a sitemap with more than 50,000 addresses', () => {
    const many = Array.from({ length: 50_001 }, () => 'https://site.example/').join('\n')
    const outcome = run('sitemap-quality', { [home]: '<p>x</p>', 'https://site.example/sitemap.xml': many })
    expect(outcome.result).toBe('fail')
  })
})

describe('canonical', () => {
  const link = (href: string) => `<link rel="canonical" href="${href}">`
  const target: Entries = { 'https://www.site.example/#target': { purpose: 'canonical' } }
  const gone: Entries = { 'https://www.site.example/#target': { purpose: 'canonical', status: 404 } }

  test.each([
    ['pass', link('https://site.example/'), {}],
    ['pass', link('https://www.site.example/'), target],
    ['fail', link('https://www.site.example/'), gone],
    ['unmeasured', link('https://www.site.example/'), {}],
    ['fail', '<p>x</p>', {}],
    ['fail', link('https://site.example/') + link('https://site.example/'), {}],
    ['fail', link('/'), {}],
    ['fail', link('http://site.example/'), {}],
    ['fail', link('https://other.example/'), {}],
  ] as const)('canonical is %s for %s', (result, body, others) => {
    expect(run('canonical', { [home]: body, ...others }).result).toBe(result)
  })

  test.each([
    ['https://site.example/', '/', /relative/, /https:\/\/site\.example\/"/],
    ['https://site.example/', '//site.example/', /relative/, /https:\/\/site\.example\/"/],
    ['https://site.example/', 'http://site.example/', /begins with http:/, /https:\/\/site\.example\/"/],
    ['http://site.example/', 'http://site.example/', /begins with http:/, /served over https.*"https:/],
    ['http://site.example/', '/', /relative/, /served over https.*"https:/],
    ['http://site.example/', undefined, /names no canonical/, /served over https.*"https:/],
  ] as const)(
    'on %s, canonical quotes %s as written, and its fix names an https address',
    (url, href, reason, fix) => {
      const outcome = run('canonical', { [url]: href === undefined ? '<p>x</p>' : link(href) })
      expect(outcome.result).toBe('fail')
      expect(outcome.reason).toMatch(reason)
      expect(outcome.reason.includes('how the page was reached')).toBe(/relative/.test(outcome.reason))
      expect('fix' in outcome && outcome.fix).toMatch(fix)
      expect('fix' in outcome && outcome.fix).not.toContain('href="http:')
    },
  )

  test('canonical accepts the address in a Link header', () => {
    const outcome = run('canonical', {
      [home]: { body: '<p>x</p>', headers: { Link: '<https://site.example/>; rel="canonical"' } },
    })
    expect(outcome.result).toBe('pass')
  })
})

test.each([
  ['pass', { status: 404 }],
  ['pass', { status: 410 }],
  ['fail', { status: 200 }],
  ['fail', { status: 200, finalUrl: home, redirects: [{ url: 'https://site.example/no', status: 302 }] }],
  ['fail', { status: 500 }],
  ['unmeasured', { status: 403 }],
  ['unmeasured', { failed: 'timeout' }],
] as const)('soft-404 is %s for %j', (result, entry) => {
  expect(
    run('soft-404', { [home]: '<p>x</p>', 'https://site.example/no': { purpose: 'missing', ...entry } })
      .result,
  ).toBe(result)
})

describe('the canonical address of other pages', () => {
  const text = (word: string) => Array.from({ length: 40 }, (_, at) => `${word}${at}`).join(' ')
  const page = (title: string, canonical: string) =>
    `<head><title>${title}</title><link rel="canonical" href="${canonical}"></head><body><main><h1>${title}</h1><p>${text(title)}</p></main></body>`
  const at = (path: string) => `https://site.example${path}`
  const ofSite = (other: string) =>
    run('canonical', {
      [home]: page('Home', home),
      [at('/implants')]: page('Implants', other),
      [at('/roots')]: page('Roots', at('/roots')),
    })

  test('that is a page with another text is reported, because engines leave the page out', () => {
    expect(ofSite(at('/implants')).result).toBe('pass')
    expect(ofSite(at('/roots'))).toMatchObject({
      result: 'warn',
      reason: expect.stringContaining('1 of 3 pages names a page with another text'),
      fix: `Name ${at('/implants')} as the canonical address of that page, in place of ${at('/roots')}.`,
      evidence: [{ url: at('/implants'), value: `canonical: ${at('/roots')}` }],
    })
  })

  test('may be that of a page with the same text', () => {
    const copy = page('Roots', at('/roots'))
    const outcome = run('canonical', {
      [home]: page('Home', home),
      [at('/roots')]: page('Roots', at('/roots')),
      [at('/print')]: copy,
    })
    expect(outcome.result).toBe('pass')
  })
})
