import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { messageOf } from '../../../../src/products/scan/report/work/messages.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** Sites that somebody wrote by hand, with what readers found on public ones of the kind. */

const at = 'https://lind.example'
const home = (html: string, lang = 'en'): Entries => ({
  [`${at}/`]: `<html lang="${lang}"><title>Lind Dental Practice</title><body>${html}`,
})
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []

describe('alternative texts', () => {
  const withAlt = (alt: string) =>
    runCheck(accessibilityActionability, 'alt', site(home(`<img src="/a.jpg" alt="${alt}">`))).result

  test.each(['image', 'Image 2', 'not found', 'image not found', 'photo', 'Bild', '画像', 'alt text'])(
    '%s says nothing',
    (alt) => expect(withAlt(alt)).toBe('fail'),
  )

  test.each([
    'Photo of the reception',
    'Bild der Praxis',
    'Image by Ada Lind',
    'Our team, not found in any office',
  ])('%s says what is shown', (alt) => expect(withAlt(alt)).toBe('pass'))
})

describe('what can be clicked and is no control', () => {
  const judged = (html: string) => runCheck(accessibilityActionability, 'real-controls', site(home(html)))

  test('may be a link without an address', () => {
    expect(judged('<a class="next" onclick="show(1)">Next</a>').result).toBe('fail')
    expect(judged('<a href="/next" onclick="count()">Next</a>').result).toBe('pass')
  })

  test('gets a name where it shows no text', () => {
    expect(fixOf(judged('<span class="dot" onclick="show(1)"></span>'))).toContain('aria-label')
    expect(fixOf(judged('<span class="dot" onclick="show(1)">One</span>'))).not.toContain('aria-label')
  })
})

test('a part about the people that has no heading is named by the words of the menu', () => {
  const outcome = runCheck(
    entityTrust,
    'about',
    site(
      home(
        '<nav><a href="#who">Unsere Zahnärztinnen</a></nav><div id="who"><p>Seit 1992 sind wir in Hull tätig.</p></div>',
        'de',
      ),
    ),
  )
  expect(quotesOf(outcome)).toContain('below "Unsere Zahnärztinnen"')
  expect(fixOf(outcome)).toContain('below "Unsere Zahnärztinnen"')
})

test('clicks that can be counted are named: no call where no number is linked', () => {
  const reasonOf = (html: string) => {
    const outcome = runCheck(workflowAutomation, 'crm-tags', site(home(`<h1>Dentist</h1>${html}`)))
    return 'reason' in outcome ? outcome.reason : ''
  }
  const mail = '<a href="mailto:post@lind.example">post@lind.example</a>'
  expect(reasonOf(`${mail} Tel. 030 427 26 27`)).toContain('end in a message.')
  expect(reasonOf(`${mail} <a href="tel:+49304272627">030 427 26 27</a>`)).toContain(
    'end in a call or a message.',
  )
})

describe('a number that is too short for its country', () => {
  const call = home('<h1>Lind</h1><p>Dentist</p><a href="tel:+60391394">+60391394</a>')

  test('is told where a link dials it', () => {
    const outcome = runCheck(coreSnapshot, 'contact-path', site(call))
    expect(outcome.result).toBe('warn')
    expect(fixOf(outcome)).toContain('Write your own number in place of it')
    const whole = home('<h1>Lind</h1><a href="tel:+60391394000">+60 3 9139 4000</a>')
    expect(runCheck(coreSnapshot, 'contact-path', site(whole)).result).toBe('pass')
  })

  test('is published nowhere, and the right one is asked for', () => {
    const block = actionsOf(call).flatMap((action) =>
      action.settles.includes('structured-data/organization') ? (action.block ?? []) : [],
    )[0]
    expect(block?.text).not.toContain('391394')
    expect(block?.where).toContain(
      'Your telephone number stands in an earlier answer: add it as "telephone".',
    )
  })
})

test.each([
  'Monday to Saturday: 9.00a.m. to 5.30p.m. We are closed on Sundays.',
  '28A, Jalan Tun Mohd Fuad, Taman Tun Dr.Ismail,60000 Kuala Lumpur.',
  '1-10 (1st Floor), Jalan Kasturi 1, Off Jalan Balakong, 43200 Cheras, Selangor.',
  'Call us on weekdays, Tel: 03 9139 4000, or write to us whenever you like.',
])('%s is no description of a business', (notice) => {
  const block = actionsOf(home(`<main><h1>Lind</h1><p>${notice}</p></main>`)).flatMap((action) =>
    action.settles.includes('structured-data/organization') ? (action.block ?? []) : [],
  )[0]
  expect(block?.text).not.toContain('"description"')
})

test('where pages differ in the address, the message has the wrong one corrected', () => {
  const page = (street: string, menu = '') =>
    `<html lang="de"><title>Zahnarztpraxis Lind</title><body>${menu}<h1>Zahnarztpraxis Lind</h1><p>Zahnarzt in Berlin</p><footer>Zahnarztpraxis Lind, ${street}, 10249 Berlin, Tel. 030 427 26 27</footer>`
  const actions = actionsOf({
    [`${at}/`]: page('Hafenstraße 73', '<nav><a href="/impressum">Impressum</a></nav>'),
    [`${at}/impressum`]: page('Hafenstraße 37'),
  })
  const action = actions.find(({ settles }) => settles.includes('structured-data/organization'))
  const message = action && messageOf(action, new Map())
  expect(message?.asks).toContain('the street, postal code and town that are right (address)')
  expect(message?.text).toContain(
    'Where a page says something else today, correct it there, unless it is true of another place of ours.',
  )
})
