import pTimeout from 'p-timeout'
import { type Address, type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { GasSupply, Settlement, SettlerAccount } from '../wire/facilitator.ts'
import type { Authorization, Payment, Refusal } from '../wire/types.ts'
import { Dispatcher } from './dispatcher.ts'
import type { SendingRights } from './gas-account.ts'
import type { GasBook } from './gas-book.ts'
import { GasPool } from './gas-pool.ts'
import { GasPrice } from './gas-price.ts'
import type { SettlerMetrics } from './metrics.ts'
import { type OpenPayment, unknownOutcome } from './open-payment.ts'
import type { PayerCodeCache } from './payer-code-cache.ts'
import type { Signer } from './sender.ts'
import type { SettlementRequest } from './settlement-call.ts'
import { gasFor, maxBatch } from './settlement-queue.ts'
import { Simulator } from './simulation.ts'
import type { GasTerms } from './wallets/gas-limits.ts'
import { WalletGate, type WalletRecords } from './wallets/wallet-gate.ts'

interface SettlerOptions {
  readonly client: PublicClient
  /** Asked for gas prices and balances, in requests of its own: a lost reply about a transaction must not stop payments. */
  readonly watchClient: PublicClient
  readonly network: Network
  /** The accounts that send settlements and pay their gas: at least one. */
  readonly signers: readonly Signer[]
  /** Which of them this process may send from; left out: all, always. */
  readonly rights?: SendingRights | undefined
  readonly payers: PayerCodeCache
  /** Longest wait for an outcome. */
  readonly timeoutMs: number
  /** How long a transaction may wait to be mined before it is replaced; well below `timeoutMs`. */
  readonly replaceAfterMs: number
  /** The maximum price of a unit of gas, in wei. */
  readonly maxFeePerGas?: bigint | undefined
  /** How much gas a payment of a wallet contract may take. */
  readonly gasTerms: GasTerms
  /** What is known of wallet contracts; undefined where no store is. */
  readonly walletRecords?: WalletRecords | undefined
  /** An account that can pay for fewer payments than this is reported as low. */
  readonly warnBelow: bigint
  /** Ends the calldata of each transaction. */
  readonly dataSuffix?: Hex | undefined
  /** The account that pays refunds: their gas is a cost of its own. */
  readonly refunder?: Address | undefined
  /** Learns what each transaction has cost. */
  readonly gasBook?: Pick<GasBook, 'note'> | undefined
  readonly metrics: SettlerMetrics
  readonly log: Log
}

/** Longest wait for the last look at a payment whose time is over. Leases (`door/purchase.ts`) allow for it. */
const lastLookMs = 2_000

/**
 * Settles payments from our own accounts. Payments that arrive while an account hands a transaction to
 * the node wait, and so do those that arrive a few milliseconds apart while one waits to be mined. They share one
 * Multicall3 call, which takes less gas for each. A payment that finds an idle account is sent immediately.
 *
 * Only payments of plain wallets share a transaction. A wallet contract decides how much gas its signature
 * check burns and could leave too little for the others, so its payment is tried out first and sent alone, with
 * the gas that its trial used. An `upto` payment goes alone too, from the account that its payer signed: the
 * proxy contract accepts no other sender.
 */
export class Settler {
  readonly #timeoutMs: number
  readonly #metrics: SettlerMetrics
  readonly #pool: GasPool
  readonly #simulator: Simulator
  readonly #wallets: WalletGate
  readonly #dispatcher: Dispatcher
  /** By `keyOf`. A second request for a payment waits for the same outcome and sends nothing. */
  readonly #open = new Map<string, OpenPayment>()
  /** The outcomes that callers still wait for; `close` waits for them too. */
  readonly #waits = new Set<Promise<Settlement>>()

  constructor(options: SettlerOptions) {
    const { client, network, payers, timeoutMs, maxFeePerGas, dataSuffix = '0x', refunder, gasBook } = options
    const { metrics, log } = options
    const asset = network.usdc.address
    const gasPrice = new GasPrice(options.watchClient, maxFeePerGas)
    const pool = new GasPool({
      ...options,
      gasPrice,
      signTimeoutMs: timeoutMs,
      gasOfBatch: gasFor(maxBatch),
      // When nothing was mined in the time of two settlements, the next one would not be mined in time
      // either.
      standstillMs: 2 * timeoutMs,
      onChange: () => this.#dispatcher.sendQueued(),
      onMined: (receipt, purpose) => gasBook?.note(receipt, purpose),
      onReplaced: metrics.replaced,
    })
    this.#timeoutMs = timeoutMs
    this.#metrics = metrics
    this.#pool = pool
    this.#simulator = new Simulator({
      client,
      asset,
      gasPrice,
      dataSuffix,
      sender: () => pool.sender,
      takeOut: (account) => pool.takeOut(account),
    })
    const simulator = this.#simulator
    this.#wallets = new WalletGate({
      records: options.walletRecords,
      simulator,
      gasPrice,
      terms: options.gasTerms,
      log,
    })
    this.#dispatcher = new Dispatcher({
      client,
      asset,
      dataSuffix,
      pool,
      simulator,
      payers,
      wallets: this.#wallets,
      refunder,
      metrics,
      log,
    })
  }

  /**
   * Moves a payment's money. Never rejects: an outcome that is not known in time is `unknown`, and the
   * transaction is followed on. A payment that is being settled already is not sent again; the call waits for
   * its outcome.
   * @param amount what to take, in atomic units: the final amount of an `upto` payment, the signed one of any
   *   other.
   * @param attempt `again` when an earlier transaction for this payment may still wait to be mined.
   */
  settle(
    { authorization, signature, permit }: Pick<Payment, 'authorization' | 'signature' | 'permit'>,
    amount: bigint,
    attempt: 'first' | 'again',
  ): Promise<Settlement> {
    const request = { authorization, signature, permit, amount }
    const payment = this.#open.get(keyOf(authorization)) ?? this.#begin(request, attempt)
    const settlement =
      payment.amount === amount
        ? this.#wait(payment)
        : Promise.resolve(
            unknownOutcome(payment, new Error('another amount of this payment is being settled')),
          )
    this.#waits.add(settlement)
    void settlement.then(({ outcome }) => {
      this.#waits.delete(settlement)
      this.#metrics.answered(outcome)
    })
    return settlement
  }

  /**
   * Whether the transfer would succeed as it would be sent alone, and whether we would pay for its gas. Rejects
   * when the store or the node does not answer.
   * @param kind of the wallet contract that pays; undefined for a plain wallet.
   */
  tryOut(request: SettlementRequest, kind: string | undefined): ReturnType<WalletGate['check']> {
    return this.#wallets.check(request, kind)
  }

  /** The refusal of a wallet contract by what it has done here; rejects when the store does not answer. */
  refusalOf(wallet: Address, kind: string): Promise<Refusal | undefined> {
    return this.#wallets.refusal(wallet, kind, false)
  }

  /** The account that `upto` payments have to name: the first that has gas. */
  uptoAddress(): Address {
    return this.#pool.first
  }

  /** Whether this account is one of ours, so that an `upto` payment that names it can be settled here. */
  isOurs(account: Address): boolean {
    return this.#pool.has(account)
  }

  /** What an account of ours has for gas, as of the last check. */
  gasOf(account: Address): GasSupply['state'] {
    return this.#pool.supplies().find(({ address }) => address === account)?.gas?.state ?? 'enough'
  }

  /**
   * Whether nothing is being sent from this account, and no payment waits that only it can settle. Transactions
   * that the node has may still wait to be mined.
   */
  isIdle(account: Address): boolean {
    const waits = [...this.#open.values()].some(
      ({ authorization: { facilitator } }) => facilitator && isAddressEqual(facilitator, account),
    )
    return !waits && this.#pool.isIdle(account)
  }

  /** Sends what waits. To be called when an account may have become ours to send from. */
  sendQueued(): void {
    this.#dispatcher.sendQueued()
  }

  /** Whether one more payment that has to be sent alone would be sent in time. */
  hasRoomAlone(isContract: boolean): boolean {
    return this.#dispatcher.hasRoomAlone(isContract)
  }

  /**
   * @throws PaymentsUnavailable when a settlement sent now would not be mined in time, or could not be paid
   *   for.
   */
  async checkReady(): Promise<void> {
    this.#metrics.runway(await this.runway())
    this.#pool.checkReady()
  }

  /** How many more payments, each sent alone, the accounts can pay for at the present gas price. */
  runway(): Promise<bigint> {
    return this.#pool.runway()
  }

  /** The accounts, with what they held at the last check. */
  accounts(): readonly SettlerAccount[] {
    return this.#pool.supplies()
  }

  /** Waits until every caller has its outcome. */
  async close(): Promise<void> {
    while (this.#waits.size > 0) await Promise.all(this.#waits)
    await this.#dispatcher.idle()
    this.#pool.close()
  }

  #begin(request: SettlementRequest, attempt: 'first' | 'again'): OpenPayment {
    const outcome = Promise.withResolvers<Settlement>()
    const unsent = { sending: undefined, sent: undefined, failedIn: undefined, trial: undefined }
    const payment: OpenPayment = { ...request, attempt, outcome, ...unsent }
    const key = keyOf(request.authorization)
    this.#open.set(key, payment)
    void outcome.promise.then(() => this.#open.delete(key))
    void this.#dispatcher.add(payment)
    return payment
  }

  #wait(payment: OpenPayment): Promise<Settlement> {
    return pTimeout(payment.outcome.promise, {
      milliseconds: this.#timeoutMs,
      fallback: () => this.#giveUp(payment),
    })
  }

  /**
   * The outcome for a caller whose time is over. What is on its way is waited for, and the chain is asked once
   * more: a busy process runs an expired timer before it reads the replies that have come in.
   */
  #giveUp(payment: OpenPayment): Promise<Settlement> {
    const cause = new Error('the settlement was not mined in time')
    const lookAgain = async (): Promise<Settlement> => {
      await payment.sending
      if (this.#dispatcher.withdraw(payment)) {
        // It was not sent, and is dropped: only a new request sends it.
        payment.outcome.resolve({ outcome: 'unknown', cause })
      } else if (!(await payment.sent?.look())) {
        return unknownOutcome(payment, cause)
      }
      return payment.outcome.promise
    }
    return pTimeout(lookAgain(), {
      milliseconds: lastLookMs,
      fallback: () => unknownOutcome(payment, cause),
    })
  }
}

/**
 * Only one payment of this payer and nonce moves money. The token and Permit2 count their nonces separately.
 */
function keyOf({ from, nonce, facilitator }: Authorization): string {
  return `${facilitator ? 'permit2' : 'token'}:${from}:${nonce}`.toLowerCase()
}
