import { describe, expect, test } from 'vitest'
import { repliesFor } from '../../../../src/products/scan/site/capture.ts'
import { captureInMemory, scanInMemory } from '../../../support/scans/scan-in-memory.ts'
import type { SavedSite } from '../../../support/servers/saved-site.ts'

/** Headers and footers that a script puts into pages from files of the site. */

const html = { 'content-type': 'text/html; charset=utf-8' }
const text =
  'We repair teeth with care in our practice in Hull, and we explain each step before we begin. '.repeat(20)

function site(page: { readonly head?: string; readonly body: string }, files: Record<string, string>) {
  const requests: string[] = []
  const home = `<!doctype html><html lang="en"><head><title>Nord Dental, dentist in Hull</title>${page.head ?? ''}</head>
<body>${page.body}</body></html>`
  const saved: SavedSite = {
    names: ['nord.example'],
    depth: 'full',
    answer({ path }) {
      requests.push(path)
      const body = path === '/' ? home : files[path]
      if (body === undefined) return { status: 404, headers: html, body: '<h1>None</h1>' }
      return { headers: path.endsWith('.js') ? { 'content-type': 'text/javascript' } : html, body }
    },
  }
  return { saved, requests }
}

const main = `<main><h1>Dentist in Hull</h1><p>${text}</p></main>`
const header =
  '<header><nav><a href="/team.html">Our team</a><a href="/prices.html">Prices</a></nav></header>'
const footer = '<footer>Nord Dental <a href="tel:+441482555123">+44 1482 555123</a></footer>'
const files = {
  '/header.html': header,
  '/parts/footer.html': footer,
  '/team.html': `<!doctype html><html lang="en"><head><title>Team</title></head><body><h1>Our team</h1><p>${text}</p></body></html>`,
}
const include = {
  '/js/include.js': `async function include(id, file) {
  const reply = await fetch(file)
  document.getElementById(id).innerHTML = await reply.text()
}
include('header', '/header.html')
include('footer', '/parts/footer.html')`,
}

const pages = {
  'attributes of elements': {
    body: `<div data-include="header.html"></div>${main}<div w3-include-html="/parts/footer.html"></div>`,
  },
  'calls of jQuery': {
    body: `<div id="header"></div>${main}<div id="footer"></div>
<script>$(function () { $("#header").load("header.html"); $.get("parts/footer.html", function (data) { $("#footer").html(data) }) })</script>`,
  },
  'a script that stands where the part goes': {
    body: `<script id="top">$.get("header.html", function (data) { $("#top").replaceWith(data) })</script>${main}
<script>$.get("parts/footer.html", function (data) { $("body").append(data) })</script>`,
  },
  'a script of the page that fetches': {
    body: `<header id="header"></header>${main}<footer id="footer"></footer>
<script>fetch('header.html').then((reply) => reply.text()).then((part) => { document.querySelector('#header').innerHTML = part })
fetch('/parts/footer.html').then((reply) => reply.text()).then((part) => { document.querySelector('#footer').innerHTML = part })</script>`,
  },
  'a script with a file of its own': {
    head: '<script src="/js/include.js" defer></script>',
    body: `<div id="header"></div>${main}<div id="footer"></div>`,
  },
}

describe.each(Object.entries(pages))('parts put in by %s', (_, page) => {
  const all = { ...files, ...include }

  test('are fetched, and pages behind their links are read', async () => {
    const capture = await captureInMemory(site(page, all).saved, 'full')
    const parts = repliesFor(capture, 'part').map(({ url, status }) => [url, status])
    expect(parts).toEqual([
      ['https://nord.example/header.html', 200],
      ['https://nord.example/parts/footer.html', 200],
    ])
    expect(repliesFor(capture, 'page').map(({ url }) => url)).toContain('https://nord.example/team.html')
  })

  test('are read for the facts, and one check names what programs without scripts miss', async () => {
    const { findings } = await scanInMemory(site(page, all).saved, 'full')
    const resultOf = (name: string) => findings.find(({ check }) => check === name)
    expect(resultOf('contact-path')).toMatchObject({ result: 'pass' })
    const shell = resultOf('js-shell')
    expect(shell).toMatchObject({ result: 'warn' })
    expect(JSON.stringify(shell)).toMatch(
      /header\.html and \/?parts\/footer\.html into the page.{0,90}: 7 words, 2 links and 1 telephone number/,
    )
  })
})

test('a part that is not there is not read, and what it may hold is not called missing', async () => {
  const { findings } = await scanInMemory(site(pages['attributes of elements'], {}).saved, 'full')
  const contact = findings.find(({ check }) => check === 'contact-path')
  expect(contact).toMatchObject({ result: 'unmeasured', reason: expect.stringContaining('header.html') })
})

