/**
 * Shares each turn of the event loop between all streamed replies, and leaves the rest of it to everything else. Five
 * hundred targets that send chunks of one byte, or one that sends megabytes of empty events, would otherwise be read
 * for as long as they send, while every other caller waits.
 *
 * A reply does its work at once while the replies have time in this turn. When the time is used up it waits in a
 * queue, in which each reply has one place, and its sender is paused before much has gathered. What gathers is passed
 * on as one, so that the same bytes take less time the longer they wait.
 */
export class ReplyTurns {
  readonly #now: () => number
  /** One entry for each reply, in the order in which they came. */
  #waiting = new Set<() => void>()
  #usedMs = 0
  /** Undefined while no reply works. */
  #startedAt: number | undefined
  #next: NodeJS.Immediate | undefined

  /** @param now milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether a reply may work in this turn, or go on with it. */
  hasTime(): boolean {
    const runningMs = this.#startedAt === undefined ? 0 : this.#now() - this.#startedAt
    return this.#usedMs + runningMs < maxMsPerTurn
  }

  /** Does a part of a work. @returns how long it took, in milliseconds. */
  timeOf(step: () => void): number {
    const startedAt = this.#now()
    step()
    return this.#now() - startedAt
  }

  /** Does the work now, and counts its time. */
  work(step: () => void): void {
    // The work of a reply may resume its sender, whose chunks are work of the same reply.
    if (this.#startedAt !== undefined) {
      step()
      return
    }
    this.#next ??= setImmediate(this.#begin)
    const startedAt = this.#now()
    this.#startedAt = startedAt
    try {
      step()
    } finally {
      this.#startedAt = undefined
      this.#usedMs += this.#now() - startedAt
    }
  }

  /** Does the work at the end of this turn or in a later one, once however often it is asked for meanwhile. */
  wait(step: () => void): void {
    this.#waiting.add(step)
    this.#next ??= setImmediate(this.#begin)
  }

  /** Takes the work back. */
  leave(step: () => void): void {
    this.#waiting.delete(step)
  }

  readonly #begin = (): void => {
    this.#next = undefined
    this.#usedMs = 0
    // What is asked for from now on belongs to the next turn.
    for (const step of [...this.#waiting]) {
      if (!this.hasTime()) break
      if (this.#waiting.delete(step)) this.work(step)
    }
    if (this.#waiting.size > 0) this.#next ??= setImmediate(this.#begin)
  }
}

/** To write what is passed on takes about as long again. */
const maxMsPerTurn = 2.5
