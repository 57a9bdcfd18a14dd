import { describe, expect, test } from 'vitest'
import { isHidden } from '../../../../src/products/scan/site/html/visible-text.ts'
import { readPage } from '../../../../src/products/scan/site/page.ts'
import { captured, reply, site } from '../../../support/scans/captured.ts'

const url = 'https://www.site.example/shop/'
const read = (body: string) => readPage(reply(url, body))

describe('what a reader sees', () => {
  test.each([
    ['a script', '<script>no</script>'],
    ['a style sheet', '<style>no</style>'],
    ['a template', '<template><p>no</p></template>'],
    ['noscript', '<noscript>no</noscript>'],
    ['an SVG title', '<svg><title>no</title></svg>'],
    ['an element with hidden', '<p hidden>no</p>'],
    ['what stands inside a hidden one', '<div hidden><p>no</p></div>'],
    ['aria-hidden', '<p aria-hidden="TRUE">no</p>'],
    ['display:none', '<p style="color:red; DISPLAY : none">no</p>'],
    ['visibility:hidden', '<p style="visibility:hidden">no</p>'],
    ['a closed dialog', '<dialog>no</dialog>'],
  ])('%s is not text', (_, part) => {
    const page = read(`<main>one ${part} two</main>`)
    expect([page.text, page.mainText]).toEqual(['one two', 'one two'])
  })

  test.each([
    '<p aria-hidden="false">yes</p>',
    '<dialog open>yes</dialog>',
    '<p style="display:block">yes</p>',
  ])('what is shown is text: %s', (part) => expect(read(part).text).toBe('yes'))

  test('visible text has spaces between blocks and none between inline elements', () => {
    expect(read('<p>One</p><p>Two<br>three f<b>our</b></p><li>5</li>').text).toBe('One Two three four 5')
  })

  test('an element inside a hidden one is hidden', () => {
    const { $ } = read('<div hidden><p id="a">x</p></div><p id="b">x</p>')
    expect(
      ['#a', '#b'].map((id) =>
        $(id)
          .toArray()
          .flatMap((one) => ('attribs' in one ? [isHidden(one)] : [])),
      ),
    ).toEqual([[true], [false]])
  })
})

describe('the main part', () => {
  const around = '<header>H</header><nav>N</nav>'
  test.each([
    [
      'is main, with the header inside it',
      `${around}<main><header>own</header>text<nav>n</nav></main>`,
      'own text',
    ],
    ['is role=main', `${around}<div role="main">text</div>x`, 'text'],
    [
      'is all articles without main',
      `${around}<article>a<article>b</article></article><article>c</article>x`,
      'a b c',
    ],
    [
      'is the body without navigation, header, footer, aside and form',
      `${around}text<aside>A</aside><form>F</form><footer>F</footer>`,
      'text',
    ],
    [
      'leaves out parts by their role',
      'text<div role="contentinfo">F</div><div role="banner">B</div>',
      'text',
    ],
    ['is the body when main is empty', '<main></main>text', 'text'],
    [
      'is not a hidden main',
      '<div hidden><main>no</main></div><main hidden>no</main><main>yes</main>',
      'yes',
    ],
    ['stands inside a form around the whole page', '<form><h1>T</h1>text</form><form>F</form>', 'T text'],
  ])('%s', (_, html, expected) => expect(read(html).mainText).toBe(expected))
})

test('headings are those of the main part in order, and every visible h1', () => {
  const page = read(`<header><h1>Top</h1><h2>no</h2></header><nav><h1>no</h1></nav>
    <main><h2>Two</h2><h4> Fo<i>ur</i> </h4><h3 hidden>no</h3><h2></h2></main><footer><h2>no</h2></footer>`)
  expect(page.headings).toEqual([
    { level: 1, text: 'Top' },
    { level: 2, text: 'Two' },
    { level: 4, text: 'Four' },
  ])
})

test('links are absolute and without fragment, and have a name, and whether they are internal and navigation', () => {
  const page = read(`<base href="/en/"><nav><a href="a?b#c"> About <b>us</b></a></nav>
    <a href="https://blog.site.example/" aria-label="Blog"></a><a href="//other.example"><img alt="Other"></a>
    <a href="mailto:a@b.example">m</a><a href="javascript:x()">j</a><a href="http://[">broken</a><a name="x">no</a>`)
  expect(page.links).toEqual([
    { url: 'https://www.site.example/en/a?b', text: 'About us', isInternal: true, isNavigation: true },
    { url: 'https://blog.site.example/', text: 'Blog', isInternal: true, isNavigation: false },
    { url: 'https://other.example/', text: 'Other', isInternal: false, isNavigation: false },
  ])
})

test('title, description and language are read, and are empty where there are none', () => {
  const page = read(
    '<html lang="de_AT"><svg><title>no</title></svg><title> A\n b </title><meta name="Description" content=" c  d ">',
  )
  expect([page.title, page.description, page.language]).toEqual(['A b', 'c d', 'de'])
  const bare = read('<html lang="">')
  expect([bare.title, bare.description, bare.language]).toEqual(['', '', undefined])
})

