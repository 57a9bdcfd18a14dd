import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Clock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import type { GasCostRow, GasPurpose } from '../../../platform/store/rows/settlement.ts'
import { gasPaid } from '../evidence/gas-paid.ts'

interface GasBookOptions {
  readonly client: PublicClient
  readonly chainId: number
  /** Records a row; a second one of the same transaction replaces it. */
  readonly write: (row: GasCostRow) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Some megabytes; an outage of the store that is longer than these transactions is an incident of its own. */
const maxUnwritten = 10_000

/**
 * Records what our transactions cost. Settling never waits for it and never fails by it: while the store is
 * down, the costs are kept in memory and written later. What a process that dies has not written is read from
 * the chain again when the recovery finds the transfer; only the gas of its failed transactions is lost.
 */
export class GasBook {
  readonly #options: GasBookOptions
  /** In lower case. */
  readonly #accounts = new Set<string>()
  readonly #unwritten = new Map<string, GasCostRow>()
  #writing = Promise.resolve()
  #isFailing = false

  constructor(options: GasBookOptions) {
    this.#options = options
  }

  /** Adds one of our accounts: only the gas that they have paid is booked. */
  addAccount(account: Address): void {
    this.#accounts.add(account.toLowerCase())
  }

  /** Notes a transaction of ours that was mined. */
  note(receipt: TransactionReceipt, purpose: GasPurpose): void {
    const { chainId, clock, log } = this.#options
    const { transactionHash: transaction } = receipt
    try {
      const row = { ...gasPaid(receipt, purpose), chainId, seenAt: new Date(clock.now()) }
      if (this.#unwritten.size < maxUnwritten) this.#unwritten.set(transaction, row)
      else
        log.error({ transaction, wei: row.wei.toString() }, 'the gas of a transaction is lost to the books')
    } catch (error) {
      log.error({ err: error, transaction }, 'the gas of a transaction cannot be read from its receipt')
    }
    void this.flush()
  }

  /** Notes a transaction that was found on the chain, if one of our accounts has sent it. Never rejects. */
  async noteFound(transaction: Hex, purpose: GasPurpose): Promise<void> {
    const { client, log } = this.#options
    if (this.#accounts.size === 0) return
    try {
      const receipt = await client.getTransactionReceipt({ hash: transaction })
      if (this.#accounts.has(receipt.from.toLowerCase())) this.note(receipt, purpose)
    } catch (error) {
      log.warn({ err: error, transaction }, 'the gas of a transaction that was found could not be noted')
    }
  }

  /** Writes what is not written yet. Never rejects. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Writes for the last time. */
  async close(): Promise<void> {
    await this.flush()
    for (const { transaction, wei } of this.#unwritten.values()) {
      this.#options.log.error(
        { transaction, wei: wei.toString() },
        'the gas of a transaction is lost to the books',
      )
    }
  }

  async #write(): Promise<void> {
    const { write, log } = this.#options
    const rows = [...this.#unwritten.values()]
    if (rows.length === 0) return
    // The rows share a statement. One that fails may leave the others under way: all are waited for.
    const written = await Promise.allSettled(
      rows.map(async (row) => {
        await write(row)
        if (this.#unwritten.get(row.transaction) === row) this.#unwritten.delete(row.transaction)
      }),
    )
    const failed = written.find((one) => one.status === 'rejected')
    if (failed) {
      if (!this.#isFailing) {
        log.error(
          { err: failed.reason },
          'gas costs cannot be written; they are kept in memory and tried again',
        )
      }
      this.#isFailing = true
      return
    }
    if (this.#isFailing) log.info('gas costs are written to the store again')
    this.#isFailing = false
  }
}
