import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { ownEntries } from '../../../../../src/products/scan/agents/entity-trust/own-entries.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { securitySafety } from '../../../../../src/products/scan/agents/security-safety/security-safety.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { businessType } from '../../../../../src/products/scan/report/blocks/business-type.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { upToSentence } from '../../../../../src/products/scan/report/blocks/facts/whole-sentences.ts'
import { saidFacts } from '../../../../../src/products/scan/report/blocks/said-facts.ts'
import { reportPage } from '../../../../../src/products/scan/report/report-page.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { openingHoursIn } from '../../../../../src/products/scan/signals/contact/opening-hours.ts'
import { mailAddressesOf } from '../../../../../src/products/scan/site/contact/mail-addresses.ts'
import { countWords } from '../../../../../src/products/scan/site/html/words.ts'
import { pagesOfKind } from '../../../../../src/products/scan/site/linked-pages.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, onPages, page, read, words } from '../../../../support/scans/lind-site.ts'
import { scannedSite } from '../../../../support/scans/scanned-site.ts'

/** What owners of twelve more practices stumbled over: facts in code that they cannot read, and orders that undo each other. */

const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const actionsOf = (entries: Entries) => analysisOf(entries).report.actions ?? []

describe('the facts that a block publishes', () => {
  const practice = {
    [at()]: page(
      '<p>Lind Dental looks after the teeth of the whole family in Totnes.</p><section id="contact"><a href="tel:+441632960142">01632 960142</a><a href="mailto:desk@lind.example">desk@lind.example</a><p>12 Fore Street, Totnes TQ9 5RH</p><p>Opening hours: Monday to Friday, 8:30 to 18:00</p></section>',
      'Lind Dental, dentist in Totnes',
    ),
  }

  test('stand in plain words before the message, for an owner who reads no code', () => {
    const analysis = analysisOf(practice)
    const block = analysis.report.actions?.find(({ block: one }) => one?.text.includes('"WebSite"'))?.block
    expect(block?.says).toEqual(
      expect.arrayContaining([
        'your name: Lind Dental',
        'what you are: dentist',
        'telephone: +44 1632 960142',
        'e-mail: desk@lind.example',
        'opening hours: Mon–Fri 08:30–18:00',
      ]),
    )
    const { html } = reportPage(scannedSite('lind.example'), analysis)
    const list = html.indexOf('The lines in the message say this of you')
    expect(list).toBeGreaterThan(0)
    expect(html.indexOf('<li>telephone: +44 1632 960142</li>')).toBeGreaterThan(list)
    expect(html).toContain('what in the lines is wrong or not complete, if anything is')
  })

  test('are those of the node, in whatever form it has them', () => {
    expect(
      saidFacts({
        '@type': ['Dentist', 'MedicalClinic'],
        name: 'WRITE THE NAME OF YOUR BUSINESS HERE',
        telephone: '01632 960142',
        address: [
          { streetAddress: '12 Fore Street', postalCode: 'TQ9 5RH', addressCountry: 'GB' },
          'Quay 3, Dartmouth',
        ],
        openingHoursSpecification: [
          { dayOfWeek: ['https://schema.org/Monday', 'Tuesday'], opens: '03:30', closes: '20:00' },
        ],
        sameAs: ['https://a.example/lind', 'https://b.example/lind'],
        makesOffer: [{ name: 'Check-up', price: '62.00', priceCurrency: 'GBP' }],
        founder: { '@type': 'Person', name: 'Ada Lind' },
        aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.9', reviewCount: 87 },
        paymentAccepted: ['Cash', 'Card'],
      }),
    ).toEqual([
      'what you are: dentist and medical clinic',
      'telephone: 01632 960142',
      'address: 12 Fore Street, TQ9 5RH, GB; Quay 3, Dartmouth',
      'opening hours: Mon, Tue 03:30–20:00',
      'your entries elsewhere: https://a.example/lind and https://b.example/lind',
      'fixed prices: Check-up 62.00 GBP',
      'founder: Ada Lind',
      'rating in all reviews: rating value 4.9, review count 87',
      'payment accepted: Cash; Card',
    ])
    expect(
      saidFacts({
        '@type': 'WebSite',
        openingHours: 'Mo-Sn 9-17',
        email: 'desk@lind.example',
        address: {
          streetAddress: '12 Fore Street',
          postalCode: '97205',
          addressLocality: 'Portland',
          addressRegion: 'OR',
          addressCountry: 'US',
        },
      }),
    ).toEqual([
      'e-mail: desk@lind.example',
      'address: 12 Fore Street, Portland, OR 97205, US',
      'opening hours: Mo-Sn 9-17',
    ])
    const closed = { dayOfWeek: 'Sunday', opens: '00:00', closes: '00:00' }
    const inSummer = {
      dayOfWeek: ['Friday'],
      opens: '09:00',
      closes: '12:00',
      validFrom: '2026-07-01',
      validThrough: '2026-08-31',
    }
    expect(saidFacts({ openingHoursSpecification: [closed, inSummer] })).toEqual([
      'opening hours: Sunday closed; Friday 09:00–12:00 from 2026-07-01 until 2026-08-31',
    ])
  })

  test('are asked for where the page shows no name that the lines could have', () => {
    const analysis = analysisOf({
      [at()]:
        '<html lang="en"><title>Smiles since 1981!</title><body><header><a href="/"><img src="/logo.png" alt="Lind Koukoul"></a></header><main><h1>Smiles for all!</h1><p>Our dentists treat the whole family in the old town.</p><a href="mailto:desk@lind.example">desk@lind.example</a></main>',
    })
    const names = analysis.report.actions?.flatMap(({ block }) =>
      block?.text.includes('"WebSite"') === true
        ? [...block.text.matchAll(/"name": "([^"]+)"/g)].map(([, name]) => name)
        : [],
    )
    expect(names?.length).toBeGreaterThan(0)
    for (const name of names ?? []) expect(name).toMatch(/^(?:Lind Koukoul|WRITE THE NAME .+)$/)
  })
})

