import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { isArchive } from '../../../../src/products/scan/site/contact/contact-pages.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What a template, an old script or a forwarding page leaves on a site, as readers found it on public ones. */

const at = 'https://lind.example'
const home = (html: string, lang = 'en'): Entries => ({
  [`${at}/`]: `<html lang="${lang}"><title>Lind Dental Practice</title><body>${html}`,
})
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []
const filler =
  'Lorem ipsum dolor sit amet consectetur adipisicing elit. Rem ab aperiam vel nemo fuga assumenda doloremque non.'

describe('a home page behind one that only sends browsers on', () => {
  const forwarded = (html = ''): Entries => ({
    [`${at}/`]: {
      body: `<html lang="de"><title>Praxis Lind</title>${html}<h1>Praxis Lind</h1>`,
      finalUrl: `${at}/de/`,
      redirects: [{ url: `${at}/`, status: 200 }],
    },
  })

  test('is reached with a warning that names both addresses', () => {
    const outcome = runCheck(coreSnapshot, 'reach', site(forwarded()))
    expect(outcome.result).toBe('warn')
    expect(fixOf(outcome)).toBe(
      `Let ${at}/ show the page of ${at}/de/ itself, or have the server redirect to it with status 301.`,
    )
  })

  test.each([
    [
      'head',
      `<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" hreflang="fr" href="/fr/">`,
    ],
    ['menu', '<a href="/de/">DE</a><a href="/fr/">Français</a>'],
  ])('keeps the choice between the languages that its %s names', (_, html) => {
    const fix = fixOf(runCheck(coreSnapshot, 'reach', site(forwarded(html))))
    expect(fix).toContain(`itself, or have the server redirect each visitor by the language of the browser.`)
    expect(fix).toContain(`Keep a link to the other language in its HTML, such as to ${at}/fr/,`)
  })

  test('keeps the choice between the languages that the script of the first page names', () => {
    const body = `location.href = { de: '/de/', fr: '/fr/' }[navigator.language] || '/de/'`
    const one = site({
      ...forwarded(),
      [`${at}/js/redirect.js`]: { purpose: 'script', body, headers: { 'content-type': 'text/javascript' } },
    })
    expect(fixOf(runCheck(coreSnapshot, 'reach', one))).toContain(`such as to ${at}/fr/,`)
  })
})

describe('the address of a template', () => {
  const sample = home('<h1>Lind</h1><footer>Musterstrasse 1, 8001 Zürich</footer>', 'de')

  test('is told before all else, and is in no block', () => {
    const outcome = runCheck(entityTrust, 'nap', site(sample))
    expect(fixOf(outcome)).toContain('in place of "Musterstrasse 1, 8001 Zürich"')
    const [first, ...rest] = actionsOf(sample)
    expect(first?.settles).toContain('entity-trust/nap')
    expect(first?.title).toContain('Put your own street address in place of that of the template')
    expect(rest.flatMap(({ block }) => block?.text ?? []).join('\n')).not.toContain('Musterstrasse')
  })
})

describe('filler text', () => {
  const unfinished = home(`<main><h1>Lind</h1><p>${filler}</p><p>${filler}</p></main>`)

  test('is no text of the page', () => {
    const outcome = runCheck(coreSnapshot, 'ssr-text', site(unfinished))
    expect(quotesOf(outcome)).toMatch(/^1 word of main text in the HTML, beside \d\d words of filler text/)
  })

  test('is deleted before the first paragraph is written', () => {
    const text = actionsOf(unfinished).find(({ settles }) =>
      settles.includes('content-answerability/answer-first'),
    )
    expect(text?.steps?.join('\n')).toContain(
      `Look on ${at}/ for text that came with the template, such as the one behind “Seen”. Delete all of it.`,
    )
  })
})

test('a page that shows no way of contact is asked for its contact facts, and the form is a step of its own', () => {
  const bare = home(`<h1>Lind Dental Practice</h1><p>${'We mend teeth. '.repeat(60)}</p>`)
  const facts = actionsOf(bare).find(({ settles }) => settles.includes('entity-trust/nap'))
  expect(facts?.settles).toContain('core-snapshot/contact-path')
  expect(facts?.title).toBe('Show your telephone number, e-mail address and street address on the site.')
  expect(facts?.steps?.join()).not.toContain('Compare them with every page')
})

