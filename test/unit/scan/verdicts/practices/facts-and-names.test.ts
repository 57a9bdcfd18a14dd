import { describe, expect, test } from 'vitest'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { statedPrices } from '../../../../../src/products/scan/report/blocks/facts/stated-prices.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Numbers, addresses, prices, hours and names, as the sites of practices write them. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body>${html}`,
})
const textOf = (entries: Entries) => {
  const actions = analyze(captured(entries), defaultNow).analysis.report.actions ?? []
  return actions.map(({ block }) => block?.text ?? '').join('\n')
}

describe('questions to begin with', () => {
  const contact = '<p>Call 01803 496021, Lind Dental Practice, 4 Mill Lane, Totnes TQ9 5AB</p>'
  const hours = '<p>Mon, Thu 9:00-12:00 and 14:00-18:00</p><p>Fri 9:00-12:00</p>'

  test('have the hours of the page, with the days that are alike in one', () => {
    const text = textOf(home(`<h1>Lind Dental Practice</h1>${contact}${hours}`))
    expect(text).toContain('When are you open?')
    expect(text).toMatch(
      /Mon, Thu 09:00–12:00, 14:00–18:00; Fri 09:00–12:00\. CHECK THAT NO DAY IS MISSING\. SAY HOW ONE/,
    )
    expect(text).toContain('SAY HOW SOON YOU ANSWER')
  })

  test('ask for the hours where none were read', () => {
    const text = textOf(home(`<h1>Lind Dental Practice</h1>${contact}`))
    expect(text).not.toContain('When are you open?')
    expect(text).toContain('SAY WHEN SOMEBODY ANSWERS')
  })
})

describe('a link to call that shows another number', () => {
  const address = '<p>Lind Dental Practice, 4 Mill Lane, Totnes TQ9 5AB</p>'
  const calls = '<a href="tel:7678028399">Call now</a> <a href="tel:7678028399">7738448529</a>'

  test('is told with every place of the number, also in WhatsApp', () => {
    const outcome = runCheck(
      coreSnapshot,
      'contact-path',
      site(home(`${calls}<a href="https://wa.me/917678028399">Chat</a>`)),
    )
    expect(quotesOf(outcome)).toBe(
      'tel:7678028399, shown as "Call now" | tel:7678028399, shown as "7738448529" | https://wa.me/917678028399, shown as "Chat"',
    )
    expect(fixOf(outcome)).toMatch(/If the number of the links to WhatsApp is wrong, correct it, too\.$/)
  })

  test('leaves the number to the owner, where no page both dials and shows it', () => {
    const block = textOf(home(`<h1>Lind Dental Practice</h1>${address}${calls}`))
    expect(block).not.toContain('"telephone"')
    expect(block).not.toContain('How can I reach you?')
  })

  test('does not hide the number that most pages dial and show', () => {
    const own = '<a href="tel:7738448529">7738448529</a>'
    const page = `<html lang="en"><title>Contact</title><body><h1>Contact</h1>${own}`
    const start = `<h1>Lind Dental Practice</h1>${address}${own}<a href="/contact">Contact</a>${calls}`
    const block = textOf({ ...home(start), [`${at}/contact`]: page })
    expect(block).toContain('"telephone": "7738448529"')
  })
})

test('a number without its country is completed by the link to WhatsApp that opens it', () => {
  const html =
    '<h1>Lind Dental Practice</h1><p>Call <a href="tel:7678028399">7678028399</a> or <a href="https://wa.me/917678028399">write</a></p>'
  expect(textOf(home(html))).toContain('"telephone": "+91 76780 28399"')
})

describe('an address of India', () => {
  test.each([
    [
      'Shop No. 4, Sangam Complex, Near Clock Tower, Chikanghar, Kalyan (W) – 421301',
      ['Shop No. 4, Sangam Complex, Near Clock Tower, Chikanghar', 'Kalyan (W)', undefined, '421301'],
    ],
    [
      'Lind Centre, 15, Hari Om Shopping Centre,Plot No. 2, Sector-2, Kalyan - 421 301',
      ['15, Hari Om Shopping Centre,Plot No. 2, Sector-2', 'Kalyan', undefined, '421 301'],
    ],
    [
      'Visit us at Plot No. 12, Sector 5, Vashi, Navi Mumbai, Maharashtra 400703, India',
      ['Plot No. 12, Sector 5, Vashi', 'Navi Mumbai', 'Maharashtra', '400703'],
    ],
    [
      'Door No: 12/3, Anna Salai, Chennai, Pin Code: 600 002',
      ['Door No: 12/3, Anna Salai', 'Chennai', undefined, '600 002'],
    ],
  ])('is read from %s', (text, [street, town, region, code]) => {
    expect(postalAddressesIn(text).map(({ address }) => address)).toEqual([
      {
        ...{ streetAddress: street, addressLocality: town, postalCode: code },
        ...(region !== undefined && { addressRegion: region }),
      },
    ])
  })

  test('ends with a town, and not with any word before six digits', () => {
    expect(postalAddressesIn('In shop 5, room 3, and more, in 2024, Invoice 123456')).toEqual([])
  })
})