test('the name of a network and an account there are no mailbox', () => {
  const mails = (html: string) => read(html).pages.flatMap((one) => mailAddressesOf(one))
  expect(
    mails('<strong>Instagram</strong><a href="https://instagram.com/lind.example">@lind.example</a>'),
  ).toEqual([])
  expect(mails('<p>desk@lind.example</p>')).toEqual(['desk@lind.example'])
})

describe('opening hours beside days of an unknown language', () => {
  test.each([
    ['ma 11-19 / ti-pe 8-16', 'partly'],
    ['Mo 11:00-19:00, ke 8:00-16:00', 'partly'],
    ['Mo 11:00-19:00, Tu-Fr 08:00-16:00', ['Mo 11:00-19:00', 'Tu-Fr 08:00-16:00']],
    ['Mo 11:00-19:00. Room 4, Fore Street 12', ['Mo 11:00-19:00']],
    ['Mo 11:00-19:00. Every second Saturday: 9:00 - 12:00', 'partly'],
  ])('%s', (text, hours) => {
    expect(openingHoursIn(text)).toEqual(hours)
  })
})

describe('a name', () => {
  const named = (footer: string, title = 'Brett Lind DMD, MD') =>
    companyName(
      site({
        'https://brettlindsurgery.example/': `<html lang="en"><title>${title}</title><!-- Template Name: Medilab - v4.3.0 --><body><main><h1>${title}</h1></main><footer>${footer}</footer></body></html>`,
      }),
    )

  test('is not that of the template, and begins without the word "Copyright"', () => {
    expect(named('&copy; Copyright <strong>Medilab</strong>. All Rights Reserved')).toBe('Brett Lind DMD, MD')
    expect(named('&copy; Copyright Lind Surgery. All Rights Reserved', 'Smiles for all!')).toBe(
      'Lind Surgery',
    )
  })
})

