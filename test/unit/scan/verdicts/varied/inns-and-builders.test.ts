import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { openingHoursIn } from '../../../../../src/products/scan/signals/contact/opening-hours.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { pagesOfKind } from '../../../../../src/products/scan/site/linked-pages.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, onPages, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What readers of a second set of fresh sites found to be false: an inn, a builder, a travel firm, an orthodontist, an eye doctor. */

const homeOf = ({ home }: Site) => home ?? expect.fail('the home page was not read')

describe('profiles', () => {
  const markup = (sameAs: string) =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Lind Dental","sameAs":["${sameAs}"]}</script>`
  const profiles = (body: string, more: Entries = {}) =>
    runCheck(entityTrust, 'profiles', read(body, more)).result

  test('that the page for contact links are linked', () => {
    const own = 'https://www.facebook.com/linddental'
    const contact = (href: string) => ({ [at('/contact')]: page(`<a href="${href}">FB</a>`, 'Contact') })
    expect(profiles(markup(own), contact(own))).toBe('pass')
    expect(profiles(markup(own), contact('https://www.facebook.com/other'))).toBe('fail')
  })

  test('of a person are not those of the firm', () => {
    const footer = (handle: string) =>
      profiles(
        `<h2>Our services</h2></main><footer><a href="https://www.linkedin.com/in/${handle}">In</a></footer>`,
      )
    expect([footer('ben-berg-504813141'), footer('ada-lind')]).toEqual(['na', 'fail'])
  })

  test('stand in a row of icons with the envelope', () => {
    const row = (first: string) =>
      profiles(`<div>${first}<a href="https://www.facebook.com/braces-abc"><i class="fa"></i></a></div>`)
    expect(row('<a href="mailto:ada@lind.example"><i class="fa"></i></a>')).toBe('fail')
    expect(row('<p>A friend of ours</p>')).toBe('na')
  })
})

