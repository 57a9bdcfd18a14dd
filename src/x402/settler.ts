import {
  type Address,
  BaseError,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { multicall3Address } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import { findEvidence, inclusionOf, outcomeOf, provesTransfer } from './evidence.ts'
import type { Settlement } from './facilitator.ts'
import { type ContractCall, type GasAccount, SendError } from './gas-account.ts'
import { parseWalletSignature } from './signature.ts'
import { transferCall } from './token.ts'
import type { Authorization } from './types.ts'

/**
 * Sends settlements, in order. While one transaction is on its way to the node the next payments
 * gather, and go together in one Multicall3 call: a payment alone never waits, and many at once share
 * a transaction's cost. Only plain wallets go together. A wallet with code decides itself how much gas
 * its check burns, and could starve whoever shares its transaction; it goes alone, after an estimate.
 */
export interface Settler {
  readonly address: Address
  /**
   * Never rejects; what could not be learnt is `unknown`.
   * @param attempt `again` when an earlier transaction for this payment may still be waiting to be mined.
   */
  settle(authorization: Authorization, signature: Hex, attempt: 'first' | 'again'): Promise<Settlement>
  /** What the account must hold, in wei, to settle a full batch. */
  reserve(): Promise<bigint>
  /** Waits for the settlements under way. */
  close(): Promise<void>
}

interface Waiting {
  readonly authorization: Authorization
  readonly signature: Hex
  readonly attempt: 'first' | 'again'
  readonly resolve: (settlement: Settlement) => void
}

interface SettlerOptions {
  readonly client: PublicClient
  readonly account: GasAccount
  /** The token that payments are made in. */
  readonly asset: Address
  /** Longest wait for a receipt. */
  readonly timeoutMs: number
  readonly log: Log
}

/** A batch must fit a block with room to spare, and one receipt must stay quick to read. */
const maxBatch = 100
/** A plain wallet's transfer takes 66,000 alone and 39,000 in a batch. */
const gasPerTransfer = 150_000n
const gasPerTransaction = 60_000n
/** At usual prices a smart wallet's check may cost us a tenth of a cent, and no more. */
const maxGasAlone = 500_000n

export function createSettler({ client, account, asset, timeoutMs, log }: SettlerOptions): Settler {
  const together: Waiting[] = []
  const alone: Waiting[] = []
  const underWay = new Set<Promise<void>>()
  let sending = false

  async function enqueue(payment: Waiting): Promise<void> {
    try {
      const isPlain =
        parseWalletSignature(payment.signature) &&
        !(await client.getCode({ address: payment.authorization.from }))
      ;(isPlain ? together : alone).push(payment)
    } catch (cause) {
      payment.resolve({ outcome: 'unknown', cause: cause })
      return
    }
    await pump()
  }

  async function pump(): Promise<void> {
    if (sending) return
    sending = true
    try {
      while (together.length + alone.length > 0) {
        const batch = together.splice(0, maxBatch)
        if (batch.length > 0) await send(batch, gasPerTransaction + gasPerTransfer * BigInt(batch.length))
        const single = alone.shift()
        if (single) await sendAlone(single)
      }
    } finally {
      sending = false
    }
  }

  async function sendAlone(payment: Waiting): Promise<void> {
    try {
      const gas = await account.estimateGas(callFor([payment], asset), maxGasAlone)
      await send([payment], gas + gas / 4n)
    } catch (error) {
      if (!wouldRevert(error)) {
        payment.resolve({ outcome: 'unknown', cause: error })
        return
      }
      // Nothing was sent, and what would be sent moves nothing.
      const found = await explain(payment.authorization)
      // Estimates look at what waits to be mined: it may be our own earlier transaction that is in the way.
      const isOpen = found.outcome === 'failed' && payment.attempt === 'again'
      payment.resolve(isOpen ? { outcome: 'unknown', cause: error } : found)
    }
  }

  async function send(batch: readonly Waiting[], gas: bigint): Promise<void> {
    try {
      const hash = await account.send(callFor(batch, asset), gas)
      track(finish(batch, hash))
    } catch (error) {
      const { hash, cause } = error instanceof SendError ? error : { hash: undefined, cause: error }
      log.error({ err: cause, transaction: hash, payments: batch.length }, 'a settlement could not be sent')
      for (const { resolve } of batch) {
        resolve({ outcome: 'unknown', ...(hash ? { transaction: hash } : {}), cause })
      }
    }
  }

  async function finish(batch: readonly Waiting[], hash: Hex): Promise<void> {
    let receipt: TransactionReceipt
    try {
      receipt = await waitForReceipt(hash)
    } catch (error) {
      account.forgetNonce()
      for (const { resolve } of batch) {
        resolve({ outcome: 'unknown', transaction: hash, cause: error })
      }
      return
    }
    const { transactionHash, gasUsed, status } = receipt
    log.info(
      { transaction: transactionHash, payments: batch.length, gas: gasUsed.toString(), status },
      'a settlement was mined',
    )
    for (const payment of batch) {
      if (provesTransfer(receipt.logs, asset, payment.authorization)) {
        payment.resolve({ outcome: 'settled', ...inclusionOf(receipt) })
      } else if (batch.length > 1) {
        // It may have failed for want of gas that another one burnt. By itself it gets a fair hearing.
        alone.push(payment)
        track(pump())
      } else {
        payment.resolve(await explain(payment.authorization, receipt))
      }
    }
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

  /**
   * Nothing of ours moved this money: somebody else's transaction may have, or the chain refuses it.
   * @param receipt of our transaction, when one was mined.
   */
  async function explain(authorization: Authorization, receipt?: TransactionReceipt): Promise<Settlement> {
    const tried = receipt ? { transaction: receipt.transactionHash } : {}
    try {
      const evidence = await findEvidence(client, asset, authorization)
      if (evidence.kind !== 'unused') return outcomeOf(evidence)
      if (receipt && evidence.block < receipt.blockNumber) {
        const cause = new Error('the node that answered has not seen the block yet')
        return { outcome: 'unknown', ...tried, cause }
      }
      return {
        outcome: 'failed',
        refusal: {
          reason: 'invalid_transaction_state',
          message: 'the chain refused the transfer: the balance may have moved',
        },
      }
    } catch (cause) {
      return { outcome: 'unknown', ...tried, cause: cause }
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  return {
    address: account.address,
    settle: (authorization, signature, attempt) =>
      new Promise((resolve) => {
        track(enqueue({ authorization, signature, attempt, resolve }))
      }),
    reserve: () => account.cost(gasPerTransaction + gasPerTransfer * BigInt(maxBatch)),
    close: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** One transfer as it is, several through Multicall3, where one that fails does not undo the others. */
function callFor(batch: readonly Waiting[], asset: Address): ContractCall {
  const transfers = batch.map(({ authorization, signature }) => transferCall(authorization, signature))
  const [only, ...others] = transfers
  if (only && others.length === 0) return { to: asset, data: only }
  const calls = transfers.map((callData) => ({ target: asset, allowFailure: true, callData }))
  return {
    to: multicall3Address,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  }
}

/**
 * Whether an estimate failed because the call would, and not because the node was busy or gone: viem
 * reports both as a failed estimate, and only the one is a reason to give a payment up.
 */
function wouldRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const isRevert = (cause: unknown) =>
    cause instanceof ExecutionRevertedError ||
    (cause instanceof BaseError && /revert|out of gas|gas required exceeds/i.test(cause.details ?? ''))
  return error.walk(isRevert) !== null
}
