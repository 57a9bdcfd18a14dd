import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { isSamePhone } from '../../../../../src/products/scan/site/contact/phone-rules.ts'
import { headedAmounts } from '../../../../../src/products/scan/site/headed-amounts.ts'
import { whatsAppNumber } from '../../../../../src/products/scan/site/messenger-address.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { sentencesIn } from '../../../../../src/products/text/sentences.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What owners of practices in five countries stumbled over when they read reports on their own sites. */

const at = (path = '/') => `https://lind.example${path}`
const page = (html: string, title = 'Lind Dental Practice', lang = 'en') =>
  `<html lang="${lang}"><title>${title}</title><body><h1>Lind Dental Practice</h1>${html}`
const home = (html: string): Entries => ({ [at()]: page(html) })
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []

describe('a form in a part that is switched off', () => {
  const form =
    '<form action="https://formspree.io/f/abc"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form>'
  const off = (attributes: string, beside = '') =>
    home(`<section style="display: none" ${attributes}>${form}</section>${beside}`)
  const leadOf = (entries: Entries) => runCheck(workflowAutomation, 'lead-capture', site(entries)).result

  test.each([
    ['fail', 'that nothing opens', off('id="consultation"')],
    ['pass', 'that a link opens', off('id="consultation"', '<a href="#consultation">Write to us</a>')],
    ['pass', 'that a button opens', off('id="box"', '<button data-bs-target="#box">Write</button>')],
    [
      'pass',
      'whose class a script names',
      off('class="popup"', '<script>document.querySelector(".popup").hidden = false</script>'),
    ],
    ['pass', 'that is open', home(`<section id="consultation">${form}</section>`)],
  ] as const)('%s: one %s', (result, _, entries) => {
    expect(leadOf(entries)).toBe(result)
  })
})

describe('links to feeds of a site without articles', () => {
  const links =
    '<link rel="alternate" type="application/rss+xml" href="/feed/"><link rel="alternate" type="application/rss+xml" href="/comments/feed/">'
  const feedOf = (entries: Entries) => runCheck(freshnessIndex, 'feed', site(entries))

  test('are named all, where the first one is missing', () => {
    const outcome = feedOf({ ...home(links), [at('/feed/')]: { purpose: 'feed', status: 404 } })
    expect(fixOf(outcome)).toContain(`Take the links to ${at('/feed/')} and ${at('/comments/feed/')} out of`)
  })

  test('are taken out, where the feed is empty', () => {
    const body = '<rss version="2.0"><channel><title>Comments</title></channel></rss>'
    const outcome = feedOf({ ...home(links), [at('/feed/')]: { purpose: 'feed', body } })
    expect(fixOf(outcome)).toContain('Take the links to')
  })
})

test.each([
  ['Vereinbaren Sie jetzt gleich einen Termin.', 'warn'],
  ['Termine sind auch nach Absprache außerhalb der Sprechzeiten vereinbar.', 'warn'],
  ['Wir freuen uns auf Sie.', 'na'],
])('booking by the words “%s”: %s', (text, result) => {
  const entries = { [at()]: page(`<p>${text}</p><p>Telefon 0711 8899001</p>`, 'Praxis Lind', 'de') }
  expect(runCheck(workflowAutomation, 'booking', site(entries)).result).toBe(result)
})

test.each([
  ['Zur Zeit haben wir keine offenen Stellen in unserer Praxis.', 'na'],
  ['There are no current vacancies.', 'na'],
  ['We are looking for a nurse. Apply by post.', 'fail'],
])('a page about jobs that says “%s”: %s', (text, result) => {
  const entries = { ...home('<a href="/jobs">Jobs</a>'), [at('/jobs')]: page(`<h2>Jobs</h2><p>${text}</p>`) }
  expect(runCheck(workflowAutomation, 'hiring', site(entries)).result).toBe(result)
})

test('"seit 07/1992" is a figure', () => {
  const prose = `<p>Dr. Lind, seit 07/1992. ${'Wir behandeln mit Ruhe und Sorgfalt. '.repeat(40)}</p>`
  const outcome = runCheck(contentAnswerability, 'evidence', site({ [at()]: page(prose, 'Praxis', 'de') }))
  expect(quotesOf(outcome)).toContain('seit 07/1992')
})

