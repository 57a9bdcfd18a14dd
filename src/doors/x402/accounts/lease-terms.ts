import type { Log } from '../../../core/log.ts'

interface Term {
  readonly number: number
  /** By `performance.now()`, and by the clock of the machine. */
  readonly until: Moment
}

/** A moment on two clocks: one never goes back, the other one goes on while a machine is suspended. */
interface Moment {
  readonly steady: number
  readonly wall: number
}

/**
 * For how long this process may send from its accounts. The lease in the store lasts longer than a term here,
 * and a term counts from before the store was asked: so this process stops before another one may begin, even
 * if the store's reply was late, or the process was stopped for a while and wakes up. Only spans of time are
 * compared, so the clocks of the gateways and of the store need not agree.
 */
export class LeaseTerms {
  readonly #sendMs: number
  readonly #log: Log
  readonly #terms = new Map<string, Term>()
  #count = 0

  /** @param sendMs how long a term lasts after a renewal; well below the lease. */
  constructor(sendMs: number, log: Log) {
    this.#sendMs = sendMs
    this.#log = log
  }

  /**
   * The number of the present term of an account; undefined while this process may not send from it. Another
   * number means that another process may have sent in between.
   * @param address in lower-case hex.
   */
  termOf(address: string): number | undefined {
    const term = this.#terms.get(address)
    return term && isBefore(now(), term.until) ? term.number : undefined
  }

  /** The accounts that this process may send from now. */
  held(): string[] {
    return [...this.#terms.keys()].filter((address) => this.termOf(address) !== undefined)
  }

  /** Begins a renewal; the returned function records which accounts the store has given us. */
  renew(): (addresses: readonly string[]) => void {
    const asked = now()
    const until = { steady: asked.steady + this.#sendMs, wall: asked.wall + this.#sendMs }
    return (addresses) => {
      for (const address of [...this.#terms.keys()]) {
        if (!addresses.includes(address)) this.end(address)
      }
      for (const address of addresses) {
        const going = this.termOf(address)
        if (going === undefined) {
          this.#count += 1
          this.#log.info({ account: address }, 'this gateway sends settlements from this account now')
        }
        this.#terms.set(address, { number: going ?? this.#count, until })
      }
    }
  }

  /** Stops sending from an account at once. */
  end(address: string): void {
    if (!this.#terms.delete(address)) return
    this.#log.info({ account: address }, 'another gateway sends settlements from this account now')
  }
}

function now(): Moment {
  return { steady: performance.now(), wall: Date.now() }
}

function isBefore(one: Moment, other: Moment): boolean {
  return one.steady < other.steady && one.wall < other.wall
}
