import { type Address, isAddressEqual } from 'viem'
import type { GasAccount } from './gas-account.ts'
import type { GasPool } from './gas-pool.ts'
import type { OpenPayment } from './open-payment.ts'
import { gasAlone } from './wallets/gas-limits.ts'

/** The payments of one transaction and the account that sends it. */
export interface Batch {
  readonly account: GasAccount
  readonly payments: readonly OpenPayment[]
  /** Gas limit of the transaction. */
  readonly gas: bigint
  /**
   * Whether it is one payment whose simulation succeeded: a failure is then its own, not another payment's.
   */
  readonly isSimulated: boolean
}

/** A batch has to fit a block with room to spare, and its one receipt is read whole. */
export const maxBatch = 100
/**
 * How long payments wait for others while the account has a transaction that is not mined yet, or has just sent one for
 * several payments. Without it twenty clients would get twenty transactions, each with its own signature, requests to the
 * node and gas. It is little beside the time of a block. A payment that comes alone to an idle account waits for nothing.
 */
const gatherMs = 25
/** The transfer of a plain wallet takes 39,000 gas in a batch; alone, with its transaction, up to 86,000. */
const gasPerTransfer = 100_000n
const gasPerTransaction = 60_000n

/** Gas limit of a transaction with this many transfers of plain wallets. */
export function gasFor(transfers: number): bigint {
  return gasPerTransaction + gasPerTransfer * BigInt(transfers)
}

/**
 * The payments that wait to be sent. There are three kinds: payments that share a transaction, payments that
 * go alone by any account, and `upto` payments that go alone by the account that their payer signed. The
 * kinds take turns, so that none of them can hold up the others.
 */
export class SettlementQueue {
  readonly #pool: Pick<GasPool, 'free' | 'freeAt'>
  readonly #shared = new Set<OpenPayment>()
  /** Since when the oldest payment of `#shared` waits. */
  #sharedSince = 0
  /** Until when further payments are likely to come: those before them came together. */
  #rushUntil = 0
  readonly #alone = new Set<OpenPayment>()
  readonly #upto = new Set<OpenPayment>()
  readonly #kinds = [() => this.#nextShared(), () => this.#nextAlone(), () => this.#nextUpto()]
  /** The kind that goes first next time. */
  #turn = 0

  constructor(pool: Pick<GasPool, 'free' | 'freeAt'>) {
    this.#pool = pool
  }

  get size(): number {
    return this.#shared.size + this.#alone.size + this.#upto.size
  }

  addShared(payment: OpenPayment): void {
    if (this.#shared.size === 0) this.#sharedSince = performance.now()
    this.#shared.add(payment)
  }

  /** In how many milliseconds payments that wait for others have waited enough; undefined when none waits. */
  dueInMs(): number | undefined {
    if (this.#shared.size === 0) return undefined
    return Math.max(0, this.#sharedSince + gatherMs - performance.now())
  }

  /** Adds a payment whose simulation succeeded. */
  addAlone(payment: OpenPayment): void {
    const kind = payment.authorization.facilitator ? this.#upto : this.#alone
    kind.add(payment)
  }

  /** @returns false when the payment is not here. */
  withdraw(payment: OpenPayment): boolean {
    return this.#shared.delete(payment) || this.#alone.delete(payment) || this.#upto.delete(payment)
  }

  /**
   * Takes the next payments and a free account for them; undefined when nothing waits or no account is free.
   */
  next(): Batch | undefined {
    for (const [index] of this.#kinds.entries()) {
      const kind = (this.#turn + index) % this.#kinds.length
      const batch = this.#kinds[kind]?.()
      if (!batch) continue
      this.#turn = kind + 1
      return batch
    }
    return undefined
  }

  #nextShared(): Batch | undefined {
    const account = this.#shared.size > 0 ? this.#pool.free() : undefined
    const now = performance.now()
    const isRush = (account?.outstanding ?? 0) > 0 || now < this.#rushUntil
    if (!account || (isRush && this.#mayGather())) return undefined
    const payments = [...this.#shared].slice(0, maxBatch)
    this.#rushUntil = payments.length > 1 ? now + gatherMs : 0
    for (const payment of payments) this.#shared.delete(payment)
    return { account, payments, gas: gasFor(payments.length), isSimulated: false }
  }

  #mayGather(): boolean {
    return this.#shared.size < maxBatch && this.dueInMs() !== 0
  }

  #nextAlone(): Batch | undefined {
    const [payment] = this.#alone
    const account = payment && this.#pool.free()
    if (!payment || !account) return undefined
    this.#alone.delete(payment)
    return alone(account, payment)
  }

  #nextUpto(): Batch | undefined {
    const busy: Address[] = []
    for (const payment of this.#upto) {
      const { facilitator } = payment.authorization
      if (!facilitator || busy.some((one) => isAddressEqual(one, facilitator))) continue
      const account = this.#pool.freeAt(facilitator)
      if (account) {
        this.#upto.delete(payment)
        return alone(account, payment)
      }
      busy.push(facilitator)
    }
    return undefined
  }
}

function alone(account: GasAccount, payment: OpenPayment): Batch {
  return { account, payments: [payment], gas: payment.trial?.gas ?? gasAlone, isSimulated: true }
}
