import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { mailAddressesOf } from '../../../../../src/products/scan/site/contact/mail-addresses.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { readPage } from '../../../../../src/products/scan/site/page.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, reply, site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'

/** The fields of forms, where they are sent, and the addresses and languages that pages write. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)

describe('the parts of a name', () => {
  const fixOf = (html: string) => {
    const outcome = runCheck(accessibilityActionability, 'autocomplete', site({ [`${at}/`]: html }))
    return outcome.result === 'fail' ? outcome.fix : ''
  }
  const tokenOf = (fields: string) => /autocomplete="([\w-]+)"/.exec(fixOf(`<form>${fields}</form>`))?.[1]

  test.each([
    ['given-name', 'Nombre beside Apellidos', '<input name=nombre><input name=apellidos>'],
    ['family-name', 'Nom beside Prénom', '<input name=nom><input name=prenom>'],
    ['family-name', 'Name beside Vorname', '<input name=name><input name=vorname>'],
    ['name', 'a name beside both parts', '<input name=name><input name=vorname><input name=nachname>'],
    ['name', 'a name alone', '<input name=nombre>'],
    ['given-name', 'the label Voornaam', '<label>Voornaam <input></label>'],
    ['family-name', 'the label Cognome', '<label>Cognome <input></label>'],
    ['family-name', 'the label Apellidos', '<label>Apellidos * <input></label>'],
    ['given-name', 'Imię beside Nazwisko', '<label>Imię <input></label><label>Nazwisko <input></label>'],
    ['name', 'the label Namn', '<label>Namn <input></label>'],
    ['name', 'navn', '<input name=navn>'],
    ['name', 'the label Vor- und Nachname', '<label>Vor- und Nachname <input></label>'],
  ])('%s is proposed for %s', (token, _, fields) => expect(tokenOf(fields)).toBe(token))

  test('a surname of another form changes nothing', () => {
    const forms = '<form><input name=nombre></form><form><input name=apellidos></form>'
    expect(fixOf(forms)).toContain('autocomplete="name"')
  })
})

test.each([
  ['capital', '<strong>info@nord.se</strong><span>Svar inom 24 timmar</span>'],
  ['small letter', '<strong>info@nord.se</strong><span>svar inom 24 timmar</span><p>info@nord.se</p>'],
])('an address ends where the next element begins with a %s', (_, html) => {
  const page = readPage(reply(`${at}/`, `<h1>Nord</h1><div>${html}</div>`))
  expect(mailAddressesOf(page)).toEqual(['info@nord.se'])
})

test('an address at a longer ending stands beside a shorter one', () => {
  const page = readPage(reply(`${at}/`, '<p>post@nord.com and office@nord.company</p>'))
  expect(mailAddressesOf(page)).toEqual(['post@nord.com', 'office@nord.company'])
})

test.each([
  ['written', '<p>post@nord.com</p>'],
  ['linked', '<a href="mailto:post@nord.com">Mail</a>'],
])('an address at .com that is %s stands beside one at .co', (_, html) => {
  const page = readPage(reply(`${at}/`, `<p>post@nord.co</p>${html}`))
  expect([...mailAddressesOf(page)].toSorted()).toEqual(['post@nord.co', 'post@nord.com'])
})

test('an Italian hamlet with a number is a street address', () =>
  expect(streetsIn('Frazione Pos 1, 11020 Gressan').map(({ written }) => written)).toEqual([
    'Frazione Pos 1',
  ]))

test('Serbian, Croatian and Bosnian are not told apart by their letters', () => {
  const text =
    'Naš salon se nalazi u centru grada i radi svakog dana osim nedelje. Nudimo lasersko uklanjanje tetovaža, negu lica i tela, masaže i šišanje. Svaki tretman počinje razgovorom, u kojem zajedno biramo šta je najbolje za vašu kožu. Dođite da se upoznamo i popijemo kafu. '
  const judged = (tag: string) =>
    runCheck(
      accessibilityActionability,
      'lang',
      site({ [`${at}/`]: `<html ${tag}><body><h1>Salon</h1><p>${text.repeat(5)}</p></body></html>` }),
    )
  expect(judged('')).toMatchObject({ result: 'fail', fix: expect.stringContaining('lang="sr" for Serbian') })
  expect(judged('lang="en"')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('take Serbian, Croatian or Bosnian for English'),
  })
  expect(judged('lang="sr"').result).toBe('pass')
  expect(judged('lang="hr"').result).toBe('pass')
})

describe('a form that delivers nothing', () => {
  const dead = (action: string) =>
    `<form action="${action}" method="post"><input name=name><input type=email name=email><textarea name=message></textarea><button>Send</button></form>`
  const pages = {
    headers: { server: 'GitHub.com' },
    body: `<h1>Plumbing</h1><p>We mend pipes for customers. ${words(160)}</p><a href="mailto:post@nord.example">post@nord.example</a>`,
  }

  test('the opportunity beside a mail address does not deny it', () => {
    const { analysis } = analyze(
      captured({ 'https://nord.github.io/': { ...pages, body: `${pages.body}${dead('mail.php')}` } }),
      defaultNow,
    )
    const said = JSON.stringify(analysis)
    expect(said).toContain('and a form that delivers nothing')
    expect(said).not.toContain('and no form:')
  })

  test('only the forms that a program should take are said to be sent to it', () => {
    const body = `${pages.body}${dead('mail.php')}${dead('#')}`
    const outcome = runCheck(
      workflowAutomation,
      'lead-capture',
      site({ 'https://nord.github.io/': { ...pages, body } }),
    )
    expect(outcome.reason).toContain('2 forms deliver nothing')
    expect(outcome.reason).toContain('One is sent to a program of this host: /mail.php')
  })
})

test('a street ends before the dash that parts it from the town', () =>
  expect(streetsIn('4 Rue Michèle Morgan - Brétigny').map(({ written }) => written)).toEqual([
    '4 Rue Michèle Morgan',
  ]))

test.each(['Calle Mayor, nº 2', 'Calle Mayor n.º 2', 'Calle Mayor, núm. 2'])(
  '%s on the page is the address "Calle Mayor, 2" of the markup',
  (written) => {
    const address = '{"@type":"PostalAddress","streetAddress":"Calle Mayor, 2"}'
    const html = `<html lang="es"><title>Taller</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"LocalBusiness","name":"Taller","address":${address}}</script><p>${written}, 14001 Córdoba</p>`
    expect(runCheck(entityTrust, 'nap', site({ [`${at}/`]: html })).result).toBe('pass')
  },
)

test.each([
  ['<b>Email</b><span>hello@nord.se</span>', ['hello@nord.se']],
  ['<span>emailhello@nord.se</span>', ['emailhello@nord.se']],
])('the label before an address does not belong to it: %s', (html, addresses) => {
  const page = readPage(reply(`${at}/`, `<div>${html}</div>`))
  expect(mailAddressesOf(page)).toEqual(addresses)
})

test('a page that says all of it in the declared language and in another one declares the right one', () => {
  const german =
    'Unser Zentrum untersucht Knochen, Gelenke und Weichteile mit modernen Geräten in kurzer Zeit.'
  const english =
    'Our centre examines bones, joints and soft tissue with modern equipment within a short time, and with care.'
  const read = (pairs: string) =>
    runCheck(
      accessibilityActionability,
      'lang',
      site({ [`${at}/`]: `<html lang="de"><title>MRI</title>${pairs.repeat(12)}` }),
    ).result
  expect(read(`<p>${german}</p><p>${english}</p><p>${english}</p>`)).toBe('pass')
  expect(read(`<p>${english}</p>`)).toBe('fail')
})

describe('booking', () => {
  const read = (html: string, path = '') =>
    runCheck(
      workflowAutomation,
      'booking',
      site({
        [`${at}/`]: `<title>Dentist</title><a href="/privacy">Privacy</a>${path === '' ? html : ''}<a href="tel:+442079460018">Call</a>`,
        ...(path === '' ? {} : { [`${at}${path}`]: html }),
      }),
    ).result

  test('a form that is called so takes bookings', () =>
    expect(
      read('<form id="bookForm"><input name="name"><input type="tel"><button>Send</button></form>'),
    ).toBe('pass'))

  test('words of a privacy notice say nothing of appointments', () => {
    const words = '<h1>Privacy</h1><p>We keep your number to make an appointment with you.</p>'
    expect(read(words, '/privacy')).toBe('na')
    expect(read(words.replace('Privacy', 'Visits'))).toBe('warn')
  })
})
