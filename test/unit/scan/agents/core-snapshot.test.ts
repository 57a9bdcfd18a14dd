import { describe, expect, test } from 'vitest'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { type Entries, type Entry, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'

function run(id: string, entries: Entries): Outcome {
  return runCheck(coreSnapshot, id, site(entries, { depth: 'light' }))
}

/** Runs a check on a site with only a home page. */
function ofHome(id: string, entry: Entry): Outcome {
  return run(id, { [home]: entry })
}

function ofFile(id: string, path: string, entry: Entry): Outcome {
  return run(id, { [home]: '<p>x</p>', [`https://site.example${path}`]: entry })
}

const hops = (count: number) =>
  Array.from({ length: count }, (_, hop) => ({ url: `https://site.example/${hop}`, status: 301 }))
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
const characters = (count: number) => 'x'.repeat(count)
const titled = (title: number, description: number) =>
  `<title>${characters(title)}</title><meta name="description" content="${characters(description)}">`
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`

test('the core-snapshot checks keep their ids and weights', () => {
  expect(coreSnapshot.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'reach 5, ssr-text 5, search-bots 5, indexable 4, jsonld-any 4, title-desc 3, sitemap 3, contact-path 3, one-h1 2, llms-sane 1',
  )
})

describe('reach', () => {
  test.each([
    ['pass', {}],
    ['pass', { redirects: hops(1) }],
    ['warn', { redirects: hops(2) }],
    ['warn', { redirects: hops(3) }],
    ['fail', { redirects: hops(4) }],
    ['fail', { status: 503 }],
    ['fail', { finalUrl: 'http://site.example/' }],
    ['unmeasured', { failed: 'timeout' }],
  ] as const)('reach is %s for %j', (result, entry) => {
    expect(ofHome('reach', { body: '<p>x</p>', ...entry }).result).toBe(result)
  })

  test('reach fails when https gave no answer and http did', () => {
    const outcome = run('reach', {
      [home]: { failed: 'tls', purpose: 'home' },
      'http://site.example/': '<p>x</p>',
    })
    expect(outcome.result).toBe('fail')
  })
})

describe('ssr-text', () => {
  test.each([
    ['pass', 150],
    ['warn', 149],
    ['warn', 50],
    ['fail', 49],
  ] as const)('ssr-text is %s for %i words', (result, count) => {
    expect(ofHome('ssr-text', `<nav>${words(300)}</nav><p>${words(count)}</p>`).result).toBe(result)
  })

  test('ssr-text is unmeasured for a page that did not answer 200', () => {
    expect(ofHome('ssr-text', { status: 403, body: words(300) }).result).toBe('unmeasured')
  })
})

describe('the cause that ssr-text names', () => {
  const script = '<script src="/app.js"></script>'

  test.each([
    ['a short page without a script', `<p>${words(35)}</p>`, false],
    ['a short page with a script and its own text', `${script}<p>${words(35)}</p>`, false],
    ['an empty element with a script in the page', '<div id="root"></div><script>start()</script>', false],
    ['no text and no script', '<img src="/a.png" alt="">', false],
    ['no text and an external script', `<app-shell></app-shell>${script}`, true],
    ['an empty mount element and an external script', `<p>Loading</p><div id="root"> </div>${script}`, true],
    ['a mount element with its text', `<div id="root"><p>${words(35)}</p></div>${script}`, false],
  ] as const)(
    'for %s, ssr-text names JavaScript only when a script would write the text',
    (_, body, isScript) => {
      const outcome = ofHome('ssr-text', body)
      const texts = `${outcome.reason} ${'fix' in outcome ? outcome.fix : ''}`
      expect(/JavaScript|render/i.test(texts)).toBe(isScript)
      expect(/150 words or more/.test(texts)).toBe(!isScript)
    },
  )
})

describe('the fix of reach for a refused page', () => {
  const refused = (browser: Entries) => run('reach', { [home]: { status: 403 }, ...browser })

  test('the fix of reach names the User-Agent only when a browser was let in', () => {
    const letIn = refused({ [`${home}#browser`]: { purpose: 'home-browser' } })
    const keptOut = refused({ [`${home}#browser`]: { purpose: 'home-browser', status: 403 } })
    expect('fix' in letIn && letIn.fix).toContain('User-Agent')
    expect(quotesOf(letIn)).toContain('status 200 for a browser')
    for (const outcome of [keptOut, refused({})]) {
      expect('fix' in outcome && outcome.fix).not.toMatch(/User-Agent|JavaScript|cookies/)
    }
  })
})

