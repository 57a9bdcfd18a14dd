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
import { ownNameOf } from '../../../../../src/products/scan/signals/page-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { shown } from '../../../../../src/products/scan/site/addresses.ts'
import { pricesIn } from '../../../../../src/products/scan/site/amounts.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { writtenDates } from '../../../../../src/products/scan/site/dated-items.ts'
import { datesIn } from '../../../../../src/products/scan/site/dates.ts'
import { formsOf } from '../../../../../src/products/scan/site/html/forms.ts'
import { isUnderConstruction } from '../../../../../src/products/scan/site/linked-pages.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What readers of a third set of sites found to be false, and what an attack on the rules of the first two opened. */

const homeOf = ({ home }: Site) => home ?? expect.fail('the home page was not read')
const services = '<h2>Our services</h2>'

describe('names', () => {
  const named = (head: string, credit: string, title = 'Fast pages in Totnes') =>
    companyName(
      site({
        'https://al-studio.example/': `<html lang="en"><head><title>${title}</title>${head}</head><body><h1>Pages</h1><footer>Website by ${credit}</footer></body></html>`,
      }),
    )
  const ownName = '<meta name="application-name" content="Lind">'

  test('of whoever made the site stay where the owner states them, and where they only begin alike', () => {
    const stated =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Ada Lind Studio"}</script>'
    expect(named(stated, 'Ada Lind Studio')).toBe('Ada Lind Studio')
    expect(named(ownName, 'Lindner Media')).toBe('Lind')
    expect(named(ownName, 'Lind')).not.toBe('Lind')
  })

  test('the part that all titles share is the name', () => {
    const titled = (name: string) => `<html lang="de"><title>Akazie - ${name}</title><h1>${name}</h1></html>`
    expect(
      companyName(
        site({
          'https://akazie.example/': titled('Projekt'),
          'https://akazie.example/team': titled('Team'),
          'https://akazie.example/kontakt': titled('Kontakt'),
        }),
      ),
    ).toBe('Akazie')
  })

  test('the name of the program for websites at the logo is not that of the practice', () => {
    const logo = '<header><a href="/"><img src="/logo.png" alt="Mobirise"></a></header>'
    expect(
      companyName(site({ [at()]: `<html lang="en"><title>Lind Dental</title>${logo}<h1>Welcome</h1>` })),
    ).toBe('Lind Dental')
  })

  test('a name that is a joining word', () => {
    const outcome = runCheck(
      structuredData,
      'agreement',
      site({
        [at()]:
          '<html lang="en"><title>And</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"And"}</script><h1>And</h1></html>',
      }),
    )
    expect(outcome.result).toBe('pass')
  })

  test('a description whose subject stands in the text is that of the owner', () => {
    const judged = (text: string) =>
      reasonOf(
        runCheck(
          coreSnapshot,
          'title-desc',
          site({
            [at()]: `<html lang="en"><head><title>TDC, your practice for crowns and bridges</title><meta name="description" content="Totnes Dental Care is a family practice in Devon with six chairs, open on six days of the week."></head><h1>Welcome</h1><p>${text}</p></html>`,
          }),
        ),
      )
    expect(judged('At Totnes Dental Care we see children.')).not.toContain('speaks of')
    expect(judged('We see children.')).toContain('speaks of “Totnes Dental Care”')
  })

  test('a description that praises what the page offers is no stranger’s', () => {
    const judged = (description: string) =>
      reasonOf(
        runCheck(
          coreSnapshot,
          'title-desc',
          site({
            [at()]: `<html lang="en"><head><title>Lind of Totnes, floors and rugs</title><meta name="description" content="${description}"></head><h1>Welcome</h1><p>We clean carpets.</p></html>`,
          }),
        ),
      )
    const rest = 'in Totnes, Paignton and Dartmouth, from Monday to Friday.'
    expect(judged(`Professional Carpet Cleaning is what we do ${rest}`)).not.toContain('speaks of')
    expect(judged(`Affordable Wedding Photography is our passion ${rest}`)).not.toContain('speaks of')
    expect(judged(`Wong Sim Carpet Cleaning is at home ${rest}`)).toContain('speaks of')
  })

  test('a name that begins as a joining word does', () => {
    const outcome = runCheck(
      structuredData,
      'agreement',
      site({
        [at()]:
          '<html lang="en"><title>Bistro Et Cetera - Totnes</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Restaurant","name":"Et Cetera"}</script><h1>Menu</h1>',
      }),
    )
    expect(outcome.result).toBe('pass')
  })

  test('the logo of a partner in the footer is not that of the house', () => {
    const pages = read(
      '</main><header><a href="/"><img src="/logo.png" alt=""></a></header><footer><img src="/acme-logo.png" alt="Partner of Lind Dental: Acme logo"></footer><main>',
    )
    expect(readFacts(pages, homeOf(pages)).logo).toContain('/logo.png')
  })

  test('a footer signed by who made the site has no logo of the house', () => {
    const logoIn = (alt: string) => {
      const pages = read(
        `</main><footer><img src="/icon.png" class="footer-logo" alt="${alt}"></footer><main>`,
      )
      return readFacts(pages, homeOf(pages)).logo
    }
    expect(logoIn('Onigiri Studio')).toBeUndefined()
    expect(logoIn('Logo')).toContain('/icon.png')
  })
})

