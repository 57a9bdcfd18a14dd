import { createBackgroundWork } from '../../core/background.ts'
import { costOf, type Delivery } from '../../core/catalog/metering.ts'
import type { Meter } from '../../core/catalog/prices.ts'
import type { Log } from '../../core/log.ts'
import type { Counter, Counters } from './counters/counters.ts'

/**
 * What was set aside for metered calls, turned into what they have used. A streamed reply ends long after its headers
 * are out, so this goes on by itself, and whoever closes the counters waits for it first: what is not given back
 * by then stays taken until the day or month ends.
 */
export interface Commits {
  /**
   * Waits for the delivery, gives the rest back and counts what was used.
   * @returns how many units were used; undefined when what was set aside could not be given back, which is logged. It never rejects.
   */
  commit(delivered: Promise<Delivery>, call: Metered): Promise<number | undefined>
  /** Resolves when none is under way. */
  idle(): Promise<void>
}

interface Metered {
  readonly meter: Meter
  /** The counters that units were taken from. */
  readonly held: readonly Counter[]
  /** The counters that the units are added to now. */
  readonly after: (units: number) => readonly Counter[]
}

export function createCommits(counters: Pick<Counters, 'take' | 'give'>, log: Log): Commits {
  const underWay = createBackgroundWork()

  async function carryOut(delivered: Promise<Delivery>, call: Metered): Promise<number | undefined> {
    const { usage } = await delivered
    const units = usage ? costOf(call.meter, usage).units : 0
    const rest = call.held
      .map((counter) => ({ ...counter, units: counter.units - units }))
      .filter((counter) => counter.units > 0)
    const after = call.after(units)
    // Both are tried: a rest that is not given back is no reason not to count.
    const [given] = await Promise.all([
      rest.length === 0 || orLog(counters.give(rest), 'units that a call did not use stay taken', rest),
      after.length === 0 || orLog(counters.take(after), 'units that a call used are not counted', after),
    ])
    return given ? units : undefined
  }

  /** The reply is made, or even sent: nobody could do anything about the error. @returns whether it worked. */
  async function orLog(
    work: Promise<unknown>,
    message: string,
    counted: readonly Counter[],
  ): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      const [first] = counted
      log.error({ err: error, operation: first?.operation, units: first?.units }, message)
      return false
    }
  }

  return {
    commit(delivered, call) {
      const committing = carryOut(delivered, call)
      underWay.add(committing)
      return committing
    },
    idle: underWay.idle,
  }
}
