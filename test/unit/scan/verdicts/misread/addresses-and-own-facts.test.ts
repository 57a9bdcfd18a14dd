import { describe, expect, test } from 'vitest'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { samplePages } from '../../../../../src/products/scan/crawl/pages/sample-pages.ts'
import { businessBlock } from '../../../../../src/products/scan/report/blocks/business-block.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import {
  internationalPhone,
  ownCountry,
} from '../../../../../src/products/scan/report/blocks/facts/own-country.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { openingHoursIn } from '../../../../../src/products/scan/signals/contact/opening-hours.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { pagesOfKind, unreadOfKind } from '../../../../../src/products/scan/site/linked-pages.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that a reader of sixteen more public sites, in fourteen languages, found to be false. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)

describe('one page at several addresses', () => {
  const copies = { hasCopies: true }
  const list = '<title>Parts</title><h1>Parts</h1><p>The list is filled by a script.</p>'

  test('answers of equal bytes are one page, at the address without a query', () => {
    const read = site(
      {
        [`${at}/`]: '<h1>Tractors</h1>',
        [`${at}/parts.html?make=a`]: list,
        [`${at}/parts.html`]: list,
        [`${at}/parts.html?make=b`]: list,
      },
      copies,
    )
    expect(read.pages.map(({ url }) => url)).toEqual([`${at}/`, `${at}/parts.html`])
  })

  test('the page keeps the address that it names as its own', () => {
    const page = `<link rel="canonical" href="/club"><h1>Club</h1>`
    const read = site(
      { [`${at}/`]: '<h1>Tennis</h1>', [`${at}/club.html`]: page, [`${at}/club`]: page },
      copies,
    )
    expect(read.pages.map(({ url }) => url)).toEqual([`${at}/`, `${at}/club`])
  })

  test('a link to its other address leads to a page that was read', () => {
    const page = '<h1>Write to us</h1>'
    const read = site(
      {
        [`${at}/`]: '<a href="/w2.html">Contact</a><a href="/w.html">Home</a>',
        [`${at}/w.html`]: page,
        [`${at}/w2.html`]: page,
      },
      copies,
    )
    expect(unreadOfKind(read, 'contact')).toBeUndefined()
    expect(pagesOfKind(read, 'contact').map(({ url }) => url)).toEqual([`${at}/w.html`])
  })

  test('takes no places of the sample from other pages', () => {
    const paths = [
      '/a.html',
      '/a',
      '/parts.html',
      '/parts.html?make=a',
      '/parts.html?make=b',
      '/parts.html?make=c',
      '/z.html',
    ]
    const sources = {
      home: `${at}/`,
      links: paths.map((path) => ({ url: `${at}${path}`, isNavigation: false })),
      sitemapUrls: [],
      isAllowed: () => true,
    }
    expect(samplePages(sources, [], 4).rest).toEqual(
      ['/a.html', '/parts.html', '/z.html', '/parts.html?make=a'].map((path) => `${at}${path}`),
    )
  })
})

describe('a site in a folder of a host', () => {
  const project = `${at}/society/`
  const read = (html: string, more: Entries = {}) =>
    site({ [project]: { body: html, purpose: 'home' }, [`${at}/sitemap.xml`]: { status: 404 }, ...more })

  test('a page beside its home page is not deep', () => {
    const one = read('<h1>Society</h1>', { [`${project}about.html`]: '<h1>About</h1>' })
    expect(runCheck(structuredData, 'breadcrumbs', one).result).toBe('na')
    const deep = read('<h1>Society</h1>', { [`${project}talks/spring.html`]: '<h1>Spring</h1>' })
    expect(runCheck(structuredData, 'breadcrumbs', deep).result).toBe('fail')
  })

  test.each([
    [entityTrust, 'nap', project],
    [entityTrust, 'legal', project],
    [coreSnapshot, 'sitemap', `${project}sitemap.xml`],
  ])('the fix of %o %s leads into the folder', (agent, check, address) => {
    const one = read('<h1>Society</h1><h2>Our services</h2><a href="mailto:a@site.example">Write</a>')
    expect(fixOf(runCheck(agent, check, one))).toContain(address)
  })

  test('what needs the root of the host says so', () => {
    const shop = '<h1>Society</h1><form action="/cart"><button>Add to cart</button></form>'
    const one = read(shop, {
      [`${at}/.well-known/security.txt`]: { status: 404 },
    })
    expect(fixOf(runCheck(entityTrust, 'accountability', one))).toContain('domain of your own')
    const root = site({
      [`${at}/`]: shop,
      [`${at}/.well-known/security.txt`]: { status: 404 },
    })
    expect(fixOf(runCheck(entityTrust, 'accountability', root))).not.toContain('domain of your own')
  })
})

