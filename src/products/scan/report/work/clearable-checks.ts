import type { Challenge } from '../../findings/results.ts'

/** Checks that could not be made and may be in the next scan. One that does not know the language of a site will not be. */
export function clearableChecks(challenges: readonly Challenge[]): Challenge[] {
  return challenges.filter(
    ({ severity, reason }) =>
      severity === 'unmeasured' && !/ language| not known to this check|English only/.test(reason),
  )
}
