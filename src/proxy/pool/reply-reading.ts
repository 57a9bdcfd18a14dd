import type { Socket } from 'node:net'
import { TimedSteps } from '../../platform/threads/timed-steps.ts'

/** A turn of the event loop reads replies for so many milliseconds. */
const msPerTurn = 2

/**
 * Reads the connections to all targets by turns while there is more to read than fits in a short turn of the event loop.
 * Node reads all that have sent something, hundreds in one turn, before anything else runs: the heads of four hundred
 * replies, each of which is passed on to its caller, would hold up every other caller for a fifth of a second.
 */
export class ReplyReading {
  readonly #waiting = new Set<Socket>()
  readonly #steps = new TimedSteps(msPerTurn, () => this.#readNext())
  /** The connection whose turn it is. */
  #current: Socket | undefined

  /**
   * Makes a connection without anything to read while it waits for its turn. To be called before its reader listens.
   * @returns leaves the connection to itself again.
   */
  watch(socket: Socket): () => void {
    const read = socket.read.bind(socket)
    socket.read = (size) => (this.#mayRead(socket) ? read(size) : null)
    socket.once('close', () => this.#waiting.delete(socket))
    return () => {
      socket.read = read
    }
  }

  #mayRead(socket: Socket): boolean {
    if (socket === this.#current || (this.#waiting.size === 0 && this.#steps.hasTime())) return true
    this.#waiting.add(socket)
    this.#steps.wake()
    return false
  }

  /** @returns how many wait. */
  #readNext(): number {
    const [socket] = this.#waiting
    if (socket) {
      this.#waiting.delete(socket)
      this.#current = socket
      // Its reader takes all that has come.
      socket.emit('readable')
      this.#current = undefined
    }
    return this.#waiting.size
  }
}
