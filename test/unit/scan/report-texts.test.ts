import { describe, expect, test } from 'vitest'
import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { makePlaybook } from '../../../src/products/scan/playbook/playbook.ts'
import { scanMail } from '../../../src/products/scan/report/mail-report.ts'
import { reportPage } from '../../../src/products/scan/report/report-page.ts'
import { foundIn } from '../../../src/products/scan/report/verdict.ts'
import { failsVisitors } from '../../../src/products/scan/report/work/broken-first.ts'
import { depths } from '../../../src/products/scan/site/capture.ts'
import { scanInMemory } from '../../support/scans/scan-in-memory.ts'
import { scannedSite } from '../../support/scans/scanned-site.ts'
import { loadSite, siteNames } from '../../support/servers/saved-site.ts'

/** What a report promises its reader, on six sites and at every depth. */
const sites = siteNames()
const cases = sites.flatMap((name) => depths.map((depth) => [name, depth] as const))

const analyses = new Map<string, Promise<Analysis>>()

function analysisOf(name: string, depth: (typeof depths)[number]): Promise<Analysis> {
  const made =
    analyses.get(`${name} ${depth}`) ?? scanInMemory(loadSite(name), depth).then(({ analysis }) => analysis)
  analyses.set(`${name} ${depth}`, made)
  return made
}

function mailOf(analysis: Analysis): string {
  const scan = { id: 'ID', ...scannedSite('site.example'), email: 'owner@site.example', isPrivate: false }
  return scanMail({ ...scan, outcome: { analysis } }, 'https://gateway.example').text
}