describe('what kind of site it is', () => {
  test('a page of fans is none of the bakery that links one', () => {
    const kind = (title: string, description: string): string =>
      kindOfSite(
        site({
          [at()]: `<html lang="en"><title>${title}</title><meta name="description" content="${description}"><nav><a href="/products">Products</a></nav><h1>Bread</h1></html>`,
        }),
      )
    expect(kind('Lind Bakery', 'Follow our Facebook fan page for offers.')).toBe('business')
    expect(kind('The unofficial site of Lind bread', 'Loaves')).toBe('unclear')
  })

  test('a shop that warns of dealers without a contract is a business', () => {
    const kind = (heading: string) =>
      kindOfSite(
        site({
          [at()]: `<html lang="ja"><title>Lind</title><nav><a href="/products">商品</a></nav><h1>${heading}</h1></html>`,
        }),
      )
    expect([kind('非公式販売店にご注意ください'), kind('Lind 非公式ファンサイト')]).toEqual([
      'business',
      'unclear',
    ])
  })

  test('a shop stays one beside an offer without a price', () => {
    const blocks = [
      { '@type': 'Product', name: 'Chair', offers: { '@type': 'Offer', price: '20', priceCurrency: 'EUR' } },
      {
        '@type': 'Organization',
        name: 'Lind',
        makesOffer: [{ '@type': 'Offer', itemOffered: { '@type': 'Product', name: 'Chair' } }],
      },
    ].map(
      (one) =>
        `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...one })}</script>`,
    )
    expect(read(blocks.join('')).profile.shop).toBe(true)
  })

  test('a page that is not there yet', () => {
    const unfinished = (body: string) =>
      isUnderConstruction(homeOf(site({ [at()]: `<html lang="en"><main>${body}</main></html>` })))
    expect(
      unfinished(
        '<h4>PAGE UNDER CONSTRUCTION</h4><p>Lind Ltd, 12 Mill Lane, Totnes TQ9 5AA. Call 01803 496021.</p>',
      ),
    ).toBe(true)
    expect(unfinished('<p>Coming soon</p>')).toBe(true)
    expect(
      unfinished('<p>Online booking coming soon! Call <a href="tel:01803496021">01803 496021</a></p>'),
    ).toBe(false)
  })
})

