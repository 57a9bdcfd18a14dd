import type { Books } from '../../platform/store/books.ts'
import type { Queries } from '../../platform/store/database.ts'
import { writeEvent } from '../../platform/store/outbox.ts'
import type { ListingRow } from '../../platform/store/rows/directory.ts'
import { slugCandidates } from './slugs.ts'

/** What a scan of a site means for the directory. */
export interface ListingSource {
  readonly domain: string
  readonly scanId: string
  /** When the scan was accepted. Of two scans the later one counts, whichever finishes first. */
  readonly scannedAt: Date
  /** Undefined when the site asks not to be listed. */
  readonly entry: ListingEntry | undefined
}

/** The texts come from the site: who makes a source has made them harmless. */
interface ListingEntry {
  readonly businessName: string
  readonly industry: string
  /** Empty when the site has none. */
  readonly description: string
  /** 0 to 100, as the AEO score. */
  readonly readinessScore: number
  readonly aeoScore: number
}

/** How a listing changed, as subscribers of `directory.updated` read it. */
export type ListingChange = 'created' | 'updated' | 'removed'

/**
 * Makes or renews the listing of a site, or withdraws it, and writes the event that tells of it. It changes nothing
 * when the operator has removed the site, or the listing comes from a later scan.
 * @param books with the transaction in which the scan moves.
 */
export async function renewListing(books: Books, source: ListingSource): Promise<void> {
  if (await isPartOfRemoved(books.queries, source.domain)) return
  const known = (await lockListing(books.queries, source.domain)) ?? (await addListing(books, source))
  if (known === undefined || known.state === 'removed' || !isLater(source, known)) return
  await setListing(books, known, source)
}

/**
 * Whether the operator has removed a domain above this one. Who owns a domain can make any number of names below it,
 * and would come back under each.
 */
async function isPartOfRemoved(queries: Queries, domain: string): Promise<boolean> {
  const labels = domain.split('.')
  const above = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  if (above.length === 0) return false
  const removed = await queries
    .selectFrom('listings')
    .select('domain')
    .where('domain', 'in', above)
    .where('state', '=', 'removed')
    .limit(1)
    .executeTakeFirst()
  return removed !== undefined
}

/** Holds the row until the transaction ends, so that of two scans of a site one decides after the other. */
export async function lockListing(queries: Queries, domain: string): Promise<ListingRow | undefined> {
  return await queries
    .selectFrom('listings')
    .selectAll()
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Inserts the row of a new site under the first slug that is free. The insert decides: of two sites that want a slug
 * at the same time, the second one waits for the first and then takes its next choice.
 * @returns undefined when the row was added; else the row that another scan has added meanwhile.
 */
async function addListing(books: Books, source: ListingSource): Promise<ListingRow | undefined> {
  const { queries, clock } = books
  const { domain, entry } = source
  const now = new Date(clock.now())
  for (const slug of await slugCandidates(entry?.businessName ?? '', domain)) {
    const added = await queries
      .insertInto('listings')
      .values({ domain, slug, ...contentOf(source), createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) {
      if (entry) await tell(books, added, 'created')
      return undefined
    }
    const other = await lockListing(queries, domain)
    if (other) return other
  }
  throw new Error(`no slug is free for ${domain}`)
}

function isLater({ scannedAt, scanId }: ListingSource, known: ListingRow): boolean {
  const difference = scannedAt.getTime() - (known.scannedAt?.getTime() ?? 0)
  return difference > 0 || (difference === 0 && scanId > (known.scanId ?? ''))
}

/** Gives a locked row the content of a source, and tells how the listing changed. */
export async function setListing(
  books: Books,
  known: ListingRow,
  source: ListingSource,
): Promise<ListingRow> {
  const content = contentOf(source)
  const change = changeBetween(known, content)
  const updatedAt = change ? new Date(books.clock.now()) : known.updatedAt
  const changed = { ...known, ...content, updatedAt }
  await books.queries
    .updateTable('listings')
    .set({ ...content, updatedAt })
    .where('domain', '=', known.domain)
    .execute()
  // An event of a removal names the business that was listed.
  if (change) await tell(books, change === 'removed' ? { ...known, scanId: null } : changed, change)
  return changed
}

type Content = Omit<ListingRow, 'domain' | 'slug' | 'createdAt' | 'updatedAt'>

export const noEntry = {
  businessName: null,
  industry: null,
  description: null,
  readinessScore: null,
  aeoScore: null,
} as const

function contentOf({ scanId, scannedAt, entry }: ListingSource): Content {
  return { state: entry ? 'listed' : 'withdrawn', ...noEntry, ...entry, scanId, scannedAt }
}

/** Undefined when readers of the list see no difference. */
function changeBetween(before: Content, after: Content): ListingChange | undefined {
  if (after.state !== 'listed') return before.state === 'listed' ? 'removed' : undefined
  if (before.state !== 'listed') return 'created'
  const isSame = entryFields.every((field) => before[field] === after[field])
  return isSame ? undefined : 'updated'
}

const entryFields = ['businessName', 'industry', 'description', 'readinessScore', 'aeoScore'] as const

export async function tell(
  { queries, clock }: Books,
  { slug, domain, businessName, scanId }: Pick<ListingRow, 'slug' | 'domain' | 'businessName' | 'scanId'>,
  change: ListingChange,
): Promise<void> {
  await writeEvent(queries, {
    type: 'directory.updated',
    at: new Date(clock.now()),
    owner: null,
    scanId,
    data: { slug, domain, businessName: businessName ?? domain, change },
  })
}
