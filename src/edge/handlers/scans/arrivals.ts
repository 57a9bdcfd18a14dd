/**
 * Lets callers pass a few at a time, with a turn of the event loop between two groups, in the order in which they came.
 * A thousand callers may open their streams at once. To open one takes about 200 µs, so all of them in one turn would
 * keep every other caller waiting for as long as it takes to open all.
 */
export class Arrivals {
  readonly #waiting: (() => void)[] = []
  #free = perTurn
  #next: NodeJS.Immediate | undefined

  /** Resolves when it is this caller's turn. */
  async pass(): Promise<void> {
    this.#next ??= setImmediate(this.#begin)
    if (this.#free > 0 && this.#waiting.length === 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  readonly #begin = (): void => {
    const group = this.#waiting.splice(0, perTurn)
    this.#free = perTurn - group.length
    for (const pass of group) pass()
    this.#next = group.length > 0 ? setImmediate(this.#begin) : undefined
  }
}

const perTurn = 16