test('hours of the markup that differ on all days are told, also where one day has another shape', () => {
  const hours = {
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Dental',
    openingHours: 'Mo-Fr 09:00-17:00',
  }
  const { report } = analysisOf({
    [at()]: page(
      '<section id="contact"><a href="tel:+441632960142">01632 960142</a><p>Monday to Thursday: 8:00 - 17:00, Friday: 8:00 - 13:00</p></section>',
      'Lind Dental',
      `<script type="application/ld+json">${JSON.stringify(hours)}</script>`,
    ),
  })
  const block = report.actions?.find(({ block: one }) => one?.says !== undefined)?.block
  expect(block?.says).toContain('opening hours: Mon–Thu 08:00–17:00; Fri 08:00–13:00')
  expect(block?.missing.join(' ')).toContain(
    'your opening hours, if “Mon–Thu 08:00–17:00; Fri 08:00–13:00” is wrong',
  )
})

test('a field for both parts of a name is one for the whole', () => {
  const form = (name: string) =>
    read(
      `<form action="/a"><input type="text" name="${name}"><input type="tel" name="tel" autocomplete="tel"><textarea name="m"></textarea></form>`,
    )
  const tokenOf = (name: string) => quotesOf(runCheck(accessibilityActionability, 'autocomplete', form(name)))
  expect(tokenOf('Nome_e_cognome')).toContain('autocomplete="name"')
  expect(tokenOf('cognome')).toContain('autocomplete="family-name"')
})

test.each([
  ['Via+Cristoforo+Lind,+4,+35020+Albignasego+PD', false],
  ['12+Lind+St,+Totnes+TQ9+5RH', false],
  ['Lind+Dental', true],
])('a pin on the map called %s is an entry of the business: %s', (name, isEntry) => {
  const one = read(`<a href="https://www.google.com/maps/place/${name}/@45.3,11.8,17z">Map</a>`)
  expect(ownEntries(one, one.home ?? expect.fail('not read')).length > 0).toBe(isEntry)
})

test('the password of a mail account is found in lines that are commented out, too', () => {
  const script = `// Email.send({\n//   Host : "smtp.elasticemail.com",\n//   Username: "desk@lind.dental",\n//   Password: "${'A1b2'}${'C3d4E5f6'}",\n// })`
  const outcome = runCheck(
    securitySafety,
    'leaked-keys',
    site({
      [at()]: page('<script src="/a.js"></script>'),
      [at('/a.js')]: { purpose: 'script', body: script },
    }),
  )
  expect(outcome.result).toBe('fail')
  expect(JSON.stringify(outcome)).not.toContain('C3d4')
})

test('a specialist is no enquiry in Korean', () => {
  const one = site({
    [at()]:
      '<html lang="ko"><title>린드치과</title><main><h1>린드치과</h1><a href="/denture">전문의의 전문적인 틀니</a><a href="/ask">문의하기</a></main>',
    [at('/denture')]: '<html lang="ko"><title>틀니</title><main><h1>틀니</h1></main>',
    [at('/ask')]: '<html lang="ko"><title>문의</title><main><h1>문의</h1></main>',
  })
  expect(pagesOfKind(one, 'contact').map(({ url }) => url)).toEqual([at('/ask')])
})

describe('parts that a click shows in turn', () => {
  const panel = (name: string, classes: string, text: string) =>
    `<div class="${name} ${classes}">${text}</div>`
  const wordsOf = (html: string) => countWords(read(html).home?.mainText ?? '')

  test('are text of the page, and what tells how a form was sent is none', () => {
    const panels = `${panel('services', '', words(20))}${panel('about', 'd-none', words(30))}${panel('advice', 'd-none', words(40))}`
    const states = `${panel('form', '', words(20))}${panel('success-message', 'd-none', words(30))}${panel('error', 'd-none', words(40))}`
    expect(wordsOf(`<div>${panels}</div>`) - wordsOf(`<div>${states}</div>`)).toBe(70)
  })
})

