import { type SqlBool, sql } from 'kysely'

/**
 * Pages of a list. A page begins after a given row, not after a number of rows, so that no row is repeated or
 * skipped when rows are added between two requests.
 */
export interface Page<Row, At> {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined on the last page. */
  readonly next: At | undefined
}

/** The last row before a page: its creation time, to the microsecond, and its id. */
export type Position = readonly [createdAt: string, id: string]

/**
 * Makes a page of up to `limit` rows.
 * @param rows up to `limit + 1` rows: the last one only shows that another page follows.
 */
export function pageOf<Row, At>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => At,
): Page<Row, At> {
  const last = rows[limit - 1]
  if (rows.length <= limit || last === undefined) return { rows, next: undefined }
  return { rows: rows.slice(0, limit), next: positionOf(last) }
}

/**
 * Tells whether a row comes after a position.
 * @param columns the time and the id that the list is sorted by.
 */
export function isBehind(
  [time, id]: readonly [time: string, id: string],
  order: 'newest first' | 'oldest first',
  [lastTime, lastId]: Position,
) {
  const comesAfter = sql.raw(order === 'newest first' ? '<' : '>')
  return sql<SqlBool>`(${sql.ref(time)}, ${sql.ref(id)}) ${comesAfter} (${lastTime}::timestamptz, ${lastId})`
}

/** The time in a column as text, with the store's microseconds; a Date would drop them. */
export function microsecondTime(column: string) {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
