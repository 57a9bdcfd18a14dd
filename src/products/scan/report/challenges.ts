import type { Finding } from '../findings/check.ts'
import type { Challenge } from '../findings/results.ts'
import { type Area, costOf, idOf, isIssue, severityOf } from './scoring.ts'

/**
 * Lists every check that did not pass or could not be made: the most costly first, the unmeasured ones last.
 * The playbook is made from these and the opportunities alone. An unmeasured check of weight 0 is left out,
 * because it is only information.
 */
export function challengesOf(areas: readonly Area[]): Challenge[] {
  return areas
    .flatMap(({ name, findings }) => findings.flatMap((finding) => challenge(name, finding)))
    .sort((one, other) => other.cost - one.cost)
    .map(({ cost: _, ...rest }) => rest)
}

function challenge(category: string, finding: Finding): (Challenge & { cost: number })[] {
  const { title, reason, weight } = finding
  const place = { id: idOf(finding), category, title, reason }
  if (isIssue(finding)) {
    const evidence = finding.evidence.map(({ url, value }) => ({ url, value }))
    return [{ ...place, severity: severityOf(finding), fix: finding.fix, evidence, cost: costOf(finding) }]
  }
  if (finding.result !== 'unmeasured' || weight === 0) return []
  return [{ ...place, severity: 'unmeasured', evidence: [], cost: -1 }]
}