describe.each(cases)('the report of %s (%s)', (name, depth) => {
  test('begins with what keeps agents out, then what fails visitors, and goes on by what the actions gain, task by task from the fourth on, the work of owners first where gains differ little', async () => {
    const { report, audience } = await analysisOf(name, depth)
    const { actions = [], gates = [], executiveSummary } = report
    expect(actions.filter(({ keepsOut }) => keepsOut)).toEqual(actions.slice(0, gates.length))
    const isBroken = ({ id, seen, title }: (typeof actions)[number]) =>
      audience === 'owners' &&
      (/^Have \d+ pictures shown again/.test(title) ||
        failsVisitors({ check: id.split('/')[1] ?? '', fix: '', evidence: [{ url: '', value: seen }] }))
    const gainsOf = (some: typeof actions) =>
      some
        .filter(({ keepsOut }) => !keepsOut)
        .filter((action) => !isBroken(action))
        .map(
          ({ gain, aeoGain, who }) =>
            (gain + aeoGain) * (audience === 'owners' && who?.startsWith('You ') ? 1.4 : 1),
        )
    const taken = (report.tasks ?? []).map(({ steps }) => steps.flatMap((step) => actions[step - 1] ?? []))
    for (const some of [actions.slice(0, 3), ...taken]) {
      const gains = gainsOf(some)
      expect(gains).toEqual(gains.toSorted((one, other) => other - one))
    }
    const numbers = (report.tasks ?? []).flatMap(({ steps }) => steps.filter((step) => step > 3))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    if (gates[0] !== undefined) expect(executiveSummary.startsWith(gates[0].reason)).toBe(true)
  })

  test('has findings that say by themselves what they speak of', async () => {
    const { keyFindings } = (await analysisOf(name, depth)).report
    for (const finding of keyFindings)
      expect(finding).not.toMatch(
        /^(?:They|It|Without (?:it|them)|Such)(?!\p{L})|this (?:file|way)|What stands below/u,
      )
  })

  test('is the same list in results, e-mail, page and playbook', async () => {
    const analysis = await analysisOf(name, depth)
    const { actions = [], keyFindings, executiveSummary } = analysis.report
    const titles = actions.map(({ title }) => title)
    const tasks = analysis.report.tasks ?? []
    const { roadmap, priorities } = makePlaybook(analysis)
    const planned = Object.values(roadmap).flatMap((phase) => phase.tasks.map(({ title }) => title))
    const isRescan = (title: string) => title.endsWith(', then scan again')
    expect(planned.filter((title) => !isRescan(title)).slice(0, tasks.length)).toEqual(
      tasks.map(({ title }) => title),
    )
    expect(priorities.slice(0, actions.length).map(({ id }) => id)).toEqual(actions.map(({ id }) => id))
    expect(keyFindings.map((text) => actions.findIndex(({ why }) => text.startsWith(why)))).toEqual(
      keyFindings.map((_, place) => place),
    )
    expectInOrder(executiveSummary, titles.slice(0, 3))
    const listed = [...titles.slice(0, 3), ...tasks.map(({ title }) => title)]
    expectInOrder(mailOf(analysis).replace(/\[(:\/\/|\.)\]/g, '$1'), listed)
    const page = reportPage(scannedSite('site.example'), analysis).html
    expectInOrder(page, listed.map(escaped))
    for (const title of titles) expect(page).toContain(escaped(title))
  })

  test('groups its actions by where one person does them: at most twelve tasks, and no action lost', async () => {
    const { actions = [], tasks = [], gates = [] } = (await analysisOf(name, depth)).report
    expect(tasks.flatMap(({ steps }) => steps).toSorted((one, other) => one - other)).toEqual(
      actions.map((_, place) => place + 1),
    )
    expect(tasks.length).toBeLessThanOrEqual(12)
    expect(tasks.slice(0, gates.length).every(({ keepsOut }) => keepsOut)).toBe(true)
    const isFirst = ({ steps }: (typeof tasks)[number]) => steps.some((step) => step <= 3)
    const rest = tasks.filter((task) => !task.keepsOut && !isFirst(task))
    expect(tasks.slice(tasks.length - rest.length)).toEqual(rest)
    const gains = rest.map(({ gain, aeoGain }) => gain + aeoGain)
    expect(gains).toEqual(gains.toSorted((one, other) => other - one))
  })

  test('gives with each action something to paste or to hand on, or the steps one by one', async () => {
    const { actions = [] } = (await analysisOf(name, depth)).report
    for (const { id, block, steps = [] } of actions)
      expect(block?.text !== undefined || steps.length >= 3, id).toBe(true)
  })

  test('names the pages that it is about', async () => {
    const analysis = await analysisOf(name, depth)
    const { pagesRead = [], executiveSummary } = analysis.report
    const page = reportPage(scannedSite('site.example'), analysis).html
    for (const url of pagesRead) expect(page).toContain(`<li>${escaped(url)}</li>`)
    if (pagesRead.length > 0) expect(executiveSummary).toMatch(/\d+ pages? (?:was|were) read: https?:/)
  })

  test('counts each thing in one way: the checks of the summary are those of the areas', async () => {
    const {
      executiveSummary,
      readinessBreakdown,
      unscoredAreas = [],
    } = (await analysisOf(name, depth)).report
    const made = [...readinessBreakdown, ...unscoredAreas].map(
      ({ explanation }) => /(?:\d+ of )?(\d+) checks? (?:passed|made)/.exec(explanation)?.[1] ?? '0',
    )
    const sum = made.reduce((total, count) => total + Number(count), 0)
    expect(/scan made (\d+) check/.exec(executiveSummary)?.[1]).toBe(String(sum))
  })

  test('settles each finding that costs points in one action', async () => {
    const { report, challenges, audience } = await analysisOf(name, depth)
    const settled = (report.actions ?? []).flatMap(({ settles }) => settles)
    expect(new Set(settled).size).toBe(settled.length)
    const costly = challenges.filter(
      ({ id, severity }) =>
        (severity === 'high' || severity === 'medium') &&
        !(audience === 'owners' && /^agent-(?:protocols|files\/md-)/.test(id)),
    )
    for (const { id } of costly) expect(settled).toContain(id)
  })

  test('has no markup in its sentences, and no sentence that is too long', async () => {
    const analysis = await analysisOf(name, depth)
    for (const text of proseOf(analysis)) {
      expect(text).not.toContain('<')
      for (const sentence of sentencesOf(text))
        expect(wordsOf(sentence), sentence).toBeLessThanOrEqual(maxWords)
    }
  })

  test('explains each word of the trade where it first stands, to owners of other trades', async () => {
    const analysis = await analysisOf(name, depth)
    if (analysis.audience !== 'owners') return
    const { report } = analysis
    const { roadmap } = makePlaybook(analysis)
    const tasks = Object.values(roadmap).flatMap((phase) => phase.tasks)
    const whole = [
      report.executiveSummary,
      report.keyFindings.join('\n'),
      mailOf(analysis).replace(/\[(:\/\/|\.)\]/g, '$1'),
      reportPage(scannedSite('site.example'), analysis).html.replace(/<(head|pre)[\s\S]*?<\/\1>/g, ''),
      ...tasks.map(({ title, why }) => `${title} ${why}`),
      ...(report.actions ?? []).map(({ title, why, terms = [] }) =>
        [title, why, ...terms.map(({ term, meaning }) => `${term}: ${meaning}`)].join('\n'),
      ),
    ]
    for (const text of whole) {
      const prose = text.replace(/https?:\/\/\S+/g, '').replace(/“[^”]*”/g, '')
      for (const term of jargon)
        if (prose.includes(term))
          expect(prose, term).toMatch(new RegExp(`${term.replace('.', '\\.')}[^:\n]{0,40}: `))
    }
  })

  test('says of each action who does it', async () => {
    const { actions = [] } = (await analysisOf(name, depth)).report
    for (const { who } of actions) expect(who).toMatch(/^(?:Give this to|You )/)
  })

  test('names tools of a trade to makers of software only', async () => {
    const analysis = await analysisOf(name, depth)
    const { report, challenges, audience } = analysis
    if (audience !== 'owners') return
    const { skills, tools, roadmap } = makePlaybook(analysis)
    const advice = report.opportunities.map(({ currentState: _, ...rest }) => rest)
    const fixes = challenges.map(({ reason, fix }) => [reason, fix])
    const text = JSON.stringify([
      report.actions,
      advice,
      fixes,
      tools,
      roadmap,
      skills.map(({ tools: own }) => own),
    ])
    expect(brands.exec(text)?.[0]).toBeUndefined()
  })

  test('lists its challenges in the order of its actions', async () => {
    const { report, challenges } = await analysisOf(name, depth)
    const settled = (report.actions ?? []).flatMap(({ settles }, place) =>
      settles.map((id) => ({ id, place })),
    )
    const places = challenges.flatMap(({ id }) => settled.find((one) => one.id === id)?.place ?? [])
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(challenges.slice(0, places.length).every(({ id }) => settled.some((one) => one.id === id))).toBe(
      true,
    )
  })

  test('writes points by one rule: whole numbers from 10 on, tenths below', async () => {
    const analysis = await analysisOf(name, depth)
    const { actions = [] } = analysis.report
    for (const points of actions.flatMap(({ gain, aeoGain }) => [gain, aeoGain]))
      expect(points).toBe(points >= 10 ? Math.round(points) : Math.round(10 * points) / 10)
    const page = reportPage(scannedSite('site.example'), analysis).html
    for (const { gain } of actions.slice(0, 24).filter((one) => one.gain > 1)) {
      expect(page).toContain(`${gain} points of AI readiness`)
      expect(JSON.stringify(makePlaybook(analysis))).toContain(`${gain} points of AI readiness`)
    }
  })

  test('speaks of formats for developers to developers only, and invites no claims', async () => {
    const { report, audience } = await analysisOf(name, depth)
    const { actions = [], executiveSummary } = report
    const advice = [executiveSummary, ...actions.flatMap(({ title, why }) => [title, why])].join('\n')
    if (audience === 'owners')
      expect(advice).not.toMatch(/\b(?:OpenAPI|MCP|A2A|GraphQL|webhook|toolname|linkset)\b/i)
    expect(advice).not.toMatch(
      /\b(?:add|collect|write|invent) (?:\w+ )?(?:testimonials|awards|reviews)\b|leading|world-class/i,
    )
  })
})

