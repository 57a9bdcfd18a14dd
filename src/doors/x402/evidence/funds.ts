import { type Address, type PublicClient, parseAbi } from 'viem'
import { multicall3Address } from '../../../platform/chain/networks.ts'
import type { Funds } from '../wire/facilitator.ts'
import { tokenAbi } from './token.ts'

/** Asked in the same call as a balance, it names the block that the balance is of. */
export const blockNumberCall = {
  address: multicall3Address,
  abi: parseAbi(['function getBlockNumber() view returns (uint256)']),
  functionName: 'getBlockNumber',
} as const

/**
 * Reads a payer's balance and the block it is of, in one call to the node. Without the block, a payment that
 * was just settled could be counted twice: as taken, and as still in the balance.
 */
export async function readFunds(client: PublicClient, asset: Address, payer: Address): Promise<Funds> {
  const [block, balance] = await client.multicall({
    contracts: [blockNumberCall, { address: asset, abi: tokenAbi, functionName: 'balanceOf', args: [payer] }],
    allowFailure: false,
    batchSize: 0,
  })
  return { balance, block }
}
