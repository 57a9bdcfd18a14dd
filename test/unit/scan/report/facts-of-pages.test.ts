import { describe, expect, test } from 'vitest'
import {
  askedOnce,
  previewAsks,
  sayingAsks,
  takingSentences,
} from '../../../../src/products/scan/report/blocks/facts/asked-once.ts'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import { imageOf } from '../../../../src/products/scan/report/blocks/facts/own-pictures.ts'
import { reportPage } from '../../../../src/products/scan/report/report-page.ts'
import type { Site } from '../../../../src/products/scan/site/site.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { at, page } from '../../../support/scans/lind-site.ts'
import { scannedSite } from '../../../support/scans/scanned-site.ts'

/** Facts that a scan read from pages and proposed to publish, though no page says them so. */

const factsOf = (entries: Entries) => {
  const { home, ...one }: Site = site(entries)
  if (home === undefined) throw new Error('the site has no home page')
  return readFacts({ home, ...one }, home)
}

describe('a telephone number has no digits of another line', () => {
  const phones = (contact: string) =>
    site({ [at()]: page(`<div id="contact">${contact}</div>`) }).home?.phones

  test.each([
    ['<p>08:00-20:00</p><h2>0709-388-288</h2>', ['0709-388-288']],
    ['<p>Open 8:00</p><p>(0113) 496 0123</p>', ['(0113) 496 0123']],
    ['<h2>0709-388-288</h2><p>24 h service</p>', ['0709-388-288']],
    ['<p>Since 2020</p><p>Room 0</p><p>0113 496 0123</p>', ['0113 496 0123']],
    ['<p>Tel. 0113 496 0123</p><p>24 h service</p>', ['0113 496 0123']],
    // Set in two lines, it is one number.
    ['<p>+44<br>113 496 0123</p>', ['+44 113 496 0123']],
    ['<p><span>0113</span> <b>496 0123</b></p>', ['0113 496 0123']],
    // A colon of a label, and no time.
    ['<p>Reception 1:0113 496 0123</p>', ['0113 496 0123']],
  ])('%s', (contact, numbers) => {
    expect(phones(contact)).toEqual(numbers)
  })
})

describe('a town is read from the form in which its country writes addresses, and else left out', () => {
  const addressOf = (written: string) => {
    const contact = page(`<a href="/contact">Contact</a>`)
    const { address } = factsOf({ [at()]: contact, [at('/contact')]: page(`<p>${written}</p>`, 'Contact') })
    const { streetAddress, addressLocality, addressRegion, postalCode } = address ?? {}
    return [streetAddress, addressLocality, addressRegion, postalCode].filter(Boolean).join(' · ')
  }

  test.each([
    ['12 South Parade, Nordwick, Lindham, ZZ4 5LG', '12 South Parade, Nordwick · Lindham · ZZ4 5LG'],
    ['12 South Parade, Lindham, Herts, ZZ4 5LG', '12 South Parade · Lindham · ZZ4 5LG'],
    ['12 South Parade, Lindham, Tyne and Wear, England, ZZ4 5LG', '12 South Parade · Lindham · ZZ4 5LG'],
    ['12 South Parade, Old Nordwick, Sundby, Lindham, ZZ4 5LG', '12 South Parade · ZZ4 5LG'],
    ['12 South Parade, Old Durham ZZ4 5LG', '12 South Parade · ZZ4 5LG'],
    ['Rua Barão de Lind, 656 – Pelotas, RS', 'Rua Barão de Lind, 656 · Pelotas · RS'],
    [
      'Rua Barão de Lind, 656 - Sala 3 - Centro, Pelotas - RS, 96015-630',
      'Rua Barão de Lind, 656, Sala 3, Centro · Pelotas · RS · 96015-630',
    ],
    [
      'Mix Shopping, Av. Augusto de Lind, 555, Belo Horizonte, Minas Gerais 30110, Brazil',
      'Av. Augusto de Lind, 555 · Belo Horizonte · Minas Gerais',
    ],
    ['<ul><li>Rua Lind, 180</li><li>Guaxupé - MG</li></ul>', 'Rua Lind, 180 · Guaxupé · MG'],
    ['Rua Lind, 180 - Centro<br>Guaxupé - MG', 'Rua Lind, 180, Centro · Guaxupé · MG'],
    // A quarter, and no town.
    ['Rua Lind, 180 – Moema – SP', 'Rua Lind, 180'],
    ['Rua Lind, 180 – Moema, São Paulo – SP', 'Rua Lind, 180, Moema · São Paulo · SP'],
    ['Rua Lind, 180, Bela Vista, São Paulo', 'Rua Lind, 180'],
    ['Rua Lind, 180 – Centro – MG', 'Rua Lind, 180'],
    // The end of one line, and the beginning of another.
    ['<ul><li>Rua Lind, 180</li><li>Contato</li><li>Guaxupé - MG</li></ul>', 'Rua Lind, 180'],
    [
      'Nordía 36, Carmen, Benito Lind, 03550 Ciudad de México, CDMX.',
      'Nordía 36, Carmen, Benito Lind · Ciudad de México · CDMX · 03550',
    ],
    ['Nordía 36, Carmen, Benito Lind, 03550 Nordberg', ''],
    ['No.53 Lind Abubakar Road, Nordeta Sund', '53 Lind Abubakar Road'],
    ['Version 2.53 Lind Road', ''],
  ])('%s', (written, address) => {
    expect(addressOf(written)).toBe(address)
  })
})

