import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { securitySafety } from '../../../../src/products/scan/agents/security-safety/security-safety.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import { openingHoursIn } from '../../../../src/products/scan/signals/contact/opening-hours.ts'
import { readServices } from '../../../../src/products/scan/signals/services.ts'
import { type Entries, reply, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What readers of ten more public sites found to be counted, quoted or advised wrongly. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)
const wordsOfHome = (html: string) => quotesOf(runCheck(coreSnapshot, 'ssr-text', site(home(html))))

describe('what is no text of the page', () => {
  test.each([
    ['a notice about cookies', `<div class="cookie-banner hidden" id="c"><p>${words(15)}</p></div>`],
    [
      'the request to turn the phone',
      '<div id="lock"><p>Per favore, ruota il telefono in orizzontale</p></div>',
    ],
    ['a footer that is a box', `<div class="footer"><h4>Hours</h4><p>${words(30)}</p></div>`],
  ])('%s is not counted', (_, box) => {
    expect(wordsOfHome(`<h1>Lind</h1><p>${words(60)}</p>${box}`)).toMatch(/^61 words/)
  })

  test('a page about cookies is text', () => {
    expect(wordsOfHome(`<h1>Lind</h1><div class="cookies"><p>${words(200)}</p></div>`)).toMatch(/^201 words/)
  })

  test('the request to turn the phone describes no site', () => {
    const one = site(
      home(
        '<title>Lind</title><div id="lock"><p>Please rotate your phone to see the pictures of this site in full width.</p></div><main><h1>Lind</h1></main>',
      ),
    )
    expect(one.home && readFacts(one, one.home).description).toBeUndefined()
  })

  test('a page that says thanks for a message is no content', () => {
    const one = site({
      ...home(`<h1>Lind</h1><p>${words(310)}</p>`),
      [`${at}/message-envoye.html`]: '<h1>Merci</h1><p>Votre message est parti.</p>',
    })
    expect(runCheck(contentAnswerability, 'depth', one).result).toBe('pass')
  })
})

