import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { faultyField } from '../../../core/errors.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { isBehind, pageOf } from '../../../platform/store/page.ts'
import type { ScanRow, ScanStatus } from '../../../platform/store/rows/scans.ts'
import type { NewScan } from './accepted-scans.ts'
import { type Scan, selectScans, withAnalysis, withoutAnalysis } from './scan-rows.ts'
import type { Scans } from './scans.ts'

/**
 * Finds scans for callers. Only this file decides who may see a scan. A scan of another key looks like one
 * that does not exist; otherwise callers could find out what a customer scans.
 */

/** The newest identical scan, complete or still running, that the caller may see. */
export async function findReusable(
  { queries, clock }: Scans,
  {
    url,
    domain,
    hasScheme,
    depth,
    owner,
    maxAgeSeconds,
  }: Pick<NewScan, 'url' | 'domain' | 'hasScheme' | 'depth' | 'owner'> & { readonly maxAgeSeconds: number },
): Promise<Scan | undefined> {
  return await selectScans(queries)
    .select(withAnalysis)
    .where('domain', '=', domain.toLowerCase())
    .where('url', '=', url)
    .where('hasScheme', '=', hasScheme)
    .where('depth', '=', depth)
    .where('status', '!=', 'error')
    .where('createdAt', '>=', new Date(clock.now() - maxAgeSeconds * 1_000))
    .where(isVisibleTo(owner))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * One scan; undefined when there is none, the id is not a UUID, or it belongs to another key. Every caller who
 * knows its id may see a scan that was started without a key.
 * @param viewer the subject of the caller's key.
 * @param options.hasAnalysis false leaves `analysis` null, which is by far the largest column.
 */
export async function findScan(
  scans: Pick<Scans, 'queries'>,
  id: string,
  viewer: string | undefined,
  { hasAnalysis = true }: { readonly hasAnalysis?: boolean } = {},
): Promise<Scan | undefined> {
  const scan = await loadScan(scans, id, hasAnalysis)
  return scan && isVisible(scan, viewer) ? scan : undefined
}

/** Whether a caller may see a scan. */
export function isVisible({ owner }: Pick<Scan, 'owner'>, viewer: string | undefined): boolean {
  return owner === null || owner === viewer
}

/** One scan of any owner, for the gateway's own work. */
export async function loadScan(
  { queries }: Pick<Scans, 'queries'>,
  id: string,
  hasAnalysis = true,
): Promise<Scan | undefined> {
  if (!isScanId(id)) return undefined
  return await selectScans(queries)
    .select(hasAnalysis ? withAnalysis : withoutAnalysis)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Whether a text can be the id of a scan: the store refuses any other. */
export function isScanId(text: string): boolean {
  return z.guid().safeParse(text).success
}

export interface ScanFilter {
  readonly status?: ScanStatus | undefined
  /** Part of the domain, in any case. */
  readonly domain?: string | undefined
  readonly viewer: string | undefined
}

export interface ScanPage {
  readonly rows: readonly Scan[]
  /** The number of scans on all pages. */
  readonly total: number
  readonly nextCursor: string | null
}

/**
 * Lists scans, newest first. A page begins after a given row, not after a number of rows, so no row is
 * repeated or skipped when scans are added in the meantime.
 * @param options.hasAnalysis false leaves `analysis` null.
 * @throws GatewayError VALIDATION_ERROR when the cursor is not one of this list.
 */
export async function listScans(
  { queries }: Scans,
  {
    limit,
    cursor,
    hasAnalysis = false,
    ...filter
  }: ScanFilter & {
    readonly limit: number
    readonly cursor?: string | undefined
    readonly hasAnalysis?: boolean | undefined
  },
): Promise<ScanPage> {
  const matches = sql.join(
    [
      isVisibleTo(filter.viewer),
      ...(filter.status ? [sql<SqlBool>`status = ${filter.status}`] : []),
      ...(filter.domain ? [sql<SqlBool>`strpos(domain, ${filter.domain.toLowerCase()}) > 0`] : []),
    ],
    sql` and `,
  )
  let page = selectScans(queries)
    .select(hasAnalysis ? withAnalysis : withoutAnalysis)
    .where(sql<SqlBool>`${matches}`)
  if (cursor !== undefined) {
    const [createdAt, id] = readCursor(cursor)
    const after = [new Date(createdAt).toISOString(), id] as const
    page = page.where(isBehind(['createdAt', 'id'], 'newest first', after))
  }
  const [rowsAndNext, counted] = await Promise.all([
    page
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute(),
    countScans(queries, filter, matches),
  ])
  const { rows, next } = pageOf(rowsAndNext, limit, writeCursor)
  return { rows, total: counted, nextCursor: next ?? null }
}

/** Without a part of a domain, the counts by day tell it, and a hundred thousand scans need not be counted. */
async function countScans(
  queries: Queries,
  { status, domain, viewer }: ScanFilter,
  matches: RawBuilder<unknown>,
): Promise<number> {
  const ofStatus = status === undefined ? sql`` : sql`and status = ${status}`
  const count = domain
    ? sql<{ total: number }>`select count(*)::integer as total from scans where ${matches}`
    : sql<{ total: number }>`select coalesce(sum(scans), 0)::integer as total from scan_days
        where owner in ('', ${viewer ?? ''}) ${ofStatus}`
  const { rows } = await count.execute(queries)
  return rows[0]?.total ?? 0
}

function isVisibleTo(viewer: string | undefined) {
  return sql<SqlBool>`(owner is null or owner = ${viewer ?? null}::text)`
}

/** The last moment that PostgreSQL reads in JavaScript's format: the end of the year 9999. */
const lastMoment = 253_402_300_799_999

/** The last row before a page: its creation in Unix milliseconds by our clock, and its id. */
const position = z.tuple([z.number().int().min(0).max(lastMoment), z.guid()])

function writeCursor({ createdAt, id }: Pick<ScanRow, 'createdAt' | 'id'>): string {
  const at: z.infer<typeof position> = [createdAt.getTime(), id]
  return Buffer.from(JSON.stringify(at)).toString('base64url')
}

function readCursor(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor.slice(0, 200), 'base64url').toString()))
  } catch (cause) {
    throw faultyField('cursor', 'is not a cursor of this list: use the nextCursor of its last reply', cause)
  }
}
