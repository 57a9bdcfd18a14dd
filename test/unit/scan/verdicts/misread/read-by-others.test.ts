import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What readers of forty saved sites, who wrote no rule, found false in a verdict, in its evidence or in its fix. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)
const read = (agent: Agent, check: string, html: string, more: Record<string, Entries[string]> = {}) =>
  runCheck(
    agent,
    check,
    site({
      [`${at}/`]: html,
      ...Object.fromEntries(Object.entries(more).map(([path, entry]) => [`${at}${path}`, entry])),
    }),
  )
const call = '<a href="tel:+442079460018">Call</a>'

test.each([
  ['na', 'Request a consultation'],
  ['warn', 'Book a consultation'],
])('booking is %s where a heading says "%s"', (result, heading) =>
  expect(read(workflowAutomation, 'booking', `<title>Customs</title><h2>${heading}</h2>${call}`).result).toBe(
    result,
  ),
)

test('an address that is too long to quote is cut with a mark', () => {
  const frame = `<title>Map</title><iframe src="https://maps.example/${'x'.repeat(90)}"></iframe>`
  expect(quotesOf(read(accessibilityActionability, 'iframes', frame))).toContain('x…"')
})

test('the profiles of a node stand on whatever page repeats its id', () => {
  const person = (more: string) =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Person","@id":"${at}/#me","name":"Mia Lind"${more}}</script>`
  const own = `<title>Mia Lind</title>${person(',"sameAs":["https://t.me/mialind"]')}`
  const about = person(',"sameAs":["https://t.me/mialind","https://vk.example/mia"]')
  expect(read(structuredData, 'same-as', own, { '/about': about }).result).toBe('pass')
  expect(fixOf(read(structuredData, 'same-as', own))).toContain('the Person node')
})

test('a contact page that is linked and has no contact is named, with the address of a template on it', () => {
  const outcome = read(coreSnapshot, 'contact-path', '<title>Nord</title><a href="/contact">Contact</a>', {
    '/contact': `<h1>Contact</h1><p>${words(30)}</p><p>E-mail: nord@example.com</p>`,
  })
  expect(fixOf(outcome)).toContain(`${at}/contact`)
  expect(quotesOf(outcome)).toContain('nord@example.com, of a template')
  expect(quotesOf(outcome)).not.toContain('contact link')
})

test('a link that dials a plus and a zero reaches no telephone', () => {
  const dials = (number: string) =>
    read(coreSnapshot, 'contact-path', `<a href="tel:${number}">01 69 88 88 88</a>`).result
  expect(dials('+0169888888')).toBe('warn')
  expect(dials('+33169888888')).toBe('pass')
})

test('a figure that is kept from screen readers is seen by readers', () => {
  const page = `<h1>Freight</h1><main><span aria-hidden="true">100%</span><p>${words(120)}</p><i aria-hidden="true">7 icons</i></main>`
  expect(quotesOf(read(contentAnswerability, 'evidence', page))).toContain('1 figure in')
})

test.each([
  ['8월 21일', '0 figures'],
  ['明治13年', '0 figures'],
  ['1880年', '0 figures'],
  ['21일 동안', '1 figure'],
])('%s counts as %s', (text, count) =>
  expect(
    quotesOf(read(contentAnswerability, 'evidence', `<h1>A</h1><p>${text} ${words(120)}</p>`)),
  ).toContain(count),
)

test.each([
  ['pass', '<p>Nord Ltd 18 July 2026 10 minutes</p>'],
  ['pass', '<p>18 July 2026 · Editors <span>Nord Ltd</span> · 8 min</p>'],
  ['fail', '<p>© 2026 Nord Ltd</p>'],
  ['fail', '<p>Nord Ltd was founded in 2020 in Ulm.</p>'],
])('the name of the site as author is %s to readers in %s', (result, line) => {
  const node =
    '{"@context":"https://schema.org","@type":"Article","headline":"Wood","author":{"@type":"Organization","name":"Nord Ltd"},"datePublished":"2026-07-18"}'
  const article = `<title>Wood | Nord Ltd</title><script type="application/ld+json">${node}</script><article><h1>Wood</h1>${line}<p>${words(200)}</p></article>`
  const home = '<title>Nord Ltd</title><h1>Nord Ltd</h1><a href="/blog/wood">Wood</a>'
  expect(read(entityTrust, 'authorship', home, { '/blog/wood': article }).result).toBe(result)
})

