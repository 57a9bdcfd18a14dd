import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { readReferences } from '../../../../../src/products/scan/crawl/pages/page-references.ts'
import { ownerTitle } from '../../../../../src/products/scan/report/work/owner-titles.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { articlesOf } from '../../../../../src/products/scan/site/articles.ts'
import { formsOf } from '../../../../../src/products/scan/site/html/forms.ts'
import { asksQuestion } from '../../../../../src/products/scan/site/html/words.ts'
import { readPage } from '../../../../../src/products/scan/site/page.ts'
import { type Entries, reply, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that readers of 24 public sites found to be false: traps for robots, cards of articles, addresses that lead nowhere. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)

describe('a trap for robots', () => {
  const traps = [
    '<input type="checkbox" name="botcheck" class="hidden" tabindex="-1" autocomplete="off">',
    '<input type="text" name="website" tabindex="-1" autocomplete="off">',
    '<input type="email" name="hp_email" class="x">',
    '<input type="text" name="_gotcha">',
    '<input type="text" name="bot-field">',
  ]

  test.each(traps)('%s is not asked for a label or a token', (trap) => {
    const form = `<form><label>E-mail <input type="email" name="e" autocomplete="email"></label>${trap}</form>`
    for (const check of ['labels', 'autocomplete'])
      expect(runCheck(accessibilityActionability, check, site(home(form))).result).toBe('pass')
  })

  test.each(traps)('%s is no field of its form', (trap) => {
    const form = `<form><input type="email" name="e"><textarea name="m"></textarea>${trap}</form>`
    expect(
      site(home(form))
        .pages.flatMap(formsOf)
        .map(({ label }) => label),
    ).toEqual(['<form> with 2 fields'])
  })

  test('a field that the keyboard skips is still asked for a label', () => {
    const form = '<form><input type="text" name="coupon" tabindex="-1"></form>'
    expect(runCheck(accessibilityActionability, 'labels', site(home(form))).result).toBe('fail')
  })
})

describe('a privacy notice', () => {
  const contact = '<form><input type="email" name="e"><textarea name="m"></textarea></form>'
  const legal = (html: string) =>
    runCheck(entityTrust, 'legal', site(home(`<h1>Rooms</h1>${contact}${html}`)))

  test.each([
    '<h5><a href="/blog/gdpr/">Lunch and learn: the GDPR</a></h5>',
    '<a href="/blog/gdpr/"><h3>Lunch and learn: the GDPR</h3></a>',
    '<article><h3>Lunch and learn: the GDPR</h3><p>Come on Monday.</p></article>',
  ])('is not the announcement of an article: %s', (html) => {
    expect(legal(html)).toMatchObject({ reason: expect.stringContaining('No page about privacy') })
  })

  test('stands under a heading of its own beside the form', () => {
    expect(legal('<h2>Data under the GDPR</h2><p>We keep your name.</p>')).toMatchObject({
      reason: expect.stringContaining('No page about terms'),
    })
  })
})

describe('figures in the text', () => {
  const figures = (text: string) =>
    quotesOf(
      runCheck(
        contentAnswerability,
        'evidence',
        site(home(`<main><h1>A</h1><p>${text}</p><p>${words(450)}</p></main>`)),
      ),
    )

  test.each([
    ['<span>Sesiones</span><span>50 minutos</span>', '1 figure'],
    ['TV 55 pollici', '1 figure'],
    ['TV de 55 pulgadas', '1 figure'],
    ['Felgen in 18 Zoll', '1 figure'],
    ['Camera per 2 Ospiti', '1 figure'],
    ['+150 reseñas', '1 figure'],
    ['Con más de cinco años de experiencia', '1 figure'],
    ['売上 1000万円', '1 figure'],
    ['資本金 1000万円', '0 figures'],
  ])('%s has %s', (text, count) => expect(figures(text)).toContain(count))

  test('the cells of a row are no single price', () => {
    expect(figures('<table><tr><td>18,0</td><td>32,00 €</td></tr></table>')).not.toContain('18,0 32')
  })
})

test.each([
  'De qué hablamos en la consulta',
  'Por qué cuesta tanto decidir',
  'Warum eine Wallbox',
  'Pourquoi un avocat',
])('"%s" asks without a mark', (heading) => expect(asksQuestion(heading)).toBe(true))

test.each(['How can we help you?', 'Ihre Frage war nicht dabei?'])(
  '"%s" asks nothing that a page answers',
  (heading) => expect(asksQuestion(heading)).toBe(false),
)

