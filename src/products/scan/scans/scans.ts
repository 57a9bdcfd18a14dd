import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { storable, toJson } from '../../../core/text/storable.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { Analysis } from '../findings/results.ts'
import { holdOffDeletions } from './forget-scans.ts'
import { recordColumns, type ScanRecord } from './scan-rows.ts'
import { PollingWatch, type ScanWatch } from './scan-watch.ts'

/**
 * The life of a scan in the store. Each move is one statement that names the states it starts from and writes
 * the event that reports it. So a scan only goes forward, no event reports what did not happen, and a worker
 * that comes back late changes nothing.
 *
 *     pending ──► fetching ──► analyzing ──► complete        any of the first three ──► error
 */
export interface Scans extends Books {
  readonly watch: ScanWatch
  readonly followUps: readonly FollowUp[]
}

/**
 * What else the store records when a scan begins, completes or fails: its events for subscribers, its listing.
 * It runs in the transaction of the move, so a crash keeps both or neither. When it throws, the scan has not
 * moved.
 */
export type FollowUp = (queries: Queries, move: ScanMove) => Promise<void>

export type ScanMove =
  | { readonly to: 'started' | 'failed'; readonly scan: ScanRecord }
  | { readonly to: 'completed'; readonly scan: ScanRecord; readonly analysis: Analysis }

export function createScans({ queries, clock }: Books, followUps: readonly FollowUp[] = []): Scans {
  return { queries, clock, watch: new PollingWatch(queries), followUps }
}

/**
 * Gives the scan to the calling worker, and takes it away from the worker that had it before.
 * @returns undefined when the scan has ended, or does not exist.
 */
export async function begin(scans: Scans, id: string): Promise<ScanRecord | undefined> {
  const now = new Date(scans.clock.now())
  const step: Step = {
    guard: sql`status in ('pending', 'fetching', 'analyzing')`,
    change: sql`attempt = attempt + 1, started_at = coalesce(started_at, ${now}),
      status = case status when 'pending' then 'fetching' else status end, progress = greatest(progress, 1)`,
    message: sql`case attempt when 1 then 'The site is being fetched.' else 'The scan has been taken up again.' end`,
  }
  return await moveWithFollowUps(scans, id, step, (scan) =>
    scan.attempt === 1 ? { to: 'started', scan } : undefined,
  )
}

/**
 * Records progress. Status and progress never go back: where an earlier attempt was further, they stay.
 * @param attempt the one that `begin` gave to this worker.
 * @returns false when another worker has taken the scan over, or it has ended.
 */
export async function advance(
  scans: Scans,
  id: string,
  attempt: number,
  to: { readonly status: 'fetching' | 'analyzing'; readonly progress: number; readonly message: string },
): Promise<boolean> {
  // Only `complete` reports 100, together with the result.
  const progress = Math.min(Math.max(Math.floor(to.progress), 0), 99)
  const moved = await move(scans, id, {
    guard: sql`attempt = ${attempt} and status in ('fetching', 'analyzing')`,
    change: sql`status = case ${to.status}::text when 'analyzing' then 'analyzing' else status end,
      progress = greatest(progress, ${progress}::integer)`,
    message: sql`${storable(to.message)}::text`,
  })
  return moved !== undefined
}

/**
 * Stores the result, and begins the scan's playbook in the same statement.
 * @returns false when another worker has taken the scan over, or it has ended, or it was never analyzed.
 */
export async function complete(
  scans: Scans,
  id: string,
  attempt: number,
  analysis: Analysis,
): Promise<boolean> {
  const now = new Date(scans.clock.now())
  const step: Step = {
    guard: sql`attempt = ${attempt} and status = 'analyzing'`,
    change: sql`status = 'complete', progress = 100, completed_at = ${now},
      analysis = ${toJson(analysis)}::text::jsonb`,
    message: sql`'The scan is complete.'`,
    also: sql`, planned as (
      insert into playbooks (id, scan_id, status, created_at)
      select ${randomUUID()}::uuid, id, 'generating', ${now} from moved)`,
  }
  const moved = await moveWithFollowUps(scans, id, step, (scan) => ({ to: 'completed', scan, analysis }))
  return moved !== undefined
}

/**
 * Ends the scan with an error.
 * @param attempt `any` when no worker has the scan any more.
 * @param message for the caller.
 * @returns false when another worker has taken the scan over, or it has ended.
 */
export async function fail(
  scans: Scans,
  id: string,
  attempt: number | 'any',
  code: string,
  message: string,
): Promise<boolean> {
  const held = attempt === 'any' ? sql`true` : sql`attempt = ${attempt}`
  const step: Step = {
    guard: sql`${held} and status in ('pending', 'fetching', 'analyzing')`,
    // A further attempt number takes the scan away from a worker that still has it.
    change: sql`status = 'error', attempt = attempt + 1, completed_at = ${new Date(scans.clock.now())},
      error_code = ${code}, error_message = ${storable(message)}`,
    message: sql`${storable(message)}::text`,
  }
  const moved = await moveWithFollowUps(scans, id, step, (scan) => ({ to: 'failed', scan }))
  return moved !== undefined
}

/** Moves the scan and runs all follow-ups in one transaction. `tell` returns undefined for a move without any. */
async function moveWithFollowUps(
  scans: Scans,
  id: string,
  step: Step,
  tell: (scan: ScanRecord) => ScanMove | undefined,
): Promise<ScanRecord | undefined> {
  if (scans.followUps.length === 0) return await move(scans, id, step)
  const moved = await scans.queries.transaction().execute(async (queries) => {
    await holdOffDeletions(queries)
    const scan = await moveRow({ queries, clock: scans.clock }, id, step)
    const told = scan && tell(scan)
    if (told) for (const followUp of scans.followUps) await followUp(queries, told)
    return scan
  })
  if (moved) scans.watch.wake(id)
  return moved
}

async function move(scans: Scans, id: string, step: Step): Promise<ScanRecord | undefined> {
  const moved = await moveRow(scans, id, step)
  if (moved) scans.watch.wake(id)
  return moved
}

interface Step extends Record<'guard' | 'change' | 'message', RawBuilder<unknown>> {
  readonly also?: RawBuilder<unknown>
}

/** Moves the scan if the guard holds, and writes the event that reports it, in one statement. */
async function moveRow(
  { queries, clock }: Books,
  id: string,
  { guard, change, message, also = sql`` }: Step,
): Promise<ScanRecord | undefined> {
  const now = new Date(clock.now())
  const { rows } = await sql<ScanRecord>`
    with moved as (
      update scans set ${change}, events = events + 1, moved_at = ${now} where id = ${id} and ${guard}
      returning ${sql.join(recordColumns.map((column) => sql.ref(column)))}
    ), event as (
      insert into scan_events (scan_id, seq, status, progress, message, created_at)
      select id, events, status, progress, ${message}, ${now}::timestamptz from moved
    ) ${also}
    select * from moved`.execute(queries)
  return rows[0]
}
