import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { messageOf } from '../../../../src/products/scan/report/work/messages.ts'
import { openingHoursIn } from '../../../../src/products/scan/signals/contact/opening-hours.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../support/scans/checks.ts'

/** What sites still have of their template or of an earlier state: files, numbers, pictures, and hours in half a sentence. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body><h1>Lind Dental Practice</h1>${html}`,
})
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []

describe('a stylesheet that is not there', () => {
  const judge = (media: string, other: Entries = {}) =>
    reasonOf(
      runCheck(
        renderPerformance,
        'linked-files',
        site({
          ...home(
            '',
            `<link rel="stylesheet" href="/all.css"><link rel="stylesheet" href="/gone.css"${media}>`,
          ),
          [`${at}/gone.css`]: { status: 404, purpose: 'style' },
          ...other,
        }),
      ),
    )
  const there: Entries = { [`${at}/all.css`]: { body: 'p { color: red }', purpose: 'style' } }

  test('takes the whole design, or a part of it beside another', () => {
    expect(judge('')).toContain('Visitors see the page without its design.')
    expect(judge('', there)).toContain('Visitors see the page without a part of its design.')
  })

  test('of narrow screens is missed on telephones alone', () => {
    const media = ' media="screen and (max-width: 600px)"'
    expect(judge(media, there)).toContain('Visitors see the page on telephones without a part of its design.')
  })
})

describe('the number of a template', () => {
  const call = '<a href="tel:+1-555-555-5555"></a>'
  const fix = (html: string) => fixOf(runCheck(coreSnapshot, 'contact-path', site(home(html))))

  test('is to be corrected in the text only where readers see it', () => {
    expect(fix(`${call}<p>Tel: (905) 472-2700</p>`)).toMatch(/in the link to tel:\+1-555-555-5555\.$/)
    expect(fix(`${call}<p>Tel: (555) 555-5555</p>`)).toContain('and in the text that visitors read')
  })

  test('is told of a fax as well', () => {
    expect(fix(`${call}<a href="fax:+1-555-555-5555"></a>`)).toContain('the link to fax:+1-555-555-5555')
  })

  test('is no name for its link', () => {
    const outcome = runCheck(accessibilityActionability, 'names', site(home(call)))
    expect(outcome.result).toBe('fail')
    expect(fixOf(outcome)).not.toContain('the text "')
  })
})

describe('pictures that are called reviews', () => {
  const judge = (html: string) =>
    runCheck(entityTrust, 'proof', site(home(`${html}<p>Call 01803 496021, 4 Mill Lane, Totnes TQ9 5AB</p>`)))

  test('are told as what programs do not read', () => {
    const outcome = judge('<img src="/img/review 1.png"><img src="/img/review%202.png">')
    expect(outcome.result).toBe('warn')
    expect(reasonOf(outcome)).toContain('are called reviews')
    expect(quotesOf(outcome)).toContain('/img/review 2.png')
  })

  test.each([
    ['one alone', '<img src="/img/review-1.png">'],
    ['logos of portals', '<img src="/google-review-logo.png"><img src="/review-badge.svg">'],
    ['other words', '<img src="/preview-1.png"><img src="/reviewed-2.png">'],
  ])('are not %s', (_, html) => expect(judge(html).result).toBe('fail'))
})

describe('hours', () => {
  test('that end a day as another sentence says are read', () => {
    const hours = 'Tuesday 9:00 - 13:30, 15:00 - 18:30\nThursday 9:30 - 18:00'
    expect(openingHoursIn(`Late on Tue. until 18:30 and Thursdays until 18:00.\n${hours}`)).toEqual([
      'Tu 09:00-13:30',
      'Tu 15:00-18:30',
      'Th 09:30-18:00',
    ])
    expect(openingHoursIn(`Late on Tue. until 20:00.\n${hours}`)).toBe('partly')
  })

  test('that give a choice are not read in half', () => {
    expect(openingHoursIn('Monday: 10am-4pm\nTuesday: 10am-4pm or 1pm - 7pm')).toBe('partly')
  })
})

test('what the markup says of a page that scripts write is not compared', () => {
  const node = '{"@context":"https://schema.org","@type":"Dentist","name":"Other Name"}'
  const shell = site({
    [`${at}/`]: `<title>Lind</title><script type="application/ld+json">${node}</script><body><div id="root"></div><script src="/app.js"></script>`,
  })
  expect(runCheck(structuredData, 'agreement', shell).result).toBe('unmeasured')
  expect(
    runCheck(
      structuredData,
      'agreement',
      site(home('<p>Text</p>', `<script type="application/ld+json">${node}</script>`)),
    ).result,
  ).toBe('fail')
})

test('a logo is asked for once', () => {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Dental Practice',
    url: `${at}/`,
    telephone: '+44 1803 496021',
  }
  const actions = actionsOf(
    home('<p>Text</p>', `<script type="application/ld+json">${JSON.stringify(node)}</script>`),
  )
  const asks = actions.flatMap((action) => messageOf(action, new Map())?.asks ?? [])
  expect(asks.filter((one) => one.includes('logo'))).toHaveLength(1)
  const holder = actions.find(({ settles }) => settles.includes('structured-data/organization'))
  expect(holder?.settles).toContain('structured-data/website-node')
})

test('the message with the new description gives it to the preview as well', () => {
  const description = `${'A dental practice in Totnes with time for you. '.repeat(5)}`
  const actions = actionsOf(home('<p>Text</p>', `<meta name="description" content="${description}">`))
  const action = actions.find(({ id }) => id === 'core-snapshot/title-desc')
  expect(action && messageOf(action, new Map())?.text).toContain(
    'Give og:description the same words, for previews.',
  )
})

test('a preview with a picture of the page asks for a better one', () => {
  const actions = actionsOf(home('<main><img src="/room.jpg"><p>Text</p></main>'))
  const asks = actions.flatMap((action) => messageOf(action, new Map())?.asks ?? [])
  expect(asks).toContain('a better picture for the preview, if that in the lines does not show your business')
})

describe('links of a template', () => {
  const needs = (html: string) => quotesOf(runCheck(accessibilityActionability, 'names', site(home(html))))

  test.each([
    ['https://facebook.com/', 'Facebook'],
    ['#https://www.twitter.com/', 'X'],
  ])('%s is no profile', (href, service) => {
    expect(needs(`<a href="${href}"><i class="bi"></i></a>`)).toContain(
      `needs the address of the profile that is meant, and a text "${service}"`,
    )
  })

  test('that have only a picture are told apart by it', () => {
    expect(needs('<a href="#"><img src="/primscan.png"></a>')).toContain('around the picture /primscan.png')
  })

  test('come before those that the web person can name alone', () => {
    const many = Array.from({ length: 80 }, (_, place) => `<a href="/p${place}"><img src="/i.png"></a>`).join(
      '',
    )
    expect(needs(`${many}<a href="#"><img src="/primscan.png"></a>`)).toContain('primscan')
  })
})

test('a number that a link dials without its plus is published as readers see it', () => {
  const action = actionsOf(home('<a href="tel:(213) 793069587">Call</a><p>+213 793 06 95 87</p>')).find(
    ({ settles }) => settles.includes('structured-data/organization'),
  )
  expect(action && messageOf(action, new Map())?.text).toContain('"telephone": "+213 793 06 95 87"')
})

test('questions that unfold their answers by a link are answered questions', () => {
  const pair = (question: string, place: number) =>
    `<li><a data-bs-toggle="collapse" data-bs-target="#q${place}">${question}</a><div id="q${place}"><p>Not at all, because we take our time and explain each step to you before we begin.</p></div></li>`
  const questions = [
    'Is a visit painful?',
    'How long does it take?',
    'Who may come along?',
    'What do I bring with me?',
  ]
  const html = `<section id="faq"><h2>Frequently Asked Questions</h2><ul>${questions.map(pair).join('')}</ul></section>`
  const page = site(home(html))
  expect(runCheck(workflowAutomation, 'faq', page).result).toBe('pass')
  expect(runCheck(workflowAutomation, 'support', page).result).toBe('pass')
})

test('an empty description is taken out where a new one is pasted', () => {
  const action = actionsOf(
    home(
      '<main><p>We are a dental practice in Totnes and repair teeth with care. We explain each step before we begin.</p></main>',
      '<meta name="description" content="">',
    ),
  ).find(({ block }) => block?.text.includes('name="description"'))
  expect(action?.block?.where).toContain('Take out what stands there and is empty: description')
})

test('a pin on a map is no entry of the business, and a white logo is none to publish', () => {
  const action = actionsOf(
    home(
      `<header><img src="/logo_white.png" class="logo"></header><a href="https://www.google.com/maps/place/27°52'26.8%22N+82°31'18.3%22E/">Map</a><p>Call 01803 496021</p>`,
    ),
  ).find(({ settles }) => settles.includes('structured-data/organization'))
  const message = action && messageOf(action, new Map())
  expect(message?.text).not.toContain('"sameAs"')
  expect(message?.text).not.toContain('logo_white')
  expect(message?.asks.join(' ')).toContain('(logo)')
})

test('a form without a field for an answer, whose fields have no names, gets names as well', () => {
  const fix = (field: string) => {
    const contact = `<html lang="en"><title>Contact</title><h1>Contact</h1><form action="https://forms.example/x" method="post">${field}<select name="query"><option>Braces</select><button>Send</button></form>`
    const pages = { ...home('<a href="/contact.html">Contact</a>'), [`${at}/contact.html`]: contact }
    return fixOf(runCheck(workflowAutomation, 'lead-capture', site(pages)))
  }
  expect(fix('<input id="fullName" placeholder="Your full name">')).toContain(
    'Give each field a name attribute',
  )
  expect(fix('<input name="name" placeholder="Your full name">')).toContain(
    'Leave its other fields as they are',
  )
})
