import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import type { Outcome } from '../../../../src/products/scan/findings/check.ts'

import { countWords } from '../../../../src/products/scan/site/html/words.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, resultsOf, runCheck } from '../../../support/scans/checks.ts'

const home = 'https://site.example/'

function run(id: string, entries: Entries): Outcome {
  return runCheck(contentAnswerability, id, site(entries, { depth: 'basic' }))
}

function ofHome(id: string, body: string): Outcome {
  return run(id, { [home]: body })
}

/** Runs a check on pages with these bodies; the first one is the home page. */
function ofBodies(id: string, bodies: readonly string[]): Outcome {
  return run(id, Object.fromEntries(bodies.map((body, at) => [at === 0 ? home : `${home}p${at}`, body])))
}

const words = (count: number) =>
  Array.from({ length: count }, (_, at) => `wheel${String.fromCharCode(97 + (at % 26))}`).join(' ')
const repeat = (text: string, count: number) => Array.from({ length: count }, () => text).join(' ')

test('the content-answerability checks keep their ids and weights', () => {
  expect(contentAnswerability.checks.map(({ id, weight }) => `${id} ${weight}`).join(', ')).toBe(
    'answer-first 4, depth 3, hierarchy 3, question-blocks 3, evidence 3, boilerplate 3, lists-tables 2, link-text 2, titles 2, readability 2',
  )
})

test.each(contentAnswerability.checks.map(({ id }) => id))('%s is unmeasured when no page was seen', (id) => {
  expect(run(id, { [home]: { status: 503 } }).result).toBe('unmeasured')
})

describe('answer-first', () => {
  const page = (paragraph: string, lang = 'en') =>
    `<html lang="${lang}"><body><p>${words(30)}</p><h1>Ada</h1><nav><p>Menu</p></nav><p> </p><p>${paragraph}</p></body></html>`

  test.each([
    ['pass', '20 words with "is a"', page(`Ada is a shop ${words(16)}`)],
    ['warn', '19 words', page(`Ada is a shop ${words(15)}`)],
    ['fail', '14 words', page(`Ada is a shop ${words(10)}`)],
    ['pass', '90 words with a verb', page(`Ada repairs bikes ${words(87)}`)],
    ['fail', '91 words', page(`Ada repairs bikes ${words(88)}`)],
    ['fail', '"is" that defines nothing', page(`Ada is open today ${words(20)}`)],
    ['fail', 'no verb', page(words(30))],
    ['pass', 'a German definition', page(`Ada ist eine Werkstatt ${words(20)}`, 'de-CH')],
    ['fail', 'a German one on a French page', page(`Ada ist eine Werkstatt ${words(20)}`, 'fr')],
    ['unmeasured', 'Finnish', page(`Ada on kauppa ${words(20)}`, 'fi')],
    ['fail', 'no paragraph', '<h1>Ada</h1><div>Ada is a shop</div>'],
  ] as const)('answer-first is %s for %s', (result, _, body) => {
    expect(ofHome('answer-first', body).result).toBe(result)
  })
})

