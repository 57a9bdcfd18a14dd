import { describe, expect, test } from 'vitest'
import type { Work } from '../../../../src/products/scan/findings/work.ts'
import { makePlaybook } from '../../../../src/products/scan/playbook/playbook.ts'
import { handOnBlock } from '../../../../src/products/scan/report/blocks/snippets/hand-on-block.ts'
import { scanMail } from '../../../../src/products/scan/report/mail-report.ts'
import { reportPage } from '../../../../src/products/scan/report/report-page.ts'
import { viewOf } from '../../../../src/products/scan/report/report-view.ts'
import { leadersOf } from '../../../../src/products/scan/report/shared-causes.ts'
import { createExplainer, termsIn } from '../../../../src/products/scan/report/terms.ts'
import { factsFor } from '../../../../src/products/scan/report/work/asked-facts.ts'
import { messageOf } from '../../../../src/products/scan/report/work/messages.ts'
import { ownerTitle } from '../../../../src/products/scan/report/work/owner-titles.ts'
import { everySeen, faultyPlaces, seenIn } from '../../../../src/products/scan/report/work/seen.ts'
import { stepsFor } from '../../../../src/products/scan/report/work/steps.ts'
import { whoActs } from '../../../../src/products/scan/report/work/who-acts.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries } from '../../../support/scans/captured.ts'
import { scannedSite } from '../../../support/scans/scanned-site.ts'

/** What the owner of a practice could not act on, or understood wrongly, when reading whole reports. */

const at = (path: string) => `https://lind.example${path}`
const words = (count: number) => 'word '.repeat(count)
const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const practice: Entries = {
  [at('/')]:
    `<html><head><title>Lind Dental Practice</title></head><body><h1>Lind Dental Practice</h1><p>${words(320)}</p><p>Call 01803 496 021</p><img src="/a.jpg"><img src="/b.jpg"><a href="/team">Team</a></body></html>`,
  [at('/team')]: `<html><head><title>Team</title></head><body><h1>Team</h1><p>${words(80)}</p></body></html>`,
  [at('/robots.txt')]: { status: 404 },
  [at('/sitemap.xml')]: { status: 404 },
}
const analysis = analysisOf(practice)
const { actions = [], tasks = [] } = analysis.report
const steps = (() => {
  const view = viewOf(analysis)
  return [...view.steps, ...view.tasks.flatMap((task) => task.steps)]
})()
const wording = (fix: string, ...values: string[]) => ({
  fix,
  page: at('/'),
  evidence: values.map((value, place) => ({ url: at(`/${place}`), value })),
  language: 'en',
})
const issue = (check: string, fix: string, ...values: string[]) => ({
  agent: 'x',
  check,
  title: 'T',
  weight: 1,
  result: 'fail' as const,
  reason: 'R',
  fix,
  evidence: values.map((value) => ({ url: at('/'), value })),
})

test('a verdict in words stands at the top, and is the same in results, page and e-mail', () => {
  const { verdict = '', executiveSummary } = analysis.report
  expect(verdict).toMatch(
    /^Assistants such as chat programs can .+\. Answer engines, .+\. What it lacks most: /,
  )
  expect(verdict).toContain('The first step: ')
  expect(executiveSummary).toContain(verdict.slice(0, verdict.indexOf('The first step')).trim())
  const { html } = reportPage(scannedSite('lind.example'), analysis)
  expect(html.indexOf('What it lacks most')).toBeLessThan(html.indexOf('of 100'))
  const scan = { id: 'ID', ...scannedSite('lind.example'), email: 'a@lind.example', isPrivate: false }
  const { text } = scanMail({ ...scan, outcome: { analysis } }, 'https://gateway.example')
  expect(text).toContain('What it lacks most: ')
  expect(text).toContain('The first step: ')
})

