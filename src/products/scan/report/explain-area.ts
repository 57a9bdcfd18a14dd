import type { Finding } from '../findings/check.ts'
import { namedChecks } from '../findings/named-checks.ts'
import { counted } from '../findings/share.ts'
import { withPlace } from './key-findings.ts'
import { type Area, isIssue, worstFirst } from './scoring.ts'

/**
 * Explains the score of an area in a few sentences: how many checks passed, the two most costly ones with a
 * place where the fault can be seen, and what could not be measured. The owner of a site can check or
 * dispute a score only with these facts.
 */
export function explainArea({ findings, score }: Area): string {
  const missingExtras = findings.filter(isMissingExtra)
  const scored = countedChecks(findings)
  const passed = withResult(scored, 'pass')
  const unmeasured = withResult(scored, 'unmeasured')
  const inapplicable = withResult(scored, 'na')
  const measured = scored.length - unmeasured.length - inapplicable.length
  return [
    ...(score === undefined
      ? [
          unmeasured.length === 0
            ? 'No score, because less than half of the checks apply to this site.'
            : 'No score, because less than half of the checks could be made.',
        ]
      : []),
    passed.length === measured
      ? measured === 0
        ? 'There is nothing of this kind to check yet.'
        : `${counted(measured, 'check')} made, and none found a fault.`
      : `${passed.length} of ${counted(measured, 'check')} passed.`,
    ...worstFirst(scored).slice(0, maxIssues).map(describeIssue),
    ...(unmeasured.length > 0 ? [`Not measured: ${namedChecks(unmeasured)}.`] : []),
    ...(inapplicable.length > 0
      ? [`${counted(inapplicable.length, 'check')} did not apply to this site.`]
      : []),
    ...(missingExtras.length > 0 ? [`Would add to the score: ${namedChecks(missingExtras)}.`] : []),
  ].join(' ')
}

/** The checks that a report counts, in the summary as in the areas: what a site may do without and lacks is none. */
export function countedChecks(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.weight > 0 && !isMissingExtra(finding))
}

function isMissingExtra(finding: Finding): boolean {
  return finding.isExtra === true && isIssue(finding)
}

const maxIssues = 2

function describeIssue(finding: Parameters<typeof withPlace>[0]): string {
  const verdict = finding.result === 'fail' ? 'failed' : 'passed in part'
  return `“${finding.title}” ${verdict}. ${withPlace(finding)}`
}

function withResult(findings: readonly Finding[], result: Finding['result']): Finding[] {
  return findings.filter((finding) => finding.result === result)
}
