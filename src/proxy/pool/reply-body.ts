import { Readable } from 'node:stream'

/**
 * The body of a reply. Chunks wait outside of the stream until it is read, so that a short body that has
 * arrived can be taken in one piece. For 1 kB that takes 0.2 µs of CPU, and reading it as a stream 2.1 µs
 * (`collect` alone with and without `takeWhole`, Node 24, median of 7 runs of 20,000). A whole call takes
 * about 130 µs.
 *
 * Later, small chunks wait until the end of the turn and are passed on as one. A target may send chunks of one byte
 * each, about 11,000 of them in one read of its connection. Each would be counted and written to the caller by
 * itself, and meanwhile every other caller would wait.
 */
export class ReplyBody extends Readable {
  readonly #resume: () => void
  readonly #close: (error: Error | null) => void
  #isRead = false
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #hasEnded = false
  /** Passes the waiting chunks on. */
  #passing: NodeJS.Immediate | undefined

  /**
   * @param resume asks for more chunks
   * @param close called when the body was read to its end, taken, or is no longer wanted
   */
  constructor(resume: () => void, close: (error: Error | null) => void) {
    super()
    this.#resume = resume
    this.#close = close
  }

  /** @returns whether there is room for more chunks in this turn. */
  add(chunk: Buffer): boolean {
    if (this.#isRead && chunk.byteLength >= minPassedBytes) {
      this.#passWaiting()
      return this.push(chunk)
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.byteLength
    if (this.#isRead) this.#passing ??= setImmediate(() => this.#passWaiting())
    return (
      this.#waiting.length < maxWaitingChunks && this.#waitingBytes + this.readableLength < maxWaitingBytes
    )
  }

  end(): void {
    this.#hasEnded = true
    if (this.#isRead) this.#passRest()
  }

  /** The sender broke off: the reader gets what has arrived, and then the error. */
  fail(error: Error): void {
    if (this.#isRead) this.#passWaiting()
    this.destroy(error)
  }

  /**
   * @returns the whole body, which must not be read then; undefined unless it has arrived, unread and within
   *   the limit.
   */
  takeWhole(maxBytes: number): Uint8Array | undefined {
    if (!this.#hasEnded || this.#isRead || this.destroyed || this.#waitingBytes > maxBytes) return undefined
    this.#close(null)
    return joined(this.#waiting)
  }

  override _read(): void {
    const isFirst = !this.#isRead
    this.#isRead = true
    if (isFirst) this.#passRest()
    if (!this.#hasEnded) this.#resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#passing) clearImmediate(this.#passing)
    this.#waiting = []
    this.#close(error)
    done(error)
  }

  #passRest(): void {
    this.#passWaiting()
    if (this.#hasEnded) this.push(null)
  }

  #passWaiting(): void {
    if (this.#passing) clearImmediate(this.#passing)
    this.#passing = undefined
    if (this.#waiting.length === 0) return
    const chunk = joined(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    this.push(chunk)
  }
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first = nothing, ...others] = chunks
  return others.length === 0 ? first : Buffer.concat(chunks)
}

const maxWaitingBytes = 65_536
/** The most of one reply in one turn: to take them from the parser keeps others waiting for less than a millisecond. */
const maxWaitingChunks = 256
/** From here on, to copy chunks together costs more than to pass them one by one. */
const minPassedBytes = 4_096
const nothing = new Uint8Array()
