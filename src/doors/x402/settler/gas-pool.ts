import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { PaymentsUnavailable, type SettlerAccount } from '../wire/facilitator.ts'
import { GasAccount, type GasAccountOptions } from './gas-account.ts'
import { GasSupplies } from './gas-supply.ts'
import type { SettlerMetrics } from './metrics.ts'
import type { Signer } from './sender.ts'

interface GasPoolOptions extends Omit<GasAccountOptions, 'signer'> {
  readonly client: PublicClient
  readonly watchClient: PublicClient
  /** At least one. */
  readonly signers: readonly Signer[]
  /** Gas limit of a full batch. */
  readonly gasOfBatch: bigint
  /** How long the chain may mine nothing of ours before it counts as stalled. */
  readonly standstillMs: number
  /** An account that can pay for fewer payments than this is reported as low. */
  readonly warnBelow: bigint
  readonly metrics: Pick<SettlerMetrics, 'supply'>
}

const restMs = 5_000

/**
 * The accounts that pay the gas of settlements: which of them sends next, and what they still hold. Without
 * this watch an account would run out of gas unnoticed, and calls would be served whose settlement then
 * fails.
 */
export class GasPool {
  readonly #options: GasPoolOptions
  readonly #accounts: readonly GasAccount[]
  readonly #firstAccount: GasAccount
  /** Accounts that held too little for a full batch at the last check, or for a transaction since then. */
  readonly #outOfGas = new Set<GasAccount>()
  readonly #restingUntil = new Map<GasAccount, number>()
  readonly #supplies: GasSupplies

  constructor(options: GasPoolOptions) {
    this.#options = options
    this.#accounts = options.signers.map((signer) => new GasAccount({ ...options, signer }))
    const [first] = this.#accounts
    if (!first) throw new Error('no account sends settlements')
    this.#firstAccount = first
    this.#supplies = new GasSupplies({
      ...options,
      accounts: this.#accounts.map(({ address }) => address),
    })
  }

  /**
   * The first account that has gas. Payers sign its address in `upto` payments, so it changes as rarely as
   * possible.
   */
  get first(): Address {
    const funded = this.#accounts.find((account) => !this.#outOfGas.has(account))
    return (funded ?? this.#firstAccount).address
  }

  /** The account that would send if all were free. */
  get sender(): Address {
    return (this.#accounts.find((account) => this.#isUsable(account)) ?? this.#firstAccount).address
  }

  /**
   * The free account with the fewest open transactions. Accounts without gas, or resting, count only when all
   * are.
   */
  free(): GasAccount | undefined {
    const usable = this.#accounts.filter((account) => this.#isUsable(account))
    const [leastBusy] = (usable.length > 0 ? usable : this.#accounts)
      .filter(({ isFree }) => isFree)
      .sort((one, other) => one.outstanding - other.outstanding)
    return leastBusy
  }

  /**
   * The account with this address, when it is free. It counts even while it rests or has little gas: no other
   * account can send what only this one may.
   */
  freeAt(address: Address): GasAccount | undefined {
    return this.#accounts.find((account) => account.isFree && isAddressEqual(account.address, address))
  }

  /** Whether nothing is being sent from this account. */
  isIdle(address: Address): boolean {
    return !this.#accounts.some((account) => account.isSending && isAddressEqual(account.address, address))
  }

  /** Whether this account is one of ours. */
  has(address: Address): boolean {
    return this.#accounts.some((account) => isAddressEqual(account.address, address))
  }

  /**
   * Lets an account that could not send rest for a while.
   * @returns whether there is another account to send by.
   */
  rest(account: GasAccount): boolean {
    this.#restingUntil.set(account, performance.now() + restMs)
    return this.#accounts.some((one) => this.#isUsable(one))
  }

  /**
   * Takes out an account that could not pay for a transaction, until the next check of its balance.
   * @returns whether there is another account to send by.
   */
  takeOut(address: Address): boolean {
    const account = this.#accounts.find((one) => isAddressEqual(one.address, address))
    if (account) this.#outOfGas.add(account)
    return this.#accounts.some((one) => this.#isUsable(one))
  }

  /** What each account held at the last check. */
  supplies(): readonly SettlerAccount[] {
    return this.#supplies.accounts()
  }

  /**
   * Reads the balances of the accounts.
   * @returns how many payments all of them together can pay for at the present price, each sent alone.
   * @throws PaymentsUnavailable when the price is above the ceiling, or the chain does not answer.
   */
  async runway(): Promise<bigint> {
    const { watchClient, gasPrice, gasOfBatch } = this.#options
    const balanceOf = async (account: GasAccount) =>
      [account, await watchClient.getBalance({ address: account.address })] as const
    try {
      const [{ maxFeePerGas }, price, ...balances] = await Promise.all([
        gasPrice.offer(),
        gasPrice.current(),
        ...this.#accounts.map(balanceOf),
      ])
      let runway = 0n
      for (const [account, balanceWei] of balances) {
        const isOut = balanceWei < gasOfBatch * maxFeePerGas
        if (isOut) this.#outOfGas.add(account)
        else this.#outOfGas.delete(account)
        runway += this.#supplies.note(account.address, { balanceWei, price, isOut })
      }
      return runway
    } catch (cause) {
      if (cause instanceof PaymentsUnavailable) throw cause
      throw new PaymentsUnavailable('the chain does not answer', { cause })
    }
  }

  /**
   * @throws PaymentsUnavailable when no account held enough for a full batch at the last check, or the chain
   * mines nothing.
   */
  checkReady(): void {
    const { standstillMs, rights } = this.#options
    // An account that another gateway holds counts: it settles for us, or we take the account when it has ended.
    const funded = this.#accounts.filter((account) => !this.#outOfGas.has(account))
    if (funded.length === 0 && rights?.othersCanSend()) return
    if (funded.length === 0) throw new PaymentsUnavailable('the settlement account is out of gas')
    if (funded.every((account) => account.waitedMs() > standstillMs)) {
      throw new PaymentsUnavailable('settlements wait to be mined')
    }
  }

  close(): void {
    for (const account of this.#accounts) account.close()
  }

  #isUsable(account: GasAccount): boolean {
    return (
      account.isHeld &&
      !this.#outOfGas.has(account) &&
      performance.now() >= (this.#restingUntil.get(account) ?? 0)
    )
  }
}