test('prices are named with the heading of their table, and parts of prices are none', () => {
  const rows =
    '<tr><th>Full upper</th><td>€700</td></tr><tr><th>Denture repair</th><td>€90</td></tr><tr><th>for gold, add</th><td>€40</td></tr>'
  const fees = `<html lang="en"><title>Fees</title><body><h1>Fees</h1><h3>Dentures</h3><table>${rows}</table><h3>Other</h3><table><tr><td>Biteguard</td><td>€250</td></tr></table>`
  const pages = site({ ...home('<h1>Lind</h1>'), [`${at}/fees`]: fees }).pages
  expect(statedPrices(pages).map(({ name }) => name)).toEqual([
    'Dentures: Full upper',
    'Denture repair',
    'Biteguard',
  ])
})

test('a picture at the top whose file is called logo is the logo', () => {
  const html =
    '<div class="logo"><img src="images/logo.png"></div><h1>Lind Dental Practice</h1><p>Call 01803 496021</p>'
  expect(textOf(home(html))).toContain(`"logo": "${at}/images/logo.png"`)
})

test('the logo of another page of the site is the logo', () => {
  const node = { '@context': 'https://schema.org', '@type': 'Dentist', name: 'Lind', logo: `${at}/lind.jpg` }
  const page = `<html lang="en"><title>Crowns</title><script type="application/ld+json">${JSON.stringify(node)}</script><body><h1>Crowns</h1>`
  const html = '<h1>Lind Dental Practice</h1><p>Call 01803 496021</p><a href="/crowns">Crowns</a>'
  expect(textOf({ ...home(html), [`${at}/crowns`]: page })).toContain(`"logo": "${at}/lind.jpg"`)
})

describe('a table that names its currency in its head', () => {
  const table = (head: string, cell: string) =>
    `<h1>Lind Dental Practice</h1><p>Call 01803 496021, 4 Mill Lane, Totnes TQ9 5AB</p><table><tr><th>Treatment</th><th>${head}</th></tr>${['Crown', 'Bridge', 'Filling'].map((name) => `<tr><td>${name}</td><td>${cell}</td></tr>`).join('')}</table>`
  const judge = (head: string, cell: string) =>
    runCheck(workflowAutomation, 'pricing', site(home(table(head, cell)))).result

  test.each([
    ['Price range(₹)', '6,000-8,000'],
    ['Price in EUR', '90'],
  ])('has prices below %s', (head, cell) => expect(judge(head, cell)).toBe('pass'))

  test.each([
    ['Visits', '90'],
    ['Price (₹)', 'on request'],
    ['$5 off', '90'],
  ])('has none below %s: %s', (head, cell) => expect(judge(head, cell)).toBe('fail'))
})

test('a question of the markup has to stand on the page, and may be folded', () => {
  const judge = (html: string) => {
    const mainEntity = [
      {
        '@type': 'Question',
        name: 'Do you offer facials?',
        acceptedAnswer: { '@type': 'Answer', text: 'Yes.' },
      },
    ]
    const node = { '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity }
    const markup = `<script type="application/ld+json">${JSON.stringify(node)}</script>`
    return runCheck(structuredData, 'agreement', site(home(`<h1>Lind</h1>${html}`, markup)))
  }
  expect(judge('<div hidden><h3>Do you offer facials?</h3><p>Yes.</p></div>').result).toBe('pass')
  const outcome = judge('<h3>Do you provide facials?</h3><p>Yes.</p>')
  expect(outcome.result).toBe('fail')
  expect(quotesOf(outcome)).toContain('question "Do you offer facials?" is not on the page')
})

describe('a name that only the markup has', () => {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Dental Hospital',
    url: `${at}/`,
  }
  const markup = `<script type="application/ld+json">${JSON.stringify(node)}</script>`
  const entries = (text: string): Entries => ({
    [`${at}/`]: `<html lang="en"><title>Lind Dental</title>${markup}<body><h1>Lind Dental</h1><p>${text}</p><p>Call 01803 496021</p>`,
  })

  test('gives way to the one that readers see', () => {
    expect(companyName(site(entries('We are dentists.')))).toBe('Lind Dental')
    expect(fixOf(runCheck(structuredData, 'agreement', site(entries('We are dentists.'))))).toMatch(
      /^Write "Lind Dental" as the name into the JSON-LD of .*, in place of "Lind Dental Hospital"/,
    )
  })

  test('stays where a page says it, too', () => {
    expect(companyName(site(entries('Welcome to the Lind Dental Hospital.')))).toBe('Lind Dental Hospital')
  })
})

test('the answer to a question ends at the next one in bold, which has its own', () => {
  const pair = (tag: string, question: string) =>
    `<${tag}>${question}</${tag}><p>Yes, of course, and gladly so.</p>`
  const html = `<h1>Questions</h1>${pair('h3', 'Do you take cards?')}${pair('h3', 'Do you see children?')}<p><strong>May I park?</strong></p><p>Behind the house.</p>`
  const block = textOf({
    ...home('<h1>Lind</h1><a href="/faq">Questions</a>'),
    [`${at}/faq`]: `<html lang="en"><title>Questions</title><body>${html}`,
  })
  expect(block).toContain('"name": "May I park?"')
  expect(block).not.toContain('gladly so. May I park?')
})
