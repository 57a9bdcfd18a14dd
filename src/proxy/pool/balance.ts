import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { Health } from './health.ts'

/** What is known of a target when one has to be chosen. */
export interface Candidate {
  readonly health: Pick<Health, 'isWell'>
  /** Calls under way. */
  readonly active: number
}

/**
 * Chooses who gets the next call. A target that is well comes before one that is left alone, then one that was not
 * tried for this call before one that was: so a call is sent even when all are left alone, for a refusal would be
 * worse than a try.
 * @param targets not empty
 */
export function createBalance<Target extends Candidate>(
  kind: Upstream['balance'],
  targets: readonly Target[],
): (tried: readonly Target[]) => Target {
  const [only] = targets
  if (only === undefined) throw new Error('an upstream has at least one target')
  if (targets.length === 1) return () => only
  let from = 0

  return (tried) => {
    let chosen = only
    let chosenRank = Number.POSITIVE_INFINITY
    let chosenAt = 0
    for (let step = 0; step < targets.length; step++) {
      const at = (from + step) % targets.length
      const target = targets[at] ?? only
      const rank = (target.health.isWell() ? 0 : 2) + (tried.includes(target) ? 1 : 0)
      const isLessBusy = kind === 'least-busy' && rank === chosenRank && target.active < chosen.active
      if (rank < chosenRank || isLessBusy) {
        chosen = target
        chosenRank = rank
        chosenAt = at
      }
    }
    from = (chosenAt + 1) % targets.length
    return chosen
  }
}

/** Whether another target than those tried would be asked next, and not one that is left alone. */
export function hasAnother<Target extends Candidate>(
  targets: readonly Target[],
  tried: readonly Target[],
): boolean {
  return targets.some((target) => !tried.includes(target) && target.health.isWell())
}
