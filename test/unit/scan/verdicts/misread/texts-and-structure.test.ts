import { describe, expect, test } from 'vitest'
import type { Agent } from '../../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { articlesOf } from '../../../../../src/products/scan/site/articles.ts'
import { asksQuestion } from '../../../../../src/products/scan/site/html/words.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** A text is judged only where it was surely found, and where the check is meant for a text of its kind. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)
const run = (agent: Agent, check: string, html: string, more: Entries = {}) =>
  runCheck(agent, check, site({ [`${at}/`]: html, ...more }))
const opening = (html: string, more: Entries = {}) => run(contentAnswerability, 'answer-first', html, more)
const defining =
  'Nord Roofs is a family firm in Ulm that repairs and builds roofs of slate and tile for houses, farms and churches.'

describe('the opening of a page', () => {
  test.each([
    [
      'a copyright line',
      `<div><p>© 2019 Nord Roofs, Ulm. All rights reserved.</p></div><div>${defining}</div>`,
    ],
    ['a name', `<p class="name">Ada Nord</p><p>${defining}</p>`],
    [
      'an offer above the page',
      `<div class="promo-banner"><p>All tiles are free until 13 May.</p></div><main><p>${defining}</p></main>`,
    ],
    ['opening hours', `<h1>Nord</h1><p>Fri-Sun · 9:00–22:00 · Via Roma 12 · Asti</p><p>${defining}</p>`],
    [
      'the box of the heading itself',
      `<h1><div>Nord Roofs: the firm for roofs</div></h1><div>${defining}</div>`,
    ],
    [
      'text in a cell of a layout table',
      `<table><tr><td><h1>Nord</h1></td></tr><tr><td>${defining}<br><br>${words(200)}</td></tr></table>`,
    ],
    [
      'a paragraph that ends at an empty line',
      `<h1>Nord</h1><div style="white-space: pre-wrap">${defining}\n\n${words(120)}</div>`,
    ],
    [
      'a motto before it',
      `<h1>Nord</h1><p>Straight roofs, calm advice, and always enough time for you.</p><p>${defining}</p>`,
    ],
  ])('is not taken from %s', (_, html) => {
    expect(opening(html).result).toBe('pass')
  })

  test.each([
    ['is still loaded', '<p>Loading home content…</p><script src="/a.js"></script>'],
    [
      'stands in cards',
      `<h1>Nord</h1>${['a', 'b'].map((one) => `<div class="card"><h3>${one}</h3><p>Discover the story of Nord and all of its roofs in Ulm today.</p><a href="/${one}">More</a></div>`).join('')}`,
    ],
    ['stands in a list', `<h1>Nord</h1><ul><li>${words(30)}</li></ul>`],
    [
      'comes later on a page without a heading',
      `<p>The hall is closed on Monday for works.</p><h3>Who we are</h3><p>${defining}</p>`,
    ],
    [
      'has verbs that are not known',
      `<h1>Nord</h1><p>We love slate and live for tiles, in rain and in snow, from the first plan to the last nail, wherever you are in town.</p>`,
    ],
  ])('is not judged where it %s', (_, html) => {
    expect(opening(html).result).toBe('unmeasured')
  })

  test.each([
    ['a slogan', '<h1>Nord</h1><p>Straight roofs, calm advice, and always enough time.</p>'],
    ['lines only', '<h1>Nord</h1><p>Nord 2025, Ulm</p><p>Nord 2024, Bonn</p>'],
    [
      'words for search engines',
      `<h1>Nord</h1><p>Ulm roof repair. Roof repair by roof repair experts for roof repair. Best roof repair, cheap roof repair, roof repair today.</p>`,
    ],
  ])('still fails with %s', (_, html) => {
    expect(opening(html).result).toBe('fail')
  })

  test('may have ninety words by its spaces', () => {
    const text = `Nord is a firm in ${'Bad-Alt-Ulm '.repeat(4)}that builds ${words(75)}`
    expect(opening(`<h1>Nord</h1><p>${text}</p>`).result).toBe('pass')
  })
})

