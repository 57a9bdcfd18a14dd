import { createBackgroundWork } from '../../core/background.ts'
import { costOf, type Delivery } from '../../core/catalog/metering.ts'
import type { Meter } from '../../core/catalog/prices.ts'
import type { Log } from '../../core/log.ts'

import type { Counter, Counters } from './counters/counters.ts'
import type { LateUses } from './late-uses.ts'

/** A metered call whose units are reserved. */
interface MeteredCall {
  readonly meter: Meter
  /** The counters that the units were taken from. */
  readonly held: readonly Counter[]
  /** The counters to add the used units to. */
  readonly after: (units: number) => readonly Counter[]
}

/**
 * Turns the units that were reserved for metered calls into the units that the calls have used. The body of a
 * streamed reply ends long after its headers were sent, so this work goes on in the background. The gateway
 * waits for it before it closes the counters: units that are not given back by then stay taken until the day
 * or month ends.
 */
export class Commits {
  readonly #counters: Pick<Counters, 'give'>
  readonly #lateUses: Pick<LateUses, 'take'>
  readonly #log: Log
  readonly #background = createBackgroundWork()

  constructor(counters: Pick<Counters, 'give'>, lateUses: Pick<LateUses, 'take'>, log: Log) {
    this.#counters = counters
    this.#lateUses = lateUses
    this.#log = log
  }

  /**
   * Waits for the delivery, gives the unused units back and counts the used ones. Never rejects.
   * @returns the used units; undefined when the unused ones could not be given back, which is logged.
   */
  commit(delivered: Promise<Delivery>, call: MeteredCall): Promise<number | undefined> {
    const committing = this.#carryOut(delivered, call)
    this.#background.add(committing)
    return committing
  }

  /** Resolves when no commit is running. */
  idle(): Promise<void> {
    return this.#background.idle()
  }

  async #carryOut(
    delivered: Promise<Delivery>,
    { meter, held, after }: MeteredCall,
  ): Promise<number | undefined> {
    const { usage } = await delivered
    const units = usage ? costOf(meter, usage).units : 0
    const unused = held
      .map((counter) => ({ ...counter, units: counter.units - units }))
      .filter((counter) => counter.units > 0)
    // They have no limit, so nothing waits for the count.
    void this.#lateUses.take(after(units))
    if (unused.length === 0) return units
    return (await this.#giveBack(unused)) ? units : undefined
  }

  /**
   * The reply is finished or sent, so the error can only be logged.
   * @returns whether the units were given back.
   */
  async #giveBack(counters: readonly Counter[]): Promise<boolean> {
    try {
      await this.#counters.give(counters)
      return true
    } catch (error) {
      const [first] = counters
      this.#log.error(
        { err: error, operation: first?.operation, units: first?.units },
        'units that a call did not use stay taken',
      )
      return false
    }
  }
}
