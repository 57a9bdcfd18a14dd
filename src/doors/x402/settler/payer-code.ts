import type { Address, PublicClient } from 'viem'

/**
 * Which payers are wallet contracts. A plain wallet's payment is checked and settled for next to nothing
 * beside others; a contract decides itself what its check costs, and whoever shares a transaction with it
 * can be starved. Asked of the chain for each payment twice, the answer would be a third of all calls.
 *
 * An answer is kept for a minute, so it may be a minute old: by EIP-7702 a plain wallet can have taken on
 * code since, and burn the gas of the batch it then goes into. Asking again would not shut that out, as
 * seconds pass between any answer and the block. It is bounded instead: a batch has less than three times
 * the gas its transfers need, nobody's money moves wrongly by it, those who were starved are settled by
 * themselves, and of everybody who failed in a batch the answer is forgotten at once. To move the money
 * away before the settlement costs us a third as much for each payment, and anybody can do that.
 */
export interface Payers {
  /** Rejects when the chain does not answer. */
  hasCode(address: Address): Promise<boolean>
  /** The answer may be wrong: asks anew the next time. */
  forget(address: Address): void
}

const keptMs = 60_000

/** @param maxKept how many answers are kept; the oldest goes first. */
export function createPayers(client: PublicClient, maxKept = 10_000): Payers {
  const known = new Map<string, { readonly at: number; readonly hasCode: Promise<boolean> }>()

  return {
    hasCode(address) {
      const key = address.toLowerCase()
      const found = known.get(key)
      // Never renewed by a question: who asks often must not be able to keep an answer alive.
      if (found && performance.now() - found.at < keptMs) return found.hasCode
      const asked = { at: performance.now(), hasCode: isContract(client, address) }
      known.delete(key)
      known.set(key, asked)
      const [oldest] = known.keys()
      if (known.size > maxKept && oldest) known.delete(oldest)
      asked.hasCode.catch(() => {
        if (known.get(key) === asked) known.delete(key)
      })
      return asked.hasCode
    },
    forget: (address) => void known.delete(address.toLowerCase()),
  }
}

async function isContract(client: PublicClient, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined
}
