import { oneLine } from '../../text/plain-text.ts'
import type { Finding } from '../findings/check.ts'
import { faultsOf, type Issue, idOf, worstFirst } from './scoring.ts'
import { leadersOf } from './shared-causes.ts'

/**
 * Returns the most costly findings of all agents, as sentences that each name a place where the fault can be
 * seen.
 */
export function keyFindings(findings: readonly Finding[]): string[] {
  return mostCostly(findings, maxFindings).map((finding) => oneLine(withPlace(finding), maxLength))
}

const maxFindings = 8
const maxLength = 700

/**
 * Returns the most costly findings. Several agents may report one fault, such as a line of robots.txt or a
 * missing certificate. It appears once, as the finding that leads its cause.
 */
export function mostCostly(findings: readonly Finding[], count: number): Issue[] {
  const worst = worstFirst(findings)
  const byId = new Map(worst.map((finding) => [idOf(finding), finding]))
  const leaders = leadersOf(faultsOf(worst))
  const places = new Set<string>()
  const chosen = new Set<Issue>()
  for (const finding of worst) {
    if (chosen.size === count) break
    const leader = byId.get(leaders.get(idOf(finding)) ?? '') ?? finding
    const [first] = leader.evidence
    const place = first === undefined ? idOf(leader) : `${first.url} ${first.value}`
    if (places.has(place)) continue
    places.add(place)
    chosen.add(leader)
  }
  return [...chosen]
}

/** Adds the first piece of evidence to the reason: "… (https://example.com/: 3 H1 headings)." */
export function withPlace({ reason, evidence }: Issue): string {
  const [first] = evidence
  if (first === undefined) return reason
  return `${reason.replace(/[.\s]{1,3}$/, '')} (${first.url}: ${first.value}).`
}
