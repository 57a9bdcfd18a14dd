import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { isLentDomain } from '../../../../../src/products/scan/site/addresses.ts'
import { pricesIn } from '../../../../../src/products/scan/site/amounts.ts'
import { datesIn } from '../../../../../src/products/scan/site/dates.ts'
import { scriptedTargets } from '../../../../../src/products/scan/site/html/scripted/scripted-targets.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What readers of fresh sites found to be false: dentists, a law office, clubs, a dealer of machines, a proxy server, an online museum. */

test('a profession registers its members below an ending of its own, which no host lends', () => {
  expect(isLentDomain('https://www.dr-lind.chirurgiens-dentistes.fr/')).toBe(false)
  expect(isLentDomain('https://lind.github.io/')).toBe(true)
})

describe('whose name stands where', () => {
  test('a page below the name of the doctor tells who stands behind the practice', () => {
    const about = (heading: string) =>
      runCheck(
        entityTrust,
        'about',
        site({
          [at()]: page('<a href="/drlind.html">Dr. Lind</a>'),
          [at('/drlind.html')]: page(`<h2>${heading}</h2><p>${words(200)}</p>`, heading),
        }),
      ).result
    expect([about('DR. ADA LIND'), about('Dr. Ada Lind, DMD'), about('Dry mouth and its causes')]).toEqual([
      'pass',
      'pass',
      'fail',
    ])
  })

  test('a longer name for previews holds the name of the title', () => {
    const named = (preview: string) =>
      quotesOf(
        runCheck(
          entityTrust,
          'brand-name',
          site({
            [at()]: `<html lang="en"><head><title>Le Lind | Music in May</title><meta property="og:site_name" content="${preview}"></head><body><h1>Le Lind</h1><footer>© 2026 Le Lind</footer></body></html>`,
          }),
        ),
      )
    expect(named('Le Lind Festival')).toContain('og:site_name: has')
    expect(named('Lindau Festival')).not.toContain('og:site_name: has')
  })

  test('a logo may set the parts of a name apart', () => {
    const home = (title: string) =>
      companyName(
        site({
          'https://3gate.example/': `<html lang="en"><head><title>${title}</title><meta name="application-name" content="3 GATE"></head><body><a class="navbar-brand" href="/"><span>3</span>&nbsp;&nbsp;GATE</a><h1>News</h1></body></html>`,
        }),
      )
    expect(home('3gate tiny free gate server for Windows, Linux, Unix: files, mail, news')).toBe('3gate')
  })

  test('the line of the copyright may stand in an element of its own, below the footer', () => {
    const quotes = quotesOf(
      runCheck(
        entityTrust,
        'brand-name',
        site({
          [at()]:
            '<html lang="fr"><head><title>Dr Lind</title></head><body><h1>Dr Lind</h1><section class="footer"><a href="/contact">Contact</a></section><copyright class="copyright"><p>© 2024 Dr Lind - Tous droits réservés</p></copyright></body></html>',
        }),
      ),
    )
    expect(quotes).toContain('the footer: has "Dr Lind"')
  })
})

describe('what kind of site it is', () => {
  const kind = (title: string, body: string): string =>
    kindOfSite(site({ [at()]: `<html lang="en"><title>${title}</title><body>${body}</body></html>` }))

  test('an unofficial archive is no business, though it shows products', () => {
    const products = '<nav><a href="/products/">Products</a></nav><h1>Pumps</h1>'
    expect(kind('Unofficial archive of Lind pumps', products)).toBe('unclear')
    expect(kind('Lind pumps', products)).toBe('business')
  })

  test('a menu may unfold the services', () => {
    const menu = (word: string) =>
      `<nav><a href="#" class="dropdown-toggle">${word}</a><a href="/a">Biometry</a></nav><h1>Lind</h1>`
    expect(kind('Lind', menu('Services'))).toBe('business')
    expect(kind('Lind', menu('Language'))).toBe('unclear')
  })

  test('a form of company in Finland', () => {
    expect(kind('Lind Oy', '<h1>Lind Oy</h1>')).toBe('business')
  })

  test('what is hired out without a price makes no shop', () => {
    const offer = (price: string) =>
      read(
        `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Offer",${price}"itemOffered":{"@type":"Product","name":"Arch"}}</script>`,
      ).profile.shop
    expect([offer(''), offer('"price":"90",')]).toEqual([false, true])
  })
})

