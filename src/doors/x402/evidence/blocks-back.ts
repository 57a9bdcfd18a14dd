import type { PublicClient } from 'viem'
import type { Search } from './nonces.ts'

/**
 * Public RPC endpoints refuse to search more blocks at once. On Base this many take five and a half hours.
 */
export const blocksAtOnce = 9_900n
/** A week of Base. When a gateway was down for longer, its operator has to look. */
const maxSearches = 31

/**
 * Yields the ranges of blocks in which an authorization may have been used: from `head` back to the time
 * `since`, or for a week, whichever is nearer.
 */
export async function* blocksBack(
  client: PublicClient,
  { head, since, blocksAtOnce: searchedBlocks }: Search,
): AsyncGenerator<{ readonly fromBlock: bigint; readonly toBlock: bigint }> {
  let toBlock = head
  for (let searches = 1; ; searches += 1) {
    const fromBlock = toBlock > searchedBlocks ? toBlock - searchedBlocks : 0n
    yield { fromBlock, toBlock }
    if (fromBlock === 0n || searches === maxSearches) return
    const { timestamp } = await client.getBlock({ blockNumber: fromBlock })
    if (timestamp < since) return
    toBlock = fromBlock - 1n
  }
}
