import { type Address, BaseError, concat, ExecutionRevertedError, type Hex, type PublicClient } from 'viem'
import type { GasPrice } from './gas-price.ts'
import { settlementCall, type Taking } from './settlement-call.ts'

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
  succeeds(taking: Taking, block: 'latest' | 'pending'): Promise<boolean>
}

interface TrialOptions {
  readonly client: PublicClient
  readonly asset: Address
  readonly gasPrice: GasPrice
  readonly dataSuffix: Hex
  /** The account that would send it, where the payer has not named one. */
  readonly sender: () => Address
}

/** What a transaction with one transfer may use, so what a wallet's check can cost us: at Base's usual prices less than a cent. */
export const gasAlone = 500_000n

export function createTrial({ client, asset, gasPrice, dataSuffix, sender }: TrialOptions): Trial {
  return {
    async succeeds(taking, block) {
      const { to, data } = settlementCall(taking, asset)
      try {
        await client.call({
          account: taking.authorization.facilitator ?? sender(),
          to,
          data: concat([data, dataSuffix]),
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