describe('questions in boxes that unfold', () => {
  const box = (question: string, answer: string) =>
    `<div class="item"><div class="question"><h3>${question}</h3><span class="icon"></span></div><div class="answer"><p>${answer}</p></div></div>`
  const faq = page(
    `<h2>Services</h2>${box('What do you offer?', 'We offer crowns, fillings and cleaning for the whole family.')}${box('How often should I come?', 'Twice a year is enough for most of our patients.')}<h2>Still have questions?</h2><p>Call us.</p><h2>Ready to book your visit?</h2><p>Book now.</p>`,
    'FAQ',
  )

  test('are in the block with their answers, and calls to action are not', () => {
    const block = actionsOf({ ...home('<a href="/faq">FAQ</a>'), [at('/faq')]: faq }).find(({ block: one }) =>
      one?.text.includes('FAQPage'),
    )?.block?.text
    expect(block).toContain('"What do you offer?"')
    expect(block).toContain('"Twice a year is enough for most of our patients."')
    expect(block).not.toMatch(/Still have|Ready to book/)
  })
})

describe('a captcha', () => {
  const guarded = (key: string) =>
    home(
      `<script src="https://www.google.com/recaptcha/api.js"></script><p>${'word '.repeat(60)}</p><form><div class="g-recaptcha" data-sitekey="${key}"></div><textarea></textarea></form>`,
    )

  test.each([
    ['your-recaptcha-site-key', 'pass'],
    ['6LdxQ0UaAAAAAH1', 'warn'],
  ])('with the key %s: %s', (key, result) => {
    expect(runCheck(crawlAccess, 'challenge', site(guarded(key))).result).toBe(result)
  })

  test('is counted on pages, not on addresses that answer 404', () => {
    const outcome = runCheck(
      crawlAccess,
      'challenge',
      site({ ...guarded('6LdxQ0UaAAAAAH1'), [at('/gone')]: { status: 404, body: 'gone' } }),
    )
    expect('reason' in outcome ? outcome.reason : '').toMatch(/^1 of 1 page loads/)
  })
})

test('a missing stylesheet is named with the number of pages that load it', () => {
  const link = '<link rel="stylesheet" href="/a.css">'
  const outcome = runCheck(
    renderPerformance,
    'linked-files',
    site({
      ...home(link),
      [at('/b')]: page(link),
      [at('/c')]: page(link),
      [at('/a.css')]: { purpose: 'style', status: 404 },
    }),
  )
  expect(fixOf(outcome)).toContain(`correct its address on ${at()} and 2 more pages.`)
})

describe('the number of a template', () => {
  const link = '<a href="tel:+911234567890">Call</a>'
  const callsOf = (html: string, more = 0) =>
    fixOf(
      runCheck(
        coreSnapshot,
        'contact-path',
        site({
          ...home(html),
          ...Object.fromEntries(Array.from({ length: more }, (_, one) => [at(`/${one}`), page(html)])),
        }),
      ),
    )

  test('is to be looked for in scripts, where one holds it', () => {
    expect(callsOf(`${link}<script>const phone = '+91 12345 67890'</script>`)).toContain(
      'a script may write it into the page',
    )
    expect(callsOf(link)).not.toContain('script')
  })

  test('is named with a second one that readers see, and with all its pages', () => {
    const fix = callsOf(`${link}<p>Phone (555) 123-4567, +1 (555) 123-4567</p>`, 7)
    expect(fix).toContain('Do the same with (555) 123-4567, which the text shows.')
    expect(fix).toContain('and 3 more pages')
  })

  test('that no link dials is to be written over by the message with the description', () => {
    const block = actionsOf(home('<p>Call +380 123 456 789</p><p>We are dentists.</p>')).find(
      ({ block: one }) => one?.text.includes('"WebSite"'),
    )?.block
    expect(block?.where).toContain(`On ${at()} stands +380 123 456 789, the sample number of a template.`)
  })
})

test.each([
  ['+38 (0352) 52-85-95', '+380352528595', true],
  ['+44 (0)20 7946 0958', '+442079460958', true],
  ['+49 (0711) 889900', '+49711889900', true],
])('%s and %s are one number: %s', (one, other, isSame) => {
  expect(isSamePhone(one, other)).toBe(isSame)
})

