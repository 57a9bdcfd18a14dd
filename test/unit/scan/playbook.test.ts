import { describe, expect, test } from 'vitest'
import type { Action, Analysis, Challenge, Opportunity } from '../../../src/products/scan/findings/results.ts'
import { effortOf } from '../../../src/products/scan/playbook/area-skills.ts'
import { makePlaybook } from '../../../src/products/scan/playbook/playbook.ts'
import { playbookSchema } from '../../../src/products/scan/playbook/playbook-content.ts'

const categories: Readonly<Record<string, string>> = {
  'core-snapshot': 'Core snapshot',
  'structured-data': 'Structured data',
  'agent-protocols': 'Agent protocols',
}

function challenge(id: string, severity: Challenge['severity']): Challenge {
  const category = categories[id.split('/')[0] ?? ''] ?? 'Other area'
  const place = { id, category, title: `Title of ${id}`, severity, reason: `Reason of ${id}.` }
  if (severity === 'unmeasured') return { ...place, evidence: [] }
  return { ...place, fix: `Fix ${id}.`, evidence: [{ url: 'https://site.example/', value: 'seen' }] }
}

function opportunity(id: string, more: Partial<Opportunity> = {}): Opportunity {
  return {
    id,
    title: `Title of ${id}`,
    description: `Description of ${id}.`,
    impact: 'high',
    effort: 'low',
    category: 'lead-management',
    ...more,
  }
}

/** An action that settles these findings. */
function action(settles: readonly string[], more: Partial<Action> = {}): Action {
  const [id = ''] = settles
  return {
    id,
    title: `Fix ${id}.`,
    why: `Reason of ${id}.`,
    seen: '',
    gain: 2,
    aeoGain: 1,
    keepsOut: false,
    waits: false,
    settles: [...settles],
    ...more,
  }
}

function analysisOf(
  challenges: readonly Challenge[],
  opportunities: Opportunity[] = [],
  actions = challenges.filter(({ severity }) => severity !== 'unmeasured').map(({ id }) => action([id])),
): Analysis {
  return {
    companyName: 'Bikes Ltd',
    industry: 'retail',
    description: '',
    coverage: 90,
    challenges,
    report: {
      readinessScore: 50,
      aeoScore: 50,
      readinessBreakdown: [{ category: 'Core snapshot', score: 43, explanation: '' }],
      aeoBreakdown: [],
      executiveSummary: '',
      keyFindings: [],
      actions,
      totalTimeSavingsPotential: 'none found',
      workflows: [],
      opportunities,
    },
  }
}

const leads = opportunity('opp-leads', {
  currentState: 'A person reads every e-mail.',
  potentialState: 'Each request reaches its owner.',
  automationApproach: ['a form', 'a shared inbox'],
  recommendedTools: ['HubSpot', 'Zapier'],
  estimatedTimeSavingsRange: '8–16 hours a month',
})

const analysis = analysisOf(
  [
    challenge('agent-protocols/mcp', 'high'),
    challenge('core-snapshot/reach', 'high'),
    challenge('structured-data/any', 'medium'),
    challenge('core-snapshot/h1', 'low'),
    challenge('core-snapshot/wall', 'unmeasured'),
  ],
  [opportunity('opp-late', { impact: 'medium', priority: 2 }), { ...leads, priority: 1 }],
)

const tasksOf = (content: ReturnType<typeof makePlaybook>) =>
  [content.roadmap.days_1_30, content.roadmap.days_31_60, content.roadmap.days_61_90].map(({ tasks }) =>
    tasks.map(({ relatedTo }) => relatedTo.join()),
  )

