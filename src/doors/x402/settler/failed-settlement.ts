import type { Address, ContractFunctionParameters, PublicClient, TransactionReceipt } from 'viem'
import { findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import { blockNumberCall } from '../evidence/funds.ts'
import { tokenAbi } from '../evidence/token.ts'
import type { Settlement } from '../wire/facilitator.ts'
import type { Authorization, Refusal } from '../wire/types.ts'
import type { SettlementRequest } from './settlement-call.ts'

/**
 * Finds the outcome of a payment whose transfer failed in our transaction, or would fail: a transaction that
 * is not ours may have moved the money, the payer may have canceled, or the chain refuses the transfer. Never
 * rejects.
 * @param receipt of our transaction, when one was mined.
 */
export async function diagnoseFailure(
  client: PublicClient,
  asset: Address,
  { authorization, amount }: SettlementRequest,
  receipt: TransactionReceipt | undefined,
): Promise<Settlement> {
  const named = receipt ? { transaction: receipt.transactionHash } : {}
  try {
    const state = await findAuthorizationState(client, asset, authorization)
    if (state.kind !== 'unused') return outcomeOf(state, amount)
    if (receipt && state.block < receipt.blockNumber) {
      const cause = new Error('the node that answered does not have the block yet')
      return { outcome: 'unknown', ...named, cause }
    }
    if (receipt && !(await isCanonical(client, receipt))) {
      // The transfer failed in a block that the chain dropped, and was not tried in the present one.
      return {
        outcome: 'unknown',
        ...named,
        cause: new Error('the chain has dropped the block it failed in'),
      }
    }
    return { outcome: 'failed', refusal: refusedTransfer(authorization) }
  } catch (cause) {
    return { outcome: 'unknown', ...named, cause }
  }
}

/**
 * Finds the payments of a shared transaction that failed because their payers have too little left. One call to
 * the node shows that for all of them; without it each would be tried out alone, and an attacker who empties its
 * wallets decides how many. Rejects when the node does not answer.
 * @param failed payments by the token's own authorizations that moved nothing in our transaction.
 * @returns none while the node that answers does not have the block of the transaction.
 */
export async function findEmptied<Request extends SettlementRequest>(
  client: PublicClient,
  asset: Address,
  failed: readonly Request[],
  receipt: TransactionReceipt,
): Promise<ReadonlySet<Request>> {
  const contracts: ContractFunctionParameters[] = [
    blockNumberCall,
    ...failed.flatMap(({ authorization: { from, nonce } }) => [
      { address: asset, abi: tokenAbi, functionName: 'balanceOf', args: [from] },
      { address: asset, abi: tokenAbi, functionName: 'authorizationState', args: [from, nonce] },
    ]),
  ]
  const [block, ...shown] = await client.multicall({ contracts, allowFailure: false, batchSize: 0 })
  const isKnown = typeof block === 'bigint' && block >= receipt.blockNumber
  if (!isKnown || !(await isCanonical(client, receipt))) return new Set()
  return new Set(
    failed.filter(({ amount }, index) => {
      const [balance, isUsed] = [shown[2 * index], shown[2 * index + 1]]
      // A used nonce has another outcome, which is looked for alone.
      return typeof balance === 'bigint' && balance < amount && isUsed === false
    }),
  )
}

export function refusedTransfer({ facilitator }: Pick<Authorization, 'facilitator'>): Refusal {
  const moved = facilitator ? 'the balance or the allowance' : 'the balance'
  return {
    reason: 'invalid_transaction_state',
    message: `the chain refused the transfer: ${moved} may have moved`,
  }
}

/** Whether the chain still has the block of this receipt. */
async function isCanonical(
  client: PublicClient,
  { blockNumber, blockHash }: TransactionReceipt,
): Promise<boolean> {
  const block = await client.getBlock({ blockNumber, includeTransactions: false })
  return block.hash === blockHash
}
