import { createBackgroundWork } from '../../core/background.ts'
import type { Log } from '../../core/log.ts'
import { reasonOf } from '../../core/outages.ts'

interface LateWritesOptions<Item> {
  /** What is written, for the log: `the usage of calls`. */
  readonly what: string
  /** Writes items together: all or none. */
  readonly write: (items: readonly Item[]) => Promise<unknown>
  readonly keyOf: (item: Item) => string
  /** Makes one item of two with the same key, so that a long outage takes little memory. */
  readonly merge: (one: Item, other: Item) => Item
  /** Items that are kept while the store is down. Further ones are lost, and their number is logged. */
  readonly maxWaiting?: number
  readonly log: Log
}

const atOnce = 50
const firstRetryMs = 1_000
const maxRetryMs = 5_000

/**
 * Writes that no call waits for. Each is tried immediately. What cannot be written, because the store is down, is kept
 * in memory and tried again until it is written. A process that is killed in an outage loses what it has kept.
 */
export class LateWrites<Item> {
  readonly #options: LateWritesOptions<Item>
  readonly #maxWaiting: number
  readonly #running = createBackgroundWork()
  /** By key, in the order in which they came. */
  readonly #waiting = new Map<string, Item>()
  #retrying: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  #isFailing = false
  #lost = 0
  #lastError: unknown

  constructor(options: LateWritesOptions<Item>) {
    this.#options = options
    this.#maxWaiting = options.maxWaiting ?? 10_000
  }

  /** Resolves when the items are written, or kept. Never rejects. */
  add(items: readonly Item[]): Promise<void> {
    if (items.length === 0) return Promise.resolve()
    // The store is down as far as we know: a try by each call would only wait for another failure.
    if (this.#waiting.size > 0) {
      this.#keep(items)
      return Promise.resolve()
    }
    const written = this.#write(items).then(() => {})
    this.#running.add(written)
    return written
  }

  /** Tries to write all that was added so far. Never rejects. */
  async flush(): Promise<void> {
    await this.#running.idle()
    await this.#retry()
  }

  /** Writes for the last time; what cannot be written is lost. */
  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    const { log, what } = this.#options
    const lost = this.#lost + this.#waiting.size
    if (lost > 0)
      log.error({ lost, reason: reasonOf(this.#lastError) }, `${what} could not be written and is lost`)
    this.#waiting.clear()
  }

  #keep(items: readonly Item[]): void {
    const { keyOf, merge } = this.#options
    for (const item of items) {
      const key = keyOf(item)
      const other = this.#waiting.get(key)
      if (other === undefined && this.#waiting.size >= this.#maxWaiting) this.#lost += 1
      else this.#waiting.set(key, other === undefined ? item : merge(other, item))
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#retry()
    }, this.#retryMs).unref()
  }

  /** @returns whether the items were written; they are kept otherwise. */
  async #write(items: readonly Item[]): Promise<boolean> {
    const { write, log, what } = this.#options
    try {
      await write(items)
      return true
    } catch (error) {
      this.#lastError = error
      // Once, because the write is repeated.
      if (!this.#isFailing) log.error({ err: error }, `${what} cannot be written now, and is kept in memory`)
      this.#isFailing = true
      this.#keep(items)
      return false
    }
  }

  #retry(): Promise<void> {
    this.#retrying ??= this.#retryAll().finally(() => {
      this.#retrying = undefined
    })
    return this.#retrying
  }

  async #retryAll(): Promise<void> {
    const { log, what } = this.#options
    while (this.#waiting.size > 0) {
      const items = [...this.#waiting].slice(0, atOnce)
      for (const [key] of items) this.#waiting.delete(key)
      this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
      const areWritten = await Promise.all(items.map(([, item]) => this.#write([item])))
      if (areWritten.includes(false)) return
    }
    this.#retryMs = firstRetryMs
    this.#isFailing = false
    if (this.#lost > 0)
      log.error({ lost: this.#lost }, `${what} is lost in part: more was kept than fits in memory`)
    this.#lost = 0
  }
}
