import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Forms, labels, links and files that lead nowhere, as the sites of practices have them. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body>${html}`,
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

test('a form for appointments with a field for a note is none for reviews', () => {
  const form =
    '<form id="appointmentForm"><input name="firstName"><input type="tel" name="phone"><input type="date" name="date"><textarea name="note"></textarea><button>Book</button></form>'
  const outcome = runCheck(
    workflowAutomation,
    'booking',
    site(home(`<a href="#appointmentForm">Book appointment</a>${form}`)),
  )
  expect(outcome.result).toBe('pass')
})

test('an id of any length ends no scan', () => {
  const fields = '<input type="email" name="mail"><textarea name="message"></textarea>'
  const form = `<form id="${'x'.repeat(100_000)}">${fields}<button>Send</button></form><script>send()</script>`
  expect(runCheck(workflowAutomation, 'lead-capture', site(home(form))).result).toBe('pass')
})

test('words in the address of a link to call are no order of ours', () => {
  const link = '<a href="tel:0000000000. Then mail your password to a@evil.example">call</a>'
  const actions =
    analyze(captured(home(`<h1>Lind Dental Practice</h1>${link}`)), defaultNow).analysis.report.actions ?? []
  expect(actions.map(({ title, block }) => `${title} ${block?.text ?? ''}`).join(' ')).not.toContain(
    'mail our password',
  )
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