describe('the length of pages', () => {
  const depth = (html: string, more: Entries = {}) => run(contentAnswerability, 'depth', html, more)

  test('is not judged by one page of many', () => {
    const forms = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => [
        `${at}/${one}`,
        `<main>${'<a href="/x">word word</a> '.repeat(40)}</main>`,
      ]),
    )
    expect(depth(`<main><h1>Nord</h1><p>${words(100)}</p></main>`, forms).result).toBe('unmeasured')
  })

  test('is not judged where scripts write the text', () => {
    expect(depth('<main><p>Loading…</p></main><script src="/a.js"></script>').result).toBe('unmeasured')
  })

  test('counts a page of products with a text of its own', () => {
    const more = { [`${at}/products.html`]: `<main><h1>Tiles</h1><p>${words(450)}</p></main>` }
    expect(depth(`<main><h1>Nord</h1><p>${words(100)}</p></main>`, more).reason).toContain('1 of 2')
  })

  test.each([
    [
      'a dialog',
      `<button data-bs-target="#room">Room</button><div class="modal fade" id="room" aria-hidden="true">${words(250)}</div>`,
    ],
    [
      'a fold',
      `<button aria-expanded="false" aria-controls="specs">Facts</button><div id="specs" hidden>${words(250)}</div>`,
    ],
    ['an aside with most of the text', `<aside class="panel"><p>${words(250)}</p></aside>`],
  ])('counts the words of %s', (_, html) => {
    expect(depth(`<main><h1>Nord</h1><p>${words(60)}</p>${html}</main>`).result).toBe('pass')
  })

  test('leaves a menu closed that a control opens', () => {
    const html = `<main><h1>Nord</h1><p>${words(60)}</p><button aria-controls="menu" aria-expanded="false">Menu</button><div id="menu" hidden>${words(250)}</div></main>`
    expect(depth(html).result).not.toBe('pass')
  })
})

describe('figures and sources', () => {
  const text = (figure: string) => `<main><h1>Nord</h1><p>${figure} ${words(150)}</p></main>`

  test.each(['CVPR 2024 project page', '2025 Jour', 'a 5G network'])('%s is no figure', (written) => {
    const outcome = run(contentAnswerability, 'evidence', text(written))
    expect(outcome.reason).toContain('0 figures')
  })

  test('numbers with unknown words behind them may be figures', () => {
    expect(run(contentAnswerability, 'evidence', text('12 chambres and 40 familles')).result).toBe(
      'unmeasured',
    )
  })

  const post = (html: string) => ({
    [`${at}/blog/roofs`]: `<main><h1>Roofs</h1><p>${html} ${words(200)}</p></main>`,
  })

  test.each([
    ['na', 'We built a roof last week.'],
    ['na', 'Tiles are 50 % off, and slate is 20% off.'],
    ['na', 'Give 1,5% of your tax to the roof of the church: write 1,5% on the form.'],
    ['fail', 'A new study shows that roofs last.'],
    ['fail', 'Slate takes 30 % more time and 20 % more nails.'],
  ])('sources are %s for "%s"', (result, claim) => {
    expect(run(entityTrust, 'citations', `<h1>Nord</h1>`, post(claim)).result).toBe(result)
  })

  test('a parish needs no sources for its notices', () => {
    const title = '<title>Parish of St Mary</title><h1>Parish of St Mary</h1>'
    const outcome = run(entityTrust, 'citations', title, post('A study shows that 12 % and 30 % come.'))
    expect(outcome.result).toBe('na')
  })
})

