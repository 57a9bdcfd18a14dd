import {
  type Address,
  BaseError,
  concat,
  ExecutionRevertedError,
  type Hex,
  numberToHex,
  type PublicClient,
} from 'viem'
import { lacksGas } from '../evidence/lacks-gas.ts'
import type { GasPrice } from './gas-price.ts'
import type { ContractCall } from './sender.ts'
import { type SettlementRequest, settlementCall } from './settlement-call.ts'

type Block = 'latest' | 'pending'

/** A payment that needs more gas than this counts as one that fails. */
const maxMeasured = 1_500_000n

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
 * Simulates a transfer before a payment is accepted and before a transaction is sent for it alone. A wallet
 * contract sees sender, gas price and gas limit, and could agree to the simulation and refuse the transaction,
 * so all three are the same in both.
 */
export class Simulator {
  readonly #options: SimulatorOptions

  constructor(options: SimulatorOptions) {
    this.#options = options
  }

  /**
   * Whether the transfer would succeed in a transaction alone. Rejects when the node does not answer.
   * @param block `pending` counts transactions that wait to be mined as mined.
   * @param gas limit of that transaction.
   */
  async succeeds(request: SettlementRequest, block: Block, gas: bigint): Promise<boolean> {
    const { client, gasPrice, sender, takeOut } = this.#options
    const { facilitator } = request.authorization
    for (;;) {
      const account = facilitator ?? sender()
      try {
        const fees = await gasPrice.offer()
        await client.call({ account, ...this.#call(request), ...fees, gas, blockTag: block })
        return true
      } catch (error) {
        if (isRevert(error)) return false
        // The account ran dry after its last check. That says nothing about the payment.
        if (facilitator || !lacksGas(error) || !takeOut(account)) throw error
      }
    }
  }

  /**
   * The smallest gas limit with which the transfer succeeds in a transaction alone: also what a wallet
   * contract calls gets only 63 of 64 parts of it. It says nothing about a contract that looks at the gas
   * price: a node that knows the price would stop at what the account can pay. Rejects when the node does not
   * answer.
   * @returns undefined when the transfer would fail.
   */
  async measure(request: SettlementRequest, block: Block): Promise<bigint | undefined> {
    const { client, sender } = this.#options
    const from = request.authorization.facilitator ?? sender()
    try {
      // viem's own function leaves the limit out, and a contract could keep the node busy.
      const call = { from, ...this.#call(request), gas: numberToHex(maxMeasured) }
      return BigInt(await client.request({ method: 'eth_estimateGas', params: [call, block] }))
    } catch (error) {
      if (isRevert(error)) return undefined
      throw error
    }
  }

  #call(request: SettlementRequest): ContractCall {
    const { asset, dataSuffix } = this.#options
    const { to, data } = settlementCall(request, asset)
    return { to, data: concat([data, dataSuffix]) }
  }
}

/** Whether the call ran and failed. A node that cannot run it reports an error of the call as well. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const reverted = (cause: unknown) =>
    cause instanceof ExecutionRevertedError ||
    (cause instanceof BaseError && /revert|out ?of ?gas|gas required exceeds/i.test(cause.details ?? ''))
  return error.walk(reverted) !== null
}
