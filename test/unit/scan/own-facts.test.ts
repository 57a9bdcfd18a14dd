import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import { entityTrust } from '../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../src/products/scan/agents/structured-data/structured-data.ts'
import { readFacts } from '../../../src/products/scan/report/blocks/facts/facts.ts'
import { postalAddressesIn } from '../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { provenBlocks } from '../../../src/products/scan/report/blocks/proven-blocks.ts'
import { stepsFor } from '../../../src/products/scan/report/work/steps.ts'
import { companyName } from '../../../src/products/scan/signals/company-name.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { spelledAddress } from '../../../src/products/scan/site/contact/spelled-address.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../support/scans/captured.ts'
import { runCheck } from '../../support/scans/checks.ts'

/** What a block says of a business is published as the owner's own statement, so it must be the owner's own. */

const at = (path: string) => `https://praxis-lind.example${path}`
const practice = (footer: string, more: Entries = {}): Site =>
  site({
    [at('/')]:
      `<title>Praxis Lind</title><main><h1>Praxis Lind</h1><a href="/datenschutz">Datenschutz</a> <a href="/impressum">Impressum</a></main><footer>${footer}</footer>`,
    ...more,
  })
const factsOf = (one: Site) => {
  if (one.home === undefined) throw new Error('the site has no home page')
  return readFacts(one, one.home)
}
const addressOf = (one: Site) => factsOf(one).address?.streetAddress

const privacy = `<title>Datenschutz</title><section class="impressum">OpenStreetMap Foundation, 132 Maney Hill Road, Sutton Coldfield. Praxis Lind hat sie nicht gewählt. Telefon +44 1212 345678, support@maps.example. Montag bis Freitag 9–17 Uhr</section>`

describe('the address in a block', () => {
  test('no fact comes from a privacy notice, whatever its parts are called', () => {
    expect(factsOf(practice('Praxis Lind', { [at('/datenschutz')]: privacy }))).toMatchObject({
      address: undefined,
      telephone: undefined,
      email: undefined,
      openingHours: [],
    })
  })

  test('a privacy notice is known by the link to it, too', () => {
    const one = practice('<a href="/ds-erkl">Datenschutz</a>', { [at('/ds-erkl')]: privacy })
    expect(addressOf(one)).toBeUndefined()
  })

  test('the imprint gives it, and not the chamber that the imprint names', () => {
    const imprint =
      '<title>Impressum</title><p>Zuständig ist die Zahnärztekammer Berlin, Stallstraße 1, 10585 Berlin</p><p>Praxis Lind, Sorgestraße 73, 10249 Berlin</p>'
    expect(factsOf(practice('', { [at('/impressum')]: imprint })).address).toEqual({
      streetAddress: 'Sorgestraße 73',
      addressLocality: 'Berlin',
      postalCode: '10249',
    })
  })

  test('one that stands on a single other page and beside nothing of the own is left out', () => {
    const page = '<title>Team</title><footer>Gestaltet in der Webgasse 7, 10115 Berlin</footer>'
    expect(addressOf(practice('', { [at('/team')]: page }))).toBeUndefined()
    expect(addressOf(practice('', { [at('/team')]: page, [at('/preise')]: page }))).toBe('Webgasse 7')
  })

  test('it is left out where a trusted page names a second one', () => {
    const one = practice('Praxis Lind, Sorgestr. 73', {
      [at('/kontakt')]:
        '<title>Kontakt</title><p>Halle: Torweg 2, 10249 Berlin</p><p>Sorgestraße 73, 10249 Berlin</p>',
    })
    expect(factsOf(one)).toMatchObject({
      address: undefined,
      conflicts: { address: [{ value: 'Sorgestraße 73' }, { value: 'Torweg 2' }] },
    })
  })

  test('it has the town from where it is written whole', () => {
    const one = practice('Praxis Lind, Sorgestr. 73', {
      [at('/kontakt')]: '<title>Kontakt</title><p>Sorgestraße 73, 10249 Berlin</p>',
    })
    expect(factsOf(one).address).toEqual({
      streetAddress: 'Sorgestraße 73',
      addressLocality: 'Berlin',
      postalCode: '10249',
    })
  })

  test.each([
    [
      'three places on lines of their own',
      '12 Mill Lane<br>Crossmoor<br>Dellwater<br>Lancashire<br>ZZ4 8NE',
      undefined,
    ],
    [
      'two places in one line with the street',
      '12 Mill Lane Crossmoor Dellwater Lancashire ZZ4 8NE',
      undefined,
    ],
    ['three places behind commas', '12 Mill Lane, Crossmoor, Nordham, Dellwater, ZZ4 8NE', undefined],
    ['a town and its county', '12 Mill Lane<br>Dellwater<br>Lancashire<br>ZZ4 8NE', 'Dellwater'],
    ['a town of two words', '12 Mill Lane, New Dellwater ZZ4 8NE', 'New Dellwater'],
    ['a town of three words', '12 Mill Lane, Dell on Water ZZ4 8NE', 'Dell on Water'],
  ])('of %s it takes the town only where it is one for sure', (_, written, town) => {
    const one = practice('', { [at('/kontakt')]: `<title>Contact</title><p>${written}</p>` })
    expect(factsOf(one).address).toEqual({
      streetAddress: '12 Mill Lane',
      postalCode: 'ZZ4 8NE',
      ...(town !== undefined && { addressLocality: town }),
    })
  })

  test('the one of the winter is not taken for that of the year', () => {
    expect(addressOf(practice('Praxis Lind Winter: Sorgestraße 73, 10249 Berlin'))).toBeUndefined()
  })
})

