/** A chunk of at most so many bytes is a small one. */
const smallBytes = 64
/** So many of a request go on at once: callers who send few of them get each read without a delay. */
const freeChunks = 8
/** Of so many small chunks the first one is told. */
const toldEvery = 256
/** What is gathered goes on by then at the latest. */
const gatheredBytes = 4_096

/**
 * Gathers the small chunks of a request's body. Node hands over each chunk by itself, and a caller may send eleven
 * thousand chunks of one byte in one packet. To put each of them into the stream's buffer takes as long as to
 * parse it. Here they are copied together, and go on as one piece once the packet is read.
 */
export class SmallChunks {
  readonly #push: (piece: Uint8Array) => boolean
  readonly #worked: () => void
  #seen = 0
  #small = 0
  #bytes = 0
  #gathered = Buffer.alloc(0)
  #turn: NodeJS.Immediate | undefined
  #hasRoom = true

  /**
   * @param push puts a piece into the stream, and says whether it has room for more.
   * @param worked is told while there are small chunks.
   */
  constructor(push: (piece: Uint8Array) => boolean, worked: () => void) {
    this.#push = push
    this.#worked = worked
  }

  /** @returns whether the stream has room for more. */
  add(chunk: Uint8Array): boolean {
    if (chunk.byteLength > smallBytes || this.#seen < freeChunks) {
      this.#seen += 1
      this.flush()
      return this.#push(chunk)
    }
    if (this.#small % toldEvery === 0) this.#worked()
    this.#small += 1
    if (this.#bytes + chunk.byteLength > this.#gathered.byteLength) {
      this.flush()
      this.#gathered = Buffer.allocUnsafeSlow(gatheredBytes)
    }
    this.#gathered.set(chunk, this.#bytes)
    this.#bytes += chunk.byteLength
    this.#turn ??= setImmediate(() => this.flush())
    return this.#hasRoom
  }

  /** Hands on what is gathered. */
  flush(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    if (this.#bytes === 0) return
    const piece = this.#gathered.subarray(0, this.#bytes)
    // The piece belongs to its reader from now on.
    this.#gathered = this.#gathered.subarray(this.#bytes)
    this.#bytes = 0
    this.#hasRoom = this.#push(piece)
  }
}
