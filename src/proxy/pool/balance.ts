import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { TargetHealth } from './health.ts'

export interface Candidate {
  readonly health: Pick<TargetHealth, 'isAvailable'>
  /** Calls that are running. */
  readonly active: number
}

/**
 * Creates the function that chooses the target of the next call. It prefers available targets to ejected
 * ones, then targets that this call has not tried. So a call is sent even when all targets are ejected: a try
 * is better than a refusal.
 *
 * @param targets not empty
 */
export function createBalance<Target extends Candidate>(
  kind: Upstream['balance'],
  targets: readonly Target[],
): (tried: readonly Target[]) => Target {
  const [only] = targets
  if (only === undefined) throw new Error('an upstream needs at least one target')
  if (targets.length === 1) return () => only
  let from = 0

  return (tried) => {
    let chosen = only
    let chosenRank = Number.POSITIVE_INFINITY
    let chosenAt = 0
    for (let step = 0; step < targets.length; step++) {
      const at = (from + step) % targets.length
      const target = targets[at] ?? only
      const rank = (target.health.isAvailable() ? 0 : 2) + (tried.includes(target) ? 1 : 0)
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

/** Whether an available target is left that was not tried. */
export function hasAnother<Target extends Candidate>(
  targets: readonly Target[],
  tried: readonly Target[],
): boolean {
  return targets.some((target) => !tried.includes(target) && target.health.isAvailable())
}
