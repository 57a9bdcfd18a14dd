import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { ScanStatus } from '../../../platform/store/rows/scans.ts'
import { readStates, type ScanWatch } from './scan-watch.ts'

/**
 * One step of a scan. Events are rows that are numbered from 1, so a client that lost its connection
 * continues at any gateway where it stopped, and gets each event once.
 */
export interface ScanEvent {
  /** The client sends it as Last-Event-ID to continue. */
  readonly seq: number
  readonly status: ScanStatus
  readonly progress: number
  readonly message: string
  readonly at: Date
}

/**
 * Yields all events of a scan beyond `afterSeq` as they come. It ends after the last event, when the signal
 * is aborted, or when there is no such scan. It reads nothing before the reader has taken the events before,
 * so a slow reader takes no memory.
 */
export async function* followScan(
  { queries, watch }: { readonly queries: Queries; readonly watch: ScanWatch },
  id: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<ScanEvent, void, undefined> {
  let lastSeq = Math.max(0, afterSeq)
  const follower = watch.join(id)
  try {
    while (!signal.aborted) {
      const [state] = await readStates(queries, [id])
      if (!state) return
      // A client that names an event of the future must not miss the ones before it.
      lastSeq = Math.min(lastSeq, state.events)
      for (const event of await eventsAfter(queries, id, lastSeq)) {
        if (signal.aborted) return
        yield event
        lastSeq = event.seq
      }
      if (state.isOver) return
      await follower.changed(lastSeq, signal)
    }
  } finally {
    follower.leave()
  }
}

/** The events of a scan beyond `seq`, in their order. */
export async function eventsAfter(queries: Queries, id: string, seq: number): Promise<ScanEvent[]> {
  return await queries
    .selectFrom('scanEvents')
    .select(['seq', 'status', 'progress', 'message', 'createdAt as at'])
    .where('scanId', '=', id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute()
}

/** A week: no client follows a scan for longer. */
const maxAgeMs = 7 * 86_400_000

/** Deletes old events; to be called now and then. */
export async function forgetEvents({ queries, clock }: Books): Promise<void> {
  await queries
    .deleteFrom('scanEvents')
    .where('createdAt', '<', new Date(clock.now() - maxAgeMs))
    .execute()
}
