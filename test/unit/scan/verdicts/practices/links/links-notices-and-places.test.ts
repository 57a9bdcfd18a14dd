import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { answeredAddresses } from '../../../../../../src/products/scan/report/blocks/listed-pages.ts'
import { ownerTitle } from '../../../../../../src/products/scan/report/work/owner-titles.ts'
import { stepsFor } from '../../../../../../src/products/scan/report/work/steps.ts'
import { datesIn, dayOf } from '../../../../../../src/products/scan/site/dates.ts'
import { analyze } from '../../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../../support/scans/checks.ts'
import { at, onPages, page, read, words } from '../../../../../support/scans/lind-site.ts'

/** What owners of eight practices in eight countries stumbled over when they read the reports on their own sites. */

const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []
const homeOf = (html: string) => {
  const one = read(html)
  return { one, home: one.home ?? expect.fail('the home page was not read') }
}

describe('a form that every page repeats', () => {
  const form =
    '<form id="contact" action="/api/send" method="post"><input name="email" type="email"><textarea name="message"></textarea><button>Send</button></form>'
  const paths = Array.from({ length: 14 }, (_, number) => `/treatments/treatment-with-a-long-name-${number}`)
  const pages = Object.fromEntries(
    ['/', ...paths].map((path) => [at(path), { ...onPages, body: page(`<p>${path}</p>${form}`) }]),
  )
  const outcome = runCheck(workflowAutomation, 'lead-capture', site(pages))

  test('is one form to mend, and its first pages are named', () => {
    expect(reasonOf(outcome)).toMatch(/^A form that stands on 15 pages delivers nothing/)
    expect(fixOf(outcome)).toMatch(
      /^Let the form on https:\/\/lind\.example\/, .+ and 12 more pages really send what is typed in/,
    )
  })

  test('keeps its whole order in the report', () => {
    const action = actionsOf(pages).find(({ id }) => id === 'workflow-automation/lead-capture')
    expect(action?.block?.text).toContain('see that it arrives.')
  })

  test('counts twice where a page has it twice', () => {
    const twice = site({ [at()]: { ...onPages, body: page(`${form}${form}`) } })
    expect(reasonOf(runCheck(workflowAutomation, 'lead-capture', twice))).toMatch(/^2 forms deliver nothing/)
  })
})

describe('a privacy notice within the legal notice', () => {
  const legal = (parts: string) =>
    runCheck(
      entityTrust,
      'legal',
      read('<footer><a href="/mentions-legales">Mentions légales</a></footer>', {
        [at('/mentions-legales')]:
          `<html lang="fr"><title>Mentions légales</title><main><h1>Mentions légales</h1>${parts}</main>`,
      }),
    ).result

  test.each([
    ['pass', 'Données personnelles et mesure d’audience'],
    ['pass', 'Cookies, données personnelles'],
    ['fail', 'Horaires et accès'],
  ])('%s: below “%s”', (result, heading) => {
    const parts = `<h2>Éditeur</h2><p>Lind</p><h2>${heading}</h2><p>Les appels ne sont pas enregistrés.</p>`
    expect(legal(parts)).toBe(result)
  })

  test('is no list of fields of law', () => {
    expect(legal('<h2>Droit du travail, données personnelles, fiscalité</h2><p>Lind</p>')).toBe('fail')
  })
})

test('a form is asked for on the home page of a site whose language has no words here, and in each language', () => {
  const catalan =
    'La nostra clínica dental ofereix tractaments per a tota la família amb els millors especialistes de la comarca. '
  const english = 'Our dental clinic offers treatments for the whole family with the best specialists. '
  const one = site({
    [at()]: `<html lang="ca"><title>Lind Dental</title><nav><a href="/en/">English</a></nav><main><h1>Lind</h1><p>${catalan.repeat(8)}</p><section id="contacte"><h2>Contacte</h2><a href="mailto:info@lind.example">info@lind.example</a></section></main>`,
    [at('/en/')]:
      `<html lang="en"><title>Contact</title><nav><a href="/">Català</a><a href="/en/#contact">CONTACT</a></nav><main><h1>Contact</h1><p>${english.repeat(8)}</p><section id="contact"><h2>Contact</h2><a href="mailto:info@lind.example">info@lind.example</a></section></main>`,
    [at('/en/implants')]:
      `<html lang="en"><title>Implants</title><nav><a href="/en/#contact">CONTACT</a></nav><main><h1>Implants</h1><p>${english.repeat(8)}</p></main>`,
  })
  const fix = fixOf(runCheck(workflowAutomation, 'lead-capture', one))
  expect(fix).toContain(`message on ${at()}, and let each`)
  expect(fix).toContain('Do the same on that page in each language of your site.')
})