test('the part about the people is not called by an id', () => {
  const outcome = runCheck(
    entityTrust,
    'about',
    read('<div id="our-story">Dr. Lind, specialist for crowns and bridges.</div>'),
  )
  expect(fixOf(outcome)).not.toContain('our-story')
})

test('a form for appointments that sends nothing is mended with the others, and no second one is asked for', () => {
  const form = (id: string, fields: string) =>
    `<form id="${id}" action="/forms/mail.php" method="post"><input name="email" type="email">${fields}<button>Send</button></form>`
  const { report } = analysisOf({
    'https://lind.github.io/': {
      ...onPages,
      body: page(
        `<h2>Our services</h2><p>Dentists for the family.</p>${form('contact', '<textarea name="message"></textarea>')}${form('appointment', '<label>Preferred date <input type="date" name="date"></label><input name="phone" type="tel">')}`,
      ),
    },
  })
  const actions = report.actions ?? []
  const lead = actions.find(({ id }) => id === 'workflow-automation/lead-capture')
  expect(lead?.settles).toContain('workflow-automation/booking')
  expect(actions.some(({ id }) => id === 'workflow-automation/booking')).toBe(false)
})

test('a missing script is looked at before it is put back', () => {
  const outcome = runCheck(
    renderPerformance,
    'linked-files',
    site({
      [at()]: page('<script src="/jquery.js"></script>'),
      [at('/jquery.js')]: { purpose: 'script', status: 404 },
    }),
  )
  expect(reasonOf(outcome)).toContain('What it does for visitors may not happen.')
  expect(fixOf(outcome)).toMatch(
    /^See whether .+ does all it should without the script .+ If so, take out the line/,
  )
})

test('figures on other pages and numbers before unknown words together do not settle what is asked', () => {
  const sentence =
    'Our practice treats patients of all ages with care and with time for every question they have. '
  const one = read(`<p>${sentence.repeat(60)} We have 3 glorps and 4 glorps and 5 glorps.</p>`, {
    [at('/contact')]: page(
      '<h2>Contact</h2><p>20 minutes by bus, 15 minutes by car, 3 km from the station.</p>',
      'Contact',
    ),
  })
  const outcome = runCheck(contentAnswerability, 'evidence', one)
  expect(outcome.result).toBe('fail')
})

test('a word that an icon font draws names a button, and the logo of a partner is none', () => {
  const names = (icon: string) =>
    runCheck(
      accessibilityActionability,
      'names',
      read(`<a href="#" class="sidenav-trigger"><i class="material-icons">${icon}</i></a>`),
    ).result
  expect(names('menu')).toBe('pass')
  expect(names('chevron_right')).toBe('fail')
  const partner = read(
    '<footer><a href="https://academy.example/"><img src="/logo-academy.jpg" alt="Academy logo"></a></footer>',
  )
  expect(readFacts(partner, partner.home ?? expect.fail('not read')).logo).toBeUndefined()
})

test('a link that shows two numbers dials one of them', () => {
  const contact = (text: string) =>
    runCheck(coreSnapshot, 'contact-path', read(`<a href="tel:09226680164">${text}</a>`)).result
  expect(contact('09226680164 / 07709736251')).toBe('pass')
  expect(contact('07709736251')).toBe('warn')
})

test('a picture that leads where several links lead is not called by a date or by a language', () => {
  const card = '<a href="/post"><img src="/card.jpg"></a>'
  const outcome = runCheck(
    accessibilityActionability,
    'names',
    site({
      [at()]: page(`${card}<nav><a href="/post">English</a></nav>`),
      [at('/more')]: page(
        '<a href="/post">Jan. 10, 2021</a><a href="/post">Cosmetic Dentistry</a><a href="/post">Implants</a>',
        'More',
      ),
      [at('/post')]: page('<h2>Post</h2>', 'Our advice'),
    }),
  )
  expect(quotesOf(outcome)).toContain('needs a text "Our advice"')
})

