/**
 * Keeps a copy of the first bytes of a stream, up to a limit. It grows by doubling: a list of the chunks
 * would take many times the memory of their bytes when an upstream sends them one byte at a time.
 */
export class BoundedBuffer {
  readonly #maxBytes: number
  #buffer = new Uint8Array()
  #kept = 0
  #total = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Keeps as much of the chunk as there is room for. */
  push(chunk: Uint8Array): void {
    this.#total += chunk.length
    const taken = chunk.subarray(0, this.#maxBytes - this.#kept)
    const needed = this.#kept + taken.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(
        Math.min(this.#maxBytes, Math.max(4_096, 2 * this.#buffer.length, needed)),
      )
      larger.set(this.#buffer.subarray(0, this.#kept))
      this.#buffer = larger
    }
    this.#buffer.set(taken, this.#kept)
    this.#kept = needed
  }

  /** A view of what is kept, valid until the next `push` or `clear`. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#kept)
  }

  /** How many bytes were pushed, kept or not. */
  totalBytes(): number {
    return this.#total
  }

  clear(): void {
    this.#kept = 0
    this.#total = 0
  }
}
