import { oneLine } from '../../text/plain-text.ts'
import type { Analysis, Challenge, Level, Opportunity } from '../findings/results.ts'
import { effortOf } from './area-skills.ts'

/** One thing to do, made from a challenge or an opportunity. */
export interface Item {
  readonly id: string
  readonly kind: 'challenge' | 'opportunity'
  readonly title: string
  /** An imperative sentence or a heading. */
  readonly task: string
  readonly why: string
  readonly category: string
  readonly impact: Level
  readonly effort: Level
  /** Its reason names hours that would be saved. */
  readonly hasHours: boolean
}

/**
 * Ranks everything there is to do by impact for the effort; equal ones keep the order of the scan. Checks
 * that could not be measured are not findings and get no rank.
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

/** The part of a challenge's id before the slash. */
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