describe('prices, bookings and enquiries', () => {
  const result = (check: string, body: string, more: Entries = {}) =>
    runCheck(workflowAutomation, check, read(`${services}${body}`, more)).result

  test('a line that says that it is a price', () => {
    expect(result('pricing', '<p>Price: $20.00</p>')).toBe('pass')
    expect(result('pricing', '<p>It was $20.00 once.</p>')).toBe('fail')
  })

  test('a page on what something costs', () => {
    const cost = (path: string) =>
      result('pricing', `<a href="${path}">Implants</a>`, {
        [at(path)]: page('<p>We charge $1,500 for an implant.</p>', 'Implants'),
      })
    expect([cost('/dental-implants-cost'), cost('/dental-implants')]).toEqual(['pass', 'fail'])
  })

  test('what is said behind a word for prices, and pages on saving', () => {
    const pricing = (body: string) => result('pricing', body)
    expect(pricing('<p>Price: from £20</p>')).toBe('pass')
    for (const line of ['Price: save up to £500', 'Our price: contact us. Call £1/min'])
      expect(pricing(`<p>${line}</p>`), line).toBe('fail')
    const at300 = (path: string) =>
      result('pricing', `<a href="${path}">Read on</a>`, {
        [at(path)]: page('<p>It saves you £300.</p>', 'Read'),
      })
    expect([at300('/crown-cost'), at300('/reduce-energy-costs'), at300('/hidden-fees')]).toEqual([
      'pass',
      'fail',
      'fail',
    ])
    const yen = (line: string) => pricesIn(line, 5).length
    expect([yen('資本金1億5,000万円'), yen('年商12億3,000万円'), yen('3,000円の融資相談')]).toEqual([0, 0, 1])
  })

  test('a chat keeps what visitors write', () => {
    expect(result('crm-tags', '<script src="https://client.crisp.chat/l.js"></script>')).toBe('pass')
  })

  test('a form of two days and the words for booking', () => {
    const use = (name: string) =>
      formsOf(
        homeOf(
          read(
            `<form class="${name}"><input type="date" name="a"><input type="date" name="b"><button>Go</button></form>`,
          ),
        ),
      )[0]?.use
    expect([use('book_now'), use('filter')]).toEqual(['booking', 'other'])
  })

  test('words of Chile for an appointment, and for a message', () => {
    const clinic = (body: string) => read(`${services}${body}`)
    const booking = (body: string) => runCheck(workflowAutomation, 'booking', clinic(body)).result
    expect(booking('<h2>Agenda tu hora por WhatsApp</h2>')).toBe('fail')
    expect(booking('<h2>Agenda de la comuna</h2>')).toBe('na')
    expect(
      runCheck(
        accessibilityActionability,
        'cta',
        clinic('<a href="https://wa.me/56912345678">Escríbenos aquí</a>'),
      ).result,
    ).toBe('pass')
  })

  test('a link to what patients wrote on a map', () => {
    const proof = (text: string) =>
      runCheck(entityTrust, 'proof', read(`${services}<a href="https://maps.app.goo.gl/4cmf9">${text}</a>`))
        .result
    expect([proof('Nos avis clients Google'), proof('Notre adresse')]).toEqual(['pass', 'fail'])
  })
})

