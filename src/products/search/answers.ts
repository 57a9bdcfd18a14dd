import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/store/database.ts'
import type { EntryType } from './entries.ts'
import type { Question } from './question.ts'
import { rankFlags } from './search.ts'

/** An entry of a scan that answers a question. Title and body may be words of the scanned site, as they were stored. */
export interface ScanAnswer {
  readonly type: EntryType
  /** UUID. */
  readonly scanId: string
  readonly domain: string
  /** The place of the entry in its scan. */
  readonly position: number
  readonly title: string
  readonly body: string
  /** Above 0 and at most 1; a higher one fits better. */
  readonly score: number
}

/**
 * Half as many as a search looks at. Each word of a question is looked for in each entry by itself: the 32 words of the
 * longest question, all of them in 200 long reports, took PGlite 320 ms, and PostgreSQL 95.
 */
const maxScans = 100

type Reads = { readonly queries: Queries }

/**
 * Finds what scans say on a question. As in `search`, the viewer finds its own scans and those that were made without a
 * key, and scans of others change nothing.
 * @param viewer the subject of the caller's key.
 * @param type undefined finds entries of all types.
 */
export async function answersOfScans(
  { queries }: Reads,
  {
    question,
    type,
    limit,
    viewer,
  }: {
    readonly question: Question
    readonly type?: EntryType | undefined
    readonly limit: number
    readonly viewer: string | undefined
  },
): Promise<readonly ScanAnswer[]> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const { rows } = await sql<ScanAnswer>`
    with matches as materialized (
      select type, scan_id, domain, title, created_at, document, position,
        ${countOf(question.terms)} as hits, ${rankOf(question)} as rank
      from find_documents(${question.document}::tsquery, ${viewer ?? null}, ${maxScans}) as documents,
        -- The offset keeps the planner from reading all entries for the join.
        lateral (select type, position, title, words from search_entries where document = documents.document offset 0)
          as entries
      where words @@ ${question.any}::tsquery ${ofType}
    ),
    best as (
      select *, ${scoreOf(question)} as score from matches where hits >= ${question.needed}
      order by score desc, created_at desc, document desc, position limit ${limit}
    )
    select best.type, scan_id, domain, position, best.title, body, score::float8 as score
    from best join search_entries using (document, position)
    order by score desc, created_at desc, document desc, position`.execute(queries)
  return rows
}

/**
 * Ranks texts that are in no table, by the same means as the entries of scans, so that the scores compare.
 * @param vectors the words of each text, as `tsvectorOf` writes them.
 * @returns the places of those that answer, the best first.
 */
export async function answersOfTexts(
  { queries }: Reads,
  {
    question,
    vectors,
    limit,
  }: { readonly question: Question; readonly vectors: string; readonly limit: number },
): Promise<readonly { readonly place: number; readonly score: number }[]> {
  const { rows } = await sql<{ place: number; score: number }>`
    with texts as materialized (
      select place, text::tsvector as words from jsonb_array_elements_text(${vectors}::jsonb) with ordinality as one (text, place)
    ),
    matches as (
      select place, ${countOf(question.terms)} as hits, ${rankOf(question)} as rank
      from texts where words @@ ${question.any}::tsquery
    )
    select (place - 1)::integer as place, (${scoreOf(question)})::float8 as score
    from matches where hits >= ${question.needed} order by score desc, place limit ${limit}`.execute(queries)
  return rows
}

/** How many of the queries a row fulfills. */
function countOf(queries: readonly string[]): RawBuilder<number> {
  const each = queries.map((query) => sql`(words @@ ${query}::tsquery)::integer`)
  return sql`(${sql.join(each, sql` + `)})`
}

function rankOf({ rank }: Question): RawBuilder<number> {
  return sql`ts_rank(words, ${rank}::tsquery, ${rankFlags})`
}

/** A row that has more of the words stands before one that has a word often or in its title. */
function scoreOf({ terms }: Question): RawBuilder<number> {
  return sql`0.7 * hits / ${terms.length}::float8 + 0.3 * rank`
}
