import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { gapsIn } from '../../../../../src/products/scan/report/work/clearable-checks.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** A name is judged only where two places agree on it, and what a script or microdata may say is not called missing. */

const words = (count: number) => 'word '.repeat(count)
const on = (host: string, html: string, more: Record<string, Entries[string]> = {}) =>
  site({
    [`https://${host}/`]: html,
    ...Object.fromEntries(Object.entries(more).map(([path, entry]) => [`https://${host}${path}`, entry])),
  })
const home = (html: string, more: Record<string, Entries[string]> = {}) => on('nord.example', html, more)

describe('the name of a site', () => {
  test.each([
    [
      'is not a phrase for search engines, where link and domain say another',
      on(
        'werkstatt-zum-igel.example',
        `<title>Professioneller Polsterer Ulm</title><header><a class="navbar-brand" href="#">Werkstatt zum Igel</a></header><h1>Professioneller Polsterer Ulm</h1><p>${words(100)}</p>`,
      ),
      'Werkstatt zum Igel',
    ],
    [
      'is without the greeting before it',
      on(
        'fysiolind.example',
        '<title>Fysio Lind, rug en nek</title><h1>Welkom bij Fysio Lind</h1><footer>© Fysio Lind</footer>',
      ),
      'Fysio Lind',
    ],
    [
      'is not a slogan that all titles repeat, where the copyright line and the domain agree',
      on(
        'oskwydra.example',
        '<title>WYDRA Najlepsza Szkoła Jazdy w Gdyni</title><footer><p>Copyright 2017, OSK Wydra</p><a href="https://x.example">Design and coding Abc</a></footer>',
        { '/a': '<title>WYDRA Najlepsza Szkoła Jazdy w Gdyni</title>' },
      ),
      'OSK Wydra',
    ],
    [
      'is not the name of the file of a logo',
      on(
        'moriwashi.example',
        '<title>森和紙 手芸まで</title><header><img src="/moriwashi_logo.png" alt="Moriwashi_logo"></header>',
        { '/a': '<title>森和紙 通販</title>', '/b': '<title>森和紙 問い合わせ</title>' },
      ),
      '森和紙',
    ],
  ])('%s', (_, read, name) => expect(companyName(read)).toBe(name))

  test('is not judged where the pages do not agree on one', () => {
    const outcome = runCheck(
      entityTrust,
      'brand-name',
      home('<title>Professioneller Polsterer Ulm</title><h1>x</h1>'),
    )
    expect(outcome).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('"Professioneller Polsterer Ulm"'),
    })
  })

  test.each(['<p>© 2026 3D Nord</p>', '<img src="/l.png" alt="3D Nord">'])(
    'stands in the footer: %s',
    (footer) => {
      const read = home(
        `<title>3D Nord</title><meta property="og:site_name" content="3D Nord"><footer>${footer}</footer>`,
      )
      expect(runCheck(entityTrust, 'brand-name', read).result).toBe('pass')
      expect(companyName(home(`<title>Start</title><footer>${footer}</footer>`))).not.toBe('D Nord')
    },
  )

  test('stands in a title that begins with it', () => {
    const read = on('fysiolind.example', '<title>Fysio Lind, rug, nek</title><footer>© Fysio Lind</footer>')
    expect(quotesOf(runCheck(entityTrust, 'brand-name', read))).toContain('the title: has "Fysio Lind"')
  })
})

describe('what a script writes is not called missing', () => {
  test('a menu that is empty as sent, beside a footer with links', () => {
    const read = home(
      `<nav class="nav" data-page="home"></nav><p>${words(80)}</p><footer><a href="/terms">Terms</a></footer><script>document.querySelector('.nav').innerHTML = '<a href="about.html">About</a>'</script>`,
      { '/terms': '<p>Terms</p>' },
    )
    expect(runCheck(entityTrust, 'about', read).result).toBe('unmeasured')
  })

  describe.each([
    'w3-include-html="intro.html"',
    'data-include="header"',
    'data-include-path="/parts/menu.html"',
    'data-partial="menu.html"',
  ])('a file that is put into the page by %s', (attribute) => {
    test.each([
      [entityTrust, 'about'],
      [coreSnapshot, 'one-h1'],
    ])('%#', (agent, check) => {
      const read = home(`<div ${attribute}></div><p>${words(80)}</p>`)
      expect(runCheck(agent, check, read).result).toBe('unmeasured')
    })
  })

  test('a footer that is put into the page hides no text of its main part', () => {
    const of = (part: string) => home(`<main><h1>Nord</h1><p>${words(80)}</p></main>${part}`)
    const depthOf = (part: string) => runCheck(contentAnswerability, 'depth', of(part)).result
    expect(depthOf('<footer data-include-path="/parts/footer.html"></footer>')).toBe(depthOf(''))
    expect(depthOf('<div data-include-path="/parts/text.html"></div>')).toBe('unmeasured')
  })

  test.each(['data-include="true"', 'data-load="lazy"', 'data-partial="2"'])(
    'a page with %s includes no file',
    (attribute) => {
      const read = home(`<div ${attribute}></div><p>${words(80)}</p>`)
      expect(runCheck(coreSnapshot, 'one-h1', read).result).toBe('fail')
    },
  )
})

