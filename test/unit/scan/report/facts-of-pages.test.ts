import { describe, expect, test } from 'vitest'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import type { Site } from '../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { at, page } from '../../../support/scans/lind-site.ts'

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
