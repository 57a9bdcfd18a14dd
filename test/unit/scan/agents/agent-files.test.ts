import { describe, expect, test } from 'vitest'
import { agentFiles } from '../../../../src/products/scan/agents/agent-files/agent-files.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { type Entries, type Entry, type ReplyEntry, site } from '../../../support/scans/captured.ts'
import { quotesOf, resultsOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'
const llms = 'https://site.example/llms.txt'
const shell = '<!doctype html><html><body><div id="root"></div></body></html>'
const guide =
  '# Bikes\n\n> We repair bikes.\n\n## Pages\n\n- [Prices](https://site.example/prices): what it costs\n'
const page = '<main>Hello</main>'
const posts = `${page}<a href="/blog">Blog</a>`
/** A blog and nothing else; a business may have posts, too. */
const blog = `${posts}<script type="application/ld+json">{"@context":"https://schema.org","@type":"Blog"}</script>`

function run(id: string, entries: Entries): Outcome {
  return runCheck(agentFiles, id, site(entries))
}

/** An entry with more than a body. */
type Seen = Exclude<Entry, string>

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
const markdown = (body: string, headers: Record<string, string> = {}): ReplyEntry => ({
  purpose: 'home-markdown',
  body,
  headers: { 'content-type': 'text/markdown; charset=utf-8', ...headers },
})

test('the agent-files checks keep their ids and weights', () => {
  expect(agentFiles.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'md-negotiation 4, llms-present 3, llms-structure 3, llms-links 3, llms-coverage 2, md-twin 2, md-parity 2, md-links 1, llms-size 1, llms-advertised 1, md-alternate 1, llms-full 1',
  )
})

test('no agent-files check fails a site of which only the page was read', () => {
  const results = resultsOf(agentFiles, site({ [home]: page }))
  expect(results.filter((result) => / (?:fail|pass)$/.test(result))).toEqual([])
})

describe('md-negotiation', () => {
  test.each<[string, string, Entry]>([
    ['pass', 'markdown that varies by Accept', markdown('# Bikes', { vary: 'Accept-Encoding, Accept' })],
    ['pass', 'markdown that varies by everything', markdown('# Bikes', { vary: '*' })],
    ['warn', 'markdown without Vary', markdown('# Bikes')],
    ['warn', 'markdown that varies by the encoding only', markdown('# Bikes', { vary: 'Accept-Encoding' })],
    ['fail', 'HTML', { purpose: 'home-markdown', body: page }],
    ['fail', 'HTML that says it is markdown', markdown(shell, { vary: 'Accept' })],
    ['fail', '406', { purpose: 'home-markdown', status: 406 }],
    ['unmeasured', 'a refusal', { purpose: 'home-markdown', status: 429 }],
    ['unmeasured', 'a server fault', { purpose: 'home-markdown', status: 500 }],
    ['unmeasured', 'no answer', { purpose: 'home-markdown', failed: 'timeout' }],
    ['unmeasured', 'a skipped request', { purpose: 'home-markdown', skipped: 'budget' }],
  ])('md-negotiation is %s for %s', (result, _, entry) => {
    expect(run('md-negotiation', { [home]: blog, [`${home}#md`]: entry }).result).toBe(result)
  })

  test('md-negotiation quotes the type that was sent instead of Markdown', () => {
    const outcome = run('md-negotiation', {
      [home]: blog,
      [`${home}#md`]: { purpose: 'home-markdown', body: page },
    })
    expect(quotesOf(outcome)).toContain('status 200, text/html')
  })

  test('md-negotiation does not apply to a small site, a shop or the posts of a business, unless it serves Markdown and passes', () => {
    for (const body of [page, `${page}<a href="/cart">Cart</a>`, `${posts}<a href="/prices">Prices</a>`]) {
      for (const entry of [{ body: page }, { status: 406 }, { failed: 'timeout' }]) {
        const served: Entry = { ...entry, purpose: 'home-markdown' }
        expect(run('md-negotiation', { [home]: body, [`${home}#md`]: served }).result).toBe('na')
      }
      const served = markdown('# Bikes', { vary: 'Accept' })
      expect(run('md-negotiation', { [home]: body, [`${home}#md`]: served }).result).toBe('pass')
    }
  })

  test.each([
    ['an llms.txt', page, guide],
    ['an API', `${page}<a href="/api">API</a>`, ''],
    ['an account', `${page}<a href="/login">Log in</a><a href="/signup">Sign up</a>`, ''],
  ])('md-negotiation applies to a site with %s', (_, body, text) => {
    const llmsFile: Entries = text === '' ? {} : { [llms]: text }
    const served: Entry = { body: page, purpose: 'home-markdown' }
    expect(run('md-negotiation', { [home]: body, [`${home}#md`]: served, ...llmsFile }).result).toBe('fail')
  })
})

describe('llms-present', () => {
  test.each<[string, Entry]>([
    ['pass', guide],
    ['pass', { body: guide, headers: { 'content-type': 'text/markdown' } }],
    ['fail', { body: guide, headers: { 'content-type': 'application/octet-stream' } }],
    ['na', { body: shell, headers: { 'content-type': 'text/html' } }],
    ['na', { body: shell }],
    ['fail', { status: 500 }],
    ['na', { status: 404 }],
    ['unmeasured', { status: 403 }],
    ['unmeasured', { failed: 'timeout' }],
    ['unmeasured', { skipped: 'deadline' }],
  ])('llms-present is %s for %j', (result, entry) => {
    const served: Entry = typeof entry === 'string' ? entry : { ...entry, purpose: 'llms' }
    expect(run('llms-present', { [home]: page, [llms]: served }).result).toBe(result)
  })
})

describe('llms-structure', () => {
  test.each([
    ['pass', guide],
    ['pass', `\uFEFF\r\n${guide.replaceAll('\n', '\r\n')}`],
    ['warn', guide.replace('> ', '')],
    ['fail', guide.replace('# Bikes', 'Bikes')],
    ['fail', `Welcome\n${guide}`],
    ['fail', guide.replace('## Pages\n', '')],
    ['fail', guide.replace('- [Prices]', '[Prices]')],
    ['fail', '# Bikes\n\n> We repair bikes.\n\n```\n## Pages\n- [Prices](https://site.example/)\n```\n'],
    ['fail', ''],
  ])('llms-structure is %s for %j', (result, body) => {
    expect(run('llms-structure', { [home]: page, [llms]: body }).result).toBe(result)
  })

  test('llms-structure does not apply when llms.txt is a web page', () => {
    expect(run('llms-structure', { [home]: page, [llms]: { body: shell } }).result).toBe('na')
  })
})

describe('llms-links', () => {
  const links = (good: number, dead: number, more: Entry[] = []) => [
    ...Array.from({ length: good }, (): Entry => ({ purpose: 'llms-link' })),
    ...Array.from({ length: dead }, (): Entry => ({ purpose: 'llms-link', status: 404 })),
    ...more,
  ]
  test.each<[string, string, Entry[]]>([
    ['pass', '20 of 20', links(20, 0)],
    ['pass', '18 of 20', links(18, 2)],
    ['warn', '17 of 20', links(17, 3)],
    ['warn', '14 of 20', links(14, 6)],
    ['fail', '13 of 20', links(13, 7)],
    ['fail', 'a name that does not exist', links(1, 0, [{ purpose: 'llms-link', failed: 'dns' }])],
    ['pass', 'a failed look-up of ours', links(1, 0, [{ purpose: 'llms-link', failed: 'lookup' }])],
    ['pass', 'links that were skipped', links(1, 0, [{ purpose: 'llms-link', skipped: 'robots' }])],
    ['pass', 'servers that are busy', links(1, 0, [{ purpose: 'llms-link', status: 429 }])],
    ['pass', 'servers that do not let us in', links(1, 0, [{ purpose: 'llms-link', status: 403 }])],
    ['fail', 'a server fault', links(1, 0, [{ purpose: 'llms-link', status: 500 }])],
    ['unmeasured', 'only timeouts', [{ purpose: 'llms-link', failed: 'timeout' }]],
    ['unmeasured', 'links that were not followed', []],
  ])('llms-links is %s for %s', (result, _, entries) => {
    expect(run('llms-links', { [home]: page, [llms]: guide, 'https://site.example/a': entries }).result).toBe(
      result,
    )
  })

  test('llms-links does not apply without llms.txt or without links in it', () => {
    expect(run('llms-links', { [home]: page, [llms]: { status: 404, purpose: 'llms' } }).result).toBe('na')
    expect(run('llms-links', { [home]: page, [llms]: '# Bikes' }).result).toBe('na')
  })

  test('llms-links names the dead links', () => {
    const outcome = run('llms-links', { [home]: page, [llms]: guide, 'https://site.example/a': links(1, 1) })
    expect(outcome).toMatchObject({ evidence: [{ url: 'https://site.example/a', value: 'status 404' }] })
  })
})

describe('md-twin', () => {
  const withLogin = `${page}<a href="/login">Log in</a><a href="/signup">Sign up</a>`
  const twins = (...entries: Seen[]): Entries =>
    Object.fromEntries(
      ['index.html.md', 'about.md', 'prices.md'].map((name, at) => [
        `${home}${name}`,
        { ...(entries[at] ?? gone), purpose: 'markdown-twin' },
      ]),
    )
  const good: Seen = { body: '# Copy' }
  const gone: Seen = { status: 404 }
  test.each<[string, string, string, Entries]>([
    ['pass', 'all three', page, twins(good, good, good)],
    ['warn', 'two of three', page, twins(good, good, gone)],
    ['fail', 'web pages in their place', withLogin, twins({ body: shell }, { body: shell }, { body: shell })],
    ['na', 'web pages on a small site', page, twins({ body: shell }, { body: shell }, { body: shell })],
    ['fail', 'plain text', page, twins({ body: 'x', headers: { 'content-type': 'text/plain' } }, gone, gone)],
    ['fail', 'none where people log in', withLogin, twins(gone, gone, gone)],
    ['na', 'none in a shop', `${page}<a href="/cart">Cart</a>`, twins(gone, gone, gone)],
    [
      'fail',
      'none where the page names one',
      `${page}<link rel="alternate" type="text/markdown" href="/index.html.md">`,
      twins(gone, gone, gone),
    ],
    ['na', 'none on a small site', page, twins(gone, gone, gone)],
    [
      'na',
      'none where markdown is negotiated',
      withLogin,
      { ...twins(gone, gone, gone), [`${home}#md`]: markdown('# a') },
    ],
    [
      'unmeasured',
      'refusals',
      withLogin,
      twins({ status: 403 }, { failed: 'timeout' }, { skipped: 'budget' }),
    ],
  ])('md-twin is %s for %s', (result, _, body, entries) => {
    expect(run('md-twin', { [home]: body, ...entries }).result).toBe(result)
  })

  test('md-twin applies to a site with an llms.txt', () => {
    expect(run('md-twin', { [home]: page, [llms]: guide, ...twins(gone, gone, gone) }).result).toBe('fail')
  })

  test('md-twin counts two addresses of one copy as one page', () => {
    const outcome = run('md-twin', {
      [home]: page,
      [`${home}about.md`]: { purpose: 'markdown-twin', status: 404 },
      [`${home}about/index.html.md`]: { purpose: 'markdown-twin', body: '# About' },
    })
    expect(outcome).toMatchObject({ result: 'pass', evidence: [{ url: `${home}about/index.html.md` }] })
  })
})

describe('md-parity', () => {
  const about = 'https://site.example/about'
  const parity = (body: string) =>
    run('md-parity', {
      [home]: page,
      [about]: `<main>${words(100)}</main>`,
      [`${about}.md`]: { purpose: 'markdown-twin', body },
    })
  test.each([
    ['pass', '70 of 100 words', words(70)],
    ['fail', '69 of 100 words', words(69)],
    ['fail', 'an open fence', `${words(100)}\n\`\`\`js\ncode`],
    ['pass', 'a closed fence', `${words(100)}\n\`\`\`js\ncode ~~~\n~~~\n\`\`\`\n`],
    ['fail', 'a fence closed by a shorter one', `${words(100)}\n\`\`\`\`\ncode\n\`\`\`\n`],
  ])('md-parity is %s for %s', (result, _, body) => {
    expect(parity(body).result).toBe(result)
  })

  test('md-parity counts a repeated word as often as it stands on both sides', () => {
    const entries: Entries = {
      [home]: `<main>${'bike '.repeat(100)}</main>`,
      [`${home}#md`]: markdown('bike '.repeat(50)),
    }
    expect(quotesOf(run('md-parity', entries))).toContain('50 of 100 words')
  })

  test('md-parity compares a copy with the page that names it', () => {
    const outcome = run('md-parity', {
      [home]: `<link rel="alternate" type="text/markdown" href="/copy.md"><main>${words(100)}</main>`,
      [`${home}copy.md`]: { purpose: 'markdown-twin', body: words(10) },
    })
    expect(outcome.result).toBe('fail')
  })

  test.each<[string, Entries]>([
    ['na', { [`${home}index.html.md`]: { purpose: 'markdown-twin', status: 404 } }],
    ['unmeasured', { [`${home}index.html.md`]: { purpose: 'markdown-twin', status: 403 } }],
    ['unmeasured', { [`${home}#md`]: { ...markdown(words(9)), isCut: true } }],
  ])('md-parity is %s for %j', (result, entries) => {
    expect(run('md-parity', { [home]: `<main>${words(100)}</main>`, ...entries }).result).toBe(result)
  })
})

describe('llms-size', () => {
  test.each([
    ['pass', 50_000],
    ['warn', 50_001],
    ['warn', 100_000],
    ['fail', 100_001],
  ])('llms-size is %s for %i characters', (result, length) => {
    expect(run('llms-size', { [home]: page, [llms]: 'x'.repeat(length) }).result).toBe(result)
  })

  test('llms-size is unmeasured for a file that was cut early, and fails one that is too long anyway', () => {
    expect(run('llms-size', { [home]: page, [llms]: { body: guide, isCut: true } }).result).toBe('unmeasured')
    expect(
      run('llms-size', { [home]: page, [llms]: { body: 'x'.repeat(100_001), isCut: true } }).result,
    ).toBe('fail')
  })
})

describe('llms-advertised', () => {
  test.each<[string, Entry]>([
    ['pass', { body: page, headers: { link: '</llms.txt>; rel="describedby"; type="text/markdown"' } }],
    ['pass', '<link rel="describedby" href="/llms.txt">'],
    ['fail', '<link rel="describedby" href="/about.txt">'],
    ['pass', { body: page, headers: { link: '</llms.txt>; rel="alternate"' } }],
    ['unmeasured', { status: 500 }],
  ])('llms-advertised is %s for %j', (result, entry) => {
    expect(run('llms-advertised', { [home]: entry, [llms]: guide }).result).toBe(result)
  })

  test('llms-advertised does not apply without llms.txt', () => {
    expect(run('llms-advertised', { [home]: page, [llms]: { status: 404, purpose: 'llms' } }).result).toBe(
      'na',
    )
  })
})

describe('md-alternate', () => {
  const twin = (status: number): Entries => ({
    [`${home}index.html.md`]: { purpose: 'markdown-twin', status },
  })
  test.each<[string, Entry, Entries]>([
    ['pass', '<link rel="alternate" type="text/markdown" href="/index.html.md">', twin(200)],
    [
      'pass',
      { body: page, headers: { link: '</index.html.md>; rel="alternate"; type="text/markdown"' } },
      twin(200),
    ],
    ['fail', '<link rel="alternate" type="application/rss+xml" href="/feed">', twin(200)],
    ['fail', page, { [`${home}#md`]: markdown('# a') }],
    ['na', page, twin(404)],
    ['unmeasured', page, twin(503)],
    ['unmeasured', page, {}],
  ])('md-alternate is %s for %j with %j', (result, entry, entries) => {
    expect(run('md-alternate', { [home]: entry, ...entries }).result).toBe(result)
  })
})

describe('llms-full', () => {
  test.each<[string, Seen]>([
    ['pass', { body: 'All of it' }],
    ['fail', { status: 404 }],
    ['fail', { body: shell }],
    ['unmeasured', { status: 503 }],
    ['unmeasured', { skipped: 'robots' }],
  ])('llms-full is %s for %j', (result, entry) => {
    const entries: Entries = {
      [home]: page,
      [llms]: guide,
      [`${home}llms-full.txt`]: { ...entry, purpose: 'llms-full' },
    }
    expect(run('llms-full', entries).result).toBe(result)
  })

  test('llms-full does not apply without llms.txt', () => {
    expect(run('llms-full', { [home]: page, [llms]: { status: 404, purpose: 'llms' } }).result).toBe('na')
  })
})

test('checks of Markdown copies and links do not apply to a PDF', () => {
  const pdf: ReplyEntry = { body: '%PDF-1.7', headers: { 'content-type': 'application/pdf' } }
  const seen = site({
    [home]: pdf,
    [llms]: guide,
    [`${home}#md`]: { ...pdf, purpose: 'home-markdown' },
    [`${home}index.html.md`]: { purpose: 'markdown-twin', failed: 'timeout' },
  })
  const results = resultsOf(agentFiles, seen)
  for (const id of ['md-negotiation', 'md-twin', 'md-parity', 'llms-advertised', 'md-alternate'])
    expect(results).toContain(`${id} na`)
})

describe('llms-coverage', () => {
  const links = (...paths: string[]) =>
    paths.map((path) => `- [Page](https://site.example${path})`).join('\n')
  const sitemap = (...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>https://site.example${path}</loc></url>`).join('')}</urlset>`
  const ofGuide = (body: string, map: Entry, page = '<main>Hello</main>') =>
    run('llms-coverage', {
      [home]: page,
      [llms]: { purpose: 'llms', body, headers: { 'content-type': 'text/plain' } },
      'https://site.example/sitemap.xml': map,
    })
  const four = sitemap('/', '/prices', '/bikes', '/about', '/contact', '/privacy', '/blog/first')

  test.each([
    ['pass', 'all main pages', links('/prices', '/bikes', '/about', '/contact')],
    ['pass', 'half of them, by their Markdown copies', links('/prices.md', '/bikes/index.html.md')],
    ['pass', 'half of them, as files', links('/prices.html.md', '/bikes/')],
    ['warn', 'one of four', links('/prices', '/blog/first')],
    ['fail', 'none of them', links('/privacy', '/blog/first')],
    ['na', 'no links at all', '# Bikes'],
  ])('llms-coverage is %s for a guide that names %s', (result, _, body) => {
    expect(ofGuide(body, four).result).toBe(result)
  })

  test('the pages that the menu links are the main ones, wherever they are', () => {
    const menu = ['/de/preise', '/de/raeder', '/de/team'].map((path) => `<a href="${path}">x</a>`).join('')
    const outcome = ofGuide(
      links('/de/preise'),
      sitemap('/a', '/b', '/c', '/d', '/de/preise', '/de/raeder', '/de/team'),
      `<nav>${menu}</nav><main>Hello</main>`,
    )
    expect(outcome).toMatchObject({ result: 'warn', reason: expect.stringContaining('1 of 3 main pages') })
    expect(quotesOf(outcome)).toContain('does not name https://site.example/de/raeder')
  })

  test('a sitemap that is missing, short or unread does not judge the guide', () => {
    const guideOfOne = links('/prices')
    expect(ofGuide(guideOfOne, { status: 404, purpose: 'sitemap' }).result).toBe('na')
    expect(ofGuide(guideOfOne, sitemap('/', '/prices', '/about')).result).toBe('na')
    expect(ofGuide(guideOfOne, { failed: 'timeout', purpose: 'sitemap' }).result).toBe('unmeasured')
  })
})

describe('md-links', () => {
  const link = (path: string, status: number): [string, Entry] => [
    `https://site.example${path}`,
    { purpose: 'markdown-link', status },
  ]
  const body = '[a](/a) [b](/b)'
  test.each<[string, string, ReplyEntry, [string, Entry][]]>([
    ['pass', 'links that work', markdown(body), [link('/a', 200), link('/b', 200)]],
    ['fail', 'a dead link of two', markdown(body), [link('/a', 200), link('/b', 404)]],
    ['unmeasured', 'links that were not followed', markdown(body), []],
    ['unmeasured', 'links that were refused', markdown(body), [link('/a', 403)]],
    ['na', 'no links', markdown('# Bikes'), []],
    ['na', 'HTML instead of Markdown', { purpose: 'home-markdown', body: page }, []],
  ])('md-links is %s for %s', (result, _, entry, links) => {
    expect(
      run('md-links', { [home]: blog, [`${home}#md`]: entry, ...Object.fromEntries(links) }).result,
    ).toBe(result)
  })
})