const maxWords = 25

/** Words of the web trade that a report may use only where it also says what they are. */
const jargon = [
  'JSON-LD',
  'BreadcrumbList',
  'FAQPage',
  'canonical',
  'llms.txt',
  'schema.org',
  'robots.txt',
  'noindex',
  'Content-Security-Policy',
  'sameAs',
  'aria-label',
]
const brands =
  /\b(?:Zapier|HubSpot|Pipedrive|Airtable|Calendly|Cal\.com|Intercom|Zendesk|WordPress|Mailchimp|Brevo|Trustpilot|Birdeye|Workable|n8n|Postman|Lighthouse|Wikidata|LanguageTool)\b/

/** Everything that is written for a reader; quotes of the site and blocks are not. */
function proseOf(analysis: Analysis): string[] {
  const { report, challenges } = analysis
  const { actions = [], gates = [], readinessBreakdown, executiveSummary, keyFindings } = report
  const { tasks, opportunities, workflows } = report
  const { roadmap, skills } = makePlaybook(analysis)
  return [
    executiveSummary,
    ...keyFindings,
    ...gates.flatMap(({ reason, fix }) => [reason, fix]),
    ...actions.flatMap(({ title, why, who = '', block, steps = [] }) => [
      title,
      why,
      who,
      block?.where ?? '',
      ...(block?.conflicts ?? []),
      ...(block?.missing ?? []),
      ...steps,
    ]),
    ...(tasks ?? []).flatMap(({ title, goal }) => [title, goal]),
    ...opportunities.flatMap(({ description, currentState = '', potentialState = '' }) => [
      description,
      currentState,
      potentialState,
    ]),
    ...workflows.flatMap(({ description, steps = [] }) => [
      description,
      ...steps.map((step) => step.description ?? ''),
    ]),
    ...readinessBreakdown.map(({ explanation }) => explanation),
    ...challenges.flatMap(({ reason, fix = '' }) => [reason, fix]),
    ...Object.values(roadmap).flatMap((phase) => [
      phase.goal,
      ...phase.tasks.flatMap(({ why, steps = [] }) => [why, ...steps]),
    ]),
    ...skills.flatMap(({ description, steps }) => [description, ...steps]),
  ]
}

function sentencesOf(text: string): string[] {
  const quotes = /“[^”]*”|"[^"]*"|‹[^›]*›|https?:\/\/\S*[^\s.,:;!?)]/g
  return text
    .replace(/Seen at [^\n]*/g, '')
    .replace(quotes, 'Q')
    .split(/(?<=[.!?])\s+/)
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0
  for (const part of parts) {
    const place = text.indexOf(part, from)
    expect(place, part).toBeGreaterThanOrEqual(from)
    from = place + part.length
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

test.each([
  ['blog', true],
  ['dentist', false],
])(
  'the report of %s says whether its messages are in another language than the site',
  async (name, isSaid) => {
    const { report } = await analysisOf(name, 'full')
    expect(report.verdict?.includes('The messages in this report are in English.')).toBe(isSaid)
    const found = foundIn(report.verdict ?? '')
    expect(found.length).toBeLessThanOrEqual(3)
    expect(found.join(' ')).not.toMatch(/first step|messages in this report|[()[\]…]/)
  },
)