describe('the telephone number in a block', () => {
  const contact = (number: string) => ({ [at('/kontakt')]: `<title>Kontakt</title><p>Telefon ${number}</p>` })

  test('is left out where the home page and the contact page name different ones', () => {
    const facts = factsOf(practice('Telefon 0761 4096 27', contact('0761 5550 88')))
    expect(facts.telephone).toBeUndefined()
    expect(facts.conflicts.telephone).toEqual([
      { url: at('/kontakt'), value: '0761 5550 88' },
      { url: at('/'), value: '0761 4096 27' },
    ])
  })

  test('may be written with and without its country code, and beside a second one', () => {
    const facts = factsOf(practice('Telefon 0761 4096 27', contact('+49 761 409627, mobil 0151 4096 8899')))
    expect(facts.conflicts.telephone).toBeUndefined()
    expect(facts.telephone).toBe('+49 761 409627')
  })

  test('is the one that most pages name, in whatever form each writes it', () => {
    const page = (number: string) => `<title>Preise</title><footer>Telefon ${number}</footer>`
    const one = practice('Telefon 0761 / 40 96 27', {
      [at('/preise')]: page('+49 (0)761 409627'),
      [at('/team')]: page('0761-409627'),
      [at('/labor')]: page('0761 5550 88'),
      [at('/material')]: page('0761 5550 88'),
    })
    expect(factsOf(one).telephone).toBe('0761 / 40 96 27')
  })

  test.each([
    ['a fax', '<p>Telefax: <a href="tel:+49761409699">+49 761 409699</a></p>'],
    [
      'a chamber',
      '<p>Zuständig ist die Landeszahnärztekammer, Albstadtweg 9, Stuttgart. Telefon 0711 2284 50</p>',
    ],
    ['a court', '<p>Amtsgericht Freiburg, Telefon 0761 2050 00</p>'],
    ['the doctor on call of all of Germany', '<p>Am Wochenende: <a href="tel:116117">116117</a></p>'],
  ])('is never that of %s', (_, imprint) => {
    const facts = factsOf(practice('', { [at('/impressum')]: `<title>Impressum</title>${imprint}` }))
    expect(facts.telephone).toBeUndefined()
    expect(facts.conflicts.telephone).toBeUndefined()
    const named = factsOf(
      practice('Telefon 0761 4096 27', { [at('/impressum')]: `<title>Impressum</title>${imprint}` }),
    )
    expect(named).toMatchObject({ telephone: '0761 4096 27', conflicts: { telephone: undefined } })
  })

  test('is that of the business behind a court that keeps its register', () => {
    const imprint = '<p>Amtsgericht Freiburg, HRB 7123, Telefon 0761 4096 27</p>'
    expect(
      factsOf(practice('', { [at('/impressum')]: `<title>Impressum</title>${imprint}` })).telephone,
    ).toBe('0761 4096 27')
  })

  test('is that for emergencies only where there is no other', () => {
    const notice = 'Notdienst: 0151 4096 8899'
    expect(factsOf(practice(`${notice}. Telefon 0761 4096 27`)).telephone).toBe('0761 4096 27')
    expect(factsOf(practice(`<p>Notdienst: Telefon 0151 4096 8899</p>`)).telephone).toBe('0151 4096 8899')
  })

  test('is never that of a template, and the page that still shows one is named', () => {
    const facts = factsOf(practice('Telefon +977 98 0000 0000', contact('+977 984 552 6410')))
    expect(facts).toMatchObject({
      telephone: '+977 984 552 6410',
      conflicts: { telephone: undefined },
      samplePhone: { url: at('/'), value: '+977 98 0000 0000' },
    })
    expect(factsOf(practice('Telefon 0761 555 0142', contact('0761 4096 27'))).samplePhone).toBeUndefined()
  })
})

