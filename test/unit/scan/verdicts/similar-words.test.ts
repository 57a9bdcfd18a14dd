import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { kindOfSite } from '../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Words that look like what a check seeks, and mean something else. */

const at = 'https://site.example'
const home = (html: string, lang = 'en'): Entries => ({ [`${at}/`]: `<html lang="${lang}"><body>${html}` })
const words = (count: number) => 'word '.repeat(count)

describe('a line that names who wrote an article', () => {
  const written = (line: string) =>
    runCheck(
      entityTrust,
      'authorship',
      site({
        ...home('<h1>Bees</h1>'),
        [`${at}/blog/bees`]: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"BlogPosting","headline":"Bees","author":{"@type":"Person","name":"Zed Quux"}}</script><main><h1>Bees</h1><p>${line}</p><p>${words(100)}</p></main>`,
      }),
    ).result

  test.each([
    'By Anna Lind',
    'by Mia van Dam, 3 May',
    'By April Park',
    'By Dr. Anna Lind',
    'Von Karl Meier',
    'Par Jean Dupont · 3 min',
    'Posted on May 3, 2026 by Anna Lind',
    'Written by Anna M. Lind',
    'Published 3 May by Anna Lind',
    '10 Oct 2026 | By J. K. Lind',
    'Author: Anna Lind',
    'Autorin: Anna Lind',
    'Text: Anna Lind',
  ])('is “%s”', (line) => expect(written(line)).toBe('pass'))

  test.each([
    'A walk by New York harbour',
    'By New York',
    'Back by Popular Demand',
    'Powered by Google Cloud',
    'Published by Lind Media Ltd',
    'Photo by Anna Lind',
    'Edited by Our Team',
    'Inspired by Jane Austen, we went',
    'Trusted by Fortune Companies',
    'Par La Poste',
    'Von Januar Bis Mai',
  ])('is not “%s”', (line) => expect(written(line)).toBe('fail'))
})

describe('a next step', () => {
  const asked = (link: string) =>
    runCheck(accessibilityActionability, 'cta', site(home(`<main><p>${words(80)}</p>${link}</main>`))).result

  test.each([
    '<a href="/c">Get in touch</a>',
    '<a href="/c">Get a quote</a>',
    '<a href="#get_started">get started</a><div id="get_started"></div>',
    '<a href="/c">Get Lark Pro</a>',
    '<a href="/c">Book</a>',
    '<a href="/c">Call for a quote</a>',
    '<p>Questions? <a href="/c">Contact us</a></p>',
    '<a href="/c">WhatsApp ile Teklif Al</a>',
    '<a href="/c">E-İmza Satın Al →</a>',
    '<a href="/c">Unverbindliches Angebot anfordern</a>',
    '<a href="/c">Vrijblijvend offerte aanvragen</a>',
    '<a href="/c">Vai ai contatti</a>',
    '<a href="https://mall.example/">공식몰 이동</a>',
    '<a href="https://mall.example/">온라인 스토어 바로가기</a>',
  ])('is asked for by %s', (link) => expect(asked(link)).toBe('pass'))

  test.each([
    '<a href="#get-users">GET /users</a>',
    '<a href="#getitem">Get item by id</a>',
    '<a href="#lark.get"><code>get</code></a>',
    '<a href="/docs">request.get(url)</a>',
    '<p>You can <a href="/docs">get started</a> reading the manual.</p>',
    '<a href="/abstracts">Book of Abstracts</a>',
    '<a href="/cfp">Call for Papers</a>',
    '<a href="/posts/3">Start-ups that changed Berlin</a>',
    '<a href="/mass">Order of service</a>',
    '<a href="/docs/headers">Request headers</a>',
    '<a href="#main">본문 바로가기</a>',
    '<a href="/kaynak">Yeni dal</a>',
  ])('is not asked for by %s', (link) => expect(asked(link)).toBe('na'))
})

describe('appointments', () => {
  const booked = (entries: Entries) => runCheck(workflowAutomation, 'booking', site(entries)).result
  const work = `<main><h1>Zocdoc</h1><p>How patients find a doctor.</p><h2>Book an appointment</h2><p>${words(60)}</p></main>`

  test.each<readonly [string, Entries]>([
    [
      'a designer links the firm that she worked for',
      home('<a href="https://www.zocdoc.com/about">Zocdoc</a>'),
    ],
    ['a review compares prices', home('<a href="https://tidycal.com/pricing/">TidyCal</a>')],
    [
      'an article links a page of the service',
      {
        ...home('<a href="/blog/">Blog</a>'),
        [`${at}/blog/tools`]: `<article><h1>Tools</h1><p>${words(60)}</p><a href="https://tidycal.com/lind/demo">TidyCal</a></article>`,
      },
    ],
    [
      'a work that is shown speaks of them',
      { ...home('<a href="/work/zocdoc">Zocdoc</a>'), [`${at}/work/zocdoc`]: work },
    ],
    [
      'a link to such a work names them',
      { ...home('<a href="/projects/zocdoc">Book a doctor in minutes</a>'), [`${at}/projects/zocdoc`]: work },
    ],
    [
      'a heading announces such a work',
      {
        ...home('<h2><a href="/projects/zocdoc">Book an appointment with ease</a></h2>'),
        [`${at}/projects/zocdoc`]: work,
      },
    ],
  ])('are not offered where %s', (_, entries) => expect(booked(entries)).toBe('na'))

  test.each([
    '<a href="https://calendly.com/lind/30min">Book a call</a>',
    '<a href="https://lind.gettimely.com/features">Book</a>',
    '<iframe src="https://calendly.com/lind"></iframe>',
  ])('are offered by %s', (html) => expect(booked(home(html))).toBe('pass'))

  test.each([
    '<iframe src="https://pages.example/flip-book/60.html"></iframe>',
    '<h2>Reserva natural</h2>',
    '<h2>Boek van de week</h2>',
  ])('are not offered by %s', (html) => expect(booked(home(html))).toBe('na'))

  test.each([
    '<button data-url="/tour">¡Reserva YA!</button>',
    '<a href="/tour">Reservar Tour</a>',
    '<p>Sie bekommen einen Terminvorschlag.</p>',
    '<h3>Vor-Ort-Termin</h3>',
    '<p>Termine in Ulm vergeben wir kurzfristig.</p>',
  ])('are spoken of by %s', (html) =>
    expect(booked(home(`${html}<a href="tel:+443069990001">call</a>`))).toBe('warn'),
  )
})

describe('a link text that says nothing', () => {
  const judged = (html: string) => runCheck(contentAnswerability, 'link-text', site(home(html))).result

  test.each([
    '<a href="#prices">More</a><section id="prices"></section>',
    '<a href="/#prices">More</a><section id="prices"></section>',
    '<a href="/bees" aria-label="More about bees">More</a>',
    '<a href="/bees" title="More about bees">More</a>',
    '<h2 id="bees">Bees</h2><a href="/bees" aria-describedby="bees">More</a>',
  ])('does not count in %s', (html) => expect(judged(html)).toBe('pass'))

  test.each([
    '<a href="/bees#wings">More</a>',
    '<a href="/bees" aria-label="Read more">More</a>',
    '<a href="/bees"><img src="a.png" alt="More"></a>',
  ])('counts in %s', (html) => expect(judged(html)).toBe('fail'))
})

describe('who stands behind a site', () => {
  const services = '<h2>Our services</h2>'

  test.each<readonly [string, Entries]>([
    [
      'a page about a version',
      {
        ...home(`${services}<a href="/v2">About version 2</a>`),
        [`${at}/v2`]: `<h1>About version 2</h1><p>${words(200)}</p>`,
      },
    ],
    [
      'a page of a release',
      { ...home(services), [`${at}/releases/about`]: `<main><h1>News</h1><p>${words(200)}</p></main>` },
    ],
    [
      'the history of a program',
      {
        ...home(`${services}<a href="/history">History</a>`),
        [`${at}/history`]: `<h1>History</h1><h2>2.0.1 (2024-01-02)</h2><p>${words(100)}</p><h2>v2.0</h2><p>${words(100)}</p>`,
      },
    ],
    [
      'a part of a notice about a release',
      {
        ...home(services),
        [`${at}/n`]: `<main><h1>News</h1><h2>About this release</h2><p>${words(200)}</p></main>`,
      },
    ],
  ])('is not told by %s', (_, entries) =>
    expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('fail'),
  )

  test.each(['/history', '/about'])('is told by %s', (path) => {
    const entries = {
      ...home(`${services}<a href="${path}">History</a>`),
      [`${at}${path}`]: `<h1>Since 1999</h1><p>${words(200)}</p>`,
    }
    expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('pass')
  })
})

test.each([
  [
    'the page for contact',
    { ...home('<p>x</p>', 'de'), [`${at}/kontakt`]: '<h1>Kontakt</h1><h2>Impressum</h2><p>x</p>' },
  ],
  [
    'a page of another name',
    { ...home('<p>x</p>', 'de'), [`${at}/rechtliches`]: '<h1>Impressum</h1><p>x</p>' },
  ],
  ['the home page', home('<main><h1>Lind</h1><h2>Mentions légales</h2><p>x</p></main>', 'fr')],
  [
    'a part without a heading',
    home(
      '<a href="#impressum">Impressum</a><div id="impressum"><b>Impressum</b><p>Mia Lind, Hof 3, Ulm</p></div>',
      'de',
    ),
  ],
])('an imprint that was read tells who answers for the site: %s', (_, entries: Entries) =>
  expect(runCheck(entityTrust, 'accountability', site(entries)).result).toBe('pass'),
)

describe('a page called Karriere', () => {
  const judged = (text: string, path = '/vita') =>
    runCheck(
      workflowAutomation,
      'hiring',
      site({ ...home(`<a href="${path}#karriere">Karriere</a>`, 'de'), [`${at}${path}`]: text }),
    ).result

  test.each([
    ['/vita', '<h1>Vita</h1><h2 id="karriere">Karriere</h2><p>1999 Debüt an der Oper</p>'],
    ['/karriere', '<h1>Karriere</h1><p>1999 Debüt an der Oper</p>'],
    ['/career.html', '<h1>Career</h1><p>First title in 1999, retired in 2010</p>'],
  ])('that tells of a life seeks no staff: %s', (path, text) => expect(judged(text, path)).toBe('na'))

  test.each([
    '<h1>Karriere</h1><p>Wir suchen eine Köchin.</p>',
    '<h1>Karriere</h1><p>Unsere Stellenangebote</p>',
  ])('that seeks staff is judged: %s', (text) => expect(judged(text, '/karriere')).toBe('fail'))
})

describe('headings with a question mark', () => {
  const judged = (html: string) =>
    runCheck(workflowAutomation, 'faq', site(home(`<title>Lark Ltd</title>${html}`))).result
  const headed = (questions: readonly string[], answer: string) =>
    questions.map((one) => `<h3>${one}</h3>${answer}`).join('')

  const guest = ['What do you do?', 'Where do you live?', 'When did you begin?', 'Why did you come?']
  const told = (html: string) => {
    const entries = {
      ...home('<title>Lark Ltd</title><a href="/blog/">Blog</a>'),
      [`${at}/blog/anna`]: `<h1>Anna</h1>${html}`,
    }
    return runCheck(workflowAutomation, 'faq', site(entries)).result
  }

  test('are no list of questions in an interview', () =>
    expect(told(headed(guest, `<p>${words(30)}</p>`))).toBe('fail'))

  test('are one below a heading of an article that says so', () =>
    expect(told(`<h2>FAQ</h2>${headed(guest, `<p>${words(30)}</p>`)}`)).toBe('pass'))

  test.each([
    ['fail', ''],
    ['pass', guest.join(' ')],
  ] as const)('in markup are one only where the text has them: %s', (result, text) => {
    const mainEntity = guest.map((name) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text: 'So.' },
    }))
    const json = JSON.stringify({ '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity })
    expect(judged(`<script type="application/ld+json">${json}</script><p>${text}</p>`)).toBe(result)
  })

  test.each([
    [
      'notes beside a program',
      headed(
        ['Is it an array?', 'Are we in Node?', 'Should we copy it?', 'Is the list empty?'],
        `<p>${words(12)}</p><pre>${words(60)}</pre>`,
      ),
    ],
    [
      'names of functions',
      headed(
        ['Array#empty?', '#include? (obj)', 'str.start_with?', 'nil? → true or false', 'a::b?'],
        `<p>${words(30)}</p>`,
      ),
    ],
    [
      'terms that are functions',
      `<dl>${['Array#empty?', 'str.include?', 'valid_encoding?', 'a.b?'].map((one) => `<dt>${one}</dt><dd>x y</dd>`).join('')}</dl>`,
    ],
  ])('are no list of questions: %s', (_, html) => expect(judged(html)).toBe('fail'))

  test.each([
    headed(
      ['How do I install it?', 'What is a lark?', 'Can I use Node.js?', 'Why is a.length wrong?'],
      `<p>${words(30)}</p>`,
    ),
    headed(
      ['How do I install it?', 'How do I start it?', 'Can I stop it?', 'Where is it?'],
      `<p>${words(12)}</p><pre>npm start</pre>`,
    ),
  ])('are one where people ask: %s', (html) => expect(judged(html)).toBe('pass'))
})

describe('a date in the markup', () => {
  const judged = (date: string) =>
    runCheck(
      freshnessIndex,
      'date-match',
      site({
        ...home('<p>x</p>'),
        [`${at}/blog/a`]: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'BlogPosting', headline: 'x', datePublished: date })}</script><main><h1>A</h1><p>1 October 2026</p></main>`,
      }),
    ).result

  test.each(['2026-13-45', '{{ page.date }}', 'October 2026', '01/10/2026', '0001-01-01T00:00:00Z'])(
    'that is none is told: %s',
    (date) => expect(judged(date)).toBe('fail'),
  )

  test.each([
    '2026',
    '2026-10',
    '20261001',
    '2026-W40',
    '2026-10-01T10:00+02',
    '2026-10-01T10:00:00.000+0000',
  ])('of another form is not called wrong: %s', (date) => expect(judged(date)).not.toBe('fail'))
})