test.each([
  ['/assets/images/ld-export-f1ad00d0-05102023-min-600x750.webp', false],
  ['/assets/app.3f9a2b1c.js', true],
  ['/static/js/main.3f9a2b1c.chunk.js', true],
  ['/_next/static/3f9a2b1c-page.js', true],
])('that %s has a hash of its content is %s', (path, isHashed) => {
  const page = readPage(reply(`${at}/`, `<img src="${path}"><script src="${path}"></script>`))
  expect(readReferences(page).hashedAssets).toEqual(isHashed ? [`${at}${path}`] : [])
})

describe('who stands behind the site', () => {
  const hero =
    '<section class="hero" aria-label="Présentation"><h1>Optique Lind</h1><p>Nous voyons.</p></section>'

  test.each(['/fr/', '/fr/index.html', '/pt-br/'])(
    '%s is a home page, and never the page about the firm',
    (path) => {
      const entries = {
        ...home('<html lang="es"><h1>Óptica Lind</h1>'),
        [`${at}${path}`]: `<html lang="fr">${hero}`,
      }
      const outcome = runCheck(entityTrust, 'about', site(entries))
      expect(JSON.stringify(outcome)).not.toContain(`${at}${path}`)
    },
  )

  test('the part with the main heading tells of nobody', () => {
    const outcome = runCheck(entityTrust, 'about', site(home(`<html lang="fr">${hero}<p>${words(40)}</p>`)))
    expect(outcome).toMatchObject({ reason: expect.stringContaining('No page about') })
  })

  test('every link of a credit line is a credit', () => {
    const line =
      'Cover template for <a href="https://getbootstrap.com/">Bootstrap</a>, by <a href="https://twitter.com/mdo">@mdo</a> and <a href="https://github.com/x4153">x4153</a>'
    expect(runCheck(entityTrust, 'profiles', site(home(`<footer><p>${line}</p></footer>`))).result).toBe('na')
  })

  test('a name with and without its accents is one, and the name has them', () => {
    const page =
      '<title>Tu Guia en Brujas</title><meta property="og:site_name" content="Tu Guía en Brujas"><h1>Tours</h1><footer>© 2026 Tu Guía en Brujas</footer>'
    expect(runCheck(entityTrust, 'brand-name', site(home(page))).result).toBe('pass')
    const plain =
      '<title>Cafe Lind</title><h1>Kuchen</h1><p>Cafe Lind heißt auch Café Lind.</p><footer>Café Lind</footer>'
    expect(companyName(site(home(plain)))).toBe('Café Lind')
  })

  test('a Turkish legal form is no part of the name', () => {
    const page =
      '<title>Lind Bilişim</title><meta property="og:site_name" content="Lind Bilişim Ltd. Şti."><footer>© 2026 Lind Bilişim Ltd. Şti.</footer>'
    expect(runCheck(entityTrust, 'brand-name', site(home(page))).result).toBe('pass')
  })

  test('a mark on a Japanese letter makes another name', () => {
    const page = '<title>カキ</title><meta property="og:site_name" content="ガギ"><footer>© ガギ</footer>'
    expect(quotesOf(runCheck(entityTrust, 'brand-name', site(home(page))))).not.toContain(
      'the title: has "ガギ"',
    )
  })
})

describe('what others say', () => {
  const proof = (html: string, language = 'pt') =>
    runCheck(
      entityTrust,
      'proof',
      site(home(`<html lang="${language}"><h1>Clínica</h1><h2>Nossos serviços</h2>${html}`)),
    ).result

  test.each([
    '<h2>O que dizem os pacientes</h2>',
    '<h2>O que dizem nossos clientes</h2>',
    '<p>★ ★ ★ ★ ★</p>',
  ])('%s is a sign of it', (html) => expect(proof(`${html}<p>${words(20)}</p>`)).toBe('pass'))

  test.each([
    ['es', 'Lo que dicen nuestros clientes'],
    ['fr', 'Ce que disent nos clients'],
    ['de', 'Das sagen unsere Kunden'],
    ['it', 'Cosa dicono i clienti'],
    ['nl', 'Wat onze klanten zeggen'],
  ])('in %s it stands under "%s"', (language, heading) =>
    expect(proof(`<h2>${heading}</h2><p>${words(20)}</p>`, language)).toBe('pass'),
  )

  test('quotes that the page calls illustrative prove nothing', () =>
    expect(
      proof('<h2>O que dizem os pacientes</h2><p>★ ★ ★ ★ ★</p><p>Depoimentos ilustrativos.</p>'),
    ).not.toBe('pass'))
})

