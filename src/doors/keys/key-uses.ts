import { sql } from 'kysely'
import type { Log } from '../../core/log.ts'
import type { Queries } from '../../platform/store/database.ts'

/** Notes when keys were last used, and writes the times of all keys in one statement. */
export class KeyUses {
  readonly #queries: Queries
  readonly #log: Log
  /** When each key was last used, in milliseconds since the epoch. */
  #usedAt = new Map<string, number>()

  constructor(queries: Queries, log: Log) {
    this.#queries = queries
    this.#log = log
  }

  note(id: string, now: number): void {
    this.#usedAt.set(id, now)
  }

  /** Never rejects: a failed write is logged and tried again with the next one. */
  async write(): Promise<void> {
    if (this.#usedAt.size === 0) return
    const written = this.#usedAt
    this.#usedAt = new Map()
    const used = Array.from(written, ([id, at]) => ({ id, at: new Date(at).toISOString() }))
    try {
      // Rows are locked in the same order everywhere, so that two processes cannot deadlock.
      await sql`
        with seen as (
          select keys.id, used.at
          from jsonb_to_recordset(${JSON.stringify(used)}::jsonb) as used(id text, at timestamptz)
            join keys on keys.id = used.id
          order by keys.id for update of keys
        )
        update keys set last_used_at = greatest(keys.last_used_at, seen.at) from seen where keys.id = seen.id
      `.execute(this.#queries)
    } catch (error) {
      this.#log.warn(
        { err: error },
        'the last use of keys could not be written; it is tried again with the next write',
      )
      this.#usedAt = new Map([...written, ...this.#usedAt])
    }
  }
}
