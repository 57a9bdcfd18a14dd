import type { Log } from '../../core/log.ts'
import { LateWrites } from '../../platform/store/late-writes.ts'
import type { Counter, Counters } from './counters/counters.ts'

/**
 * Counts the uses that have no limit. They are counted only so that the holder of a key can read them, so no call waits
 * for it, and none is refused because the counters are down: what could not be counted is counted later.
 */
export interface LateUses {
  /** Counts units. Resolves when they are counted, or kept for later. Never rejects. */
  take(counters: readonly Counter[]): Promise<void>
  /** Takes units back that were counted. */
  give(counters: readonly Counter[]): Promise<void>
  /** Tries to count all that was kept. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createLateUses(counters: Pick<Counters, 'take' | 'give'>, log: Log): LateUses {
  /** Units below zero are to be given back. */
  const writes = new LateWrites<Counter>({
    what: 'the usage of calls without a limit',
    async write(items) {
      const [first] = items
      // The items of one call are all taken or all given, and an item that was kept is written alone.
      if (first === undefined || first.units === 0) return
      if (first.units > 0) await counters.take(items)
      else await counters.give(items.map((item) => ({ ...item, units: -item.units })))
    },
    keyOf: ({ subject, operation, period }) => `${period} ${operation} ${subject}`,
    merge: (one, other) => ({ ...one, units: one.units + other.units }),
    maxWaiting: 50_000,
    log,
  })
  return {
    take: (taken) => writes.add(taken),
    give: (given) => writes.add(given.map((counter) => ({ ...counter, units: -counter.units }))),
    flush: () => writes.flush(),
    close: () => writes.close(),
  }
}