describe('the defining sentence of answer-first', () => {
  const page = (lang: string, sentence: string) =>
    `<html lang="${lang}"><body><h1>Ada</h1><p>${sentence} ${repeat('x', 20)}.</p></body></html>`

  test.each([
    ['pass', 'en', 'We fix burst pipes in and around Leeds'],
    ['pass', 'en', 'Harbour Plumbing installs, maintains and unblocks drains'],
    ['pass', 'en', 'Each candle that we pour burns for forty hours'],
    ['pass', 'en', 'Our bakery bakes sourdough bread every night'],
    ['pass', 'de', 'Unsere Tischlerei fertigt in Freiburg Möbel aus Eiche'],
    ['pass', 'de', 'Wir restaurieren alte Möbel'],
    ['pass', 'de', 'Seit 1990 sanieren wir Dächer'],
    ['pass', 'fr', 'Notre atelier restaure des meubles anciens'],
    ['pass', 'fr', 'Nous cuisinons des produits locaux'],
    ['pass', 'es', 'Reformamos cocinas y baños'],
    ['pass', 'it', 'Restauriamo mobili antichi'],
    ['pass', 'nl', 'Wij herstellen oude meubels'],
    ['pass', 'pt', 'Reformamos cozinhas e banheiros'],
    ['fail', 'en', 'Welcome to our website, your comfort and our passion'],
    ['fail', 'en', 'Fix burst pipes fast, the modern way'],
    ['fail', 'en', 'Our designs and the builds of tomorrow'],
    ['fail', 'en', 'Repairs with care, from spring to autumn'],
    ['fail', 'en', 'Car sales and repair in Leeds'],
    ['pass', 'en', 'We are plumbers in Leeds'],
    ['pass', 'en', 'Ada is still the oldest workshop of Leeds'],
    ['fail', 'en', 'Ada is open and cheap in summer'],
    ['fail', 'de', 'Herzlich willkommen auf den Seiten der Tischlerei'],
    ['fail', 'fr', 'Bienvenue sur le site de notre atelier'],
    ['fail', 'es', 'Bienvenidos a la página de nuestro taller'],
    ['fail', 'it', 'Benvenuti nel sito della nostra bottega'],
    ['fail', 'nl', 'Welkom op de site van onze werkplaats'],
    ['fail', 'pt', 'Bem-vindos ao site da nossa oficina'],
    ['unmeasured', 'pl', 'Naprawiamy rowery'],
  ] as const)('answer-first is %s in %s for "%s"', (result, lang, sentence) => {
    expect(ofHome('answer-first', page(lang, sentence)).result).toBe(result)
  })

  test('answer-first tries all languages on a page that declares none', () => {
    const body = `<h1>Ada</h1><p>Unsere Tischlerei fertigt Möbel ${repeat('x', 20)}.</p>`
    expect(ofHome('answer-first', body).result).toBe('pass')
  })

  test('the fix of answer-first asks only for what is missing', () => {
    const fixOf = (body: string) => {
      const outcome = ofHome('answer-first', body)
      return 'fix' in outcome ? outcome.fix : ''
    }
    const noVerb = fixOf(`<h1>Ada</h1><p>${words(30)}</p>`)
    expect(noVerb).not.toContain('20 to 90')
    expect(noVerb).toContain('sentence')
    const short = fixOf('<h1>Ada</h1><p>We fix burst pipes.</p>')
    expect(short).toContain('20 to 90')
    expect(short).not.toContain('who does what')
  })

  test('answer-first names a missing main heading instead of a missing paragraph after it', () => {
    const outcome = ofHome('answer-first', '<div>Ada is a shop</div>')
    expect(outcome.reason).toContain('no h1')
    expect(outcome.reason).not.toContain('follows')
    expect(quotesOf(outcome)).toBe('0 h1 elements with text, 0 paragraphs of running text')
  })
})

describe('depth', () => {
  const [long, short] = [words(300), words(299)]

  test.each([
    'menu',
    'our-lunch-menu',
    'speisekarte',
    'careers',
    'careers/barista',
    'blog',
    'blog/page/2',
    'blog/category/news',
    'category/candles',
    'collections/summer',
    'products',
    'gift-cards',
    'geschenkgutscheine',
    'cart',
    'en/menus/',
  ])('depth leaves out a page such as /%s', (path) => {
    expect(run('depth', { [home]: long, [home + path]: short }).reason).toContain('1 of 1 content page has')
  })

  test('depth measures the home page whatever its address', () => {
    const entries = { [home]: { finalUrl: `${home}shop`, body: short } }
    expect(run('depth', entries).reason).toContain('0 of 1 content page has')
  })

  test.each(['blog/how-we-bake', 'products/candle', 'services', 'menu-planning-for-weddings'])(
    'depth measures a page such as /%s',
    (path) => {
      expect(run('depth', { [home]: long, [home + path]: short }).result).toBe('fail')
    },
  )

  test.each([
    ['pass', '300 words', [long]],
    ['fail', '299 words', [short]],
    ['pass', '3 long pages of 5', [long, long, long, short, short]],
    ['fail', '1 of 2', [long, short]],
  ] as const)('depth is %s for %s', (result, _, bodies) => {
    expect(ofBodies('depth', bodies).result).toBe(result)
  })

  test('depth leaves out contact and legal pages', () => {
    const entries = { [home]: long, [`${home}contact`]: short, [`${home}privacy`]: short }
    expect(run('depth', entries).result).toBe('pass')
    expect(run('depth', { [home]: { status: 503 }, [`${home}contact`]: short }).result).toBe('na')
  })
})