test('only what is linked can be clicked and counted', () => {
  const page = '<title>Plumber in Ulm</title><h1>Nord GmbH</h1><p>Tel. 0731 901820, post@nord.example</p>'
  expect(fixOf(read(workflowAutomation, 'crm-tags', page))).toBe(
    'Have visits counted by a service of your choice.',
  )
  expect(fixOf(read(workflowAutomation, 'crm-tags', `${page}${call}`))).toContain('your telephone number')
})

test('a Peruvian street has its number behind "N°"', () =>
  expect(streetsIn('Jr. Cruz del Sur N° 140, Lima').map(({ written }) => written)).toEqual([
    'Jr. Cruz del Sur N° 140',
  ]))

test('a part of the home page about the people is called a part', () => {
  const part = read(
    entityTrust,
    'about',
    `<title>Nord</title><section id="about"><h2>About us</h2><p>${words(60)}</p></section><p>${words(300)}</p>`,
  )
  expect(part).toMatchObject({
    reason: expect.stringContaining('The part of the page below "About us" about'),
  })
})

describe('landmarks', () => {
  const item = (path: string) => `<a href="/${path}">${path}</a>`
  const pages = { '/a': '<main>A</main>', '/b': '<main>B</main>', '/c': '<main>C</main>' }

  test.each([
    ['pass', `<main><p>See ${item('a')}.</p><p>Or ${item('b')}.</p><p>Or ${item('c')}.</p></main>`],
    ['pass', `<main>Offer</main><footer>${item('a')} ${item('b')} ${item('c')}</footer>`],
    ['fail', `<div>${item('a')} ${item('b')} ${item('c')}</div><main>Offer</main>`],
    ['fail', `<ul><li>${item('a')}</li><li>${item('b')}</li><li>${item('c')}</li></ul><main>Offer</main>`],
  ])('the navigation is %s for %s', (result, html) =>
    expect(read(accessibilityActionability, 'landmarks', html, pages).result).toBe(result),
  )

  test('the template of all pages is named only where all of them lack the same', () => {
    const fix = fixOf(
      read(accessibilityActionability, 'landmarks', '<p>Offer</p>', { ...pages, '/a': '<p>A</p>' }),
    )
    expect(fix).toContain('and likewise on 1 more page')
    expect(fix).not.toContain('template')
  })
})

test('the rest of the links that say nothing is counted', () => {
  const links = ['a', 'b', 'c'].map((path) => `<p><a href="/${path}">Read more</a></p>`).join('')
  expect(fixOf(read(contentAnswerability, 'link-text', links))).toContain('Do the same with 2 more links')
})

test('of short pages each lacks another number of words', () => {
  const page = (count: number) => `<h1>A</h1><main><p>${words(count)}</p></main>`
  const fix = fixOf(
    read(contentAnswerability, 'depth', `${page(200)}<a href="/a">A</a><a href="/b">B</a>`, {
      '/a': page(50),
      '/b': page(60),
    }),
  )
  expect(fix).toContain('Write ')
  // A little more than the 239 that are missing, in tens.
  expect(fix).toContain('Write 260 more on https://nord.example/b.')
})

describe('what a template left', () => {
  const fields =
    '<input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button>'

  test('a key of a form service that was never filled in takes no message', () => {
    const form = (key: string) =>
      read(
        workflowAutomation,
        'lead-capture',
        `<title>Nord Plumbing</title><form action="https://api.forms.example/submit" method="POST"><input type="hidden" name="access_key" value="${key}">${fields}</form>`,
      )
    expect(form('YOUR_WEB3FORMS_ACCESS_KEY').result).toBe('fail')
    expect(form('3f6c0a1e-9d1b-4b5f-8a53-0d1a2b3c4d5e').result).toBe('pass')
  })

  test('a form for Netlify is not taken by GitHub Pages', () => {
    const html = `<title>Nord Plumbing</title><form name="contact" data-netlify="true">${fields}</form>`
    const on = (host: string) =>
      runCheck(workflowAutomation, 'lead-capture', site({ [`https://${host}/`]: html })).result
    expect(on('nord.github.io')).toBe('fail')
    expect(on('nord.example')).toBe('pass')
  })

  test.each(['N° TVA : À remplir', 'Telefono: da inserire', 'Inserire dati completi del titolare'])(
    '"%s" in an imprint is named',
    (line) => {
      const outcome = read(
        entityTrust,
        'accountability',
        '<title>Nord</title><a href="/impressum">Impressum</a>',
        {
          '/impressum': `<h1>Impressum</h1><p>Nord</p><p>${line}</p>`,
        },
      )
      expect(quotesOf(outcome)).toContain(line)
    },
  )
})

