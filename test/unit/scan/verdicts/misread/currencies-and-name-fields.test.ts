import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { streetsIn } from '../../../../../src/products/scan/agents/entity-trust/street-address.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readReferences } from '../../../../../src/products/scan/crawl/page-references.ts'
import { gatesOf } from '../../../../../src/products/scan/report/gates.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { mailAddressesOf } from '../../../../../src/products/scan/site/contact/mail-addresses.ts'
import { readPage } from '../../../../../src/products/scan/site/page.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, reply, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)

describe('the parts of a name', () => {
  const fixOf = (html: string) => {
    const outcome = runCheck(accessibilityActionability, 'autocomplete', site({ [`${at}/`]: html }))
    return outcome.result === 'fail' ? outcome.fix : ''
  }
  const tokenOf = (fields: string) => /autocomplete="([\w-]+)"/.exec(fixOf(`<form>${fields}</form>`))?.[1]

  test.each([
    ['given-name', 'Nombre beside Apellidos', '<input name=nombre><input name=apellidos>'],
    ['family-name', 'Nom beside Prénom', '<input name=nom><input name=prenom>'],
    ['family-name', 'Name beside Vorname', '<input name=name><input name=vorname>'],
    ['name', 'a name beside both parts', '<input name=name><input name=vorname><input name=nachname>'],
    ['name', 'a name alone', '<input name=nombre>'],
    ['given-name', 'the label Voornaam', '<label>Voornaam <input></label>'],
    ['family-name', 'the label Cognome', '<label>Cognome <input></label>'],
    ['family-name', 'the label Apellidos', '<label>Apellidos * <input></label>'],
    ['name', 'the label Vor- und Nachname', '<label>Vor- und Nachname <input></label>'],
  ])('%s is proposed for %s', (token, _, fields) => expect(tokenOf(fields)).toBe(token))

  test('a surname of another form changes nothing', () => {
    const forms = '<form><input name=nombre></form><form><input name=apellidos></form>'
    expect(fixOf(forms)).toContain('autocomplete="name"')
  })
})

test.each(['B/.60', 'KSh 1,500', '5 000 F CFA', '12 000 FCFA', 'UGX 40,000', '25 balboas'])(
  '%s is an amount of money',
  (price) => expect(amountsIn(`Desde ${price} por persona`, 5)).toEqual([price]),
)

test('the plain letter of a building is no currency', () =>
  expect(amountsIn('Nave B/22, planta 3', 5)).toEqual([]))

test.each(['24 hectáreas', '3 ettari', '5300 square feet', '120 sq. ft', '85 metri quadri', '40 PAX'])(
  '%s is a figure',
  (figure) => {
    const page = `<h1>Finca</h1><p>It has ${figure} in all, and ${figure} more. ${words(150)}</p>`
    expect(quotesOf(runCheck(contentAnswerability, 'evidence', site({ [`${at}/`]: page })))).toContain(figure)
  },
)

test.each(['description', 'Your site description here', 'Lorem ipsum dolor sit amet'])(
  '"%s" is no description of a site',
  (content) => {
    const body = `<title>Salon Nord</title><meta name="description" content="${content}"><p>${words(50)}</p>`
    const { analysis } = analyze(captured({ [`${at}/`]: body }), defaultNow)
    expect(analysis.description).toBe('')
  },
)

test.each([
  ['capital', '<strong>info@nord.se</strong><span>Svar inom 24 timmar</span>'],
  ['small letter', '<strong>info@nord.se</strong><span>svar inom 24 timmar</span><p>info@nord.se</p>'],
])('an address ends where the next element begins with a %s', (_, html) => {
  const page = readPage(reply(`${at}/`, `<h1>Nord</h1><div>${html}</div>`))
  expect(mailAddressesOf(page)).toEqual(['info@nord.se'])
})

test('an address at a longer ending stands beside a shorter one', () => {
  const page = readPage(reply(`${at}/`, '<p>post@nord.com and office@nord.company</p>'))
  expect(mailAddressesOf(page)).toEqual(['post@nord.com', 'office@nord.company'])
})

test.each([
  ['finance', 'ACD Gestion & Conseil - Gestion de Patrimoine'],
  ['healthcare', 'Optiker Nord in Kiel'],
  ['healthcare', 'Nord Opticiens'],
])('the industry is %s for "%s"', (industry, title) => {
  const { analysis } = analyze(
    captured({ [`${at}/`]: `<title>${title}</title><p>${words(50)}</p>` }),
    defaultNow,
  )
  expect(analysis.industry).toBe(industry)
})