describe('two hosts of one site', () => {
  const list = (loc: string) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${loc}</loc></url></urlset>`

  test('the sitemap and the canonical lines agree on the other one', () => {
    const fix = (canonical: string) =>
      fixOf(
        runCheck(
          crawlAccess,
          'sitemap-quality',
          site({
            [at()]: page('<p>Text</p>', 'Lind', `<link rel="canonical" href="${canonical}">`),
            [at('/sitemap.xml')]: { purpose: 'sitemap', body: list('https://www.lind.example/') },
            'https://www.lind.example/': {
              purpose: 'sitemap-url',
              body: page('<p>Text</p>'),
              finalUrl: at(),
            },
          }),
        ),
      )
    expect(fix('https://www.lind.example/')).toContain('Let the site be served on www.lind.example itself')
    expect(fix(at())).toContain('Write the addresses in')
  })

  test('a lent address as canonical is older than the own domain', () => {
    const fix = (canonical: string) =>
      fixOf(
        runCheck(
          crawlAccess,
          'canonical',
          site({ [at()]: page('', 'Lind', `<link rel="canonical" href="${canonical}">`) }),
        ),
      )
    expect(fix('https://lind.github.io/')).toContain('before it got a domain of its own')
    expect(fix('https://other.example/')).toContain('redirect to it')
  })

  test('pages with one title name the home page, though they say something else', () => {
    const canonical = `<link rel="canonical" href="${at()}">`
    const lines = (word: string) => Array.from({ length: 40 }, (_, place) => `${word}${place}`).join(' ')
    const other = (text: string) =>
      `<html lang="en"><head><title>Lind</title>${canonical}</head><body><main><h1>Prices</h1><p>${text}</p></main></body></html>`
    const judged = (text: string) =>
      runCheck(
        crawlAccess,
        'canonical',
        site({ [at()]: page(`<p>${lines('home')}</p>`, 'Lind', canonical), [at('/prices')]: other(text) }),
      ).result
    expect([judged(lines('price')), judged(lines('home'))]).toEqual(['warn', 'pass'])
  })

  test('wrong lines on other pages are named where the home page has none', () => {
    const canonical = `<link rel="canonical" href="${at()}">`
    const other = `<html lang="en"><head><title>Prices</title>${canonical}</head><body><main><h1>Prices</h1><p>${Array.from({ length: 40 }, (_, place) => `price${place}`).join(' ')}</p></main></body></html>`
    const judged = runCheck(
      crawlAccess,
      'canonical',
      site({
        [at()]: page(`<p>${Array.from({ length: 40 }, (_, place) => `home${place}`).join(' ')}</p>`),
        [at('/prices')]: other,
      }),
    )
    expect(reasonOf(judged)).toContain('names no canonical address')
    expect(fixOf(judged)).toContain(`Name ${at('/prices')} as the canonical address of that page`)
  })

  test('a page is in the sitemap by any of its addresses', () => {
    const coverage = (loc: string) =>
      runCheck(
        freshnessIndex,
        'coverage',
        site({
          [at()]: `<html lang="en"><nav><a href="/hours">Hours</a><a href="index">Home</a></nav><h1>Lind</h1></html>`,
          [at('/hours')]: page('', 'Hours'),
          [at('/sitemap.xml')]: { purpose: 'sitemap', body: list(loc) },
        }),
      ).result
    expect([coverage(at('/hours.html')), coverage(at('/news.html'))]).toEqual(['pass', 'fail'])
  })
})

describe('lists and figures', () => {
  const long = `<p>${words(1_100)}</p>`

  test('may stand in dialogs, and on pages that are no prose', () => {
    const lists = (body: string, more: Entries = {}) =>
      runCheck(contentAnswerability, 'lists-tables', read(`${long}${body}`, more)).result
    const list =
      '<ul><li>Seven comfortable seats</li><li>Cold air inside</li><li>A guide who drives</li></ul>'
    expect(lists(`<div style="display:none">${list}${list}${list}</div>`)).toBe('pass')
    expect(lists('', { [at('/contact')]: page(`${list}${list}<p>Text</p>${list}`, 'Contact') })).toBe('pass')
    expect(lists('')).toBe('fail')
  })

  test('a list of dishes states figures', () => {
    const dishes = Array.from({ length: 12 }, (_, place) => `<li>Dish ${place}: ${place + 5},50 €</li>`)
    const evidence = (more: Entries) =>
      runCheck(contentAnswerability, 'evidence', read(`<h2>Our services</h2><p>${words(900)}</p>`, more))
        .result
    expect(evidence({ [at('/menu')]: page(`<ul>${dishes.join('')}</ul>`, 'Menu') })).toBe('pass')
    expect(evidence({})).toBe('fail')
  })

  test('entries that only lead elsewhere are a menu, and no list', () => {
    const lists = (items: string): number => homeOf(read(`<ul>${items}</ul>`)).mainPart.lists
    const entry = '<li><a href="/a">A</a></li>'
    expect([
      lists(entry.repeat(3)),
      lists(`${entry}${entry}<li><a href="/b">B</a>: opens at ten</li>`),
    ]).toEqual([0, 1])
  })

  test('sizes of a mesh, and figures elsewhere, are not asked for again', () => {
    const evidence = (body: string, more: Entries = {}) =>
      runCheck(
        contentAnswerability,
        'evidence',
        read(`<h2>Our products</h2><p>${words(110)}${body}</p>`, more),
      )
    expect(evidence('18 Mesh powder, and 40 Mesh powder').result).toBe('pass')
    const few = evidence(words(500), { [at('/contact')]: page('<p>A visit is $90.</p>', 'Contact') })
    expect(reasonOf(few)).toContain('1 more stands on other pages')
    expect(few.result).toBe('fail')
  })

  test('prices with a dash for the cents, where that is the custom', () => {
    const pricing = (text: string, language = 'de') =>
      runCheck(
        workflowAutomation,
        'pricing',
        site({
          [at()]: `<html lang="${language}"><title>Lind</title><h1>Lind</h1><h2>${language === 'de' ? 'Unsere Leistungen' : 'Our services'}</h2><p>${text}</p></html>`,
        }),
      ).result
    const rooms =
      'Das große Zimmer kostet 134,- für zwei Personen, das kleine Zimmer kostet 103,– und die Kammer unter dem Dach 70,- mit Frühstück für alle Gäste'
    expect(pricing(rooms)).toBe('pass')
    expect(pricing('In den Jahren 2019,- 2020,- und 2021,- war das Haus für alle Gäste geschlossen')).toBe(
      'fail',
    )
    expect(
      pricing('Results of the day: Ada 11,- and Bob 12,- and Cy 13,- and so on for the rest', 'en'),
    ).toBe('fail')
  })
})

describe('the markup and the page', () => {
  test('a name with "and" is that with "&"', () => {
    const agreement = (name: string) =>
      runCheck(
        structuredData,
        'agreement',
        site({
          [at()]: `<html lang="en"><title>Tours in May</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"${name}"}</script><h1>See the island</h1><footer>© 2026 Lind Tours &amp; Car Rental.</footer></html>`,
        }),
      ).result
    expect([agreement('Lind Tours and Car Rental'), agreement('Lind Boats')]).toEqual(['pass', 'fail'])
  })

  test('a question in other words is to be written as on the page', () => {
    const markup = JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Where is your orthodontist in Totnes?',
          acceptedAnswer: { '@type': 'Answer', text: 'Here.' },
        },
      ],
    })
    const fix = (shown: string) =>
      fixOf(
        runCheck(
          structuredData,
          'agreement',
          read(`<script type="application/ld+json">${markup}</script><h2>${shown}</h2><p>Here.</p>`),
        ),
      )
    expect(fix('Where is your practice in Totnes?')).toContain(
      'as on the page: "Where is your practice in Totnes?"',
    )
    // Another question about the same thing.
    expect(fix('How is your orthodontist in Totnes?')).toContain('Show the question')
    expect(fix('Does it hurt?')).toContain('Show the question')
  })
})

describe('what the page holds', () => {
  test('text behind a main element that closes early', () => {
    const rest = `<section><h2>Hours</h2><p>${words(60)}</p></section><section><h2>Reviews</h2><p>${words(60)}</p></section>`
    const count = (behind: string) =>
      reasonOf(
        runCheck(
          coreSnapshot,
          'ssr-text',
          site({ [at()]: `<html lang="en"><main><h1>Lind</h1><p>${words(130)}</p></main>${behind}</html>` }),
        ),
      )
    expect(count(rest)).toContain('holds 253 words')
    expect(count(`<footer>${rest}</footer>`)).toContain('only 131 words')
  })

  test('a page that only promises to be one', () => {
    const careers = (text: string) =>
      pagesOfKind(read('<a href="/jobs">Jobs</a>', { [at('/jobs')]: page(text, 'Jobs') }), 'careers').length
    expect([careers('<h4>PAGE UNDER CONSTRUCTION</h4>'), careers('<p>We look for a nurse.</p>')]).toEqual([
      0, 1,
    ])
  })

  test('the second description, where the first is empty', () => {
    const meta = (content: string) => `<meta name="description" content="${content}">`
    expect(
      homeOf(site({ [at()]: page('', 'Lind', `${meta('')}${meta('A practice in Totnes')}`) })).description,
    ).toBe('A practice in Totnes')
  })

  test('a description that speaks of somebody else', () => {
    const judged = (description: string) => {
      const pages = site({
        [at()]: `<html lang="en"><head><title>Lind Orthodontics - Totnes</title><meta name="description" content="${description}"></head><h1>Braces</h1><p>We straighten teeth.</p></html>`,
      })
      return {
        reason: reasonOf(runCheck(coreSnapshot, 'title-desc', pages)),
        taken: readFacts(pages, homeOf(pages)).description,
      }
    }
    const foreign = judged(
      'Wong & Sim Dental Surgery located in two prominent places across the island of Penang.',
    )
    expect(foreign.reason).toContain('speaks of “Wong & Sim Dental Surgery”')
    expect(foreign.taken ?? '').not.toContain('Wong')
    const own = judged(
      'Lind Orthodontics Totnes is a practice for braces, for children and for their parents.',
    )
    expect(own.reason).not.toContain('speaks of')
    expect(own.taken).toContain('Lind Orthodontics Totnes is')
  })

  test('a stylesheet that is loaded ahead and then used gives its heights', () => {
    const sizes = (link: string) =>
      runCheck(
        renderPerformance,
        'img-dims',
        site({
          [at()]: page('<img class="a" src="/a.jpg">', 'Lind', link),
          [at('/styles.css')]: { purpose: 'style', body: '.a{aspect-ratio:1/1}' },
        }),
      ).result
    const ahead = '<link rel="preload" as="style" href="/styles.css"'
    expect([sizes(`${ahead} onload="this.rel='stylesheet'">`), sizes(`${ahead}>`)]).toEqual(['pass', 'warn'])
  })

  test('the missing stylesheet of a page with its own design', () => {
    const reason = (own: string) =>
      reasonOf(
        runCheck(
          renderPerformance,
          'linked-files',
          site({
            [at()]: page('', 'Lind', `<style>${own}</style><link rel="stylesheet" href="/styles.css">`),
            [at('/styles.css')]: { purpose: 'style', status: 404 },
          }),
        ),
      )
    expect(reason('.a{color:red}'.repeat(300))).toContain('without a part of its design')
    expect(reason('')).toContain('without its design')
  })
})

describe('names, numbers and hours', () => {
  test('whoever made the site is not its owner', () => {
    const named = (credit: string) =>
      companyName(
        site({
          [at()]:
            '<html lang="de"><head><title>Willkommen - Augenpraxis Dr. Ada Lind</title><meta name="apple-mobile-web-app-title" content="webwerk"></head><body><h1>Augenpraxis Dr. Ada Lind</h1><a href="/impressum">Impressum</a></body></html>',
          [at('/impressum')]:
            `<html lang="de"><title>Impressum</title><h1>Impressum</h1><h3>${credit}</h3><p>webwerk – Websites für Praxen</p></html>`,
        }),
      )
    expect(named('Webdesign &amp; technische Umsetzung')).toContain('Lind')
  })

  test('an imprint whose entries are still open', () => {
    const imprint = (line: string) =>
      runCheck(
        entityTrust,
        'accountability',
        read('<footer><a href="/mentions-legales">Mentions légales</a></footer>', {
          [at('/mentions-legales')]: page(`<p>${words(40)}</p><p>${line}</p>`, 'Mentions légales'),
        }),
      ).result
    expect(imprint('<em>À compléter :</em> forme juridique, numéro SIRET')).toBe('fail')
    expect(imprint('Le formulaire à compléter : il est à l’accueil')).toBe('pass')
  })

  test('the greeting of a site is no part of its name', () => {
    const named = (title: string) =>
      companyName(site({ [at()]: `<html lang="fr"><title>${title}</title><h1>Votre sourire</h1></html>` }))
    expect(named('Bienvenue sur le site web de Dr. Khalil')).toBe('Dr. Khalil')
  })

  test('the logo that bears the name comes first', () => {
    const pages = site({
      [at()]: `<html lang="en"><title>Lind Dental</title><header><img src="/tria-logo.png"><img src="/lind-dental-logo.png"></header><h1>Lind Dental</h1></html>`,
    })
    expect(readFacts(pages, homeOf(pages)).logo).toContain('/lind-dental-logo.png')
  })

  test('numbers of houses in India, and of telephones behind slashes', () => {
    expect(streetsIn('3/1224-6, Sattur Road, Virudhunagar')[0]?.written).toBe('3/1224-6, Sattur Road')
    expect(homeOf(read('<a href="tel://07527594173">Call</a>')).phones.join()).not.toContain('/')
  })

  test('hours in brackets', () => {
    expect(openingHoursIn('Hours: Tuesday - Saturday (9:00am - 5:00pm)')).toEqual(['Tu-Sa 09:00-17:00'])
    const both = ['Mo-Sa 10:00-13:30', 'Mo-Sa 17:00-20:30']
    expect(openingHoursIn('10am to 1.30pm, 5pm to 8.30pm (Mon - Sat)')).toEqual(both)
    expect(openingHoursIn('10am to 1.30pm, 5 to 8.30pm (Mon - Sat)\n10 am to 1 pm (Sun)')).toEqual([
      ...both,
      'Su 10:00-13:00',
    ])
    // Eight may be morning or evening; nothing before it says which.
    expect(openingHoursIn('Mon - Sat 8 to 9.30pm')).toBe('partly')
  })

  test('a clinic in Malaysia, by its number and its domain', () => {
    const pages = site({
      'https://lind.com.my/':
        '<html lang="en"><title>Lind Dental</title><h1>Lind Dental</h1><address>275, Burma Road, 10350 Penang</address><a href="tel:+6042281330">Call</a></html>',
    })
    expect(readFacts(pages, homeOf(pages)).country).toBe('MY')
    // Many lands share this code.
    const american = read('<address>1 Main Street</address><a href="tel:+15552013344">Call</a>')
    expect(readFacts(american, homeOf(american)).country).toBeUndefined()
  })
})

describe('controls and forms', () => {
  test('a link to the top of the page does what it says', () => {
    const links = (text: string) =>
      runCheck(
        freshnessIndex,
        'internal-links',
        site({
          [at()]: { body: page(`<a href="#">${text}</a><a href="/a">A</a>`), ...onPages },
          [at('/a')]: page('', 'A'),
        }),
      ).result
    expect([links('Top of Page'), links('Our prices')]).toEqual(['unmeasured', 'warn'])
  })

  const fields = '<input type="email" placeholder="Mail"><textarea placeholder="Text"></textarea>'
  const leads = (script: string, attributes = '') =>
    runCheck(
      workflowAutomation,
      'lead-capture',
      read(`<form ${attributes}>${fields}<button>Send</button></form>${script}`),
    )

  test('a script may know the fields of a form without their names', () => {
    expect(leads('').result).toBe('fail')
    const handler =
      "document.querySelectorAll('form').forEach((one) => one.addEventListener('submit', () => { fetch('https://forms.example/1') }))"
    expect(leads(`<script>${handler}</script>`).result).toBe('pass')
    expect(leads('<script src="/unread.js"></script>').result).toBe('pass')
  })

  test('a form that its attribute hands to the mail program', () => {
    const script =
      "<script>function post(event) { event.preventDefault(); window.location.href = 'mailto:ada@lind.example?body=x' }</script>"
    expect(reasonOf(leads(script, 'onsubmit="post(event)"'))).toContain('mail program')
  })

  test('a form says by its placeholders what it is for', () => {
    const form = (hint: string) =>
      leadsOf(
        `<form action="/send"><input placeholder="Name"><input placeholder="${hint}"><button>Send</button></form>`,
      )
    const leadsOf = (body: string) =>
      reasonOf(
        runCheck(
          workflowAutomation,
          'lead-capture',
          read(`<a href="mailto:ada@lind.example">Mail</a>${body}`),
        ),
      )
    expect(form('Your e-mail')).not.toContain('no form')
    expect(form('Colour')).toContain('no form')
  })

  test('enquiries may be kept on a page that was not read', () => {
    const tags = (body: string) =>
      runCheck(workflowAutomation, 'crm-tags', read(`<h2>Our services</h2>${body}`)).result
    expect([tags('<a href="/contact">Contact</a>'), tags('')]).toEqual(['unmeasured', 'fail'])
  })

  test('Greek fields for a name and a telephone', () => {
    const field = (label: string) => `<label>${label}<input type="text" name="${label}"></label>`
    expect(
      reasonOf(
        runCheck(
          accessibilityActionability,
          'autocomplete',
          read(`<form>${field('Ονομα')}${field('Τηλέφωνο')}${field('Θέμα')}</form>`),
        ),
      ),
    ).toContain('0 of 2 fields')
  })

  test('what a program for websites writes as the alternative text says nothing', () => {
    const alternatives = (alt: string) =>
      runCheck(accessibilityActionability, 'alt', read(`<img src="/a.jpg" alt="${alt}">`)).result
    expect([alternatives('Mobirise Website Builder'), alternatives('Our waiting room')]).toEqual([
      'fail',
      'pass',
    ])
  })
})
