import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'
import { gatesOf } from '../../../../src/products/scan/report/gates.ts'
import { type Entries, type Entry, type Options, site } from '../../../support/scans/captured.ts'
import { quotesOf, resultsOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
const page = `<main>${words(60)}</main>`

function run(id: string, entries: Entries, options: Options = {}): Outcome {
  return runCheck(renderPerformance, id, site(entries, options))
}

test('the render-performance checks keep their ids and weights', () => {
  expect(renderPerformance.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'js-shell 5, ttfb 3, html-size 2, text-size 2, compression 2, head-scripts 2, img-dims 2, linked-files 2, counters 1, static-cache 1, viewport 1, protocol 1',
  )
})

test('without a reply for the page, the render-performance checks are unmeasured', () => {
  const seen = site({ [home]: { failed: 'timeout' } })
  const results = resultsOf(renderPerformance, seen)
  expect(results.filter((result) => !/ unmeasured$/.test(result))).toEqual(['static-cache na'])
})

describe('js-shell', () => {
  const script = '<script src="/app.js"></script>'

  test.each([
    ['35 words and no script', words(35)],
    ['5 words and no script', words(5)],
    ['an empty place and no script that could fill it', '<div id="root"></div>'],
    [
      'an empty place and a block of data',
      '<div id="app"></div><script type="application/ld+json">{}</script>',
    ],
    ['few words, a link and a script that counts visitors', `${words(35)}<a href="/menu">Menu</a>${script}`],
    ['few words, a form and a script', `${words(35)}<form><input name="q"></form>${script}`],
    ['few words and a script of its own', `${words(35)}<script>track()</script>`],
  ])('js-shell does not apply to a short page with %s', (_, body) => {
    expect(run('js-shell', { [home]: body }).result).toBe('na')
  })

  test.each([
    ['asks for consent', '<script src="https://consent.cookiebot.com/uc.js"></script>'],
    ['counts visitors', '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>'],
    ['counts visitors from its own host', '<script src="/stats/matomo.js"></script>'],
    ['opens a chat', '<script src="https://client.crisp.chat/l.js"></script>'],
    ['draws a map', '<script src="https://maps.googleapis.com/maps/api/js"></script>'],
    ['loads a font', '<script src="https://kit.fontawesome.com/1.js"></script>'],
  ])('js-shell does not apply to a short page whose only script %s', (_, other) => {
    const body = `<p>${words(35)}</p>${other}`
    expect(run('js-shell', { [home]: body }).result).toBe('na')
    expect(gatesOf(site({ [home]: body }))).toEqual([])
    expect(run('js-shell', { [home]: body + script }).result).toBe('warn')
  })

  test.each([
    ['a shop', '<script src="https://app.ecwid.com/script.js"></script>'],
    ['the maker of a chat', '<script src="https://site.example/crisp.chat/l.js"></script>'],
  ])('js-shell warns of a short page that only the script of %s can fill', (_, other) => {
    expect(run('js-shell', { [home]: `<p>${words(35)}</p>${other}` }).result).toBe('warn')
  })

  test('js-shell names what the HTML of a shell holds', () => {
    expect(run('js-shell', { [home]: `<div id="root"></div>${script}` })).toMatchObject({
      reason: expect.stringContaining('0 words, fewer than 50, and #root, where scripts put a page, holds 0'),
    })
    expect(run('js-shell', { [home]: `<my-page>Loading</my-page>${script}` })).toMatchObject({
      reason: expect.stringContaining('1 word, no link to another page and no form, and loads 1 script;'),
    })
  })

  test.each([
    ['pass', `<main>${words(50)}</main>${script}`],
    ['fail', `<main>${words(49)}</main><div id="root"></div>${script}`],
    ['fail', `<div id="root"></div>${script}`],
    ['fail', `<div id="__next">${'x'.repeat(49)}</div><script>${words(100)}</script>`],
    ['fail', script],
    ['warn', `<my-page>Loading</my-page>${script}`],
    ['warn', `${page}<div id="app">${'x'.repeat(49)}</div>${script}`],
    ['pass', `${page}<div id="app">${'x'.repeat(50)}</div>${script}`],
    [
      'warn',
      `${page}<div id="__nuxt"><script>${words(100)}</script><noscript>${words(100)}</noscript></div>`,
    ],
  ])('js-shell is %s for %s', (result, body) => {
    expect(run('js-shell', { [home]: body }).result).toBe(result)
  })

  test('js-shell warns of another page that is a shell, and not of a short one', () => {
    const about = 'https://site.example/about'
    expect(run('js-shell', { [home]: page, [about]: `<div id="root"></div>${script}` })).toMatchObject({
      result: 'warn',
      evidence: [{ url: about }],
    })
    expect(run('js-shell', { [home]: page, [about]: 'Call us' }).result).toBe('pass')
  })
})

describe('ttfb', () => {
  const timed = (...times: number[]): Entries => ({
    [home]: times.map((firstByteMs, at) => ({
      firstByteMs,
      body: page,
      purpose: at === 0 ? 'home' : 'home-again',
    })),
  })
  test.each([
    ['pass', [5_000, 799, 1]],
    ['warn', [800, 1, 5_000]],
    ['warn', [1, 1_799, 5_000]],
    ['fail', [1_800, 1, 5_000]],
    ['unmeasured', [100, 100]],
  ])('ttfb is %s for %j ms', (result, times) => {
    expect(run('ttfb', timed(...times)).result).toBe(result)
  })

  test('ttfb quotes all three times and counts no refusal', () => {
    expect(quotesOf(run('ttfb', timed(30, 10, 20)))).toBe('first byte after 30, 10, 20 ms')
    const refused: Entries = {
      [home]: [page, { purpose: 'home-again' }, { purpose: 'home-again', status: 503 }],
    }
    expect(run('ttfb', refused).result).toBe('unmeasured')
  })
})

describe('sizes', () => {
  test.each<[string, Entry]>([
    ['pass', { body: page, bytes: 500_000 }],
    ['warn', { body: page, bytes: 500_001 }],
    ['warn', { body: page, bytes: 1_000_000 }],
    ['fail', { body: page, bytes: 1_000_001 }],
    ['fail', { body: page, bytes: 2_000_000, isCut: true }],
    ['unmeasured', { body: page, bytes: 900_000, isCut: true }],
  ])('html-size is %s for %j', (result, entry) => {
    expect(run('html-size', { [home]: entry }).result).toBe(result)
  })

  test.each([
    ['pass', 50_000],
    ['warn', 50_001],
    ['warn', 100_000],
    ['fail', 100_001],
  ])('text-size is %s for %i characters', (result, length) => {
    const about = { 'https://site.example/about': 'x'.repeat(length) }
    expect(run('text-size', { [home]: page, ...about })).toMatchObject({
      result,
      // Only the pages that are to be split.
      evidence: [
        { url: 'https://site.example/about', value: `${length} characters` },
        ...(result === 'pass' ? [{ url: home }] : []),
      ],
    })
  })
})

describe('compression', () => {
  test.each([
    ['pass', 'br', 2_000],
    ['pass', 'GZIP', 2_000],
    ['pass', 'zstd', 2_000],
    ['fail', 'identity', 2_000],
    ['fail', '', 2_000],
    ['na', '', 1_999],
  ])('compression is %s for %j and %i bytes', (result, encoding, bytes) => {
    expect(
      run('compression', { [home]: { body: page, bytes, headers: { 'content-encoding': encoding } } }).result,
    ).toBe(result)
  })

  test('compression states how much gzip would save on the page', () => {
    const body = 'bike '.repeat(1_000)
    expect(run('compression', { [home]: body })).toMatchObject({
      reason: expect.stringContaining('at least 95 % off the 5000 bytes'),
    })
    // A letter out of 64 carries 6 of the 8 bits of its byte, so gzip saves almost a quarter.
    const letters = Array.from({ length: 100 }, (_, at) =>
      createHash('sha512').update(`${at}`).digest('base64url'),
    )
    expect(run('compression', { [home]: letters.join('') })).toMatchObject({
      reason: expect.stringContaining('at least 20 % off the 8600 bytes'),
    })
  })
})

describe('head-scripts', () => {
  const head = (blocking: number, other = '') =>
    `<head>${'<script src="/a.js"></script>'.repeat(blocking)}${other}</head><body>${page}</body>`
  test.each([
    ['pass', 'three', head(3)],
    ['fail', 'four', head(4)],
    ['fail', 'types that browsers run', head(3, '<script type="text/javascript" src="/b.js"></script>')],
    [
      'pass',
      'scripts that do not block',
      head(
        3,
        '<script async src="/b.js"></script><script defer src="/b.js"></script><script type="module" src="/b.js"></script><script nomodule src="/b.js"></script><script>x</script>',
      ),
    ],
    ['pass', 'scripts in the body', `${head(3)}<script src="/b.js"></script>`],
  ])('head-scripts is %s for %s', (result, _, body) => {
    expect(run('head-scripts', { [home]: body }).result).toBe(result)
  })

  test('head-scripts quotes each script that has to move, because one that stays would run too early', () => {
    const outcome = run('head-scripts', { [home]: head(9) })
    expect('evidence' in outcome && outcome.evidence).toHaveLength(9)
  })

  test.each([
    ['defer', 'track("a")'],
    ['defer', 'document.title = "made with Vue.js"'],
    ['out of the head, before the first script that needs them,', '$(".menu").hide()'],
    [
      'out of the head, before the first script that needs them,',
      "WebFont.load({ google: { families: ['Lato'] } })",
    ],
    ['out of the head, before the first script that needs them,', 'try{Typekit.load()}catch(e){}'],
    ['out of the head, before the first script that needs them,', 'tailwind.config = { theme: {} }'],
  ])('the advice is %s beside %s', (advice, script) => {
    const body = `${head(4)}<script>${script}</script>`
    const fix =
      advice === 'defer'
        ? /^Add defer/
        : /^Move .* out of the head, to just before the first script of the body/
    expect(run('head-scripts', { [home]: body })).toMatchObject({ fix: expect.stringMatching(fix) })
  })
})

describe('img-dims', () => {
  const images = (sized: number, all: number) =>
    Array.from(
      { length: all },
      (_, at) => `<img src="/${at}.png" ${at < sized ? 'width="9" height="9"' : 'width="9"'}>`,
    ).join('')
  test.each([
    ['pass', images(9, 10)],
    ['warn', images(8, 10)],
    [
      'pass',
      '<img src="/a.png" style="aspect-ratio: 3/2"><img src="/a.png" style="width:1px;height:2px"><img src="/a.png" width="1" height="2">',
    ],
    ['warn', '<img src="/a.png" style="max-width:1px;line-height:2px">'],
    ['warn', '<img src="/a.png" width="auto" height="auto">'],
    ['pass', '<img src="/a.png" style="height:44px;width:auto">'],
    ['warn', '<img src="/a.png" style="height:auto;width:44px">'],
    ['warn', '<img src="/a.png" class="h-75">'],
    ['pass', '<img src="/a.png" class="h-64"><img src="/b.png" class="absolute inset-0">'],
    // A script gives it an address, or it comes with the page.
    ['na', '<img id="shown"><img src="data:image/png;base64,AAAA">'],
    ['na', ''],
  ])('img-dims is %s for %s', (result, body) => {
    expect(run('img-dims', { [home]: `${page}${body}` }).result).toBe(result)
  })

  const card = '<div class="card"><a href="/a"><img src="/a.png"></a></div>'
  const styled = (body: string, rules: string, link = '/site.css') =>
    run('img-dims', {
      [home]: `${page}<link rel="stylesheet" href="${link}">${body}`,
      'https://site.example/site.css': { purpose: 'style', body: rules },
    })

  test.each([
    ['pass', '.card img { width: 100%; height: 220px }'],
    ['pass', '@media (min-width: 600px) { .card > a > img { aspect-ratio: 3 / 2 } }'],
    ['pass', '.card { height: 30vh; overflow: hidden }'],
    ['pass', '.card a { position: relative; padding-bottom: 66% }'],
    ['warn', '.card img { height: auto; max-width: 100% }'],
    ['warn', '.card img { height: 100% }'],
    ['warn', '.other img { height: 220px }'],
    ['warn', '.card:hover img { height: 220px }'],
    ['warn', '.card img { line-height: 2 } img { max-height: 4em }'],
    ['warn', 'img::nonsense(((, { height: 1px } @media {{{'],
  ])('img-dims is %s where a stylesheet of the site has %s', (result, rules) => {
    expect(styled(card, rules).result).toBe(result)
  })

  test('img-dims speaks of stylesheets that were not read', () => {
    expect(styled(card, '', 'https://cdn.example/a.css')).toMatchObject({
      reason: expect.stringContaining('1 stylesheet was not read'),
      fix: expect.stringMatching(/^See whether a stylesheet/),
    })
    expect(styled(card, '')).toMatchObject({ fix: expect.stringMatching(/^Add width and height/) })
  })

  test('img-dims knows the classes by which a script gives a height', () => {
    expect(styled('<img class="w-full md:h-48" src="/a.png">', '').result).toBe('pass')
    expect(styled('<img class="w-full h-auto" src="/a.png">', '').result).toBe('warn')
  })

  test('img-dims counts the images of all pages and quotes those without size', () => {
    const outcome = run('img-dims', { [home]: images(1, 1), 'https://site.example/about': images(0, 1) })
    expect(outcome).toMatchObject({
      reason: expect.stringContaining('1 of 2 images'),
      evidence: [{ url: 'https://site.example/about', value: '<img src="/0.png" width="9">' }],
    })
  })
})

describe('static-cache', () => {
  const cached = (control: string): Entry => ({ purpose: 'asset', headers: { 'cache-control': control } })
  test.each<[string, Entry[]]>([
    ['pass', [cached('public, max-age=86400'), cached('max-age=31536000, immutable')]],
    ['fail', [cached('max-age=86399')]],
    ['fail', [cached('max-age=31536000'), cached('')]],
    ['fail', [cached('s-maxage=86400')]],
    ['fail', [cached('no-store, max-age=86400')]],
    ['unmeasured', [{ purpose: 'asset', failed: 'timeout' }]],
    ['unmeasured', [{ purpose: 'asset', status: 403 }]],
    ['na', []],
  ])('static-cache is %s for %j', (result, entries) => {
    expect(
      run('static-cache', { [home]: page, 'https://site.example/app.3f9a2b1c.js': entries }).result,
    ).toBe(result)
  })
})

describe('viewport', () => {
  test.each([
    ['pass', 'width=device-width, initial-scale=1'],
    ['pass', 'initial-scale=1;WIDTH = device-width'],
    ['fail', 'width=1024'],
    ['fail', 'min-width=device-width-x'],
  ])('viewport is %s for %j', (result, content) => {
    expect(run('viewport', { [home]: `<meta name="Viewport" content="${content}">${page}` }).result).toBe(
      result,
    )
  })

  test('viewport fails a page without one', () => {
    expect(run('viewport', { [home]: page }).result).toBe('fail')
  })
})

describe('protocol', () => {
  test.each<[string, string | undefined, string]>([
    ['pass', 'h2', ''],
    ['pass', 'http/1.1', 'h3=":443"; ma=86400'],
    ['pass', undefined, 'h2="alt:443", h3-29=":443"'],
    ['fail', 'http/1.1', 'clear'],
    ['unmeasured', undefined, ''],
  ])('protocol is %s for %s and Alt-Svc %j', (result, alpn, services) => {
    const entries: Entries = { [home]: { body: page, headers: { 'alt-svc': services } } }
    expect(run('protocol', entries, alpn === undefined ? {} : { alpn }).result).toBe(result)
  })

  test('protocol does not apply over http, where none is negotiated', () => {
    expect(run('protocol', { 'http://site.example/': page })).toMatchObject({
      result: 'na',
      reason: expect.stringContaining('http://'),
    })
  })
})

test('checks of markup do not apply to a PDF', () => {
  const seen = site({ [home]: { body: '%PDF-1.7', headers: { 'content-type': 'application/pdf' } } })
  const results = resultsOf(renderPerformance, seen)
  expect(results.filter((result) => !/ na$/.test(result))).toEqual(['ttfb unmeasured', 'protocol unmeasured'])
})

test('img-dims and static-cache speak of one item in the singular', () => {
  expect(run('img-dims', { [home]: '<img src="/a.png">' })).toMatchObject({
    reason: expect.stringContaining('0 of 1 image has a size'),
  })
  const file: Entry = { purpose: 'asset', headers: { 'cache-control': 'no-store' } }
  expect(run('static-cache', { [home]: page, 'https://site.example/app.3f9a2b1c.js': file })).toMatchObject({
    reason: expect.stringContaining('0 of 1 static file has'),
  })
})

describe('linked-files', () => {
  const linking = '<link rel="stylesheet" href="/style.css"><script src="/app.js"></script><main>Teeth</main>'
  const files = (style: Entry, script: Entry): Entries => ({
    [home]: linking,
    'https://site.example/style.css': style,
    'https://site.example/app.js': script,
  })
  const gone = (purpose: 'style' | 'script') => ({ status: 404, purpose })
  const there = (purpose: 'style' | 'script') => ({ body: 'x', purpose })

  test.each([
    ['pass', there('style'), there('script')],
    ['fail', gone('style'), there('script')],
    ['warn', there('style'), gone('script')],
    // What the server does not say is no fault.
    ['pass', there('style'), { status: 503, purpose: 'script' }],
    ['unmeasured', { failed: 'timeout', purpose: 'style' }, { failed: 'timeout', purpose: 'script' }],
  ] as const)('linked-files is %s for %j and %j', (result, style, script) => {
    expect(run('linked-files', files(style, script)).result).toBe(result)
  })

  test('linked-files does not apply to a page without such files', () => {
    expect(run('linked-files', { [home]: page }).result).toBe('na')
  })

  test('linked-files names the file, its page and what visitors see', () => {
    expect(run('linked-files', files(gone('style'), gone('script')))).toMatchObject({
      reason: '2 files that the pages load are not there. Visitors see the page without its design.',
      fix: `Publish the stylesheet https://site.example/style.css, or correct its address on ${home}. Do the same with another file. A line that loads a file no longer needed can go.`,
      evidence: [
        { url: home, value: 'stylesheet https://site.example/style.css: status 404' },
        { url: home, value: 'script https://site.example/app.js: status 404' },
      ],
    })
  })
})