test('an Italian hamlet with a number is a street address', () =>
  expect(streetsIn('Frazione Pos 1, 11020 Gressan').map(({ written }) => written)).toEqual([
    'Frazione Pos 1',
  ]))

test.each([
  ['/assets/Leistung1.css', false],
  ['/assets/TeamPhoto2024.css', false],
  ['/assets/index-BxQ3f9aZ.css', true],
])('that %s has a hash of its content is %s', (path, isHashed) => {
  const page = readPage(reply(`${at}/`, `<link rel="stylesheet" href="${path}">`))
  expect(readReferences(page).hashedAssets).toEqual(isHashed ? [`${at}${path}`] : [])
})

test('a page about the company is as long as its own text, without the menu around it', () => {
  const about = `<body id="about"><nav><a href="/">${words(60)}</a></nav><main><h1>About us</h1><p>${words(100)}</p></main><footer>${words(60)}</footer></body>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<a href="/about">About us</a><p>${words(200)}</p>`, [`${at}/about`]: about }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('102 words') })
})

describe('a page that was not read to its end', () => {
  const body = `<h1>Plumbing in Oslo</h1><p>We mend pipes for customers in Oslo. ${words(200)}</p>`

  test.each(['lead-capture', 'pricing'])('%s says nothing of what is missing there', (check) => {
    const cut = site({ [`${at}/`]: { body, isCut: true } })
    expect(runCheck(workflowAutomation, check, cut)).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('longer than what was read of it'),
    })
    expect(runCheck(workflowAutomation, check, site({ [`${at}/`]: body })).result).toBe('fail')
  })
})

test.each([
  ['pass', 'Hog roast from £25.00 per head'],
  ['pass', 'Zimmer ab 120 € pro Nacht'],
  ['pass', 'Forfait à partir de 45 € par personne'],
  ['pass', 'Desde US$ 30 por persona'],
  ['warn', 'We raised £25.00 for the school. Request a quote.'],
])('pricing is %s for a single amount: %s', (result, line) => {
  const page = `<title>Smokehouse</title><h1>Catering in London</h1><p>We cook for customers in London. Prices on request.</p><p>${line}</p><p>Call our office to book an order, tel. 020 7946 0018.</p>`
  expect(runCheck(workflowAutomation, 'pricing', site({ [`${at}/`]: page })).result).toBe(result)
})

test('a part under "The therapist" is a text about the person', () => {
  const part = `<section id="therapist"><p class="eyebrow">The therapist</p><h2>Vera Lind</h2><p>${words(90)}</p></section>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<main><h1>Therapy in Kiel</h1><p>${words(200)}</p>${part}</main>` }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringMatching(/has 9\d words/) })
})

test('Serbian, Croatian and Bosnian are not told apart by their letters', () => {
  const text =
    'Naš salon se nalazi u centru grada i radi svakog dana osim nedelje. Nudimo lasersko uklanjanje tetovaža, negu lica i tela, masaže i šišanje. Svaki tretman počinje razgovorom, u kojem zajedno biramo šta je najbolje za vašu kožu. Dođite da se upoznamo i popijemo kafu. '
  const judged = (tag: string) =>
    runCheck(
      accessibilityActionability,
      'lang',
      site({ [`${at}/`]: `<html ${tag}><body><h1>Salon</h1><p>${text.repeat(5)}</p></body></html>` }),
    )
  expect(judged('')).toMatchObject({ result: 'fail', fix: expect.stringContaining('lang="sr" for Serbian') })
  expect(judged('lang="en"')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('take Serbian, Croatian or Bosnian for English'),
  })
  expect(judged('lang="sr"').result).toBe('pass')
  expect(judged('lang="hr"').result).toBe('pass')
})

test('what a customer says below "Our team" is no text about the company', () => {
  const quote = `<section><h2>Our Team</h2><blockquote>${words(86)}</blockquote><a href="/contact">Get a quote</a></section>`
  const menu = `<main><h1>Menus</h1><p>${words(200)}</p>${quote}</main>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<a href="/menus">Menus</a><p>${words(200)}</p>`, [`${at}/menus`]: menu }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('No page about') })
})