describe('a playbook', () => {
  const content = makePlaybook(analysis)

  test('a playbook made from the stored analysis is the same each time', () => {
    expect(playbookSchema.parse(content)).toEqual(content)
    expect(makePlaybook(JSON.parse(JSON.stringify(analysis)))).toEqual(content)
  })

  test('a playbook ranks the actions as the report does, then the opportunities', () => {
    expect(content.priorities.map(({ rank, id, impact, effort }) => [rank, id, impact, effort])).toEqual([
      [1, 'agent-protocols/mcp', 'high', 'high'],
      [2, 'core-snapshot/reach', 'high', 'low'],
      [3, 'structured-data/any', 'medium', 'medium'],
      [4, 'core-snapshot/h1', 'low', 'low'],
      [5, 'opp-leads', 'high', 'low'],
      [6, 'opp-late', 'medium', 'low'],
    ])
  })

  test('a task with something to paste says under which step of the results it stands', () => {
    const block = { kind: 'html' as const, where: 'Paste it.', text: '<meta>', missing: [] }
    const actions = [action(['core-snapshot/reach']), action(['core-snapshot/h1'], { block })]
    const { roadmap } = makePlaybook(analysisOf([challenge('core-snapshot/h1', 'high')], [], actions))
    expect(roadmap.days_1_30.tasks.map(({ why }) => / under step (\d+)\./.exec(why)?.[1])).toEqual([
      undefined,
      '2',
    ])
  })

  test('a playbook plans in the order of the report, then automation, and unmeasured checks last', () => {
    expect(tasksOf(content)).toEqual([
      ['agent-protocols/mcp', 'core-snapshot/reach', 'structured-data/any'],
      ['core-snapshot/h1', 'opp-leads,opp-late', 'core-snapshot/wall'],
      [],
    ])
    expect(content.roadmap.days_1_30.tasks[1]).toEqual({
      title: 'Fix core-snapshot/reach.',
      why: 'Reason of core-snapshot/reach. It gains 2 points of AI readiness and 1 of AEO.',
      effort: 'low',
      relatedTo: ['core-snapshot/reach'],
    })
    expect(content.roadmap.days_1_30.goal).toBe(
      'Fix agent-protocols/mcp. Fix core-snapshot/reach. Fix structured-data/any.',
    )
    expect(content.roadmap.days_31_60.goal).toBe(
      'Fix core-snapshot/h1. Choose one to begin with: Title of opp-leads or Title of opp-late. Measure what this scan could not: 1 check.',
    )
  })

  test('a wall comes before everything, also one that no check reports', () => {
    const wall = action([], { id: 'gate/wall', title: 'Open the wall.', keepsOut: true })
    const { roadmap, priorities } = makePlaybook(
      analysisOf([challenge('core-snapshot/h1', 'low')], [leads], [wall, action(['core-snapshot/h1'])]),
    )
    expect(roadmap.days_1_30.tasks[0]?.title).toBe('Open the wall.')
    expect(priorities[0]).toMatchObject({ id: 'gate/wall', impact: 'high', effort: 'medium' })
  })

  test('behind a wall the second scan comes right after the wall, because nothing else could be read', () => {
    const wall = action([], { id: 'gate/wall', title: 'Open the wall.', keepsOut: true })
    const analysis = analysisOf(
      [challenge('core-snapshot/h1', 'low'), challenge('core-snapshot/h2', 'unmeasured')],
      [leads],
      [wall, action(['core-snapshot/h1'])],
    )
    const gates = [{ id: 'wall' as const, cap: 20, reason: 'Refused.', fix: 'Open the wall.' }]
    const { roadmap } = makePlaybook({ ...analysis, report: { ...analysis.report, gates } })
    expect(roadmap.days_1_30.tasks[1]?.title).toBe('Clear what stood in the way of 1 check, then scan again')
  })

  test('a playbook has a skill for each opportunity and each area with findings, the most urgent first', () => {
    expect(content.skills.map(({ id, priority }) => [id, priority])).toEqual([
      ['skill-agent-protocols', 1],
      ['skill-core-snapshot', 2],
      ['skill-structured-data', 3],
      ['skill-opp-leads', 4],
      ['skill-opp-late', 5],
    ])
    expect(content.skillCount).toBe(5)
    expect(content.topPrioritySkills[3]).toBe('Title of opp-leads')
    expect(content.skills[3]?.steps).toEqual([
      'Begin with what the scan saw. A person reads every e-mail.',
      'Note for a week how many requests come and how long each takes.',
      'Choose one tool: HubSpot or Zapier.',
      'Set up: a form',
      'Set up: a shared inbox',
      'Try it with real cases until this holds. Each request reaches its owner.',
      'Count the hours for a month and compare them with those of the week before.',
    ])
    expect(content.skills[1]).toMatchObject({
      category: 'Core snapshot',
      relatedTo: ['core-snapshot/reach', 'core-snapshot/h1'],
      steps: [
        'Fix core-snapshot/reach. (step 2 of the report)',
        'Fix core-snapshot/h1. (step 4 of the report)',
        'Scan the site again: Core snapshot stands at 43 of 100 now.',
      ],
    })
  })

  test('a playbook lists each tool once, with the skills that use it', () => {
    expect(content.tools.filter(({ name }) => /HubSpot|Zapier/.test(name))).toEqual([
      { name: 'HubSpot', usedFor: ['Title of opp-leads'] },
      { name: 'Zapier', usedFor: ['Title of opp-leads'] },
    ])
    expect(new Set(content.tools.map(({ name }) => name)).size).toBe(content.tools.length)
  })

  test('a playbook refers only to findings of the scan', () => {
    const ids = new Set([...analysis.challenges, ...analysis.report.opportunities].map(({ id }) => id))
    const related = [
      ...content.skills.flatMap(({ relatedTo }) => relatedTo),
      ...Object.values(content.roadmap).flatMap(({ tasks }) => tasks.flatMap(({ relatedTo }) => relatedTo)),
      ...content.priorities.map(({ id }) => id),
    ]
    expect(related.length).toBeGreaterThan(0)
    for (const id of related) expect(ids).toContain(id)
  })
})