describe('a step for the web person', () => {
  const handed = actions.filter(({ who }) => who?.startsWith('Give this'))

  test('has one whole message: the place, the block, the facts to add and when it is done', () => {
    expect(handed.length).toBeGreaterThan(5)
    for (const action of handed) {
      const message = messageOf(action, new Map())
      expect(message?.text, action.id).toMatch(/^Please change this on our website\./)
      expect(message?.text).toContain('It is done when the new report')
      for (const fact of action.block?.missing ?? []) expect(message?.asks).toContain(fact)
      if (message?.asks.length)
        expect(message.text).toMatch(/Please (?:use (?:these facts|this fact|this\.)|add this)/)
    }
  })

  test('asks the owner for the facts before the message, and names the person once', () => {
    const html = reportPage(scannedSite('lind.example'), analysis).html
    const asked = steps.find(({ message }) => (message?.asks.length ?? 0) > 0)
    expect(asked).toBeDefined()
    expect(html.indexOf('Only you know these facts')).toBeLessThan(html.indexOf('Please use these facts'))
    expect(html).not.toMatch(/Give this to whoever[^<]*<\/p>\s*<p>Send this/)
  })

  test('asks for no words in capital letters that are those of the site', () => {
    const block = {
      kind: 'html' as const,
      where: 'Paste it into the head.',
      text: '<meta content="LIND | YOUR FAMILY DENTIST. WRITE THE PASSWORD OF YOUR SERVER HERE">\n',
      missing: [],
    }
    expect(messageOf({ block, who: 'Give this', seen: '', settles: [] }, new Map())?.asks).toEqual([])
  })

  test('says by what the name in capital letters is replaced, also where other facts are missing', () => {
    const name = 'WRITE THE NAME OF YOUR BUSINESS HERE'
    const block = {
      kind: 'html' as const,
      where: 'Paste it into the head.',
      text: `{ "name": "${name}" }`,
      missing: ['the address of your logo (logo)'],
      conflicts: [`The name: we read “A” on ${at('/')} and “B” on ${at('/b')}.`],
    }
    const message = messageOf({ block, who: 'Give this', seen: '', settles: [] }, new Map())
    expect(message?.asks).toEqual([
      `the name of your business, in place of each ${name}`,
      'the address of your logo (logo)',
    ])
    expect(message?.text).toContain(`- the name of our business, in place of each ${name}: `)
    expect(message?.text).toContain(`Replace “${name}” before you publish`)
  })

  test('asks for the logo, the address or the date that only the owner knows', () => {
    expect(factsFor(`Add logo to the Dentist node of ${at('/')}.`, [])).toEqual([
      'your logo, as a picture in the attachment',
    ])
    expect(factsFor('Add x to y.', [{ value: 'LocalBusiness without address' }])).toHaveLength(1)
  })

  test('asks for the text of a page that is not there, and for what is wrong in the lines', () => {
    const fix = `Correct the address of the link "Privacy" on ${at('/')}: ${at('/p')} shows no page. Is there no such page? Then write it.`
    const work = {
      kind: 'dead-links',
      areNotices: false,
      asked: [{ url: at('/p'), text: 'Privacy' }],
    } as const
    expect(factsFor(fix, [], work)).toEqual([
      'where “Privacy” (/p) shall lead: the page, its text if there is none yet, or “take the link out”',
    ])
    const block = {
      kind: 'html' as const,
      where: 'Paste it.',
      text: '{ "openingHours": ["Mo 08:00-12:00"] }',
      missing: [],
    }
    expect(messageOf({ block, who: 'Give this', seen: '', settles: [] }, new Map())?.asks).toEqual([
      'what in the lines is wrong or not complete, if anything is',
    ])
  })

  test('asks for one text as the description of the page and of its preview', () => {
    expect(factsFor(`Add og:description and og:image as meta elements to ${at('/')}.`, [])).toHaveLength(2)
    const fault = (id: string, work: Work, value: string) => ({
      id,
      severity: 'medium' as const,
      work,
      evidence: [{ url: at('/'), value }],
    })
    const preview = fault(
      'structured-data/open-graph',
      { kind: 'preview', lacks: ['og:description'], isDescriptionShared: true },
      'x',
    )
    const leader = (work: Work, value: string) =>
      leadersOf([fault('core-snapshot/title-desc', work, value), preview]).get('core-snapshot/title-desc')
    const write = { change: 'write' } as const
    expect(leader({ kind: 'title', description: write }, 'no description')).toBe('structured-data/open-graph')
    expect(leader({ kind: 'title', title: write }, 'no title')).toBeUndefined()
  })

  test('asks for what is left where the block of another step brings the rest', () => {
    const left = actions.filter(({ title }) => title.includes('The other part of it is in step'))
    expect(left.length).toBeGreaterThan(0)
    for (const { block } of left) expect(block?.text).not.toContain('Where it was seen')
  })
})

