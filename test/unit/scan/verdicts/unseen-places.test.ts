import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { fullTopics } from '../../../../src/products/scan/crawl/pages/page-topics.ts'
import { samplePages } from '../../../../src/products/scan/crawl/pages/sample-pages.ts'
import { kindOfSite } from '../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { isTextOfKind } from '../../../../src/products/scan/site/kinds/kind-phrases.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** A check calls something missing only where each place was seen in which it could stand. */

const words = (count: number) => 'word '.repeat(count)
const home = (html: string, more: Record<string, Entries[string]> = {}) =>
  site({
    'https://nord.example/': html,
    ...Object.fromEntries(
      Object.entries(more).map(([path, entry]) => [`https://nord.example${path}`, entry]),
    ),
  })
const services = '<title>Nord Ltd</title><nav><a href="/services">Our services</a></nav>'
const script = (body: string) => ({
  purpose: 'script' as const,
  headers: { 'content-type': 'text/javascript' },
  body,
})

describe('the words for pages of a kind', () => {
  test.each([
    ['about', 'Company Profile'],
    ['about', 'Les Hôtes'],
    ['about', 'Het Team'],
    ['about', 'Trainerteam'],
    ['about', 'Firmengeschichte'],
    ['about', '院長プロフィール'],
    ['about', 'Nosso time'],
    ['about', 'Наш коллектив'],
    ['pricing', 'Zimmerpreise'],
    ['pricing', 'Behandeltarieven'],
    ['booking', 'Behandlungstermin buchen →'],
    ['booking', 'Jetzt Beratungstermin vereinbaren'],
    ['booking', 'Tischreservierung'],
    ['contact', 'So finden Sie uns'],
    ['contact', '交通アクセス'],
  ])('%s: "%s"', (kind, text) => expect(isTextOfKind(text, kind)).toBe(true))

  test.each([
    ['about', 'Steam'],
    ['booking', 'Liefertermin'],
    ['about', '오시는 길'],
  ])('not %s: "%s"', (kind, text) => expect(isTextOfKind(text, kind)).toBe(false))
})

describe('a page about the people', () => {
  test('may stand behind a menu that a script draws', () => {
    const menu =
      'const m=[{text:"Start",link:"/"},{text:"Het Team",link:"/info/het-team"},{text:"Agenda",link:"/agenda"},{text:"Contact",link:"/contact"}];const d=document.createElement("div");document.body.append(d)'
    const read = home(`<title>Zwemclub</title><p>${words(100)}<script src="/m.js"></script>`, {
      '/m.js': script(menu),
    })
    expect(runCheck(entityTrust, 'about', read)).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('/info/het-team'),
    })
    expect(runCheck(renderPerformance, 'js-shell', read)).toMatchObject({
      result: 'warn',
      reason: expect.stringContaining('/m.js'),
    })
  })

  test('may be an entry of the sitemap, or of the menu, that was not read', () => {
    const listed = home(services, {
      '/services': `<p>${words(50)}`,
      '/sitemap.xml': {
        purpose: 'sitemap',
        headers: { 'content-type': 'application/xml' },
        body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://nord.example/our-story</loc></url></urlset>',
      },
    })
    expect(runCheck(entityTrust, 'about', listed)).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('/our-story'),
    })
    const named = home(`<title>Nord Ltd</title><nav><a href="/nordlicht">Nordlicht</a></nav><p>${words(50)}`)
    expect(runCheck(entityTrust, 'about', named)).toMatchObject({
      result: 'unmeasured',
      reason: expect.stringContaining('"Nordlicht"'),
    })
  })

  test.each([
    ['a feed', '<a href="/atom.xml">RSS</a>'],
    ['what it says of cookies', '<a href="/cookies">Política de cookies</a>'],
  ])('cannot stand in %s', (_, link) => {
    const read = home(`<title>Nord Ltd</title><nav>${link}</nav><p>${words(50)}`)
    expect(runCheck(entityTrust, 'about', read).result).toBe('fail')
  })

  test('is found behind an icon whose link has a title', () => {
    const link = '<a href="/x7.html" title="Über uns"><i></i></a>'
    const read = home(`<title>Nord</title>${link}`, { '/x7.html': `<p>${words(200)}</p>` })
    expect(runCheck(entityTrust, 'about', read).result).toBe('pass')
  })

  test('is missing where all of the menu was read', () => {
    const read = home(services, { '/services': `<p>${words(50)}` })
    expect(runCheck(entityTrust, 'about', read).result).toBe('fail')
  })

  test('is the home page where the site is one person’s, and the markup asked for is a Person', () => {
    const read = home(
      `<title>Mia Lind</title><meta name="author" content="Mia Lind"><body><p>Mia Lind</p><p>I'm a researcher in Uppsala. ${words(160)}</p>`,
    )
    expect(runCheck(entityTrust, 'about', read).result).toBe('pass')
    expect(runCheck(structuredData, 'organization', read)).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('Add a Person node'),
    })
  })

  test('is quoted once where a paragraph of its section bears the name, too', () => {
    const read = home(
      `<title>Nord</title><section id="about"><h2>About us</h2><p id="about-us">${words(30)}</p></section>`,
    )
    const outcome = runCheck(entityTrust, 'about', read)
    expect(outcome).toMatchObject({ result: 'fail', evidence: [expect.anything()] })
  })
})

