import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { postalAddressesIn } from '../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { statedPrices } from '../../../../src/products/scan/report/blocks/facts/stated-prices.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What readers of practices found in the seventh session: small lines, figures that count up, numbers, labels, addresses. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body>${html}`,
})
const textOf = (entries: Entries) => {
  const actions = analyze(captured(entries), defaultNow).analysis.report.actions ?? []
  return actions.map(({ block }) => block?.text ?? '').join('\n')
}

describe('a small line above a heading', () => {
  const judge = (html: string) => quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(html))))

  test('becomes a paragraph, and the headings around it keep their levels', () => {
    expect(
      judge(
        '<h1>Lind</h1><div><i></i><h5>OUR SERVICES</h5><br><h2>Crowns</h2><p>Text.</p><h3>Prices</h3></div>',
      ),
    ).toBe(
      'h5 "OUR SERVICES" follows an h1, and becomes a paragraph, because a larger heading follows at once',
    )
  })

  test('stays a heading where a text or a smaller heading follows', () => {
    expect(judge('<h1>Lind</h1><div><h5>Hours</h5>Every day<h2>Crowns</h2></div>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
    expect(judge('<h1>Lind</h1><h5>Hours</h5><h2>Crowns</h2>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
    expect(judge('<h1>Lind</h1><h4>Hours</h4><h5>Monday</h5>')).toContain(
      '"Hours" follows an h1, and becomes h2',
    )
  })

  test('is no fault where it skips no level', () => {
    const html = '<h1>Lind</h1><h2>Services</h2><div><h3>Also</h3><h2>Crowns</h2><p>Text.</p></div>'
    expect(runCheck(contentAnswerability, 'hierarchy', site(home(html))).result).toBe('pass')
  })
})

describe('a row of figures', () => {
  const judge = (boxes: readonly string[]) => {
    const row = boxes.map((box) => `<div><h3>${box}</h3><p>of them</p></div>`).join('')
    const html = `<h1>Lind</h1><div>${row}</div><section><h4>Hours</h4><p>Every day</p></section>`
    return quotesOf(runCheck(contentAnswerability, 'hierarchy', site(home(html))))
  }

  test('becomes paragraphs, and the headings below it keep an order of their own', () => {
    const quotes = judge(['10+', '2,000+', 'All ages'])
    expect(quotes).toContain('h3 "All ages" becomes a paragraph, because it stands in a row of figures')
    expect(quotes).toContain('h4 "Hours" becomes h2')
  })

  test.each([[['1998', '2004', 'Today']], [['Crowns', '10+', 'Bridges']]])('is not %j', (boxes) => {
    expect(judge(boxes)).not.toContain('a row of figures')
  })
})

describe('a page with the title of all pages', () => {
  const page = (body: string, more = '') =>
    `<html lang="en"><title>Lind Dental Practice</title><body><a href="/list">Services</a>${body}<p>Text.</p>${more}`
  const entries = {
    ...home('<h1>Lind</h1><nav><a href="/list">Services</a></nav>'),
    [`${at}/list`]: page(
      '<h2>Services</h2><h3>Crowns</h3><a href="/1">more</a><h3>Bleaching</h3><a href="/2">more</a>',
    ),
    [`${at}/1`]: page('<h3>Crowns</h3>', '<h4>Of gold</h4>'),
    [`${at}/2`]: page('<h3>Bleaching</h3>', '<h4>At home</h4>'),
  }

  test('is named by its first heading, though the list of services has the same', () => {
    const quotes = quotesOf(runCheck(contentAnswerability, 'titles', site(entries)))
    expect(quotes).toContain('name "Crowns"')
    expect(quotes).toContain('name "Bleaching"')
  })

  test('is not named by a line that stands above all pages', () => {
    const logo = '<h2>Lind, dentists</h2>'
    const all = Object.entries(entries).map(([url, body]) => [
      url,
      body.toString().replace('<body>', `<body>${logo}`),
    ])
    const quotes = quotesOf(runCheck(contentAnswerability, 'titles', site(Object.fromEntries(all))))
    expect(quotes).not.toContain('Lind, dentists')
    expect(quotes).toContain('name "Of gold"')
  })
})

describe('a figure that a script counts up', () => {
  const judge = (html: string) => runCheck(renderPerformance, 'counters', site(home(html)))

  test('is asked for in the HTML where 0 stands there', () => {
    const outcome = judge(
      '<div><h2 data-target="5000">0</h2><p>Happy patients</p></div><div><b data-count="1,500">0+</b> Implants</div>',
    )
    expect(outcome.result).toBe('fail')
    expect(fixOf(outcome)).toBe(
      `Write 5000 into the HTML of ${at}/, in place of the 0 for "Happy patients". A script may still count up to it. Do the same with another figure.`,
    )
    expect(quotesOf(outcome)).toBe(
      '0 for "Happy patients", and 5000 by a script | 0 for "Implants", and 1,500 by a script',
    )
  })

  test('passes where it stands there', () => {
    expect(judge('<div><h2 data-target="5000">5,000+</h2><p>Happy patients</p></div>').result).toBe('pass')
  })

  test.each([
    '<button data-target="#menu">0</button> Menu',
    '<div><span data-count="1">0</span> Cart</div>',
    '<div><span data-value="5">0</span></div>',
    '<div><span data-target="5">Slide 2</span> of ten</div>',
    '<div data-target="20"><b>0</b> Nested</div>',
  ])('does not wait in %s', (html) => {
    expect(judge(html).result).toBe('pass')
  })
})

describe('questions to begin with', () => {
  const contact = '<p>Call 01803 496021, Lind Dental Practice, 4 Mill Lane, Totnes TQ9 5AB</p>'
  const hours = '<p>Mon, Thu 9:00-12:00 and 14:00-18:00</p><p>Fri 9:00-12:00</p>'

  test('have the hours of the page, with the days that are alike in one', () => {
    const text = textOf(home(`<h1>Lind Dental Practice</h1>${contact}${hours}`))
    expect(text).toContain('When are you open?')
    expect(text).toMatch(/Mon, Thu 09:00–12:00, 14:00–18:00; Fri 09:00–12:00\. SAY HOW ONE/)
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

describe('fields outside of a form', () => {
  const fields =
    '<div><h3>Ask for an appointment</h3><input type="tel" placeholder="Phone"><textarea placeholder="Message"></textarea><button id="ask">Send</button></div>'
  const judge = (script: string) =>
    runCheck(workflowAutomation, 'lead-capture', site(home(`${fields}<script>${script}</script>`)))
  const thanks = "alert('Thank you! We will call you.')"

  test.each([
    `const button = document.getElementById('ask'); if (button) button.addEventListener('click', () => { ${thanks} })`,
    `document.querySelector('#ask').onclick = function () { ${thanks} }`,
    `$('#ask').on('click', function () { ${thanks} })`,
  ])('are told to send nothing by %s', (script) => {
    expect(judge(script).result).toBe('fail')
  })

  test.each([
    `document.getElementById('ask').addEventListener('click', () => { fetch('/mail'); ${thanks} })`,
    `document.getElementById('other').addEventListener('click', () => { ${thanks} })`,
    `document.getElementById('ask').addEventListener('click', unknown)`,
  ])('may send by %s', (script) => {
    expect(judge(script).result).toBe('pass')
  })
})

describe('a label that stands before a field and is tied to nothing', () => {
  const field = '<div><label>Last name</label><input type="text" placeholder="Sharma"></div>'

  test('is told, though the field has an example in it', () => {
    const outcome = runCheck(accessibilityActionability, 'labels', site(home(`<form>${field}</form>`)))
    expect(outcome.result).toBe('fail')
  })

  test('says what the field is for', () => {
    const outcome = runCheck(accessibilityActionability, 'autocomplete', site(home(`<form>${field}</form>`)))
    expect(fixOf(outcome)).toContain('autocomplete="family-name"')
  })

  test('is no label of the next field where it has its own', () => {
    const html = '<form><label><input type="checkbox"> Yes</label><input placeholder="E-mail"></form>'
    expect(runCheck(accessibilityActionability, 'labels', site(home(html))).result).toBe('pass')
  })
})

describe('the main part of a page whose team are articles', () => {
  const article = `<article><h3>Ann</h3><p>${'She is a dentist. '.repeat(10)}</p></article>`
  const other = `<section><h2>Training</h2><p>${'We learn every year. '.repeat(8)}</p></section>`

  test('holds the other parts of the text as well', () => {
    const read = site(home(`<h1>Lind</h1><section>${article}${article}</section>${other}`))
    expect(read.home?.mainText).toContain('We learn every year.')
  })

  test('is the one article where only a list of links stands beside it', () => {
    const read = site(home(`<h1>Lind</h1>${article}<div><a href="/1">We learn</a></div>`))
    expect(read.home?.mainText).not.toContain('We learn')
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

test('a form for reviews takes no enquiries', () => {
  const review =
    '<form id="reviewForm"><input name="review_name"><select name="rating"><option>5</option></select><textarea name="review"></textarea><button>Send</button></form>'
  const outcome = runCheck(
    workflowAutomation,
    'lead-capture',
    site(home(`<p>Call 01803 496021</p>${review}`)),
  )
  expect(outcome.result).not.toBe('pass')
})

describe('links that lead nowhere', () => {
  const link = '<a href="/disclaimer">Disclaimer</a><a href="/prices-old">Old prices</a>'
  const gone = { status: 404, purpose: 'link' } as const
  const entries: Entries = {
    ...home(`<h1>Lind</h1><a href="/team">Team</a>${link}`),
    [`${at}/team`]: `<html lang="en"><title>Team</title><body><h1>Team</h1>${link}`,
    [`${at}/prices-old`]: gone,
    [`${at}/disclaimer`]: gone,
  }

  test('are named with each page that has them', () => {
    const outcome = runCheck(freshnessIndex, 'internal-links', site(entries))
    expect(quotesOf(outcome)).toContain(`linked on ${at}/ as "Old prices", and on ${at}/team`)
  })

  test('are left to the check of notices where they lead to one', () => {
    const seen = site(entries)
    expect(fixOf(runCheck(entityTrust, 'legal', seen))).toContain(`${at}/disclaimer`)
    expect(quotesOf(runCheck(freshnessIndex, 'internal-links', seen))).not.toContain('/disclaimer')
  })
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

test('a link to "#" that opens the menu is to be named, and needs no address', () => {
  const outcome = runCheck(
    accessibilityActionability,
    'names',
    site(home('<a href="#" class="site-menu-toggle"><i class="icon-menu"></i></a>')),
  )
  expect(fixOf(outcome)).toContain('give it an aria-label that says what it does')
})

describe('a form that a script sends to its own site', () => {
  const form =
    '<form id="mail"><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form><form id="ask"><input name="day"></form>'
  const script = `document.getElementById('ask').addEventListener('submit', () => { alert('Hello') }); const mail = document.querySelector('#mail'); mail?.addEventListener('submit', async (event) => { event.preventDefault(); await fetch('/api/send-contact', { method: 'POST', body: new FormData(mail) }) })`
  const judge = (server: string) =>
    runCheck(
      workflowAutomation,
      'lead-capture',
      site({
        [`${at}/`]: {
          body: `<html lang="en"><title>Lind</title><body><h1>Lind</h1>${form}<script>${script}</script>`,
          headers: { 'content-type': ['text/html'], server: [server] },
        },
      }),
    )

  test('is lost where the host runs no programs, though another form has a handler of its own', () => {
    expect(judge('GitHub.com').result).toBe('fail')
  })

  test('may arrive elsewhere', () => {
    expect(judge('nginx').result).toBe('pass')
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

test('a list in a box beside the text is counted', () => {
  const text = `<p>${'We look after teeth in the town of Totnes. '.repeat(56)}</p>`
  const judge = (items: string) =>
    runCheck(
      contentAnswerability,
      'lists-tables',
      site(home(`<main><h1>Lind</h1>${text}<aside><ul>${items}</ul></aside></main>`)),
    ).result
  expect(judge('<li>Calm</li><li>No pain</li>')).not.toBe('fail')
  expect(judge('<li><a href="/1">Crowns</a></li><li><a href="/2">Bridges</a></li>')).toBe('fail')
})

test('a start page that is not there is asked for, and no bot is to be let pass', () => {
  const gone = { status: 404, body: '<h1>Not found</h1>' }
  const { report } = analyze(captured({ [`${at}/`]: gone }), defaultNow).analysis
  const [first] = report.actions ?? []
  expect(first?.title).toBe(
    `Publish a start page at ${at}/: nothing is there today. Do your pages lie at another address? Then have that one scanned.`,
  )
  expect(first?.block?.text ?? '').not.toContain('bingbot')
})

test('a source map is no stylesheet that is missing', () => {
  const head = '<link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/a.css.map">'
  const files: Entries = {
    [`${at}/a.css`]: { body: 'p { color: red }', purpose: 'style' },
    [`${at}/a.css.map`]: { status: 404, purpose: 'style' },
  }
  const outcome = runCheck(
    renderPerformance,
    'linked-files',
    site({ ...home('<h1>Lind</h1>', head), ...files }),
  )
  expect(outcome.result).toBe('pass')
})