describe('of two spellings of one street', () => {
  const sites = (contact: string, footer: string, about = footer): Entries => ({
    [at()]: page(`<a href="/contact">Contact</a><a href="/about">About</a><p>${footer}</p>`),
    [at('/about')]: page(`<p>${about}</p>`, 'About'),
    [at('/contact')]: page(`<p>${contact}</p>`, 'Contact'),
  })
  const slip = 'Handverkargatan 37, 37135 Lindberg'

  test('the one on more pages is published, with the town of the other', () => {
    expect(factsOf(sites(slip, 'Hantverkargatan 37'))).toMatchObject({
      address: { streetAddress: 'Hantverkargatan 37', addressLocality: 'Lindberg', postalCode: '37135' },
      conflicts: { address: undefined },
    })
    const right = 'Hantverkargatan 37, 37135 Lindberg'
    expect(factsOf(sites(slip, `Lind Dental, ${right}`)).address?.streetAddress).toBe('Hantverkargatan 37')
  })

  test('neither is published where both are on as many pages', () => {
    expect(factsOf(sites(slip, 'Hantverkargatan 37', 'About'))).toMatchObject({
      address: undefined,
      conflicts: { address: [{ value: 'Handverkargatan 37' }, { value: 'Hantverkargatan 37' }] },
    })
  })

  test.each([
    ['another number', 'Hantverkargatan 73'],
    ['another first letter', 'Mandverkargatan 37'],
  ])('%s makes another street', (_, other) => {
    expect(factsOf(sites(slip, other)).address?.streetAddress).toBe('Handverkargatan 37')
  })
})