test.each([
  ['https://pdf.dsnforms.com/dsn/patient_form.html?p=1', 'the form of a service'],
  ['https://www.ident.ws/template_include/new_patient_check_in.jsp', 'the form of another service'],
])('%s is %s', (url) => {
  const outcome = runCheck(
    workflowAutomation,
    'lead-capture',
    read(
      `<h2>Our services</h2><a href="${url}">Register a Patient</a><a href="tel:+441632960142">01632 960142</a>`,
    ),
  )
  expect(reasonOf(outcome)).not.toContain('no form')
})

test('the sitemap of another site is replaced, and one under another host gets the right host', () => {
  const sitemap = (paths: readonly string[]) => {
    const urls = paths.map((path) => `<url><loc>https://other.example${path}</loc></url>`).join('')
    return fixOf(
      runCheck(
        coreSnapshot,
        'sitemap',
        site({
          [at()]: page('<a href="/crowns">Crowns</a>'),
          [at('/crowns')]: page('<p>Crowns</p>', 'Crowns'),
          [at('/robots.txt')]: 'User-agent: *\nAllow: /\nSitemap: https://other.example/sitemap.xml',
          [at('/sitemap.xml')]: {
            purpose: 'sitemap',
            headers: { 'content-type': 'application/xml' },
            body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
          },
        }),
      ),
    )
  }
  expect(sitemap(['/', '/crowns/'])).toMatch(/^Write the addresses with https:\/\/lind\.example/)
  const foreign = sitemap(['/', '/about/', '/doctors/dr-other/', '/faqs/', '/fees/'])
  expect(foreign).toMatch(
    /^Replace all addresses in the sitemap by those of your own pages, such as .+crowns/,
  )
  expect(foreign).toContain('Let robots.txt name the sitemap of https://lind.example as well.')
})

test('the lines for a preview hold all that the page says of itself', () => {
  const long = 'Lind Dental looks after the teeth of the whole family in Totnes. '.repeat(4)
  const text = actionsOf({
    [at()]: page(
      '<img src="/a.jpg" alt="The practice">',
      'Lind Dental, dentist in Totnes',
      `<link rel="canonical" href="${at()}"><meta name="description" content="${long}">`,
    ),
  })
    .flatMap(({ block }) => block?.text ?? [])
    .find((one) => one.includes('og:image'))
  expect(text).toContain('<meta property="og:title" content="Lind Dental, dentist in Totnes">')
  expect(text).toContain('<meta property="og:type" content="website">')
})

