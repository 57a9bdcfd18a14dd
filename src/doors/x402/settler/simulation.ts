import { type Address, BaseError, concat, ExecutionRevertedError, type Hex, type PublicClient } from 'viem'
import { lacksGas } from '../evidence/lacks-gas.ts'
import type { GasPrice } from './gas-price.ts'
import { type SettlementRequest, settlementCall } from './settlement-call.ts'

interface SimulatorOptions {
  readonly client: PublicClient
  readonly asset: Address
  readonly gasPrice: GasPrice
  readonly dataSuffix: Hex
  /** The account that would send the transfer, where the payer has not signed one. */
  readonly sender: () => Address
  /** Called when that account cannot pay for the transfer. Returns whether another one can be tried. */
  readonly takeOut: (account: Address) => boolean
}

/**
 * Gas limit of a transaction with one transfer. It bounds what the signature check of a wallet contract can
 * cost us: less than a cent at Base's usual prices.
 */
export const gasAlone = 500_000n

/**
 * Simulates a transfer with `eth_call`, before a payment is accepted and before a transaction is sent for it
 * alone. A wallet contract sees sender, gas price and gas limit, and could agree to the simulation and refuse
 * the transaction, so all three are the same in both.
 */
export class Simulator {
  readonly #options: SimulatorOptions

  constructor(options: SimulatorOptions) {
    this.#options = options
  }

  /**
   * Whether the transfer would succeed in a transaction alone. Rejects when the node does not answer.
   * @param block `pending` counts transactions that wait to be mined as mined.
   */
  async succeeds(request: SettlementRequest, block: 'latest' | 'pending'): Promise<boolean> {
    const { sender, takeOut } = this.#options
    const { facilitator } = request.authorization
    if (facilitator) return this.#succeedsFrom(facilitator, request, block)
    for (;;) {
      const account = sender()
      try {
        return await this.#succeedsFrom(account, request, block)
      } catch (error) {
        // The account ran dry after its last check. That says nothing about the payment.
        if (!lacksGas(error) || !takeOut(account)) throw error
      }
    }
  }

  async #succeedsFrom(
    account: Address,
    request: SettlementRequest,
    block: 'latest' | 'pending',
  ): Promise<boolean> {
    const { client, asset, gasPrice, dataSuffix } = this.#options
    const { to, data } = settlementCall(request, asset)
    try {
      await client.call({
        account,
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
  }
}

/** Whether the call ran and failed. A node that cannot run it reports an error of the call as well. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const reverted = (cause: unknown) =>
    cause instanceof ExecutionRevertedError ||
    (cause instanceof BaseError && /revert|out ?of ?gas/i.test(cause.details ?? ''))
  return error.walk(reverted) !== null
}
