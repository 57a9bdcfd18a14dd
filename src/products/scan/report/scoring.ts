import type { WeighedAgent, Weights } from '../agents/agents.ts'
import type { Finding } from '../findings/check.ts'

/**
 * The score of one agent. Checks that do not apply or could not be measured are left out, and the others
 * count for more. A check that was not made says neither good nor bad of the site, so each score has a
 * coverage beside it.
 */
export interface AgentScore {
  /** Whole number from 0 to 100; undefined when nothing was measured. */
  readonly score: number | undefined
  /** Whole percentage of the applicable weight that was measured; 100 only when all of it was. */
  readonly coverage: number
}

export function scoreAgent(findings: readonly Finding[]): AgentScore {
  const measured = findings.filter(isMeasured)
  const weight = sum(measured.map((finding) => finding.weight))
  const missed = sum(measured.map(costOf))
  const open = sum(findings.filter(({ result }) => result === 'unmeasured').map((finding) => finding.weight))
  return {
    score: weight === 0 ? undefined : Math.round((100 * (weight - missed)) / weight),
    coverage: weight === 0 ? 0 : Math.floor((100 * weight) / (weight + open)),
  }
}

/** The part of a scan that one agent judges. */
export interface Area extends AgentScore {
  readonly id: string
  readonly name: string
  readonly weights: Weights
  readonly findings: readonly Finding[]
}

export function areasOf(agents: readonly WeighedAgent[], findings: readonly Finding[]): Area[] {
  return agents.map(({ agent, weights }) => {
    const own = findings.filter((finding) => finding.agent === agent.id)
    return { id: agent.id, name: agent.name, weights, findings: own, ...scoreAgent(own) }
  })
}

export type ScoredArea = Area & { readonly score: number }

/** Returns the areas that have a score and count for one of the two totals, in their order. */
export function countingAreas(areas: readonly Area[], by: keyof Weights): ScoredArea[] {
  return scoredAreas(areas).filter(({ weights }) => weights[by] > 0)
}

export function scoredAreas(areas: readonly Area[]): ScoredArea[] {
  return areas.filter((area): area is ScoredArea => area.score !== undefined)
}

/**
 * Returns one of the two totals, the weighted mean of the rounded scores of its areas, so that a reader can
 * recompute it from the breakdown. Returns undefined when none of its areas has a score.
 */
export function overallScore(areas: readonly Area[], by: keyof Weights): number | undefined {
  const counting = countingAreas(areas, by)
  const weight = sum(counting.map(({ weights }) => weights[by]))
  if (weight === 0) return undefined
  return Math.round(sum(counting.map(({ weights, score }) => weights[by] * score)) / weight)
}

/** A finding that reports a fault. */
export type Issue = Finding & { readonly result: 'warn' | 'fail' }

export function isIssue(finding: Finding): finding is Issue {
  return finding.result === 'warn' || finding.result === 'fail'
}

/** Returns how much of its weight a finding costs: all for a failure, half for a warning. */
export function costOf({ result, weight }: Finding): number {
  if (result === 'fail') return weight
  return result === 'warn' ? weight / 2 : 0
}

/** Returns the issues that cost points, the most costly first and equal ones in the order given. */
export function worstFirst(findings: readonly Finding[]): Issue[] {
  return findings
    .filter(isIssue)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => costOf(other) - costOf(one))
}

function isMeasured({ result }: Finding): boolean {
  return result === 'pass' || result === 'warn' || result === 'fail'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
