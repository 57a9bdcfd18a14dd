import { createHash } from 'node:crypto'

/**
 * Chance that can be had again: the same name gives the same choices in the same order. Each payment and
 * each line to the node draws from a source of its own, so that which of them comes first changes nothing
 * about what each of them meets. What the processes make of it is theirs, and differs from run to run.
 */
export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number
  /** True in `share` of all cases, from 0 to 1. */
  chance(share: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

export function createRandom(name: string): Random {
  let drawn = 0
  const next = () => {
    drawn += 1
    return createHash('sha256').update(`${name} ${drawn}`).digest().readUInt32BE(0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