describe('a form that delivers nothing', () => {
  const dead = (action: string) =>
    `<form action="${action}" method="post"><input name=name><input type=email name=email><textarea name=message></textarea><button>Send</button></form>`
  const pages = {
    headers: { server: 'GitHub.com' },
    body: `<h1>Plumbing</h1><p>We mend pipes for customers. ${words(160)}</p><a href="mailto:post@nord.example">post@nord.example</a>`,
  }

  test('the opportunity beside a mail address does not deny it', () => {
    const { analysis } = analyze(
      captured({ 'https://nord.github.io/': { ...pages, body: `${pages.body}${dead('mail.php')}` } }),
      defaultNow,
    )
    const said = JSON.stringify(analysis)
    expect(said).toContain('and a form that delivers nothing')
    expect(said).not.toContain('and no form:')
  })

  test('only the forms that a program should take are said to be sent to it', () => {
    const body = `${pages.body}${dead('mail.php')}${dead('#')}`
    const outcome = runCheck(
      workflowAutomation,
      'lead-capture',
      site({ 'https://nord.github.io/': { ...pages, body } }),
    )
    expect(outcome.reason).toContain('2 forms deliver nothing')
    expect(outcome.reason).toContain('One is sent to a program of this host: /mail.php')
  })
})

describe('a page whose script loads what it tells', () => {
  const nav = '<nav><a href="/about">About</a><a href="/contact">Contact</a></nav>'
  const script = (loads: string) =>
    `<script>${loads}.then((snap) => { document.getElementById("hero").innerHTML = snap.html })</script>`
  const shell = (loads: string, main = '<section id="hero"></section>') =>
    site({
      [`${at}/`]: `<title>Nord Healthcare Group</title><header><div class="logo">Loading…</div>${nav}</header><main>${main}</main>${script(loads)}`,
      [`${at}/about`]: `${nav}<h1>About</h1><p>${words(60)}</p>`,
    })

  test.each(['get(getDatabase(app))', 'fetch("/hero.json")'])('is a shell by %s', (loads) => {
    expect(runCheck(renderPerformance, 'js-shell', shell(loads))).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('puts it into #hero'),
    })
    expect(gatesOf(shell(loads)).map(({ id }) => id)).toContain('shell')
    for (const check of ['lead-capture', 'pricing'])
      expect(runCheck(workflowAutomation, check, shell(loads)).result).toBe('unmeasured')
    expect(runCheck(entityTrust, 'nap', shell(loads)).result).toBe('unmeasured')
  })

  test('is no shell where nothing is loaded, or where the text stands in the page', () => {
    for (const one of [shell('timer()'), shell('fetch("/a")', `<section id="hero"></section>${words(40)}`)])
      expect(runCheck(renderPerformance, 'js-shell', one).result).not.toBe('fail')
  })

  test('is not called by what its script replaces', () =>
    expect(companyName(shell('fetch("/a")'))).toBe('Nord Healthcare Group'))
})

test.each(['Équipe professionnelle', 'Our professionals', 'Medical team'])(
  'a part under "%s" tells of the people',
  (heading) => {
    const part = `<section><h2>${heading}</h2><p>${words(170)}</p></section>`
    const page = `<main><h1>Family house</h1><p>${words(50)}</p>${part}</main>`
    expect(runCheck(entityTrust, 'about', site({ [`${at}/`]: page })).result).toBe('pass')
  },
)

test('a part under "About Dr. Lind" tells of the people', () => {
  const part = `<section><h2>👩‍⚕️ About Dr. Vera Lind</h2><p>${words(170)}</p></section>`
  const page = `<main><h1>Dr. Vera Lind</h1>${part}</main>`
  const entries = { [`${at}/`]: `<a href="/dr-lind">Clinic</a><p>${words(200)}</p>`, [`${at}/dr-lind`]: page }
  expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('pass')
})

test.each([
  '<p>Bewertungen</p><div><strong>5,0</strong> <small>aus 18 Bewertungen</small></div>',
  '<div>4.9 <span>based on 120 Google reviews</span></div>',
  '<p>Note moyenne, basée sur 34 avis</p>',
])('%s shows what others say', (html) => {
  const page = `<main><h1>Tree care</h1><p>We care for the trees of our customers. ${words(60)}</p>${html}</main>`
  expect(runCheck(entityTrust, 'proof', site({ [`${at}/`]: page })).result).toBe('pass')
})

test('a street ends before the dash that parts it from the town', () =>
  expect(streetsIn('4 Rue Michèle Morgan - Brétigny').map(({ written }) => written)).toEqual([
    '4 Rue Michèle Morgan',
  ]))
