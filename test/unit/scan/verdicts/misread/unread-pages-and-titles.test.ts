import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { mailAddressesOf } from '../../../../../src/products/scan/site/contact/mail-addresses.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What stands on a page that was not read is not called missing, and a title is no service. */

const words = (count: number) => 'word '.repeat(count)
const home = (html: string, more: Record<string, Entries[string]> = {}) =>
  site({
    'https://nord.example/': html,
    ...Object.fromEntries(
      Object.entries(more).map(([path, entry]) => [`https://nord.example${path}`, entry]),
    ),
  })
const inn = '<title>Gasthof Nord</title><h1>Gasthof Nord, Zimmer und Restaurant</h1>'
const phone = '<footer><a href="tel:+4993712345">09371 2345</a></footer>'

describe('forms on pages that were not read', () => {
  const read = home(
    `${inn}<nav><a href="/location/">Anfahrt</a></nav><a href="/contact/">Zimmeranfrage</a><h2>Zimmer buchen</h2>${phone}`,
    { '/location/': `<h1>Anfahrt</h1><p>${words(40)}</p>` },
  )
  test.each(['lead-capture', 'booking'])('the way there settles nothing about %s', (id) => {
    expect(runCheck(workflowAutomation, id, read).result).toBe('unmeasured')
  })

  test('a page that promises a form is asked for beside a contact page that was read', () => {
    const other = home(
      `${inn}<nav><a href="/kontakt">Kontakt</a><a href="/anfrage">Anfrage</a></nav>${phone}`,
      { '/kontakt': `<h1>Kontakt</h1><p>${words(40)}</p>${phone}` },
    )
    expect(runCheck(workflowAutomation, 'lead-capture', other).result).toBe('unmeasured')
  })

  test('a contact page without a form, read beside the way there, has none', () => {
    const other = home(
      `${inn}<nav><a href="/kontakt">Kontakt</a><a href="/anfahrt">Anfahrt</a></nav>${phone}`,
      { '/kontakt': `<h1>Kontakt</h1><p>${words(40)}</p>${phone}` },
    )
    expect(runCheck(workflowAutomation, 'lead-capture', other).result).toBe('warn')
  })
})

describe('words for appointments', () => {
  test.each([
    'Rendez-vous en 2031',
    'Rendez-vous au parc',
    'Appointment of a director',
    'Reservations about the law',
  ])('"%s" is a title', (title) => {
    const read = home(`<title>Fête du Nord</title><h1>Fête du Nord</h1><a href="/a">${title}</a>`)
    expect(runCheck(workflowAutomation, 'booking', read).result).toBe('na')
  })

  test.each(['Rendez-vous en ligne', 'Prendre rendez-vous'])('"%s" asks for one', (title) => {
    const read = home(`<title>Cabinet Nord</title><h1>Dentiste</h1><h2>${title}</h2>${phone}`)
    expect(runCheck(workflowAutomation, 'booking', read).result).toBe('warn')
  })
})

describe('the page about a person', () => {
  test('is the home page of one who says "I am professor at"', () => {
    const read = home(
      `<title>Mia Lind</title><h1>Mia Lind</h1><p>I am professor at the Nord School. ${words(180)}</p>`,
    )
    expect(runCheck(entityTrust, 'about', read).result).toBe('pass')
  })

  test('is the home page where the menu calls it so', () => {
    const read = home(
      `<title>Lind</title><nav><a href="/index.html">About</a><a href="/p">Papers</a></nav><h1>Lind</h1><p>Works at the Nord School. ${words(180)}</p>`,
      { '/p': '<h1>Papers</h1><nav><a href="/index.html">About</a></nav>' },
    )
    const outcome = runCheck(entityTrust, 'about', read)
    expect([outcome.result, quotesOf(outcome)]).toEqual(['pass', expect.stringContaining('words')])
  })
})

describe('the manual of a library', () => {
  const read = home(
    `<title>Larkspur.js</title><h1>Larkspur</h1><p>${words(60)}</p><pre>${'code '.repeat(120)}</pre><a href="https://github.com/nord/larkspur">GitHub</a><p>The <a href="https://tunes.example/developers">API</a> of Tunes. <a href="https://zocdoc.com/">Zocdoc</a> uses it.</p>`,
  )
  test('is no business, although it shows who uses it', () => {
    expect(runCheck(entityTrust, 'about', read).result).toBe('na')
  })

  test.each(['booking', 'integrations'])('links a service that is not its own: %s', (id) => {
    expect(runCheck(workflowAutomation, id, read).result).not.toBe('pass')
  })
})

