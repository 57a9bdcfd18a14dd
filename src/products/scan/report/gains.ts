import type { Weights } from '../agents/agents.ts'
import { type Finding, pass } from '../findings/check.ts'
import type { Gate } from '../findings/results.ts'
import { capped, checksOfGate } from './gates.ts'
import { roundPoints } from './round-points.ts'
import { type Area, faultsOf, idOf, isIssue, rescored, totalOf } from './scoring.ts'
import { chargedOnce } from './shared-causes.ts'

/** How much the two totals would gain if one check passed, in points to a tenth. */
export interface Gain {
  /**
   * Agent and check: `core-snapshot/reach`. A gate that none of the failed checks reports, as in a light scan
   * of a page with a challenge, has an entry of its own: `gate/wall`.
   */
  readonly checkId: string
  /** The name of the area: "Core snapshot". Empty for a gate. */
  readonly area: string
  /** Points of the AI readiness score. */
  readonly gain: number
  /** Points of the AEO score. */
  readonly aeoGain: number
}

/**
 * Tells what each check that did not pass would gain, the largest gain of both totals first. While a gate caps
 * the totals, nothing but its own check gains as much, and most gain nothing. A fault that is charged with
 * another one gains nothing by itself; the leader's gain includes it.
 */
export function gainsOf(areas: readonly Area[], gates: readonly Gate[]): Gain[] {
  const findings = areas.flatMap((area) => area.findings)
  const issues = findings.filter(isIssue)
  const leaders = chargedOnce(faultsOf(findings))
  const leaderOf = (id: string) => leaders.get(id) ?? id
  const keys = gates.map((gate) => ({ gate, key: keyOf(gate, issues.map(idOf), leaderOf) }))
  const gainOf = (id: string) => {
    const mended = rescored(areas, (finding) =>
      isIssue(finding) && leaderOf(idOf(finding)) === id ? passed(finding) : finding,
    )
    const left = keys.filter(({ key }) => key !== id).map(({ gate }) => gate)
    const points = (by: keyof Weights) =>
      roundPoints(totalUnder(mended, left, by) - totalUnder(areas, gates, by))
    return { gain: points('readiness'), aeoGain: points('aeo') }
  }
  const ofChecks = areas.flatMap((area) =>
    area.findings.filter(isIssue).map((finding): Gain => {
      const checkId = idOf(finding)
      const isFollower = leaderOf(checkId) !== checkId
      return { checkId, area: area.name, ...(isFollower ? { gain: 0, aeoGain: 0 } : gainOf(checkId)) }
    }),
  )
  const ofGates = keys
    .filter(({ gate, key }) => key === gateId(gate))
    .map(({ key }): Gain => ({ checkId: key, area: '', ...gainOf(key) }))
  return [...ofGates, ...ofChecks].sort((one, other) => both(other) - both(one))
}

/**
 * Tells what several checks gain together when some gates open with them. It is not the sum of their gains: they may
 * share a cause, and a cap may hide them.
 */
export function jointGain(
  areas: readonly Area[],
  ids: readonly string[],
  before: readonly Gate[],
  after: readonly Gate[],
): Pick<Gain, 'gain' | 'aeoGain'> {
  const leaders = chargedOnce(faultsOf(areas.flatMap((area) => area.findings)))
  const wanted = new Set(ids)
  const mended = rescored(areas, (finding) => {
    const id = idOf(finding)
    return wanted.has(id) || wanted.has(leaders.get(id) ?? '') ? passed(finding) : finding
  })
  const points = (by: keyof Weights) =>
    Math.max(0, roundPoints(totalUnder(mended, after, by) - totalUnder(areas, before, by)))
  return { gain: points('readiness'), aeoGain: points('aeo') }
}

/** The fault with which a gate opens: the first of its checks that found one, or the gate itself. */
function keyOf(gate: Gate, issues: readonly string[], leaderOf: (id: string) => string): string {
  const check = checksOfGate[gate.id].find((id) => issues.includes(id))
  return check === undefined ? gateId(gate) : leaderOf(check)
}

function gateId({ id }: Gate): string {
  return `gate/${id}`
}

function totalUnder(areas: readonly Area[], gates: readonly Gate[], by: keyof Weights): number {
  return capped(totalOf(areas, by) ?? 0, gates)
}

function passed({ agent, check, title, weight, isExtra = false }: Finding): Finding {
  return { ...pass(''), agent, check, title, weight, isExtra }
}

function both({ gain, aeoGain }: Gain): number {
  return gain + aeoGain
}