describe('a description that says nothing of the business is published nowhere', () => {
  const practice = (description: string) => ({
    [at()]: page('<p>Open daily.</p>', 'Lind Dental', `<meta name="description" content="${description}">`),
  })

  test.each([
    'Welcome to the official homepage of Lind Dental',
    'Lind Dental - Startseite der Webseite Lind Dental',
    'Agende sua consulta e venha conhecer os nossos serviços!',
    'Book your appointment online today.',
    'Prenez rendez-vous en ligne dès aujourd’hui et venez découvrir nos services.',
  ])('%s', (description) => {
    expect(factsOf(practice(description)).description).toBeUndefined()
  })

  test.each([
    'Book your teeth cleaning online today.',
    'Agende sua consulta em Pelotas e venha conhecer a clínica!',
    'Lind Dental, your dentist in Lindham.',
    'Visit us and get to know the team of Dr. Ada Lind.',
  ])('one that names the trade, a place or a person is kept: %s', (description) => {
    expect(factsOf(practice(description)).description).toBe(description)
  })

  test('the owner is asked once for it, and the answer serves markup, guide and preview', () => {
    const call = 'Agende sua consulta e venha conhecer os nossos serviços!'
    const entries = {
      [at()]: page(
        '<p>Open daily.</p><a href="/team">Team</a><a href="/prices">Prices</a>',
        'Lind Dental',
        `<meta name="description" content="${call}">`,
      ),
      [at('/team')]: page('<p>Ada and Bo.</p>', 'Team'),
      [at('/prices')]: page('<p>On request.</p>', 'Prices'),
    }
    const { report } = analyze(captured(entries), defaultNow).analysis
    const blocks = (report.actions ?? []).flatMap(({ block }) => block ?? [])
    const asked = blocks.flatMap(({ missing }) => missing).filter((ask) => /what you (?:are|offer)/.test(ask))
    expect(asked).toEqual([
      'what you are and where, in one or two sentences of 50 to 170 characters (description)',
    ])
    const said = blocks.map(({ where, text }) => `${where} ${text}`).join()
    expect(said).not.toContain(call)
    expect(said).not.toContain('<meta property="og:description"')
    expect(said).toContain('stands in an earlier answer: write it behind ">"')
  })

  test.each([
    ['the guide', sayingAsks.newGuide, 'The sentence on what you are and where stands in an earlier answer'],
    ['the preview', previewAsks['og:description'], 'it is og:description'],
  ])('%s takes the answer that the markup asks for', (_, ask, sentence) => {
    const block = (one: string) => ({ kind: 'html' as const, where: 'Here.', text: '', missing: [one] })
    const [first, second] = askedOnce([block(sayingAsks.newMarkup), block(ask)])
    expect(first?.missing).toEqual([sayingAsks.newMarkup])
    expect(second).toMatchObject({ missing: [], where: expect.stringContaining(sentence) })
    expect(takingSentences(sayingAsks.newMarkup).some((one) => second?.where.includes(one))).toBe(true)
  })
})

describe('the picture for a preview is there, and shows no treatment before and after', () => {
  const pictureOf = (html: string) => {
    const one = site({ [at()]: page(html), [at('/gone.jpg')]: { purpose: 'shown-picture', status: 404 } })
    return one.home && imageOf(one.home, one)?.split('/').at(-1)
  }
  const portrait = '<img src="/ada.jpg" alt="Ada Lind">'

  test.each([
    '<img src="/antes-depois1.jpg">',
    '<img src="/img/before_and_after/3.jpg">',
    '<img src="/after-2.jpg">',
    '<img src="/gone.jpg" alt="Our rooms">',
    '<img src="/case.jpg" alt="Vorher / Nachher">',
    '<img src="/case.jpg" alt="Avant et après le traitement">',
    '<figure><img src="/case.jpg"><figcaption>До и после</figcaption></figure>',
    '<img src="/case.jpg" alt="ビフォーアフター">',
  ])('%s', (picture) => {
    expect(pictureOf(`${picture}${portrait}`)).toBe('ada.jpg')
    expect(pictureOf(picture)).toBeUndefined()
  })

  test.each(['/after-hours.jpg', '/prima-visita.jpg', '/portal.jpg', '/vormittag.jpg'])(
    '%s is another picture',
    (file) => {
      expect(pictureOf(`<img src="${file}">${portrait}`)).toBe(file.slice(1))
    },
  )
})

