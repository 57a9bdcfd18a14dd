import { namedChecks } from '../../findings/named-checks.ts'
import type { Report } from '../../findings/results.ts'
import { type Area, idOf, isIssue } from '../scoring.ts'

/** What the host of a site has no setting for, in one line. It is no task: the owner can only keep it for a move. */
export function laterOf(areas: readonly Area[], outOfReach: ReadonlySet<string>): Report['later'] {
  const issues = areas
    .flatMap(({ findings }) => findings)
    .filter(isIssue)
    .filter((issue) => issue.weight > 0 && outOfReach.has(idOf(issue)))
  if (issues.length === 0) return undefined
  return {
    text: `Nothing to do now about ${namedChecks(issues)}: GitHub Pages, on whose computers your site lies, has no setting for ${issues.length === 1 ? 'it' : 'them'}. If you move the site one day, ask the new company for ${issues.length === 1 ? 'it' : 'them'}.`,
    settles: issues.map(idOf),
  }
}
