import pTimeout from 'p-timeout'
import type { Log } from '../../core/log.ts'

/** A scrape waits this long for a new value; then it gets the last one. */
const patienceMs = 2_000

/**
 * A value that takes a query to read. It is read when a scrape asks for it and the last read is older than `maxAgeMs`,
 * so however many scrapes there are, they cost one read in that time.
 */
export class LateValue<Value> {
  readonly #read: () => Promise<Value>
  readonly #maxAgeMs: number
  readonly #log: Log
  #last: { readonly value: Value; readonly atMs: number } | undefined
  #reading: Promise<unknown> | undefined

  constructor(read: () => Promise<Value>, maxAgeMs: number, log: Log) {
    this.#read = read
    this.#maxAgeMs = maxAgeMs
    this.#log = log
  }

  /** The last value that could be read, and when; undefined when there is none yet. Never rejects. */
  async get(): Promise<{ readonly value: Value; readonly atMs: number } | undefined> {
    const last = this.#last
    if (last && Date.now() - last.atMs < this.#maxAgeMs) return last
    this.#reading ??= this.#update().finally(() => {
      this.#reading = undefined
    })
    await pTimeout(this.#reading, { milliseconds: patienceMs, fallback: () => undefined })
    return this.#last
  }

  async #update(): Promise<void> {
    const atMs = Date.now()
    try {
      this.#last = { value: await this.#read(), atMs }
    } catch (error) {
      this.#log.warn({ err: error }, 'metrics could not be read; their last values are given')
    }
  }
}
