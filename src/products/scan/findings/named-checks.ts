import { listOf } from '../../text/plain-text.ts'
import type { Finding } from './check.ts'

/** “A”, “B”, “C”, and 2 more. */
export function namedChecks(findings: readonly Pick<Finding, 'title'>[]): string {
  const named = findings.slice(0, 3).map(({ title }) => `“${title}”`)
  const more = findings.length - named.length
  return listOf(more > 0 ? [...named, `${more} more`] : named)
}