describe('booking and contact', () => {
  test('a booking service is known by its address, whatever the word before it', () => {
    const read = home(
      '<title>Praxis</title><a href="https://zeeg.me/nord/behandlungstermin">Behandlungstermin buchen →</a>',
    )
    expect(runCheck(workflowAutomation, 'booking', read).result).toBe('pass')
  })

  test('a link to an unknown service with a joined word is a place that was not read, or a booking', () => {
    const read = home(
      '<title>Praxis</title><a href="https://terms.example/x/y">Behandlungstermin buchen</a><p>Tel. +49 30 1234567',
    )
    expect(runCheck(workflowAutomation, 'booking', read).result).toBe('unmeasured')
  })

  test('a map is no page for contact that was left unread', () => {
    const read = home(
      '<title>Salon Nord</title><h1>Unsere Leistungen</h1><a href="https://www.google.com/maps/search/?api=1&query=x">Anfahrt</a><footer>Tel. <a href="tel:+493012345678">+49 30 12345678</a></footer>',
    )
    expect(runCheck(entityTrust, 'nap', read).result).toBe('fail')
  })

  test('a Japanese street behind its town is the one in the markup', () => {
    const node = {
      '@context': 'https://schema.org',
      '@type': 'LocalBusiness',
      name: '北整骨院',
      address: { '@type': 'PostalAddress', streetAddress: '北町12-3' },
    }
    const read = home(
      `<title>北整骨院</title><script type="application/ld+json">${JSON.stringify(node)}</script><address>〒100-0001 東京都中央区北町12-3</address>`,
    )
    expect(runCheck(entityTrust, 'nap', read).result).toBe('pass')
  })
})

describe('prices', () => {
  const dialog = (opener: string) =>
    home(
      `${services}<body>${opener}<div class="modal" id="room" aria-hidden="true"><p>€85 a night, €95 with a bath, €110 in May</p></div>`,
      { '/services': `<p>${words(30)}` },
    )

  test('in a dialog that a button opens are published', () =>
    expect(
      runCheck(workflowAutomation, 'pricing', dialog('<button data-bs-target="#room">Room</button>')).result,
    ).toBe('pass'))

  test('in a hidden part that nothing opens are not', () =>
    expect(runCheck(workflowAutomation, 'pricing', dialog('')).result).toBe('fail'))

  test('an offer without a price is none', () => {
    const offer = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'x',
      offers: { '@type': 'Offer' },
    }
    const read = home(`${services}<script type="application/ld+json">${JSON.stringify(offer)}</script>`)
    expect(runCheck(workflowAutomation, 'commerce', read).result).not.toBe('pass')
  })
})