describe('a message', () => {
  const places = (count: number, value: string) =>
    Array.from({ length: count }, (_, place) => ({ url: at(`/${place}`), value }))

  test('names all places, and how many more there are', () => {
    const fix = `Add width to the picture a.jpg at ${at('/')}. Do the same with 13 more pictures.`
    const { text } = handOnBlock({ fix, evidence: places(12, '<img src="a.jpg">') })
    expect(text.match(/^- https/gm)).toHaveLength(12)
    expect(text).toContain('and 2 more of the same kind')
    expect(text).not.toContain('search the code')
  })

  test('lists many places page by page, and none that is missing', () => {
    const fix = `Put text into the button. Do the same with 3 more buttons. Give the link a text. Do the same with 3 more links.`
    const evidence = [...places(4, '<button id="a">'), ...places(4, '<a href="/">')]
    const { text } = handOnBlock({ fix, evidence })
    expect(text).toContain(`On ${at('/0')}:\n- <button id="a">\n- <a href="/">\nOn ${at('/1')}:`)
    expect(text).not.toContain('more of the same kind')
  })

  test('has one order for each kind of fault', () => {
    const evidence = [
      { url: at('/a'), value: 'Article without datePublished' },
      { url: at('/b'), value: 'LocalBusiness without address' },
      { url: at('/c'), value: 'LocalBusiness without address' },
    ]
    const { text } = handOnBlock({ fix: `Add datePublished to the Article node of ${at('/a')}.`, evidence })
    expect(text).toContain(`2. Add address to the LocalBusiness in the JSON-LD of ${at('/b')}, ${at('/c')}.`)
  })
})

describe('what only the owner decides', () => {
  test.each(['crawl-access/training-stance', 'workflow-automation/lead-capture', 'entity-trust/nap'])(
    '%s is not given away because something can be pasted',
    (id) => {
      expect(whoActs(id, true)).toMatch(/^You decide this/)
    },
  )

  test('comes with the way to decide, and then the message', () => {
    const own = { ...practice, [at('/robots.txt')]: 'User-agent: *\nAllow: /\n' }
    const view = viewOf(analysisOf(own))
    const stance = [...view.steps, ...view.tasks.flatMap((task) => task.steps)].find(({ title }) =>
      title.startsWith('Decide whether AI models'),
    )
    expect(stance?.how.join(' ')).toContain('Delete the line that you do not want')
    expect(stance?.message?.text).toContain('ai-train=')
  })

  test('about a file that another step publishes is asked for in that message, and can stay open', () => {
    expect(steps.some(({ title }) => title.startsWith('Decide whether AI models'))).toBe(false)
    const robots = steps.find(({ title }) => title.startsWith('Publish robots.txt'))
    expect(robots?.how.join(' ')).toContain('Write “no” or “yes” into the message.')
    expect(robots?.message?.text).toContain(
      '- whether AI models may be trained with our texts, if we want to say so: “no” or “yes”: ',
    )
    expect(robots?.message?.text).toContain('Without an answer, add no such line.')
    expect(robots?.message?.text).not.toContain('Content-Signal: ai-train=no\n')
  })
})

describe('“Seen” shows the fault', () => {
  test.each([
    [
      'title-desc',
      'write a description of 50 to 170 characters',
      ['title, 48 characters: "Lind"', 'description, 191 characters: "We"'],
      'description, 191',
    ],
    [
      'sitemap-quality',
      'Write the addresses with https.',
      ['10 of 10 sampled addresses answer 200 and may be indexed', '31 of 31 addresses on another host'],
      '31 of 31',
    ],
    ['legal', 'Publish terms.', ['status 200', 'no link about terms on 7 pages'], 'no link'],
  ])('of %s', (check, fix, values, seen) => {
    expect(seenIn([issue(check, fix, ...values)])).toContain(`: ${seen}`)
  })

  test('with both values where two contradict each other', () => {
    const one = issue(
      'nap',
      'Write the street address that visitors see into the JSON-LD.',
      'telephone number on the page and in the JSON-LD: 1',
      'street address in the JSON-LD: A Road 1',
      'street address on the page: B Road 2',
    )
    expect(seenIn([one])).toBe(
      `${at('/')}: street address in the JSON-LD: A Road 1; street address on the page: B Road 2`,
    )
    expect(faultyPlaces(one)).toHaveLength(2)
  })

  test('and lists at most five places', () => {
    expect(everySeen(issue('alt', 'F', ...'abcdefg'.split('')))).toMatch(/: e; and 2 more$/)
  })
})