test('without a picture in the main part, the one beside the main heading is taken, and no logo', () => {
  const pictureIn = (header: string) => {
    const html = `<body><header>${header}</header><main><p>Open daily.</p></main></body>`
    const one = site({ [at()]: html })
    return one.home && imageOf(one.home, one)?.split('/').at(-1)
  }
  expect(pictureIn('<img src="/lind-logo.png"><img src="/ada.jpg"><h1>Lind</h1>')).toBe('ada.jpg')
  expect(pictureIn('<a href="/"><img src="/lind.png"></a><h1>Lind</h1>')).toBeUndefined()
  expect(pictureIn('<img src="/ada.jpg">')).toBeUndefined()
})

describe('an owner with one entry elsewhere', () => {
  const stepsWith = (links: string) => {
    const { report } = analyze(captured({ [at()]: page(`<footer>${links}</footer>`) }), defaultNow).analysis
    return (report.actions ?? []).flatMap(({ steps }) => steps ?? []).join(' ')
  }

  test('is asked for one more, and one without for two', () => {
    const none = stepsWith('Lind Dental')
    expect(none).toContain('You need two or more.')
    expect(none).toContain('Have you fewer than two? Send the message without them.')
    const one = stepsWith('<a href="https://www.instagram.com/linddental">Lind Dental</a>')
    expect(one).toContain('One stands there already, and you need one more.')
    expect(one).toContain('Have you no other one? Send the message without it.')
    expect(one).not.toContain('two or more')
  })
})

describe('hours that only the markup has, beside words on the page', () => {
  const node = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Dental',
    openingHours: ['Mo-Fr 09:00-17:00'],
  })
  const factsBeside = (body: string) =>
    factsOf({ [at()]: page(body, 'Lind Dental', `<script type="application/ld+json">${node}</script>`) })

  test.each([
    ['<p><strong>Hours:</strong> By appointment only</p>', 'By appointment only'],
    ['<h3>Öffnungszeiten</h3><p>Nur nach Vereinbarung</p>', 'Nur nach Vereinbarung'],
    ['<p>Horaires : sur rendez-vous uniquement</p>', 'sur rendez-vous uniquement'],
    ['<p>Horario: solo con cita previa</p>', 'solo con cita previa'],
  ])('%s: the owner is told both, and neither is published', (body, words) => {
    const { conflicts, ownNode, openingHours } = factsBeside(body)
    expect(conflicts.openingHours).toEqual([
      { url: at(), value: 'Mon–Fri 09:00–17:00' },
      { url: at(), value: words },
    ])
    expect(openingHours).toEqual([])
    expect(ownNode?.properties.openingHours).toBeUndefined()
  })

  test('the owner leaves the line for the hours empty where people come by appointment only', () => {
    const html = page(
      '<p>Hours: By appointment only</p><p>Call 01803 496021</p>',
      'Lind Dental',
      `<script type="application/ld+json">${node}</script>`,
    )
    const { html: shownPage } = reportPage(
      scannedSite('lind.example'),
      analyze(captured({ [at()]: html }), defaultNow).analysis,
    )
    expect(shownPage).toContain(
      'Is “By appointment only” right? Then leave the line for the opening hours in',
    )
    expect(shownPage).toContain('nothing, if people come by appointment only (openingHours)')
    expect(shownPage).not.toContain('09:00-17:00')
  })

  test.each([
    ['another day', '<h3>Saturday</h3><p>By appointment only</p>'],
    [
      'a part of the hours',
      '<h3>Hours</h3><p>Weekdays 9:00 – 17:00</p><h3>Hours</h3><p>By appointment only</p>',
    ],
    ['a service', '<p>Hours of sedation are by appointment only</p>'],
  ])('words on %s leave the hours as they are', (_, body) => {
    const { conflicts, ownNode } = factsBeside(body)
    expect(conflicts.openingHours).toBeUndefined()
    expect(ownNode?.properties.openingHours).toEqual(['Mo-Fr 09:00-17:00'])
  })
})