test.each([
  [
    'Schachenstrasse 9* / 6010 Kriens',
    { streetAddress: 'Schachenstrasse 9', addressLocality: 'Kriens', postalCode: '6010' },
  ],
  [
    '810a Queen Charlotte Drive RD1 Picton 7281 Marlborough Sounds',
    { streetAddress: '810a Queen Charlotte Drive', addressLocality: 'Picton', postalCode: '7281' },
  ],
  [
    'Bramble & Wick, Unit 4, The Old Dairy, Dart Mill, Totnes TQ9 5ET',
    {
      streetAddress: 'Unit 4, The Old Dairy, Dart Mill',
      addressLocality: 'Totnes',
      postalCode: 'TQ9 5ET',
    },
  ],
  [
    '12 Norton Street, Leichhardt NSW 2040',
    {
      streetAddress: '12 Norton Street',
      addressLocality: 'Leichhardt',
      addressRegion: 'NSW',
      postalCode: '2040',
    },
  ],
  [
    '8 rue de la Dombes 01140 Saint Etienne sur Chalaronne',
    { streetAddress: '8 rue de la Dombes', postalCode: '01140' },
  ],
  [
    '8 rue de la Dombes 01330 Villars les Dombes',
    { streetAddress: '8 rue de la Dombes', postalCode: '01330' },
  ],
  [
    '8 rue de la Dombes, 79100 Freiburg im Breisgau',
    { streetAddress: '8 rue de la Dombes', addressLocality: 'Freiburg im Breisgau', postalCode: '79100' },
  ],
  [
    '120 W. Olive Ave., Monrovia, CA 91016',
    {
      streetAddress: '120 W. Olive Ave',
      addressLocality: 'Monrovia',
      addressRegion: 'CA',
      postalCode: '91016',
    },
  ],
  ['14 Harbour Street, Copyright 2026', { streetAddress: '14 Harbour Street' }],
  ['서울특별시 강남구 테헤란로 123번지', { streetAddress: '테헤란로 123' }],
  ['서울특별시 강남구 봉은사로 125번길 7, 2층', { streetAddress: '봉은사로 125번길 7' }],
  ['지하철로 10분, 강남구 선릉로8길 15', { streetAddress: '선릉로8길 15' }],
  ['電話 03-5550-1000 東京都世田谷区池尻2-31-5', { streetAddress: '東京都世田谷区池尻2-31-5' }],
])('the address in "%s" is read as it is written', (text, address) => {
  expect(postalAddressesIn(text)[0]?.address).toEqual(address)
})

