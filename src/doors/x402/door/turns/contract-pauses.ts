import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../core/clock.ts'

/** After a wallet contract has refused a payment, the next one is tried so much later, then four times as late. */
const firstPauseMs = 1_000
const longestPauseMs = 16_000
const rememberedMs = 60_000
const maxContracts = 10_000

/**
 * When the next payment of a wallet contract is tried. A contract refuses as many payments as its owner sends, and
 * each trial costs calls to the node, so they are tried less and less often.
 */
export class ContractPauses {
  readonly #clock: Clock
  /** Contracts that refused a payment lately; `until` in milliseconds of the clock. */
  readonly #refusing = new LRUCache<string, { readonly times: number; readonly until: number }>({
    max: maxContracts,
    ttl: rememberedMs,
  })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A contract has refused a payment. */
  note(key: string): void {
    const times = this.#refusing.get(key)?.times ?? 0
    const pauseMs = Math.min(firstPauseMs * 4 ** Math.min(times, 5), longestPauseMs)
    this.#refusing.set(key, { times: times + 1, until: this.#clock.now() + pauseMs })
  }

  /** Whether a contract has refused a payment lately, so that its pause may have ended. */
  has(key: string): boolean {
    return this.#refusing.has(key)
  }

  /** Whether its next payment has to wait. */
  isPaused(key: string): boolean {
    return (this.#refusing.get(key)?.until ?? 0) > this.#clock.now()
  }
}