test('a fix that the host has no setting for says so', () => {
  const { analysis } = analyze(
    captured({ 'https://nord.github.io/': '<title>Nord</title><h1>Nord</h1>' }),
    defaultNow,
  )
  const fixes = Object.fromEntries(analysis.challenges.map(({ id, fix = '' }) => [id, fix]))
  expect(fixes['security-safety/csp']).toContain(
    'GitHub Pages, which serves this site, has no setting for it',
  )
  expect(fixes['crawl-access/canonical']).not.toContain('GitHub Pages')
})

describe('a fix for a page that is built otherwise', () => {
  const nurse = '<!DOCTYPE html><head><title>Nord</title></head><body><p>Welcome to Nord</p></body>'

  test('asks for the html element that is not there', () => {
    const outcome = read(accessibilityActionability, 'lang', nurse)
    expect(fixOf(outcome)).toContain('below its doctype, with an html element')
    expect(quotesOf(outcome)).toContain('no <html>')
    expect(fixOf(read(accessibilityActionability, 'lang', `<html>${nurse}`))).toContain('its first element')
  })

  test.each([
    ['a new script of type application/ld+json on', ''],
    [
      'the JSON-LD of',
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Nord"}</script>',
    ],
  ])('has the name of the site in %s', (place, markup) =>
    expect(fixOf(read(structuredData, 'website-node', `<title>Nord</title>${markup}`))).toContain(place),
  )

  test('takes the inline scripts of the head along', () => {
    const libraries = [1, 2, 3, 4].map((at) => `<script src="/lib-${at}.js"></script>`).join('')
    const fix = (head: string, body = '') =>
      fixOf(
        read(
          renderPerformance,
          'head-scripts',
          `<html><head>${libraries}${head}</head><body>${body}</body></html>`,
        ),
      )
    const use = '<script>$(".menu").load("/menu.html")</script>'
    expect(fix(use)).toContain('with the inline scripts below them in the head,')
    expect(fix('', use)).not.toContain('in the head,')
  })

  test('has a title of twice the length shortened, which a few words less would not do', () => {
    const fix = (length: number) =>
      fixOf(read(coreSnapshot, 'title-desc', `<title>${'x'.repeat(length)}</title>`))
    expect(fix(140)).toContain('shorten the title')
    expect(fix(80)).toContain('leave a few words out of the title')
  })
})

test.each([
  ['pass', 'Join them.'],
  ['fail', 'Join us'],
])('the step is %s where "%s" stands beside a button', (result, text) => {
  const outcome = read(
    accessibilityActionability,
    'cta',
    `<title>Nord</title><main><span class="soft-cta-text">${text}</span> <a href="/write">Contact us</a></main>`,
  )
  expect(outcome.result).toBe(result)
})

test('a script of the site that counts visits by its name is not called missing', () => {
  const shop = (head: string) =>
    read(
      workflowAutomation,
      'crm-tags',
      `<title>Nord Plumbing Ltd</title>${head}<h1>Our services</h1>${call}`,
    ).result
  expect(shop('<script src="/assets/js/tracker.js"></script>')).toBe('unmeasured')
  expect(shop('<script src="/assets/js/tracked-vehicles.js"></script>')).toBe('fail')
})