test('a form that sends nothing is no way of contact', () => {
  const form = '<form action="#"><input type="email"><textarea></textarea><button>Send</button></form>'
  const outcome = runCheck(coreSnapshot, 'contact-path', site(home(`<h1>Lind</h1>${form}`)))
  expect(outcome.result).toBe('fail')
  expect(quotesOf(outcome)).toContain('form that sends something')
})

describe('a booking form that sends nothing', () => {
  const form =
    '<form action="#"><label>Name <input></label><label>Day <input type="date"></label><button>Book an appointment</button></form>'
  const action = actionsOf(home(`<h1>Lind Dental Practice</h1>${form}`)).find(({ settles }) =>
    settles.includes('workflow-automation/lead-capture'),
  )

  test('lets visitors believe that they have an appointment', () => {
    expect(action?.steps?.join('\n')).toContain('Visitors may believe that they have an appointment.')
  })
})

test('an id that was copied from the field above says nothing of a field', () => {
  const fields =
    '<form action="/send"><input type="email" name="email" id="email"><input type="text" id="email" placeholder="Your text"></form>'
  const outcome = runCheck(accessibilityActionability, 'autocomplete', site(home(fields)))
  expect('reason' in outcome ? outcome.reason : '').toMatch(/^0 of 1 field /)
})

test('a name in a form for appointments is that of the visitor', () => {
  const field =
    '<form action="/send"><input name="name" id="termin-name"><textarea name="t"></textarea></form>'
  expect(fixOf(runCheck(accessibilityActionability, 'autocomplete', site(home(field, 'de'))))).toContain(
    'autocomplete="name"',
  )
})

describe('the next step', () => {
  const menu = '<header><ul><li><a href="#">Contact</a></li></ul></header>'

  test('is the button of the page, and not an entry of the header', () => {
    const outcome = runCheck(
      accessibilityActionability,
      'cta',
      site(home(`${menu}<button onclick="open()">Contact us</button>`)),
    )
    expect(outcome.result).toBe('pass')
  })

  test('that is a link without an address gets the address of a page or of a part of this one', () => {
    const outcome = runCheck(accessibilityActionability, 'cta', site(home(menu)))
    expect(fixOf(outcome)).toBe(
      `Give the link "Contact" on ${at}/ the address of the page, or of the part of this page, where visitors can do it.`,
    )
  })
})

test('a link to the top of the page has its address, and lacks a name alone', () => {
  const outcome = runCheck(
    accessibilityActionability,
    'names',
    site(home('<h1>Lind</h1><p id="page-top"><a href="#"><i></i></a></p>')),
  )
  expect(quotesOf(outcome)).toContain('needs a text or an aria-label')
  expect(fixOf(outcome)).not.toContain('address')
})

test('the number before a copyright line is not its year', () => {
  const outcome = runCheck(
    freshnessIndex,
    'footer-year',
    site(home('<footer><p>03-3724-4618</p><p>©2025 Lind</p></footer>')),
  )
  expect(outcome.result).toBe('pass')
})

test('a page whose language cannot be told is not called foreign', () => {
  const outcome = runCheck(contentAnswerability, 'readability', site(home('<h1>Lind</h1>', '')))
  expect('reason' in outcome ? outcome.reason : '').toMatch(/^The language of the content pages could not/)
})

test('a page without a menu is not praised for its navigation', () => {
  const outcome = runCheck(accessibilityActionability, 'landmarks', site(home('<main><h1>Lind</h1></main>')))
  expect(quotesOf(outcome)).toBe('<main>; no menu was found that would have to be marked')
})

test('an empty description is filled in, and not written a second time', () => {
  const page = `<meta name="description" content=""><h1>Lind</h1>`
  expect(fixOf(runCheck(coreSnapshot, 'title-desc', site(home(page))))).toContain(
    'The page has an empty description already: fill in that line',
  )
})

test('the old script of Google Analytics is to be taken out', () => {
  const script =
    "<script>(function(){})(window,document,'script','//www.google-analytics.com/analytics.js','ga');ga('create','UA-1-1')</script>"
  const outcome = runCheck(
    workflowAutomation,
    'crm-tags',
    site(home(`<h1>Our services</h1><a href="tel:+443069990001">call</a>${script}`)),
  )
  expect(outcome.result).toBe('fail')
  expect(fixOf(outcome)).toMatch(/^Take the old script of Google Analytics out of each page that has it/)
  const form =
    '<form action="https://formspree.io/f/xyzabcde" method="post"><input type="email" name="email"><textarea name="text"></textarea><button>Send</button></form>'
  const kept = runCheck(workflowAutomation, 'crm-tags', site(home(`<h1>Our services</h1>${form}${script}`)))
  expect(kept.result).toBe('warn')
  expect(fixOf(kept)).toBe(fixOf(outcome))
})

