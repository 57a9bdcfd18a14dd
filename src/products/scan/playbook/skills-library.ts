import { listOf } from '../../text/plain-text.ts'
import { inWords } from '../findings/in-words.ts'
import type { Analysis, Challenge, Opportunity } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { inPlainWords, termsIn } from '../report/terms.ts'
import { areaSkill } from './area-skills.ts'
import type { Skill } from './playbook-content.ts'
import { agentOf, type Item } from './priorities.ts'

/**
 * Makes the skills that staff or an assistant need to carry out the plan: one for each opportunity and one
 * for each area with findings.
 */
export function makeSkills(analysis: Analysis, ranked: readonly Item[]): Skill[] {
  const rankOf = new Map(
    ranked.flatMap(({ id, relatedTo }, place) => [id, ...relatedTo].map((one) => [one, place] as const)),
  )
  const best = ({ relatedTo }: Draft) => Math.min(...relatedTo.map((id) => rankOf.get(id) ?? ranked.length))
  return [...analysis.report.opportunities.map(opportunitySkill), ...areaSkills(analysis, ranked)]
    .sort((one, other) => best(one) - best(other))
    .map((draft, place) => ({ ...draft, priority: place + 1 }))
}

type Draft = Omit<Skill, 'priority'>

const maxSteps = 6

function areaSkills({ challenges, report, audience }: Analysis, ranked: readonly Item[]): Draft[] {
  const planned = new Set(ranked.flatMap(({ relatedTo }) => relatedTo))
  const byAgent = new Map<string, Challenge[]>()
  for (const challenge of challenges) {
    if (challenge.severity === 'unmeasured' || !planned.has(challenge.id)) continue
    const agent = agentOf(challenge)
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), challenge])
  }
  return [...byAgent].map(([agent, faults]) => {
    const category = faults[0]?.category ?? agent
    const { name, purpose, inputs, outputs, tools, developerTools = [] } = areaSkill(agent, category)
    const scores = [...report.readinessBreakdown, ...report.aeoBreakdown]
    const ids = new Set(faults.map(({ id }) => id))
    const steps = ranked
      .flatMap(({ kind, title, relatedTo }, place) =>
        kind === 'challenge' && relatedTo.some((id) => ids.has(id))
          ? [`${inWords(title)} (step ${place + 1} of the report)`]
          : [],
      )
      .slice(0, maxSteps)
    const score = scores.find((breakdown) => breakdown.category === category)?.score
    return {
      id: `skill-${agent}`,
      name,
      description: [
        `${counted(faults.length, 'check')} in ${category} did not pass.`,
        `This is the skill to ${purpose}.`,
        ...(audience === 'owners' ? inPlainWords(termsIn(purpose, ...steps, ...inputs, ...outputs)) : []),
      ].join(' '),
      category,
      steps: [
        ...steps,
        score === undefined
          ? 'Scan the site again and see whether the findings are gone.'
          : `Scan the site again: ${category} stands at ${score} of 100 now.`,
      ],
      inputs: [...inputs],
      outputs: [...outputs],
      tools: [...tools, ...(audience === 'developers' ? developerTools : [])],
      relatedTo: faults.map(({ id }) => id),
    }
  })
}

function opportunitySkill(opportunity: Opportunity): Draft {
  const { id, title, description, category, currentState, potentialState } = opportunity
  const { automationApproach, recommendedTools } = opportunity
  const { inputs, outputs, count } = flows.get(category) ?? anyFlow
  const tools = [...(recommendedTools ?? [])]
  return {
    id: `skill-${id}`,
    name: title,
    description,
    category,
    steps: [
      ...(currentState === undefined ? [] : [`Begin with what the scan saw. ${currentState}`]),
      `Note for a week ${count}.`,
      ...(tools.length === 0 ? [] : [`Choose one tool: ${listOf(tools, 'or')}.`]),
      ...(automationApproach ?? []).map((block) => `Set up: ${block}`),
      ...(potentialState === undefined ? [] : [`Try it with real cases until this holds. ${potentialState}`]),
      'Count the hours for a month and compare them with those of the week before.',
    ],
    inputs: [...inputs],
    outputs: [...outputs],
    tools,
    relatedTo: [id],
  }
}

interface Flow {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /**
   * What to count to learn how much work there is. It must also fit when the scan saw only that something is
   * missing.
   */
  readonly count: string
}

const anyFlow: Flow = {
  inputs: ['the cases of a usual week'],
  outputs: ['handled cases', 'exceptions for a person'],
  count: 'how often this work comes up and how long it takes',
}

/** Inputs and outputs of the work, by the category of the opportunity. */
const flows: ReadonlyMap<string, Flow> = new Map<string, Flow>([
  [
    'lead-management',
    {
      inputs: ['a request from the site'],
      outputs: ['a lead with owner and due date'],
      count: 'how many requests come and how long each takes',
    },
  ],
  [
    'data',
    {
      inputs: ['records that are typed over today'],
      outputs: ['the same records in both systems'],
      count: 'what is typed over by hand and how long it takes',
    },
  ],
  [
    'scheduling',
    {
      inputs: ['free times', 'kinds of appointment'],
      outputs: ['a confirmed appointment'],
      count: 'how many appointments are made, moved and missed',
    },
  ],
  [
    'communication',
    {
      inputs: ['a question', 'approved answers'],
      outputs: ['an answer', 'questions that need a person'],
      count: 'which questions come and how long each answer takes',
    },
  ],
  [
    'content',
    {
      inputs: ['subjects and facts from the business'],
      outputs: ['a reviewed, dated page'],
      count: 'what is written or changed and how long it takes',
    },
  ],
  [
    'hr',
    {
      inputs: ['an application', 'the requirements'],
      outputs: ['a sorted list for a person to decide'],
      count: 'how many applications come and how long each takes',
    },
  ],
  [
    'reputation',
    {
      inputs: ['a finished order or visit'],
      outputs: ['a request for a review'],
      count: 'how many orders or visits are finished',
    },
  ],
  [
    'integration',
    {
      inputs: ['the interface and its fields'],
      outputs: ['a description that programs can read'],
      count: 'which questions about the interface come',
    },
  ],
])