describe('a block says of a business what the site says of it', () => {
  const factsOf = (html: string, more: Entries = {}) => {
    const read = site({ ...home(html), ...more })
    if (read.home === undefined) throw new Error('the site has no home page')
    return readFacts(read, read.home)
  }
  const link = (path: string, text = 'x') => `<a href="https://www.instagram.com/${path}">${text}</a>`

  test('the profiles of staff and of a photographer are not those of the firm', () => {
    const team = `<title>Lind Lab</title><main><h2>Team</h2>${link('anna_lind_1')}${link('berta_x')}</main>`
    const footer = `<footer>${link('lindlab')}<p>Photos by ${link('chels')}</p></footer>`
    expect(factsOf(`${team}${footer}`).profiles).toEqual(['https://www.instagram.com/lindlab'])
    expect(factsOf(`${team}<p>Foto door ${link('chels')}</p>`).profiles).toEqual([])
  })

  test('a single photo is no profile, and check and block take the same list', () => {
    const page = '<title>Lind</title><footer><a href="https://www.facebook.com/photo/?fbid=63">x</a></footer>'
    expect(factsOf(page).profiles).toEqual([])
    expect(runCheck(entityTrust, 'profiles', site(home(page))).result).toBe('na')
  })

  test.each(['Segunda à Sábado: 07:30 - 18:00', 'Maanantai to Sat 07:30 - 18:00'])(
    'the hours "%s" are not those of Saturday alone',
    (hours) => {
      expect(openingHoursIn(hours)).not.toEqual(['Sa 07:30-18:00'])
    },
  )

  test('hours of Portuguese and Turkish days are read', () => {
    expect(openingHoursIn('Segunda à Sábado: 07:30 - 18:00')).toEqual(['Mo-Sa 07:30-18:00'])
    expect(openingHoursIn('Pazartesi - Cuma: 09:00 - 18:00')).toEqual(['Mo-Fr 09:00-18:00'])
  })

  test('short days of a language that is not read are no other days', () => {
    for (const hours of [
      'Lu-Ve 8:00-12:00, Ma 14:00-18:00',
      'Po-Pá 8:00-16:00, So 9:00-12:00',
      'Gi 9:00-12:00',
    ])
      expect(openingHoursIn(hours)).toBe('partly')
    expect(openingHoursIn('Ma-Vr 8:00-12:00')).toEqual(['Mo-Fr 08:00-12:00'])
    expect(openingHoursIn('12 Main St. Mon-Fri 8:00 am - 5:00 pm')).toEqual(['Mo-Fr 08:00-17:00'])
  })

  test('an afternoon on a clock of twelve hours is not written as the night', () => {
    expect(openingHoursIn('Mon-Fri 9:00 - 12:00, 1:00 - 5:00')).toBe('partly')
    expect(openingHoursIn('Mon-Fri 1 - 5')).toBe('partly')
    expect(openingHoursIn('Fri-Sat 01:00-05:00')).toEqual(['Fr-Sa 01:00-05:00'])
    expect(openingHoursIn('Mon-Fri 1:00 am - 5:00 am')).toEqual(['Mo-Fr 01:00-05:00'])
  })

  test('a house number keeps its letter, and the labelled code stands beside it', () => {
    const text =
      'Rua Sete de Agosto 51A, Centro Passo Fundo, RS, Brazil CEP: 99025-030 CNPJ: 20.098.767/0001-02'
    expect(postalAddressesIn(text)[0]?.address).toEqual({
      streetAddress: 'Rua Sete de Agosto 51A, Centro',
      addressLocality: 'Passo Fundo',
      addressRegion: 'RS',
      postalCode: '99025-030',
    })
  })

  const own = (lines: readonly string[], more = '') =>
    factsOf(`<title>Nord</title><footer>${lines.map((line) => `<p>${line}</p>`).join('')}</footer>${more}`, {
      [`${at}/contact`]: `<title>Contact</title>${lines.map((line) => `<p>${line}</p>`).join('')}`,
    }).address

  test.each([
    [['Café Nord', 'Auenkirchhof 8', '44137 Nordstadt'], 'Auenkirchhof 8', '44137', 'Nordstadt'],
    [['Am Alten Speicher 3b', '20457 Nordstadt'], 'Am Alten Speicher 3b', '20457', 'Nordstadt'],
    [
      ['Nord SARL, Tour Aube, 6 avenue d’Alba, 92400 Nordville'],
      'Tour Aube, 6 avenue d’Alba',
      '92400',
      'Nordville',
    ],
    [['Tour Aube', '6 avenue d’Alba', '92400 Nordville'], 'Tour Aube, 6 avenue d’Alba', '92400', 'Nordville'],
    [['płk. Jana Nowaka 7, 42-600 Nowe Góry'], 'płk. Jana Nowaka 7', '42-600', 'Nowe Góry'],
    [
      ['Z05T9H7, г. Северск, Нура район', 'Проспект Улы Дала, д. 35, НП: 9'],
      'Проспект Улы Дала, д. 35, НП: 9',
      'Z05T9H7',
      'Северск',
    ],
  ])('the address in %j is read whole', (lines, streetAddress, postalCode, addressLocality) => {
    expect(own(lines)).toEqual({ streetAddress, postalCode, addressLocality })
  })

  test('a Japanese address behind its code is read in its parts', () => {
    expect(own(['〒950-2052 新潟県新潟市西区寺尾2-19'])).toEqual({
      streetAddress: '西区寺尾2-19',
      addressRegion: '新潟県',
      addressLocality: '新潟市',
      postalCode: '950-2052',
    })
  })

  test.each([
    [['Telefon 1234', '44137 Nordstadt']],
    [['Postfach 12', '44137 Nordstadt']],
    [['Gegründet 1998', '44137 Nordstadt']],
    [['Konzert am Mai 12, 2026 Berlin']],
  ])('%j has no street', (lines) => {
    expect(own(lines)).toBeUndefined()
  })

  test('a page that leaves out the building names the same address', () => {
    expect(
      own(
        ['Tour Aube, 6 avenue d’Alba, 92400 Nordville'],
        '<footer>6 avenue d’Alba, 92400 Nordville</footer>',
      ),
    ).toMatchObject({ streetAddress: 'Tour Aube, 6 avenue d’Alba' })
  })

  const blockOf = (html: string) => {
    const read = site(home(html))
    if (read.home === undefined) throw new Error('the site has no home page')
    return businessBlock(read, read.home, readFacts(read, read.home))?.block
  }
  const placed = '<footer><p>Gartenweg 12, 44137 Nordstadt</p><p>Tel. 0231 1449210</p></footer>'

  test.each([
    ['Café Nord', 'CafeOrCoffeeShop'],
    ['Konditorei Nord', 'CafeOrCoffeeShop'],
    ['カフェノルド', 'CafeOrCoffeeShop'],
    ['Bäckerei und Café Nord', 'Bakery'],
    ['Malerbetrieb Nord', 'HousePainter'],
    ['Óptica Nord', 'Optician'],
    ['Nord Handyman', 'HomeAndConstructionBusiness'],
    ['Hausarztpraxis Nord', 'Physician'],
    ['Studio Legale Nord', 'LegalService'],
    ['ノルド動物病院', 'VeterinaryCare'],
    ['Repair-Café Nord', 'LocalBusiness'],
    ['Decaféine Nord', 'LocalBusiness'],
  ])('a business called %s is a %s', (name, type) => {
    const html = `<title>${name}</title><h1>${name}</h1><h2>Leistungen</h2>${placed}`
    expect(blockOf(html)?.text).toContain(`"@type": "${type}"`)
  })

  const marks = { language: undefined, domains: ['nord.com'], telephone: undefined, address: undefined }
  test.each([
    ['FR', { ...marks, language: 'fr', domains: ['nord.com', 'nord.fr'] }],
    ['FR', { ...marks, language: 'fr', telephone: '+33 1 02 03 04 05' }],
    ['DE', { ...marks, language: 'de', telephone: '0049-231-144-921' }],
    ['DE', { ...marks, language: 'de', address: { streetAddress: 'x', postalCode: '55131' } }],
    [undefined, { ...marks, language: 'de', address: { streetAddress: 'x', postalCode: '8001' } }],
    [undefined, { ...marks, language: 'de', address: { streetAddress: 'x', postalCode: '39100' } }],
    [undefined, { ...marks, language: 'fr', address: { streetAddress: 'x', postalCode: '20250' } }],
    [
      undefined,
      {
        ...marks,
        language: 'de',
        domains: ['nord.it'],
        address: { streetAddress: 'x', postalCode: '39100' },
      },
    ],
    ['PL', { ...marks, language: 'pl', address: { streetAddress: 'x', postalCode: '42-600' } }],
    ['KZ', { ...marks, language: 'ru', telephone: '+7 705 402 61 81' }],
    [
      'US',
      { ...marks, language: 'en', address: { streetAddress: 'x', addressRegion: 'TX', postalCode: '78701' } },
    ],
    [undefined, { ...marks, language: 'ru', domains: ['mail.ru'], telephone: '+38 071 364 70 34' }],
    [undefined, { ...marks, language: 'fr' }],
    [undefined, { ...marks, language: 'en', domains: ['nord.de'] }],
    [undefined, { ...marks, language: 'de', domains: ['nord.de'], telephone: '+43 1 2345678' }],
    [
      undefined,
      { ...marks, language: 'de', domains: ['nord.de'], address: { streetAddress: 'x', postalCode: '8001' } },
    ],
  ])('the country is %s by %j', (country, told) => {
    expect(ownCountry(told)).toBe(country)
  })

  test.each([
    ['06 37 38 15 55', 'FR', '+33 6 37 38 15 55'],
    ['0049-231-144-921', undefined, '+49 231 144921'],
    ['(0231) 144921', 'DE', '+49 231 144921'],
    ['8 (4012) 33-44-55', 'RU', '+7 401 233 44 55'],
    ['045 123 4567', 'IT', '+39 045 123 4567'],
    ['943 24 84 90', 'ES', '+34 943 24 84 90'],
    ['34 943 24 84 90', 'ES', '+34 943 24 84 90'],
    ['0231 144921', undefined, undefined],
    ['0800 123456', 'DE', '0800 123456'],
    ['06 37', 'FR', undefined],
  ])('the number %s of %s is dialled from abroad as %s', (number, country, dialled) => {
    expect(internationalPhone(number, country)).toBe(dialled)
  })

  test('a country that is not sure is asked for', () => {
    const html = `<html lang="de"><title>Café Nord</title><h1>Café Nord</h1><h2>Leistungen</h2>${placed}`
    const tyrol = html.replace('44137 Nordstadt', '39100 Nordstadt')
    expect(blockOf(tyrol)?.missing.join()).toContain('(addressCountry)')
    expect(blockOf(tyrol)?.missing.join()).toContain('the code of your country')
    const sure = blockOf(html.replace('Tel. 0231 1449210', 'Tel. 0231 1449210, Mail post@cafe-nord.de'))
    expect(sure?.text).toContain('"addressCountry": "DE"')
    expect(sure?.text).toContain('"telephone": "+49 231 1449210"')
    expect(sure?.missing.join()).not.toMatch(/country/)
  })

  test('hours are written or asked for where no address makes the business a place', () => {
    const office = (hours: string) =>
      `<title>Nord Beratung GmbH</title><h1>Nord Beratung GmbH</h1><h2>Leistungen</h2><footer>Tel. 0231 1449210 ${hours}</footer>`
    const text = blockOf(office('Montag–Samstag 12:00 bis 17:00 Uhr'))?.text ?? ''
    expect(text).toContain('"@type": "Organization"')
    expect(text).toContain('"hoursAvailable"')
    expect(text).toContain('"opens": "12:00"')
    const partly = blockOf(office('Montag 12:00 bis 17:00 Uhr, Freitag ab 9:00 Uhr'))
    expect(partly?.missing.join()).toContain('your opening hours')
  })

  test('hours that others contain are named once, and a Latin letter in a Cyrillic day is read', () => {
    expect(openingHoursIn('Пн-Пт 10:00-19:00, Cб-Вс 10:00-16:00, Вс 10:00-16:00')).toEqual([
      'Mo-Fr 10:00-19:00',
      'Sa-Su 10:00-16:00',
    ])
  })

  test('an address ends where the number of a register begins', () => {
    const page =
      '<h1>Lab</h1><address>Rua Sete 51A, Centro CNPJ: 20.098.767/0001-02 Razão Social: X</address>'
    expect(quotesOf(runCheck(entityTrust, 'nap', site(home(page))))).not.toContain('CNPJ')
  })

  test('a number that a link dials with "+0" is the one that the link shows', () => {
    const page = '<title>Club</title><footer><a href="tel:+013333703">013/33.37.03</a></footer>'
    expect(factsOf(page).telephone).toBe('013/33.37.03')
  })

  test('the number that is linked comes before one that is only written', () => {
    const page = '<title>Shop</title><footer><a href="tel:533654033">call</a> Tel. 781 863 794</footer>'
    expect(factsOf(page).telephone).toBe('533654033')
  })

  test.each([
    '<header><img src="/img/logo-placeholder.svg"></header>',
    '<div><a href="/gradle/"><img src="/gradle/_logo-gradle.svg"></a></div>',
    '<header><img class="logo" src="/img/profile1.jpg"></header>',
  ])('%s is not the logo', (html) => {
    expect(factsOf(`<title>Notes of Mo</title>${html}`).logo).toBeUndefined()
  })

  test.each([
    '<header><img src="/l.svg" class="logo"></header>',
    '<div><a href="/"><img src="/logo.svg"></a></div>',
    '<div><img src="/l.svg" alt="Lind logo"></div>',
  ])('%s is the logo', (html) => {
    expect(factsOf(`<title>Lind</title><h1>Lind</h1>${html}`).logo).toContain('l')
  })

  test('the hall of a conference gives it neither its number nor its street', () => {
    const page =
      '<title>第72回 日本航空医学会大会</title><footer>東京都港区芝一丁目5番1号 TEL 097-576-7555</footer>'
    expect(factsOf(page)).toMatchObject({ telephone: undefined, address: undefined })
  })

  test('a Japanese address has its whole number', () => {
    expect(streetsIn('大分県大分市金池南一丁目5番1号')[0]?.written).toBe('大分県大分市金池南一丁目5番1号')
  })

  test('a site that offers nothing and names no owner is described as a site', () => {
    const read = site(home(`<title>Notes of Mo</title><h1>Notes of Mo</h1><p>${words(80)}</p>`))
    if (read.home === undefined) throw new Error('the site has no home page')
    const draft = businessBlock(read, read.home, readFacts(read, read.home))
    expect(draft?.block.text).not.toContain('Organization')
    expect(draft?.block.missing.join()).not.toMatch(/telephone|street/)
  })
})