describe('the sample name of a website system', () => {
  const wix = site({
    'https://www.zahnarzt-lind.example/':
      '<title>Familienzahnarzt | Zahnarzt Lind | Kriens, Lachgas</title><meta property="og:site_name" content="Meinewebsite">',
    'https://www.zahnarzt-lind.example/team': '<title>Team | Meinewebsite</title>',
    'https://www.zahnarzt-lind.example/kontakt': '<title>Kontakt | Meinewebsite</title>',
  })

  test.each([
    'Meinewebsite',
    'My Site',
    'Mysite',
    'Mon site',
    'Mi sitio',
    'Il mio sito',
    'Site Title',
    'Website',
  ])('"%s" is not taken for the name of the business', (name) => {
    const one = site({ [at('/')]: `<title>${name}</title><meta property="og:site_name" content="${name}">` })
    expect(companyName(one)).toBe('praxis-lind.example')
  })

  test('the part of the title that fits the domain is the name instead', () => {
    expect(companyName(wix)).toBe('Zahnarzt Lind')
  })

  test('of a title that fits no domain, the part that another title repeats is the name', () => {
    const one = site({
      [at('/')]: '<title>Familienzahnarzt | Zahnarzt Nebelpark | Kriens, Lachgas</title>',
      [at('/b')]: '<title>Behandlungen | Zahnarzt Nebelpark | Schweiz</title>',
    })
    expect(companyName(one)).toBe('Zahnarzt Nebelpark')
  })

  test('the report says that the sample name is still there, and quotes the whole title', () => {
    const outcome = runCheck(entityTrust, 'brand-name', wix)
    expect(outcome).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('"Meinewebsite", the sample name'),
      fix: expect.stringMatching(/^Replace the name "Meinewebsite" by your own/),
    })
    const nameless = runCheck(
      entityTrust,
      'brand-name',
      site({ [at('/')]: '<title>A, b | Home | C, d</title>' }),
    )
    expect(JSON.stringify(nameless)).toContain('A, b | Home | C, d')
  })
})

describe('entries on maps and portals', () => {
  const practiceWith = (...urls: string[]) =>
    practice(`Praxis Lind ${urls.map((url) => `<a href="${url}">Karte</a>`).join(' ')}`)

  test.each([
    'https://maps.app.goo.gl/abc123',
    'https://g.page/praxis-lind',
    'https://www.google.de/maps/place/Praxis+Lind/@48,7,17z',
    'https://maps.google.com/?cid=123456',
    'https://naver.me/xabc',
    'https://map.naver.com/p/entry/place/123',
    'https://place.map.kakao.com/123',
    'https://j.map.baidu.com/a1/b2',
    'https://2gis.ru/moscow/firm/70000001',
    'https://yandex.ru/maps/org/lind/1234567',
    'https://www.yelp.de/biz/praxis-lind',
    'https://www.tripadvisor.co.uk/Restaurant_Review-g1-d2-Reviews-Lind.html',
    'https://www.jameda.de/berlin/zahnarzt/lind',
    'https://www.doctolib.de/zahnarzt/freiburg/lind',
    'https://www.healthgrades.com/dentist/dr-lind-abc',
  ])('%s stands in the block', (url) => {
    expect(factsOf(practiceWith(url)).profiles).toEqual([url])
  })

  test.each([
    ['directions', ['https://www.google.com/maps?daddr=Gartenweg+12']],
    ['the search of a map', ['https://www.google.com/maps/search/?api=1&query=x']],
    ['the form for a review', ['https://g.page/r/Cabc/review']],
    ['a list of others', ['a', 'b', 'c'].map((name) => `https://www.yelp.de/biz/${name}`)],
  ])('%s does not', (_, urls) => {
    expect(factsOf(practiceWith(...urls)).profiles).toEqual([])
  })

  test.each([
    ['a link to the form for reviews', '<a href="https://g.page/r/Cabc/review">Bewerten</a>', true],
    ['a link to a portal', '<a href="https://www.jameda.de/freiburg/zahnarzt/lind">jameda</a>', true],
    ['an embedded portal', '<iframe src="//www.yelp.de/biz/lind"></iframe>', true],
    ['a link to a map', '<a href="https://maps.app.goo.gl/abc123">Anfahrt</a>', false],
  ])('reviews elsewhere are seen or missing: %s', (_, html, isSeen) => {
    const one = practice(`Praxis Lind, Gartenweg 12, 79098 Freiburg, Telefon 0761 4096 27 ${html}`, {
      [at('/impressum')]: '<title>Impressum</title><p>Praxis Lind</p>',
      [at('/datenschutz')]: privacy,
    })
    expect(runCheck(entityTrust, 'proof', one).result === 'pass').toBe(isSeen)
  })

  test('the owner is told which ones the pages link', () => {
    const one = practiceWith('https://maps.app.goo.gl/abc123')
    const finding = runCheck(structuredData, 'same-as', one)
    const evidence = 'evidence' in finding ? finding.evidence : []
    expect(
      stepsFor('structured-data/same-as', { fix: '', page: at('/'), evidence, language: 'de' })?.[0],
    ).toContain('already: https://maps.app.goo.gl/abc123.')
  })
})

