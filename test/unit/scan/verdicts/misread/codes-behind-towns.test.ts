import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { businessBlock } from '../../../../../src/products/scan/report/blocks/business-block.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { addressLinesIn } from '../../../../../src/products/scan/site/contact/address-lines.ts'
import { site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'

/** Countries that write the postal code behind the town: only a code before it was read. */

const read = (html: string) => site({ 'https://site.example/': html })

describe('a code behind its town', () => {
  test.each([
    [['4100 Harbor Point, Kirkland, WA 98033'], '4100 Harbor Point', 'Kirkland', 'WA', '98033'],
    [['10900 NE 8th St', 'Kirkland, WA 98033-1234, USA'], '10900 NE 8th St', 'Kirkland', 'WA', '98033-1234'],
    [
      ['500 Pine St', 'Suite 200', 'San Juan, Texas 78589'],
      '500 Pine St, Suite 200',
      'San Juan',
      'Texas',
      '78589',
    ],
    [['500 Pine St., #4, Nord City, NY 10001'], '500 Pine St, #4', 'Nord City', 'NY', '10001'],
    [['200 Front Broadview, Toronto, ON M5V 2T6, Canada'], '200 Front Broadview', 'Toronto', 'ON', 'M5V 2T6'],
    [['12 Esplanade Est', 'Montréal (Québec) H2X 1Y4'], '12 Esplanade Est', 'Montréal', 'Québec', 'H2X 1Y4'],
    [['2/14 Murray Mall, Perth WA 6000'], '2/14 Murray Mall', 'Perth', 'WA', '6000'],
    [['1 Harbour Loop', 'Sydney, NSW 2000 Australia'], '1 Harbour Loop', 'Sydney', 'NSW', '2000'],
    [['Address: 10 Nordgate, London SW1A 1AA'], '10 Nordgate', 'London', undefined, 'SW1A 1AA'],
    [
      ['7 The Maltings', 'Stow on the Wold GL54 1AA, UK'],
      '7 The Maltings',
      'Stow on the Wold',
      undefined,
      'GL54 1AA',
    ],
  ])('in %j is read whole', (lines, streetAddress, addressLocality, addressRegion, postalCode) => {
    expect(addressLinesIn(lines)).toEqual([
      { streetAddress, addressLocality, ...(addressRegion && { addressRegion }), postalCode },
    ])
  })

  test.each([
    [['24 Hour Service', 'Kirkland, WA 98033']],
    [['12 May 2026, London SW1A 1AA']],
    [['Saturday', '12 May', 'Perth WA 6000']],
    [['P.O. Box 12, Kirkland, WA 98033']],
    [['500 Pine Tools, Model ZZ 98033']],
  ])('in %j proves no street', (lines) => {
    expect(addressLinesIn(lines)).toEqual([])
  })

  test.each([
    [
      ['4100 Harbor Point', 'Kirkland, WA 98033'],
      ['Kirkland', 'WA', '98033'],
    ],
    [
      ['500 Pine St, Suite 200', 'Kirkland, WA 98033'],
      ['Kirkland', 'WA', '98033'],
    ],
    [
      ['12 Front Street', 'Toronto, ON M5V 2T6'],
      ['Toronto', 'ON', 'M5V 2T6'],
    ],
    [['14 Murray Street, Perth WA 6000'], ['Perth', 'WA', '6000']],
  ])('of %j is in the block of the business with town and state', (lines, [town, region, code]) => {
    const page = read(
      `<title>Nord Café</title><h1>Nord Café</h1><h2>Services</h2><footer>${lines.map((line) => `<p>${line}</p>`).join('')}<p>Tel. +44 20 7946 0018</p></footer>`,
    )
    if (page.home === undefined) throw new Error('the site has no home page')
    const text = businessBlock(page, page.home, readFacts(page, page.home))?.block.text
    expect(text).toContain(`"addressLocality": "${town}"`)
    expect(text).toContain(`"addressRegion": "${region}"`)
    expect(text).toContain(`"postalCode": "${code}"`)
  })

  const judged = (declared: string) =>
    runCheck(
      entityTrust,
      'nap',
      read(
        `<title>Nord Café</title><h1>Nord Café</h1><footer><p>4100 Harbor Point, Kirkland, WA 98033</p></footer>
        <script type="application/ld+json">{"@context":"https://schema.org","@type":"LocalBusiness","name":"Nord Café",
        "address":{"@type":"PostalAddress","streetAddress":"${declared}"}}</script>`,
      ),
    )

  test('is compared with the markup', () => {
    expect(judged('4100 Harbor Point').result).toBe('pass')
    expect(judged('9 Other Point')).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('differs'),
    })
  })
})