describe('hierarchy', () => {
  const good = '<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>'
  const skipping = '<h1>A</h1><h3>C</h3>'

  test.each([
    ['na', 'no heading and 400 words', [words(400)]],
    ['fail', 'no heading and 401 words', [words(401)]],
    ['pass', 'levels in order', [good]],
    ['fail', 'a skipped level', [skipping]],
    ['warn', '3 good pages of 5', [good, good, good, skipping, skipping]],
    ['fail', '1 of 2', [good, skipping]],
    ['pass', '400 words without a subheading', [`<h1>A</h1><p>${words(400)}</p>`]],
    ['fail', '401 words without a subheading', [`<h1>A</h1><p>${words(401)}</p>`]],
    ['pass', '400 words before and after an h2', [`<h1>A</h1>${words(400)}<h2>B</h2>${words(400)}`]],
    ['pass', '401 words with an h3 between', [`<h1>A</h1><h2>B</h2>${words(200)}<h3>C</h3>${words(201)}`]],
    [
      'pass',
      '401 words with a question that unfolds between',
      [`<h1>A</h1><h2>B</h2>${words(200)}<details><summary>C</summary></details>${words(201)}`],
    ],
  ] as const)('hierarchy is %s for %s', (result, _, bodies) => {
    expect(ofBodies('hierarchy', bodies).result).toBe(result)
  })

  test('hierarchy names the heading that skips a level', () => {
    expect(quotesOf(ofHome('hierarchy', skipping))).toBe('h3 "C" follows an h1, and becomes h2')
  })
})

describe('the headings of a page that skips levels', () => {
  test('are listed with the level of each, and those below move along', () => {
    const body = '<h1>A</h1><h3>B</h3><h4>C</h4><h3>D</h3><h2>E</h2>'
    expect(quotesOf(ofHome('hierarchy', body))).toBe(
      ['h3 "B" follows an h1, and becomes h2', 'h4 "C" becomes h3', 'h3 "D" becomes h2'].join(' | '),
    )
  })

  test('stay below a second main heading without text, such as a logo', () => {
    const body = '<h1><img alt=""></h1><h6>Hours</h6><h1><img alt=""></h1><h6>Numbers</h6>'
    expect(quotesOf(ofHome('hierarchy', body))).toContain('h6 "Numbers" follows an h1, and becomes h2')
  })

  test('become paragraphs where they are sentences', () => {
    expect(quotesOf(ofHome('hierarchy', `<h1>A</h1><h4>${words(20)}</h4>`))).toContain('becomes a paragraph')
  })
})

describe('question-blocks', () => {
  const pair = (count: number, heading = '<h2>How long does it take?</h2>') =>
    `${heading}<p>${words(count)}</p>`

  test.each([
    ['pass', 'answers of 20 and 80 words', pair(20) + pair(80)],
    ['fail', 'an answer of 19 words', pair(20) + pair(19)],
    ['fail', 'an answer of 81 words', pair(20) + pair(81)],
    ['pass', 'buttons in headings', repeat(pair(20, '<h3><button>Is it safe?</button></h3>'), 2)],
    ['pass', 'Japanese marks', repeat(pair(20, '<h3>安全ですか？</h3>'), 2)],
    ['pass', 'terms', `<dl><dt>Why?</dt><dd>${words(20)}</dd><dt>When?</dt><dd>${words(20)}</dd></dl>`],
    ['pass', 'details', repeat(`<details><summary>Why?</summary>${words(20)}</details>`, 2)],
    ['fail', 'a heading that asks nothing', pair(20) + pair(20, '<h2>How it works</h2>')],
    ['fail', 'no headings', `<p>${words(100)}</p>`],
    ['na', 'no headings and few words', `<p>${words(99)}</p>`],
  ] as const)('question-blocks is %s for %s', (result, _, body) => {
    expect(ofHome('question-blocks', body).result).toBe(result)
  })
})