describe('search-bots', () => {
  const shutOut = (bots: readonly string[]) =>
    bots.map((bot) => `User-agent: ${bot}\nDisallow: /\n`).join('\n')

  test.each([
    ['pass', shutOut(['GPTBot'])],
    ['warn', shutOut(['PerplexityBot'])],
    ['warn', shutOut(['PerplexityBot', 'Bingbot'])],
    ['fail', shutOut(['PerplexityBot', 'Bingbot', 'Googlebot'])],
    ['fail', shutOut(['*'])],
    ['pass', { status: 404 }],
    ['fail', { status: 503 }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
  ] as const)('search-bots is %s for %j', (result, robots) => {
    expect(ofFile('search-bots', '/robots.txt', robots).result).toBe(result)
  })

  test('search-bots names every bot that is shut out', () => {
    const outcome = ofFile('search-bots', '/robots.txt', shutOut(['PerplexityBot', 'Bingbot']))
    expect(outcome.reason).toContain('3 of 5')
    expect(quotesOf(outcome)).toMatch(/PerplexityBot .* \| Bingbot /)
  })
})

describe('indexable', () => {
  test.each([
    ['pass', '<p>x</p>', undefined],
    [
      'pass',
      '<meta name="robots" content="index, nofollow">',
      'max-snippet: 20, unavailable_after: 2030-01-01',
    ],
    ['fail', '<meta name="Robots" content="NoIndex,follow">', undefined],
    ['fail', '<meta name="robots" content="none">', undefined],
    ['fail', '<meta name="googlebot" content="noindex">', undefined],
    ['pass', '<meta name="googlebot-news" content="noindex">', undefined],
    ['fail', '<p>x</p>', 'noindex'],
    ['fail', '<p>x</p>', 'otherbot: nofollow, bingbot: nofollow, noindex'],
    ['pass', '<p>x</p>', 'otherbot: noindex, nofollow'],
    ['fail', '<p>x</p>', 'max-snippet: 20, none'],
  ] as const)('indexable is %s for %s with X-Robots-Tag %s', (result, body, header) => {
    const headers = header === undefined ? {} : { 'X-Robots-Tag': header }
    expect(ofHome('indexable', { body, headers }).result).toBe(result)
  })
})

test.each([
  ['pass', jsonLd('{"@context":"https://schema.org","@type":"Dentist"}')],
  ['fail', jsonLd('{"@context":"https://schema.org","name":"x"}')],
  ['fail', jsonLd('{"@context":"https://example.org","@type":"Dentist"}')],
  ['fail', jsonLd('{"@type":')],
  ['fail', '<p>x</p>'],
] as const)('jsonld-any is %s for %s', (result, body) => {
  expect(ofHome('jsonld-any', body).result).toBe(result)
})

test.each([
  ['pass', 10, 50],
  ['pass', 70, 170],
  ['warn', 9, 50],
  ['warn', 71, 50],
  ['warn', 10, 49],
  ['warn', 10, 171],
  ['fail', 9, 0],
] as const)('title-desc is %s for %i and %i characters', (result, title, description) => {
  expect(ofHome('title-desc', titled(title, description)).result).toBe(result)
})

test('a title or description that is too long is shortened, and one that is missing is written', () => {
  const fixOf = (title: number, description: number) => {
    const outcome = ofHome('title-desc', titled(title, description))
    return 'fix' in outcome ? outcome.fix : ''
  }
  expect(fixOf(20, 171)).toMatch(
    /, leave a few words out of the description, so that it has at most 170 characters\.$/,
  )
  expect(fixOf(71, 0)).toMatch(
    /leave a few words out of the title, .+ and write a description of 50 to 170 characters to say what/,
  )
  expect(fixOf(5, 0)).toMatch(
    /write a title of 10 to 70 characters and a description of 50 to 170 characters to say what the site offers\./,
  )
})

test('a description that ends at its own quotation mark is mended, and not written again', () => {
  const rest = 'and "caring" dentists for the whole family in Galway, open from Monday to Saturday'
  const outcome = ofHome(
    'title-desc',
    `<title>Lind Dental</title><meta name="description" content="Kind "gentle" ${rest}">`,
  )
  expect(outcome).toMatchObject({
    result: 'warn',
    reason: expect.stringContaining('ends at a quotation mark within it, after 4 characters'),
    fix: expect.stringMatching(/quotation mark .+ as &quot;, because the first one ends it\.$/),
  })
  expect(outcome).not.toHaveProperty('work')
})

describe('sitemap', () => {
  const urlset =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://site.example/a</loc></url></urlset>'

  test.each([
    ['pass', urlset],
    ['fail', '<html><body>Not here</body></html>'],
    ['fail', { status: 404 }],
    ['fail', { status: 500 }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
    ['unmeasured', { skipped: 'budget' }],
  ] as const)('sitemap is %s for %j', (result, entry) => {
    expect(ofFile('sitemap', '/sitemap.xml', entry).result).toBe(result)
  })

  test.each([
    ['warn', { status: 404 }],
    ['warn', '<html><body>Home</body></html>'],
    ['pass', { failed: 'timeout' }],
    ['pass', urlset],
  ] as const)(
    'where robots.txt names an address that gives %s for %j, the one at the usual place is found',
    (result, entry) => {
      const outcome = run('sitemap', {
        'https://site.example/robots.txt': 'User-agent: *\nSitemap: https://site.example//map.xml\n',
        [home]: '<p>x</p>',
        'https://site.example//map.xml': {
          purpose: 'sitemap',
          ...(typeof entry === 'string' ? { body: entry } : entry),
        },
        'https://site.example/sitemap.xml': urlset,
      })
      expect(outcome.result).toBe(result)
      if ('fix' in outcome) expect(outcome.fix).toContain('Sitemap: https://site.example/sitemap.xml')
    },
  )

  test('sitemap is unmeasured when it was not requested', () => {
    expect(ofHome('sitemap', '<p>x</p>').result).toBe('unmeasured')
  })
})

test.each([
  ['pass', '<a href="tel:+441632960011">Call</a>'],
  ['pass', '<a href="mailto:desk@site.example">Write</a>'],
  ['fail', '<a href="mailto:?subject=Look">Share</a>'],
  [
    'pass',
    '<form action="/send"><input name="m" type="email"><textarea name="t"></textarea><button>Send</button></form>',
  ],
  // Fields without names are not sent, and nobody answers this number.
  ['fail', '<form><input type="email"><textarea></textarea><button>Send</button></form>'],
  ['warn', '<a href="tel:+41441234567">044 123 45 67</a>'],
  ['fail', '<form><input type="email"><textarea></textarea></form>'],
  ['fail', '<form role="search"><input name="q"><button>Search</button></form>'],
  ['fail', '<form><input type="email"><input type="password"><button>Log in</button></form>'],
  ['pass', '<a href="/contact-us">Say hello</a>'],
  ['pass', '<a href="https://plan.example/x">Book a demo</a>'],
  ['pass', '<a href="/kontakt/">Schreiben Sie uns</a>'],
  ['pass', '<form action="/cart/add"><button>Add to cart</button></form>'],
  ['pass', '<form action="/buy"><select name="size"></select><button>Buy now</button></form>'],
  ['pass', '<button data-id="7">Add to basket</button>'],
  ['pass', '<a href="/collections/all">Shop now</a>'],
  ['pass', '<a href="/cart"><svg></svg></a>'],
  ['pass', '<a href="/warenkorb/">0 Artikel</a>'],
  ['pass', '<a href="/x">Demander un devis</a>'],
  ['pass', '<a href="/x">Richiedi un preventivo</a>'],
  ['fail', '<a href="/blog/order-in-the-garden">Order in the garden</a>'],
  ['fail', '<a href="/books/">Books</a>'],
  ['fail', '<a href="/blog/x">Ten poems that everybody should quote at a wedding</a>'],
] as const)('contact-path is %s for %s', (result, body) => {
  expect(ofHome('contact-path', body).result).toBe(result)
})

test.each([
  ['pass', '<h1>Bikes</h1><h1> </h1>'],
  ['warn', '<h1>Bikes</h1><h1>Skates</h1>'],
  ['fail', '<h2>Bikes</h2><h1></h1>'],
] as const)('one-h1 is %s for %s', (result, body) => {
  expect(ofHome('one-h1', body).result).toBe(result)
})

test('texts say that title, description and JSON-LD are missing instead of counting 0', () => {
  const title = ofHome('title-desc', '<p>x</p>')
  expect(title.reason).toContain('no title and no description')
  const facts = ofHome('jsonld-any', '<p>x</p>')
  expect(facts.reason).not.toContain('0 JSON-LD')
})

describe('llms-sane', () => {
  const guide = '# Bikes\n\nRepairs and hire of bicycles in the old town.\n\n- [Prices](/prices)\n'

  test.each([
    ['pass', guide],
    ['na', { status: 404 }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
    ['fail', { status: 500 }],
    ['na', { body: '<!doctype html><html><body>Shell</body></html>' }],
    ['fail', { body: guide, headers: { 'content-type': 'application/octet-stream' } }],
    ['fail', guide.replace('# Bikes', 'Bikes')],
    ['fail', guide.replace('[Prices](/prices)', 'Prices')],
    ['fail', `# B\n[P](/prices) ${characters(32)}`],
    ['pass', `# B\n[P](/prices) ${characters(33)}`],
  ] as const)('llms-sane is %s for %j', (result, entry) => {
    expect(ofFile('llms-sane', '/llms.txt', entry).result).toBe(result)
  })
})

test('evidence of the core snapshot spells out invisible characters', () => {
  const outcome = ofHome('title-desc', '<title>Bi\u202ekes\u200b</title>')
  expect(quotesOf(outcome)).toContain('Bi\\u{202e}kes\\u{200b}')
})