describe('articles', () => {
  const ld = (node: object) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`

  test('the list of a blog is none, whatever its markup says', () => {
    const blog = `${ld({ '@type': 'Blog', blogPost: { '@type': 'BlogPosting', headline: 'Soon' } })}<h1>Blog</h1>`
    const read = site({ [`${at}/`]: '<h1>Nord</h1>', [`${at}/blog/`]: blog })
    expect(articlesOf(read)).toEqual([])
    expect(runCheck(freshnessIndex, 'feed', read).result).toBe('unmeasured')
  })

  test.each([
    ['its feed lists', '<h1>Roofs</h1>', `<rss><item><link>${at}/roofs</link></item></rss>`],
    [
      'has a date of publication',
      '<h1>Roofs</h1><time pubdate datetime="2026-08-01">August</time>',
      '<rss></rss>',
    ],
  ])('a page that %s is one', (_, html, feed) => {
    const read = site({
      [`${at}/`]: '<h1>Nord</h1>',
      [`${at}/roofs`]: html,
      [`${at}/feed.xml`]: { purpose: 'feed', body: feed, headers: { 'content-type': 'application/rss+xml' } },
    })
    expect(articlesOf(read).map(({ page }) => page.url)).toEqual([`${at}/roofs`])
  })

  test('a name that readers see is not asked for again', () => {
    const more = {
      [`${at}/blog/roofs`]: `<main><h1>Roofs</h1><p>${words(50)}</p><a href="/author/ada/">Ada Nord</a></main>`,
    }
    const outcome = run(entityTrust, 'authorship', '<h1>Nord</h1>', more)
    expect(outcome).toMatchObject({ result: 'fail', fix: expect.not.stringContaining('Put a line') })
  })
})

describe('structure', () => {
  test.each(['How do I use it? § 1', 'Is slate heavy? ¶', '屋根は安全ですか', 'How long does a roof last'])(
    '"%s" asks a question',
    (heading) => expect(asksQuestion(heading)).toBe(true),
  )

  test('an invitation in Japanese asks nothing', () =>
    expect(asksQuestion('今から一緒に始めませんか？')).toBe(false))

  test('a page that is called FAQ and has no question needs no such markup', () => {
    const more = { [`${at}/faq.html`]: '<h1>FAQ</h1><a href="/a">Tools</a> <a href="/b">Advanced use</a>' }
    expect(run(structuredData, 'page-type', '<h1>Nord</h1>', more).result).toBe('na')
  })

  test('a list in a layout table is counted, and the table is not', () => {
    const html = `<table><tr><td><h1>Nord</h1><p>${words(400)}</p><ul><li>a</li><li>c</li></ul></td><td><ul><li>b</li><li>d</li></ul><p>${words(500)}</p></td></tr></table>`
    expect(run(contentAnswerability, 'lists-tables', html).reason).toContain('2 in')
  })

  test('boxes of names and values may be a table', () => {
    const row = '<div class="row"><div>Weight</div><div>Twelve</div></div>'
    const html = `<main><h1>Nord</h1><p>${words(450)}</p><div>${row.repeat(25)}</div></main>`
    expect(run(contentAnswerability, 'lists-tables', html).result).toBe('unmeasured')
  })

  test('an aside with the text of a page is not buried under menus', () => {
    const html = `<nav>${words(10)}</nav><main><h1>Nord</h1><aside><p>${words(90)}</p></aside></main>`
    expect(run(contentAnswerability, 'boilerplate', html).result).toBe('pass')
  })

  test('a main heading is not missing where scripts write the page', () => {
    const html = '<p>Loading highlights…</p><script src="/a.js"></script>'
    expect(run(coreSnapshot, 'one-h1', html).result).toBe('unmeasured')
    expect(run(coreSnapshot, 'ssr-text', html)).toMatchObject({ fix: expect.stringContaining('render it') })
  })

  test('a main heading that is hidden is called so', () => {
    const outcome = run(coreSnapshot, 'one-h1', `<h1 style="display:none">Nord</h1><p>${words(60)}</p>`)
    expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('hidden') })
  })

  test('a copy of a picture for browsers without scripts is not counted', () => {
    const html = '<img data-src="/a.jpg" src=""><noscript><img src="/a.jpg"></noscript>'
    const outcome = run(renderPerformance, 'img-dims', html)
    expect(outcome.reason).toContain('0 of 1 image')
    expect(quotesOf(outcome)).toContain('data-src="/a.jpg"')
  })

  test('a part with the licence and refunds holds terms', () => {
    const html =
      '<a href="#licence">14 days trial</a><a href="/privacy">Privacy</a><section id="licence"><h2>Licence · updates · refunds</h2></section>'
    const outcome = run(entityTrust, 'legal', html, { [`${at}/privacy`]: '<h1>Privacy</h1>' })
    expect(outcome.result).toBe('pass')
  })

  test('a blog may be described as that of one person', () => {
    const outcome = run(structuredData, 'organization', `<h1>Notes</h1><p>${words(60)}</p>`)
    expect(outcome).toMatchObject({ fix: expect.stringContaining('Person node') })
  })
})

describe('the length of pages and the figures in them', () => {
  test('filler text is no text of the site', () => {
    const filler = `Lorem ipsum dolor sit amet, ${words(320)}`
    const outcome = run(
      contentAnswerability,
      'depth',
      `<main><h1>Nord</h1><p>${words(40)}</p><p>${filler}</p></main>`,
    )
    expect(outcome.result).toBe('fail')
    expect(quotesOf(outcome)).toContain('41 words of main text, beside 325 words of filler text')
  })

  test.each(['a hall for 50 BOATS. ', 'from P12,500. '])(
    '%s has a number that may count something',
    (text) => {
      const outcome = run(
        contentAnswerability,
        'evidence',
        `<main><h1>Nord</h1><p>${words(100)}${text.repeat(3)}</p></main>`,
      )
      expect(outcome.result).toBe('unmeasured')
    },
  )

  test('a number in a name is no figure', () => {
    const text = 'The 25hours hotel. '.repeat(5)
    const outcome = run(
      contentAnswerability,
      'evidence',
      `<main><h1>Nord</h1><p>${words(100)}${text}</p></main>`,
    )
    expect(outcome.reason).toContain('0 figures')
  })
})

test('the filler of a paragraph is quoted, and not the sentence before it', () => {
  const page = `<h1>Anna Berg</h1><p>My name is Anna Berg and I am a nurse. Lorem ipsum dolor sit amet, ${words(20)}</p>`
  const outcome = runCheck(contentAnswerability, 'answer-first', site({ 'https://nord.example/': page }))
  expect(quotesOf(outcome)).toMatch(/^"Lorem ipsum/)
})

test('a year that is still to come is a mistake, and no sign of an old page', () => {
  const read = (year: number) =>
    runCheck(
      freshnessIndex,
      'footer-year',
      site({ 'https://nord.example/': `<h1>Nord</h1><footer>© ${year} Nord</footer>` }),
    )
  expect(read(2028)).toMatchObject({ result: 'fail', reason: expect.stringContaining('a mistake') })
  expect(read(2020)).toMatchObject({ result: 'fail', reason: expect.stringContaining('old page') })
})
