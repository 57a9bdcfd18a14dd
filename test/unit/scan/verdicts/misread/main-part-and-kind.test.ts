import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { articlesOf } from '../../../../../src/products/scan/site/articles.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that a reader of twelve more public sites found to be false. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const russian = 'Телефонные решения на базе станции помогают компании принимать звонки клиентов каждый день. '

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

describe('the main part', () => {
  test.each<Row>([
    [
      'the header of a section belongs to the text',
      coreSnapshot,
      'ssr-text',
      home(`<section id="about"><div><header><h2>About</h2><p>${words(160)}</p></header></div></section>`),
      'pass',
    ],
    [
      'a header with a menu is that of the site, also within a section',
      coreSnapshot,
      'ssr-text',
      home(`<section><header><nav>x</nav><p>${words(160)}</p></header></section><p>${words(60)}</p>`),
      'warn',
    ],
    [
      'a page that only sends browsers on is no page without a language',
      accessibilityActionability,
      'lang',
      {
        ...home(`<html lang="en"><p>${words(200)}</p>`),
        [`${at}/a`]: '<html><meta http-equiv="refresh" content="0;url= Welcome.html">',
      },
      'pass',
    ],
    [
      'the box of a lightbox has no picture that would need a text',
      accessibilityActionability,
      'alt',
      home('<img src="/a.png" alt="A bike"><img class="modal-content" id="enlarged">'),
      'pass',
    ],
    [
      'a picture that a script loads needs a text',
      accessibilityActionability,
      'alt',
      home('<img data-src="/a.png">'),
      'fail',
    ],
  ])('%s', (_, agent, check, entries, result) => {
    expect(runCheck(agent, check, site(entries)).result).toBe(result)
  })

  test('a page with a main element is not told to add one', () => {
    const page = `<nav>${'<a href="/x">A page</a> '.repeat(80)}</nav><main><p>${words(12)}</p></main>`
    const fix = fixOf(runCheck(contentAnswerability, 'boilerplate', site(home(page))))
    expect(fix).toContain('put fewer menus and links before the main element')
  })

  test('the town below the name in the header is not the first paragraph', () => {
    const page = `<header><h1>Parish</h1><p>Mondovì</p></header><main><p>${words(30)}</p></main>`
    expect(quotesOf(runCheck(contentAnswerability, 'answer-first', site(home(page))))).toContain('30 words')
  })

  test('the teaser of a post is not the first paragraph, and the text below the heading is', () => {
    const post = `<article><h2><a href="/p">Post</a></h2><p>${words(101)}</p></article>`
    const page = `<article><h1>Hello</h1><div>We build telephone systems here</div></article>${post}${post}`
    expect(quotesOf(runCheck(contentAnswerability, 'answer-first', site(home(page))))).toContain('5 words')
  })

  test('an alt with the name of a file is quoted', () => {
    const outcome = runCheck(accessibilityActionability, 'alt', site(home('<img src="/1.png" alt="1.png">')))
    expect(quotesOf(outcome)).toContain('alt="1.png"')
  })
})

describe('the kind of site', () => {
  const code = '<a href="https://github.com/acme/">GitHub</a><a href="/docs.html">Docs</a>'

  test.each([
    'a collection of libraries designed to build applications',
    'each part is separately installable via NPM',
  ])('%s, with code and documentation, is a library', (text) => {
    expect(kindOfSite(site(home(`<h1>Acme</h1>${code}<p>${text}</p>`)))).toBe('library')
  })

  test('a module of a program is no shop, whatever it is called', () => {
    const links = `${code}<a href="/api/collections/globals.html">collections</a>`
    const page = `<h1>Acme</h1>${links}<p>each part is separately installable via NPM</p>`
    expect(kindOfSite(site(home(page)))).toBe('library')
  })

  test('a site that offers nothing is not asked for a street', () => {
    const fix = fixOf(runCheck(entityTrust, 'nap', site(home(`<h1>Notes</h1><p>${words(50)}</p>`))))
    expect(fix).not.toContain('street')
  })

  test('a parish is not asked for prices', () => {
    const fix = fixOf(runCheck(coreSnapshot, 'ssr-text', site(home('<h1>Parish of St Mary</h1><p>Welcome'))))
    expect(fix).not.toContain('price')
  })

  test('a fix names only the ways to write that the site has', () => {
    const page = '<title>Bikes Ltd</title><h1>Bikes</h1><a href="mailto:a@site.example">Write</a>'
    const fix = fixOf(runCheck(workflowAutomation, 'crm-tags', site(home(page))))
    expect(fix).toContain('clicks on your e-mail address counted')
  })

  test('a short notice without figures needs no sources', () => {
    const notice = `${ld({ '@type': 'NewsArticle', headline: 'Open' })}<h1>Open</h1><p>${words(30)}</p>`
    const read = site({ ...home('x'), [`${at}/news/1`]: notice })
    expect(runCheck(entityTrust, 'citations', read).result).toBe('na')
  })

  test('the page about the company is no article, whatever its theme says', () => {
    const marked = `${ld({ '@type': 'BlogPosting', headline: 'About' })}<h1>About</h1>`
    const read = site({ ...home('x'), [`${at}/about/`]: marked, [`${at}/blog/about-bikes`]: marked })
    expect(articlesOf(read).map(({ page }) => page.url)).toEqual([`${at}/blog/about-bikes`])
  })
})