describe('files', () => {
  const judged = (body: string) =>
    runCheck(
      coreSnapshot,
      'sitemap',
      site({
        [at()]: page('<p>Text</p>'),
        [at('/robots.txt')]: 'User-agent: *\nAllow: /',
        [at('/sitemap.xml')]: { purpose: 'sitemap', body },
      }),
    )
  const list =
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://lind.example/</loc></url></urlset>'

  test('a comment before its first line breaks a sitemap, which is there', () => {
    expect(judged(list).result).toBe('pass')
    const outcome = judged(`<!-- sitemap.xml -->\n${list}`)
    expect(reasonOf(outcome)).toContain('not a readable urlset')
    expect(fixOf(outcome)).toContain('Take the comment out of the first line')
  })

  test('a page that answers in place of a sitemap is none', () => {
    expect(reasonOf(judged('<!-- theme --><!doctype html><h1>Not here</h1>'))).toContain('no sitemap')
  })

  test('an empty feed decides nothing where another one was not read', () => {
    const feed = (more: string) =>
      runCheck(
        freshnessIndex,
        'feed',
        site({
          [at()]: page(
            '<a href="/blog/">Blog</a>',
            'Lind',
            `<link rel="alternate" type="application/rss+xml" href="/index.xml">${more}`,
          ),
          [at('/blog/one')]: page(
            `<article><h2>One</h2><time datetime="2026-11-01">1 November 2026</time><p>${words(200)}</p></article>`,
            'One',
            '<meta property="og:type" content="article">',
          ),
          [at('/index.xml')]: { purpose: 'feed', body: '<rss version="2.0"><channel></channel></rss>' },
        }),
      ).result
    expect(feed('')).toBe('fail')
    expect(feed('<link rel="alternate" type="application/rss+xml" href="/blog/index.xml">')).toBe(
      'unmeasured',
    )
  })
})

describe('the markup and the page', () => {
  const questions = (names: readonly string[]) =>
    `<script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: names.map((name) => ({
        '@type': 'Question',
        name,
        acceptedAnswer: { '@type': 'Answer', text: 'Yes.' },
      })),
    })}</script>`

  test('each question that only the markup has is named', () => {
    const outcome = runCheck(
      structuredData,
      'agreement',
      read(
        `${questions(['What is a crown?', 'Does it hurt?', 'How long?'])}<h2>How long?</h2><p>An hour.</p>`,
      ),
    )
    expect(quotesOf(outcome)).toContain('"What is a crown?" is not on the page')
    expect(quotesOf(outcome)).toContain('"Does it hurt?" is not on the page')
    expect(quotesOf(outcome)).not.toContain('"How long?"')
    expect(outcome).toHaveProperty('fix', expect.stringContaining('take both out of the JSON-LD.'))
  })

  test('of many questions that only the markup has, none is left out of the list', () => {
    const names = Array.from({ length: 25 }, (_, at) => `Is treatment ${at} painful?`)
    const outcome = runCheck(structuredData, 'agreement', read(`${questions(names)}<h2>Prices</h2>`))
    expect(names.filter((name) => !quotesOf(outcome).includes(`"${name}"`))).toEqual([])
  })
})