describe('what readers of fifteen more sites found false', () => {
  const home = (title: string, body: string) =>
    `<html lang="de"><title>${title}</title><body>${body}</body></html>`

  test('"Über Noi" in the menu leads to the page about her', () => {
    const about = { '/eins': home('Nord', `<main><p>${words(160)}</p></main>`) }
    const menu = (text: string) => `<nav><a href="/eins">${text}</a></nav>`
    const verdict = (text: string) =>
      read(entityTrust, 'about', home("Noi's Massage", `${menu(text)}<h1>Unsere Massagen</h1>${call}`), about)
        .result
    expect(verdict('Über Noi')).toBe('pass')
    expect(verdict('Über Thailand')).toBe('fail')
  })

  test('a button below an answer is no part of it', () => {
    const question = (button: string) =>
      read(
        contentAnswerability,
        'question-blocks',
        home(
          'Nord',
          `<main><h2>Welche Massage passt?</h2><p>${'wort '.repeat(8)}</p>${button}<p></p></main>`,
        ),
      )
    expect(quotesOf(question('<a class="btn-light" href="/x">Termin jetzt anfragen</a>'))).toContain(
      'in 8 words',
    )
    expect(quotesOf(question('<a href="/x">Termin jetzt anfragen</a>'))).toContain('in 11 words')
  })

  test('a name set in two elements of the footer stands there', () => {
    const verdict = (footer: string) =>
      quotesOf(
        read(
          entityTrust,
          'brand-name',
          home('Royal Thai-Massage Ulm', `<h1>Royal Thai-Massage Ulm</h1><footer>${footer}</footer>`),
        ),
      )
    expect(verdict('<a>Royal Thai-Massage<span>Ulm</span></a>')).toContain('the footer: has')
    expect(verdict('<a>Royal Massage<span>Ulm</span></a>')).not.toContain('the footer: has')
  })

  test('the accents of a name are those that most places write', () => {
    const nameIn = (text: string) =>
      analyze(
        captured({ [`${at}/`]: home('Agroturizem Kroi', `<h1>Agroturizem Kroi</h1><p>${text}</p>`) }),
        defaultNow,
      ).analysis.companyName
    expect(nameIn('Agroturizëm Kroi has rooms.')).toBe('Agroturizem Kroi')
    expect(nameIn('Agroturizëm Kroi has rooms. Agroturizëm Kroi has pools.')).toBe('Agroturizëm Kroi')
  })

  test.each([
    ['tel:+4306606779083', 'the 0 of a number'],
    ['tel:+44 (0)20 7946 0018', 'the 0 of a number'],
    ['tel:+355000000000', 'that of a template'],
    ['tel:+390612345679', undefined],
    ['tel:+436606779083', undefined],
  ])('"%s" reaches nobody: %s', (target, why) => {
    const outcome = read(coreSnapshot, 'contact-path', home('Nord', `<a href="${target}">Anruf</a>`))
    expect(why === undefined ? outcome.result : outcome.reason).toContain(why ?? 'pass')
  })

  test('a link to book with a service of any name is one', () => {
    const outcome = (text: string) =>
      read(
        workflowAutomation,
        'booking',
        home(
          'Nord',
          `<p>Vereinbaren Sie einen Termin.</p><a href="https://beautinda.example/artist/7">${text}</a>${call}`,
        ),
      ).result
    expect(outcome('Buchungslink')).toBe('unmeasured')
    expect(outcome('Profil')).toBe('warn')
  })

  test.each(['[Name des Inhabers – bitte ergänzen]', 'Telefon: Nummer einfügen'])(
    '"%s" in an imprint is named',
    (line) => {
      const imprint = { '/impressum': `<h1>Impressum</h1><p>Nord</p><p>${line}</p>` }
      const outcome = read(
        entityTrust,
        'accountability',
        home('Nord', '<a href="/impressum">Impressum</a>'),
        imprint,
      )
      expect(quotesOf(outcome)).toContain(line.replace('Telefon: ', ''))
    },
  )

  test('a profile is advised without the words of who shared it', () => {
    const outcome = read(
      entityTrust,
      'profiles',
      home(
        'Nord',
        '<footer><a href="https://www.linkedin.com/company/nord/?utm_source=share&utm_medium=web">L</a></footer>',
      ),
    )
    expect(fixOf(outcome)).toContain('https://www.linkedin.com/company/nord/ to sameAs')
  })

  test('no repositories are asked of a kennel, and its own domain is thought of', () => {
    const html = home('Hundepension Nord', '<h1>Hundepension Nord</h1>')
    expect(fixOf(read(structuredData, 'same-as', html))).not.toContain('repositories')
    const canonical = runCheck(crawlAccess, 'canonical', site({ 'https://nord.github.io/': html }))
    expect(fixOf(canonical)).toContain('a domain of its own')
    expect(fixOf(read(crawlAccess, 'canonical', html))).not.toContain('a domain of its own')
  })
})

