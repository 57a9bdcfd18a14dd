import { sql } from 'kysely'

/** Behind which row to go on: when it was created, to the microsecond as the store keeps it, and its id. */
export type Position = readonly [createdAt: string, id: string]

export interface Page<Row, At> {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined after the last row. */
  readonly next: At | undefined
}

/** Makes a page of one row more than belongs to it: that row only tells that there are more. */
export function cut<Row, At>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => At,
): Page<Row, At> {
  const last = rows[limit - 1]
  if (rows.length <= limit || last === undefined) return { rows, next: undefined }
  return { rows: rows.slice(0, limit), next: positionOf(last) }
}

/** A time as text that loses none of the store's microseconds, which a Date would. */
export function exactTime(column: string) {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