test.each([
  ['/news/20210101/index.html', true],
  ['/2021/05/opening', true],
  ['/news/2021-01-01-closed', true],
  ['/news/20260101/', false],
  ['/products/20219999', false],
])('%s is of a past year: %s', (path, isPast) => {
  expect(isArchive(`${at}${path}`, defaultNow)).toBe(isPast)
})

describe('a form whose script opens the mail program', () => {
  const entries = (script: string): Entries =>
    home(
      `<h1>Lind Dental Practice</h1><form id="enquiry"><input type="email" name="m"><textarea name="t"></textarea><button>Send</button></form><script>document.getElementById('enquiry').addEventListener('submit', (event) => { event.preventDefault(); ${script} })</script>`,
    )
  const judged = (script: string) => runCheck(workflowAutomation, 'lead-capture', site(entries(script)))

  test('sends nothing itself', () => {
    const outcome = judged("window.location.href = 'mailto:lind@lind.example?body=' + event.target.t.value")
    expect(outcome.result).toBe('warn')
    expect(fixOf(outcome)).toMatch(/^Send the form on .+ in place of the visitor's mail program\./)
  })

  test('and that asks a server, too, sends', () => {
    const both = "fetch('https://forms.example/1'); location.href = 'mailto:lind@lind.example'"
    expect(judged(both).result).toBe('pass')
  })
})

test('a form on the page of one job takes applications', () => {
  const entries: Entries = {
    ...home('<h1>Lind Dental Practice</h1><a href="/karriere">Karriere</a>', 'de'),
    [`${at}/karriere`]:
      '<html lang="de"><h1>Karriere</h1><p>Wir suchen Sie. Bewerbung an jobs@lind.example</p><a href="/stelle-zfa">Stelle</a>',
    [`${at}/stelle-zfa`]:
      '<html lang="de"><h1>ZFA</h1><form id="bewerbung-form" action="https://forms.example/1"><input name="n"><textarea name="t"></textarea></form>',
  }
  expect(runCheck(workflowAutomation, 'hiring', site(entries)).result).toBe('pass')
})

test('links to notices that are not there are one step with the notices, in all languages', () => {
  const footer = (language: string) =>
    `<footer><a href="/${language}/datenschutz">${language === 'de' ? 'Datenschutz' : 'Privacy'}</a></footer>`
  const gone = { status: 404, purpose: 'link' as const }
  const action = actionsOf({
    [`${at}/`]: `<html lang="de"><title>Praxis Lind</title><h1>Praxis Lind</h1><a href="/en/">English</a>${footer('de')}`,
    [`${at}/en/`]: `<html lang="en"><title>Lind</title><h1>Lind</h1>${footer('en')}`,
    [`${at}/de/datenschutz`]: gone,
    [`${at}/en/datenschutz`]: gone,
  }).find(({ settles }) => settles.includes('entity-trust/legal'))
  expect(action?.settles).toContain('freshness-index/internal-links')
  expect(action?.title).toContain(`${at}/de/datenschutz and ${at}/en/datenschutz`)
})

describe('a short notice of one day', () => {
  const notice =
    '<html lang="en"><title>Closed</title><h1>Closed</h1><p>We are closed from 14 to 21 August.</p>'
  const text = `<main><h1>Lind Dental Practice</h1><p>${'We mend teeth. '.repeat(120)}</p></main>`

  test('is not asked to have the length of a page on a subject', () => {
    const entries = { ...home(text), [`${at}/news/20260810/index.html`]: notice }
    expect(runCheck(contentAnswerability, 'depth', site(entries))).toMatchObject({
      result: 'pass',
      reason: '1 of 1 content page has 300 words or more of main text.',
    })
  })
})

describe('a sitemap', () => {
  const listing = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${at}/</loc></url></urlset>`

  test('that lists the address of a forwarding page lists a dead end', () => {
    const hop = { finalUrl: `${at}/de/`, redirects: [{ url: `${at}/`, status: 200 }] }
    const outcome = runCheck(
      crawlAccess,
      'sitemap-quality',
      site({
        [`${at}/`]: { body: '<h1>Lind</h1>', ...hop },
        [`${at}/sitemap.xml`]: listing,
        [`${at}/#listed`]: { ...hop, purpose: 'sitemap-url' },
      }),
    )
    expect(outcome.result).toBe('fail')
    expect(quotesOf(outcome)).toContain(`it only sends browsers on to ${at}/de/`)
  })

  test('without a byte is called empty', () => {
    const outcome = runCheck(
      coreSnapshot,
      'sitemap',
      site({ ...home('<h1>Lind</h1>'), [`${at}/sitemap.xml`]: '' }),
    )
    expect(quotesOf(outcome)).toContain('the file is empty')
  })
})