describe('a fix names all that it is about', () => {
  const pages = Object.fromEntries(
    Array.from({ length: 8 }, (_, place) => [
      `${at}/${place === 0 ? '' : place}`,
      '<html><p>A text.</p></html>',
    ]),
  )

  test('each page without a language is listed', () => {
    const outcome = runCheck(accessibilityActionability, 'lang', site(pages))
    expect(fixOf(outcome)).toContain('Do the same on 7 more pages')
    expect('evidence' in outcome && outcome.evidence).toHaveLength(8)
  })

  test('the parts loaded over http are counted', () => {
    const parts = '<img src="http://cdn.example/a.png"><img src="http://cdn.example/b.png">'
    expect(fixOf(runCheck(securitySafety, 'mixed', site(home(parts))))).toContain(
      'Do the same with another part',
    )
  })

  test('scripts of the body wait, too, where they need those of the head', () => {
    const head = Array.from({ length: 4 }, (_, place) => `<script src="/${place}.js"></script>`).join('')
    const fix = (body: string) =>
      fixOf(
        runCheck(renderPerformance, 'head-scripts', site(home(`<head>${head}</head><body>${body}</body>`))),
      )
    expect(fix('<script src="/main.js"></script>')).toContain('also those in the body')
    expect(fix('')).not.toContain('body')
  })

  test('an empty title before the true one is to be deleted', () => {
    const fix = fixOf(
      runCheck(
        coreSnapshot,
        'title-desc',
        site(home('<head><title></title><title>Lind, dentist in Ulm</title></head><h1>Lind</h1>')),
      ),
    )
    expect(fix).toContain('delete the empty title element')
    expect(fix).not.toContain('write a title')
  })

  test('a link to a dead feed is taken out of a site without articles', () => {
    const outcome = runCheck(
      freshnessIndex,
      'feed',
      site({
        ...home('<link rel="alternate" type="application/rss+xml" href="/feed"><h1>Lind</h1>'),
        [`${at}/feed`]: { status: 404, purpose: 'feed' },
      }),
    )
    expect(fixOf(outcome)).toMatch(/^Take the link to .+\/feed out of https:\/\/site\.example\//)
  })
})

describe('placeholders of a template', () => {
  test('XXX is no telephone number', () => {
    const one = site(home('<h1>Lind</h1><a href="tel:+39XXXXXXXXXX">+39 XXX XXX XXXX</a>'))
    expect(one.home?.phones).toEqual([])
    expect(fixOf(runCheck(coreSnapshot, 'contact-path', one))).toContain('Write your own number')
  })

  test('dummy@email.com is no address', () => {
    const one = site(home('<h1>Lind</h1><a href="mailto:dummy@email.com">Mail</a>'))
    expect(one.home && readFacts(one, one.home).email).toBeUndefined()
  })

  test('an account of XXX counts no visits', () => {
    const script = (id: string) =>
      reply(`${at}/main.js`, `const id='${id}'; load('https://www.googletagmanager.com/gtag/js?id=')`)
    const loading = (id: string) =>
      site(
        home(`<script async src="https://www.googletagmanager.com/gtag/js?id=${id}"></script><h1>Lind</h1>`),
      )
    expect(readServices(loading('G-ABCD123456').pages)).toHaveLength(1)
    expect(readServices(loading('G-XXXXXXXXXX').pages)).toEqual([])
    expect(readServices([], [script('G-XXXXXXXXXX')])).toEqual([])
    expect(readServices([], [script('G-1A2B3C4D5E')])).toHaveLength(1)
  })
})

describe('opening hours', () => {
  test('are not those of the telephone', () => {
    expect(
      openingHoursIn(
        'Sie erreichen uns telefonisch: Montag bis Freitag 8:00–12:00 Uhr. Dienstag 9:00–15:00 Uhr',
      ),
    ).toEqual(['Tu 09:00-15:00'])
  })

  test('may have a semicolon between morning and afternoon', () => {
    expect(openingHoursIn('Montag 08:00-12:00; 15:00-17:00 Dienstag 08:00-12:00')).toEqual([
      'Mo 08:00-12:00',
      'Mo 15:00-17:00',
      'Tu 08:00-12:00',
    ])
  })
})

test('a field of the home page whose id begins with hp is no trap', () => {
  const field = '<form><label for="hp_mail">Mail</label><input type="email" id="hp_mail" name="mail"></form>'
  expect(runCheck(accessibilityActionability, 'autocomplete', site(home(field))).result).toBe('fail')
})

describe('what a scan names for the owner', () => {
  const text = (count: number) => `<main><h1>Lind</h1><p>${words(count)}</p></main>`

  test('figures, with the pages that lack most first', () => {
    const outcome = runCheck(
      contentAnswerability,
      'evidence',
      site({ ...home(`<title>Lind Ltd</title>${text(400)}`), [`${at}/b`]: text(200) }),
    )
    expect(fixOf(outcome)).toMatch(/^Add figures that you know to be true/)
    expect(outcome).toMatchObject({
      work: { kind: 'figures' },
      evidence: [{ url: `${at}/` }, { url: `${at}/b` }],
    })
  })

  test('a dead link that is wrong by a letter: the page that is meant', () => {
    const dead = `${at}/new-patients.html`
    const outcome = runCheck(
      freshnessIndex,
      'internal-links',
      site({
        ...home(
          `<nav><a href="/new-patient.html">New</a></nav><footer><a href="/new-patients.html">New</a></footer>`,
        ),
        [`${at}/new-patient.html`]: text(20),
        [dead]: { purpose: 'link', status: 404 },
      }),
    )
    expect(fixOf(outcome)).toContain(`lead to ${at}/new-patient.html`)
  })

  test('a form whose fields have no names delivers nothing', () => {
    const form = (field: string) =>
      `<title>Lind Ltd</title><form>${field}<textarea></textarea><button>Send</button></form>`
    const nameless = runCheck(workflowAutomation, 'lead-capture', site(home(form('<input type="email">'))))
    expect(nameless).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('fields without a name'),
    })
    for (const known of ['<input type="email" id="mail">', '<input type="email" name="mail">'])
      expect(quotesOf(runCheck(workflowAutomation, 'lead-capture', site(home(form(known)))))).not.toContain(
        'no field has a name',
      )
  })

  test('a firm that calls itself a product sells no goods', () => {
    const product = (name: string) =>
      `<title>Lind Ltd</title><script type="application/ld+json">${JSON.stringify([
        { '@context': 'https://schema.org', '@type': 'Dentist', name: 'Lind Ltd' },
        { '@context': 'https://schema.org', '@type': 'Product', name },
      ])}</script><h1>Lind</h1>`
    const result = (name: string) =>
      runCheck(workflowAutomation, 'commerce', site(home(product(name)))).result
    expect(result('Lind Ltd')).toBe('na')
    expect(result('A chair')).toBe('fail')
  })

  test('a number that the markup gives to the service stands in the markup', () => {
    const service = `<title>Lind Taxi</title><script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'TaxiService',
      name: 'Lind Taxi',
      telephone: '+34 937 678 571',
    })}</script><a href="tel:+34937678571">Call</a>`
    expect(runCheck(entityTrust, 'nap', site(home(service))).result).toBe('pass')
  })

  test('the day of a review is no news of the site', () => {
    const review = '<div class="review-card"><time datetime="2025-03-06">6 March</time><p>Good.</p></div>'
    expect(runCheck(freshnessIndex, 'newest', site(home(`<h1>Lind</h1>${review}`))).result).toBe('na')
  })

  test('the title that a program gives every page is no title', () => {
    const outcome = runCheck(
      coreSnapshot,
      'title-desc',
      site(home('<title>Hello, world!</title><h1>Lind</h1>')),
    )
    expect(fixOf(outcome)).toContain('a title of 10 to 70 characters')
  })
})

