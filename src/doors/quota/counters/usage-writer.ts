import { sql } from 'kysely'
import type { Log } from '../../../core/log.ts'
import { reasonOf } from '../../../core/outages.ts'
import type { Queries } from '../../../platform/store/database.ts'

/** A counter in memory. */
export interface Entry {
  readonly subject: string
  readonly operation: string
  readonly period: string
  used: number
}

interface WriterOptions {
  readonly queries: Queries
  readonly log: Log
  /** How long a change waits for others. */
  readonly flushMs: number
  /** Called after each successful write. */
  readonly afterWrite: () => void
}

/** Writes changed counters to the table, some time after their change and many in one statement. */
export class UsageWriter {
  readonly #options: WriterOptions
  readonly #changed = new Set<Entry>()
  #timer: NodeJS.Timeout | undefined
  /** The last write that was asked for; the next one waits for it. */
  #lastWrite = Promise.resolve()
  #isFailing = false
  #isClosed = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Notes a change of this entry. */
  add(entry: Entry): void {
    this.#changed.add(entry)
    this.schedule()
  }

  /** Whether an entry has a change that is not written. */
  isWaiting(entry: Entry): boolean {
    return this.#changed.has(entry)
  }

  /** Writes in `flushMs`, if no write is planned yet. */
  schedule(): void {
    if (this.#isClosed || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // `#write` has logged the error.
      void this.flush().catch(() => this.schedule())
    }, this.#options.flushMs)
    this.#timer.unref()
  }

  /**
   * Writes all changes now. Writes go one after the other, so that an older count never overwrites a newer
   * one.
   */
  flush(): Promise<void> {
    const write = this.#lastWrite.then(() => this.#write())
    // The caller gets the error, and `#write` has logged it. The next write starts without it.
    this.#lastWrite = write.catch(() => {})
    return write
  }

  /** Writes all changes for the last time. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    try {
      await this.flush()
    } catch (error) {
      // A failed write must not keep the store and its lock from being closed after this.
      this.#options.log.error(
        { reason: reasonOf(error), counters: this.#changed.size },
        'usage could not be written and is lost',
      )
    }
  }

  async #write(): Promise<void> {
    const { queries, log, afterWrite } = this.#options
    const batch = [...this.#changed]
    this.#changed.clear()
    try {
      if (batch.length > 0) await writeUsed(queries, batch)
    } catch (error) {
      for (const entry of batch) this.#changed.add(entry)
      // Logged once, because the write is repeated every `flushMs`.
      if (!this.#isFailing)
        log.error({ err: error, counters: batch.length }, 'usage is counted in memory only')
      this.#isFailing = true
      throw error
    }
    if (this.#isFailing) log.info('usage is written to the store again')
    this.#isFailing = false
    afterWrite()
  }
}

async function writeUsed(queries: Queries, batch: readonly Entry[]): Promise<void> {
  await sql`
    insert into usage (subject, operation, period, used)
    select subject, operation, period, used from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
      as counted(subject text, operation text, period text, used bigint)
    on conflict (subject, operation, period) do update set used = excluded.used`.execute(queries)
}