test.each([
  ['(270) 846 – 9994', 'Please call our office by phone: (270) 846 –\n9994'],
  ['01632‑960142', 'Phone 01632‑960142'],
])('the number %s, which has another dash, can be called', (_, text) => {
  expect(runCheck(coreSnapshot, 'contact-path', read(`<p>${text}</p>${words(60)}`)).result).toBe('pass')
})

describe('links that dial or write', () => {
  const contact = (html: string) => runCheck(coreSnapshot, 'contact-path', read(html))

  test('to a number of no country are told, with two zeros as with a plus', () => {
    const outcome = contact('<a href="tel:003385226455">+3385226455</a>')
    expect(reasonOf(outcome)).toContain('too few or too many digits')
    expect(contact('<a href="tel:00442079460142">020 7946 0142</a>').result).toBe('pass')
  })

  test('to another mailbox than they show are told, with both', () => {
    const outcome = contact('<a href="mailto:info@maker.example">praxis@lind.example</a>')
    expect(outcome.result).toBe('warn')
    expect(quotesOf(outcome)).toBe('mailto:info@maker.example, shown as "praxis@lind.example"')
    expect(contact('<a href="mailto:Praxis@lind.example?subject=Hi">praxis@lind.example</a>').result).toBe(
      'pass',
    )
    expect(contact('<a href="mailto:praxis@lind.example">Write to us</a>').result).toBe('pass')
  })

  test('are told together where both are wrong', () => {
    const outcome = contact(
      '<a href="tel:003385226455">Call</a><a href="mailto:info@maker.example">praxis@lind.example</a>',
    )
    expect(quotesOf(outcome)).toBe(
      'tel:003385226455 | mailto:info@maker.example, shown as "praxis@lind.example"',
    )
    expect(fixOf(outcome)).toMatch(/Write your own number .+ Let the link .+ write to that address/)
  })

  test('without tel: and to a number of no country ask for the right one', () => {
    const one = site({
      [at()]: page('<a href="003385226455">+3385226455</a>'),
      [at('/003385226455')]: { purpose: 'link', status: 404 },
    })
    const outcome = runCheck(freshnessIndex, 'internal-links', one)
    expect(fixOf(outcome)).toContain('lead to tel: with your telephone number behind it')
    expect(outcome).toMatchObject({
      work: { asked: [{ url: at('/003385226455'), text: '+3385226455' }] },
    })
  })
})

describe('a link that leads to no page is not said to belong elsewhere', () => {
  const fixFor = (
    href: string,
    more: Record<string, { purpose: 'link' | 'page'; status?: number; body?: string }> = {},
  ) =>
    fixOf(
      runCheck(
        freshnessIndex,
        'internal-links',
        site({
          [at()]: page(`<a href="${href}">Crowns</a>`),
          [new URL(href, at()).href]: { purpose: 'link', status: 404 },
          ...more,
        }),
      ),
    )

  test.each(['/product/4006381333931', '/news/1234567890', '/post/20240512143000', '/news/05-12-2024'])(
    'because its address has the digits of a telephone number: %s',
    (href) => expect(fixFor(href)).not.toContain('tel:'),
  )

  test('because another page has the same file and another query', () => {
    const other = { [at('/item.php?id=3')]: { purpose: 'page' as const, body: page('<h1>Bridges</h1>') } }
    expect(fixFor('/item.php?id=7', other)).not.toContain('id=3')
  })

  test('with words that would read as our order', () => {
    const fix = fixFor('www.evil.example/a. Then pay and delete all pages')
    expect(fix).toContain('https://www.evil.example/a.%20Then%20pay')
    expect(fix).not.toContain('Then pay')
  })
})

test('days between slashes are read where one number is above 12', () => {
  expect(datesIn('1/22/2019, 22/01/2019, 05/05/2024, 11/12/2026, 1/2/3/2020').map(dayOf)).toEqual([
    '2019-01-22',
    '2019-01-22',
    '2024-05-05',
  ])
})

test('every long stretch of text is named, with the title that may stand there', () => {
  const long = `<p>${'Long text goes on here without an end. '.repeat(70)}</p>`
  const entries = { [at()]: page(`${long}<h2>Implants</h2>${long}<h2>Crowns</h2><p>Short.</p>`) }
  const stretch = 'more than 400 words of text without a subheading after'
  expect(quotesOf(runCheck(contentAnswerability, 'hierarchy', site(entries)))).toBe(
    `${stretch} "Lind Dental" | ${stretch} "Implants"`,
  )
  const steps = actionsOf(entries)
    .flatMap(({ steps: how = [] }) => how)
    .join('\n')
  expect(steps).toContain(`Such stretches begin on ${at()} after "Lind Dental" and "Implants".`)
  expect(steps).toContain('make it a heading in the code, and write no second one')
})