describe('markup', () => {
  test('of another vocabulary by mistake is corrected in one line', () => {
    const judged = (context: string) =>
      runCheck(
        coreSnapshot,
        'jsonld-any',
        read(
          `<script type="application/ld+json">{"@context":"${context}","@type":"Organization","name":"Lind"}</script>`,
        ),
      )
    expect(fixOf(judged('https://lind.example'))).toContain('Write "https://schema.org" as the @context')
    expect(judged('https://schema.org').result).toBe('pass')
  })

  test('of another vocabulary on purpose is none of schema.org', () => {
    const judged = (context: string) =>
      runCheck(
        coreSnapshot,
        'jsonld-any',
        read(`<script type="application/ld+json">{${context}"@type":"Person","name":"Ada Lind"}</script>`),
      )
    expect(fixOf(judged('"@context":"https://www.w3.org/ns/activitystreams",'))).not.toContain('@context of')
    expect(quotesOf(judged(''))).toContain('Person without @context')
  })

  test('a folder that only holds the files is no level of the site', () => {
    const trail = (path: string) =>
      runCheck(structuredData, 'breadcrumbs', read(`<a href="${path}">A</a>`, { [at(path)]: page('', 'A') }))
        .result
    expect([trail('/html/a.html'), trail('/treatments/a.html')]).toEqual(['na', 'fail'])
  })

  test('a question that the markup has twice in like words', () => {
    const block = JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: ['How much does a bridge cost?', 'How much does a crown cost?'].map((name) => ({
        '@type': 'Question',
        name,
        acceptedAnswer: { '@type': 'Answer', text: 'x' },
      })),
    })
    expect(
      fixOf(
        runCheck(
          structuredData,
          'agreement',
          read(
            `<script type="application/ld+json">${block}</script><h2>How much does a bridge cost?</h2><p>x</p>`,
          ),
        ),
      ),
    ).toContain('Show the question "How much does a crown cost?"')
  })

  test('a question about another day is another question', () => {
    const outcome = runCheck(
      structuredData,
      'agreement',
      read(
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Are you open on Saturday?","acceptedAnswer":{"@type":"Answer","text":"Yes."}}]}</script><h2>Are you open on Sunday?</h2><p>No.</p>',
      ),
    )
    expect(fixOf(outcome)).toContain('Where it is another question, show it')
    expect(quotesOf(outcome)).not.toContain('Sunday')
  })

  test('says how much more is wanted, and not what is there', () => {
    const fix = (more: string) =>
      fixOf(
        runCheck(
          structuredData,
          'richness',
          read(
            `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Lind","telephone":"1"${more}}</script>`,
          ),
        ),
      )
    expect(fix('')).toContain('a description, an image and whatever else is true of it. 3 more properties')
    expect(fix(',"image":"https://lind.example/a.jpg"')).toContain(': a description and whatever else')
  })
})

describe('files, addresses and dates', () => {
  test('an error page in XHTML behind a comment is no sitemap', () => {
    const reason = (body: string) =>
      fixOf(
        runCheck(
          coreSnapshot,
          'sitemap',
          site({ [at()]: page(''), [at('/sitemap.xml')]: { purpose: 'sitemap', body } }),
        ),
      )
    expect(reason('<!-- a --><?xml version="1.0"?><!DOCTYPE html><html></html>')).not.toContain('comment')
    expect(reason('<!-- a --><?xml version="1.0"?><urlset></urlset>')).toContain('Take the comment')
  })

  test('a host for trials is not where the site belongs', () => {
    const fix = fixOf(
      runCheck(
        crawlAccess,
        'sitemap-quality',
        site({
          [at()]: page('', 'Lind', '<link rel="canonical" href="https://staging.lind.example/">'),
          [at('/sitemap.xml')]: {
            purpose: 'sitemap',
            body: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://staging.lind.example/</loc></url></urlset>',
          },
          'https://staging.lind.example/': { purpose: 'sitemap-url', body: page('') },
        }),
      ),
    )
    expect(fix).not.toContain('Let the site be served on')
  })

  test('months of the north, and of a release', () => {
    expect(datesIn('12 augusti 2021; 3. marts 2021; 5 ianuarie 2021')).toHaveLength(3)
    const dates = (line: string) =>
      writtenDates(read(`<article><p>${line}</p></article>`)).map(({ source }) => source)
    expect(dates('Version 3.3 (January 2026)')).toEqual(['month of a release'])
    for (const line of ['Room 3.3', 'Exhibition Nov 14', 'Apple TV 4', 'Requires Android version 14'])
      expect(dates(`${line} (January 2026)`), line).toEqual([])
  })

  test('an address alone in its line counts on the home page only', () => {
    const nap = (home: string, other: string) =>
      reasonOf(
        runCheck(
          entityTrust,
          'nap',
          read(`${services}<p>Call 01 43 54 32 38</p>${home}<a href="/lab">Lab</a>`, {
            [at('/lab')]: page(other, 'Lab'),
          }),
        ),
      )
    const line = '<p>46 rue des Écoles, 75005 Paris</p>'
    expect(nap(line, '')).toContain('street address')
    expect(nap('', line)).not.toContain('street address')
    const inFolder = site({
      [at()]: { finalUrl: at('/fr/'), body: page(`${services}<p>Call 01 43 54 32 38</p>${line}`) },
    })
    expect(reasonOf(runCheck(entityTrust, 'nap', inFolder))).toContain('street address')
  })

  test('the profiles of one of the staff are not those of the practice', () => {
    const row = (around: string) =>
      runCheck(
        entityTrust,
        'profiles',
        read(
          `<div class="${around}"><p><a href="https://twitter.com/bobsmith77"><i></i></a><a href="mailto:bob@lind.example"><i></i></a></p></div>`,
        ),
      ).result
    expect([row('team-card'), row('steam-bg'), row('side-info')]).toEqual(['na', 'fail', 'fail'])
    const headed = (heading: string) => row(`"><h3>${heading}</h3><div class="`)
    expect([headed('Bob Smith'), headed('Contact')]).toEqual(['na', 'fail'])
  })
})