test('a button of the home page that shows no page is the first step, and the page that may be meant is named', () => {
  const { report } = analysisOf({
    ...practice,
    [at('/')]:
      `<html><head><title>Lind Dental Practice</title></head><body><h1>Lind Dental Practice</h1><p>${words(320)}</p><p>Call 01803 496 021</p><a class="btn" href="/html/team">Book now</a><a href="/team">Team</a></body></html>`,
    [at('/html/team')]: { purpose: 'link', status: 404 },
  })
  const [first] = report.actions ?? []
  expect(first?.title).toContain(`Correct the address of the button "Book now" on ${at('/')}`)
  expect(JSON.stringify(report)).toContain(`It may be meant to lead to ${at('/team')}`)
  expect(JSON.stringify(report)).not.toMatch(/Remove or correct the links/)
})

test('work of the owner comes before code that gains a little more, and what gains next to nothing is left out', () => {
  const worth = actions.map(({ gain, aeoGain }) => gain + aeoGain)
  expect(Math.min(...worth)).toBeGreaterThanOrEqual(0.2)
  const place = worth.findIndex((one, at) => one < (worth[at + 1] ?? 0))
  expect(actions[place]?.who).toMatch(/^You /)
})

describe('how to do it fits the fix', () => {
  const steps = (id: string, work?: Work) => stepsFor(id, { ...wording('F'), work })?.join(' ')

  test('dates in code are handed on, and news are written', () => {
    expect(steps('freshness-index/newest', { kind: 'mark-dates' })).toBeUndefined()
    expect(whoActs('freshness-index/newest', true, { kind: 'mark-dates' })).toMatch(/^Give this/)
    expect(steps('freshness-index/newest')).toContain('something that is new')
  })

  test('questions that stand on a page get longer answers, and no new page', () => {
    const id = 'content-answerability/question-blocks'
    expect(steps(id, { kind: 'other-answers' })).not.toContain('most, wherever')
    expect(steps(id)).toContain('most, wherever')
    expect(ownerTitle(id, 'F', 'https://lind.example/x', { kind: 'other-answers' })).toBe(
      'Answer the questions on https://lind.example/x in 20 to 80 words each.',
    )
  })

  test('a description is asked for without a title', () => {
    const how = steps('core-snapshot/title-desc', { kind: 'title', description: { change: 'write' } })
    expect(how).toContain('Write one or two sentences of 50 to 170 characters')
    expect(how).not.toContain('Write a title')
  })

  test('a description that is too long loses words and is not written anew', () => {
    const how = steps('core-snapshot/title-desc', { kind: 'title', description: { change: 'leave-out' } })
    expect(how).toContain('Leave a few words out of the description')
    expect(how).not.toMatch(/Write|title\b(?=,| of)/)
  })

  test('the main heading is the writer’s own work', () => {
    expect(whoActs('core-snapshot/one-h1', false)).toMatch(/^You can do this/)
  })

  test('examples are words of the language of the site, or are left out', () => {
    const of = (language: string) =>
      stepsFor('content-answerability/link-text', { ...wording('F'), language })?.join(' ')
    expect(of('de')).toContain('“hier”')
    expect(of('fi')).not.toMatch(/“/)
  })

  test('no step speaks of a scan that the reader cannot start', () => {
    expect(JSON.stringify(actions.map((action) => action.steps))).not.toMatch(/scan(?:ned)? again/)
    expect(reportPage(scannedSite('lind.example'), analysis).html).toContain(
      'have the site scanned again where this scan was asked for',
    )
  })
})