describe('headings, lists and questions', () => {
  test('the heading in a button that unfolds a text heads it', () => {
    const order = (attributes: string) =>
      runCheck(
        contentAnswerability,
        'hierarchy',
        read(
          `<button ${attributes}><h2>Treatment</h2></button><div><h3>First visit</h3><p>${words(100)}</p></div>`,
        ),
      ).result
    expect([order('aria-expanded="true"'), order('type="button"')]).toEqual(['pass', 'fail'])
  })

  test('a list around a whole document is none, and those in it count', () => {
    const item = `<li><p>${words(200)}</p><ul><li>One</li><li>Two</li></ul></li>`
    const body = (count: number) => `<ul>${item.repeat(count)}</ul>`
    const lists = (html: string): number => read(html).home?.mainPart.lists ?? 0
    expect([lists(body(8)), lists(body(2))]).toEqual([8, 1])
  })

  test('questions may stand in the boxes of a slide show', () => {
    const slide = (question: string) =>
      `<div class="slide"><div class="contents"><p class="h3">${question}</p><p>${words(30)}</p></div></div>`
    const faq = (list: readonly string[]) =>
      runCheck(workflowAutomation, 'faq', read(`<h2>Our services</h2><div>${list.map(slide).join('')}</div>`))
        .result
    const asked = ['What is a crown?', 'Does it hurt much?', 'How long does it last?', 'Who pays for it?']
    expect([faq(asked), faq(asked.slice(0, 2))]).toEqual(['pass', 'fail'])
  })
})

describe('controls and fields', () => {
  test('a control within a link has to leave it first', () => {
    const fix = (around: string, end: string) =>
      fixOf(
        runCheck(
          accessibilityActionability,
          'real-controls',
          read(`${around}<div onclick="open()">Courts</div>${end}`),
        ),
      )
    expect(fix('<a href="/courts">', '</a>')).toContain('out of it first')
    expect(fix('<section>', '</section>')).not.toContain('out of it')
    expect(fix('<form>', '</form>')).toContain('the type “button”')
  })

  test('a document that a script opens is no page', () => {
    const button = (file: string) =>
      scriptedTargets(
        read(`<button onclick="window.open('${file}')">Plan</button>`).home ??
          expect.fail('the home page was not read'),
      ).length
    expect([button('/plan.pdf'), button('/plan.html')]).toEqual([0, 1])
  })

  test('a box with a text to read asks for nothing', () => {
    const labels = (text: string) =>
      runCheck(accessibilityActionability, 'labels', read(`<textarea>${text}</textarea>`)).result
    expect([labels(words(100)), labels('')]).toEqual(['na', 'fail'])
  })

  test('links without a text get what is right for each', () => {
    const names = (body: string, more: Entries = {}) =>
      quotesOf(runCheck(accessibilityActionability, 'names', read(body, more)))
    expect(names('<a href="https://mobiri.se"></a>')).toContain('shows nothing')
    // A style may draw it.
    expect(names('<a href="https://www.facebook.com/lind"></a>')).toContain('needs a text "Facebook"')
    // The link to a part of the home page has the same address without that part.
    const team = '<a href="/"><img src="/logo.svg" alt=""></a><a href="/#order">Order now</a>'
    expect(names('<p>Text</p>', { [at('/team')]: page(team, 'Team') })).toContain(
      'needs a text "Lind Dental"',
    )
    const long = 'Lind Dental, crowns, bridges, implants and whitening in Totnes and Dartington'
    expect(
      names('<a href="/map"></a>', {
        [at('/map')]: page('', `${long} - Map`),
        [at('/news')]: page('', `${long} - News`),
      }),
    ).toContain('needs a text "Map"')
  })

  test('a number may be that of a telephone', () => {
    const outcome = runCheck(
      accessibilityActionability,
      'autocomplete',
      read('<form><input type="email" name="email"><input type="number" name="telefono"></form>'),
    )
    expect(reasonOf(outcome)).toContain('0 of 2 fields')
  })

  test('a frame is named by its address, and not by its stand-in', () => {
    const outcome = runCheck(
      accessibilityActionability,
      'iframes',
      read('<iframe src="data:image/gif;base64,R0" data-src="https://maps.example/1"></iframe>'),
    )
    expect(quotesOf(outcome)).toContain('https://maps.example/1')
  })
})

