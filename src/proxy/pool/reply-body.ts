import { Readable } from 'node:stream'

/**
 * A reply's body as it comes in. Most replies are short and have come whole by the time anyone looks; to read such a
 * one as a stream takes longer than all else that is done with it. So what comes in waits outside the stream until
 * somebody reads, and can be taken in one piece instead.
 */
export class ReplyBody extends Readable {
  readonly #resume: () => void
  readonly #close: (error: Error | null) => void
  /** Undefined once it is read as a stream. */
  #waiting: Buffer[] | undefined = []
  #waitingBytes = 0
  #hasEnded = false

  /** @param close told once, when it has been read to its end or taken, or is not wanted any more. */
  constructor(resume: () => void, close: (error: Error | null) => void) {
    super()
    this.#resume = resume
    this.#close = close
  }

  /** @returns whether there is room for more. */
  add(chunk: Buffer): boolean {
    if (!this.#waiting) return this.push(chunk)
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.byteLength
    return this.#waitingBytes < maxWaiting
  }

  end(): void {
    if (this.#waiting) this.#hasEnded = true
    else this.push(null)
  }

  /** @returns the whole body, if it has come, is no larger and nobody has begun to read it. It is not to be read then. */
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

const maxWaiting = 65_536
const nothing = new Uint8Array()
