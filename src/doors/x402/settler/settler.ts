import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { inclusionOf } from '../evidence/authorization-state.ts'
import { parseWalletSignature } from '../evidence/signature.ts'
import type { Settlement } from '../wire/facilitator.ts'
import type { Payment } from '../wire/types.ts'
import { batchCall, readBatch } from './batch.ts'
import { explain } from './failed-settlement.ts'
import { SendError } from './gas-account.ts'
import { createGasPool } from './gas-pool.ts'
import { createGasPrice } from './gas-price.ts'
import type { SettlerMetrics } from './metrics.ts'
import type { Sent } from './pending-transactions.ts'
import type { Payers } from './payer-code.ts'
import type { Signer } from './sender.ts'
import type { Taking } from './settlement-call.ts'
import { createSettlementQueue, type Dispatch, gasFor, maxBatch } from './settlement-queue.ts'
import { createTrial, type Trial } from './simulation.ts'

/**
 * Sends settlements. While one transaction is on its way to the node the next payments gather, and go
 * together in one Multicall3 call: a payment alone never waits, and many at once share a transaction's
 * cost. Only plain wallets go together. A wallet with code decides itself how much gas its check burns,
 * and could starve whoever shares its transaction; it goes alone, after a trial. So does an `upto` payment,
 * by the account that its payer has signed: the contract that moves it listens to nobody else.
 */
export interface Settler {
  /**
   * Never rejects; what was not learnt in time is `unknown`, and the transaction is seen to all the same.
   * A payment that is under way already is not sent a second time: this waits for the same outcome.
   * @param amount what is taken, in atomic units: of an `upto` payment what it came to, of any other what was signed.
   * @param attempt `again` when an earlier transaction for this payment may still be waiting to be mined.
   */
  settle(
    payment: Pick<Payment, 'authorization' | 'signature' | 'permit'>,
    amount: bigint,
    attempt: 'first' | 'again',
  ): Promise<Settlement>
  readonly trial: Trial
  /** The account that `upto` payments are to name: the first that has gas. */
  uptoAddress(): Address
  /** Whether this account settles here, so that a payment that names it can be taken. */
  isOurs(account: Address): boolean
  /** Whether one more payment that goes alone would be sent in time. */
  hasRoomAlone(): boolean
  /** @throws PaymentsUnavailable when what is sent now would not be settled in time, or could not be paid for. */
  checkReady(): Promise<void>
  /** How many payments, sent one by one, the accounts can still pay for at the present gas price. */
  runway(): Promise<bigint>
  /** Waits until every settlement under way is answered. */
  close(): Promise<void>
}

interface SettlerOptions {
  readonly client: PublicClient
  readonly network: Network
  /** The accounts that send settlements and pay their gas: at least one. */
  readonly signers: readonly Signer[]
  readonly payers: Payers
  /** Longest wait for an outcome. */
  readonly timeoutMs: number
  /** How long a transaction may wait to be mined before it is replaced; well below `timeoutMs`. */
  readonly replaceAfterMs: number
  /** Most that a unit of gas may cost, in wei. */
  readonly maxFeePerGas?: bigint | undefined
  /** Ends the calldata of each transaction. */
  readonly dataSuffix?: Hex | undefined
  readonly metrics: SettlerMetrics
  readonly log: Log
}

interface Waiting extends Taking {
  readonly attempt: 'first' | 'again'
  readonly outcome: PromiseWithResolvers<Settlement>
  /** The transaction it is in. */
  sent: Sent | undefined
  /** Of a transaction of ours that it failed in. */
  failedIn: TransactionReceipt | undefined
}

/** What a payment of a plain wallet takes that is sent by itself. */
const gasOfPayment = 86_000n
/** One account sends some sixteen between two blocks: more than this many would not be sent in time. */
const maxAlone = 200

