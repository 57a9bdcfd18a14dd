import { LRUCache } from 'lru-cache'
import type { Claim } from '../../../ledger/claim.ts'

/**
 * Remembers for a second for how many more calls of a payer the books had room, so that they are not asked again
 * for each of them. Nothing is claimed by it: if the room is gone meanwhile, the claim says so, and the payment was
 * verified in vain.
 */
export class RoomsLeft {
  readonly #calls = new LRUCache<string, number>({ max: maxPayers, ttl: keptMs })

  /** @param calls how many more payments like this one could be claimed. */
  note(wanted: Wanted, calls: number): void {
    this.#calls.set(keyOf(wanted), calls)
  }

  /** Takes the room of one call; false when none is known. */
  take(wanted: Wanted): boolean {
    const key = keyOf(wanted)
    const calls = this.#calls.get(key) ?? 0
    if (calls < 1) return false
    // Without a new time, so that the books are asked at least once a second.
    this.#calls.set(key, calls - 1, { noUpdateTTL: true })
    return true
  }
}

type Wanted = Pick<Claim, 'payer' | 'scheme' | 'amount' | 'operation'>

const maxPayers = 10_000
const keptMs = 1_000

/** Room for one amount is not room for another, and a metered call needs credit besides. */
function keyOf({ payer, scheme, amount, operation }: Wanted): string {
  return `${payer} ${scheme} ${amount} ${operation}`
}