describe('controls', () => {
  test.each([
    '<textarea style="opacity: 0; pointer-events: none; position: fixed"></textarea>',
    '<textarea readonly>@article{x}</textarea>',
  ])('nobody fills in: %s', (field) =>
    expect(runCheck(accessibilityActionability, 'labels', home(`<title>x</title>${field}`)).result).toBe(
      'na',
    ),
  )

  test('a field that fades in is one', () =>
    expect(
      runCheck(
        accessibilityActionability,
        'labels',
        home('<title>x</title><input style="opacity:0" name="q">'),
      ).result,
    ).toBe('fail'))
})

describe('the pages that are read', () => {
  const link = (path: string, text: string, isNavigation = true) => ({
    url: `https://nord.example${path}`,
    text,
    isNavigation,
  })
  const sample = (links: ReturnType<typeof link>[], room: number) =>
    samplePages(
      { home: 'https://nord.example/', links, sitemapUrls: [], isAllowed: () => true },
      fullTopics,
      room,
    )

  test('a page is chosen for a subject by the words of its link, too', () =>
    expect(sample([link('/a', 'ブログ一覧'), link('/access.html', 'アクセス')], 1).named).toEqual([
      'https://nord.example/access.html',
    ]))

  test('the entries of the menu come before other pages', () => {
    const cases = Array.from({ length: 20 }, (_, at) => link(`/case-${at}`, `Case ${at}`, false))
    const { rest } = sample([...cases, link('/nordlicht', 'Nordlicht'), link('/suedlicht', 'Südlicht')], 4)
    expect(rest.slice(0, 2)).toEqual(['https://nord.example/nordlicht', 'https://nord.example/suedlicht'])
  })
})

test('a form that opens a program for mail is told as what it is, and its address is not the one that readers see', () => {
  const form =
    '<form action="mailto:form@nord.example"><input name="a"><input type="email" name="b"><textarea name="c"></textarea><input type="submit"></form><a href="mailto:mia@nord.example">Mia</a>'
  const read = home(`<title>Nord Ltd</title><h1>Our services</h1>${form}`)
  expect(runCheck(workflowAutomation, 'lead-capture', read)).toMatchObject({
    result: 'warn',
    reason: expect.stringContaining('opens the mail program'),
  })
  expect(JSON.stringify(runCheck(entityTrust, 'nap', read))).toContain('mia@nord.example')
})

test('a step of a manual and the file of a referee prove nothing', () => {
  const read = home(
    '<title>Nordpack</title><a href="/docs/start.html">Start</a><a href="/data/reviews.txt">reviews</a>',
  )
  expect(runCheck(workflowAutomation, 'integrations', read).result).not.toBe('pass')
  expect(runCheck(entityTrust, 'proof', read).result).not.toBe('pass')
})

test.each(['Wedding photographer in Ulm', 'Hochzeitsfotografie Lind'])('%s is a business', (title) =>
  expect(kindOfSite(home(`<title>${title}</title><h1>${title}</h1>`))).toBe('business'),
)

test('a checkout at another service is the sign of a business', () =>
  expect(
    kindOfSite(home('<title>Nordtone</title><a href="https://nord.gumroad.com/l/tone">Get it</a>')),
  ).toBe('business'))

test('a blog with an article on how to install something is no library', () => {
  const read = home('<title>Mia notes</title><nav><a href="/setup">Setup</a></nav>', {
    '/setup': '<h1>Setup</h1><p>First run pip install nordpack and then wait.</p>',
  })
  expect(kindOfSite(read)).not.toBe('library')
})

test('a register of researchers is a way to reach the owner of a page', () => {
  const read = home('<title>Mia notes</title><a href="https://orcid.org/0000-0002-1825-0097">Orcid</a>')
  expect(runCheck(entityTrust, 'nap', read).result).toBe('pass')
})
