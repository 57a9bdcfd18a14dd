import { sql } from 'kysely'
import type { Queries } from '../../platform/store/database.ts'
import type { EntryType } from './entries.ts'
import type { SearchQuery } from './query.ts'
import { plainLine, snippetOf } from './snippet.ts'

interface SearchResult {
  readonly type: EntryType
  /** UUID. */
  readonly scanId: string
  readonly domain: string
  readonly title: string
  readonly snippet: string
  /** Above 0 and below 1; a higher one fits better. */
  readonly score: number
}

export interface Found {
  /** The best first; of equal ones, those of the newest scan. */
  readonly results: readonly SearchResult[]
  /** The number of entries that match, of the newest `maxScans` scans that have all words of the query. */
  readonly total: number
}

/** More matching scans are not looked at, so that a common word costs as much as a rare one. */
export const maxScans = 200

/**
 * Finds the entries of scans that the viewer may see: its own and those that were made without a key. Scans of others
 * change neither results nor total.
 * @param viewer the subject of the caller's key.
 * @param type undefined finds entries of all types.
 */
export async function search(
  { queries }: { readonly queries: Queries },
  {
    query,
    type,
    limit,
    viewer,
  }: {
    readonly query: SearchQuery
    readonly type: EntryType | undefined
    readonly limit: number
    readonly viewer: string | undefined
  },
): Promise<Found> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const { rows } = await sql<Omit<SearchResult, 'snippet'> & { body: string; total: number }>`
    with wanted as (select ${query.entry}::tsquery as entry),
    matches as materialized (
      select type, scan_id, domain, title, created_at, document, position, ts_rank(words, entry, ${rankFlags}) as score
      from wanted, find_documents(${query.document}::tsquery, ${viewer ?? null}, ${maxScans}) as documents,
        -- The offset keeps the planner from reading all entries for the join.
        lateral (select type, position, title, words from search_entries where document = documents.document offset 0)
          as entries
      where words @@ entry ${ofType}
    ),
    best as (
      select *, (select count(*)::integer from matches) as total
      from matches order by score desc, created_at desc, document desc, position limit ${limit}
    )
    select best.type, scan_id, domain, best.title, body, score::float8 as score, total
    from best join search_entries using (document, position)
    order by score desc, created_at desc, document desc, position`.execute(queries)
  const results = rows.map(({ type, scanId, domain, title, body, score }) => ({
    type,
    scanId,
    domain,
    title: plainLine(title, maxTitle),
    snippet: snippetOf(body, query.words),
    score: Math.round(score * 10_000) / 10_000,
  }))
  return { results, total: rows[0]?.total ?? 0 }
}

/** Flags of ts_rank: long texts get no advantage (1), and the rank is between 0 and 1 (32). */
export const rankFlags = 33
const maxTitle = 160
