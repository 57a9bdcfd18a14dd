import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../../core/clock.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { ScanRow, ScanStatus } from '../../../platform/store/schema.ts'
import type { Analysis } from '../findings/results.ts'
import type { Depth } from '../site/capture.ts'
import { createScanWatch, type ScanWatch } from './scan-events.ts'
import { selectScans, shown } from './scan-rows.ts'

/**
 * The life of a scan in the store. Each move is one statement that names what it starts from and writes
 * the event that tells of it, so that a scan only ever goes forward, nobody is told what did not happen,
 * and a worker that comes back late changes nothing.
 *
 *     pending ──► fetching ──► analyzing ──► complete        any of the first three ──► error
 */
export interface Scans {
  readonly queries: Queries
  readonly clock: Clock
  readonly watch: ScanWatch
}

export function createScans({ queries, clock }: Pick<Scans, 'queries' | 'clock'>): Scans {
  return { queries, clock, watch: createScanWatch(queries) }
}

export interface NewScan {
  /** Normalised. */
  readonly url: string
  readonly domain: string
  /** Whether the caller wrote http:// or https://. */
  readonly hasScheme: boolean
  readonly depth: Depth
  readonly email?: string | undefined
  /** Subject of the key that asks; undefined: anybody may see the scan. */
  readonly owner?: string | undefined
  /** The higher, the earlier. */
  readonly priority: number
  /** A request that is repeated with the same key, within the same scope (a key, a client), makes no second scan. */
  readonly idempotency?: { readonly scope: string; readonly key: string } | undefined
}

export interface Created {
  readonly id: string
  readonly status: ScanStatus
  readonly isNew: boolean
}

/** @returns `conflict` when the idempotency key stands for a scan of something else. */
export async function createScan(
  { queries, clock }: Scans,
  { url, domain, hasScheme, depth, email, owner, priority, idempotency }: NewScan,
): Promise<Created | 'conflict'> {
  const id = randomUUID()
  const now = new Date(clock.now())
  const { rows } = await sql`
    with made as (
      insert into scans (id, owner, domain, url, has_scheme, email, depth, priority, scope, idempotency_key,
        is_queued, status, progress, attempt, events, created_at, moved_at)
      values (${id}, ${owner ?? null}, ${domain.toLowerCase()}, ${url}, ${hasScheme}, ${email ?? null}, ${depth},
        ${priority}, ${idempotency?.scope ?? null}, ${idempotency?.key ?? null},
        false, 'pending', 0, 0, 1, ${now}, ${now})
      on conflict (scope, idempotency_key) where idempotency_key is not null do nothing
      returning id
    ), told as (
      insert into scan_events (scan_id, seq, status, progress, message, created_at)
      select id, 1, 'pending', 0, 'The scan waits for its turn.', ${now} from made
    )
    select id from made`.execute(queries)
  if (rows.length > 0) return { id, status: 'pending', isNew: true }
  const known = await selectScans(queries)
    .where('scope', '=', idempotency?.scope ?? null)
    .where('idempotencyKey', '=', idempotency?.key ?? null)
    .executeTakeFirstOrThrow()
  const isSame =
    known.url === url &&
    known.hasScheme === hasScheme &&
    known.depth === depth &&
    known.email === (email ?? null) &&
    known.owner === (owner ?? null)
  return isSame ? { id: known.id, status: known.status, isNew: false } : 'conflict'
}

/** A scan's work has been handed to the workers. */
export async function markQueued({ queries }: Scans, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await queries.updateTable('scans').set({ isQueued: true }).where('id', 'in', ids).execute()
}

/** Accepted scans that no worker has been told of: whoever accepted them died in that moment. */
export async function findUnqueued({ queries }: Scans, limit: number): Promise<Moved[]> {
  return await selectScans(queries).where('isQueued', '=', false).orderBy('createdAt').limit(limit).execute()
}

/**
 * Scans that were begun and have not come further for so long: their work is nowhere any more, as when a
 * worker that was taken for dead came back and called the work of the one after it done. Each is taken by
 * one gateway, and by none again before the same time has passed.
 */
