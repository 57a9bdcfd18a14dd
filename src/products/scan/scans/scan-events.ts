import { sql } from 'kysely'
import type { Clock } from '../../../core/clock.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { ScanStatus } from '../../../platform/store/schema.ts'

/**
 * What the followers of a scan are told as it goes on. Events are rows, numbered from 1 on, so that a
 * follower who comes back continues where it was, at whichever gateway, and none is told twice or left out.
 */
export interface ScanEvent {
  /** The number to come back with, as Last-Event-ID. */
  readonly seq: number
  readonly status: ScanStatus
  readonly progress: number
  readonly message: string
  readonly at: Date
}

/** Tells the followers of scans when to look for events. */
export interface ScanWatch {
  join(id: string): Follower
  /** This process has moved the scan: its followers here need not wait for the next look. */
  wake(id: string): void
}

interface Follower {
  /** Resolves when the scan may have events beyond `afterSeq`, or none to come, or the signal is aborted. */
  changed(afterSeq: number, signal: AbortSignal): Promise<void>
  leave(): void
}

/**
 * All events of a scan beyond `afterSeq`, as they come. Ends after the last one, when the signal is
 * aborted, and at once when there is no such scan. Nothing is read before the reader has taken what came
 * before, so a slow one takes up no memory.
 */
export async function* followScan(
  { queries, watch }: { readonly queries: Queries; readonly watch: ScanWatch },
  id: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<ScanEvent, void, undefined> {
  let told = Math.max(0, afterSeq)
  const follower = watch.join(id)
  try {
    while (!signal.aborted) {
      const [state] = await look(queries, [id])
      if (!state) return
      // Whoever names an event that is yet to come must not miss the ones before it.
      told = Math.min(told, state.events)
      for (const event of await eventsAfter(queries, id, told)) {
        if (signal.aborted) return
        yield event
        told = event.seq
      }
      if (state.isOver) return
      await follower.changed(told, signal)
    }
  } finally {
    follower.leave()
  }
}

interface Place {
  readonly id: string
  /** Moved since the follower last looked. */
  isWoken: boolean
  waits: { readonly afterSeq: number; resolve(): void; reject(error: unknown): void } | undefined
}

/**
 * Looks for what other processes have done: for all followers of this one in one statement, and only
 * while one of them waits.
 */
export function createScanWatch(queries: Queries, pollMs = 500): ScanWatch {
  const places = new Set<Place>()
  let timer: NodeJS.Timeout | undefined

  const waiting = () => [...places].filter(({ waits }) => waits !== undefined)

  function lookSoon(): void {
    if (timer) return
    timer = setTimeout(async () => {
      await lookForAll(waiting())
      timer = undefined
      if (waiting().length > 0) lookSoon()
    }, pollMs)
    timer.unref()
  }

  async function lookForAll(asked: readonly Place[]): Promise<void> {
    if (asked.length === 0) return
    try {
      const states = await look(queries, [...new Set(asked.map(({ id }) => id))])
      const byId = new Map(states.map((state) => [state.id, state]))
      for (const { id, waits } of asked) {
        const state = byId.get(id)
        if (!state || state.isOver || (waits && state.events > waits.afterSeq)) waits?.resolve()
      }
    } catch (error) {
      // Their streams break, and they come back for what they missed.
      for (const { waits } of asked) waits?.reject(error)
    }
  }

  return {
    join(id) {
      const place: Place = { id, isWoken: false, waits: undefined }
      places.add(place)
      return {
        async changed(afterSeq, signal) {
          const wasWoken = place.isWoken
          place.isWoken = false
          if (wasWoken || signal.aborted) return
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const leave = () => resolve()
          signal.addEventListener('abort', leave, { once: true })
          place.waits = { afterSeq, resolve, reject }
          lookSoon()
          try {
            await promise
          } finally {
            place.waits = undefined
            place.isWoken = false
            signal.removeEventListener('abort', leave)
          }
        },
        leave: () => void places.delete(place),
      }
    },
    wake(id) {
      for (const place of places) {
        if (place.id !== id) continue
        place.isWoken = true
        place.waits?.resolve()
      }
    },
  }
}

interface Look {
  readonly id: string
  readonly events: number
  readonly isOver: boolean
}

async function look(queries: Queries, ids: readonly string[]): Promise<Look[]> {
  return await queries
    .selectFrom('scans')
    .select(['id', 'events'])
    .select(sql<boolean>`status in ('complete', 'error')`.as('isOver'))
    .where('id', 'in', ids)
    .execute()
}

async function eventsAfter(queries: Queries, id: string, seq: number): Promise<ScanEvent[]> {
  return await queries
    .selectFrom('scanEvents')
    .select(['seq', 'status', 'progress', 'message', 'createdAt as at'])
    .where('scanId', '=', id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute()
}

/** Nobody follows a scan for so long. */
const keptMs = 7 * 86_400_000

/** Forgets old events; to be done now and then. */
export async function forgetEvents({
  queries,
  clock,
}: {
  readonly queries: Queries
  readonly clock: Clock
}): Promise<void> {
  await queries
    .deleteFrom('scanEvents')
    .where('createdAt', '<', new Date(clock.now() - keptMs))
    .execute()
}
