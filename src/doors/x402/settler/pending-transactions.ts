import { setTimeout as pause } from 'node:timers/promises'
import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import type { GasPurpose } from '../../../platform/store/rows/settlement.ts'
import { findReceipt } from '../evidence/find-receipt.ts'
import {
  fillGap,
  type NextNonce,
  type OutgoingTransaction,
  type PendingTransaction,
  type ResendTools,
  replaceStuck,
  sendAgain,
} from './stuck-transaction.ts'

export interface SentTransaction {
  /** Of the version that was sent last. */
  readonly hash: Hex
  /**
   * The receipt of the version that was mined; undefined when a transaction that is not ours took the nonce.
   */
  readonly mined: Promise<TransactionReceipt | undefined>
  /** Looks for the receipt now; false when there is none, or when the node does not answer. */
  look(): Promise<boolean>
}

interface PendingTransactionsOptions extends ResendTools {
  readonly client: PublicClient
  /** While it is false, transactions are followed and neither sent again nor replaced. */
  readonly maySend: () => boolean
  /** How long a transaction may wait to be mined before it is replaced. */
  readonly replaceAfterMs: number
  /** Called with the receipt of each transaction that was mined, whichever version of it, once. */
  readonly onMined: (receipt: TransactionReceipt, purpose: GasPurpose) => void
  /** Called when a transaction was mined, or the chain has taken another nonce. */
  readonly onChange: () => void
}

/**
 * Nodes do not report that they dropped a transaction. Every fifth poll asks for the transaction itself: that
 * costs little, and closes a gap in the nonces within a block or two.
 */
const looksPerCheck = 5

/**
 * The transactions that one account has sent and that are not mined yet. The chain takes an account's
 * transactions in the order of their nonces, so one that is stuck, or that the node lost, holds up all later
 * ones. It is therefore sent again, or replaced by the same call at a higher price, until a transaction with
 * its nonce is in a block. One request shows how far the chain is with all of them: the account's transaction
 * count.
 */
export class PendingTransactions {
  readonly #options: PendingTransactionsOptions
  readonly #pending = new Set<PendingTransaction>()
  #next = startAt(0)
  /** Since when the node has counted fewer transactions than a node did before. */
  #behindSince: number | undefined
  #isWatching = false
  #isClosed = false

  constructor(options: PendingTransactionsOptions) {
    this.#options = options
  }

  /** How many are not mined yet. */
  get size(): number {
    return this.#ahead().length
  }

  /** The first nonce after those of all transactions in here; undefined when there are none. */
  get nextNonce(): number | undefined {
    return this.#pending.size > 0 ? Math.max(...[...this.#pending].map(({ nonce }) => nonce)) + 1 : undefined
  }

  /** How long the next one has been waiting, in milliseconds; 0 when there is none. */
  waitedMs(): number {
    return this.#ahead().length > 0 ? performance.now() - this.#next.since : 0
  }