test.each([
  'Personal stylist in Berlin',
  'Lind Tailors',
  'Änderungsschneiderei Lind',
  'Maßschneiderei Lind',
  'Sartoria Lind',
  'Couture sur mesure',
  'Modista en Madrid',
  'Bridal alterations',
  'Ателье Линд',
])('who makes or chooses clothes for people is a business: %s', (title) =>
  expect(kindOfSite(site(home(`<title>${title}</title><h1>${title}</h1>`)))).toBe('business'),
)

describe('a menu that only its class tells', () => {
  const items = ['Home', 'About', 'Shop', 'News', 'Team']
    .map((one) => `<li><a href="/${one}">${one}</a></li>`)
    .join('')
  const main = (html: string) => site(home(html)).home?.mainText

  test.each(['navbar', 'navbar navbar-expand', 'main-nav', 'topnav', 'nav-menu', 'side-menu'])(
    'is no main text: %s',
    (name) =>
      expect(
        main(`<div class="${name}"><ul>${items}</ul></div><div><h1>Bees</h1><p>${words(30)}</p></div>`),
      ).not.toContain('Team'),
  )

  test.each([
    [
      'dishes',
      `<div class="menu"><h2>Soups</h2><p>Onion soup with cheese and Team bread 6.50</p>${items}</div><p>${words(40)}</p>`,
    ],
    ['a page that is one list of links', `<div id="menu"><ul>${items}</ul></div>`],
  ])('is not taken for one: %s', (_, html) => expect(main(html)).toContain('Team'))
})