describe('a page made to be expensive is read up to a limit', () => {
  const size = 400_000
  const fill = (part: string) => part.repeat(size / part.length)
  test.each([
    ['deep nesting', fill('<div>')],
    [
      'unclosed formatting in every paragraph',
      `<p>${'<b><i class=a><font>'.repeat(150)}</p>${fill('<p>x</p>')}`,
    ],
    ['many h1', fill('<h1>x</h1>')],
    ['nested articles', fill('<article>')],
    ['what could be tags inside one tag', fill('<a/b=')],
  ])('%s', (_, html) => {
    const { $ } = read(`<p id="first">${html}<p id="last">`)
    expect($('*').length).toBeLessThanOrEqual(30_000)
    expect([$('#first').length, $('#last').length]).toEqual([1, 0])
  })

  test('a tag with more than 500 attributes ends there, and its text and what follows stay', () => {
    const attributes = Array.from({ length: 600 }, (_, at) => `a${at}="<b ' > x"`).join(' ')
    const { $ } = read(`<div ${attributes}></div><!-- <i ' --><p>after</p>`)
    expect(Object.keys($('div').attr() ?? {}).length).toBe(500)
    expect($('p').text()).toBe('after')
  })

  test.each([
    ['names beginning with =', (at: number) => `=a${at} =v`],
    ['a quote after another space', (at: number) => (at === 0 ? 'x=\u00a0"' : `b${at}`)],
    ['a quote in a name', (at: number) => (at === 0 ? '="' : `b${at}`)],
    ['slashes', (at: number) => `a${at}/b${at}`],
    ['quotes closed at once', (at: number) => `a${at}='"'b${at}`],
    ['a start of a tag in a name', (at: number) => `<a${at}`],
  ])('no more than 500 attributes get past by %s', (_, attribute) => {
    const { $ } = read(`<p><i ${Array.from({ length: 1_500 }, (_, at) => attribute(at)).join(' ')}></i>`)
    const counts = $('*')
      .toArray()
      .map((one) => ('attribs' in one ? Object.keys(one.attribs).length : 0))
    expect(Math.max(...counts)).toBeLessThanOrEqual(500)
    expect(Math.max(...counts)).toBeGreaterThan(200)
  })

  test('an ordinary tag stays as it is, also beside scripts with comparisons', () => {
    const attributes = Array.from({ length: 400 }, (_, at) => `a${at}=${at}`).join(' ')
    const path = 'M0 0 '.repeat(2_000)
    const html = `<div ${attributes}><path d="${path}"></path><script>if (a<b) { ${'x y '.repeat(200)}}</script><p>after</p></div>`
    const { $ } = read(html)
    expect([Object.keys($('div').attr() ?? {}).length, $('path').attr('d')]).toEqual([400, path])
    expect([$('script').text(), $('p').text()]).toEqual([`if (a<b) { ${'x y '.repeat(200)}}`, 'after'])
  })

  test('the tree of a page is at most 512 deep', () => {
    const { $ } = read('<div>'.repeat(511))
    expect($('div').length).toBeLessThan(512)
    expect($('div').length).toBeGreaterThan(500)
  })

  test('a page is parsed up to 2 MiB', () => {
    expect(read(`<p>${'a'.repeat(2 * 1024 * 1024)}</p><h1>late</h1>`).headings).toEqual([])
  })
})

describe('the site', () => {
  const html = '<title>x</title>'
  test('a site has the home page first, then the HTML pages of the same site with status 200, without repetitions', () => {
    const read = site({
      'https://site.example/': { body: html, finalUrl: 'https://www.site.example/' },
      'https://www.site.example/a': html,
      'https://www.site.example/a#again': { body: html, purpose: 'page' },
      'https://www.site.example/home': { body: html, finalUrl: 'https://www.site.example/' },
      'https://www.site.example/gone': { body: html, status: 404 },
      'https://www.site.example/file': { body: '%PDF', headers: { 'Content-Type': 'application/pdf' } },
      'https://www.site.example/out': { body: html, finalUrl: 'https://other.example/' },
      'https://www.site.example/late': { skipped: 'deadline' },
      'https://www.site.example/untyped': { body: html, headers: { 'content-type': [] } },
    })
    expect(read.pages.map((page) => page.url)).toEqual([
      'https://www.site.example/',
      'https://www.site.example/a',
      'https://www.site.example/untyped',
    ])
    expect(read.home).toBe(read.pages[0])
    expect([read.origin, read.registrableDomain]).toEqual(['https://www.site.example', 'site.example'])
  })

  test.each([
    ['a refusal', { status: 403, body: html }],
    ['a failure', { failed: 'timeout' }],
    ['another type', { body: '{}', headers: { 'content-type': 'application/json' } }],
  ])('has no home page after %s', (_, home) => {
    const read = site({ 'https://site.example/': home, 'https://site.example/a': html })
    expect([read.home, read.pages.length, read.origin]).toEqual([undefined, 1, 'https://site.example'])
  })

  test('a site reads the same after its capture went through JSON', () => {
    const capture = captured({ 'https://site.example/': html })
    expect(JSON.parse(JSON.stringify(capture))).toEqual(capture)
  })
})