test('questions to begin with are words for the writer, without marks of code', () => {
  const asked = actions.find(({ id }) => id === 'workflow-automation/faq')
  expect(asked?.block?.text ?? '').not.toMatch(/<h2>/)
  expect(asked?.title).not.toMatch(/h2/)
})

test('a step names what it is in plain words, and its message the elements', () => {
  const pictures = actions.find(({ id }) => id === 'accessibility-actionability/alt')
  expect(pictures?.title).toMatch(/^Have each picture described in words/)
  expect(pictures?.block?.text).toContain('alt attribute')
})

describe('a task', () => {
  test('of the facts for machines promises nothing to paste', () => {
    expect(tasks.map(({ goal }) => goal).join(' ')).not.toContain('Paste the facts')
  })

  test('that is handed on comes first, then those with a step that the report names first, in the plan as in the report', () => {
    expect(tasks.map(({ message }) => message !== undefined)).toEqual(tasks.map((_, at) => at === 0))
    const numbers = tasks.slice(1).map(({ steps: own }) => Math.min(4, ...own))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    const planned = Object.values(makePlaybook(analysis).roadmap).flatMap((phase) =>
      phase.tasks.map(({ title }) => title),
    )
    expect(planned.slice(0, tasks.length)).toEqual(tasks.map(({ title }) => title))
  })

  test('of one step tells its title and its gain once, above its way', () => {
    const action = actions[3]
    const task = { goal: '', keepsOut: false, waits: false, title: action?.title ?? '' }
    const gains = { gain: action?.gain ?? 0, aeoGain: action?.aeoGain ?? 0 }
    const report = { ...analysis.report, tasks: [{ ...task, ...gains, steps: [4] }] }
    const { html } = reportPage(scannedSite('lind.example'), { ...analysis, report })
    const section = html.slice(html.indexOf('<section>'), html.indexOf('</section>'))
    expect(section).toContain('<summary>Step 4: how to do it</summary>')
    expect(section.match(/It gains/g)).toHaveLength(1)
  })
})

test('the table of areas names the steps, and tells no reason again', () => {
  const { html } = reportPage(scannedSite('lind.example'), analysis)
  const table = html.slice(html.indexOf('<h2>Scores by area'))
  expect(table).toMatch(/Not passed: “[^”]+” \(step \d+\)/)
  expect(table).not.toContain('Seen at')
})

describe('the plan', () => {
  const { priorities, skills } = makePlaybook(analysis)
  const effort = (id: string) => priorities.find((one) => one.id === id)?.effort

  test('gives a decision the same effort with a block and without one', () => {
    expect(effort('workflow-automation/faq')).toBe('medium')
    expect(effort('core-snapshot/sitemap')).toBe('low')
  })

  test('names in a skill the steps of the report, in its words', () => {
    for (const skill of skills.filter(({ id }) => !id.startsWith('skill-opp')))
      expect(skill.steps[0], skill.id).toMatch(/\(step \d+ of the report\)$/)
  })
})

describe('words that a dentist does not know', () => {
  test.each(['agents', 'An engine', 'crawlers', 'the template', 'an element', 'Cache-Control', 'an imprint'])(
    '%s is explained',
    (text) => {
      expect(termsIn(text)).toHaveLength(1)
    },
  )

  test('are at most five at once', () => {
    const all = termsIn('agents engines crawlers template element robots.txt sitemap llms.txt JSON-LD')
    expect(createExplainer()(all).match(/[^.]+: [^:]+\.(?: |$)/g)?.length).toBeLessThanOrEqual(5)
  })
})