describe('what an attack on these rules found', () => {
  const contactOf = (html: string) => runCheck(coreSnapshot, 'contact-path', read(html)).result
  const factsOf = (html: string, title = 'Lind Dental') => {
    const one = site({ [at()]: page(`<section id="contact">${html}</section>`, title) })
    return readFacts(one, one.home ?? expect.fail('not read'))
  }

  test('a French number with dots is no time, and "jour" no service for emergencies', () => {
    expect(
      factsOf('<p>Téléphone : 01.42.68.53.10</p><p>Fax : <a href="tel:0142685311">01.42.68.53.11</a></p>')
        .telephone,
    ).toContain('53.10')
    expect(
      factsOf(
        '<p>Plat du jour : réservation au <a href="tel:0142685310">01 42 68 53 10</a></p><p>Traiteur : 04 72 11 22 33</p>',
      ).telephone,
    ).toContain('53 10')
  })

  test('two postal codes are no telephone number', () => {
    expect(factsOf('<p>Contact: we serve ZIP 02108 – 02215</p>').telephone).toBeUndefined()
  })

  test('numbers of Japan and Korea that begin with two zeros are not dead', () => {
    expect(contactOf('<a href="tel:0078-6009-5454">0078-6009-5454</a>')).toBe('pass')
    expect(contactOf('<a href="tel:00798-14-203-4567">00798-14-203-4567</a>')).toBe('pass')
  })

  test('one mailbox in two writings, and one written backwards, are no other mailbox', () => {
    const link = (target: string, text: string) => contactOf(`<a href="mailto:${target}">${text}</a>`)
    expect(link('desk+web@lind.example', 'desk@lind.example')).toBe('pass')
    expect(link('linddental@gmail.com', 'lind.dental@gmail.com')).toBe('pass')
    expect(link('ada@lind.example', 'elpmaxe.dnil@ada')).toBe('pass')
    expect(link('info@yourdomain.com', 'hello@yourdomain.com')).toBe('fail')
  })

  test('a mailbox beside an account of the same name stays', () => {
    const one = read(
      '<p>Write to info@lind.example</p><a href="https://instagram.com/lind">@lind.example</a>',
    )
    expect(one.pages.flatMap(mailAddressesOf)).toEqual(['info@lind.example'])
  })

  test.each(['JK-Bau', 'BP', 'HR-Team'])('%s is a name', (name) => {
    const one = site({
      [at()]: `<html lang="de"><title>${name} | Maurer in Berlin</title><meta property="og:site_name" content="${name}"><body><h1>${name}</h1><footer>© 2026 ${name}</footer></body></html>`,
    })
    expect(companyName(one)).toBe(name)
  })

  test('a town is no name because its state is written as a degree is', () => {
    const one = site({
      [at()]:
        '<html lang="en"><title>Emergency Plumber in Erie, PA | Nord Plumbing</title><body><h1>Emergency Plumber in Erie, PA</h1></body></html>',
    })
    expect(companyName(one)).toBe('Nord Plumbing')
  })

  test.each([
    'Mo-Fr 9:00-18:00, Lindenallee 12-14, 10115 Berlin',
    'Mo-Fr 9:00-18:00. Tél. : 04-67-12-34-56',
    'Mo-Fr 9:00-18:00. Suite 4-6',
  ])('the hours of “%s” are whole', (text) => {
    expect(openingHoursIn(text)).toEqual(['Mo-Fr 09:00-18:00'])
  })

  test('a garage called DDS is no dentist', () => {
    const one = site({
      [at()]: page(
        '<p>Car repair in Baltimore.</p><a href="tel:+14105550199">410 226 0199</a>',
        'DDS Motors',
      ),
    })
    const home = one.home ?? expect.fail('not read')
    expect(businessType(home, readFacts(one, home), one)).not.toBe('Dentist')
  })

  test('a stray quotation mark cuts no description', () => {
    const description = (content: string) =>
      runCheck(
        coreSnapshot,
        'title-desc',
        site({ [at()]: page('', 'Lind Dental', `<meta name="description" content="${content}>`) }),
      ).result
    const text = 'Lind Dental looks after the teeth of the whole family in Totnes, for many years.'
    expect(description(`${text}""`)).toBe('pass')
    expect(description(`${text}" and more of "it"`)).toBe('warn')
  })

  test('two forms with other fields are two', () => {
    const form = (names: readonly string[]) =>
      `<form action="/mail.php" method="post">${names.map((name) => `<input name="${name}">`).join('')}<textarea name="message"></textarea><button>Send</button></form>`
    const entries = {
      [at()]: { ...onPages, body: page(form(['email', 'name'])) },
      [at('/table')]: { ...onPages, body: page(form(['email', 'guests']), 'Table') },
    }
    expect(reasonOf(runCheck(workflowAutomation, 'lead-capture', site(entries)))).toMatch(/^2 forms/)
  })

  test('no hidden character of the markup reaches the list of facts', () => {
    const said = saidFacts({
      openingHours: 'Mo \u202e9-17',
      makesOffer: { name: 'A', price: '5\u202e', priceCurrency: 'EUR' },
    })
    expect(said.join(' ')).not.toContain('\u202e')
  })

  test('a page of dots is read in a moment', () => {
    const dots = `We x${'.'.repeat(50_000)}y`
    expect(upToSentence(dots, 300)).toBe('')
    expect(upToSentence('Dr. Lind heals. She is kind. More', 300)).toBe('Dr. Lind heals. She is kind.')
  })
})
