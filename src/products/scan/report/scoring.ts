import { agentsForSoftware, agentsOf, type WeighedAgent, type Weights } from '../agents/agents.ts'
import type { Finding } from '../findings/check.ts'
import type { Site } from '../site/site.ts'
import { chargedOnce } from './shared-causes.ts'

/**
 * The scores. Three rules keep them honest:
 *
 * - Only checks that could be made count. Each has a fixed part of the weight of its area, so an area counts
 *   by the share of its checks that were made, and one good check of ten does not carry an area.
 * - What a site may do without (`isExtra`) costs nothing where it is missing. What it publishes for agents counts
 *   four times in the totals (`creditOfExtra`): a site that agents can work with is readier than one that merely
 *   has no faults.
 * - Faults with one cause are charged once.
 *
 * A total is the weighted mean over all checks that count, so a check that passes never lowers it, and one that
 * is lost never raises it. The caps of `gates.ts` come on top.
 */
export interface AgentScore {
  /** Whole number from 0 to 100; undefined when less than half of the checks, by weight, could be made. */
  readonly score: number | undefined
  /** Whole percentage of the applicable weight that was measured; 100 only when all of it was. */
  readonly coverage: number
  /** Weight of all checks, of those that count, what these have earned of it, and what the extras among them have. */
  readonly weight: number
  readonly made: number
  readonly earned: number
  readonly credit: number
}

export function scoreAgent(
  findings: readonly Finding[],
  followers: ReadonlySet<Finding> = followersIn(findings),
): AgentScore {
  const charges = findings.map((finding) => chargeOf(finding, followers.has(finding)))
  const weight = sum(findings.map((finding) => finding.weight))
  const made = sum(charges.map((charge) => charge.made))
  const earned = sum(charges.map((charge) => charge.earned))
  const credit = sum(charges.map((charge) => charge.credit))
  const measured = sum(findings.filter(isMeasured).map((finding) => finding.weight))
  const open = sum(findings.filter(({ result }) => result === 'unmeasured').map((finding) => finding.weight))
  return {
    score: made === 0 || 2 * made < weight ? undefined : Math.round((100 * earned) / made),
    coverage: measured === 0 ? 0 : Math.floor((100 * measured) / (measured + open)),
    weight,
    made,
    earned,
    credit,
  }
}

function chargeOf(finding: Finding, isFollower: boolean): { made: number; earned: number; credit: number } {
  const { weight, isExtra = false } = finding
  if (!isMeasured(finding) || isFollower) return { made: 0, earned: 0, credit: 0 }
  const earned = weight - missedBy(finding)
  return { made: isExtra ? earned : weight, earned, credit: isExtra ? earned : 0 }
}

/** With 1, an OpenAPI description would move a total by half a point, and one more label as much. */
const creditOfExtra = 4

/** The areas of what a site publishes for agents; extras elsewhere, such as easy sentences, count once. */
const forAgents: ReadonlySet<string> = new Set(['agent-files', 'agent-protocols'])

/** Returns the faults that are charged with another one. */
function followersIn(findings: readonly Finding[]): ReadonlySet<Finding> {
  const leaders = chargedOnce(faultsOf(findings))
  return new Set(
    findings.filter((finding) => {
      const id = idOf(finding)
      return isIssue(finding) && (leaders.get(id) ?? id) !== id
    }),
  )
}

/** The issues, as what looks for shared causes reads them. */
export function faultsOf(findings: readonly Finding[]) {
  return findings.filter(isIssue).map((finding) => ({
    id: idOf(finding),
    severity: severityOf(finding),
    evidence: finding.evidence,
    work: finding.work,
  }))
}

/** The part of a scan that one agent judges. */
export interface Area extends AgentScore {
  readonly id: string
  readonly name: string
  readonly weights: Weights
  readonly findings: readonly Finding[]
}

export function areasOf(agents: readonly WeighedAgent[], findings: readonly Finding[]): Area[] {
  const followers = followersIn(findings)
  return agents.map(({ agent, weights }) => {
    const own = findings.filter((finding) => finding.agent === agent.id)
    return { id: agent.id, name: agent.name, weights, findings: own, ...scoreAgent(own, followers) }
  })
}

/**
 * The areas of a site, with the weights for software where it offers an API or an application and they serve it
 * better. With those weights alone, a site that adds the markup of its application could lose by it.
 */
export function areasOfSite({ capture, profile }: Site, findings: readonly Finding[]): Area[] {
  const plain = areasOf(agentsOf(capture.depth), findings)
  if (!profile.api && !profile.app) return plain
  const ofSoftware = areasOf(agentsForSoftware(capture.depth), findings)
  return (totalOf(ofSoftware, 'readiness') ?? 0) > (totalOf(plain, 'readiness') ?? 0) ? ofSoftware : plain
}

/** Returns the areas with some of their findings replaced. */
export function rescored(areas: readonly Area[], replace: (finding: Finding) => Finding): Area[] {
  const changed = areas.map((area) => ({ ...area, findings: area.findings.map(replace) }))
  const followers = followersIn(changed.flatMap(({ findings }) => findings))
  return changed.map((area) => ({ ...area, ...scoreAgent(area.findings, followers) }))
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
 * Returns one of the two totals, 0 to 100 and not rounded, before any cap. Areas without a score of their own
 * count by the few checks that were made, because a total that dropped them would jump when one more check can
 * be made. Returns undefined when nothing that counts was measured.
 */
export function totalOf(areas: readonly Area[], by: keyof Weights): number | undefined {
  const counting = areas.filter(({ weight }) => weight > 0)
  const share = (part: (area: Area) => number) =>
    sum(counting.map((area) => (area.weights[by] * part(area)) / area.weight))
  const more = (creditOfExtra - 1) * share(({ id, credit }) => (forAgents.has(id) ? credit : 0))
  const made = share((area) => area.made) + more
  const earned = share((area) => area.earned) + more
  return made === 0 ? undefined : (100 * earned) / made
}

/** Whole percentage of the checks of an area, by weight, that were made; 100 only when all were. */
export function shareOf({ weight, made }: AgentScore): number {
  return weight === 0 ? 0 : Math.floor((100 * made) / weight)
}

/** A finding that reports a fault. */
export type Issue = Finding & { readonly result: 'warn' | 'fail' }

export function isIssue(finding: Finding): finding is Issue {
  return finding.result === 'warn' || finding.result === 'fail'
}

/** Agent and check: `core-snapshot/reach`. */
export function idOf({ agent, check }: Pick<Finding, 'agent' | 'check'>): string {
  return `${agent}/${check}`
}

/** Returns how much of its weight a finding costs: all for a failure, half for a warning, nothing for an extra. */
export function costOf(finding: Finding): number {
  return finding.isExtra ? 0 : missedBy(finding)
}

function missedBy({ result, weight }: Finding): number {
  if (result === 'fail') return weight
  return result === 'warn' ? weight / 2 : 0
}

/** A failed check of weight 4 or 5 stops agents first, so it is high. One of weight 1 is a detail. */
export function severityOf(finding: Finding): 'high' | 'medium' | 'low' {
  const missed = costOf(finding)
  if (missed >= 4) return 'high'
  return missed >= 2 ? 'medium' : 'low'
}

/** Returns the issues that cost points, the most costly first and equal ones in the order given. */
export function worstFirst(findings: readonly Finding[]): Issue[] {
  return findings
    .filter(isIssue)
    .filter((finding) => costOf(finding) > 0)
    .sort((one, other) => costOf(other) - costOf(one))
}

export function isMeasured({ result }: Finding): boolean {
  return result === 'pass' || result === 'warn' || result === 'fail'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