describe('ways to reach people', () => {
  const linked = (page_: string): Site =>
    site({
      [at()]: page('<a href="/contact">Contact</a>', 'Pumps'),
      [at('/contact')]: page(`<p>${words(30)}</p>${page_}`, 'Contact'),
    })
  const path = (body: string) => runCheck(coreSnapshot, 'contact-path', linked(body)).result

  test('a page for contact may lead to an account', () => {
    expect(path('<a href="https://x.com/lind_pumps">X</a>')).toBe('pass')
    expect(path('<footer><a href="https://x.com/lind_pumps">X</a></footer>')).toBe('fail')
  })

  test('the form that is called an appointment gets the fields for it', () => {
    const form = (button: string) =>
      `<form action="https://forms.example/1"><input name="nombre"><input type="email" name="email"><textarea name="texto"></textarea><button>${button}</button></form>`
    const fix = fixOf(
      runCheck(
        workflowAutomation,
        'booking',
        site({
          [at()]: page(
            `<p>Pida su cita en el 020 7946 0000</p><a href="/contacto">Contacto</a>${form('Enviar')}`,
          ),
          [at('/contacto')]: page(form('Pedir cita'), 'Contacto'),
        }),
      ),
    )
    expect(fix).toContain(`to the form on ${at('/contacto')}`)
  })

  test('an address alone in its line is that of the business', () => {
    const shown = (body: string) =>
      reasonOf(runCheck(entityTrust, 'nap', read(`<h2>Our services</h2><p>Call 01 43 54 32 38</p>${body}`)))
    expect(shown('<p>Dentist<br>46 rue des Écoles, 75005 Paris</p>')).toContain('street address')
    expect(shown('<p>The hall at 46 rue des Écoles, 75005 Paris was full</p>')).not.toContain(
      'street address',
    )
  })

  test('known services of forms', () => {
    const tags = (action: string) =>
      runCheck(
        workflowAutomation,
        'crm-tags',
        read(
          `<h2>Our services</h2><form action="${action}" method="post"><input type="email" name="m"></form>`,
        ),
      ).result
    expect([
      tags('https://mobirise.eu/'),
      tags('https://airform.io/lind@lind.example'),
      tags('/send'),
    ]).toEqual(['pass', 'pass', 'fail'])
  })
})

describe('amounts, dates and sizes', () => {
  test('what was raised is no price', () => {
    expect(pricesIn('5,000万円の資金調達を実施。シードで1億5,000万円を調達。会費は1,200円', 9)).toEqual([
      '1,200円',
    ])
  })

  test('prices on request, where an amount stands as well', () => {
    const pricing = (more: string) =>
      runCheck(
        workflowAutomation,
        'pricing',
        read(`<h2>Our services</h2><p>Prices on request. Ask for a quote.</p>${more}`),
      )
    expect(reasonOf(pricing('<p>The adoption fee is $200.</p>'))).toContain('no list of prices was found')
    expect(reasonOf(pricing(''))).toContain('on request only')
  })

  test('a word that only begins as a month is none', () => {
    expect(datesIn('Marchamo 2, 2021')).toEqual([])
    expect(datesIn('1er novembre 2024; 3 sept. 2024; 4. Jänner 2025; May 5, 2025')).toHaveLength(4)
  })

  test('a height that a variable leaves open keeps no space', () => {
    const sizes = (value: string) =>
      runCheck(
        renderPerformance,
        'img-dims',
        read(
          `<style>:root{--h:${value};} .card{height:var(--h)}</style><div class="card"><img src="a.jpg"></div>`,
        ),
      ).result
    expect([sizes(' '), sizes('4rem')]).toEqual(['warn', 'pass'])
  })
})
