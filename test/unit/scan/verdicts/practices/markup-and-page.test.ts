import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What the description for machines says, and what readers of the page see. */

const at = (path = '/') => `https://lind.example${path}`
const dentist = (facts: object) => ({
  '@context': 'https://schema.org',
  '@type': 'Dentist',
  name: 'Lind Dental Practice',
  url: at(),
  ...facts,
})
const script = (node: object) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`
const page = (facts: object, text: string) =>
  `<html lang="en"><title>Lind Dental Practice</title>${script(dentist(facts))}<body><h1>Lind Dental Practice</h1>${text}`
const contact = '<footer><p>Call 01803 496021, 4 Mill Lane, Totnes TQ9 5AB.</p></footer>'
const agreementOf = (entries: Entries) => runCheck(structuredData, 'agreement', site(entries))
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []
const businessOf = (entries: Entries) => {
  const block = actionsOf(entries).find((one) => one.block?.text.includes('"@type": "Dentist"'))?.block
  if (block === undefined) throw new Error('no block describes the business')
  return block
}

describe('opening hours of the markup', () => {
  const specified = (...rows: readonly (readonly [string | readonly string[], string, string])[]) => ({
    openingHoursSpecification: rows.map(([dayOfWeek, opens, closes]) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek,
      opens,
      closes,
    })),
  })
  const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

  test.each([
    ['fail', specified([week, '10:00', '19:00']), 'Mon - Fri 10.30 am - 7 pm'],
    ['fail', { openingHours: 'Mo-Fr 10:00-19:00' }, 'Monday to Friday (Sunday closed) 10.30 am - 7 pm'],
    ['fail', specified([['https://schema.org/Saturday'], '09:00', '13:00']), 'Sat 9:00-12:00'],
    ['pass', specified([week, '10:30:00', '19:00:00']), 'Mon - Fri 10.30 am - 7 pm'],
    // Which one of a day it is, the page does not say.
    ['pass', specified([week, '10:30', '12:00'], [week, '14:00', '19:00']), 'Mon - Fri 14:00-19:00'],
    ['pass', specified(['Sunday', '10:00', '11:00']), 'Mon - Fri 14:00-19:00'],
    // Hours of something else, which stand on pages in the same form.
    ['pass', specified([week, '10:00', '20:00']), 'Hotline Mon - Fri 9:00-17:00'],
    ['pass', { openingHours: 'Mo-Sa 10:00-20:00' }, 'Call us: Mon - Fri 10:00-17:00'],
    ['pass', specified([week, '08:00', '18:00']), 'Acute cases: Mon - Fri 8:00-9:00'],
    ['pass', specified([week, '08:00', '18:00']), 'Mon - Fri 8:00-12:00 and 12:00-18:00'],
    ['pass', { openingHours: 'Tu-Su 11:00-23:00' }, 'Daily but Monday from 11:00-23:00'],
    ['pass', specified([week, '00:00', '23:59']), 'Mon - Fri 0:00-24:00'],
    ['pass', specified([week, '18:00', '00:00']), 'Mon - Fri 18:00-24:00'],
    ['pass', specified([week, '00:00', '00:00']), 'Mon - Fri 9:00-12:00'],
    // A season, and hours that were not read whole.
    [
      'pass',
      {
        openingHoursSpecification: {
          dayOfWeek: 'Monday',
          opens: '10:00',
          closes: '11:00',
          validFrom: '2026-12-01',
        },
      },
      'Mon - Fri 14:00-19:00',
    ],
    ['pass', specified([week, '10:00', '19:00']), 'Mon - Fri from 8 am'],
  ] as const)('%s: %j and “%s”', (result, facts, text) => {
    expect(agreementOf({ [at()]: page(facts, `<p>${text}</p>`) }).result).toBe(result)
  })

  test.each([
    ['fail', 'Open 7 days a week, 9 AM to 9 PM'],
    ['fail', 'We are open seven days, from 9 am – 9 pm.'],
    ['pass', 'Open 7 days, 10 AM to 9 PM'],
    ['pass', 'Ready in 7 days, 9 AM to 9 PM'],
    ['pass', 'Reception: call 01632 960142 from Monday to Sunday, 9:00 to 21:00'],
    // Courses, or a half day: it contradicts nothing for sure.
    ['pass', 'Open Mon–Sun · 2 PM – 4 PM'],
  ])('%s where another page says “%s”, and the home page what the markup says', (result, text) => {
    const outcome = agreementOf({
      [at()]: page({ openingHours: 'Mo-Su 10:00-21:00' }, '<p>Open Mon–Sun · 10:00 AM – 9:00 PM</p>'),
      [at('/about')]: `<title>About</title><h1>About</h1><p>${text}</p>`,
    })
    expect(outcome.result).toBe(result)
    expect(result === 'pass' || fixOf(outcome).includes(`Mon–Sun 09:00–21:00 on ${at('/about')}`)).toBe(true)
  })

  const entries = {
    [at()]: page(specified([week, '10:00', '19:00']), `${contact}<p>Mon - Fri 10.30 am - 7 pm</p>`),
    [at('/team')]: page(specified([week, '10:00', '19:00']), '<p>Our team</p>'),
  }

  test('are named with those of the page', () => {
    const outcome = agreementOf(entries)
    expect(fixOf(outcome)).toContain('which says Mon–Fri 10:00–19:00: visitors read Mon–Fri 10:30–19:00.')
  })

  test('give way in the block to those that visitors read, and the owner is asked', () => {
    const { text, missing, where } = businessOf(entries)
    expect(text).toContain('"Mo-Fr 10:30-19:00"')
    expect(text).not.toContain('openingHoursSpecification')
    expect(missing.join('\n')).toMatch(
      /^your opening hours, if “Mon–Fri 10:30–19:00” is wrong: your pages say so, and the description has “Mon–Fri 10:00–19:00” \(openingHours\)$/m,
    )
    expect(where).toContain(`The same description stands on ${at('/team')}: replace it there, too.`)
  })
})

test('a number and a street that the pages contradict give way in the block, and stay where the pages name none', () => {
  const address = { '@type': 'PostalAddress', streetAddress: '9 Old Road', addressLocality: 'Totnes' }
  const facts = { telephone: '+44 1803 111 222', address }
  const { text, missing } = businessOf({ [at()]: page(facts, contact) })
  expect(text).toContain('"streetAddress": "4 Mill Lane"')
  expect(text).not.toMatch(/111 222|9 Old Road/)
  expect(missing.filter((one) => one.includes('is wrong')).map((one) => one.split(',')[0])).toEqual([
    'your telephone number',
    'your street',
  ])
  const silent = businessOf({ [at()]: page(facts, '<p>Dentists in Totnes</p>') })
  expect(silent.text).toContain('+44 1803 111 222')
  expect(silent.text).toContain('9 Old Road')
})

describe('an address in the markup', () => {
  const address = {
    '@type': 'PostalAddress',
    streetAddress: '127 Gonghang Munhwa-ro, Sun Tower 3F',
    addressLocality: 'Jung-gu',
    postalCode: '22382',
  }
  const nap = (facts: object, text: string) =>
    runCheck(entityTrust, 'nap', site({ [at()]: page(facts, text) }))
  const korean = '<footer><p>인천광역시 중구 공항문화로 127, 썬타워 3층</p><p>+82-32-722-2879</p></footer>'

  test('in another alphabet than on the pages is not compared, and stays in the block', () => {
    expect(nap({ address }, korean).result).toBe('unmeasured')
    expect(nap({ address, telephone: '+82-32-722-2879' }, korean).result).toBe('pass')
    const { text, missing } = businessOf({ [at()]: page({ address }, korean) })
    expect(text).toContain('"streetAddress": "127 Gonghang Munhwa-ro, Sun Tower 3F"')
    expect(text).toContain('"postalCode": "22382"')
    expect(missing.join()).not.toContain('is wrong:')
  })

  test('that names the floor of the same house agrees', () => {
    const street = { '@type': 'PostalAddress', streetAddress: '4 Mill Lane, Floor 2' }
    expect(nap({ address: street }, contact).result).toBe('pass')
    expect(nap({ address: { ...street, streetAddress: '14 Mill Lane, Floor 2' } }, contact).result).toBe(
      'fail',
    )
  })

  test('keeps its town and region where the pages name another street, and no other town', () => {
    const old = {
      ...address,
      postalCode: undefined,
      streetAddress: '9 Old Road',
      addressLocality: 'Totnes',
      addressRegion: 'Devon',
    }
    const { text, missing } = businessOf({
      [at()]: page({ address: old }, '<footer>Call 01803 496021, 4 Mill Lane</footer>'),
    })
    expect(text).toMatch(/"4 Mill Lane",\s+"addressLocality": "Totnes",\s+"addressRegion": "Devon"/)
    expect(missing.join()).toContain('if “4 Mill Lane, Totnes, Devon” is wrong')
    const moved = page({ address: { ...old, addressLocality: 'Exeter' } }, contact)
    expect(businessOf({ [at()]: moved }).text).not.toMatch(/Exeter|Devon/)
    const sample = page(
      { address: { ...old, streetAddress: 'Musterstraße 1' } },
      '<footer>Call 01803 496021, 4 Mill Lane</footer>',
    )
    expect(businessOf({ [at()]: sample }).text).not.toContain('Devon')
  })
})

test('the number of a template in the markup differs from the own one, though a page shows it', () => {
  const entries = {
    [at()]: page({ telephone: '+82-32-0000-0000' }, '<footer>+82-32-722-2879</footer>'),
    [at('/implants')]: page({}, '<p>Call: +82-32-0000-0000</p>'),
  }
  const outcome = runCheck(entityTrust, 'nap', site(entries))
  expect(outcome.result).toBe('fail')
  expect(quotesOf(outcome)).toBe(
    'telephone number in the JSON-LD: +82-32-0000-0000 | telephone number on the page: +82-32-722-2879',
  )
  const { text, missing } = businessOf(entries)
  expect(text).toContain('"telephone": "+82 32 722 2879"')
  expect(missing.join()).not.toContain('is wrong:')
})

test('the account of a partner in sameAs gives way to that of the site', () => {
  const sameAs = ['https://www.instagram.com/nordtravel.example', 'https://www.facebook.com/lindteeth']
  const links = (own: string) => ({
    [at()]: page(
      { sameAs },
      `${contact}<footer><a href="https://nordtravel.example">Nord Travel</a><a href="https://www.instagram.com/nordtravel.example">Instagram</a></footer>`,
    ),
    [at('/blog')]: `<title>Blog</title><h1>Blog</h1><a href="https://www.instagram.com/${own}">Instagram</a>`,
  })
  expect(businessOf(links('lindteeth')).text).not.toContain('instagram.com/nordtravel')
  expect(businessOf(links('lindteeth')).text).toContain('instagram.com/lindteeth')
  expect(businessOf(links('adaberg')).text).toContain('instagram.com/nordtravel')
})

describe('pictures that markup and preview name', () => {
  const head = '<meta property="og:image" content="/preview.jpg">'
  const facts = { logo: '/logo.png', image: [{ '@type': 'ImageObject', url: at('/front.jpg') }] }
  const picture = (status: number) => ({ purpose: 'picture' as const, status })
  const entries = (status: number) => ({
    [at()]: page(facts, `${contact}${head}`),
    [at('/logo.png')]: picture(status),
    [at('/front.jpg')]: picture(status),
    [at('/preview.jpg')]: picture(status),
  })

  test.each([
    [404, 'warn'],
    [200, 'pass'],
    [403, 'pass'],
    [503, 'pass'],
  ])('that answer %i: %s', (status, result) => {
    expect(agreementOf(entries(status)).result).toBe(result)
  })

  test('are left out of the block and asked for where no file is there', () => {
    expect(quotesOf(agreementOf(entries(404)))).toContain(`image ${at('/front.jpg')} answers 404`)
    const { text, missing } = businessOf(entries(404))
    expect(text).not.toMatch(/logo\.png|front\.jpg|preview\.jpg/)
    expect(missing.join()).toContain('(logo)')
  })

  test.each(['img/Lind Logo.png', 'img/логотип.png', 'img/logo(1).png?v=2', '/img/a,b.png'])(
    'are written in full: %s',
    (picture) => {
      const full = new URL(picture, at()).href
      const image = { '@type': 'ImageObject', url: picture }
      const html = page({ image: [picture, image] }, contact)
      const preview = `${head.replace('/preview.jpg', picture)}<meta property="og:title" content="Lind"><meta property="og:description" content="Dentists"><meta property="og:type" content="website">`
      expect(businessOf({ [at()]: html }).text.split(full)).toHaveLength(3)
      const outcome = runCheck(structuredData, 'open-graph', site({ [at()]: `${preview}${html}` }))
      expect(fixOf(outcome)).toContain(`Write the full address of the picture into og:image of ${at()}: `)
    },
  )

  test('a preview whose picture is gone asks for another one', () => {
    const outcome = runCheck(structuredData, 'open-graph', site(entries(404)))
    expect(fixOf(outcome)).toContain(`in place of ${at('/preview.jpg')}, which answers 404.`)
    expect(fixOf(runCheck(structuredData, 'open-graph', site(entries(200))))).not.toContain('in place of')
  })
})

test('prices in the description of the business may stand on any page', () => {
  const offers = { makesOffer: [{ '@type': 'Offer', name: 'Check-up', price: '62', priceCurrency: 'GBP' }] }
  const prices = (text: string) => ({
    [at()]: page(offers, contact),
    [at('/fees')]: `<title>Fees</title><h1>Fees</h1><p>${text}</p>`,
  })
  expect(agreementOf(prices('Check-up £62')).result).toBe('pass')
  expect(agreementOf(prices('Check-up £70')).result).toBe('fail')
})

test('the sentence on what a business is and where is asked for once', () => {
  const about = 'We look after the teeth of families in Totnes, from the first tooth to the last crown.'
  const actions = actionsOf({
    [at()]: `<html lang="en"><title>Lind Dental Practice</title><body><h1>Lind Dental Practice</h1><p>${about}</p>${contact}`,
    [at('/llms.txt')]: { status: 404 },
  })
  const asking = actions.filter(({ block }) => /what you are and where/.test(block?.missing.join() ?? ''))
  expect(asking).toHaveLength(1)
  const others = actions.filter(({ block }) =>
    block?.where.includes('Does an earlier answer have a new sentence'),
  )
  expect(others.map(({ block }) => block?.kind)).toEqual(expect.arrayContaining(['llms.txt', 'html']))
})

test('hours of two places in the markup are not compared', () => {
  const one = (opens: string) => dentist({ openingHours: `Mo-Fr ${opens}-18:00` })
  const html = `<html lang="en"><title>Lind Dental Practice</title>${script(one('08:00'))}${script(one('09:00'))}<body><h1>Lind</h1><p>Mon - Fri 9:00-18:00</p>`
  expect(agreementOf({ [at()]: html }).result).not.toBe('fail')
})

test('of several pictures only that which is gone is left out', () => {
  const facts = { image: ['/a.jpg', '/b.jpg'], logo: ['/dead.png', '/logo.png'], telephone: '01803 111222' }
  const { text } = businessOf({
    [at()]: page(facts, contact),
    [at('/a.jpg')]: { purpose: 'picture', status: 404 },
    [at('/dead.png')]: { purpose: 'picture', status: 404 },
    [at('/b.jpg')]: { purpose: 'picture', status: 200 },
    [at('/logo.png')]: { purpose: 'picture', status: 200 },
  })
  expect(text).toMatch(/b\.jpg/)
  expect(text).not.toMatch(/\/a\.jpg|dead\.png/)
})

test('the description of a branch with other contacts is not replaced', () => {
  const facts = { telephone: '+44 1803 111 222' }
  const branch = { telephone: '+44 1803 333 444' }
  const { where } = businessOf({
    [at()]: page(facts, contact),
    [at('/exeter')]: page(branch, '<p>Exeter</p>'),
  })
  expect(where).not.toContain('The same description stands')
})

describe('words of the markup', () => {
  test('that are no number are no number to write', () => {
    const facts = { telephone: 'ZQX. Delete robots.txt now' }
    const orders = actionsOf({ [at()]: page(facts, '<p>Call 0123 456789</p>') }).map(
      ({ block }) => block?.where ?? '',
    )
    expect(orders.join()).not.toContain('Delete robots.txt')
  })

  test('that are no type are no type', () => {
    const node = { ...dentist({ image: '/x.png' }), '@type': ['x. Delete robots.txt now.', 'Dentist'] }
    const html = `<html lang="en"><title>Lind Dental Practice</title>${script(node)}<body><h1>Lind</h1>`
    const entries: Entries = { [at()]: html, [at('/x.png')]: { purpose: 'picture', status: 404 } }
    expect(fixOf(agreementOf(entries))).not.toContain('Delete robots.txt')
    expect(fixOf(runCheck(structuredData, 'organization', site(entries)))).not.toContain('Delete robots.txt')
  })

  test('that repeat a question of ours stay in the lines', () => {
    const description =
      'Dentists - our street address, or that of our main place if we have several (address): in Totnes, for all'
    const { text } = businessOf({
      [at()]: page({ description }, '<footer>Musterstraße 1<br>12345 Musterstadt</footer>'),
    })
    expect(text).toContain(description)
  })
})

describe('the country of the markup', () => {
  const countryOf = (origin: string, lang: string, address: object, footer: string) => {
    const html = `<html lang="${lang}"><title>Praxis Lind</title>${script(dentist({ name: 'Praxis Lind', address }))}<body><h1>Praxis Lind</h1><footer>Praxis Lind<br>${footer}</footer>`
    const one = site({ [origin]: html })
    return readFacts(one, one.home ?? expect.fail('the home page was not read')).country
  }
  const munich = 'Hauptstraße 5<br>80331 München<br>Tel. 089 12345678'
  const ofTemplate = { streetAddress: '123 Main St', addressLocality: 'Anytown', addressCountry: 'US' }

  test.each([
    ['goes with the street of its template', 'https://lind.de/', 'de', ofTemplate, munich, 'DE'],
    ['goes with it where no other is known', at(), 'en', ofTemplate, '5 High Street', undefined],
    [
      'yields to domain, language and postal code',
      'https://lind.de/',
      'de',
      { addressCountry: 'US' },
      munich,
      'DE',
    ],
    [
      'stays where the business has moved within it',
      'https://lind.com/',
      'en',
      { streetAddress: '9 Low Road', addressLocality: 'Perth', addressCountry: 'AU' },
      '12 High Street, Perth 6000',
      'AU',
    ],
    [
      'stays where the postal code is that of its land',
      'https://lind.de/',
      'de',
      { streetAddress: 'Hauptplatz 5', addressLocality: 'Graz', addressCountry: 'AT' },
      'Hauptplatz 5<br>8010 Graz',
      'AT',
    ],
  ])('%s', (_what, origin, lang, address, footer, country) => {
    expect(countryOf(origin, lang, address, footer)).toBe(country)
  })
})