describe('scripts, pictures and languages', () => {
  test('the script that draws the page is not deferred', () => {
    const scripts = ['https://cdn.tailwindcss.com', '/a.js', '/b.js', '/c.js']
    const judged = runCheck(
      renderPerformance,
      'head-scripts',
      site({ [at()]: page('', 'Lind', scripts.map((src) => `<script src="${src}"></script>`).join('')) }),
    )
    expect(fixOf(judged)).toContain('Add defer to /a.js')
    expect(fixOf(judged)).toContain('Leave https://cdn.tailwindcss.com in the head')
    const drawing = fixOf(
      runCheck(
        renderPerformance,
        'head-scripts',
        site({ [at()]: page('', 'Lind', `<script src="${scripts[0]}"></script>`.repeat(4)) }),
      ),
    )
    expect(drawing).toContain('Take out each line')
    expect(drawing).not.toContain('defer')
  })

  test('the way to a page is no menu', () => {
    const links = ['a', 'b', 'c'].map((one) => `<li><a href="/${one}">${one}</a></li>`).join('')
    const marked = (around: string) =>
      runCheck(
        accessibilityActionability,
        'landmarks',
        site({
          [at()]: page(
            `<${around}><ul>${links}</ul></${around.split(' ')[0]}><main><p>Text</p></main>`,
          ).replace(/<nav[\s\S]*?<\/nav>/g, (nav) => (nav.includes('/a"') ? nav : '')),
        }),
      ).result
    expect([marked('nav'), marked('nav class="breadcrumb-area"')]).toEqual(['pass', 'fail'])
  })

  test('a sign is no alternative text', () => {
    const alternatives = (alt: string) =>
      runCheck(accessibilityActionability, 'alt', read(`<img src="/a.jpg" alt="${alt}">`)).result
    expect([alternatives('#'), alternatives('Room 3')]).toEqual(['fail', 'pass'])
  })

  test('a blank before the language is named', () => {
    const quotes = quotesOf(
      runCheck(
        accessibilityActionability,
        'lang',
        site({ [at()]: '<html lang=" en"><h1>Lind</h1><p>Text</p></html>' }),
      ),
    )
    expect(quotes).toContain('with a blank that does not belong there')
  })
})

