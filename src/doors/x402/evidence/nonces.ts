import type { Address, PublicClient, TransactionReceipt } from 'viem'
import type { Authorization } from '../wire/types.ts'

/**
 * Where the chain keeps count of the authorizations that were used: the token of its own, Permit2 of those
 * that were signed for it. A payment must never be looked up in the other one's count, where it is unused
 * for ever.
 */
export interface Nonces {
  /** As of the end of `block`. */
  isUsed(client: PublicClient, asset: Address, authorization: Authorization, block: bigint): Promise<boolean>
  /**
   * What has used it up, searched from the block `head` back. That a node shows nothing is no evidence of
   * anything: what is cancelled leaves its trace as well.
   * @param searchedBlocks how many blocks are searched for events at once.
   * @returns undefined when nothing was found.
   */
  findSpending(
    client: PublicClient,
    asset: Address,
    authorization: Authorization,
    head: bigint,
    searchedBlocks: bigint,
  ): Promise<Spending | undefined>
}

export type Spending =
  /** So much money went where it was signed to go, in atomic units. */
  | { readonly receipt: TransactionReceipt; readonly amount: bigint }
  /** The payer cancelled it, or used it towards somebody else. */
  | 'cancelled'
