import type { Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import { batchCall, logsByNonce } from './batch.ts'
import { inclusionOf, provesTransfer } from './evidence.ts'
import { explain } from './explain.ts'
import type { Settlement } from './facilitator.ts'
import { type GasAccount, SendError } from './gas-account.ts'
import { createGasPool } from './gas-pool.ts'
import { createGasPrice } from './gas-price.ts'
import type { Sent } from './outbox.ts'
import type { Payers } from './payers.ts'
import type { Signer } from './sender.ts'
import type { SettlerMetrics } from './settler-metrics.ts'
import { parseWalletSignature } from './signature.ts'
import { createTrial, gasAlone, type Trial } from './trial.ts'
import type { Authorization } from './types.ts'

/**
 * Sends settlements. While one transaction is on its way to the node the next payments gather, and go
 * together in one Multicall3 call: a payment alone never waits, and many at once share a transaction's
 * cost. Only plain wallets go together. A wallet with code decides itself how much gas its check burns,
 * and could starve whoever shares its transaction; it goes alone, after a trial.
 */
export interface Settler {
  /**
   * Never rejects; what was not learnt in time is `unknown`, and the transaction is seen to all the same.
   * A payment that is under way already is not sent a second time: this waits for the same outcome.
   * @param attempt `again` when an earlier transaction for this payment may still be waiting to be mined.
   */
  settle(authorization: Authorization, signature: Hex, attempt: 'first' | 'again'): Promise<Settlement>
  readonly trial: Trial
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

interface Waiting {
  readonly authorization: Authorization
  readonly signature: Hex
  readonly attempt: 'first' | 'again'
  readonly outcome: PromiseWithResolvers<Settlement>
  /** The transaction it is in. */
  sent: Sent | undefined
  /** Of a transaction of ours that it failed in. */
  failedIn: TransactionReceipt | undefined
}

interface Load {
  readonly payments: readonly Waiting[]
  readonly gas: bigint
  /** Set when it was tried by itself: then a failure is its own. */
  readonly isTried: boolean
}

/** A batch must fit a block with room to spare, and one receipt must stay quick to read. */
const maxBatch = 100
/** A plain wallet's transfer takes 39,000 in a batch, and by itself up to 86,000 with its transaction. */
const gasPerTransfer = 100_000n
const gasPerTransaction = 60_000n
const gasOfPayment = 86_000n
/** One account sends some sixteen between two blocks: more than this many would not be sent in time. */
const mostAlone = 200

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
  const together = new Set<Waiting>()
  const alone = new Set<Waiting>()
  let inTrial = 0
  let isTurnOfAlone = false
  const answers = new Set<Promise<Settlement>>()

  const settle: Settler['settle'] = (authorization, signature, attempt) => {
    const key = `${authorization.from}:${authorization.nonce}`.toLowerCase()
    let payment = open.get(key)
    if (!payment) {
      const outcome = Promise.withResolvers<Settlement>()
      payment = { authorization, signature, attempt, outcome, sent: undefined, failedIn: undefined }
      open.set(key, payment)
      void outcome.promise.then(() => open.delete(key))
      void enqueue(payment)
    }
    const answer = answerInTime(payment)
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
      if (withdraw(payment)) payment.outcome.resolve({ outcome: 'unknown', cause })
      late.resolve({ outcome: 'unknown', ...transactionOf(payment), cause })
    }, timeoutMs)
    try {
      return await Promise.race([payment.outcome.promise, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  function withdraw(payment: Waiting): boolean {
    return together.delete(payment) || alone.delete(payment)
  }

  async function enqueue(payment: Waiting): Promise<void> {
    try {
      const isPlain =
        parseWalletSignature(payment.signature) && !(await payers.hasCode(payment.authorization.from))
      if (!isPlain) return await tryAlone(payment)
      together.add(payment)
      pump()
    } catch (cause) {
      payment.outcome.resolve({ outcome: 'unknown', cause })
    }
  }

  async function tryAlone(payment: Waiting): Promise<void> {
    const { authorization, signature, attempt, failedIn } = payment
    inTrial += 1
    try {
      // What waits to be mined may be our own earlier transaction, or somebody else's with the same payment.
      const block = attempt === 'again' && !failedIn ? 'pending' : 'latest'
      if (await trial.succeeds(authorization, signature, block)) {
        alone.add(payment)
      } else {
        // Nothing was sent, and what would be sent moves nothing.
        const found = await explain(client, asset, authorization, failedIn)
        const isOpen = found.outcome === 'failed' && block === 'pending'
        const cause = new Error('an earlier transaction may be in the way')
        payment.outcome.resolve(isOpen ? { outcome: 'unknown', cause } : found)
      }
    } catch (cause) {
      payment.outcome.resolve({ outcome: 'unknown', ...transactionOf(payment), cause })
    } finally {
      inTrial -= 1
      pump()
    }
  }

  /** Gives every free account what waits. */
  function pump(): void {
    for (let account = pool.free(); account; account = pool.free()) {
      const load = nextLoad()
      if (!load) break
      void send(account, load)
    }
    metrics.waiting(together.size + alone.size + inTrial)
  }

  /** In turns, so that neither kind can hold up the other. */
  function nextLoad(): Load | undefined {
    const [single] = alone
    if (single && (isTurnOfAlone || together.size === 0)) {
      isTurnOfAlone = false
      alone.delete(single)
      return { payments: [single], gas: gasAlone, isTried: true }
    }
    isTurnOfAlone = true
    const payments = [...together].slice(0, maxBatch)
    if (payments.length === 0) return undefined
    for (const payment of payments) together.delete(payment)
    return { payments, gas: gasFor(payments.length), isTried: false }
  }

  async function send(account: GasAccount, load: Load): Promise<void> {
    const { payments, gas } = load
    let sent: Sent
    try {
      sent = await account.send(batchCall(payments, asset, dataSuffix), gas)
    } catch (error) {
      giveBack(load, account, error)
      return
    } finally {
      pump()
    }
    for (const payment of payments) payment.sent = sent
    try {
      await conclude(load, sent)
    } catch (cause) {
      for (const { outcome } of payments)
        outcome.resolve({ outcome: 'unknown', transaction: sent.hash, cause })
    }
  }

  function giveBack({ payments, isTried }: Load, account: GasAccount, error: unknown): void {
    const { hash, cause } = error instanceof SendError ? error : { hash: undefined, cause: error }
    log.error({ err: cause, transaction: hash, payments: payments.length }, 'a settlement could not be sent')
    const isThereAnother = pool.rest(account)
    // Only what has certainly not left may go out by another account, where its nonce is another.
    if (isThereAnother && hash === undefined) {
      for (const payment of payments) (isTried ? alone : together).add(payment)
      return
    }
    const transaction = hash ? { transaction: hash } : {}
    for (const { outcome } of payments) outcome.resolve({ outcome: 'unknown', ...transaction, cause })
  }

  async function conclude({ payments, isTried }: Load, sent: Sent): Promise<void> {
    const receipt = await sent.mined
    if (!receipt) {
      const cause = new Error('another transaction took the place of the settlement')
      for (const { outcome } of payments)
        outcome.resolve({ outcome: 'unknown', transaction: sent.hash, cause })
      return
    }
    const { transactionHash: transaction, gasUsed, status } = receipt
    log.info(
      { transaction, payments: payments.length, gas: gasUsed.toString(), status },
      'a settlement was mined',
    )
    metrics.mined(payments.length, gasUsed)
    const logs = logsByNonce(receipt.logs, asset)
    for (const payment of payments) {
      const { authorization, outcome } = payment
      if (provesTransfer(logs.get(authorization.nonce) ?? [], asset, authorization)) {
        outcome.resolve({ outcome: 'settled', ...inclusionOf(receipt) })
        continue
      }
      payers.forget(authorization.from)
      payment.failedIn = receipt
      if (isTried) void explain(client, asset, authorization, receipt).then(outcome.resolve)
      // It may have failed for want of gas that another one burnt, or that its own check needs. By itself it gets a fair hearing.
      else void tryAlone(payment)
    }
  }

  const runway = async () => (await pool.gasLeft()) / gasOfPayment

  return {
    settle,
    trial,
    hasRoomAlone: () => alone.size + inTrial < mostAlone,
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

/** What a transaction with this many transfers of plain wallets may use. */
function gasFor(transfers: number): bigint {
  return gasPerTransaction + gasPerTransfer * BigInt(transfers)
}

function transactionOf({ sent, failedIn }: Waiting): { transaction: Hex } | Record<string, never> {
  const transaction = sent?.hash ?? failedIn?.transactionHash
  return transaction ? { transaction } : {}
}