test('the first month holds the three steps that the report names first', () => {
  const ids = [
    ...['structured-data/any', 'workflow-automation/faq', 'structured-data/open-graph'],
    ...['accessibility-actionability/alt', 'accessibility-actionability/lang', 'security-safety/hsts'],
  ]
  const actions = ids.map((id, place) => action([id], { gain: place < 3 ? 2 : 5 }))
  const content = makePlaybook(
    analysisOf(
      ids.map((id) => challenge(id, 'high')),
      [],
      actions,
    ),
  )
  const planned = content.roadmap.days_1_30.tasks.flatMap(({ relatedTo }) => relatedTo)
  expect(planned).toEqual(expect.arrayContaining(ids.slice(0, 3)))
})

test('a playbook names no hours, which are estimates', () => {
  expect(JSON.stringify(makePlaybook(analysisOf([], [leads])))).not.toContain('hours a month')
})

test('tools of the trade are named to makers of software only', () => {
  const findings = analysisOf([challenge('agent-files/llms-structure', 'low')])
  const toolsFor = (audience: 'developers' | 'owners') =>
    makePlaybook({ ...findings, audience }).tools.map(({ name }) => name)
  expect(toolsFor('developers')).toContain('Pandoc')
  expect(toolsFor('owners')).toEqual([])
})

test('a playbook without findings has the unmeasured checks as its only task', () => {
  const content = makePlaybook(analysisOf([challenge('core-snapshot/wall', 'unmeasured')]))
  expect(tasksOf(content)).toEqual([['core-snapshot/wall'], [], []])
  expect(content.roadmap.days_1_30.goal).toBe('Measure what this scan could not: 1 check.')
})

test('the steps of a skill fit an opportunity where something is missing', () => {
  const reviews = opportunity('opp-reviews', { category: 'reputation', currentState: 'No review was found.' })
  expect(makePlaybook(analysisOf([], [reviews])).skills[0]?.steps).toEqual([
    'Begin with what the scan saw. No review was found.',
    'Note for a week how many orders or visits are finished.',
    'Count the hours for a month and compare them with those of the week before.',
  ])
})

