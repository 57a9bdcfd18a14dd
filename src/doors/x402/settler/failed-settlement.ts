import type { Address, PublicClient, TransactionReceipt } from 'viem'
import { findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import type { Settlement } from '../wire/facilitator.ts'
import type { Taking } from './settlement-call.ts'

/**
 * What became of a payment that no transaction of ours has moved: somebody else's transaction may have, or
 * the chain refuses it. Never rejects.
 * @param receipt of our transaction, when one was mined.
 */
export async function explain(
  client: PublicClient,
  asset: Address,
  { authorization, amount }: Taking,
  receipt: TransactionReceipt | undefined,
): Promise<Settlement> {
  const tried = receipt ? { transaction: receipt.transactionHash } : {}
  try {
    const evidence = await findAuthorizationState(client, asset, authorization)
    if (evidence.kind !== 'unused') return outcomeOf(evidence, amount)
    if (receipt && evidence.block < receipt.blockNumber) {
      const cause = new Error('the node that answered has not seen the block yet')
      return { outcome: 'unknown', ...tried, cause }
    }
    if (receipt && !(await isCanonical(client, receipt))) {
      // What failed on a fork that was dropped has not been tried on this one.
      return {
        outcome: 'unknown',
        ...tried,
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
    return { outcome: 'unknown', ...tried, cause }
  }
}

async function isCanonical(
  client: PublicClient,
  { blockNumber, blockHash }: TransactionReceipt,
): Promise<boolean> {
  const block = await client.getBlock({ blockNumber, includeTransactions: false })
  return block.hash === blockHash
}
