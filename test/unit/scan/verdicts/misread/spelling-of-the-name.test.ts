import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** "Café" and "Cafe" are one name, and a quotation has the spelling of its place. */

test.each([
  ['Café Lind', 'Cafe Lind'],
  ['Cafe Lind', 'CAFÉ LIND'],
])('the evidence for the name quotes "%s" and "%s" where each stands', (one, other) => {
  const html = `<title>${one} | Cakes</title><meta property="og:site_name" content="${other}"><script type="application/ld+json">{"@context":"https://schema.org","@type":"CafeOrCoffeeShop","name":"${one}"}</script><body><h1>Cakes</h1><footer>© 2026 ${other}, Ulm</footer></body>`
  const outcome = runCheck(entityTrust, 'brand-name', site({ 'https://lind.example/': html }))
  expect(outcome.result).toBe('pass')
  expect(quotesOf(outcome)).toBe(
    `the title: has "${one}" | og:site_name: has "${other}" | the JSON-LD: has "${one}" | the footer: has "${other}"`,
  )
})

test('the person in the markup does not give a site its name where title and logo have another', () => {
  const person =
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Person","name":"Mia Lind"}</script>'
  const read = (title: string) =>
    runCheck(
      entityTrust,
      'brand-name',
      site({
        'https://nord.example/': `<title>${title}</title>${person}<header><a class="brand" href="/">Nordlicht</a></header><h1>Photos</h1><footer>© Mia Lind</footer>`,
      }),
    ).result
  expect(read('Nordlicht | Photos')).toBe('unmeasured')
  expect(read('Photos')).toBe('fail')
})

test('the first word of a name is no legal form, and the last one is', () => {
  const read = (name: string, footer: string) =>
    quotesOf(
      runCheck(
        entityTrust,
        'brand-name',
        site({
          'https://nord.example/': `<title>${name} | Cars</title><h1>${name}</h1><footer>© ${footer}.</footer>`,
        }),
      ),
    )
  expect(read('Co Clean Car', 'Co Clean Car')).toContain('the footer: has "Co Clean Car"')
  expect(read('Clean Car', 'Clean Car & Co')).toContain('the footer: has "Clean Car"')
})

test('a part of the title with a Japanese legal form is the name, whatever the footer has in Latin letters', () => {
  const read = (title: string) =>
    companyName(
      site({
        'https://nord-seni.example/': `<title>${title}</title><p>縫製</p><footer>© Nord, Inc.</footer>`,
      }),
    )
  expect(read('株式会社 北繊維工業')).toBe('株式会社 北繊維工業')
  expect(read('会社概要 | 北繊維工業株式会社')).toBe('北繊維工業株式会社')
})

test('the menu at the top of a short page is not its last line, and the message asks for that line', () => {
  const html = (end: string) =>
    `<title>Lind Dental - Clinic</title><body><nav><a href="/a">Lind Dental</a></nav><div><h3>Check-ups</h3><p>We look at your teeth.</p><h3>Fillings</h3><p>We mend your teeth.</p>${end}</div></body>`
  const read = (end: string) =>
    runCheck(entityTrust, 'brand-name', site({ 'https://lind.example/': html(end) }))
  expect(quotesOf(read(''))).toContain('the last line: no name')
  expect(read('')).toMatchObject({
    result: 'fail',
    fix: expect.stringContaining('og:site_name, the JSON-LD and the last line of'),
  })
  expect(quotesOf(read('<p>Lind Dental</p>'))).toContain('the last line: has "Lind Dental"')
})

describe('pages that bear another name in titles and logo', () => {
  const page = (title: string, logo: string, lang = 'es') =>
    `<html lang="${lang}"><title>${title}</title><body><nav><a class="logo" href="/">${logo}</a></nav><h1>Dientes</h1><p>Llame al +52 81 1721 8740.</p><h2>Precios</h2><p>Por cita.</p>`
  const entries = (name: string, lang = 'es') => ({
    'https://lind.example/': page('Consultorio Dental Lind - Dientes', 'Consultorio Dental Lind'),
    'https://lind.example/blog': page(`Blog | ${name}`, name, lang),
    'https://lind.example/nosotros': page(`Nosotros | ${name}`, name, lang),
  })
  const read = (name: string, lang?: string) => runCheck(entityTrust, 'brand-name', site(entries(name, lang)))

  test('contradict the home page, and the owner says which one is right', () => {
    const outcome = read('Centro Dental Lind')
    expect(fixOf(outcome)).toContain(
      'Decide which name is right, "Consultorio Dental Lind" or "Centro Dental Lind".',
    )
    const { actions = [] } = analyze(captured(entries('Centro Dental Lind')), defaultNow).analysis.report
    const texts = actions
      .map(({ block }) => block?.text ?? '')
      .filter((text) => /site_name|"name"/.test(text))
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) {
      expect(text).toContain('WRITE THE NAME OF YOUR BUSINESS HERE')
      expect(text).not.toContain('Consultorio Dental Lind"')
    }
  })

  test.each([
    ['a longer form', 'Consultorio Dental Lind Monterrey', 'es'],
    ['a shorter form', 'Dental Lind', 'es'],
    ['another language', 'Lind Dental Practice', 'en'],
    ['a word that names nothing', 'Blog', 'es'],
  ])('do not where it is %s', (_, name, lang) => {
    expect(fixOf(read(name, lang))).not.toContain('Decide which name')
  })
})