describe('what an owner hands on', () => {
  const [task] = viewOf(analysis).tasks
  const { message, parts = [] } = task?.handedOn ?? {}
  const text = message?.text ?? ''
  const { html } = reportPage(scannedSite('lind.example'), analysis)

  test('is one message, which has each step as a part and greets once', () => {
    const handed = actions.flatMap(({ who }, at) => (who?.startsWith('Give this') ? [at + 1] : []))
    expect(handed.length).toBeGreaterThan(5)
    expect(parts.map(({ number }) => number)).toEqual(handed)
    expect(text.match(/Please change this on our website/g)).toHaveLength(1)
    expect(text.match(/scanned again/g)).toHaveLength(1)
    for (const [at, { number, message: own }] of parts.entries()) {
      expect(text).toContain(`--- Part ${at + 1} of ${parts.length} (step ${number} of the report), `)
      const [, first = ''] = own?.text.trim().split(/\n\n+/) ?? []
      expect(text.replaceAll(/answer \d+ above/g, 'an earlier answer')).toContain(first)
    }
  })

  test('names the number of the answer where a part takes that of another', () => {
    const [, number = ''] =
      /The sentence on what we are and where stands in answer (\d+) above: write it behind ">"/.exec(text) ??
      []
    expect(text).toMatch(new RegExp(`^${number}\\. what we are and where, in one.*\\(parts .*and.*\\)`, 'm'))
    expect(text).not.toContain('earlier answer')
  })

  test('asks once, at the top of the message, for what only the owner knows', () => {
    const asks = parts.flatMap((part) => part.message?.asks ?? [])
    expect(new Set(asks).size).toBeGreaterThan(3)
    const [top = '', ...rest] = text.split(/^--- Part \d+/m)
    const room = top.match(/^\d+\. .+: $/gm) ?? []
    expect(room).toHaveLength(new Set(asks).size)
    expect(rest.join('')).not.toMatch(/^- .+: ?$/m)
    const [, number = ''] = /our opening hours[^\n]*: see answer (\d+) above/.exec(rest.join('')) ?? []
    expect(room[Number(number) - 1]).toContain('our opening hours')
  })

  test('tells its reader that a scan can be wrong', () => {
    expect(text).toContain(
      'Does a part not fit our site, or is it done already? Then leave it out, and tell me why.',
    )
  })

  test('stands once in the page, and its steps are no steps of the owner', () => {
    expect(html.match(/Part 1 of/g)).toHaveLength(1)
    for (const { number } of parts.slice(3)) expect(html).not.toContain(`<summary>Step ${number}`)
  })

  test('stands in the results for programs, too', () => {
    expect(tasks[0]?.message?.text).toBe(text)
  })

  test('is told as one task in the e-mail, with the facts to have ready', () => {
    const scan = { id: 'ID', ...scannedSite('lind.example'), email: 'a@lind.example', isPrivate: false }
    const mail = scanMail({ ...scan, outcome: { analysis } }, 'https://gateway.example')
    const [, told = ''] = /^(Task 1\. .+)$/m.exec(mail.text) ?? []
    expect(told).toContain('Send one message to whoever looks after your website.')
    expect(told).toContain('Have these facts ready for it, as far as they are true of you: ')
    expect(told).toContain('your opening hours')
  })
})

test('a site of developers, who do all themselves, gets no message to hand on', () => {
  const { report, audience } = analysisOf({
    ...practice,
    [at('/openapi.json')]: '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}',
    [at('/')]:
      `<html><head><title>Lind API</title></head><body><h1>Lind API</h1><p>${words(320)}</p><a href="/openapi.json">API reference</a><a href="/docs">Docs for developers</a></body></html>`,
  })
  expect(audience).toBe('developers')
  expect(report.tasks?.some(({ message: own }) => own !== undefined)).toBe(false)
})

test('a question and what follows from its answer are one order', () => {
  const { text } = handOnBlock({
    fix: 'Put a form there. Is there no notice yet? Then that comes first.',
    evidence: [],
  })
  expect(text).toContain('2. Is there no notice yet? Then that comes first.')
})

test('a sample number in a link to call is replaced where it stands, and the owner is asked for the right one', () => {
  const { report } = analysisOf({
    ...practice,
    [at('/')]:
      `<html><head><title>Lind Dental Practice</title></head><body><h1>Lind Dental Practice</h1><p>${words(320)}</p><a href="tel:+9779800000000">Call</a><a href="/team">Team</a></body></html>`,
    [at('/team')]: '<html><title>Team</title><h1>Team</h1><p>Call 01803 496 021</p></html>',
  })
  const step = report.actions?.find(({ id }) => id === 'core-snapshot/contact-path')
  expect(step?.block?.text).toContain(
    `1. Write our own number in place of that of the template on ${at('/')}, in the link to tel:+9779800000000.`,
  )
  expect(step?.block?.missing).toEqual(['your telephone number'])
})