describe.each(['http://example.com', 'https://site.pages.example.net'])('a sitemap of %s', (other) => {
  const urls = [1, 2, 3]
    .map((at) => `<url><loc>${other}/p${at}</loc><lastmod>2026-0${at}-01</lastmod></url>`)
    .join('')
  const read = site({
    ...home('<nav><a href="/p1">One</a><a href="/p2">Two</a></nav><h1>Parts</h1>'),
    [`${at}/sitemap.xml`]: {
      body: `<urlset>${urls}</urlset>`,
      headers: { 'content-type': 'application/xml' },
    },
  })

  test('does not pass, and its host is told', () =>
    expect(runCheck(coreSnapshot, 'sitemap', read)).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining(`${at}/p1`),
    }))

  test('is judged by no other check', () => {
    expect(runCheck(crawlAccess, 'sitemap-quality', read).result).toBe('na')
    for (const check of ['coverage', 'lastmod'])
      expect(runCheck(freshnessIndex, check, read).result).toBe('na')
    expect(JSON.stringify(runCheck(freshnessIndex, 'newest', read))).not.toContain('2026-03')
  })
})

describe('the legal pages', () => {
  const legal = (html: string) => runCheck(entityTrust, 'legal', site(home(`<h1>Boats</h1>${html}`)))

  test.each(['', '#', 'javascript:void(0)'])('a link to "%s" leads to no notice, and is told', (href) => {
    expect(legal(`<a href="${href}">Privacy policy</a>`)).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('A link about privacy leads nowhere'),
    })
  })

  test('a notice in a dialog that a script opens can be read', () => {
    const dialog = `<a href="#privacy" id="privacyLink">Privacy Policy</a><div id="privacyModal" style="display:none"><h2>Privacy</h2><p>${words(80)}</p></div>`
    expect(legal(dialog)).toMatchObject({ reason: expect.not.stringContaining('rivacy is') })
    expect(quotesOf(legal(dialog))).toContain('privacyModal')
  })

  test('a banner for consent is no notice', () => {
    const banner =
      '<a href="#">Privacy Policy</a><div id="privacy-popup" style="display:none"><p>We use cookies.</p></div>'
    expect(legal(banner)).toMatchObject({ reason: expect.stringContaining('leads nowhere') })
  })
})

describe('who answers for the site', () => {
  const judged = (html: string) =>
    runCheck(
      entityTrust,
      'accountability',
      site({ ...home(html), [`${at}/.well-known/security.txt`]: { status: 404 } }),
    ).result

  test.each([
    '<h2>Firma Bilgileri</h2><p>Lind</p>',
    '<h2>Biz</h2><table><tr><td>Ticaret Unvanı</td><td>LIND BİLİŞİM LTD.ŞTİ.</td></tr><tr><td>Vergi No</td><td>8920012345</td></tr><tr><td>Adres</td><td>Ankara</td></tr></table>',
    '<h2>会社情報</h2><dl><dt>会社名</dt><dd>株式会社リンド</dd><dt>代表者</dt><dd>田中一郎</dd><dt>所在地</dt><dd>福井県</dd></dl>',
    '<p>Lind Ltd, company number 01234567, registered office 12 Mill Lane, Ely</p>',
  ])('is said by %s', (html) => expect(judged(`<h1>Lind</h1>${html}`)).toBe('pass'))

  test('is not said by a number alone', () => {
    expect(judged('<h1>Lind</h1><p>Company number 01234567</p>')).not.toBe('pass')
  })
})

test('the address of a profile as text tells how to reach one person', () => {
  const posts = '<p>I write about C++.</p><p>https://github.com/lind</p>'
  const page = `<title>Notes of Mo</title><h1>Notes of Mo</h1><p>${words(60)}</p>${posts}`
  expect(runCheck(entityTrust, 'nap', site(home(page))).result).toBe('pass')
})

test('of one person neither a street nor a telephone number is asked', () => {
  const page = `<title>Notes of Mo</title><h1>Notes of Mo</h1><p>I write about C++. ${words(60)}</p>`
  const outcome = runCheck(entityTrust, 'nap', site(home(page)))
  const { fix, work } = { fix: '', work: undefined, ...outcome }
  expect(fix).toMatch(/^Show an e-mail address/)
  expect(ownerTitle('entity-trust/nap', fix, `${at}/`, work)).toMatch(/^Show one way to reach you/)
})

