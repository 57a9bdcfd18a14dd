import { type Address, type Hex, isAddressEqual, type PublicClient, type TransactionReceipt } from 'viem'
import { createBackgroundWork } from '../../../core/background.ts'
import type { Log } from '../../../core/log.ts'
import { Gathering } from '../../../platform/threads/gathering.ts'
import { inclusionOf } from '../evidence/authorization-state.ts'
import { parseWalletSignature } from '../evidence/signature.ts'
import type { Settlement } from '../wire/facilitator.ts'
import { batchCall, readBatch } from './batch.ts'
import { diagnoseFailure, findEmptied, refusedTransfer } from './failed-settlement.ts'
import { SendError } from './gas-account.ts'
import type { GasPool } from './gas-pool.ts'
import type { SettlerMetrics } from './metrics.ts'
import { type OpenPayment, unknownOutcome } from './open-payment.ts'
import type { PayerCodeCache } from './payer-code-cache.ts'
import type { SentTransaction } from './pending-transactions.ts'
import { type Batch, SettlementQueue } from './settlement-queue.ts'
import type { Simulator } from './simulation.ts'
import { Places } from './wallets/places.ts'
import type { Trial, WalletGate } from './wallets/wallet-gate.ts'

interface DispatcherOptions {
  readonly client: PublicClient
  readonly asset: Address
  /** Ends the calldata of each transaction. */
  readonly dataSuffix: Hex
  readonly pool: GasPool
  readonly simulator: Simulator
  readonly payers: PayerCodeCache
  readonly wallets: WalletGate
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
  readonly #places = new Places()
  readonly #background = createBackgroundWork()
  /** Payments that are being tried out, and so are not in the queue yet. */
  #trying = 0
  /**
   * The replies of several calls are stored in one statement, so their payments come in one turn of the event loop:
   * the first must not leave the others behind.
   */
  readonly #gathering = new Gathering(() => this.sendQueued())
  /** Sends the payments that wait for others. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#queue = new SettlementQueue(options.pool)
  }

  /** Whether one more payment that has to be sent alone would be sent in time. */
  hasRoomAlone(isContract: boolean): boolean {
    return this.#places.hasRoom(isContract)
  }

  /**
   * Queues a payment for a shared transaction, or tries it out and queues it to be sent alone. Never rejects.
   */
  async add(payment: OpenPayment): Promise<void> {
    const { signature, authorization } = payment
    const { payers } = this.#options
    try {
      if (authorization.facilitator || !parseWalletSignature(signature)) return await this.#addAlone(payment)
      if (await payers.hasCode(authorization.from)) return await this.#addAlone(payment)
      this.#queue.addShared(payment)
      this.#gathering.add()
    } catch (cause) {
      payment.outcome.resolve({ outcome: 'unknown', cause })
    }
  }

  /** @returns false when the payment does not wait: it was sent, or is being tried out. */
  withdraw(payment: OpenPayment): boolean {
    return this.#queue.withdraw(payment) || this.#places.leave(payment)
  }

  /** Resolves when all that was settled is recorded. */
  idle(): Promise<void> {
    return this.#background.idle()
  }

  /** Gives every free account the next batch. */
  sendQueued(): void {
    for (let batch = this.#queue.next(); batch; batch = this.#queue.next()) {
      const sending = this.#send(batch)
      for (const payment of batch.payments) payment.sending = sending
    }
    this.#options.metrics.waiting(this.#queue.size + this.#trying)
    this.#wake()
  }

