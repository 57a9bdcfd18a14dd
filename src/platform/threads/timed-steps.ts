/** So many steps of one turn at most: a step may set off work that waits for a database and comes in a later turn. */
const mostSteps = 8
/** Where other work takes most of the time, the steps get this share of it. */
const fairShare = 0.25

/**
 * Does waiting work in steps, for a few milliseconds in each turn of the event loop, so that everything else is done
 * between.
 *
 * Each step is an immediate of its own, because Node does what a step has set off, with all that waits for its promises,
 * before it runs the next immediate. So the time of a turn counts that too. In a loop of steps it would all come after
 * the loop, and nothing would have measured it.
 */
export class TimedSteps {
  readonly #minMs: number
  readonly #step: () => number
  readonly #now: () => number
  #waiting = 0
  /** When this turn was first asked for its time; undefined before that. */
  #askedAt: number | undefined
  /** How many steps of this turn have not run. */
  #planned = 0
  #isInTurn = false
  /** When the first step of this turn began, or that of the last one. */
  #startedAt = 0
  /** How long this turn goes on. */
  #maxMs = 0

  /**
   * @param minMs of one turn, or a fair share of the time since the last one; the last step may take longer
   * @param step does one piece of work if there is one now. @returns how many wait after it.
   * @param now milliseconds of a clock that never goes back
   */
  constructor(minMs: number, step: () => number, now: () => number = () => performance.now()) {
    this.#minMs = minMs
    this.#step = step
    this.#now = now
  }

  /** To be called when something waits. Its step comes in this turn or the next one. */
  wake(): void {
    this.#waiting ||= 1
    if (this.#planned > 0) return
    // Nothing has waited until now.
    this.#startedAt = this.#now()
    this.#plan()
  }

  /** Whether work that comes now may be done at once: `minMs` of this turn have not passed since the first question. */
  hasTime(): boolean {
    const now = this.#now()
    if (this.#askedAt === undefined) {
      this.#askedAt = now
      setImmediate(() => {
        this.#askedAt = undefined
      })
    }
    return now - this.#askedAt < this.#minMs
  }

  #plan(): void {
    this.#planned = Math.min(this.#waiting, mostSteps)
    for (let planned = 0; planned < this.#planned; planned += 1) setImmediate(this.#run)
  }

  readonly #run = (): void => {
    const now = this.#now()
    if (!this.#isInTurn) {
      this.#isInTurn = true
      this.#maxMs = Math.max(this.#minMs, (now - this.#startedAt) * fairShare)
      this.#startedAt = now
    }
    this.#planned -= 1
    if (now - this.#startedAt < this.#maxMs) this.#waiting = this.#step()
    if (this.#planned > 0) return
    this.#isInTurn = false
    if (this.#waiting > 0) this.#plan()
  }
}
