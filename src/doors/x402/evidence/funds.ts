import { type Address, type PublicClient, parseAbi } from 'viem'
import { multicall3Address } from '../../../platform/chain/networks.ts'
import type { Funds } from '../wire/facilitator.ts'
import { tokenAbi } from './token.ts'

/** Asked in the same call as a balance, it says which block the balance is of. */
export const blockNumberCall = {
  address: multicall3Address,
  abi: parseAbi(['function getBlockNumber() view returns (uint256)']),
  functionName: 'getBlockNumber',
} as const

/**
 * What a payer holds and as of which block, in one call to the node. Without the block nobody could
 * tell whether a payment that was just settled is still in that balance or already gone from it.
 */
export async function readFunds(client: PublicClient, asset: Address, payer: Address): Promise<Funds> {
  const [block, balance] = await client.multicall({
    contracts: [blockNumberCall, { address: asset, abi: tokenAbi, functionName: 'balanceOf', args: [payer] }],
    allowFailure: false,
    batchSize: 0,
  })
  return { balance, block }
}