  /** Comes back when payments have waited for others long enough. Until then a mined transaction may come first. */
  #wake(): void {
    const dueInMs = this.#queue.dueInMs()
    // Those that are due wait for a free account, which sends them when it becomes free.
    if (this.#timer || !dueInMs) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.sendQueued()
    }, Math.ceil(dueInMs))
  }

  async #addAlone(payment: OpenPayment): Promise<void> {
    this.#trying += 1
    try {
      const refusal = this.#refuseUpto(payment)
      if (refusal) return payment.outcome.resolve(refusal)
      await this.#tryOut(payment)
    } catch (cause) {
      payment.outcome.resolve(unknownOutcome(payment, cause))
    } finally {
      this.#trying -= 1
      this.sendQueued()
    }
  }

  /**
   * Queues a payment to be sent alone, if it would succeed. A wallet contract is tried out once more with the
   * gas limit of its transaction when it has its place, because others of its payments may have failed while
   * it waited.
   */
  async #tryOut(payment: OpenPayment): Promise<void> {
    const { simulator, payers, wallets } = this.#options
    const { attempt, failedIn, outcome, authorization } = payment
    // On `again` our own earlier transaction, or another sender's for this payment, may wait to be mined.
    const block = attempt === 'again' && !failedIn ? 'pending' : 'latest'
    const kind = await payers.kindOf(authorization.from)
    const trial = await wallets.measure(payment, kind, block)
    if (trial.kind !== 'fits') return this.#concludeUnsent(payment, trial, block)
    const { gas, isHeavy, places } = trial
    const release = await this.#places.take(payment, places)
    // Withdrawn: it has its outcome.
    if (!release) return
    payment.trial = { gas, kind, isHeavy, release }
    void outcome.promise.finally(release)
    if (kind !== undefined) {
      const refusal = await wallets.refusal(authorization.from, kind, isHeavy)
      if (refusal) return this.#concludeUnsent(payment, { kind: 'refused', refusal }, block)
      if (!(await simulator.succeeds(payment, block, gas))) {
        return this.#concludeUnsent(payment, { kind: 'fails' }, block)
      }
    }
    this.#queue.addAlone(payment)
  }

  /** Gives a payment that is not sent its outcome. The chain is asked first: another sender may have moved it. */
  async #concludeUnsent(
    payment: OpenPayment,
    trial: Exclude<Trial, { kind: 'fits' }>,
    block: 'latest' | 'pending',
  ): Promise<void> {
    const { client, asset } = this.#options
    const { failedIn, outcome } = payment
    const found = await diagnoseFailure(client, asset, payment, failedIn)
    if (found.outcome !== 'failed') return outcome.resolve(found)
    if (block === 'pending') {
      const cause = new Error('an earlier transaction may still be mined')
      return outcome.resolve({ outcome: 'unknown', cause })
    }
    if (failedIn) await this.#noteFailure(payment)
    outcome.resolve(trial.kind === 'refused' ? { outcome: 'failed', refusal: trial.refusal } : found)
  }

  /** The place is given back with the outcome, so the failure is in the store before the next payment goes. */
  async #concludeFailed(payment: OpenPayment, receipt: TransactionReceipt): Promise<void> {
    const { client, asset } = this.#options
    const found = await diagnoseFailure(client, asset, payment, receipt)
    if (found.outcome === 'failed') await this.#noteFailure(payment)
    payment.outcome.resolve(found)
  }

  /** Records a payment that was mined and moved nothing, if a wallet contract signed it. Never rejects. */
  async #noteFailure({ authorization, trial }: OpenPayment): Promise<void> {
    const { payers, wallets, log } = this.#options
    const now = await payers.kindOf(authorization.from).catch((error: unknown) => {
      log.warn({ err: error, wallet: authorization.from }, 'the code of a wallet that failed cannot be read')
      return undefined
    })
    // A delegated account can have taken its code off again.
    const kind = now ?? trial?.kind
    if (kind !== undefined) await wallets.noteFailure(authorization.from, kind, trial?.isHeavy ?? false)
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
    for (const payment of payments) {
      payment.sent = sent
      // A plain wallet cannot burn gas, so the next payment need not wait until this one is mined.
      if (payment.trial?.kind === undefined) payment.trial?.release()
    }
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
    const { asset, payers, wallets, metrics, log } = this.#options
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
    if (status === 'reverted') metrics.wasted(gasUsed)
    const isCarriedOut = readBatch(receipt.logs, asset)
    const failed: OpenPayment[] = []
    for (const payment of payments) {
      const { authorization, outcome } = payment
      if (isCarriedOut(payment)) {
        outcome.resolve({ outcome: 'settled', ...inclusionOf(receipt) })
        if (payment.trial?.kind !== undefined) this.#background.add(wallets.noteSettled(payment.trial.kind))
        continue
      }
      payers.forget(authorization.from)
      payment.failedIn = receipt
      if (isSimulated) void this.#concludeFailed(payment, receipt)
      else failed.push(payment)
    }
    if (failed.length > 0) void this.#tryAlone(failed, receipt)
  }

  /**
   * Gives payments that failed in a shared transaction one of their own, because another payment may have burnt
   * its gas; but not those whose payers have too little left. Never rejects.
   */
  async #tryAlone(failed: readonly OpenPayment[], receipt: TransactionReceipt): Promise<void> {
    const { client, asset, log } = this.#options
    const emptied = await findEmptied(client, asset, failed, receipt).catch((error: unknown) => {
      log.debug({ err: error }, 'the payers of failed settlements cannot be read')
      return new Set<OpenPayment>()
    })
    for (const payment of failed) {
      if (emptied.has(payment)) void this.#concludeEmptied(payment)
      else void this.#addAlone(payment)
    }
  }

  async #concludeEmptied(payment: OpenPayment): Promise<void> {
    // An account that took on code can have burnt gas besides.
    await this.#noteFailure(payment)
    payment.outcome.resolve({ outcome: 'failed', refusal: refusedTransfer(payment.authorization) })
  }
}
