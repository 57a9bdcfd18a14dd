import type { WeighedAgent, Weights } from '../agents/agents.ts'
import type { Finding } from '../findings/check.ts'

/**
 * Turns findings into numbers. What does not apply and what could not be measured is left out and the
 * rest counts for more: a check that was not made is no reason to call a site bad, and none to call it
 * good, so a coverage stands beside every score.
 */
export interface AgentScore {
  /** 0 to 100, whole; undefined when nothing was measured. */
  readonly score: number | undefined
  /** Share of the applicable weight that was measured, in whole percent; 100 only when all of it was. */
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

/** One agent's part of a scan. */
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

/** An area with a score. */
export type ScoredArea = Area & { readonly score: number }

/** The areas that count for one of the two scores, in their order. */
export function countingAreas(areas: readonly Area[], by: keyof Weights): ScoredArea[] {
  return scoredAreas(areas).filter(({ weights }) => weights[by] > 0)
}

export function scoredAreas(areas: readonly Area[]): ScoredArea[] {
  return areas.filter((area): area is ScoredArea => area.score !== undefined)
}

/**
 * One of the two scores, from the rounded scores of its areas, so that anyone can work it out from the
 * breakdown; undefined when none of its areas could be scored.
 */
export function overallScore(areas: readonly Area[], by: keyof Weights): number | undefined {
  const counting = countingAreas(areas, by)
  const weight = sum(counting.map(({ weights }) => weights[by]))
  if (weight === 0) return undefined
  return Math.round(sum(counting.map(({ weights, score }) => weights[by] * score)) / weight)
}

/** A finding that says what is wrong. */
export type Issue = Finding & { readonly result: 'warn' | 'fail' }

export function isIssue(finding: Finding): finding is Issue {
  return finding.result === 'warn' || finding.result === 'fail'
}

/** How much of its weight a finding costs. */
export function costOf({ result, weight }: Finding): number {
  if (result === 'fail') return weight
  return result === 'warn' ? weight / 2 : 0
}

/** What is wrong and counts, the most costly first, otherwise in the order given. */
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
