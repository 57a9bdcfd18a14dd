import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { Queries } from '../../platform/store/database.ts'
import type { ListingRow } from '../../platform/store/rows/directory.ts'
import { type ListingSource, lockListing, noEntry, setListing, tell } from './listings.ts'
import { slugCandidates } from './slugs.ts'

/** Finds what the newest scan that is still there says of a site; undefined when no scan says anything. */
export type NewestSource = (queries: Queries, domain: string) => Promise<ListingSource | undefined>

/**
 * Takes a site and all sites below its domain out of the directory for good. Its row stays and keeps later scans from
 * bringing them back; of its content only domain and slug are kept. A site without a listing is kept out in the same
 * way.
 * @param books with a transaction.
 * @returns false when it was removed before.
 */
export async function removeListing(books: Books, domain: string): Promise<boolean> {
  if (!(await removeOne(books, domain))) return false
  const below = await books.queries
    .deleteFrom('listings')
    .where(sql<SqlBool>`right(domain, ${domain.length + 1}) = ${`.${domain}`}`)
    .where('state', '!=', 'removed')
    .returning(['domain', 'slug', 'businessName', 'state'])
    .execute()
  for (const one of below) {
    if (one.state === 'listed') await tell(books, { ...one, scanId: null }, 'removed')
  }
  return true
}

async function removeOne(books: Books, domain: string): Promise<boolean> {
  const { queries, clock } = books
  const now = new Date(clock.now())
  const removed = { ...noEntry, state: 'removed', scanId: null, scannedAt: null, updatedAt: now } as const
  for (const slug of await slugCandidates('', domain)) {
    const known = await lockListing(queries, domain)
    if (known?.state === 'removed') return false
    if (known) {
      await queries.updateTable('listings').set(removed).where('domain', '=', domain).execute()
      if (known.state === 'listed') await tell(books, { ...known, scanId: null }, 'removed')
      return true
    }
    const added = await queries
      .insertInto('listings')
      .values({ domain, slug, ...removed, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('domain')
      .executeTakeFirst()
    if (added) return true
  }
  throw new Error(`no slug is free for ${domain}`)
}

/**
 * Lets a removed site be listed again: at once if a scan of it is still there, else with its next scan.
 * @param books with a transaction.
 * @returns undefined when the site is not removed; else what its listing is now.
 */
export async function restoreListing(
  books: Books,
  domain: string,
  newest: NewestSource,
): Promise<{ readonly listing: ListingRow | undefined } | undefined> {
  const known = await lockListing(books.queries, domain)
  if (known?.state !== 'removed') return undefined
  return { listing: await rebuild(books, known, newest) }
}

/**
 * Rebuilds the listings made of scans that are being deleted: each from the newest scan that is left, and without one
 * it is deleted.
 * @param books with the transaction that deletes the scans.
 */
export async function rebuildListings(
  books: Books,
  scanIds: readonly string[],
  newest: NewestSource,
): Promise<void> {
  if (scanIds.length === 0) return
  const stale = await books.queries
    .selectFrom('listings')
    .selectAll()
    .where('scanId', 'in', scanIds)
    .orderBy('domain')
    .forUpdate()
    .execute()
  for (const known of stale) await rebuild(books, known, newest)
}

async function rebuild(
  books: Books,
  known: ListingRow,
  newest: NewestSource,
): Promise<ListingRow | undefined> {
  const source = await newest(books.queries, known.domain)
  if (source) return await setListing(books, known, source)
  await books.queries.deleteFrom('listings').where('domain', '=', known.domain).execute()
  if (known.state === 'listed') await tell(books, { ...known, scanId: null }, 'removed')
  return undefined
}
