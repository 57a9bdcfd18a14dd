import type { Address, PublicClient, TransactionReceipt } from 'viem'
import type { Authorization } from '../wire/types.ts'

/**
 * The used nonces of one contract. The token counts EIP-3009 authorizations and Permit2 those that were
 * signed for it. A payment must never be looked up at the other contract, where its nonce stays unused
 * forever.
 */
export interface Nonces {
  /** Whether the nonce was used by the end of `block`. */
  isUsed(client: PublicClient, asset: Address, authorization: Authorization, block: bigint): Promise<boolean>
  /**
   * Finds what used the nonce. A node that shows nothing proves nothing, because a canceled authorization
   * leaves an event as well.
   * @returns undefined when nothing was found.
   */
  findSpending(
    client: PublicClient,
    asset: Address,
    authorization: Authorization,
    search: Search,
  ): Promise<Spending | undefined>
}

/** Which blocks are searched, from the newest back. */
export interface Search {
  readonly head: bigint
  /** Unix seconds. The nonce was not used before. */
  readonly since: bigint
  /** How many blocks are searched for events at once. */
  readonly blocksAtOnce: bigint
}

export type Spending =
  /** The transaction moved this amount to the signed payee, in atomic units. */
  | { readonly kind: 'transferred'; readonly receipt: TransactionReceipt; readonly amount: bigint }
  /** The payer canceled it, or used it for another transfer. */
  | { readonly kind: 'canceled' }