describe('what is there is seen', () => {
  test.each([
    [
      'a street in the section for the place',
      '<section id="location"><p>1260 Main St E<br>Milton</p></section>',
      '1260 Main St',
    ],
    [
      'a number that a link to WhatsApp shows',
      '<a href="https://wa.me/5513981222237"><span>(13) 98122-2237</span></a>',
      '(13) 98122-2237',
    ],
    ['a Brazilian number in the footer', '<footer>(13) 98122-2237</footer>', '(13) 98122-2237'],
  ])('%s is a contact fact', (_, html, fact) => {
    const page = `<h1>Barber</h1><h2>Our services</h2>${html}`
    expect(quotesOf(runCheck(entityTrust, 'nap', site(home(page))))).toContain(fact)
  })

  test.each(['2026.10.16', '2026/10/16', '2026年10月16日', '2026. 10. 16.', '2026년 10월 16일'])(
    'a text dated %s is newer than what the sitemap says of all pages',
    (date) => {
      const entry = (path: string) => `<url><loc>${at}${path}</loc><lastmod>2021-09-16</lastmod></url>`
      const read = site({
        ...home(`<h1>News</h1><p>${date} A new partner</p><a href="/news/1">News</a>`),
        [`${at}/sitemap.xml`]: `<urlset>${entry('/')}${entry('/news/1')}</urlset>`,
      })
      const outcome = runCheck(freshnessIndex, 'newest', read)
      expect(quotesOf(outcome)).toContain('2026-10-16')
    },
  )

  test.each([
    '<h2>Client<br>Voices</h2>',
    '<a href="https://www.google.com/search?q=x">Google Reviews</a>',
    '<h2>導入事例</h2>',
    '<p>サービスを活用した事例についてご紹介</p>',
  ])('%s shows what customers say', (html) => {
    const page = `<h1>Barber</h1><h2>Our services</h2>${html}`
    expect(runCheck(entityTrust, 'proof', site(home(page))).result).toBe('pass')
  })

  test.each(['is concerned with the comparison', 'is devoted to the study', 'aims to further the design'])(
    'a text that %s of computers says what it is about',
    (verb) => {
      const page = `<h1>Welcome</h1><p>Our yearly workshop in Denver ${verb} of fast computers by models, measures and simulations, and by talks about them.</p>`
      expect(runCheck(contentAnswerability, 'answer-first', site(home(page))).result).toBe('pass')
    },
  )

  test('the committee of a conference is a page about people', () => {
    const link = '<a href="/committee.html">Programme Committee</a>'
    const read = site({
      ...home(link),
      [`${at}/committee.html`]: `<h1>Programme Committee</h1><p>${words(200)}</p>`,
    })
    expect(runCheck(entityTrust, 'about', read).result).not.toBe('fail')
  })

  test('a question of one word with an answer counts as one', () => {
    const asked = ['What?', 'Why?', 'How?', 'When?'].map((one) => `<h2>${one}</h2><p>${words(93)}</p>`)
    expect(runCheck(workflowAutomation, 'faq', site(home(asked.join('')))).result).toBe('pass')
  })
})

describe('numbers and notices', () => {
  test.each(['2 November 2024 · 1 min · Jane Doe', '7 min read', '3 Minuten Lesezeit'])(
    'the reading time in "%s" is no figure',
    (line) => {
      const outcome = runCheck(
        contentAnswerability,
        'evidence',
        site(home(`<p>${line}</p><p>${words(120)}</p>`)),
      )
      expect(outcome.reason).toContain('0 figures')
    },
  )

  test('what a law office offers on data protection is not its own notice', () => {
    const service = '/faaliyet-alanlari/bilisim/kvkk.html'
    const read = site({
      ...home(`<a href="${service}">Gebze KVKK Danışmanlığı</a>`),
      [`${at}${service}`]: '<h1>KVKK Danışmanlığı</h1>',
    })
    expect(quotesOf(runCheck(entityTrust, 'legal', read))).toContain('no link about privacy')
  })

  test('no reading grade is given for Russian that is declared as English', () => {
    const code = `<pre>${'exten dial answer hangup playback '.repeat(60)}</pre>`
    const page = `<html lang="en"><main><h1>SIP</h1>${`<p>${russian.repeat(4)} asterisk pjsip endpoint trunk context codec dialplan provider gateway softphone queue voicemail extension</p>`.repeat(6)}${code}</main>`
    expect(runCheck(contentAnswerability, 'readability', site(home(page))).result).toBe('unmeasured')
  })
})
