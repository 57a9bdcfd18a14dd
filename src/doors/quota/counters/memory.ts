import { sql } from 'kysely'
import { type Clock, systemClock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { grouped } from '../../../platform/store/group.ts'
import { type Counter, type Counters, orUnavailable, type TakeResult, type Usage } from './counters.ts'
import { isForgotten, oldestKept, periodOf } from './period.ts'
import { forgetUsage, usedBy } from './store.ts'
import { type Entry, UsageWriter } from './usage-writer.ts'

/**
 * Counters for the embedded store, which one process has open. The process decides in its memory, and the
 * table follows later, because a write in the path of each call would take longer than the rest of the call.
 * A counter is read from the table when it is first used. Changes are written `flushMs` later, in one
 * statement, and when the gateway closes. A process that is killed loses the counts of its last `flushMs`, in
 * favor of its callers, who may use those units again. Units that it had reserved for running calls, and that
 * are written, stay taken until the period ends.
 */
export function createMemoryCounters(queries: Queries, options: MemoryOptions): Counters {
  return new MemoryCounters(queries, options)
}

export interface MemoryOptions {
  readonly log: Log
  /** How long a count may be in memory only. */
  readonly flushMs?: number
  /** Above this number, the least recently used counters leave memory once they are written. */
  readonly maxEntries?: number
  readonly clock?: Clock
}

class MemoryCounters implements Counters {
  readonly #queries: Queries
  readonly #maxEntries: number
  readonly #clock: Clock
  readonly #writer: UsageWriter
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #loading = new Map<string, Promise<void>>()
  /** The day of the last `#prune`. */
  #prunedOn: string

  constructor(
    queries: Queries,
    { log, flushMs = 250, maxEntries = 50_000, clock = systemClock }: MemoryOptions,
  ) {
    this.#queries = queries
    this.#maxEntries = maxEntries
    this.#clock = clock
    this.#prunedOn = periodOf('day', clock.now())
    this.#writer = new UsageWriter({ queries, log, flushMs, afterWrite: () => this.#prune() })
  }

  take(counters: readonly Counter[]): Promise<TakeResult> {
    const take = (entries: readonly Entry[]) => this.#takeFrom(counters, entries)
    const entries = this.#findAll(counters)
    return entries ? Promise.resolve(take(entries)) : orUnavailable(this.#decide(counters, take))
  }

  give(counters: readonly Counter[]): Promise<void> {
    const give = (entries: readonly Entry[]) => {
      for (const [index, entry] of entries.entries()) {
        const units = counters[index]?.units ?? 0
        if (entry.used > 0) this.#setUsed(entry, Math.max(entry.used - units, 0))
      }
    }
    return orUnavailable(this.#decide(counters, give))
  }

  async used(subject: string, periods: readonly string[]): Promise<readonly Usage[]> {
    await orUnavailable(this.#writer.flush())
    return orUnavailable(usedBy(this.#queries, subject, periods))
  }

  async forget(now: number): Promise<void> {
    await orUnavailable(this.#writer.flush())
    const oldest = oldestKept(now)
    for (const [key, entry] of this.#entries) {
      if (isForgotten(entry.period, oldest) && !this.#writer.isWaiting(entry)) this.#entries.delete(key)
    }
    const forgotten = await orUnavailable(forgetUsage(this.#queries, now))
    // The embedded store does not vacuum by itself, and would keep a dead row for every client there ever
    // was.
    if (forgotten > 0) await orUnavailable(sql`vacuum usage`.execute(this.#queries))
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  /**
   * Decides over the counters once all of them are in memory. There is no await between the lookup and the
   * decision: otherwise an entry could leave memory in between, and its change would be lost.
   */
  async #decide<Result>(
    counters: readonly Counter[],
    decision: (entries: readonly Entry[]) => Result,
  ): Promise<Result> {
    for (;;) {
      const entries = this.#findAll(counters)
      if (entries) return decision(entries)
      const missing = counters.filter((counter) => !this.#entries.has(keyOf(counter)))
      await Promise.all(missing.map((counter) => this.#load(counter)))
    }
  }

  #takeFrom(counters: readonly Counter[], entries: readonly Entry[]): TakeResult {
    const full = counters.findIndex(({ limit, units }, index) => (entries[index]?.used ?? 0) + units > limit)
    if (full === -1) {
      for (const [index, entry] of entries.entries()) {
        this.#setUsed(entry, entry.used + (counters[index]?.units ?? 0))
      }
    }
    const used = entries.map((entry) => entry.used)
    return full === -1 ? { kind: 'taken', used } : { kind: 'exhausted', at: full, used }
  }

  #setUsed(entry: Entry, used: number): void {
    entry.used = used
    this.#writer.add(entry)
  }

  /** @returns undefined when one of them is not in memory. */
  #findAll(counters: readonly Counter[]): Entry[] | undefined {
    const entries: Entry[] = []
    for (const counter of counters) {
      const entry = this.#find(counter)
      if (!entry) return undefined
      entries.push(entry)
    }
    return entries
  }

  #find(counter: Counter): Entry | undefined {
    const key = keyOf(counter)
    const entry = this.#entries.get(key)
    // The order of use matters only when entries may soon have to leave.
    if (!entry || this.#entries.size < this.#maxEntries / 2) return entry
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  /**
   * Calls that need the same counter share one load: a second one would overwrite what was counted meanwhile.
   */
  #load(counter: Counter): Promise<void> {
    const key = keyOf(counter)
    const running = this.#loading.get(key)
    if (running) return running
    const { subject, operation, period } = counter
    const load = readUsed(this.#queries, { subject, operation, period })
      .then((used) => {
        this.#entries.set(key, { subject, operation, period, used })
        this.#writer.schedule()
      })
      .finally(() => this.#loading.delete(key))
    this.#loading.set(key, load)
    return load
  }

  /**
   * Removes written entries from memory: those of ended periods, and the least recently used above the
   * maximum.
   */
  #prune(): void {
    const today = periodOf('day', this.#clock.now())
    const isNewDay = today !== this.#prunedOn
    this.#prunedOn = today
    let excess = this.#entries.size - this.#maxEntries
    if (excess <= 0 && !isNewDay) return
    for (const [key, entry] of this.#entries) {
      if (excess <= 0 && !isNewDay) return
      const hasEnded = entry.period < today.slice(0, entry.period.length)
      if (this.#writer.isWaiting(entry) || (excess <= 0 && !hasEnded)) continue
      this.#entries.delete(key)
      excess -= 1
    }
  }
}

type Key = Omit<Entry, 'used'>

/** Periods and operations contain no space, so two counters never share a key. */
function keyOf({ subject, operation, period }: Key): string {
  return `${period} ${operation} ${subject}`
}

const readUsed = grouped<Key, number>({
  keyOf,
  sizeOf: () => 200,
  async run(queries, keys) {
    const { rows } = await sql<Key & { used: bigint }>`
      select subject, operation, period, used from usage join
        jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as wanted(subject text, operation text, period text)
        using (subject, operation, period)`.execute(queries)
    const used = new Map(rows.map((row) => [keyOf(row), Number(row.used)]))
    return keys.map((key) => used.get(keyOf(key)) ?? 0)
  },
})