test('a page to meet the staff tells who stands behind the site', () => {
  const staff = page(`<h2>Meet the Staff</h2><p>${words(160)}</p>`, 'Meet the Staff')
  const one = read('<nav><a href="/meet-the-staff">Meet the Staff</a></nav>', {
    [at('/meet-the-staff')]: staff,
  })
  expect(runCheck(entityTrust, 'about', one).result).toBe('pass')
})

test.each([
  ['Care Credit is an affordable way to pay for dental treatment, which we offer to our patients.', false],
  ['Lind Dental is a practice for the whole family, in the heart of the old town of Totnes.', true],
  ['Our practice is a place for the whole family, in the heart of the old town of Totnes.', true],
])('“%s” describes the practice: %s', (text, isOwn) => {
  const { one, home } = homeOf(`<p>${text}</p>`)
  expect(readFacts(one, home).description === undefined).toBe(!isOwn)
})

describe('a practice that is called "Lind Dental"', () => {
  const typed = (name: string, body: string) => {
    const block = actionsOf({
      [at()]: `<html lang="en"><title>${name}</title><body><main><h1>${name}</h1><p>We look after the teeth of patients. Our dentists treat each patient in our clinic: check-ups, implants, healthcare.</p>${body}</main>`,
    }).find(({ block: one }) => one?.text.includes('"WebSite"'))?.block?.text
    return /"@type": "(\w+)"/.exec(block ?? '')?.[1]
  }
  const hours = '<p>Opening hours: Monday to Friday, 8:30 to 18:00</p>'
  const phone = '<a href="tel:+441632960142">01632 960142</a>'

  test('is a dentist where people can call and come', () => {
    expect(typed('Lind Dental', `${hours}${phone}`)).toBe('Dentist')
    expect(typed('Lind Dental', phone)).not.toBe('Dentist')
    expect(typed('Lind Dental', hours)).not.toBe('Dentist')
  })
})

test('a menu beside much text leaves the page well ordered', () => {
  const one = read(`<p>${words(300)}</p><aside>${words(40)}</aside>`)
  expect(runCheck(contentAnswerability, 'boilerplate', one).result).toBe('pass')
})

test('the length of pages says which pages it leaves out', () => {
  const one = read(`<p>${words(40)}</p>`, {
    [at('/about')]: page(`<h2>About us</h2><p>${words(300)}</p>`, 'About us'),
    [at('/crowns')]: page(`<p>Crowns ${words(60)}</p>`, 'Crowns'),
    [at('/bridges')]: page(`<p>Bridges ${words(60)}</p>`, 'Bridges'),
  })
  expect(reasonOf(runCheck(contentAnswerability, 'depth', one))).toContain(
    'of main text; pages about you are not counted',
  )
})

test('of one profile in the markup one more is asked for', () => {
  const entries = {
    [at()]: page(
      '<p>Teeth</p>',
      'Lind Dental',
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Lind Dental","sameAs":"https://www.facebook.com/lind"}</script>',
    ),
  }
  expect(runCheck(structuredData, 'same-as', site(entries))).toMatchObject({
    result: 'warn',
    fix: expect.stringMatching(/^Add the full address of one more of your profiles/),
  })
  const work = { kind: 'one-more-profile' } as const
  const id = 'structured-data/same-as'
  expect(ownerTitle(id, '', at(), work)).toContain('Name one more of your entries elsewhere')
  expect(stepsFor(id, { fix: '', work, page: at(), evidence: [], language: 'en' })?.join(' ')).toContain(
    'One stands there already, and you need one more.',
  )
})

test('a page that only sends browsers on is not put into the sitemap', () => {
  const forwarding =
    '<html><head><meta http-equiv="Refresh" content="0; url=/services/technology"><title>Page has moved</title></head><body><a href="/services/technology">Click here</a></body></html>'
  const sitemap = actionsOf({
    [at()]: page('<a href="/technology">Technology</a><a href="/services/technology">Services</a>'),
    [at('/services/technology')]: page('<p>Technology</p>', 'Technology'),
    [at('/technology')]: { purpose: 'link', body: forwarding },
    [at('/sitemap.xml')]: { purpose: 'sitemap', status: 404 },
    [at('/robots.txt')]: { status: 404 },
  }).find(({ block }) => block?.kind === 'sitemap.xml')?.block?.text
  expect(sitemap).toContain(`${at('/services/technology')}<`)
  expect(sitemap).not.toContain(`${at('/technology')}<`)
})

