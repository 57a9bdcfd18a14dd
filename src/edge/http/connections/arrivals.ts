/** So many turns of the event loop in a row with a connection each are a crowd. */
const crowdTurns = 8
/** Callers that are served already wait for a crowd so long at most. */
const maxCrowdMs = 200

/**
 * Whether connections arrive now. Node accepts one connection in a turn of the event loop, so when hundreds arrive at
 * once, the last one waits for all that is done in as many turns. While they do, other work can wait for them.
 */
export class Arrivals {
  #isNow = false
  #wasBefore = false
  #turnsInRow = 0
  #since = 0
  #end: NodeJS.Immediate | undefined
  readonly #now: () => number

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A connection was accepted. */
  add(): void {
    if (this.#turnsInRow === 0) this.#since = this.#now()
    this.#isNow = true
    this.#follow()
  }

  /** Whether a connection was accepted in this turn, or the one before: Node may read others first. */
  get areOn(): boolean {
    return this.#isNow || this.#wasBefore
  }

  /** Whether many have come one after the other, so that more are likely to wait. */
  get areCrowd(): boolean {
    return this.areOn && this.#turnsInRow >= crowdTurns && this.#now() - this.#since < maxCrowdMs
  }

  /** Notes the ends of this turn and the next ones. */
  #follow(): void {
    this.#end ??= setImmediate(() => {
      this.#end = undefined
      this.#turnsInRow = this.#isNow ? this.#turnsInRow + 1 : 0
      this.#wasBefore = this.#isNow
      this.#isNow = false
      if (this.#wasBefore) this.#follow()
    })
  }
}
