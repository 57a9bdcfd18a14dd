import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { PaymentsUnavailable } from '../wire/facilitator.ts'
import { createGasAccount, type GasAccount, type GasAccountOptions } from './gas-account.ts'
import type { Signer } from './sender.ts'

/**
 * The accounts that pay the gas of settlements: which of them sends next, and what they still hold. One
 * that runs dry unnoticed would show only when the work is done and its settlement is refused.
 */
export interface GasPool {
  /** The account to send by now. One that ran dry or failed of late counts only when all of them did. */
  free(): GasAccount | undefined
  /**
   * The account with this address, when it is free. What it alone may send is worth a try also while it is
   * left alone or has little gas: no other account can help.
   */
  freeAt(address: Address): GasAccount | undefined
  /** Whether this account is one of ours. */
  has(address: Address): boolean
  /** The account that would send if all were free. */
  readonly sender: Address
  /** The first account that has gas. Payers sign it, so it stays the same as long as it can. */
  readonly first: Address
  /** This account could not send: leaves it alone for a while. @returns whether there is another to send by. */
  rest(account: GasAccount): boolean
  /**
   * Looks at what the accounts hold.
   * @returns how much gas all of them together can pay for at the present price.
   * @throws PaymentsUnavailable when the price is too high, or the chain does not answer.
   */
  gasLeft(): Promise<bigint>
  /** @throws PaymentsUnavailable when no account held enough for a full batch at the last look, or the chain takes nothing. */
  checkReady(): void
  close(): void
}

interface GasPoolOptions extends Omit<GasAccountOptions, 'signer'> {
  readonly client: PublicClient
  /** At least one. */
  readonly signers: readonly Signer[]
  /** What a full batch may use. */
  readonly gasOfBatch: bigint
  /** For how long the chain may take nothing before it counts as standing still. */
  readonly standstillMs: number
}

const restMs = 5_000

export function createGasPool(options: GasPoolOptions): GasPool {
  const { client, gasPrice, signers, gasOfBatch, standstillMs } = options
  const accounts = signers.map((signer) => createGasAccount({ ...options, signer }))
  const [first] = accounts
  if (!first) throw new Error('no account sends settlements')
  const dry = new Set<GasAccount>()
  const restingUntil = new Map<GasAccount, number>()

  const isUsable = (account: GasAccount) =>
    !dry.has(account) && performance.now() >= (restingUntil.get(account) ?? 0)

  return {
    free() {
      const usable = accounts.filter(isUsable)
      const [one] = (usable.length > 0 ? usable : accounts)
        .filter(({ isFree }) => isFree)
        .sort((one, other) => one.outstanding - other.outstanding)
      return one
    },

    freeAt: (address) =>
      accounts.find((account) => account.isFree && isAddressEqual(account.address, address)),

    has: (address) => accounts.some((account) => isAddressEqual(account.address, address)),

    get first() {
      return (accounts.find((account) => !dry.has(account)) ?? first).address
    },

    get sender() {
      return (accounts.find(isUsable) ?? first).address
    },

    rest(account) {
      restingUntil.set(account, performance.now() + restMs)
      return accounts.some(isUsable)
    },

    async gasLeft() {
      const balanceOf = async (account: GasAccount) =>
        [account, await client.getBalance({ address: account.address })] as const
      try {
        const [{ maxFeePerGas }, price, ...balances] = await Promise.all([
          gasPrice.offer(),
          gasPrice.current(),
          ...accounts.map(balanceOf),
        ])
        let gas = 0n
        for (const [account, balance] of balances) {
          if (balance < gasOfBatch * maxFeePerGas) dry.add(account)
          else dry.delete(account)
          // Where gas is free nothing runs out; one wei keeps the figure finite.
          gas += balance / (price > 0n ? price : 1n)
        }
        return gas
      } catch (cause) {
        if (cause instanceof PaymentsUnavailable) throw cause
        throw new PaymentsUnavailable('the chain does not answer', { cause })
      }
    },

    checkReady() {
      const funded = accounts.filter((account) => !dry.has(account))
      if (funded.length === 0) throw new PaymentsUnavailable('the settlement account is out of gas')
      if (funded.every((account) => account.waitedMs() > standstillMs)) {
        throw new PaymentsUnavailable('settlements wait to be mined')
      }
    },

    close() {
      for (const account of accounts) account.close()
    },
  }
}