describe('the type of a business', () => {
  const agents = agentsOf('full').map(({ agent }) => agent)
  const shop = (footer: string) =>
    site({
      [at('/')]: `<title>Bramble</title><meta property="og:site_name" content="Bramble"><main><h1>Candles</h1>
        <a href="/cart">Cart</a> <a href="/product/fig">Fig</a></main><footer>Bramble ${footer}</footer>`,
      [at('/product/fig')]:
        '<title>Fig</title><main><h1>Fig</h1><p class="price">£18.50</p><button>Add to basket</button></main>',
    })
  const textOf = (one: Site) =>
    provenBlocks(one, readSignals(one), agents).find(({ settles }) =>
      settles.includes('core-snapshot/jsonld-any'),
    )?.block.text ?? ''

  test('a shop with an address and hours is a Store, and one without is an OnlineStore without hours', () => {
    const hours = 'Open Monday to Friday, 8:30 to 18:00.'
    const place = textOf(shop(`14 Harbour Street, Northhaven NH4 2QT. ${hours}`))
    expect(place).toContain('"@type": "Store"')
    expect(place).toContain('"Mo-Fr 08:30-18:00"')
    const online = textOf(shop(hours))
    expect(online).toContain('"@type": "OnlineStore"')
    expect(online).not.toContain('openingHours')
  })
})

describe('the block of a business of East Asia', () => {
  const agents = agentsOf('full').map(({ agent }) => agent)

  test.each([
    ['ko', '한빛치과의원', '서울특별시 강남구 테헤란로 123번지(역삼동)에 있습니다', '전화: 02-555-8321'],
    ['ja', 'さくら歯科医院', '〒154-0001東京都世田谷区池尻2-31-5にあります', '電話 03-5550-8321'],
    ['zh', '康美牙科诊所', '地址：北京市朝阳区建国路88号一层', '电话：010-8500 8321'],
  ])(
    'is that of a dentist with its street, and passes the check of contact facts: %s',
    (lang, name, street, phone) => {
      const page = (title: string) =>
        `<html lang="${lang}"><title>${title}</title><main><h1>${name}</h1><p>${street}</p></main><footer>${name} ${street} ${phone}</footer>`
      const one = site({ [at('/')]: page(name), [at('/contact')]: page(`${name} | ${name}`) })
      const block = provenBlocks(one, readSignals(one), agents).find(({ settles }) =>
        settles.includes('entity-trust/nap'),
      )
      expect(block?.block.text).toContain('"Dentist"')
      const { streetAddress = '' } = factsOf(one).address ?? {}
      expect(block?.block.text).toContain(`"streetAddress": "${streetAddress}"`)
      const alone = site({
        [at('/')]: page(name).replace(
          '</footer>',
          `</footer><script type="application/ld+json">${JSON.stringify({
            '@context': 'https://schema.org',
            '@type': 'Dentist',
            name,
            address: { '@type': 'PostalAddress', streetAddress },
          })}</script>`,
        ),
      })
      expect(runCheck(entityTrust, 'nap', alone).result).toBe('pass')
    },
  )

  test.each(['동물병원', '한빛치과기공소', '佐藤歯科技工所', '康美牙科器材公司'])(
    '%s is no dentist',
    (name) => {
      const one = site({
        [at('/')]:
          `<title>${name}</title><main><h1>${name}</h1></main><footer>${name} 서울특별시 강남구 테헤란로 123 전화: 02-555-8321</footer>`,
      })
      const [block] = provenBlocks(one, readSignals(one), agents).filter(({ block: { text } }) =>
        text.includes('WebSite'),
      )
      expect(block?.block.text).not.toContain('"Dentist"')
    },
  )
})