test('what could not be measured is named, with the reason', () => {
  const open = (id: string, title: string, reason: string) => ({
    id,
    category: 'A',
    title,
    reason,
    severity: 'unmeasured' as const,
    evidence: [],
  })
  const prose = open('content/prose', 'The text is easy to read', 'There are no measures for this language.')
  const wall = open('core/wall', 'Robots get in', 'No answer came.')
  expect(gapsIn([prose], false)).toBe(
    '1 check could not be made. We cannot judge “The text is easy to read” in the language of this site. What was not measured counts neither for nor against the site.',
  )
  expect(gapsIn([prose, wall], true)).toContain(
    'For “Robots get in” the scan could not read what is asked. What was not measured counts neither for nor against the site. Ask for a new scan once agents get in.',
  )
  expect(gapsIn([], true)).toBe('')
})

describe('what microdata describes', () => {
  const read = home(
    '<title>Nord</title><div itemscope itemtype="https://schema.org/Organization"><span itemprop="name">Nord</span> <span itemprop="telephone">030 901820</span></div>',
  )

  test.each([
    [structuredData, 'organization'],
    [structuredData, 'same-as'],
    [coreSnapshot, 'jsonld-any'],
    [entityTrust, 'nap'],
    [entityTrust, 'brand-name'],
  ])('is not called missing, %#', (agent, check) =>
    expect(runCheck(agent, check, read).result).toBe('unmeasured'),
  )

  test('is something else than what a check asks for', () => {
    const other = home('<div itemscope itemtype="https://schema.org/BreadcrumbList">Nord</div>')
    expect(runCheck(structuredData, 'organization', other).result).toBe('fail')
  })
})

test("a customer's review is no date of the page", () => {
  const ld =
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Store","name":"Nord","review":{"@type":"Review","datePublished":"2020-01-01"}}</script>'
  expect(JSON.stringify(runCheck(freshnessIndex, 'newest', home(`${ld}<p>${words(60)}</p>`)))).not.toContain(
    '2020',
  )
})

test.each([
  ['an empty element of that name', '<span id="currentYear"></span>'],
  [
    'a script',
    '<b id="y"></b><script>document.querySelector("#y").textContent = new Date().getFullYear()</script>',
  ],
])('the year that %s gets in a browser is not called old', (_, html) => {
  const read = home(`<p>${words(60)}</p><footer>© 2014-${html} Nord</footer>`)
  expect(runCheck(freshnessIndex, 'footer-year', read).result).toBe('na')
})

test('a form that the host of the site takes is filed', () => {
  const form = '<form data-netlify="true"><input name="email"><textarea name="message"></textarea></form>'
  expect(runCheck(workflowAutomation, 'crm-tags', home(`<h2>Our services</h2>${form}`)).result).toBe('pass')
})

test('a label may say its name in an attribute', () => {
  const read = home(
    '<form><input type="radio" name="a" id="dark"><label for="dark" title="Dark mode"></label></form>',
  )
  expect(runCheck(accessibilityActionability, 'labels', read).result).toBe('pass')
})

test.each(['', ' ', 'return false;', 'event.stopPropagation()', 'void(0)'])(
  'a handler that does nothing is no control: "%s"',
  (code) => {
    const read = home(`<div onclick="${code}">x</div>`)
    expect(runCheck(accessibilityActionability, 'real-controls', read).result).toBe('pass')
  },
)

test.each(['SAS au capital de 34 000 €', 'Stammkapital: 25.000 €', 'capitale sociale € 10.000'])(
  'the capital of a firm is no price: "%s"',
  (text) => expect(amountsIn(text, 5)).toEqual([]),
)

test.each(['legal', 'accountability'])('%s knows the notice that the law of Japan asks for', (check) => {
  const read = home(
    '<a href="/privacy">プライバシーポリシー</a><a href="/t.html">特定商取引に関する法律に基づく表示</a>',
    { '/privacy': '<p>x</p>', '/t.html': '<p>販売業者 森和紙</p>' },
  )
  expect(runCheck(entityTrust, check, read).result).toBe('pass')
})

test('examples of own work are a proof', () => {
  const read = home('<title>ООО Норд</title><h2>Наши услуги</h2><a href="/w">Работы</a>', {
    '/w': `<h1>Работы</h1><section><h2>Примеры выполнения работ</h2><p>${words(60)}</p></section>`,
  })
  expect(runCheck(entityTrust, 'proof', read).result).toBe('pass')
})

test('a few words more than one list is asked for are no lack', () => {
  const read = home(`<title>Nord</title><main><h1>Nord</h1><ul><li>a<li>b</ul><p>${words(505)}</p></main>`)
  expect(runCheck(contentAnswerability, 'lists-tables', read).result).toBe('pass')
})

test('a page of a form is short for a good reason, whatever its address', () => {
  const field = (name: string) => `<label>${name} <input name="${name}"></label>`
  const read = home(`<title>Nord</title><main><h1>Nord</h1><p>${words(320)}</p></main>`, {
    '/anmal-klass': `<main><h1>Anmäl</h1><p>${words(100)}</p><form>${['a', 'b', 'c', 'd'].map(field).join('')}</form></main>`,
  })
  expect(runCheck(contentAnswerability, 'depth', read).reason).toContain('1 of 1')
})

test('an Italian sentence may say for whom somebody works', () => {
  const read = home(
    '<html lang="it"><title>Nord</title><h1>Nord</h1><p>ASSOCIAZIONE DEGLI APICOLTORI opera per offrire ascolto e supporto informativo a persone, famiglie e imprese di tutta la regione che ne hanno bisogno.</p>',
  )
  expect(runCheck(contentAnswerability, 'answer-first', read).result).toBe('pass')
})

test('a manual is reached through the repository that its home page links', () => {
  const read = home(
    `<meta name="generator" content="mkdocs-1.6"><title>Nord</title><p>${words(60)}</p><a href="https://github.com/nord/nord">Source</a>`,
  )
  expect(runCheck(coreSnapshot, 'contact-path', read).result).toBe('pass')
})
