import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { ownerTitle } from '../../../../src/products/scan/report/work/owner-titles.ts'
import { stepsFor } from '../../../../src/products/scan/report/work/steps.ts'
import { whoActs } from '../../../../src/products/scan/report/work/who-acts.ts'
import { readIndustry } from '../../../../src/products/scan/signals/industry/industry.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What a dentist and a shop owner found false or could not act on when they read whole reports. */

const at = (path: string) => `https://lind.example${path}`
const words = (count: number) => 'word '.repeat(count)
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []

describe('a menu that only scripts write', () => {
  const page = (body: string) =>
    site({ [at('/')]: `<title>Lind</title><script src="/menu.js"></script>${body}` })
  const scripted = page(`<div id="header-container"></div><main><h1>Lind</h1><p>${words(80)}</p></main>`)

  test('is named as the fault', () => {
    const outcome = runCheck(renderPerformance, 'js-shell', scripted)
    expect(outcome).toMatchObject({
      result: 'warn',
      fix: `Write the menu of ${at('/')} into the page itself, so that agents find the pages behind it.`,
    })
    expect(quotesOf(outcome)).toBe('no link to another page, and #header-container is left to scripts')
  })

  test.each([
    ['the people', entityTrust, 'about'],
    ['the privacy notice', entityTrust, 'legal'],
    ['the contact', coreSnapshot, 'contact-path'],
    ['the prices', workflowAutomation, 'pricing'],
    ['a form', workflowAutomation, 'lead-capture'],
  ])('so nothing is said about %s, which may stand behind it', (_what, agent, check) => {
    expect(runCheck(agent, check, scripted).result).toBe('unmeasured')
  })

  test.each([
    ['a page with a link to another', '<nav></nav><a href="/about">About</a>'],
    ['a page without an empty menu', '<nav>Lind</nav>'],
  ])('is not seen on %s', (_what, body) => {
    const one = page(`${body}<main><h1>Lind</h1><p>${words(80)}</p></main>`)
    expect(runCheck(renderPerformance, 'js-shell', one).result).toBe('pass')
  })
})