  /** Follows a transaction that was handed to the node. */
  add({ nonce, call, gas, purpose, signed }: OutgoingTransaction): SentTransaction {
    const { promise: mined, resolve: conclude } = Promise.withResolvers<TransactionReceipt | undefined>()
    const transaction: PendingTransaction = {
      nonce,
      call,
      gas,
      purpose,
      newest: signed,
      otherHashes: [],
      offered: signed.fees,
      conclude,
      passedAt: undefined,
    }
    if (this.#ahead().length === 0) this.#next = startAt(this.#next.nonce)
    this.#pending.add(transaction)
    void this.#lookEarly(transaction)
    void this.#watch()
    return {
      get hash() {
        return transaction.newest.hash
      },
      mined,
      look: () => this.#lookFor(transaction),
    }
  }

  /** Stops looking. Transactions that are in here get no receipt any more. */
  close(): void {
    this.#isClosed = true
  }

  #ahead(): PendingTransaction[] {
    return [...this.#pending].filter(({ nonce }) => nonce >= this.#next.nonce)
  }

  /**
   * Looks for a new transaction more often than the watch does, at growing intervals: a chain with short blocks
   * would otherwise show it up to an interval before the watch looks. If a request fails, the next one repeats it.
   */
  async #lookEarly(transaction: PendingTransaction): Promise<void> {
    const { pollingInterval } = this.#options.client
    for (let pauseMs = pollingInterval / 8; pauseMs < pollingInterval; pauseMs *= 2) {
      // A node that mines immediately may have the receipt by now.
      if (await this.#lookFor(transaction)) return
      await pause(pauseMs, undefined, { ref: false })
      if (this.#isClosed || !this.#pending.has(transaction)) return
    }
  }

  async #lookFor(transaction: PendingTransaction): Promise<boolean> {
    try {
      return await this.#findReceipt(transaction)
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the node did not report which transactions are mined')
      return false
    }
  }

  async #watch(): Promise<void> {
    const { client, onChange, log } = this.#options
    if (this.#isWatching) return
    this.#isWatching = true
    this.#behindSince = undefined
    for (let looks = 1; this.#pending.size > 0; looks += 1) {
      await pause(client.pollingInterval, undefined, { ref: false })
      if (this.#isClosed) return
      try {
        await this.#look(looks % looksPerCheck === 0)
        onChange()
      } catch (error) {
        log.debug({ err: error }, 'the node did not report which transactions are mined')
      }
    }
    this.#isWatching = false
  }

  async #look(isCheck: boolean): Promise<void> {
    const { client, sender, maySend, replaceAfterMs } = this.#options
    const { address } = sender
    this.#moveTo(await client.getTransactionCount({ address, blockTag: 'latest' }))
    const passed = [...this.#pending].filter(({ nonce }) => nonce < this.#next.nonce)
    await Promise.all(passed.map((transaction) => this.#concludePassed(transaction)))
    const transactions = this.#ahead()
    if (transactions.length === 0 || !maySend()) return
    const next = this.#next
    const own = transactions.find(({ nonce }) => nonce === next.nonce)
    const isDue = performance.now() - next.touchedAt >= replaceAfterMs
    if (!own) {
      if (isDue && performance.now() - next.since >= 2 * replaceAfterMs) await this.#fillGap(next)
    } else if (isDue) {
      next.touchedAt = performance.now()
      await replaceStuck(own, this.#options)
    } else if (isCheck) {
      const known = await client.getTransactionCount({ address, blockTag: 'pending' })
      for (const transaction of transactions) {
        if (transaction.nonce >= known) await sendAgain(transaction, this.#options)
      }
    }
  }

  /** One node of several may be behind the others. A lower count that stays for long is a reorganization. */
  #moveTo(counted: number): void {
    const { replaceAfterMs } = this.#options
    if (counted >= this.#next.nonce) this.#behindSince = undefined
    else this.#behindSince ??= performance.now()
    const isReorganized =
      this.#behindSince !== undefined && performance.now() - this.#behindSince >= 2 * replaceAfterMs
    if (counted > this.#next.nonce || isReorganized) this.#next = startAt(counted)
  }

  /** Looks for the receipt of a transaction whose nonce is used. The node may not have that block yet. */
  async #concludePassed(transaction: PendingTransaction): Promise<void> {
    if (await this.#findReceipt(transaction)) return
    transaction.passedAt ??= performance.now()
    if (performance.now() - transaction.passedAt >= this.#options.replaceAfterMs) {
      this.#conclude(transaction, undefined)
    }
  }

  async #findReceipt(transaction: PendingTransaction): Promise<boolean> {
    const hashes = [transaction.newest.hash, ...transaction.otherHashes]
    const receipts = await Promise.all(hashes.map((hash) => findReceipt(this.#options.client, hash)))
    const receipt = receipts.find((one) => one !== undefined)
    if (receipt) this.#conclude(transaction, receipt)
    return receipt !== undefined
  }

  #conclude(transaction: PendingTransaction, receipt: TransactionReceipt | undefined): void {
    if (!this.#pending.delete(transaction)) return
    if (transaction.nonce >= this.#next.nonce) this.#next = startAt(transaction.nonce + 1)
    if (receipt) this.#options.onMined(receipt, transaction.purpose)
    transaction.conclude(receipt)
    this.#options.onChange()
  }

  async #fillGap(next: NextNonce): Promise<void> {
    const filler = await fillGap(next, this.#options)
    if (filler) this.add(filler)
  }
}

function startAt(nonce: number): NextNonce {
  const now = performance.now()
  return { nonce, since: now, touchedAt: now, offered: undefined }
}