test('an address of Ukraine is read with its town and code', () => {
  const [found] = postalAddressesIn('Адреса: просп. Злуки 8 м. Тернопіль, 46000')
  expect(found?.address).toEqual({
    streetAddress: 'просп. Злуки 8',
    addressLocality: 'Тернопіль',
    postalCode: '46000',
  })
})

test('a box that only opens a menu is no field', () => {
  const field =
    '<input type="checkbox" id="phone-toggle" name="contact"><label for="phone-toggle"><i>phone</i></label>'
  expect(runCheck(accessibilityActionability, 'labels', site(home(field))).result).toBe('na')
})

test('the next step of a page in a language without words is not judged', () => {
  const entries = {
    [at()]: page(
      '<button>Записатися на прийом</button><p>Стоматологія для всієї родини</p>',
      'Сладент',
      'uk',
    ),
  }
  expect(runCheck(accessibilityActionability, 'cta', site(entries)).result).toBe('unmeasured')
})

test('a preview picture needs its full address', () => {
  const metas = ['title', 'description', 'type']
    .map((name) => `<meta property="og:${name}" content="x">`)
    .join('')
  const outcome = runCheck(
    structuredData,
    'open-graph',
    site(home(`${metas}<meta property="og:image" content="images/logo.png">`)),
  )
  expect(outcome.result).toBe('warn')
  expect(fixOf(outcome)).toContain(`: ${at('/images/logo.png')}.`)
})

test('where no line is the main heading, it is asked for with the order of the others', () => {
  const entries: Entries = {
    [at()]: `<html lang="en"><title>Lind Dental Practice</title><body><h2>Welcome</h2><h4>to our practice</h4><p>${'We look after teeth. '.repeat(60)}</p>`,
  }
  const actions = actionsOf(entries)
  const order = actions.find(({ id }) => id === 'content-answerability/hierarchy')
  expect(order?.settles).toContain('core-snapshot/one-h1')
  expect(order?.block?.missing.join()).toContain('the words of the main heading')
  expect(actions.filter(({ settles }) => settles.includes('core-snapshot/one-h1'))).toHaveLength(1)
})

test.each([
  ['Der Satz „Wir helfen. Sofort.“ steht dort. Danach geht es weiter.', 2],
  ['Le mot «Merci. Au revoir.» est là. La suite vient.', 2],
  ['The line “We help. At once.” stands there. Then it goes on.', 2],
  ['The line "We help. At once." stands there. Then it goes on.', 2],
  ['Das „Wort“ endet. So ist es.', 2],
])('quotations are not cut into sentences: %s', (text, count) => {
  expect(sentencesIn(text)).toHaveLength(count)
})

test('a link to a message on WhatsApp holds no number', () => {
  expect(whatsAppNumber('https://wa.me/message/ABC12345678')).toBeUndefined()
  expect(whatsAppNumber('https://wa.me/919876543210')).toBe('+919876543210')
})

test('the sign of a dollar keeps its country in the head of a table', () => {
  const table =
    '<table><tr><th>Service</th><th>Preço (R$)</th></tr><tr><td>Limpeza</td><td>150</td></tr></table>'
  const [home] = site({ [at()]: page(table) }).pages
  expect(home === undefined ? [] : headedAmounts(home)).toEqual(['R$150'])
})

describe('an answer in a box of its own', () => {
  const faqOf = (text: string) =>
    actionsOf({ ...home('<a href="/faq">FAQ</a>'), [at('/faq')]: page(text, 'FAQ') }).find(({ block: one }) =>
      one?.text.includes('"@type": "FAQPage"'),
    )?.block?.text
  const box = (text: string) => `<div>${text}</div>`

  test('ends before the box of the next question', () => {
    const block = faqOf(
      `${box('<h3>What does a crown cost?</h3>')}${box('<p>About 500 pounds.</p>')}${box('<h3>How long does it take?</h3>')}${box('<p>An hour.</p>')}`,
    )
    expect(block).toContain('"About 500 pounds."')
    expect(block).toContain('"An hour."')
  })

  test('is not the next question of a row', () => {
    const row = ['What does it cost?', 'How long does it take?', 'Does it hurt?'].map((one) =>
      box(`<h3>${one}</h3>`),
    )
    expect(faqOf(row.join(''))).toBeUndefined()
  })
})
