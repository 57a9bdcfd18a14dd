import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { type Page, pageOf } from '../../platform/store/page.ts'
import type { ListingRow, ListingState } from '../../platform/store/rows/directory.ts'
import { isSlug } from './slugs.ts'

/** A listing that everyone may see, so it has all its fields. */
export interface Listing {
  readonly businessName: string
  readonly slug: string
  readonly domain: string
  readonly industry: string
  readonly readinessScore: number
  readonly aeoScore: number
  readonly description: string
  /** The scan that it was made of. */
  readonly scanId: string
  readonly scannedAt: Date
}

type Reads = Pick<Books, 'queries'>

/**
 * Lists what everyone may see: the highest readiness score first, then the highest AEO score, then by slug. Slugs are
 * unique, so the order is the same for every page.
 * @returns a page, and the number of listings on all pages.
 */
export async function listListings(
  { queries }: Reads,
  { industry, limit, offset }: { readonly industry?: string | undefined; limit: number; offset: number },
): Promise<{ readonly listings: readonly Listing[]; readonly total: number }> {
  const matches =
    industry === undefined
      ? sql<SqlBool>`state = 'listed'`
      : sql<SqlBool>`state = 'listed' and industry = ${industry}`
  const order = sql`readiness_score desc, aeo_score desc, slug`
  // The page is found in the index alone: rows of the pages before it are not read.
  const [{ rows }, counted] = await Promise.all([
    sql<Listing>`
      with page as (select slug from listings where ${matches} order by ${order} limit ${limit} offset ${offset})
      select ${listingColumns} from listings join page using (slug) order by ${order}`.execute(queries),
    sql<{ total: number }>`select count(*)::integer as total from listings where ${matches}`.execute(queries),
  ])
  return { listings: rows, total: counted.rows[0]?.total ?? 0 }
}

/** The listing with this slug; undefined when everyone may see none. */
export async function findListing({ queries }: Reads, slug: string): Promise<Listing | undefined> {
  if (!isSlug(slug)) return undefined
  const { rows } = await sql<Listing>`
    select ${listingColumns} from listings where slug = ${slug} and state = 'listed'`.execute(queries)
  return rows[0]
}

/** The listing of a site; undefined when everyone may see none. */
export async function findListingOf({ queries }: Reads, domain: string): Promise<Listing | undefined> {
  const { rows } = await sql<Listing>`
    select ${listingColumns} from listings where domain = ${domain} and state = 'listed'`.execute(queries)
  return rows[0]
}

/** The listings of some sites, of those that everyone may see one. */
export async function findListingsOf(
  { queries }: Reads,
  domains: readonly string[],
): Promise<readonly Listing[]> {
  if (domains.length === 0) return []
  const { rows } = await sql<Listing>`
    select ${listingColumns} from listings where domain in (${sql.join(domains)}) and state = 'listed'`.execute(
    queries,
  )
  return rows
}

const listingColumns = sql.raw(
  'business_name, slug, domain, industry, readiness_score, aeo_score, description, scan_id, scanned_at',
)

/** Every row in any state, by domain, for the operator. A page begins after a domain. */
export async function listRows(
  { queries }: Reads,
  {
    state,
    after,
    limit,
  }: {
    readonly state?: ListingState | undefined
    readonly after?: string | undefined
    readonly limit: number
  },
): Promise<Page<ListingRow, readonly [domain: string]>> {
  let rows = queries
    .selectFrom('listings')
    .selectAll()
    .orderBy('domain')
    .limit(limit + 1)
  if (state !== undefined) rows = rows.where('state', '=', state)
  if (after !== undefined) rows = rows.where('domain', '>', after)
  return pageOf(await rows.execute(), limit, ({ domain }) => [domain])
}