test('reviews are not asked of a practice in Japan, where the rules of its trade forbid them', () => {
  const practice = home(
    `<h1>酒井歯科医院</h1><p>${'当院は地域の皆様の歯の健康を支えています。'.repeat(20)}</p>`,
    'ja',
  )
  const named = Object.fromEntries(
    Object.entries(practice).map(([url, html]) => [
      url,
      String(html).replace('Lind Dental Practice', '酒井歯科医院 歯医者'),
    ]),
  )
  expect(runCheck(entityTrust, 'proof', site(named)).result).toBe('na')
})

test('an old account in the script of Google Analytics does not prove that visits are counted', () => {
  const tag = (account: string) =>
    home(
      `<h1>Our services</h1><a href="tel:+443069990001">call</a><script src="https://www.googletagmanager.com/gtag/js?id=${account}"></script>`,
    )
  expect(runCheck(workflowAutomation, 'crm-tags', site(tag('UA-134213663-1'))).result).toBe('unmeasured')
  expect(runCheck(workflowAutomation, 'crm-tags', site(tag('G-ABC1234567'))).result).toBe('pass')
})

test.each([
  ['a counter that has not begun', '0 years', 0],
  ['a part of a litre', '0.5 l', 1],
  ['the end of a year', '2019.12.28年末年始', 0],
  ['the year of a practice', '開業して22年目', 1],
])('%s counts as so many figures: %s', (_, text, count) => {
  const outcome = runCheck(
    contentAnswerability,
    'evidence',
    site(home(`<main><h1>Lind</h1><p>${'word '.repeat(120)}${text}</p></main>`)),
  )
  expect('reason' in outcome ? outcome.reason : '').toMatch(
    new RegExp(`^The main text of the content pages has ${count} figure`),
  )
})

describe('a street that the title misspells', () => {
  const entries = (title: string): Entries => ({
    [`${at}/`]: `<html lang="de"><title>${title}</title><body><h1>Praxis Lind</h1><footer>Universitätsstraße 12, 44801 Bochum</footer>`,
  })
  const misspelled = entries('Praxis Lind, Universtätsstraße 12, Bochum')

  test('is named, and is right in every block', () => {
    const outcome = runCheck(coreSnapshot, 'title-desc', site(misspelled))
    expect(fixOf(outcome)).toContain(
      'The title spells the street “Universtätsstraße”, and the pages “Universitätsstraße”',
    )
    const blocks = actionsOf(misspelled).flatMap(({ block }) =>
      block?.kind === 'text' ? [] : (block?.text ?? []),
    )
    expect(blocks.join('\n')).toContain('Universitätsstraße')
    expect(blocks.join('\n')).not.toContain('Universtätsstraße')
  })

  test.each(['Praxis Lind, Universitätsstraße 12', 'Praxis Lind, Implantologie und Prothetik'])(
    'is none in %s',
    (title) => {
      expect(fixOf(runCheck(coreSnapshot, 'title-desc', site(entries(title))))).not.toContain('spells')
    },
  )
})

describe('a page that keeps agents out by having nothing', () => {
  const reload = '<html><meta http-equiv="refresh" content="0;url=/"><body></body></html>'

  test.each([
    ['an empty body, in a light scan', { [`${at}/`]: '' }, 'light', 'the page has no text'],
    [
      'an empty body for browsers, too',
      { [`${at}/`]: '', [`${at}/#browser`]: { purpose: 'home-browser' as const, body: '' } },
      'full',
      'the page has no text',
    ],
    [
      'a body that only browsers get',
      { [`${at}/`]: '', [`${at}/#browser`]: { purpose: 'home-browser' as const, body: '<p>Teeth</p>' } },
      'full',
      'it sends agents an empty page',
    ],
    ['a page that loads itself again', { [`${at}/`]: reload }, 'light', 'the page only loads itself again'],
  ] as const)('%s is told as what it is', (_, entries, depth, reason) => {
    const { report } = analyze(captured(entries, { depth }), defaultNow).analysis
    expect(report.gates?.[0]).toMatchObject({ id: 'wall', reason: `We could not read your site: ${reason}.` })
    const names = report.actions?.some(({ block }) => block?.text.includes('Let these names pass')) ?? false
    expect(names).toBe(reason === 'it sends agents an empty page')
  })
})