test.each([
  [
    'names pages in a script that loads none',
    `<script>const menu = ['header.html', 'parts/footer.html']</script>`,
  ],
  ['goes to a page', `<script>fetch('/api'); box.innerHTML = ''; location.href = 'header.html'</script>`],
  ['loads a part of another site', '<div data-include="https://cdn.example/header.html"></div>'],
  ['links what it names', `<a href="header.html">Header</a>`],
])('a page that %s has no part to fetch', async (_, body) => {
  const { saved } = site({ body: `${main}${body}` }, files)
  expect(repliesFor(await captureInMemory(saved, 'full'), 'part')).toEqual([])
})

test('a page with hundreds of parts has eight fetched', async () => {
  const body = Array.from({ length: 300 }, (_, at) => `<div data-include="part-${at}.html"></div>`).join('')
  const { saved } = site({ body: `${main}${body}` }, {})
  const capture = await captureInMemory(saved, 'full')
  expect(repliesFor(capture, 'part')).toHaveLength(8)
})

test('a basic scan reads the parts, too, and a light scan does not', async () => {
  const parts = async (depth: 'light' | 'basic') =>
    repliesFor(await captureInMemory(site(pages['calls of jQuery'], files).saved, depth), 'part')
  expect(await parts('basic')).toHaveLength(2)
  expect(await parts('light')).toEqual([])
})

test.each(['header.html#"', 'header.html#x"],*:has(zz),[a="', 'header.html?. Pay at evil.example'])(
  'a part named %s is none',
  async (name) => {
    const { saved } = site({ body: `${main}<div data-include='${name}'></div>` }, files)
    expect(repliesFor(await captureInMemory(saved, 'full'), 'part')).toEqual([])
  },
)

test('one part of a file is put where it is asked for', async () => {
  const both = { ...files, '/parts.html': '<p id="a">First</p><p id="b">Second part</p>' }
  const { findings } = await scanInMemory(
    site({ body: `${main}<div data-include="parts.html#b"></div>` }, both).saved,
    'full',
  )
  const shell = findings.find(({ check }) => check === 'js-shell')
  expect(JSON.stringify(shell)).toContain('2 words')
})

test('parts of more than a page may hold are left out', async () => {
  const large = { '/large.html': `<p>${'word '.repeat(40_000)}</p>` }
  const { saved } = site({ body: `${main}${'<div data-include="large.html"></div>'.repeat(3)}` }, large)
  const { findings } = await scanInMemory(saved, 'full')
  expect(JSON.stringify(findings.find(({ check }) => check === 'js-shell'))).toContain('40000 words')
})

test('a script that deeper pages alone load is read, and what it puts into them', async () => {
  const team = `<!doctype html><html lang="en"><head><title>Team</title></head><body><div id="header"></div><h1>Our team</h1><p>${text}</p><script src="/js/include.js"></script></body></html>`
  const body = `${main}<nav><a href="/team.html">Our team</a></nav>`
  const { saved } = site({ body }, { ...files, ...include, '/team.html': team })
  expect(repliesFor(await captureInMemory(saved, 'full'), 'part').map(({ url }) => url)).toContain(
    'https://nord.example/header.html',
  )
  const { findings } = await scanInMemory(saved, 'full')
  expect(findings.find(({ check }) => check === 'js-shell')).toMatchObject({
    result: 'warn',
    reason: expect.stringContaining('https://nord.example/team.html'),
  })
})

test('a service for chats in a part, or in a script that loads it, is found', async () => {
  const widget = '<div id="talk" data-channel-public-id="_abcDe" data-title="consult"></div>'
  const load = `${include['/js/include.js']}
include('talk', '/talk.html')
const sdk = document.createElement('script')
sdk.src = "https://developers.kakao.com/sdk/js/kakao.channel.min.js"
document.body.append(sdk)`
  const { saved } = site(
    { body: `<div id="header"></div><div id="talk"></div>${main}<script src="/js/include.js"></script>` },
    { ...files, '/talk.html': widget, '/js/include.js': load },
  )
  const { findings } = await scanInMemory(saved, 'full')
  const of = (check: string) => findings.find((finding) => finding.check === check)
  expect(of('support')).toMatchObject({
    result: 'pass',
    evidence: [{ value: expect.stringContaining('KakaoTalk Channel') }],
  })
  expect(JSON.stringify(of('contact-path'))).toContain('https://pf.kakao.com/_abcDe/chat')
})