describe('the fix for question-blocks', () => {
  const fixOf = (entries: Entries) => {
    const outcome = run('question-blocks', entries)
    return 'fix' in outcome ? outcome.fix : ''
  }

  test('the fix of question-blocks names the FAQ page of the site', () => {
    const start = '<a href="/haeufige-fragen">Fragen</a>'
    expect(fixOf({ [home]: start, [`${home}haeufige-fragen`]: `<p>${words(100)}</p>` })).toContain(
      `${home}haeufige-fragen`,
    )
  })

  test('the fix of question-blocks asks for shorter answers where the questions exist', () => {
    const pair = `<h2>How long does it take?</h2><p>${words(81)}</p>`
    const fix = fixOf({ [home]: pair + pair })
    expect(fix).toContain('How long does it take?')
    expect(fix).not.toContain('write at least two headings')
  })

  test('question-blocks says that there is no question instead of 0 of 0', () => {
    expect(ofHome('question-blocks', `<p>${words(100)}</p>`).reason).toMatch(
      /^No subheading with a question and its answer/,
    )
  })
})

test.each([
  ['na', '', 99],
  ['fail', '', 100],
  ['pass', '30%', 99],
  ['fail', '30%', 100],
  ['pass', '€ 49', 99],
  ['pass', 'CHF 1,200.00', 98],
  ['pass', '30-minute', 98],
  ['pass', '12 kg', 98],
  ['pass', '5 Tage', 98],
  ['unmeasured', '12 monkeys', 98],
  ['unmeasured', '3 mothers', 98],
] as const)('evidence is %s for "%s" and %i other words', (result, figures, others) => {
  expect(ofHome('evidence', `<p>${figures} ${words(others)}</p>`).result).toBe(result)
})

describe('boilerplate', () => {
  const page = (before: number, main: number, after = 0) =>
    `<nav>${words(before)}</nav><main>x${words(main)}</main><footer>${words(after)}</footer>`

  test.each([
    ['na', 'no text', ['<div id="root"></div>']],
    ['pass', '40 % of the text', [page(0, 40, 60)]],
    ['fail', '39 %', [page(0, 39, 61)]],
    ['pass', 'a beginning at 29 %', [page(29, 70)]],
    ['fail', 'a beginning at 32 %', [page(32, 68)]],
    ['warn', '3 good pages of 5', [page(0, 80), page(0, 80), page(0, 80), page(40, 40), page(40, 40)]],
    ['fail', '1 of 2', [page(0, 80), page(40, 40)]],
  ] as const)('boilerplate is %s for %s', (result, _, bodies) => {
    expect(ofBodies('boilerplate', bodies).result).toBe(result)
  })
})

describe('lists-tables', () => {
  const list = '<ul><li><ul><li>a</li><li>b</li></ul></li><li>c</li></ul>'

  test.each([
    ['na', 'no list in 499 words', words(499)],
    ['fail', 'no list in 500 words', words(500)],
    ['pass', 'one in 500 words', list + words(490)],
    ['fail', 'one within another in 751 words', list + words(751)],
    ['fail', 'a list of one item in 500 words', `<ul><li>a</li></ul>${words(500)}`],
    ['fail', 'menus only', `<nav>${list}${list}</nav>${words(500)}`],
    ['pass', 'a table and a list in 1000 words', `<table><tr><td>a</td></tr></table>${list}${words(985)}`],
    [
      'fail',
      'a list of pictures',
      `<ul><li><img src="/a.png"></li><li><img src="/b.png"></li></ul>${words(500)}`,
    ],
    ['fail', 'a table to be filled', `<table><tr><td>{{price}}</td></tr></table>${words(500)}`],
  ] as const)('lists-tables is %s for %s', (result, _, body) => {
    expect(ofHome('lists-tables', body).result).toBe(result)
  })
})

describe('link-text', () => {
  const link = (text: string) => `<a href="/x">${text}</a>`

  test.each([
    ['na', 'no text', link('')],
    ['pass', 'none generic', link('Prices')],
    ['fail', '1 of 10', repeat(link('Prices'), 9) + link('Read more →')],
    ['pass', '1 of 11', repeat(link('Prices'), 10) + link('Read more →')],
    ['fail', 'German', link('Hier klicken')],
  ] as const)('link-text is %s for %s', (result, _, body) => {
    expect(ofHome('link-text', body).result).toBe(result)
  })
})