describe('the author of an article', () => {
  const post = (html: string, author = '') =>
    site({
      ...home('<title>Lind</title><meta property="og:site_name" content="Lind"><h1>Lind</h1>'),
      [`${at}/blog/one`]: `<title>One - Lind</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"One"${author === '' ? '' : `,"author":{"@type":"Person","name":"${author}"}`}}</script><header>Lind</header><main><h1>One</h1>${html}<p>${words(80)}</p></main>`,
    })

  test.each(['admin', 'root', 'Webmaster'])('is not "%s"', (name) => {
    const read = post(`<div class="article-author">${name}</div>`)
    expect(quotesOf(runCheck(entityTrust, 'authorship', read))).toContain('no name for readers')
    expect(runCheck(entityTrust, 'authorship', post(`<p>By ${name}</p>`, name)).result).toBe('fail')
  })

  test('is not told by the name of the site in its header or text', () => {
    const outcome = runCheck(
      entityTrust,
      'authorship',
      post('<p>Lind keeps your passwords.</p><p>Vault, developed by Lind</p>', 'Lind'),
    )
    expect(quotesOf(outcome)).toContain('no name for readers')
  })

  test('is not told by the name of its domain in the text', () => {
    const outcome = runCheck(entityTrust, 'authorship', post('<p>Site keeps your passwords.</p>', 'Site'))
    expect(quotesOf(outcome)).toContain('no name for readers')
  })

  test('may be the firm, where a line signs with it', () => {
    expect(runCheck(entityTrust, 'authorship', post('<p>By Lind</p>', 'Lind')).result).toBe('pass')
  })
})

describe('a page that its theme declares an article', () => {
  const declared = (html: string) =>
    site({
      ...home('<h1>Parish</h1>'),
      [`${at}/leaders/`]: `<meta property="og:type" content="article"><meta property="article:published_time" content="2021-09-10T00:00:00+00:00"><main><h1>Leaders</h1>${html}<p>${words(80)}</p></main>`,
    })

  test('is none without a sign that readers see', () => expect(articlesOf(declared(''))).toEqual([]))

  test.each(['<time datetime="2021-09-10">10 Sep</time>', '<p>10 September 2021</p>', '<p>By Anna Lind</p>'])(
    'is one with %s',
    (sign) => expect(articlesOf(declared(sign))).toHaveLength(1),
  )
})

describe('a control of the page itself', () => {
  test('the switches of a slide show ask for no label, and a choice in a form does', () => {
    const slides = '<input type="radio" name="slides" id="s1"><label for="s1"></label>'
    const field = '<label>Name <input name="n"></label>'
    const of = (html: string) => runCheck(accessibilityActionability, 'labels', site(home(html))).result
    expect(of(`${slides}<form>${field}</form>`)).toBe('pass')
    expect(of(`<form>${slides}${field}</form>`)).toBe('fail')
  })

  test('an empty link to the top is not to be called as its page is', () => {
    const menu = '<nav><a href="/">Home of the yachts</a></nav>'
    const outcome = runCheck(
      accessibilityActionability,
      'names',
      site(home(`${menu}<a href="#top" id="up"></a>`)),
    )
    expect(outcome.result).toBe('fail')
    expect(JSON.stringify(outcome)).not.toContain('Home of the yachts')
  })
})

describe('a question and its answer', () => {
  test('a remark may stand behind the mark', () => {
    expect(asksQuestion('Who can see this? (My community and the teams outside)')).toBe(true)
    expect(asksQuestion('We saw this (who can?) and moved on')).toBe(false)
  })

  test('the answer may be divided by subheadings', () => {
    const cards = ['Price', 'Time'].map((name) => `<h3>${name}</h3><p>${words(15)}</p>`).join('')
    const question = (name: string) => `<h2>Why do people ${name} us?</h2>${cards}`
    const main = (html: string) => site(home(`<main><h1>Yard</h1>${html}</main>`))
    const of = (html: string) => runCheck(contentAnswerability, 'question-blocks', main(html)).result
    expect(of(question('choose') + question('trust'))).toBe('pass')
    expect(of(`<h2>Why do people choose us?</h2><h2>Prices</h2>${cards}`)).toBe('fail')
  })
})

test('what a template left open is quoted with the words before it, and the name that stands there is not asked for', () => {
  const imprint = `<h1>Legal notice</h1><p>Name: Ann Lind</p><p>Register number: [to be completed]</p><p>${words(30)}</p>`
  const outcome = runCheck(
    entityTrust,
    'accountability',
    site({ ...home('<a href="/imprint">Imprint</a>'), [`${at}/imprint`]: imprint }),
  )
  expect(outcome).toMatchObject({
    result: 'fail',
    fix: expect.stringContaining('"Register number: [to be completed]"'),
  })
})
