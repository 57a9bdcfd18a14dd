interface TurnLimits {
  /** How many tasks run at once. */
  readonly running: number
  /** The bytes of the tasks that wait, all together and of one caller. */
  readonly waitingBytes: number
  readonly waitingBytesPerCaller: number
}

/** The queue is full: for all callers, or for this one. The task did not run. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
  readonly of: 'all' | 'caller'

  constructor(of: 'all' | 'caller') {
    super('too many tasks wait for their turn')
    this.of = of
  }
}

/**
 * Lets callers take turns: each waiting caller runs one task before any of them runs a second one. In one
 * queue for all, a caller with a hundred large tasks would make every other caller wait for all of them.
 */
export class FairTurns {
  readonly #limits: TurnLimits
  /** By caller, in the order of their next turns. */
  readonly #waiting = new Map<string, Waiting>()
  #running = 0
  #waitingBytes = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Runs the task at its caller's turn.
   * @param bytes that the task holds in memory while it waits.
   * @throws TooManyWaiting; the error of the task.
   */
  async run<Result>(caller: string, bytes: number, task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.running) this.#running += 1
    else await this.#wait(caller, bytes)
    try {
      return await task()
    } finally {
      this.#passOn(caller)
    }
  }

  #wait(caller: string, bytes: number): Promise<void> {
    const own = this.#waiting.get(caller) ?? { bytes: 0, tasks: [] }
    if (own.bytes + bytes > this.#limits.waitingBytesPerCaller) throw new TooManyWaiting('caller')
    if (this.#waitingBytes + bytes > this.#limits.waitingBytes) throw new TooManyWaiting('all')
    const { promise, resolve } = Promise.withResolvers<void>()
    own.tasks.push({ bytes, begin: resolve })
    own.bytes += bytes
    this.#waitingBytes += bytes
    this.#waiting.set(caller, own)
    return promise
  }

  /**
   * Gives the turn of a task that has ended to the caller whose turn comes first, and a second turn in a row
   * only where nobody else waits.
   */
  #passOn(from: string): void {
    const [first, second] = this.#waiting
    const next = first?.[0] === from ? (second ?? first) : first
    const task = next?.[1].tasks.shift()
    if (!next || !task) {
      this.#running -= 1
      return
    }
    const [caller, own] = next
    own.bytes -= task.bytes
    this.#waitingBytes -= task.bytes
    this.#waiting.delete(caller)
    if (own.tasks.length > 0) this.#waiting.set(caller, own)
    task.begin()
  }
}

interface Waiting {
  bytes: number
  readonly tasks: { readonly bytes: number; readonly begin: () => void }[]
}
