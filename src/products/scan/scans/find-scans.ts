import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { faultyField } from '../../../core/errors.ts'
import type { ScanRow, ScanStatus } from '../../../platform/store/schema.ts'
import { type Scan, selectScans, withAnalysis, withoutAnalysis } from './scan-rows.ts'
import type { NewScan, Scans } from './scans.ts'

/**
 * Scans to be looked at. Whose a scan is decides who sees it, here and nowhere else: another answer for
 * "not yours" than for "does not exist" would tell strangers what a customer looks into.
 */

/** The newest identical scan, finished or under way, that the caller may see. */
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
 * One scan, or undefined when there is none, the id is no UUID, or it is another's. A scan that was asked
 * for without a key is anybody's who knows its id.
 * @param viewer subject of the key that asks.
 * @param options.hasAnalysis reads what it found, too, which is by far the most of it; null otherwise.
 */
export async function findScan(
  scans: Pick<Scans, 'queries'>,
  id: string,
  viewer: string | undefined,
  { hasAnalysis = true }: { readonly hasAnalysis?: boolean } = {},
): Promise<Scan | undefined> {
  const scan = await loadScan(scans, id, hasAnalysis)
  return scan && (scan.owner === null || scan.owner === viewer) ? scan : undefined
}

/** One scan, whoever's it is: for the gateway's own work. */
export async function loadScan(
  { queries }: Pick<Scans, 'queries'>,
  id: string,
  hasAnalysis = true,
): Promise<Scan | undefined> {
  if (!z.guid().safeParse(id).success) return undefined
  return await selectScans(queries)
    .select(hasAnalysis ? withAnalysis : withoutAnalysis)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface ScanFilter {
  readonly status?: ScanStatus | undefined
  /** Part of the domain, in any case, letter by letter. */
  readonly domain?: string | undefined
  readonly viewer: string | undefined
}

export interface ScanPage {
  readonly rows: readonly Scan[]
  /** How many there are on all pages. */
  readonly total: number
  readonly nextCursor: string | null
}

/**
 * Newest first. A page begins behind a row and not after a number of rows, so that scans which are added
 * meanwhile neither repeat nor hide any.
 * @param options.hasAnalysis reads what they found, too; null otherwise.
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
    page = page.where(sql<SqlBool>`(created_at, id) < (${new Date(createdAt)}::timestamptz, ${id}::uuid)`)
  }
  const [found, counted] = await Promise.all([
    page
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute(),
    sql<{ total: number }>`select count(*)::integer as total from scans where ${matches}`.execute(queries),
  ])
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return {
    rows,
    total: counted.rows[0]?.total ?? 0,
    nextCursor: last && found.length > limit ? writeCursor(last) : null,
  }
}

function isVisibleTo(viewer: string | undefined) {
  return sql<SqlBool>`(owner is null or owner = ${viewer ?? null}::text)`
}

/** The last that PostgreSQL takes in the form that JavaScript writes: the end of the year 9999. */
const lastMoment = 253_402_300_799_999

/** Behind which row a page begins: when it was created, in Unix milliseconds as our clock counts, and its id. */
const position = z.tuple([z.number().int().min(0).max(lastMoment), z.guid()])

function writeCursor({ createdAt, id }: Pick<ScanRow, 'createdAt' | 'id'>): string {
  const at: z.infer<typeof position> = [createdAt.getTime(), id]
  return Buffer.from(JSON.stringify(at)).toString('base64url')
}

function readCursor(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor.slice(0, 200), 'base64url').toString()))
  } catch (cause) {
    throw faultyField('cursor', 'is not a cursor of this list: take nextCursor from its last answer', cause)
  }
}