test('a site without findings gets an empty playbook', () => {
  const content = makePlaybook(analysisOf([]))
  expect(content).toMatchObject({
    skillCount: 0,
    topPrioritySkills: [],
    skills: [],
    tools: [],
    priorities: [],
  })
  expect(tasksOf(content)).toEqual([[], [], []])
})

test('other findings give another playbook', () => {
  const one = makePlaybook(analysisOf([challenge('core-snapshot/reach', 'high')]))
  const other = makePlaybook(analysisOf([challenge('structured-data/any', 'high')]))
  expect(one.skills).not.toEqual(other.skills)
  expect(one.roadmap).not.toEqual(other.roadmap)
})

test('what one person does in one place is one task with its steps, and no finding is lost', () => {
  const ids = ['core-snapshot/ssr-text', 'structured-data/same-as', 'core-snapshot/one-h1']
  const content = makePlaybook(analysisOf(ids.map((id) => challenge(id, 'high'))))
  expect(tasksOf(content)[0]).toEqual([
    'core-snapshot/ssr-text,core-snapshot/one-h1',
    'structured-data/same-as',
  ])
  expect(content.roadmap.days_1_30.tasks[0]).toEqual({
    title: 'Rewrite the texts of your main pages.',
    why: 'It gathers 2 steps of the report. It gains 4 points of AI readiness and 2 of AEO.',
    effort: 'medium',
    relatedTo: ['core-snapshot/ssr-text', 'core-snapshot/one-h1'],
    steps: [
      'Step 1 of the report. Fix core-snapshot/ssr-text. It gains 2 points of AI readiness and 1 of AEO.',
      'Step 3 of the report. Fix core-snapshot/one-h1. It gains 2 points of AI readiness and 1 of AEO.',
    ],
  })
})

test('a goal says what a person does and names no area of checks', () => {
  const goals = ['core-snapshot', 'structured-data', 'crawl-access', 'agent-files', 'render-performance']
    .map(
      (area) =>
        makePlaybook(analysisOf([challenge(`${area}/some`, 'high'), challenge(`${area}/other`, 'high')]))
          .roadmap.days_1_30.goal,
    )
    .join(' ')
  expect(goals).not.toMatch(/core snapshot|structured data|crawl|agent files|finding/i)
})

test('a hundred findings are all ranked', () => {
  const many = Array.from({ length: 100 }, (_, place) =>
    challenge(`core-snapshot/check-${place}`, place < 90 ? 'low' : 'high'),
  )
  const content = makePlaybook(analysisOf(many))
  expect(content.priorities).toHaveLength(100)
  expect(content.skills[0]?.steps).toHaveLength(7)
})

test('findings that one action settles are one task', () => {
  const ids = ['core-snapshot/bots', 'structured-data/bots']
  const challenges = ids.map((id) => challenge(id, 'high'))
  expect(tasksOf(makePlaybook(analysisOf(challenges, [], [action(ids)])))).toEqual([[ids.join()], [], []])
})

test('a playbook of an analysis without actions plans its findings', () => {
  const { report, ...analysis } = analysisOf([challenge('core-snapshot/reach', 'high')])
  const { actions: _, ...older } = report
  expect(tasksOf(makePlaybook({ ...analysis, report: older }))).toEqual([['core-snapshot/reach'], [], []])
})

test('an area without an entry in the table still gets a skill', () => {
  const [skill] = makePlaybook(analysisOf([challenge('new-agent/thing', 'low')])).skills
  expect(skill).toMatchObject({
    id: 'skill-new-agent',
    name: 'Mend Other area',
    steps: ['Fix new-agent/thing. (step 1 of the report)', expect.any(String)],
  })
})

test.each(['lead-capture', 'newsletter', 'crm-tags', 'hiring'])(
  'a form or a service takes more than a line of one page: %s',
  (check) => expect(effortOf(`workflow-automation/${check}`)).toBe('medium'),
)
