import { namedChecks } from '../../findings/named-checks.ts'
import type { Challenge } from '../../findings/results.ts'
import { counted } from '../../findings/share.ts'

/** Checks that could not be made and may be in the next scan. One that does not know the language of a site will not be. */
export function clearableChecks(challenges: readonly Challenge[]): Challenge[] {
  return challenges.filter(
    ({ severity, reason }) =>
      severity === 'unmeasured' && !/ language|Defining sentences in|English only/.test(reason),
  )
}

/** What could not be measured and why, in sentences; empty when all was. */
export function gapsIn(challenges: readonly Challenge[], isWalled: boolean): string {
  const open = challenges.filter(({ severity }) => severity === 'unmeasured')
  if (open.length === 0) return ''
  const clearable = new Set(clearableChecks(challenges))
  const unknown = open.filter((one) => !clearable.has(one))
  const unseen = open.filter((one) => clearable.has(one))
  return [
    `${counted(open.length, 'check')} could not be made.`,
    ...(unknown.length === 0
      ? []
      : [`We cannot judge ${namedChecks(unknown)} in the language of this site.`]),
    ...(unseen.length === 0 ? [] : [`For ${namedChecks(unseen)} the scan could not read what is asked.`]),
    'What was not measured counts neither for nor against the site.',
    ...(isWalled ? ['Ask for a new scan once agents get in.'] : []),
  ].join(' ')
}
