import { Readable } from 'node:stream'
import { heartbeatLine, retryLine } from './event-stream.ts'

/** What a follower takes its bytes from. */
export interface Followed {
  /** In their order, from the first event of the scan on. */
  readonly events: readonly { readonly seq: number; readonly bytes: Uint8Array }[]
  /** How many heartbeats there were. */
  readonly beats: number
  /** Set after the last event, with the error if one ended the reading. */
  readonly end: { readonly failure: Error | undefined } | undefined
  join(follower: Follower): void
  leave(follower: Follower): void
}

/**
 * The stream of one caller that follows a scan. It takes no more than the caller reads, so a slow caller fills one
 * buffer at most. A caller that has not read its buffer in the time of two heartbeats is cut off.
 */
export class Follower extends Readable {
  readonly #followed: Followed
  readonly #after: number
  /** The place of the next event. */
  #next = 0
  /** Heartbeats up to this one were sent or skipped. */
  #beats: number
  /** Whether the buffer has room. */
  #isWanting = false

  /** @param after the number of the last event that is left out. */
  constructor(followed: Followed, after: number, signal: AbortSignal) {
    super()
    this.#followed = followed
    this.#after = after
    this.#beats = followed.beats
    const end = () => this.#end()
    signal.addEventListener('abort', end, { once: true })
    this.once('close', () => signal.removeEventListener('abort', end))
    followed.join(this)
    this.push(retryLine)
    if (signal.aborted) this.#end()
  }

  /** To be called when there may be something new to send. */
  fill(): void {
    const { events, beats, end } = this.#followed
    for (let event = events[this.#next]; this.#isWanting && event; event = events[this.#next]) {
      this.#next += 1
      if (event.seq > this.#after) this.#isWanting = this.push(event.bytes)
    }
    if (!this.#isWanting) {
      if (beats - this.#beats > 1) this.destroy()
      return
    }
    if (end) {
      if (end.failure) this.destroy(end.failure)
      else this.#end()
    } else if (beats !== this.#beats) {
      this.#beats = beats
      this.#isWanting = this.push(heartbeatLine)
    }
  }

  override _read(): void {
    this.#isWanting = true
    this.fill()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#followed.leave(this)
    done(error)
  }

  #end(): void {
    this.#isWanting = false
    this.#followed.leave(this)
    this.push(null)
  }
}
