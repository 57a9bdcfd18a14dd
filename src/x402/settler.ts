import {
  type Account,
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  multicall3Abi,
  type PublicClient,
  RpcError,
  RpcRequestError,
  type TransactionReceipt,
} from 'viem'
import type { Network } from '../chain/networks.ts'
import { multicall3Address } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import { findEvidence, outcomeOf, provesTransfer } from './evidence.ts'
import type { Settlement } from './facilitator.ts'
import { rpcFailure } from './rpc-failure.ts'
import { transferCall } from './token.ts'
import type { Authorization } from './types.ts'

/**
 * Sends settlements from one gas account, in order. While one transaction is on its way to the node
 * the next payments gather, and go together in one Multicall3 call: a payment alone never waits, and
 * many at once share a transaction's cost. Nonces are counted here, because two transactions that ask
 * the node at once get the same one.
 */
export interface Settler {
  readonly address: Address
  /** Never rejects; what could not be learnt is `unknown`. */
  settle(authorization: Authorization, signature: Hex): Promise<Settlement>
  /** Waits for the settlements under way. */
  close(): Promise<void>
}

interface Waiting {
  readonly authorization: Authorization
  readonly signature: Hex
  readonly resolve: (settlement: Settlement) => void
}

interface SettlerOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly account: Account
  /** Longest wait for a receipt. */
  readonly timeoutMs: number
  readonly log: Log
}

/** A batch must fit a block with room to spare, and one receipt must stay quick to read. */
const maxBatch = 100
/** Measured at 66,000 alone and 39,000 in a batch for a plain wallet; a smart wallet's check takes more. */
const gasPerTransfer = 150_000n
const gasPerTransaction = 60_000n
const feesKeptMs = 3_000

export function createSettler({ client, network, account, timeoutMs, log }: SettlerOptions): Settler {
  const asset = network.usdc.address
  const waiting: Waiting[] = []
  const underWay = new Set<Promise<void>>()
  let sending = false
  let nextNonce: number | undefined
  let fees:
    | { readonly at: number; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
    | undefined

  async function pump(): Promise<void> {
    if (sending) return
    sending = true
    try {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, maxBatch)
        const hash = await send(batch)
        if (hash) track(finish(batch, hash))
      }
    } finally {
      sending = false
    }
  }

  /** @returns the hash, or undefined when the batch was answered because nothing could be sent. */
  async function send(batch: readonly Waiting[]): Promise<Hex | undefined> {
    for (;;) {
      const counted = nextNonce !== undefined
      let hash: Hex | undefined
      try {
        const nonce = nextNonce ?? (await askNonce())
        const transaction = await sign(batch, nonce)
        hash = keccak256(transaction)
        await client.sendRawTransaction({ serializedTransaction: transaction })
        nextNonce = nonce + 1
        return hash
      } catch (error) {
        nextNonce = undefined
        // Another gateway may send from this account as well, and have used the nonce counted here.
        if (counted && isRefusal(error)) continue
        // The node may have taken it all the same: the chain decides.
        const cause = rpcFailure(error)
        log.error({ err: cause, transaction: hash, payments: batch.length }, 'a settlement could not be sent')
        for (const { resolve } of batch)
          resolve({ outcome: 'unknown', ...(hash ? { transaction: hash } : {}), cause })
        return undefined
      }
    }
  }

  function askNonce(): Promise<number> {
    return client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  }

  async function sign(batch: readonly Waiting[], nonce: number): Promise<Hex> {
    if (!account.signTransaction) throw new Error('the settlement account cannot sign transactions')
    const [only] = batch
    const calls = batch.map(({ authorization, signature }) => transferCall(authorization, signature))
    const call =
      only && batch.length === 1
        ? { to: asset, data: transferCall(only.authorization, only.signature) }
        : {
            to: multicall3Address,
            data: encodeFunctionData({
              abi: multicall3Abi,
              functionName: 'aggregate3',
              args: [calls.map((callData) => ({ target: asset, allowFailure: true, callData }))],
            }),
          }
    const { maxFeePerGas, maxPriorityFeePerGas } = await currentFees()
    return account.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      nonce,
      gas: gasPerTransaction + gasPerTransfer * BigInt(batch.length),
      maxFeePerGas,
      maxPriorityFeePerGas,
      ...call,
    })
  }

  async function currentFees() {
    const now = performance.now()
    if (!fees || now - fees.at > feesKeptMs) {
      const estimate = await client.estimateFeesPerGas()
      // Twice the estimate survives six full blocks in a row; what is not needed is not paid.
      fees = {
        at: now,
        maxFeePerGas: estimate.maxFeePerGas * 2n,
        maxPriorityFeePerGas: estimate.maxPriorityFeePerGas,
      }
    }
    return fees
  }

  async function finish(batch: readonly Waiting[], hash: Hex): Promise<void> {
    let receipt: TransactionReceipt
    try {
      receipt = await waitForReceipt(hash)
    } catch (cause) {
      // Should the node have dropped it, then nothing counted on from its nonce would ever be mined.
      nextNonce = undefined
      for (const { resolve } of batch) resolve({ outcome: 'unknown', transaction: hash, cause })
      return
    }
    log.info(
      {
        transaction: receipt.transactionHash,
        payments: batch.length,
        gas: receipt.gasUsed.toString(),
        status: receipt.status,
      },
      'a settlement was mined',
    )
    await Promise.all(
      batch.map(async ({ authorization, resolve }) =>
        resolve(
          provesTransfer(receipt.logs, asset, authorization)
            ? { outcome: 'settled', transaction: receipt.transactionHash }
            : await explain(authorization, receipt),
        ),
      ),
    )
  }

  /**
   * Looks once before it starts to watch blocks: a node that mines at once has the receipt by now.
   * Whatever that look meets, the watch meets too, and it has the time to see it pass.
   */
  function waitForReceipt(hash: Hex): Promise<TransactionReceipt> {
    return client.getTransactionReceipt({ hash }).catch(() =>
      // A transaction in its place says nothing about these payments, so none is looked for.
      client.waitForTransactionReceipt({ hash, timeout: timeoutMs, checkReplacement: false }),
    )
  }

  /** Our transaction moved nothing for this payment: somebody else's may have, or the chain refused it. */
  async function explain(authorization: Authorization, receipt: TransactionReceipt): Promise<Settlement> {
    const transaction = receipt.transactionHash
    try {
      const evidence = await findEvidence(client, asset, authorization)
      if (evidence.kind !== 'unused') return outcomeOf(evidence)
      if (evidence.block < receipt.blockNumber) {
        return {
          outcome: 'unknown',
          transaction,
          cause: new Error('the node that answered has not seen the block yet'),
        }
      }
      return {
        outcome: 'failed',
        refusal: {
          reason: 'invalid_transaction_state',
          message: 'the chain refused the transfer: the balance may have moved',
        },
      }
    } catch (cause) {
      return { outcome: 'unknown', transaction, cause }
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  return {
    address: account.address,
    settle: (authorization, signature) =>
      new Promise((resolve) => {
        waiting.push({ authorization, signature, resolve })
        track(pump())
      }),
    close: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Whether the node has answered, and said no. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcError || error instanceof RpcRequestError
}
