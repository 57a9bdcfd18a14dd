import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Addresses that were published cut, so that they led to another door. */

describe('an address is read whole', () => {
  const read = (text: string) =>
    postalAddressesIn(text).map(({ address }) => Object.values(address).join(' · '))

  test.each([
    ['12 rue du 8 mai 1945, 69002 Nord', '12 rue du 8 mai 1945 · Nord · 69002'],
    ['30 avenue du 11 Novembre 1918 69006 Nord', '30 avenue du 11 Novembre 1918 · Nord · 69006'],
    ['4 rue Lind de 9h à 12h', '4 rue Lind'],
    ['Via Lind 12/B, 40121 Nord', 'Via Lind 12/B · Nord · 40121'],
    ['Lind Cad. No:12/3 34710 Nord', 'Lind Cad. No:12/3 · Nord · 34710'],
    ['Lindstr. 12/1, 29221 Nord. Tel.', 'Lindstr. 12/1 · Nord · 29221'],
    ['Lindgasse 12/1010 Nord', 'Lindgasse 12 · Nord · 1010'],
    ['Lindstr. 12-14, 29221 Nord', 'Lindstr. 12-14 · Nord · 29221'],
    ['Lindstr. 12-363 51 20', 'Lindstr. 12'],
    ['ul. Lindowa 12, 31-146 Nordowa, tel. 12', 'ul. Lindowa 12 · Nordowa · 31-146'],
    ['ul. Lindowa 12, 31-146 Nordowa Góra, tel. 12', 'ul. Lindowa 12 · Nordowa Góra · 31-146'],
    ['ul. Lindowa 12, 31-146 Nordowa Góra Zapraszamy', 'ul. Lindowa 12 · 31-146'],
    ['ul. Lindowa 12, 31-146 Nordowa Polska, tel. 12', 'ul. Lindowa 12 · Nordowa · 31-146'],
    ['ul. Lindowa 12, 31-146 Nordowa Umów, dzwoń', 'ul. Lindowa 12 · 31-146'],
    ['Lindstraße 3-5. Stock', 'Lindstraße 3'],
    ['100 Lind St, Suite 200, Nord, TX 78701 | (512)', '100 Lind St, Suite 200 · Nord · TX · 78701'],
    [
      'C. de Nord Lind, 7, Local, Nordviertel, 28025 Sund',
      'C. de Nord Lind, 7, Local, Nordviertel · Sund · 28025',
    ],
    ['C/ Lind 12, Tel. 963 51 20 11, 46001 Nord', 'C/ Lind 12'],
  ])('%s', (text, address) => {
    expect(read(text)).toEqual([address])
  })

  test('and no words that stand between street and town', () => {
    expect(new Set(read('Calle Lind 5, Abierto de lunes a viernes, 28001 Nord'))).toEqual(
      new Set(['Calle Lind 5']),
    )
  })

  test('and one whose name is cut is not published', () => {
    expect(read('12 rue du 159e régiment, 69002 Nord')).toEqual([])
  })
})

test('an address on the page ends where another part of the contacts begins', () => {
  const footer =
    '<footer><address>Vytauto g. 106 / Jūratės g. 42<br>LT-00133 Palanga<br><br>Administracijos klausimais:<br>El. pašto adresas: <a href="mailto:a@lind.example">a@lind.example</a></address></footer>'
  const outcome = runCheck(
    entityTrust,
    'nap',
    site({
      'https://lind.example/': `<title>Lind Dental Practice</title><h1>Lind Dental Practice</h1><a href="tel:+37065050000">+370 650 50000</a>${footer}`,
    }),
  )
  expect(quotesOf(outcome)).toMatch(
    /street address on the page: Vytauto g\. 106 \/ Jūratės g\. 42 LT-00133 Palanga$/,
  )
})
