import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TakenUnits } from '../../../core/taken-units.ts'
import type { ScanStatus } from '../../../platform/store/rows/scans.ts'
import type { Depth } from '../site/capture.ts'
import { recordColumns, type ScanRecord, selectScans } from './scan-rows.ts'
import type { Scans } from './scans.ts'

export interface NewScan {
  /** Normalized. */
  readonly url: string
  readonly domain: string
  /** Whether the caller wrote http:// or https://. */
  readonly hasScheme: boolean
  readonly depth: Depth
  readonly email?: string | undefined
  /** The subject of the caller's key. Without a key, every caller who knows the id may see the scan. */
  readonly owner?: string | undefined
  /** Higher runs earlier. */
  readonly priority: number
  /**
   * A request that is repeated with the same key, within the same scope (a key, a client), makes no second
   * scan.
   */
  readonly idempotency?: { readonly scope: string; readonly key: string } | undefined
  /** The units of quota that its call took. They are given back when its site cannot be reached. */
  readonly units?: readonly TakenUnits[]
}

export interface Created {
  readonly id: string
  readonly status: ScanStatus
  readonly isNew: boolean
}

/**
 * Accepts a scan: writes its row and its first event in one statement.
 * @returns `conflict` when the idempotency key belongs to a scan of something else.
 */
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
    ), event as (
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

/** Records that the scan has a job. */
export async function markQueued({ queries }: Scans, id: string): Promise<void> {
  await queries.updateTable('scans').set({ isQueued: true }).where('id', '=', id).execute()
}

/** Accepted scans without a job: the process that accepted them died before it queued them. */
export async function findUnqueued({ queries }: Scans, limit: number): Promise<ScanRecord[]> {
  return await selectScans(queries).where('isQueued', '=', false).orderBy('createdAt').limit(limit).execute()
}

/**
 * Takes scans that began and have not moved for so long that their job must be lost. That happens when a
 * worker that counted as dead comes back and completes the job of the worker after it. Only one of several
 * gateways takes a scan, and it is not taken again before the same time has passed.
 */
export async function takeStale({ queries, clock }: Scans, staleMs: number): Promise<ScanRecord[]> {
  const now = clock.now()
  return await queries
    .updateTable('scans')
    .set({ movedAt: new Date(now) })
    .where('status', 'in', ['fetching', 'analyzing'])
    .where('movedAt', '<', new Date(now - staleMs))
    .returning(recordColumns)
    .execute()
}