export async function takeStale({ queries, clock }: Scans, staleMs: number): Promise<Moved[]> {
  const now = clock.now()
  return await queries
    .updateTable('scans')
    .set({ movedAt: new Date(now) })
    .where('status', 'in', ['fetching', 'analyzing'])
    .where('movedAt', '<', new Date(now - staleMs))
    .returning(shown)
    .execute()
}

/** A scan as a move left it. */
export type Moved = Omit<ScanRow, 'analysis'>

/**
 * A worker takes the scan up, and over from whoever had it before.
 * @returns undefined when the scan has come to its end, or there is none.
 */
export async function begin(
  scans: Scans,
  id: string,
): Promise<{ readonly row: Moved; readonly attempt: number } | undefined> {
  const now = new Date(scans.clock.now())
  const row = await move(scans, id, {
    guard: sql`status in ('pending', 'fetching', 'analyzing')`,
    change: sql`attempt = attempt + 1, started_at = coalesce(started_at, ${now}),
      status = case status when 'pending' then 'fetching' else status end, progress = greatest(progress, 1)`,
    message: sql`case attempt when 1 then 'The site is being fetched.' else 'The scan has been taken up again.' end`,
  })
  return row && { row, attempt: row.attempt }
}

/**
 * The scan has come further. What is behind where it was already (an attempt before this one was further)
 * leaves status and progress as they are.
 * @returns false when it was taken over, or has come to its end.
 */
export async function advance(
  scans: Scans,
  id: string,
  attempt: number,
  to: { readonly status: 'fetching' | 'analyzing'; readonly progress: number; readonly message: string },
): Promise<boolean> {
  // 100 is told with the result and not before.
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
 * Keeps what was found. From the same moment on its playbook is being made (`playbooks.ts`).
 * @returns false when the scan was taken over, has come to its end, or was never analysed.
 */
export async function complete(
  scans: Scans,
  id: string,
  attempt: number,
  analysis: Analysis,
): Promise<boolean> {
  const now = new Date(scans.clock.now())
  const moved = await move(scans, id, {
    guard: sql`attempt = ${attempt} and status = 'analyzing'`,
    change: sql`status = 'complete', progress = 100, completed_at = ${now},
      analysis = ${toJson(analysis)}::text::jsonb`,
    message: sql`'The scan is complete.'`,
    also: sql`, planned as (
      insert into playbooks (id, scan_id, status, created_at)
      select ${randomUUID()}::uuid, id, 'generating', ${now} from moved)`,
  })
  return moved !== undefined
}

/**
 * The scan has failed for good.
 * @param attempt `any`: whoever had it is known to be gone.
 * @param message for people.
 * @returns false when it was taken over, or has come to its end.
 */
export async function fail(
  scans: Scans,
  id: string,
  attempt: number | 'any',
  code: string,
  message: string,
): Promise<boolean> {
  const held = attempt === 'any' ? sql`true` : sql`attempt = ${attempt}`
  const moved = await move(scans, id, {
    guard: sql`${held} and status in ('pending', 'fetching', 'analyzing')`,
    // Whoever still has it is late from now on.
    change: sql`status = 'error', attempt = attempt + 1, completed_at = ${new Date(scans.clock.now())},
      error_code = ${code}, error_message = ${storable(message)}`,
    message: sql`${storable(message)}::text`,
  })
  return moved !== undefined
}

/** A value as JSON that the store takes, whatever text of a stranger's page it holds. */
export function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part))
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Moves the scan if the guard holds, and writes the event that tells of it, in one statement. */
async function move(
  { queries, clock, watch }: Scans,
  id: string,
  {
    guard,
    change,
    message,
    also = sql``,
  }: Record<'guard' | 'change' | 'message', RawBuilder<unknown>> & {
    readonly also?: RawBuilder<unknown>
  },
): Promise<Moved | undefined> {
  const now = new Date(clock.now())
  const { rows } = await sql<Moved>`
    with moved as (
      update scans set ${change}, events = events + 1, moved_at = ${now} where id = ${id} and ${guard}
      returning ${sql.join(shown.map((column) => sql.ref(column)))}
    ), told as (
      insert into scan_events (scan_id, seq, status, progress, message, created_at)
      select id, events, status, progress, ${message}, ${now}::timestamptz from moved
    ) ${also}
    select * from moved`.execute(queries)
  if (rows.length > 0) watch.wake(id)
  return rows[0]
}
