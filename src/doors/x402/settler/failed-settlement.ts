import type { Address, PublicClient, TransactionReceipt } from 'viem'
import { findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import type { Settlement } from '../wire/facilitator.ts'
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
    return {
      outcome: 'failed',
      refusal: {
        reason: 'invalid_transaction_state',
        message: authorization.facilitator
          ? 'the chain refused the transfer: the balance or the allowance may have moved'
          : 'the chain refused the transfer: the balance may have moved',
      },
    }
  } catch (cause) {
    return { outcome: 'unknown', ...named, cause }
  }
}

async function isCanonical(
  client: PublicClient,
  { blockNumber, blockHash }: TransactionReceipt,
): Promise<boolean> {
  const block = await client.getBlock({ blockNumber, includeTransactions: false })
  return block.hash === blockHash
}
