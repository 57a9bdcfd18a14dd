import type { Admission, RunFailure } from '../../core/admission.ts'
import type { Reply } from '../../core/reply.ts'
import type { Commits } from './commits.ts'
import type { Counter, Counters } from './counters/counters.ts'
import { type Kept, type LargeRefusals, nothingKept, ofLargeRequest } from './large-refusals.ts'
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
  /** Bounds the large requests that are given back. */
  readonly largeRefusals: Pick<LargeRefusals, 'isGivenBack'>
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
    const kept = await this.#keptAfter(failure)
    const back = taken
      .map((counter) => ({
        ...counter,
        units: counter.units - (this.#isReserved(counter) ? kept.units : kept.calls),
      }))
      .filter(({ units }) => units > 0)
    if (back.length > 0) await counters.give(back)
    return limitHeaders(
      windows.map((window) => {
        if (window.name === 'rate') return window
        return withUnits(window, window.units - (window.unit === 'calls' ? kept.calls : kept.units))
      }),
    )
  }

  async #keptAfter(failure: RunFailure | undefined): Promise<Kept> {
    const { use, largeRefusals } = this.#state
    if (failure === 'caller_left') return { calls: 1, units: 0 }
    return failure === undefined || (await largeRefusals.isGivenBack(use)) ? nothingKept : ofLargeRequest(use)
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