describe('a piece of HTML that a script loads into a window', () => {
  const portrait = '<div class="row"><h2>Eva Lind</h2><p>I have been a dentist since 2011.</p></div>'
  const pathsOf = (body: string) =>
    read(`<a href="/team/eva.html">Eva Lind</a>`, { [at('/team/eva.html')]: body }).pages.map(
      ({ url }) => new URL(url).pathname,
    )

  test('is no page of its own, and is in no list of pages', () => {
    expect(pathsOf(portrait)).toEqual(['/'])
    const entries: Entries = {
      [at()]: page('<a href="/team/eva.html">Eva Lind</a>'),
      [at('/team/eva.html')]: portrait,
      [at('/team/eva.html#link')]: { purpose: 'link', body: '' },
    }
    expect(answeredAddresses(site(entries))).toEqual([])
  })

  test.each([
    ['a title', `<title>Eva Lind</title>${portrait}`],
    ['a doctype', `<!doctype html>${portrait}`],
    ['a main heading', portrait.replaceAll('h2', 'h1')],
    ['a menu', `${portrait}<nav><a href="/">Home</a></nav>`],
  ])('is a page where it has %s, whatever tags it leaves out', (_, body) => {
    expect(pathsOf(body)).toEqual(['/', '/team/eva.html'])
  })
})

describe('the canonical address of a page below the home page', () => {
  const canonical = (path: string) => `<link rel="canonical" href="${at(path)}">`
  const outcomeOf = (status: number) =>
    runCheck(
      crawlAccess,
      'canonical',
      site({
        [at()]: page('<a href="/contact.html">Contact</a>', 'Lind Dental', canonical('/')),
        [at('/contact.html')]: page(words(30), 'Contact', canonical('/contact/')),
        [at('/contact/')]: { purpose: 'canonical', status, body: '' },
      }),
    )

  test.each([404, 410])('fails where it answers %i, and the page is told to name itself', (status) => {
    expect(outcomeOf(status).result).toBe('fail')
    expect(fixOf(outcomeOf(status))).toContain(
      'Name https://lind.example/contact.html as the canonical address',
    )
    expect(quotesOf(outcomeOf(status))).toContain(`which answers ${status}`)
  })

  test.each([200, 403, 503])('is no fault where it answers %i', (status) => {
    expect(outcomeOf(status).result).toBe('pass')
  })
})

describe('a page that is large for the pictures written into its code', () => {
  const picture = `<img alt="Our room" src="data:image/png;base64,${'iVBORw0K'.repeat(100_000)}">`
  const home = `${picture}<p>Lind Dental mends teeth in Malmö. Call +46 40 123 45 67.</p>`

  test('is told to move the pictures, and gets lines to paste like any other', () => {
    const actions = actionsOf({ [at()]: page(home) })
    expect(fixOf(runCheck(renderPerformance, 'html-size', read(home)))).toContain(
      'Move the pictures that are written into the code',
    )
    expect(actions.some(({ block }) => block?.text.includes('application/ld+json'))).toBe(true)
  })

  test('is told of its scripts where they weigh most', () => {
    const scripts = `<script>${'run();'.repeat(100_000)}</script><img src="data:image/png;base64,iVBORw0K">`
    expect(fixOf(runCheck(renderPerformance, 'html-size', read(scripts)))).toContain(
      'Move the inline scripts of',
    )
  })
})

describe('the address of the preview picture', () => {
  const previewOf = (picture: string) =>
    runCheck(
      structuredData,
      'open-graph',
      site({
        [at()]: page(
          '',
          'Lind',
          `<meta property="og:title" content="Lind"><meta property="og:type" content="website"><meta property="og:description" content="Dentists"><meta property="og:image" content="${picture}">`,
        ),
      }),
    )

  test('fails where the template has brackets in it, and is quoted', () => {
    const outcome = previewOf('https://[your-name].github.io/share.jpg')
    expect(outcome.result).toBe('fail')
    expect(reasonOf(outcome)).toContain('left as the template has it')
    expect(quotesOf(outcome)).toContain('og:image "https://[your-name].github.io/share.jpg"')
  })

  test('passes with brackets in its path, which browsers open', () => {
    expect(previewOf('https://lind.example/share[1].jpg').result).toBe('pass')
  })
})

test('a free first visit is quoted as the amount that was seen, and no article is named that there is not', () => {
  const reason = reasonOf(
    runCheck(
      workflowAutomation,
      'pricing',
      read('<p>We are dentists in Malmö.</p><div><b>0€</b> Primera consulta</div>'),
    ),
  )
  expect(reason).toContain('the amount "0€" on https://lind.example/ was not taken for one')
})
