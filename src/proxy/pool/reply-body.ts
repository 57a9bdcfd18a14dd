import { Readable } from 'node:stream'

/**
 * The body of a reply. Chunks wait outside of the stream until it is read, so that a short body that has
 * arrived can be taken in one piece. For 1 kB that takes 0.2 µs of CPU, and reading it as a stream 2.1 µs
 * (`collect` alone with and without `takeWhole`, Node 24, median of 7 runs of 20,000). A whole call takes
 * about 130 µs.
 */
export class ReplyBody extends Readable {
  readonly #resume: () => void
  readonly #close: (error: Error | null) => void
  /** Undefined once the body is read as a stream. */
  #waiting: Buffer[] | undefined = []
  #waitingBytes = 0
  #hasEnded = false

  /**
   * @param resume asks for more chunks
   * @param close called when the body was read to its end, taken, or is no longer wanted
   */
  constructor(resume: () => void, close: (error: Error | null) => void) {
    super()
    this.#resume = resume
    this.#close = close
  }

  /** @returns whether there is room for more chunks. */
  add(chunk: Buffer): boolean {
    if (!this.#waiting) return this.push(chunk)
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.byteLength
    return this.#waitingBytes < maxWaitingBytes
  }

  end(): void {
    if (this.#waiting) this.#hasEnded = true
    else this.push(null)
  }

  /**
   * @returns the whole body, which must not be read then; undefined unless it has arrived, unread and within
   *   the limit.
   */
  takeWhole(maxBytes: number): Uint8Array | undefined {
    const [first, ...others] = this.#waiting ?? []
    if (!this.#hasEnded || !this.#waiting || this.destroyed || this.#waitingBytes > maxBytes) return undefined
    this.#close(null)
    if (first === undefined) return nothing
    return others.length === 0 ? first : Buffer.concat([first, ...others])
  }

  override _read(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const chunk of waiting ?? []) this.push(chunk)
    if (waiting && this.#hasEnded) this.push(null)
    else this.#resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close(error)
    done(error)
  }
}

const maxWaitingBytes = 65_536
const nothing = new Uint8Array()
