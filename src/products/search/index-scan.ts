import { type SqlBool, sql } from 'kysely'
import type { Queries } from '../../platform/store/database.ts'
import { isBehind, microsecondTime, type Position, pageOf } from '../../platform/store/page.ts'
import type { Analysis } from '../scan/findings/results.ts'
import type { ScanMove } from '../scan/scans/scans.ts'
import { searchableScan } from './entries.ts'

/** What search needs of a complete scan. */
interface IndexedScan {
  readonly id: string
  readonly owner: string | null
  readonly domain: string
  readonly createdAt: Date
}

/**
 * Makes a scan searchable in the transaction that completes it. Of each domain the newest complete scan of each owner
 * is found, and it replaces the one before: fifty scans of one site would otherwise fill every list of results. The
 * entries of a deleted scan are deleted with it.
 */
export async function indexCompleted(queries: Queries, move: ScanMove): Promise<void> {
  if (move.to !== 'completed') return
  const { id, owner, domain, createdAt } = move.scan
  await queries
    .deleteFrom('searchDocuments')
    .where('domain', '=', domain)
    .where(sql<SqlBool>`coalesce(owner, '') = ${owner ?? ''}`)
    .execute()
  await insertDocument(queries, { id, owner, domain, createdAt }, move.analysis)
}

/** @returns whether the scan was added: another scan of the domain may be there already. */
async function insertDocument(
  queries: Queries,
  { id, owner, domain, createdAt }: IndexedScan,
  analysis: Analysis,
): Promise<boolean> {
  const { entries, words } = searchableScan(domain, analysis)
  const inserted = await queries
    .insertInto('searchDocuments')
    .values({ scanId: id, owner, domain, createdAt, words })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return false
  await queries
    .insertInto('searchEntries')
    .values(entries.map((entry, position) => ({ document: inserted.id, position, ...entry })))
    .execute()
  return true
}

export interface MissingBatch {
  /** How many scans the batch made searchable. */
  readonly added: number
  /** Where the next batch begins; undefined when this was the last one. */
  readonly next: Position | undefined
}

/**
 * Makes complete scans searchable whose domain and owner have no searchable scan: those of a store that is older than
 * search, and those whose newer scan was deleted. It goes from the newest to the oldest.
 * @param after where the batch before ended; undefined begins with the newest scan.
 */
export async function indexMissing(
  queries: Queries,
  limit: number,
  after: Position | undefined,
): Promise<MissingBatch> {
  const rows = await queries
    .selectFrom('scans')
    .select(['id', 'owner', 'domain', 'createdAt', microsecondTime('createdAt').as('at')])
    .select(sql<Analysis>`analysis`.as('analysis'))
    .where('status', '=', 'complete')
    .where('analysis', 'is not', null)
    .where(sql<SqlBool>`not exists (
      select from search_documents as known
      where known.domain = scans.domain and coalesce(known.owner, '') = coalesce(scans.owner, ''))`)
    .where(after === undefined ? sql<SqlBool>`true` : isBehind(['createdAt', 'id'], 'newest first', after))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = pageOf(rows, limit, ({ at, id }): Position => [at, id])
  let added = 0
  for (const { analysis, ...scan } of page.rows) {
    const isAdded = await queries
      .transaction()
      .execute((transaction) => insertDocument(transaction, scan, analysis))
    if (isAdded) added += 1
  }
  return { added, next: page.next }
}
