import { createHash } from 'node:crypto'

/**
 * Random choices that can be repeated: the same name gives the same choices in the same order. Each payment and each
 * connection to the node has its own source, so that their order does not change what each of them meets. The timing
 * of the processes still differs from run to run.
 */
export interface Random {
  /** Returns a whole number from 0 to `limit - 1`. */
  below(limit: number): number
  /** Returns true in `share` of all cases; a share is from 0 to 1. */
  chance(share: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

export function createRandom(name: string): Random {
  let draws = 0
  const next = () => {
    draws += 1
    return createHash('sha256').update(`${name} ${draws}`).digest().readUInt32BE(0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
