import { type Address, BaseError, concat, ExecutionRevertedError, type Hex, type PublicClient } from 'viem'
import type { GasPrice } from './gas-price.ts'
import { transferCall } from './token.ts'
import type { Authorization } from './types.ts'

/**
 * Tries a transfer on the node before it is accepted, and before one is sent that shares its transaction
 * with nobody. A wallet contract can tell a trial from the real thing by who sends it, at what price and
 * with how much gas, and agree to the one and not to the other; so all of these are the same in both.
 */
export interface Trial {
  /**
   * Whether the transfer would go through by itself. Rejects when the node does not tell.
   * @param block `pending` counts what waits to be mined as done.
   */
  succeeds(authorization: Authorization, signature: Hex, block: 'latest' | 'pending'): Promise<boolean>
}

interface TrialOptions {
  readonly client: PublicClient
  readonly asset: Address
  readonly gasPrice: GasPrice
  readonly dataSuffix: Hex
  /** The account that would send it. */
  readonly sender: () => Address
}

/** What a transaction with one transfer may use, so what a wallet's check can cost us: at Base's usual prices less than a cent. */
export const gasAlone = 500_000n

export function createTrial({ client, asset, gasPrice, dataSuffix, sender }: TrialOptions): Trial {
  return {
    async succeeds(authorization, signature, block) {
      try {
        await client.call({
          account: sender(),
          to: asset,
          data: concat([transferCall(authorization, signature), dataSuffix]),
          gas: gasAlone,
          ...(await gasPrice.offer()),
          blockTag: block,
        })
        return true
      } catch (error) {
        if (isRevert(error)) return false
        throw error
      }
    },
  }
}

/** Whether the call was run and failed, and not the node, which reports both as an error of the call. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const reverted = (cause: unknown) =>
    cause instanceof ExecutionRevertedError ||
    (cause instanceof BaseError && /revert|out ?of ?gas/i.test(cause.details ?? ''))
  return error.walk(reverted) !== null
}
