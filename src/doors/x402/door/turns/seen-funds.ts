import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../core/clock.ts'
import type { Funds } from '../../wire/facilitator.ts'
import type { Payment } from '../../wire/types.ts'

/** What a payer was seen to hold, and when, in milliseconds of the clock. */
export interface SeenFunds extends Funds {
  readonly seenAt: number
}

/**
 * Remembers what each payer was last seen to hold, so that the books can refuse its other payments without
 * another look at the chain. Nothing is claimed by it: a claim has a balance that was read for it.
 */
export class FundsSeen {
  readonly #clock: Clock
  readonly #funds = new LRUCache<string, SeenFunds>({ max: maxPayers })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(payment: Payment, funds: Funds): void {
    // A permit gives its own payment funds that no other has.
    if (payment.permit) return
    const key = keyOf(payment)
    const known = this.#funds.get(key)
    // One of several nodes may be behind the others.
    if (known && known.block > funds.block) return
    this.#funds.set(key, { ...funds, seenAt: this.#clock.now() })
  }

  /** Undefined when nothing was seen, or too long ago for a call that still waits. */
  of(payment: Payment): SeenFunds | undefined {
    if (payment.permit) return undefined
    const funds = this.#funds.get(keyOf(payment))
    return funds && this.#clock.now() - funds.seenAt <= keptMs ? funds : undefined
  }
}

const maxPayers = 10_000
const keptMs = 20_000

/** What Permit2 may move differs from what the wallet holds. */
function keyOf({ authorization: { from, facilitator } }: Payment): string {
  return `${facilitator === undefined ? 'token' : 'permit2'} ${from.toLowerCase()}`
}