test('hours that the legal notice alone states are asked for, and not published', () => {
  const [business] = actionsOf({
    [`${at}/`]: `<html lang="de"><title>Zahnarztpraxis Lind</title><h1>Zahnarztpraxis Lind in Dortmund</h1><p>${'Wir behandeln Zähne und beraten Sie in unserer Praxis. '.repeat(12)}</p><a href="/impressum">Impressum</a><footer><address>Mühlenweg 5, 44137 Dortmund</address><a href="tel:+49231901820">0231 901820</a></footer>`,
    [`${at}/impressum`]:
      '<html lang="de"><title>Impressum</title><h1>Impressum</h1><p>Öffnungszeiten: Montag bis Freitag 07:00 - 14:00 Uhr</p>',
  }).flatMap(({ block }) => (block?.text.includes('application/ld+json') ? [block] : []))
  expect(business?.text).not.toContain('07:00')
  expect(business?.missing.join()).toContain(
    'your opening hours; your legal notice says Mon–Fri 07:00–14:00, and no other page has them (openingHours)',
  )
})

test('a list of words is no description from which a few could be left out', () => {
  const list = `<meta name="description" content="${'dentist, crowns, bridges, implants, '.repeat(6)}teeth"><h1>Lind</h1>`
  const outcome = runCheck(coreSnapshot, 'title-desc', site(home(list)))
  expect(fixOf(outcome)).toContain('write a description of 50 to 170 characters')
  expect(fixOf(outcome)).not.toContain('leave a few words out')
})

test('a short title that all pages have is the name, in whatever script the domain is', () => {
  const page = '<title>에이든치과</title><h2>AIDEN DENTAL</h2><p>aidendental</p>'
  const read = site({
    'https://aidendental.example/': page,
    'https://aidendental.example/implant': page,
    'https://aidendental.example/denture': page,
  })
  expect(companyName(read)).toBe('에이든치과')
})

test('an empty link of microdata is no link that lacks a name', () => {
  const links = '<a itemprop="sameAs" href="https://maps.example/lind"></a><a href="/team">Team</a>'
  const outcome = runCheck(accessibilityActionability, 'names', site(home(`<h1>Lind</h1>${links}`)))
  expect(outcome.result).toBe('pass')
})

test('a star with its number is what others say', () => {
  const outcome = runCheck(
    entityTrust,
    'proof',
    site(home('<main><h1>Lind</h1><p>Reviews 57 · ★5 on the map</p></main>')),
  )
  expect(outcome.result).toBe('pass')
})

test('a dead feed is taken out of the page that links it', () => {
  const outcome = runCheck(
    freshnessIndex,
    'feed',
    site({
      [`${at}/`]: '<link rel="alternate" type="application/rss+xml" href="/rss"><h1>Lind</h1>',
      [`${at}/rss`]: { status: 404, purpose: 'feed' },
    }),
  )
  expect(outcome).toMatchObject({
    evidence: [{ url: `${at}/`, value: expect.stringContaining(`links ${at}/rss: status 404`) }],
  })
})

describe('a link to call that shows another number than it dials', () => {
  const judged = (link: string) => runCheck(coreSnapshot, 'contact-path', site(home(`<h1>Lind</h1>${link}`)))

  test('is named with both', () => {
    const outcome = judged('<a href="tel:031-622-2882">Call 031-606-7575</a>')
    expect(outcome.result).toBe('warn')
    expect(fixOf(outcome)).toBe(
      `Write your own number into each link to tel:031-622-2882 on ${at}/, and into the texts that show 031-606-7575. If both numbers are yours, let each link dial the one that it shows.`,
    )
  })

  test.each([
    '<a href="tel:+442079460018">020 7946 0018</a>',
    '<a href="tel:+442079460018">Call us, Mo-Fr 08:00-18:00</a>',
    '<a href="tel:+442079460018">020 7946 0018 or 020 7946 0055</a>',
    '<a href="tel:112">112</a><a href="tel:+442079460018">0018</a>',
  ])('is none in %s', (link) => {
    expect(judged(link).result).toBe('pass')
  })
})

test('the label of a button is no heading out of order', () => {
  const page = `<main><h1>Lind</h1><p>${'word '.repeat(60)}</p><button><h3>Book now</h3></button><h2>Team</h2></main>`
  expect(runCheck(contentAnswerability, 'hierarchy', site(home(page))).result).toBe('pass')
})
