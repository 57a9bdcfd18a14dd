import type { Upstream } from '../../core/catalog/upstreams.ts'

/**
 * Decides whether a target gets calls. After several failures in a row it is ejected for a time; then one
 * trial call decides whether it comes back. Without ejection every call to a dead target would wait for its
 * failure, and without the single trial all calls would find out together that it is still dead.
 */
export class TargetHealth {
  readonly #maxFailures: number
  readonly #ejectMs: number
  readonly #now: () => number
  readonly #onChange: (isEjected: boolean) => void
  #state: State = inUse
  /** In a row. */
  #failures = 0
  /** Set by the health checks alone, whatever calls find. */
  #isCheckFailing = false

  /**
   * @param now milliseconds of a clock that never goes back
   * @param onChange called once for each ejection and each return
   */
  constructor(
    { failures, ejectSeconds }: Upstream['health'],
    now: () => number,
    onChange: (isEjected: boolean) => void,
  ) {
    this.#maxFailures = failures
    this.#ejectMs = ejectSeconds * 1_000
    this.#now = now
    this.#onChange = onChange
  }

  /**
   * Whether the next call may go here. An ejected target is available for one trial once its time is over.
   */
  isAvailable(): boolean {
    if (this.#isCheckFailing) return false
    const state = this.#state
    switch (state.kind) {
      case 'in use':
        return true
      case 'ejected':
        return this.#now() >= state.untilMs
      case 'on trial':
        return false
    }
  }

  isEjected(): boolean {
    return this.#isCheckFailing || this.#state.kind !== 'in use'
  }

  /** A call starts. */
  started(): void {
    const state = this.#state
    if (state.kind === 'ejected' && this.#now() >= state.untilMs) {
      this.#state = { kind: 'on trial', untilMs: state.untilMs }
    }
  }

  /** The head of a usable reply came: the target comes back, and one more failure ejects it again. */
  replied(): void {
    if (this.#state.kind === 'in use') return
    this.#failures = this.#maxFailures - 1
    this.#change(inUse)
  }

  /** A whole reply came. */
  completed(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures += 1
    if (this.#state.kind === 'on trial' || this.#failures >= this.#maxFailures) {
      this.#change({ kind: 'ejected', untilMs: this.#now() + this.#ejectMs })
    }
  }

  /** A call ended without a sign of the target's health. */
  abandoned(): void {
    if (this.#state.kind === 'on trial') this.#state = { kind: 'ejected', untilMs: this.#state.untilMs }
  }

  /** A health check ended. A target that fails a check is ejected until it passes one. */
  checked(isGood: boolean): void {
    const wasEjected = this.isEjected()
    this.#isCheckFailing = !isGood
    this.#report(wasEjected)
  }

  #change(state: State): void {
    const wasEjected = this.isEjected()
    this.#state = state
    this.#report(wasEjected)
  }

  #report(wasEjected: boolean): void {
    if (this.isEjected() !== wasEjected) this.#onChange(!wasEjected)
  }
}

type State =
  | { readonly kind: 'in use' }
  /** Gets no calls before this time. */
  | { readonly kind: 'ejected'; readonly untilMs: number }
  /** The one call that decides is running. */
  | { readonly kind: 'on trial'; readonly untilMs: number }

const inUse: State = { kind: 'in use' }