describe('facts that pages of a site state in different ways', () => {
  const foot = 'Praxis Lind · Gartenweg 12 · 79098 Freiburg · Telefon 0761 4096 27'
  const page = (body: string) =>
    `<title>Willkommen</title><main><h2>Leistungen</h2>${body}</main><footer>${foot}</footer>`
  const blockOf = (pages: Entries) => {
    const one = site(pages)
    const agents = agentsOf('full').map(({ agent }) => agent)
    return provenBlocks(one, readSignals(one), agents).find(({ block }) => block.text.includes('WebSite'))
      ?.block
  }

  test('opening hours that contradict each other are left out, and their pages are named', () => {
    const block = blockOf({
      [at('/')]: page('<p>Montag bis Freitag 8:00 bis 18:00 Uhr</p>'),
      [at('/kontakt')]: page('<p>Montag bis Donnerstag 8:30 bis 17:00 Uhr</p>'),
    })
    expect(block?.text).not.toContain('openingHours')
    expect(block?.missing.join()).not.toContain('opening hours')
    expect(block?.conflicts).toEqual([
      `The opening hours: we read “Mo-Th 08:30-17:00” on ${at('/kontakt')} and “Mo-Fr 08:00-18:00” on ${at('/')}. Write the right one, whole, into the message, behind the colon, or that of your main place if you have several. Is something else wrong on a page? Then correct it there.`,
    ])
  })

  test('two lines of one page that contradict each other are each quoted alone', () => {
    const block = blockOf({
      [at('/')]: page(
        '<p>Montag bis Samstag 9:00 bis 17:00 Uhr</p><p>Montag bis Samstag 8:00 bis 19:00 Uhr</p>',
      ),
    })
    expect(block?.conflicts?.join()).toContain(
      `we read both “Mo-Sa 09:00-17:00” and “Mo-Sa 08:00-19:00” on ${at('/')}.`,
    )
  })

  test('a street in full and in short is one street', () => {
    const imprint = (street: string) => `<title>Impressum</title><p>Praxis Lind, ${street}, 10249 Berlin</p>`
    const one = practice('', {
      [at('/impressum')]: imprint('Sorgestraße 73'),
      [at('/kontakt')]: imprint('Sorgestr. 73'),
    })
    expect(factsOf(one).conflicts.address).toBeUndefined()
    expect(spelledAddress('улица Университетская, 35')).toBe(spelledAddress('ул. Университетская, 35'))
  })

  test('words that were typed into the link of a telephone are no part of its number', () => {
    const one = practice('<a href="tel:Office: +49 30 901820, mobile: +49 171 9018201">Praxis Lind</a>')
    expect(factsOf(one).telephone).toBe('+49 30 901820')
  })

  test('hours of which a page holds more than was read are left out and named', () => {
    const block = blockOf({
      [at('/')]: page('<p>Montag bis Freitag 8:00 bis 18:00 Uhr</p>'),
      [at('/kontakt')]: page('<p>Montag bis Freitag 8:00 bis 18:00 Uhr, Samstag ab 9:00 Uhr</p>'),
    })
    expect(block?.text).not.toContain('openingHours')
    expect(block?.missing).toContain(
      'your opening hours, such as Mo-Fr 08:00-12:00, Mo-We 14:00-18:00 (openingHours)',
    )
  })

  test('an address of one season is named as missing', () => {
    const halls =
      '<title>Lind</title><footer>Praxis Lind Winter: Gartenweg 12, 79098 Freiburg, Telefon 0761 4096 27</footer>'
    expect(blockOf({ [at('/')]: halls })?.missing.join()).toContain('(address)')
  })

  test('hours are read where day and time have elements of their own', () => {
    const hours =
      '<ul><li><span>Montag</span><span>08:00–12:00 & 14:00–18:30</span></li><li><span>Dienstag</span><span>07:00–11:00</span></li></ul>'
    expect(blockOf({ [at('/')]: page(hours) })?.text).toContain('"Mo 08:00-12:00"')
    expect(blockOf({ [at('/')]: page(hours) })?.text).toContain('"Tu 07:00-11:00"')
  })

  test('hours before and after noon contradict nothing', () => {
    const block = blockOf({ [at('/')]: page('<p>Montag bis Freitag 8–12 Uhr und 14–18 Uhr</p>') })
    expect(block?.text).toContain('"Mo-Fr 08:00-12:00"')
    expect(block?.conflicts).toEqual([])
  })

  test('two addresses of the business are left out, and their pages are named', () => {
    const block = blockOf({
      [at('/')]: page('<p>Zahnärzte</p>'),
      [at('/kontakt')]: page('<p>Praxis Lind<br>Goetheweg 4<br>79100 Freiburg</p>'),
    })
    expect(block?.text).not.toContain('streetAddress')
    expect(block?.text).toContain('"LocalBusiness"')
    expect(block?.missing.join()).not.toContain('address, if')
    expect(block?.conflicts).toEqual([
      `The address: we read “Gartenweg 12” on ${at('/')} and “Goetheweg 4” on ${at('/kontakt')}. Write the right one, whole, into the message, behind the colon, or that of your main place if you have several. Is something else wrong on a page? Then correct it there.`,
    ])
  })

  test('the name in the line of the street makes no second address', () => {
    const blocks = (line: string) =>
      blockOf({
        [at('/')]: page('<p>Zahnärzte</p>'),
        [at('/kontakt')]: page(`<p>${line} Gartenweg 12<br>79098 Freiburg</p>`),
      })
    expect(blocks('Praxis Lind')?.text).toContain('"streetAddress": "Gartenweg 12"')
    expect(blocks('Praxis Lind')?.conflicts).toEqual([])
    expect(blocks('Alter')?.conflicts).toHaveLength(1)
  })

  test('two names are left out, and the block asks for the right one', () => {
    const other = (title: string) =>
      `<title>${title}</title><main><h2>${title}</h2></main><footer>© 2026 Zahnarztpraxis Thal</footer>`
    const pages = {
      [at('/')]:
        '<title>Dentalzentrum Berg</title><main><h1>Zähne</h1><p>Telefon 0761 4096 27</p></main><footer>© 2026 Zahnarztpraxis Thal</footer>',
      [at('/team')]: other('Team'),
      [at('/preise')]: other('Preise'),
    }
    const facts = factsOf(site(pages))
    expect([facts.name, facts.conflicts.name?.length]).toEqual([undefined, 2])
    const block = blockOf(pages)
    expect(block?.text).toMatch(/"name": "WRITE THE NAME OF YOUR [A-Z]+ HERE"/)
    expect(block?.missing.join()).not.toContain('(name)')
    expect(block?.conflicts?.[0]).toMatch(/^The name: .*“Dentalzentrum Berg”.*“Zahnarztpraxis Thal”/)
  })

  test.each([
    ['the name in short', '© 2026 Lind'],
    ['the name with its legal form', '© 2026 Praxis Lind GmbH'],
    ['a note', '© 2026 All rights reserved'],
  ])('%s in the footer contradicts no name', (_, footer) => {
    expect(factsOf(practice(footer)).name).toBe('Praxis Lind')
  })

  test('where no title names the business, the name before its street does', () => {
    expect(factsOf(site({ [at('/')]: page('<p>Start</p>'), [at('/b')]: page('<p>B</p>') })).name).toBe(
      'Praxis Lind',
    )
  })

  test('a name that no part of the domain confirms is not taken, and the block asks for it', () => {
    const other =
      '<title>Start</title><main><h2>Leistungen</h2><p>Start</p></main><footer>Haus Sonne · Gartenweg 12</footer>'
    const pages = { [at('/')]: other, [at('/b')]: other }
    expect(factsOf(site(pages)).name).toBeUndefined()
    expect(blockOf(pages)?.text).toContain('"WRITE THE NAME OF YOUR BUSINESS HERE"')
    expect(blockOf(pages)?.missing[0]).toBe('the name, in both places where the block asks for it (name)')
  })
})
