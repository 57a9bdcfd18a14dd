import type { PublicClient } from 'viem'

/**
 * Public RPC endpoints refuse to search more blocks at once. On Base this many take five and a half hours.
 */
export const blocksAtOnce = 9_900n
/** A week of Base. When a gateway was down for longer, its operator has to look. */
const maxSearches = 31

/**
 * Yields the ranges of blocks in which an authorization may have been used: from `head` back to the block
 * where it became valid, or for a week, whichever is nearer.
 * @param validAfter Unix seconds.
 * @param searchedBlocks how many blocks a range has.
 */
export async function* blocksBack(
  client: PublicClient,
  head: bigint,
  validAfter: bigint,
  searchedBlocks: bigint,
): AsyncGenerator<{ readonly fromBlock: bigint; readonly toBlock: bigint }> {
  let toBlock = head
  for (let searches = 1; ; searches += 1) {
    const fromBlock = toBlock > searchedBlocks ? toBlock - searchedBlocks : 0n
    yield { fromBlock, toBlock }
    if (fromBlock === 0n || searches === maxSearches) return
    const { timestamp } = await client.getBlock({ blockNumber: fromBlock })
    if (timestamp < validAfter) return
    toBlock = fromBlock - 1n
  }
}
