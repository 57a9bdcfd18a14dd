import type { Upstream } from '../../core/catalog/upstreams.ts'

/**
 * Whether a target is asked or left alone. Without it every call that falls to a dead target would wait for its
 * failure first; and without the single trial at the end of that time, all of them would find out together that it
 * is still dead.
 */
export interface Health {
  /** Whether calls go here. Of a target that failed, one is let through once its time is over. */
  readonly isWell: () => boolean
  readonly isEjected: () => boolean
  /** A call goes here now. */
  readonly begin: () => void
  /** The head of a usable reply came: good enough to come back, and not yet to be trusted as before. */
  readonly answered: () => void
  /** A whole reply came. */
  readonly completed: () => void
  readonly failed: () => void
  /** A call ended without telling anything of the target. */
  readonly abandoned: () => void
  /** What a check found. A target is left alone until a check finds it well again. */
  readonly checked: (isGood: boolean) => void
}

/**
 * @param now in milliseconds, of a clock that nobody sets
 * @param tell hears of each change, once
 */
export function createHealth(
  { failures: most, ejectSeconds }: Upstream['health'],
  now: () => number,
  tell: (isEjected: boolean) => void,
): Health {
  let failures = 0
  let ejectedUntil: number | undefined
  let isOnTrial = false
  let isCheckedBad = false

  const isEjected = () => isCheckedBad || ejectedUntil !== undefined
  const change = (apply: () => void) => {
    const before = isEjected()
    apply()
    if (isEjected() !== before) tell(!before)
  }

  return {
    isEjected,
    isWell: () => !isCheckedBad && (ejectedUntil === undefined || (!isOnTrial && now() >= ejectedUntil)),
    begin() {
      if (ejectedUntil !== undefined && now() >= ejectedUntil) isOnTrial = true
    },
    answered() {
      isOnTrial = false
      if (ejectedUntil === undefined) return
      failures = most - 1
      change(() => {
        ejectedUntil = undefined
      })
    },
    completed() {
      failures = 0
    },
    failed() {
      failures += 1
      const isOver = isOnTrial || failures >= most
      isOnTrial = false
      if (!isOver) return
      change(() => {
        ejectedUntil = now() + ejectSeconds * 1_000
      })
    },
    abandoned() {
      isOnTrial = false
    },
    checked(isGood) {
      change(() => {
        isCheckedBad = !isGood
      })
    },
  }
}
