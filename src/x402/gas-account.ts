import {
  type Account,
  type Address,
  type Hex,
  keccak256,
  type PublicClient,
  RpcError,
  RpcRequestError,
} from 'viem'
import type { Network } from '../chain/networks.ts'

/**
 * The account that pays the gas of settlements. Nonces are counted here, because two transactions that
 * ask the node at once get the same one; the caller sends one after the other.
 */
export interface GasAccount {
  readonly address: Address
  /**
   * What a call would take, tried as it would be mined: at a price, for a contract can tell a trial
   * without one from the real thing.
   * @throws EstimateGasExecutionError when it would fail with `most`.
   */
  estimateGas(call: ContractCall, most: bigint): Promise<bigint>
  /**
   * Signs and sends a transaction, once the one before it is sent.
   * @throws SendError; the transaction may be on its way all the same.
   */
  send(call: ContractCall, gas: bigint): Promise<Hex>
  /** What `gas` may cost at most, in wei: so much has to be in the account for a transaction to be taken. */
  cost(gas: bigint): Promise<bigint>
  /** Asks the node for the next nonce anew: a transaction it dropped would hold up all that follow. */
  forgetNonce(): void
}

export interface ContractCall {
  readonly to: Address
  readonly data: Hex
}

export class SendError extends Error {
  override readonly name = 'SendError'
  /** Unset when nothing was signed. */
  readonly hash: Hex | undefined

  constructor(hash: Hex | undefined, options: { cause: unknown }) {
    super('a settlement could not be sent', options)
    this.hash = hash
  }
}

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const feesKeptMs = 3_000
const mostTries = 4

export function createGasAccount(client: PublicClient, network: Network, account: Account): GasAccount {
  let nextNonce: number | undefined
  let known: { readonly at: number; readonly fees: Fees } | undefined

  const send: GasAccount['send'] = async (call, gas) => {
    for (let tries = 1; ; tries++) {
      let hash: Hex | undefined
      try {
        const nonce = nextNonce ?? (await askNonce())
        const signed = await sign(call, gas, nonce)
        hash = keccak256(signed)
        await client.sendRawTransaction({ serializedTransaction: signed })
        nextNonce = nonce + 1
        return hash
      } catch (cause) {
        nextNonce = undefined
        // Another gateway may send from this account as well, and have used the nonce counted here.
        if (tries < mostTries && isRefusal(cause)) continue
        throw new SendError(hash, { cause })
      }
    }
  }

  function askNonce(): Promise<number> {
    return client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  }

  async function sign(call: ContractCall, gas: bigint, nonce: number): Promise<Hex> {
    if (!account.signTransaction) throw new Error('the settlement account cannot sign transactions')
    return account.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      nonce,
      gas,
      ...(await currentFees()),
      ...call,
    })
  }

  async function currentFees(): Promise<Fees> {
    const now = performance.now()
    if (!known || now - known.at > feesKeptMs) {
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
      // Twice the estimate survives six full blocks in a row; what is not needed is not paid.
      known = { at: now, fees: { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas } }
    }
    return known.fees
  }

  return {
    address: account.address,
    estimateGas: async (call, most) =>
      client.estimateGas({ account: account.address, gas: most, ...(await currentFees()), ...call }),
    send,
    cost: async (gas) => gas * (await currentFees()).maxFeePerGas,
    forgetNonce: () => {
      nextNonce = undefined
    },
  }
}

/** Whether the node has answered, and said no. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcError || error instanceof RpcRequestError
}