export function createSettler(options: SettlerOptions): Settler {
  const { client, network, payers, timeoutMs, maxFeePerGas, dataSuffix = '0x', metrics, log } = options
  const asset = network.usdc.address
  const gasPrice = createGasPrice(client, maxFeePerGas)
  const pool = createGasPool({
    ...options,
    gasPrice,
    signTimeoutMs: timeoutMs,
    gasOfBatch: gasFor(maxBatch),
    // Everything sent for as long as two settlements may take is still unmined: the next would be as well.
    standstillMs: 2 * timeoutMs,
    onChange: pump,
    onReplaced: metrics.replaced,
  })
  const trial = createTrial({ client, asset, gasPrice, dataSuffix, sender: () => pool.sender })

  /** Payments whose outcome is open, by payer and nonce: whatever else differs, only one of them moves money. */
  const open = new Map<string, Waiting>()
  const queue = createSettlementQueue<Waiting>(pool)
  let inTrial = 0
  const answers = new Set<Promise<Settlement>>()

  const settle: Settler['settle'] = ({ authorization, signature, permit }, amount, attempt) => {
    const { from, nonce, facilitator } = authorization
    // The token and Permit2 count nonces apart: the same one is two payments.
    const key = `${facilitator ? 'permit2' : 'token'}:${from}:${nonce}`.toLowerCase()
    let payment = open.get(key)
    if (!payment) {
      const outcome = Promise.withResolvers<Settlement>()
      const taking = { authorization, signature, permit, amount }
      payment = { ...taking, attempt, outcome, sent: undefined, failedIn: undefined }
      open.set(key, payment)
      void outcome.promise.then(() => open.delete(key))
      void enqueue(payment)
    }
    const answer =
      payment.amount === amount
        ? answerInTime(payment)
        : Promise.resolve(
            unknownOutcome(payment, new Error('another amount of this payment is being settled')),
          )
    answers.add(answer)
    void answer.then(({ outcome }) => {
      answers.delete(answer)
      metrics.answered(outcome)
    })
    return answer
  }

  async function answerInTime(payment: Waiting): Promise<Settlement> {
    const late = Promise.withResolvers<Settlement>()
    const timer = setTimeout(() => {
      const cause = new Error('the settlement was not mined in time')
      // What has not left yet does not leave any more, unless it is asked for again.
      if (queue.withdraw(payment)) payment.outcome.resolve({ outcome: 'unknown', cause })
      late.resolve(unknownOutcome(payment, cause))
    }, timeoutMs)
    try {
      return await Promise.race([payment.outcome.promise, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async function enqueue(payment: Waiting): Promise<void> {
    const { signature, authorization } = payment
    try {
      if (authorization.facilitator || !parseWalletSignature(signature)) return await tryAlone(payment)
      if (await payers.hasCode(authorization.from)) return await tryAlone(payment)
      queue.addTogether(payment)
      pump()
    } catch (cause) {
      payment.outcome.resolve({ outcome: 'unknown', cause })
    }
  }

  async function tryAlone(payment: Waiting): Promise<void> {
    const { attempt, failedIn } = payment
    inTrial += 1
    try {
      const refusal = whyNever(payment)
      if (refusal) return payment.outcome.resolve(refusal)
      // What waits to be mined may be our own earlier transaction, or somebody else's with the same payment.
      const block = attempt === 'again' && !failedIn ? 'pending' : 'latest'
      if (await trial.succeeds(payment, block)) {
        queue.addAlone(payment)
      } else {
        // Nothing was sent, and what would be sent moves nothing.
        const found = await explain(client, asset, payment, failedIn)
        const isOpen = found.outcome === 'failed' && block === 'pending'
        const cause = new Error('an earlier transaction may be in the way')
        payment.outcome.resolve(isOpen ? { outcome: 'unknown', cause } : found)
      }
    } catch (cause) {
      payment.outcome.resolve(unknownOutcome(payment, cause))
    } finally {
      inTrial -= 1
      pump()
    }
  }

  /** What no transaction of ours can move, whatever the chain says. */
  function whyNever({ authorization: { facilitator, value }, amount }: Waiting): Settlement | undefined {
    if (!facilitator) return undefined
    if (amount > value) {
      const reason = 'invalid_upto_evm_payload_settlement_exceeds_amount'
      return { outcome: 'failed', refusal: { reason, message: `only ${value} atomic units are signed for` } }
    }
    if (pool.has(facilitator)) return undefined
    // A gateway that has that account may yet settle it.
    return { outcome: 'unknown', cause: new Error(`only ${facilitator} may settle this, and it is not ours`) }
  }

  /** Gives every free account what waits. */
  function pump(): void {
    for (let dispatch = queue.next(); dispatch; dispatch = queue.next()) void send(dispatch)
    metrics.waiting(queue.size + inTrial)
  }

  async function send(dispatch: Dispatch<Waiting>): Promise<void> {
    const { account, payments, gas } = dispatch
    let sent: Sent
    try {
      sent = await account.send(batchCall(payments, asset, dataSuffix), gas)
    } catch (error) {
      giveBack(dispatch, error)
      return
    } finally {
      pump()
    }
    for (const payment of payments) payment.sent = sent
    try {
      await conclude(dispatch, sent)
    } catch (cause) {
      for (const payment of payments) payment.outcome.resolve(unknownOutcome(payment, cause))
    }
  }

  function giveBack({ account, payments, isTried }: Dispatch<Waiting>, error: unknown): void {
    const { hash, cause } = error instanceof SendError ? error : { hash: undefined, cause: error }
    log.error({ err: cause, transaction: hash, payments: payments.length }, 'a settlement could not be sent')
    const isThereAnother = pool.rest(account)
    const transaction = hash ? { transaction: hash } : {}
    for (const payment of payments) {
      // Only what has certainly not left may go out by another account, where its nonce is another.
      const mayGoElsewhere = isThereAnother && hash === undefined && !payment.authorization.facilitator
      if (!mayGoElsewhere) payment.outcome.resolve({ outcome: 'unknown', ...transaction, cause })
      else if (isTried) queue.addAlone(payment)
      else queue.addTogether(payment)
    }
  }

  async function conclude({ payments, isTried }: Dispatch<Waiting>, sent: Sent): Promise<void> {
    const receipt = await sent.mined
    if (!receipt) {
      const cause = new Error('another transaction took the place of the settlement')
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
      if (isTried) void explain(client, asset, payment, receipt).then(outcome.resolve)
      // It may have failed for want of gas that another one burnt, or that its own check needs. By itself it gets a fair hearing.
      else void tryAlone(payment)
    }
  }

  const runway = async () => (await pool.gasLeft()) / gasOfPayment

  return {
    settle,
    trial,
    uptoAddress: () => pool.first,
    isOurs: pool.has,
    hasRoomAlone: () => queue.sizeAlone + inTrial < maxAlone,
    async checkReady() {
      metrics.runway(await runway())
      pool.checkReady()
    },
    runway,
    async close() {
      while (answers.size > 0) await Promise.all(answers)
      pool.close()
    },
  }
}

/** With the transaction it is in, or failed in. */
function unknownOutcome({ sent, failedIn }: Waiting, cause: unknown): Settlement {
  const transaction = sent?.hash ?? failedIn?.transactionHash
  return { outcome: 'unknown', ...(transaction ? { transaction } : {}), cause }
}