describe('what readers of the last eleven sites found false', () => {
  const table = (price: string) =>
    `<title>Kosmetik Nord</title><h1>Behandlungen</h1><table>${[155, 90, 75].map((amount) => `<tr><td>Gesicht</td><td>${amount}${price}</td></tr>`).join('')}</table>${call}`

  test.each([
    ['pass', '.-'],
    ['fail', ''],
  ])('pricing is %s for amounts that end in "%s"', (result, price) =>
    expect(read(workflowAutomation, 'pricing', table(price)).result).toBe(result),
  )

  test('a sum whose thousands are parted by an acute accent is read whole', () => {
    const outcome = read(
      contentAnswerability,
      'evidence',
      `<title>Nord</title><main><p>${words(120)} CHF 3´800.00</p></main>`,
    )
    expect(quotesOf(outcome)).toContain('3´800.00')
  })

  test('a form with the identifier of a French template sends nothing', () => {
    const form = `<form action="https://formspree.io/f/votre-identifiant" method="post"><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Envoyer</button></form>`
    expect(read(workflowAutomation, 'lead-capture', `<title>Nord Plumbing</title>${form}`).result).toBe(
      'fail',
    )
  })

  test.each([
    ['warn', '.card img { width: 100%; height: 220px }'],
    ['warn', '.card img { width: 100%; height: auto }'],
    ['warn', '.card { line-height: 2 } img { max-height: 4em }'],
  ])('img-dims is %s where the page itself styles %s', (result, style) =>
    expect(
      read(
        renderPerformance,
        'img-dims',
        `<title>Nord</title><style>${style}</style><img src="/a.jpg" alt="">`,
      ).result,
    ).toBe(result),
  )

  test('a direction is no address', () => {
    const way = (text: string) =>
      quotesOf(
        read(entityTrust, 'nap', `<title>Nord Ltd</title><a href="/kontakt">Kontakt</a>${call}`, {
          '/kontakt': `<title>Kontakt</title><h1>Kontakt</h1><p>${text}</p>`,
        }),
      )
    expect(way('Rechts halten auf Hauptstrasse 25, Richtung Aarau.')).not.toContain('Hauptstrasse')
    expect(way('<b>Adresse</b>Hauptstrasse 25, Aarau.')).toContain('page: Hauptstrasse 25')
  })

  test('an address is quoted without its label and the number behind it', () => {
    const outcome = read(
      entityTrust,
      'nap',
      `<title>Nord Ltd</title><address><b>Adresse</b>Ergolzstrasse 52, 4242 Laufen <span>0511 / 763 716 05</span></address>`,
    )
    expect(quotesOf(outcome)).toMatch(/(?<!Adresse)Ergolzstrasse 52, 4242 Laufen(?! 0511)/)
  })

  test('a page about the people that is a little short is told by how much', () => {
    const outcome = read(entityTrust, 'about', '<title>Nord</title><a href="/about">About us</a>', {
      '/about': `<main><h1>About us</h1><p>${words(139)}</p></main>`,
    })
    expect(fixOf(outcome)).toContain('Write 20 more words on')
  })

  test('a node with an image and without a logo has a picture', () => {
    const outcome = (more: string) =>
      read(
        structuredData,
        'organization',
        `<title>Nord</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Nord","url":"${at}/"${more}}</script>`,
      ).reason
    expect(outcome(',"image":"/a.jpg"')).toContain('no logo to show')
    expect(outcome('')).toContain('no picture to show')
  })

  test('no doctype is spoken of where there is none', () => {
    expect(fixOf(read(accessibilityActionability, 'lang', '<p>Welcome to Nord</p>'))).not.toContain('doctype')
  })
})
