import { type Address, formatEther } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { GasSupply, SettlerAccount } from '../wire/facilitator.ts'
import type { SettlerMetrics } from './metrics.ts'

interface GasSuppliesOptions {
  readonly accounts: readonly Address[]
  /** An account that can pay for fewer payments than this is low. */
  readonly warnBelow: bigint
  readonly metrics: Pick<SettlerMetrics, 'supply'>
  readonly log: Log
}

/** What one look at an account has shown. */
interface Look {
  readonly balanceWei: bigint
  /** Of a unit of gas, in wei. */
  readonly price: bigint
  /** Too little for a full batch. */
  readonly isOut: boolean
}

/** Gas that the payment of a plain wallet takes when it is sent alone. */
const gasOfPayment = 86_000n

/**
 * What each gas account has left, and a line in the log when that changes. Without the warning an operator
 * learns that an account ran dry from refused calls.
 */
export class GasSupplies {
  readonly #options: GasSuppliesOptions
  readonly #supplies = new Map<Address, GasSupply>()

  constructor(options: GasSuppliesOptions) {
    this.#options = options
  }

  /**
   * Notes what an account has at the present gas price.
   * @returns how many payments it can pay for.
   */
  note(address: Address, { balanceWei, price, isOut }: Look): bigint {
    const before = this.#supplies.get(address)?.state ?? 'enough'
    // A price of 0 would make the runway infinite; 1 wei keeps it a number.
    const runwayPayments = balanceWei / (gasOfPayment * (price > 0n ? price : 1n))
    const state = isOut ? 'out' : this.#isLow(runwayPayments, before) ? 'low' : 'enough'
    const supply = { balanceWei, runwayPayments, state } as const
    this.#supplies.set(address, supply)
    this.#options.metrics.supply(address, supply)
    if (state !== before) this.#report(address, supply)
    return runwayPayments
  }

  /** The accounts whose balance is known. */
  accounts(): readonly SettlerAccount[] {
    return this.#options.accounts.map((address) => ({ address, gas: this.#supplies.get(address) }))
  }

  /** The price moves with every block, so a warning ends only a quarter above the threshold. */
  #isLow(runwayPayments: bigint, before: GasSupply['state']): boolean {
    const { warnBelow } = this.#options
    return 4n * runwayPayments < (before === 'enough' ? 4n : 5n) * warnBelow
  }

  #report(account: Address, { balanceWei, runwayPayments, state }: GasSupply): void {
    const about = { account, balanceEth: formatEther(balanceWei), runwayPayments: runwayPayments.toString() }
    const { level, message } = reports[state]
    this.#options.log[level](about, message)
  }
}

const reports = {
  enough: { level: 'info', message: 'a settlement account has enough gas again' },
  low: { level: 'warn', message: 'a settlement account runs low on gas' },
  out: {
    level: 'error',
    message:
      'a settlement account has too little gas for a full batch: it sends nothing while another account can',
  },
} as const