describe('readability', () => {
  const page = (sentence: string, lang = 'en') =>
    `<html lang="${lang}"><body>${repeat(`<p>${sentence}</p>`, 40)}</body></html>`
  const plain =
    'The workshop repairs every bicycle within two working days and delivers it to your own front door.'
  const long = plain.slice(0, -1)

  test.each([
    ['pass', 'grade 9.8', page(plain)],
    ['pass', 'at most 12', page('We fix it. It runs.')],
    ['fail', 'grade 16.', page(`${long} and ${long}.`)],
    [
      'unmeasured',
      'German',
      page(repeat('Wir sind eine kleine Werkstatt und reparieren Fahrräder aller Marken.', 40), 'de'),
    ],
    ['na', 'too little text', `<html lang="en"><body><p>${plain}</p></body></html>`],
  ] as const)('readability is %s for %s', (result, what, body) => {
    const outcome = ofHome('readability', body)
    expect(outcome.result).toBe(result)
    if (result === 'fail') expect(quotesOf(outcome)).toContain(what)
  })
})

test.each([
  ['digits', '1,'],
  ['question marks', '? '],
  ['open elements', '<div>'],
  ['nested lists', '<ul><li>'],
  ['nested questions', '<h2><details><summary>?'],
  ['open forms', '<form><p>'],
] as const)('all content-answerability checks measure a page of nothing but %s', (_, piece) => {
  const results = resultsOf(contentAnswerability, site({ [home]: piece.repeat(20_000) }))
  // The reading grade is for English, and this is no language. Digits in one box open nothing.
  const unmeasured = results.filter((result) => result.endsWith(' unmeasured'))
  expect(unmeasured.filter((result) => result !== 'answer-first unmeasured')).toEqual([
    'readability unmeasured',
  ])
})

test.each([
  [
    'main',
    '<header>a b</header><main><header><h1>c</h1></header><p>d <b>e</b></p><aside>f</aside></main><p>g</p>',
  ],
  [
    'articles',
    '<p>a</p><article><h2>b c</h2>d<article>e</article></article><article hidden>f</article><article>g</article>',
  ],
  [
    'the body',
    '<header>a</header><div>b<h2>c</h2>d<ul><li>e<dl><dt>f</dt><dd>g</dd></dl></li></ul></div><footer>h</footer>',
  ],
  ['a form around the page', '<form><div><h1>a</h1><p>b c</p></div><form>d</form></form>'],
  ['a form beside it', '<h1>a</h1><form><p>b c</p></form><p hidden>d</p><nav>e</nav>'],
  ['an article with another beside it', '<article>a<aside><article>b</article></aside></article>'],
  ['an empty main', '<main><nav>a</nav></main><p>b</p><div role="search">c</div>'],
] as const)('the sections of %s hold each word of the main text once', (_, body) => {
  const [page] = site({ [home]: body }).pages
  if (page === undefined) throw new Error('no page')
  const { sections } = page.mainPart
  const inSections = sections.reduce((sum, one) => sum + one.words + countWords(one.heading), 0)
  expect(inSections).toBe(countWords(page.mainText))
  expect(inSections).toBeGreaterThan(0)
})

describe('titles', () => {
  const page = (title: string, heading: string) => `<title>${title}</title><h1>${heading}</h1>`
  const pages = (titles: readonly string[]): Entries =>
    Object.fromEntries(
      titles.map((title, place) => [
        `https://site.example/${place === 0 ? '' : place}`,
        page(title, `Part ${place}`),
      ]),
    )

  test.each([
    ['pass', ['Lind', 'Team of Lind', 'Prices of Lind']],
    ['warn', ['Lind', 'Lind', 'Team']],
    ['warn', ['Lind', 'B', 'C', 'D', 'Lind', 'Lind']],
    ['fail', ['Lind', 'Lind', 'Lind', 'Lind', 'Team']],
    ['fail', ['', '', '']],
    ['na', ['Lind', 'Lind']],
  ])('titles is %s for %j', (result, titles) => {
    expect(runCheck(contentAnswerability, 'titles', site(pages(titles))).result).toBe(result)
  })

  test('a title that three pages have is quoted with the name of each but the first', () => {
    const outcome = runCheck(contentAnswerability, 'titles', site(pages(['Lind', 'Lind', 'Lind'])))
    expect(quotesOf(outcome)).toBe(
      'title "Lind" on 3 pages; name "Part 1" | title "Lind" on 3 pages; name "Part 2"',
    )
  })
})
