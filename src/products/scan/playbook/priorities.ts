import { oneLine } from '../../text/plain-text.ts'
import type { Analysis, Challenge, Level, Opportunity } from '../findings/results.ts'
import { effortOf } from './area-skills.ts'

/** One thing to do, from a finding of the scan. */
export interface Item {
  readonly id: string
  readonly kind: 'challenge' | 'opportunity'
  readonly title: string
  /** What to do, in the imperative or as a heading. */
  readonly task: string
  readonly why: string
  readonly category: string
  readonly impact: Level
  readonly effort: Level
  /** It names hours that would be saved. */
  readonly hasHours: boolean
}

/**
 * All that a scan found to do, the most useful first: most impact for the effort, as the opportunities are
 * ranked among themselves, otherwise in the scan's own order. What could not be measured is no finding
 * and has no rank.
 */
export function rank({ report, challenges }: Analysis): Item[] {
  const opportunities = [...report.opportunities].sort(
    (one, other) => (one.priority ?? unranked) - (other.priority ?? unranked),
  )
  return [...opportunities.map(opportunityItem), ...challenges.flatMap(challengeItem)].sort(
    (one, other) => worth(other) - worth(one),
  )
}

const unranked = 1_000
const size: Readonly<Record<Level, number>> = { high: 3, medium: 2, low: 1 }

function worth({ impact, effort }: Item): number {
  return size[impact] / size[effort]
}

/** The agent of a challenge: what stands before the slash of its id. */
export function agentOf({ id }: Pick<Challenge, 'id'>): string {
  return id.split('/', 1)[0] ?? id
}

function opportunityItem(opportunity: Opportunity): Item {
  const { id, title, description, category, impact, effort, estimatedTimeSavingsRange: range } = opportunity
  const why = range === undefined ? description : `${description} (${range})`
  const hasHours = range !== undefined
  return { id, kind: 'opportunity', title, task: title, why, category, impact, effort, hasHours }
}

function challengeItem(challenge: Challenge): Item[] {
  const { id, category, title, severity, reason, fix } = challenge
  if (severity === 'unmeasured') return []
  const task = oneLine(fix ?? title, 300)
  const effort = effortOf(id)
  return [
    { id, kind: 'challenge', title, task, why: reason, category, impact: severity, effort, hasHours: false },
  ]
}
