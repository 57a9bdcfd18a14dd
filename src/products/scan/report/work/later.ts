import { namedChecks } from '../../findings/named-checks.ts'
import type { Report } from '../../findings/results.ts'
import type { OutOfReach } from '../blocks/hosting/out-of-reach.ts'
import { type Area, idOf, isIssue } from '../scoring.ts'

/** What the host of a site has no setting for, in one line. It is no task: the owner can only keep it for a move. */
export function laterOf(areas: readonly Area[], beyond: OutOfReach | undefined): Report['later'] {
  if (beyond === undefined) return undefined
  const issues = areas
    .flatMap(({ findings }) => findings)
    .filter(isIssue)
    .filter((issue) => issue.weight > 0 && beyond.checks.has(idOf(issue)))
  if (issues.length === 0) return undefined
  const it = issues.length === 1 ? 'it' : 'them'
  // Scripts are limited by a line in the page, too, and nobody should write one without a test.
  const hasPolicy = issues.some((issue) => idOf(issue) === 'security-safety/csp')
  const sentences = [
    `Nothing to do now about ${namedChecks(issues)}: ${beyond.host}, on whose computers your site lies, has no setting for ${it}.`,
    ...(hasPolicy
      ? ['A line in the code of each page can do part of it, but a wrong one stops the page from working.']
      : []),
    `If you move the site one day, ask the new company for ${it}.`,
  ]
  return {
    text: sentences.join(' '),
    settles: issues.map(idOf),
  }
}
