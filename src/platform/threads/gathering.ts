/** How long the first of those that gather waits at most, in milliseconds. */
const maxWaitMs = 5

/**
 * Runs something once for all that comes in a burst: when a turn of the event loop has brought nothing more, or a few
 * milliseconds after the first. What comes alone waits for a turn or two, which an idle process ends at once; in a busy
 * process a turn takes as long as the work of others, and more comes meanwhile.
 */
export class Gathering {
  readonly #run: () => void
  #startedAt = 0
  /** How much came in this turn; undefined while nothing gathers. */
  #came: number | undefined

  /** @param run takes all that came. */
  constructor(run: () => void) {
    this.#run = run
  }

  /** Notes that something came. */
  add(): void {
    if (this.#came === undefined) {
      this.#startedAt = performance.now()
      this.#waitATurn()
    }
    this.#came = (this.#came ?? 0) + 1
  }

  #waitATurn(): void {
    setImmediate(() => {
      const mayWait = this.#came !== 0 && performance.now() - this.#startedAt < maxWaitMs
      this.#came = mayWait ? 0 : undefined
      if (mayWait) this.#waitATurn()
      else this.#run()
    })
  }
}