describe('what stands elsewhere than expected', () => {
  test('a first paragraph without a full stop says who does what', () => {
    const read = home(
      `<title>Nordfest</title><html lang="en"><main><h1>Nordfest</h1><p>Nordfest is a fair for makers of boats on the northern coast each June</p><p>Our aim: ${words(40)}</p></main>`,
    )
    expect(quotesOf(runCheck(contentAnswerability, 'answer-first', read))).not.toContain('Our aim')
  })

  test('a page that runs an example is no content page', () => {
    const long = `<main><h1>Lark</h1><p>${words(400)}</p></main>`
    const read = home(`<title>Lark</title>${long}`, { '/examples/todos/': '<h1>Todos</h1><p>Add one</p>' })
    expect(quotesOf(runCheck(contentAnswerability, 'depth', read))).not.toContain('todos')
  })

  test('a feed that a text links is not missing', () => {
    const read = home('<title>Notes</title><h1>Notes</h1><a href="/blog/a">A</a>', {
      '/blog/a': `<h1>A</h1><time datetime="2026-10-01">1 October 2026</time><p>${words(90)}</p>`,
      '/contact': '<h1>Contact</h1><p>Subscribe to the <a href="./rss.xml">RSS feed</a></p>',
    })
    expect(runCheck(freshnessIndex, 'feed', read).result).toBe('unmeasured')
  })

  test('what newspapers wrote is what others say', () => {
    const read = home('<title>Nord Bakery</title><h1>Bakery</h1><h2>Our services</h2>', {
      '/in-the-press':
        '<h1>In the press</h1><p>“The best rye bread that this coast has seen” – <a href="https://news.example/rye">Coast News</a></p>',
    })
    expect(runCheck(entityTrust, 'proof', read).result).toBe('pass')
  })

  test('the own address comes before a form for a survey', () => {
    const survey =
      '<a href="https://docs.google.com/forms/d/e/abc/viewform">Tell us whom you want to hear</a>'
    const read = home(
      `<title>Nordfest</title><header><a href="mailto:hello@nord.example">hello@nord.example</a></header>${survey}`,
      { '/.well-known/security.txt': { status: 404, purpose: 'well-known' } },
    )
    expect(quotesOf(runCheck(entityTrust, 'accountability', read))).toContain('hello@nord.example')
  })
})

describe('the name of a site', () => {
  const head = '<header><div><h1><a href="/index.html">Fair of Boats</a></h1></div></header>'
  test('is the heading that leads home from every page', () => {
    const read = home(`<title>See you in June</title>${head}`, {
      '/a': `<title>A</title>${head}`,
      '/b': `<title>B</title>${head}`,
    })
    expect(companyName(read)).toBe('Fair of Boats')
  })

  test('is not "X’s Homepage"', () => {
    expect(companyName(home("<title>Mia's Homepage</title><h1>Mia Lind</h1>"))).not.toContain('Homepage')
  })
})