describe('a notice that only the link to it tells', () => {
  const home = `<title>Lind</title><main><h1>Lind</h1><p>${words(320)}</p><a href="/ds-erkl">Datenschutz</a></main>`
  const notice = '<title>DS</title><main><h1>Cookies?</h1><p>Ja.</p></main>'

  test('need not be long', () => {
    const one = site({ [at('/')]: home, [at('/ds-erkl')]: notice })
    expect(runCheck(contentAnswerability, 'depth', one).result).toBe('pass')
  })

  test('answers no questions of customers', () => {
    const asked = [
      'Welche Daten sammeln wir?',
      'Wie lange bleiben sie?',
      'Wer liest sie mit?',
      'Was ist ein Cookie?',
    ]
    const html = `<title>DS</title><main>${asked.map((one) => `<h2>${one}</h2><p>${words(30)}</p>`).join('')}</main>`
    const one = site({ [at('/')]: home.replace('Lind', 'Lind GmbH'), [at('/ds-erkl')]: html })
    expect(runCheck(workflowAutomation, 'faq', one).result).toBe('fail')
  })

  test('stands in the legal part of llms.txt', () => {
    const text = actionsOf({
      [at('/')]:
        `${home}<meta name="description" content="Lind mends all kinds of teeth in the middle of Kriens, also on Saturdays.">`,
      [at('/ds-erkl')]: notice,
      [at('/llms.txt')]: { status: 404 },
    }).find(({ block }) => block?.kind === 'llms.txt')?.block?.text
    expect(text).toMatch(/## Legal\n\n- \[DS\]/)
  })
})

test('a consultation about an order is no appointment, and a booked one is', () => {
  const of = (heading: string) =>
    runCheck(workflowAutomation, 'booking', site({ [at('/')]: `<h1>Pots</h1><h2>${heading}</h2>` })).result
  expect(of('Initial Consultation')).toBe('na')
  expect(of('Book a consultation')).not.toBe('na')
})

test.each(['McClay Pottery', 'Handmade ceramics', 'Töpferei Lind'])('"%s" tells its trade', (title) => {
  expect(readIndustry(site({ [at('/')]: `<title>${title}</title><h1>${title}</h1>` })).how).not.toBe(
    'unclear',
  )
})

test('advice to add figures quotes first the page that lacks most', () => {
  const one = site({
    [at('/')]: `<h1>Lind</h1><main><h1>Lind</h1><p>${words(400)}</p></main>`,
    [at('/b')]: `<main><h1>B</h1><p>${words(100)} €5 €6 €7</p></main>`,
  })
  const outcome = runCheck(contentAnswerability, 'evidence', one)
  expect(outcome.result).toBe('fail')
  expect(quotesOf(outcome)).toMatch(/^0 figures/)
})

describe('what a report says of a page', () => {
  test('counts the pages with a fault, not those without', () => {
    const bad = (n: number) => `<main><h1>Page ${n}</h1><h3>Skipped</h3><p>${words(200)}</p></main>`
    const one = site({ [at('/')]: bad(1), [at('/b')]: bad(2) })
    const outcome = runCheck(contentAnswerability, 'hierarchy', one)
    expect(outcome.reason).toMatch(/^2 of 2 content pages have headings out of order/)
  })

  test('is true for the eye where a label stands beside its field and is not tied to it', () => {
    const one = site({ [at('/')]: '<form><label>Name</label><input name="n"></form>' })
    const outcome = runCheck(accessibilityActionability, 'labels', one)
    expect(outcome.reason).toContain('0 of 1 form field has a label that is tied to it')
    expect(outcome.reason).toContain('Words that only stand beside a field are not tied to it')
  })

  test('leaves a long title as it is where og:site_name is enough for the name', () => {
    const title = 'Pottery in Kriens | Bowls, mugs, plates and courses | 041 555 01 42'
    const ld =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Lind Keramik"}</script>'
    const named = (text: string) =>
      runCheck(
        entityTrust,
        'brand-name',
        site({ [at('/')]: `<title>${text}</title>${ld}<footer>© Lind Keramik</footer>` }),
      )
    const [long, short] = [named(title), named('Pottery in Kriens')]
    expect('fix' in long && long.fix).toBe(
      `Write "Lind Keramik" in the same spelling into og:site_name of ${at('/')}.`,
    )
    expect('fix' in short && short.fix).toContain('into the title and og:site_name')
  })

  test('has a description that is too long made shorter, and not written anew', () => {
    const head = `<title>Lind Pottery</title><meta name="description" content="${'Bowls and mugs. '.repeat(12)}">`
    const outcome = runCheck(coreSnapshot, 'title-desc', site({ [at('/')]: head }))
    const fix = 'fix' in outcome ? outcome.fix : ''
    expect(fix).toMatch(
      /, leave a few words out of the description, so that it has at most 170 characters\.$/,
    )
    const { work } = { work: undefined, ...outcome }
    const steps = stepsFor('core-snapshot/title-desc', {
      fix,
      work,
      page: at('/'),
      evidence: [],
      language: 'en',
    })
    expect(steps?.join(' ')).toContain(
      'Leave a few words out of the description, so that it has at most 170 characters',
    )
    expect(steps?.join(' ')).not.toMatch(/Write (?:one or two sentences|a title)/)
  })

  test('asks for contact facts in the markup where the pages agree', () => {
    expect(ownerTitle('entity-trust/nap', 'F', 'X', { kind: 'contact-markup' })).toBe(
      'Have your contact facts written into X in the form that machines read.',
    )
  })
})

describe('a report', () => {
  const entries: Entries = {
    [at('/')]:
      `<title>Lind Pottery</title><meta property="og:site_name" content="Lind Pottery"><main><h1>Lind Pottery</h1><p>${words(200)}</p><a href="/a">A</a></main><footer>Lind</footer>`,
    [at('/a')]: `<title>A</title><main><h1>A</h1><p>${words(50)}</p></main>`,
  }

  test('asks once for questions with answers', () => {
    const asking = actionsOf(entries).filter(({ settles }) =>
      settles.some((id) => /question-blocks|\/faq$|\/support$/.test(id)),
    )
    expect(asking.map(({ settles }) => settles.length)).toEqual([3])
  })

  test('names the step whose block brings the rest by its number', () => {
    const actions = actionsOf(entries)
    const numbers = actions.flatMap(
      ({ title }) => / The other part of it is in step (\d+)\.$/.exec(title)?.[1] ?? [],
    )
    expect(numbers.length).toBeGreaterThan(0)
    for (const number of numbers) expect(actions[Number(number) - 1]?.block).toBeDefined()
  })

  test('gives code to whoever looks after the website, and questions to whoever writes', () => {
    expect(whoActs('content-answerability/boilerplate', false)).toContain('looks after your website')
    expect(whoActs('workflow-automation/faq', false)).toContain('writes your texts')
  })

  test('shows beside a block what was seen on the pages that the block is for', () => {
    const product =
      '<title>Fig</title><main><h1>Fig</h1><p class="price">£18.50</p><button>Add to basket</button></main>'
    const article = `<title>How</title><article><h1>How</h1><time datetime="2026-11-01">1 November 2026</time><p>${words(120)}</p></article>`
    const step = actionsOf({
      ...entries,
      [at('/blog/how-to')]: article,
      ...Object.fromEntries(['fig', 'sea', 'wax', 'oak'].map((name) => [at(`/product/${name}`), product])),
    }).find(({ block }) => block?.text.includes('"Product"'))
    expect(step?.seen).toContain(at('/product/fig'))
    expect(step?.seen).not.toContain('/blog/')
  })
})
