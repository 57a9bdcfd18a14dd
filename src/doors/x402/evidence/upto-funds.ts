import { type Address, type ContractFunctionParameters, type Hex, type PublicClient, parseAbi } from 'viem'
import { permit2Abi, permit2Address } from '../../../platform/chain/permit2.ts'
import type { Permit } from '../wire/types.ts'
import { blockNumberCall } from './funds.ts'
import { placeOf } from './permit2-nonces.ts'

/** A payment of scheme `upto` that was verified and is not settled. */
export interface OpenUpto {
  readonly payer: Address
  readonly nonce: Hex
  /** Undefined when the payer had approved Permit2 before. */
  readonly permit: Permit | undefined
}

/** What the chain shows of the payer of such a payment, and of its nonce. */
export interface UptoFunds {
  readonly balance: bigint
  /** What Permit2 may move now, or after the permit that came with the payment. */
  readonly movable: bigint
  /** The nonce was used, or the payer canceled it. */
  readonly isUsed: boolean
}

const ownerAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
])

/**
 * Reads what the payers of many payments could pay, in one call to the node.
 * @returns the block, and the funds of each payment in its order.
 */
export async function readUptoFunds(
  client: PublicClient,
  asset: Address,
  payments: readonly OpenUpto[],
): Promise<{ readonly block: bigint; readonly funds: readonly UptoFunds[] }> {
  const payers = [...new Set(payments.map(({ payer }) => payer))]
  const contracts: ContractFunctionParameters[] = [
    blockNumberCall,
    ...payers.flatMap((payer) => [
      { address: asset, abi: ownerAbi, functionName: 'balanceOf', args: [payer] },
      { address: asset, abi: ownerAbi, functionName: 'allowance', args: [payer, permit2Address] },
      { address: asset, abi: ownerAbi, functionName: 'nonces', args: [payer] },
    ]),
    ...payments.map(({ payer, nonce }) => ({
      address: permit2Address,
      abi: permit2Abi,
      functionName: 'nonceBitmap',
      args: [payer, placeOf(nonce).word],
    })),
  ]
  const results = await client.multicall({ contracts, allowFailure: false, batchSize: 0 })
  const numberAt = (place: number): bigint => {
    const result = results[place]
    if (typeof result !== 'bigint') throw new TypeError('the node answered a multicall with too few numbers')
    return result
  }
  const firstNonce = 1 + 3 * payers.length
  return {
    block: numberAt(0),
    funds: payments.map(({ payer, nonce, permit }, index) => {
      const at = 1 + 3 * payers.indexOf(payer)
      const [balance, allowance, permits] = [numberAt(at), numberAt(at + 1), numberAt(at + 2)]
      // A permit is good once, and for its own amount.
      const permitted = permit && permit.nonce === permits ? permit.value : 0n
      return {
        balance,
        movable: permitted > allowance ? permitted : allowance,
        isUsed: (numberAt(firstNonce + index) & placeOf(nonce).bit) !== 0n,
      }
    }),
  }
}