describe('what a text says in passing', () => {
  test('times of day and names behind a year are no figures', () => {
    expect(amountsIn('Vol. 40, 2023 Lei Li', 5)).toEqual([])
    expect(amountsIn('Bilet 40 lei', 5)).toHaveLength(1)
    const read = home(
      `<title>Nord GmbH</title><h1>Nord GmbH</h1><main><p>Von 9.00 Uhr bis 17 Uhr. ${words(120)}</p></main>`,
    )
    expect(quotesOf(runCheck(contentAnswerability, 'evidence', read))).toContain('0 figures')
  })

  test.each([
    ['Avd. Luz del Norte, s/n, Norteja', 'Avd. Luz del Norte, s/n'],
    ['兵庫県北市森町 9-25', '兵庫県北市森町 9-25'],
    ['Wilder-Weg-Straße 31A, 50827 Nordstadt', 'Wilder-Weg-Straße 31A'],
  ])('"%s" has a street', (text, street) => {
    expect(streetsIn(text).map(({ written }) => written)).toContain(street)
  })

  test('source code is no mail address', () => {
    const read = home(`${inn}<p>splice(0...@properties.length) and gast.nord@nord.example</p>`)
    expect(read.pages.flatMap(mailAddressesOf)).toEqual(['gast.nord@nord.example'])
  })

  test('a box under the heading Kontakt has the own address, and a privacy notice has not', () => {
    const read = home(
      '<title>Praxis Nord GmbH</title><h1>Praxis Nord GmbH</h1><div class="panel-body"><h3> Kontakt</h3><p>Auenstraße 17, 67346 Nordstadt</p></div>',
      { '/datenschutz': '<h1>Datenschutz</h1><footer>1 Hacker Way, Menlo Park</footer>' },
    )
    const quotes = quotesOf(runCheck(entityTrust, 'nap', read))
    expect(quotes).toContain('Auenstraße 17')
    expect(quotes).not.toContain('Hacker')
  })

  test('libraries that inline scripts use at once are moved, not deferred', () => {
    const scripts = [1, 2, 3, 4].map((at) => `<script src="/${at}.js"></script>`).join('')
    const advice = (inline: string) => {
      const outcome = runCheck(
        renderPerformance,
        'head-scripts',
        home(`<head>${scripts}</head><body>${inline}`),
      )
      return outcome.result === 'fail' ? outcome.fix : ''
    }
    expect(advice('<script>$(document).ready(start)</script>')).toContain(
      'before the first script of the body',
    )
    expect(advice('<p>Text</p>')).toContain('Add defer')
  })

  test('questions in markup are a list of questions', () => {
    const faq =
      '{"@context":"https://schema.org","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"How?","acceptedAnswer":{"@type":"Answer","text":"So."}}]}'
    const read = home('<title>Nord</title><h1>Nord</h1>', {
      '/lay': `<h1>Lay</h1><script type="application/ld+json">${faq}</script>`,
    })
    expect(runCheck(structuredData, 'page-type', read).result).toBe('pass')
  })

  test('an index whose parts stand at another host lists no page that is known', () => {
    const read = home('<title>Nord</title><h1>Nord</h1>', {
      '/sitemap.xml':
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://other.example/a.xml</loc></sitemap></sitemapindex>',
    })
    expect(runCheck(coreSnapshot, 'sitemap', read).result).toBe('unmeasured')
  })
})

test.each(['about', 'nap', 'legal', 'accountability'])(
  '%s is not said to be missing from a page that was not read to its end',
  (check) => {
    const read = (isCut: boolean) =>
      runCheck(
        entityTrust,
        check,
        site({
          'https://nord.example/': { body: '<title>Nord</title><h1>Nord</h1><p>We paint houses.</p>', isCut },
          'https://nord.example/.well-known/security.txt': { status: 404 },
        }),
      )
    expect(read(false).result).toBe('fail')
    expect(read(true).result).toBe('unmeasured')
  },
)

test('a canonical address on another host may be the right one', () => {
  const outcome = runCheck(
    crawlAccess,
    'canonical',
    site({ 'https://nord.github.io/': '<link rel="canonical" href="https://nord.example/">' }),
  )
  expect(outcome.result === 'fail' && outcome.fix).toBe(
    'If nord.example is the address of this site, let nord.github.io redirect to it with status 301. Otherwise name an address of nord.github.io as canonical on https://nord.github.io/.',
  )
})

describe('legal pages', () => {
  const read = (links: string, more: Record<string, Entries[string]> = {}) =>
    runCheck(entityTrust, 'legal', home(`<title>Gipser Nord</title><p>${words(60)}</p>${links}`, more))

  test('an article of another host on privacy is no privacy notice', () => {
    const outcome = read('<a href="https://news.example/ki">Artikel zu KI & Datenschutz</a>')
    expect(quotesOf(outcome)).toContain('no link about privacy')
  })

  test('a page that is linked and does not open is to open, and need not be linked', () => {
    const outcome = read('<a href="/privacy">Privacy</a><a href="/terms">Terms</a>', {
      '/privacy': '<h1>Privacy</h1>',
      '/terms': { status: 404 },
    })
    expect(outcome.result === 'fail' && outcome.fix).toBe(
      'Let https://nord.example/terms open, or lead its link to the page that took its place.',
    )
  })
})
