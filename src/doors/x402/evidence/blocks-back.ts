import type { PublicClient } from 'viem'

/** Public RPC endpoints refuse to search more blocks at once; on Base these are five and a half hours. */
export const blocksAtOnce = 9_900n
/** A week of Base: a gateway that was down for longer is a matter for its operator. */
const maxSearches = 31

/**
 * The ranges in which to look for what became of an authorization: from `head` back to where it became
 * valid, or for a week, whichever is nearer.
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