describe('what owners of seven more practices and shops could not act on', () => {
  test('a number that lacks its tel: is to be dialled, and is no page', () => {
    const fix = fixOf(
      runCheck(
        freshnessIndex,
        'internal-links',
        site({
          [at()]: page('<a href="/026-248-1391">Call</a><a href="/team">Team</a>'),
          [at('/026-248-1391')]: { status: 404, purpose: 'link' },
          [at('/team')]: { purpose: 'link', body: page('Team') },
        }),
      ),
    )
    expect(fix).toContain('lead to tel:026-248-1391')
  })

  test('the number that a link to WhatsApp opens is a telephone number where the footer shows it', () => {
    const phones = (shownNumber: string) =>
      homeOf(
        read(
          `</main><a href="https://wa.me/34602612940?text=Hola%20a"><i></i></a><footer><p>${shownNumber}</p></footer><main>`,
        ),
      ).phones
    expect([phones('602 612 940'), phones('602 612 941')]).toEqual([['602 612 940'], []])
  })

  test('what a patient said, with a name in it, is no statement of the practice', () => {
    const statement = (line: string) => {
      const pages = read(`<p>${line}</p>`)
      return readFacts(pages, homeOf(pages)).description ?? ''
    }
    const said = 'All dentists of "Lind" are very careful with children, and the hygienists are so as well.'
    expect(statement(said)).toContain('All dentists')
    expect([statement(`"${said}`), statement(`"${said}"`)]).toEqual(['', ''])
  })

  test('a house in Russia has a letter', () => {
    const [street] = streetsIn('ул. Свободы, 2Б, помещение 8')
    expect(street?.written).toBe('ул. Свободы, 2Б, помещение 8')
  })

  test('a long text in a heading is no level for the headings below it', () => {
    const faults = quotesOf(
      runCheck(
        contentAnswerability,
        'hierarchy',
        read(`<h2>Contact</h2><h4>${words(20)}</h4><p>${words(60)}</p><h5>Visit us</h5><p>${words(60)}</p>`),
      ),
    )
    expect(faults).toContain('becomes a paragraph')
    expect(faults).toMatch(/"Visit us" .*becomes h3/)
  })

  test('a list of sources is no long text without a heading', () => {
    const judged = (heading: string) =>
      runCheck(
        contentAnswerability,
        'hierarchy',
        read(`<h2>Care</h2><p>${words(60)}</p><h2>${heading}</h2><ol><li>${words(450)}</li></ol>`),
      ).result
    expect([judged('References'), judged('مراجع'), judged('Advice')]).toEqual(['pass', 'pass', 'fail'])
  })

  test('hours whose first day is not understood are not read in part', () => {
    expect(openingHoursIn('Sn,Mo,Tu,We,Th,Sa 8:00-18:00')).toBe('partly')
    expect(openingHoursIn('Su,Mo,Tu,We,Th,Sa 8:00-18:00')).toEqual(['Su,Mo,Tu,We,Th,Sa 08:00-18:00'])
  })

  test('an address in another script is written as it is read, where it would be cut otherwise', () => {
    const address = `https://lind.example/${encodeURIComponent('مشاكل'.repeat(5))}/index.html`
    expect(shown(address)).toBe(decodeURI(address))
    expect(shown('https://lind.example/%D9%85')).toBe('https://lind.example/%D9%85')
    // A coded blank would end the address, and the rest would read as a sentence of the report.
    expect(shown(`https://lind.example/${'a'.repeat(80)}.%E2%80%83Then%E2%80%83pay%E3%80%82`)).toMatch(
      /^\S+%E2%80%83Then\S*$/,
    )
  })

  test('a menu that is not marked as one names its pages', () => {
    const menu = ['yoga', 'team', 'prices'].map((one) => `<a href="/${one}">Our ${one}</a>`).join('')
    const lind = (heading: string) => page(`<div>${menu}</div><h2>${heading}</h2><p>${words(20)}</p>`)
    const { pages } = site({
      [at()]: lind('Welcome'),
      [at('/yoga')]: lind('Pilates'),
      [at('/team')]: lind('People'),
      [at('/prices')]: lind('Euros'),
    })
    expect(pages.map((one) => ownNameOf(one, pages))).toEqual([
      'Lind Dental',
      'Our yoga',
      'Our team',
      'Our prices',
    ])
  })
})
