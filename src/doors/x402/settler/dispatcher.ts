import { type Address, type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import { inclusionOf } from '../evidence/authorization-state.ts'
import { parseWalletSignature } from '../evidence/signature.ts'
import type { Settlement } from '../wire/facilitator.ts'
import { batchCall, readBatch } from './batch.ts'
import { diagnoseFailure } from './failed-settlement.ts'
import { SendError } from './gas-account.ts'
import type { GasPool } from './gas-pool.ts'
import type { SettlerMetrics } from './metrics.ts'
import { type OpenPayment, unknownOutcome } from './open-payment.ts'
import type { PayerCodeCache } from './payer-code-cache.ts'
import type { SentTransaction } from './pending-transactions.ts'
import { type Batch, SettlementQueue } from './settlement-queue.ts'
import type { Simulator } from './simulation.ts'

interface DispatcherOptions {
  readonly client: PublicClient
  readonly asset: Address
  /** Ends the calldata of each transaction. */
  readonly dataSuffix: Hex
  readonly pool: GasPool
  readonly simulator: Simulator
  readonly payers: PayerCodeCache
  /** The account that pays refunds; undefined without one. */
  readonly refunder: Address | undefined
  readonly metrics: SettlerMetrics
  readonly log: Log
}

/**
 * Takes each payment from the queue into a transaction and from its receipt to an outcome. Every payment that
 * is added gets an outcome, whatever fails on the way: its caller and its payer's other calls wait for it.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #queue: SettlementQueue
  /** Payments that are being simulated, and so are not in the queue yet. */
  #simulating = 0

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#queue = new SettlementQueue(options.pool)
  }

  /** How many payments wait to be sent alone. */
  get countAlone(): number {
    return this.#queue.sizeAlone + this.#simulating
  }

  /**
   * Queues a payment for a shared transaction, or simulates it and queues it to be sent alone. Never rejects.
   */
  async add(payment: OpenPayment): Promise<void> {
    const { signature, authorization } = payment
    const { payers } = this.#options
    try {
      if (authorization.facilitator || !parseWalletSignature(signature)) return await this.#addAlone(payment)
      if (await payers.hasCode(authorization.from)) return await this.#addAlone(payment)
      this.#queue.addShared(payment)
      this.sendQueued()
    } catch (cause) {
      payment.outcome.resolve({ outcome: 'unknown', cause })
    }
  }

  /** @returns false when the payment is not in the queue: it was sent, or is being simulated. */
  withdraw(payment: OpenPayment): boolean {
    return this.#queue.withdraw(payment)
  }

  /** Gives every free account the next batch. */
  sendQueued(): void {
    for (let batch = this.#queue.next(); batch; batch = this.#queue.next()) {
      const sending = this.#send(batch)
      for (const payment of batch.payments) payment.sending = sending
    }
    this.#options.metrics.waiting(this.#queue.size + this.#simulating)
  }

  async #addAlone(payment: OpenPayment): Promise<void> {
    const { simulator, client, asset } = this.#options
    const { attempt, failedIn } = payment
    this.#simulating += 1
    try {
      const refusal = this.#refuseUpto(payment)
      if (refusal) return payment.outcome.resolve(refusal)
      // On `again` our own earlier transaction, or another sender's for this payment, may wait to be mined.
      const block = attempt === 'again' && !failedIn ? 'pending' : 'latest'
      if (await simulator.succeeds(payment, block)) {
        this.#queue.addAlone(payment)
      } else {
        // Nothing was sent, and a transaction would move nothing.
        const found = await diagnoseFailure(client, asset, payment, failedIn)
        const isOpen = found.outcome === 'failed' && block === 'pending'
        const cause = new Error('an earlier transaction may still be mined')
        payment.outcome.resolve(isOpen ? { outcome: 'unknown', cause } : found)
      }
    } catch (cause) {
      payment.outcome.resolve(unknownOutcome(payment, cause))
    } finally {
      this.#simulating -= 1
      this.sendQueued()
    }
  }

  /** The outcome of an `upto` payment that no transaction of ours can move, whatever the chain shows. */
  #refuseUpto({ authorization: { facilitator, value }, amount }: OpenPayment): Settlement | undefined {
    if (!facilitator) return undefined
    if (amount > value) {
      const reason = 'invalid_upto_evm_payload_settlement_exceeds_amount'
      return { outcome: 'failed', refusal: { reason, message: `only ${value} atomic units are signed for` } }
    }
    if (this.#options.pool.has(facilitator)) return undefined
    // The gateway that holds that account may still settle it.
    return { outcome: 'unknown', cause: new Error(`only ${facilitator} may settle this, and it is not ours`) }
  }

  /** Resolves once the node has the transaction, or the batch is given back. */
  async #send(batch: Batch): Promise<void> {
    const { asset, dataSuffix } = this.#options
    const { account, payments, gas } = batch
    let sent: SentTransaction
    try {
      sent = await account.send(batchCall(payments, asset, dataSuffix), gas, this.#purposeOf(payments))
    } catch (error) {
      this.#giveBack(batch, error)
      return
    } finally {
      this.sendQueued()
    }
    for (const payment of payments) payment.sent = sent
    void this.#conclude(batch, sent).catch((cause: unknown) => {
      for (const payment of payments) payment.outcome.resolve(unknownOutcome(payment, cause))
    })
  }

  /** A transaction that also settles payments is a settlement. */
  #purposeOf(payments: Batch['payments']): 'settlement' | 'refund' {
    const { refunder } = this.#options
    const isRefund = ({ authorization: { from } }: OpenPayment) => refunder && isAddressEqual(from, refunder)
    return payments.every(isRefund) ? 'refund' : 'settlement'
  }

  /** Queues the payments of a batch that could not be sent for another account, where that is safe. */
  #giveBack({ account, payments, isSimulated }: Batch, error: unknown): void {
    const { pool, log } = this.#options
    const { hash, cause, lacksGas, isLost } =
      error instanceof SendError ? error : { hash: undefined, cause: error, lacksGas: false, isLost: false }
    if (isLost) {
      this.#requeue({ payments, isSimulated })
      return
    }
    const about = { err: cause, account: account.address, transaction: hash, payments: payments.length }
    log.error(about, 'a settlement could not be sent')
    const isThereAnother = lacksGas ? pool.takeOut(account.address) : pool.rest(account)
    const transaction = hash ? { transaction: hash } : {}
    for (const payment of payments) {
      // Another account has other nonces, so only a payment that was certainly not sent may go out by it.
      const mayGoElsewhere = isThereAnother && hash === undefined && !payment.authorization.facilitator
      if (!mayGoElsewhere) payment.outcome.resolve({ outcome: 'unknown', ...transaction, cause })
      else this.#requeue({ payments: [payment], isSimulated })
    }
  }

  /** Payments that were certainly not sent wait for the next account that is free. */
  #requeue({ payments, isSimulated }: Pick<Batch, 'payments' | 'isSimulated'>): void {
    for (const payment of payments) {
      if (isSimulated) this.#queue.addAlone(payment)
      else this.#queue.addShared(payment)
    }
  }

  async #conclude({ payments, isSimulated }: Batch, sent: SentTransaction): Promise<void> {
    const { client, asset, payers, metrics, log } = this.#options
    const receipt = await sent.mined
    if (!receipt) {
      const cause = new Error('another transaction took the nonce of the settlement')
      for (const payment of payments) payment.outcome.resolve(unknownOutcome(payment, cause))
      return
    }
    const { transactionHash: transaction, gasUsed, status } = receipt
    log.info(
      { transaction, payments: payments.length, gas: gasUsed.toString(), status },
      'a settlement was mined',
    )
    metrics.mined(payments.length, gasUsed)
    const isCarriedOut = readBatch(receipt.logs, asset)
    for (const payment of payments) {
      const { authorization, outcome } = payment
      if (isCarriedOut(payment)) {
        outcome.resolve({ outcome: 'settled', ...inclusionOf(receipt) })
        continue
      }
      payers.forget(authorization.from)
      payment.failedIn = receipt
      if (isSimulated) void diagnoseFailure(client, asset, payment, receipt).then(outcome.resolve)
      // In a shared transaction another payment may have burnt its gas, so it gets a transaction alone.
      else void this.#addAlone(payment)
    }
  }
}