describe('what the readers of the next reports asked for', () => {
  test('headings below a second main heading stay below it', () => {
    const outcome = runCheck(
      contentAnswerability,
      'hierarchy',
      site(home('<h1>Lind</h1><h1>Hours</h1><h5>Monday</h5><h1>Contact</h1><h5>Street</h5>')),
    )
    expect(quotesOf(outcome)).toBe(
      'h1 "Hours" becomes h2 | h5 "Monday" follows an h1, and becomes h3 | h1 "Contact" becomes h2 | h5 "Street" follows an h1, and becomes h3',
    )
  })

  test('a page with both faults of headings is told both', () => {
    const outcome = runCheck(
      contentAnswerability,
      'hierarchy',
      site(home(`<h1>Lind</h1><h3>Prices</h3><p>${words(500)}</p>`)),
    )
    expect(quotesOf(outcome)).toMatch(/h3 "Prices" .+ \| more than 400 words/)
    expect(fixOf(outcome)).toContain('Where a passage is too long')
    expect(fixOf(outcome)).not.toContain('more change')
  })

  test('a description that is too long is given back without its last sentence', () => {
    const kept =
      'We are dentists in Torquay for families, with crowns, fillings and check-ups on six days a week.'
    const lost =
      'Call us today or come to our practice near the harbour, where you find parking and a lift to all floors.'
    const fix = fixOf(
      runCheck(
        coreSnapshot,
        'title-desc',
        site(
          home(
            `<title>Lind Dental Practice</title><meta name="description" content="${kept} ${lost}"><h1>L</h1>`,
          ),
        ),
      ),
    )
    expect(fix).toContain(`such as “${kept}”`)
  })

  test('a header with the main heading and paragraphs is text of the page', () => {
    const header = `<header><nav><a href="/">Lind</a></nav><h1>Lind</h1><p>${words(40)}</p></header>`
    expect(wordsOfHome(`${header}<div><p>${words(100)}</p></div>`)).toMatch(/^141 words/)
  })

  test('a header with the main heading and no menu may open the page in a few words', () => {
    const header = `<header class="page-header"><h1>Lind</h1><p>${words(10)}</p></header>`
    expect(wordsOfHome(`${header}<div><p>${words(100)}</p></div>`)).toMatch(/^111 words/)
  })

  test('a part of the home page is known by a link that names the home page as well', () => {
    const one = site(
      home(
        `<title>Lind Ltd</title><nav><a href="./#story">Our story</a></nav><h1>Lind</h1><p>${words(200)}</p><section id="story"><h2>Built on trust</h2><p>${words(70)}</p></section>`,
      ),
    )
    expect(runCheck(entityTrust, 'about', one)).toMatchObject({
      reason: expect.stringContaining('below "Built on trust"'),
    })
  })

  test('day and time are added to a form that is there', () => {
    const page =
      '<title>Lind Dental</title><h1>Lind</h1><p>Make an appointment by telephone.</p><a href="tel:+441632960983">Call</a><form action="/send" method="post"><input name="name"><input type="email" name="mail"><textarea name="text"></textarea><button>Send</button></form>'
    expect(fixOf(runCheck(workflowAutomation, 'booking', site(home(page))))).toContain(
      `add fields for the day and the time to the form on ${at}/`,
    )
  })

  test('the year in which something began is a figure', () => {
    const outcome = runCheck(
      contentAnswerability,
      'evidence',
      site(home(`<title>Lind Ltd</title><main><h1>Lind</h1><p>${words(100)} since 1998</p></main>`)),
    )
    expect(quotesOf(outcome)).toContain('since 1998')
  })

  test('a form for appointments takes enquiries, too', () => {
    const form =
      '<title>Lind Dental</title><h1>Lind</h1><a href="tel:+441632960983">Call</a><form action="/send" method="post"><input name="name"><input type="tel" name="tel"><input type="date" name="date"><button>Book an appointment</button></form>'
    expect(runCheck(workflowAutomation, 'lead-capture', site(home(form))).result).toBe('pass')
  })
})
