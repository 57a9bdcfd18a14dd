import type { Admission, RunFailure } from '../../core/admission.ts'
import type { Reply } from '../../core/reply.ts'
import type { Commits } from './commits.ts'
import type { Counter, Counters } from './counters/counters.ts'
import { type LimitWindow, limitHeaders } from './limit-headers.ts'
import { countersAfter, type Use } from './use.ts'

interface AdmissionState {
  readonly use: Use
  /** The counters that units were taken from. */
  readonly taken: readonly Counter[]
  /** The limits as they stand since. */
  readonly windows: readonly LimitWindow[]
  /** The time of the call, in milliseconds since the epoch: its units count in the periods of this time. */
  readonly now: number
  readonly counters: Pick<Counters, 'give'>
  readonly commits: Commits
}

/** A call whose units are taken. */
export class QuotaAdmission implements Admission {
  readonly owed = undefined
  readonly payment = undefined
  readonly #state: AdmissionState

  constructor(state: AdmissionState) {
    this.#state = state
  }

  async settle(reply: Reply): Promise<Reply> {
    const { use, windows } = this.#state
    const headers = limitHeaders(use.meter ? await this.#windowsAfter(reply) : windows)
    // The headers hold the counts of one caller, so a shared cache must not send them to others.
    return { ...reply, headers: { ...notShared, ...reply.headers, ...headers } }
  }

  get units(): readonly Counter[] {
    return this.#state.taken
  }

  /**
   * Gives the units back. A caller who left keeps its call counted: the work was begun, and a caller who
   * leaves each time could have it done without limit. The units that were reserved for the reply are given
   * back, because nothing of it was delivered.
   */
  async release(failure?: RunFailure): Promise<Readonly<Record<string, string>>> {
    const { taken, windows, counters } = this.#state
    const back = failure === 'caller_left' ? taken.filter((counter) => this.#isReserved(counter)) : taken
    if (back.length > 0) await counters.give(back)
    return limitHeaders(
      windows.map((window) =>
        window.name === 'rate' || (failure === 'caller_left' && window.unit === 'calls')
          ? window
          : withUnits(window, window.units),
      ),
    )
  }

  /**
   * The limits after a metered call. A streamed reply is sent with the limits as they stand while units are
   * reserved.
   */
  async #windowsAfter({ delivered, stream, tunnel }: Reply): Promise<readonly LimitWindow[]> {
    const { use, taken, windows, now, commits } = this.#state
    if (!use.meter || !delivered) return windows
    const used = commits.commit(delivered, {
      meter: use.meter,
      held: taken.filter((counter) => this.#isReserved(counter)),
      after: (units) => countersAfter(use, units, now),
    })
    if (stream || tunnel) return windows
    const units = await used
    if (units === undefined) return windows
    return windows.map((window) =>
      window.unit === 'calls' ? window : withUnits(window, window.units - units),
    )
  }

  /** Whether a counter counts units, and not calls. */
  #isReserved({ operation }: Counter): boolean {
    return operation !== this.#state.use.operation
  }
}

function withUnits(window: LimitWindow, units: number): LimitWindow {
  return { ...window, remaining: window.remaining + Math.max(units, 0) }
}

const notShared = { 'cache-control': 'private, no-store' }
