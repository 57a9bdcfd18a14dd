import type { Admission, DoorOutcome, RunFailure } from '../../../../core/admission.ts'
import type { Reply } from '../../../../core/reply.ts'

/** The calls of one payer that are in this process at the same time. */
export class Crowd {
  readonly #onEmpty: () => void
  /** When one of them last had to wait for the others, in milliseconds of the clock. */
  queuedAt: number | undefined
  #inside = 0
  #present = 0
  #change = Promise.withResolvers<void>()

  /** @param onEmpty called when the last call has gone. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** How many are verified and claimed now. */
  get inside(): number {
    return this.#inside
  }

  /** Whether no call of the payer waits, is verified, or runs. */
  get isEmpty(): boolean {
    return this.#present === 0
  }

  /** Resolves when a call was claimed or refused, or has ended. */
  changed(): Promise<void> {
    return this.#change.promise
  }

  /** Counts a call that waits. */
  async wait<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#present += 1
    try {
      return await work()
    } finally {
      this.#go()
    }
  }

  enter(): Turn {
    this.#inside += 1
    this.#present += 1
    return new Turn(
      () => {
        this.#inside -= 1
        this.#wake()
      },
      () => this.#go(),
    )
  }

  #go(): void {
    this.#present -= 1
    this.#wake()
    if (this.#present === 0) this.#onEmpty()
  }

  #wake(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}

/** The turn of one call, from its verification to its end. */
export class Turn {
  readonly #onLeave: () => void
  readonly #onEnd: () => void
  #isInside = true
  #hasEnded = false

  constructor(onLeave: () => void, onEnd: () => void) {
    this.#onLeave = onLeave
    this.#onEnd = onEnd
  }

  /** The payment is claimed, or will not be now: the next one may be verified. */
  leave(): void {
    if (!this.#isInside) return
    this.#isInside = false
    this.#onLeave()
  }

  /** Passes an outcome of the door on, and follows an admitted call to its end. */
  async follow<Other>(opening: Promise<DoorOutcome | Other>): Promise<DoorOutcome | Other> {
    let outcome: DoorOutcome | Other
    try {
      outcome = await opening
    } catch (error) {
      this.#end()
      throw error
    }
    if (isAdmitted(outcome)) return { kind: 'admitted', admission: this.#followed(outcome.admission) }
    this.#end()
    return outcome
  }

  #followed(admission: Admission): Admission {
    const end = () => this.#end()
    return {
      owed: admission.owed,
      payment: admission.payment,
      async settle(reply: Reply) {
        let sent: Reply | undefined
        try {
          sent = await admission.settle(reply)
          return sent
        } finally {
          // The payment of a stream stays open until it is delivered.
          if (sent?.delivered) void sent.delivered.finally(end)
          else end()
        }
      },
      async release(failure?: RunFailure) {
        try {
          return await admission.release(failure)
        } finally {
          end()
        }
      },
    }
  }

  #end(): void {
    this.leave()
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onEnd()
  }
}

function isAdmitted(outcome: unknown): outcome is DoorOutcome & { kind: 'admitted' } {
  return typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'admitted'
}
