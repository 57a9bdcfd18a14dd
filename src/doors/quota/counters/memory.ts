import { sql } from 'kysely'
import { type Clock, systemClock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { grouped } from '../../../platform/store/group.ts'
import { type Counter, type Counters, orUnavailable, type TakeResult } from './counters.ts'
import { isForgotten, oldestKept, periodOf } from './period.ts'
import { forgetUsage, usedBy } from './store.ts'

/**
 * Counters for the embedded store, which one process has open: its own memory decides, and the table
 * follows, because a write on each call's path would cost more than the rest of the call. A counter is
 * read from the table when it is first touched; what has changed is written `flushMs` later, in one
 * statement, and at the end. A process that is killed outright loses the counts of its last `flushMs`
 * at most, in the callers' favour: they may have that many units once more. What was set aside for calls
 * that it took with it, and is written, stays taken until the period ends.
 */
export function createMemoryCounters(queries: Queries, options: MemoryOptions): Counters {
  const { log, flushMs = 250, maxEntries = 50_000, clock = systemClock } = options
  /** The least recently used first. */
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<void>>()
  const changed = new Set<Entry>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFailing = false
  let writing = Promise.resolve()
  let prunedOn = periodOf('day', clock.now())

  /**
   * Decides over the counters once all of them are in memory. Between the look and the decision nothing
   * is awaited: an entry that left memory meanwhile would be counted in for nobody.
   */
  async function decide<Result>(
    counters: readonly Counter[],
    decision: (found: readonly Entry[]) => Result,
  ): Promise<Result> {
    for (;;) {
      const found = lookUpAll(counters)
      if (found) return decision(found)
      await Promise.all(counters.filter((counter) => !entries.has(keyOf(counter))).map(load))
    }
  }

  /** @returns undefined when one of them is not in memory. */
  function lookUpAll(counters: readonly Counter[]): Entry[] | undefined {
    const found: Entry[] = []
    for (const counter of counters) {
      const entry = lookUp(counter)
      if (!entry) return undefined
      found.push(entry)
    }
    return found
  }

  function lookUp(counter: Counter): Entry | undefined {
    const key = keyOf(counter)
    const entry = entries.get(key)
    // Who was used last matters only once some have to leave.
    if (!entry || entries.size < maxEntries / 2) return entry
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  /** Once for all who ask meanwhile: a second one would overwrite what the first ones have counted. */
  function load(counter: Counter): Promise<void> {
    const key = keyOf(counter)
    const known = loading.get(key)
    if (known) return known
    const { subject, operation, period } = counter
    const loaded = readUsed(queries, { subject, operation, period })
      .then((used) => {
        entries.set(key, { subject, operation, period, used })
        schedule()
      })
      .finally(() => loading.delete(key))
    loading.set(key, loaded)
    return loaded
  }

  function setUsed(entry: Entry, used: number): void {
    entry.used = used
    changed.add(entry)
    schedule()
  }

  function schedule(): void {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      // `write` has logged it.
      void flush().catch(() => schedule())
    }, flushMs)
    timer.unref()
  }

  /** One after the other, so that an older count never overwrites a newer one. */
  function flush(): Promise<void> {
    const turn = writing.then(write)
    // Whoever asked for it hears that it failed, and `write` has logged it; the next turn starts anew.
    writing = turn.catch(() => {})
    return turn
  }

  async function write(): Promise<void> {
    const batch = [...changed]
    changed.clear()
    try {
      if (batch.length > 0) await writeUsed(queries, batch)
    } catch (error) {
      for (const entry of batch) changed.add(entry)
      // Said once: it is tried again every quarter of a second.
      if (!isFailing) log.error({ err: error, counters: batch.length }, 'usage is counted in memory only')
      isFailing = true
      throw error
    }
    if (isFailing) log.info('usage is written down again')
    isFailing = false
    prune()
  }

  /** What is written may leave memory: what has ended, and what was not used for longest when there is too much. */
  function prune(): void {
    const today = periodOf('day', clock.now())
    const hasTurned = today !== prunedOn
    prunedOn = today
    let excess = entries.size - maxEntries
    if (excess <= 0 && !hasTurned) return
    for (const [key, entry] of entries) {
      if (excess <= 0 && !hasTurned) return
      const hasEnded = entry.period < today.slice(0, entry.period.length)
      if (changed.has(entry) || (excess <= 0 && !hasEnded)) continue
      entries.delete(key)
      excess -= 1
    }
  }

  return {
    take(counters) {
      const take = (found: readonly Entry[]) => takeFrom(counters, found, setUsed)
      const found = lookUpAll(counters)
      return found ? Promise.resolve(take(found)) : orUnavailable(decide(counters, take))
    },
    give: (counters) =>
      orUnavailable(
        decide(counters, (found) => {
          for (const [index, entry] of found.entries()) {
            const units = counters[index]?.units ?? 0
            if (entry.used > 0) setUsed(entry, Math.max(entry.used - units, 0))
          }
        }),
      ),
    async used(subject, periods) {
      await orUnavailable(flush())
      return orUnavailable(usedBy(queries, subject, periods))
    },
    async forget(now) {
      await orUnavailable(flush())
      const oldest = oldestKept(now)
      for (const [key, entry] of entries) {
        if (isForgotten(entry.period, oldest) && !changed.has(entry)) entries.delete(key)
      }
      const forgotten = await orUnavailable(forgetUsage(queries, now))
      // The embedded store never does this by itself, and would grow by every client there ever was.
      if (forgotten > 0) await orUnavailable(sql`vacuum usage`.execute(queries))
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      try {
        await flush()
      } catch (error) {
        // What closes after this, the store and its lock, must be closed all the same.
        log.error({ err: error, counters: changed.size }, 'usage could not be written down and is lost')
      }
    },
  }
}

export interface MemoryOptions {
  readonly log: Log
  /** How long a count may be in memory only. */
  readonly flushMs?: number
  /** Beyond so many, the ones not used for longest leave memory as soon as they are written. */
  readonly maxEntries?: number
  readonly clock?: Clock
}

interface Entry {
  readonly subject: string
  readonly operation: string
  readonly period: string
  used: number
}

type Key = Omit<Entry, 'used'>

/** Periods and operations hold no space, so that no two counters share a key. */
function keyOf({ subject, operation, period }: Key): string {
  return `${period} ${operation} ${subject}`
}

function takeFrom(
  counters: readonly Counter[],
  found: readonly Entry[],
  setUsed: (entry: Entry, used: number) => void,
): TakeResult {
  const at = counters.findIndex(({ limit, units }, index) => (found[index]?.used ?? 0) + units > limit)
  if (at === -1)
    for (const [index, entry] of found.entries()) setUsed(entry, entry.used + (counters[index]?.units ?? 0))
  const used = found.map((entry) => entry.used)
  return at === -1 ? { kind: 'taken', used } : { kind: 'exhausted', at, used }
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

async function writeUsed(queries: Queries, batch: readonly Entry[]): Promise<void> {
  await sql`
    insert into usage (subject, operation, period, used)
    select subject, operation, period, used from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
      as counted(subject text, operation text, period text, used bigint)
    on conflict (subject, operation, period) do update set used = excluded.used`.execute(queries)
}
