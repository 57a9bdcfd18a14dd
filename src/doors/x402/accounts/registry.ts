import { randomUUID } from 'node:crypto'
import { type Address, getAddress } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Books } from '../../../platform/store/books.ts'
import {
  forgetHandovers,
  giveAccount,
  holdAccounts,
  leaveAccounts,
  noteGateway,
  runningGateways,
  type SharedAccount,
  sharedAccounts,
} from '../../ledger/settling/accounts.ts'
import { endLeasesOfDead } from '../../ledger/settling/dead-gateways.ts'
import type { LeftToOthers } from '../../ledger/unfinished.ts'
import type { SendingRights } from '../settler/gas-account.ts'
import type { GasSupply } from '../wire/facilitator.ts'
import { chooseGift } from './balance.ts'
import { LeaseTerms } from './lease-terms.ts'

interface RegistryOptions {
  readonly books: Books
  readonly chainId: number
  /** How long an account stays with a gateway that no longer renews its lease. */
  readonly leaseMs: number
  readonly log: Log
}

/** An account whose key this process has. */
export interface KeptAccount {
  readonly address: Address
  readonly gas: () => GasSupply['state']
  /** Whether nothing is being sent from it, and no payment waits for it here. */
  readonly isIdle: () => boolean
}

/** What all gateways see, as of the last look. */
interface View {
  readonly accounts: readonly SharedAccount[]
  readonly others: readonly { readonly gateway: string; readonly accounts: readonly string[] }[]
  /** By `performance.now()`. */
  readonly at: number
}

/** Rounds between two times that old rows are removed. */
const roundsPerForget = 300
/** Between two looks that callers cause. */
const lookPauseMs = 250

/**
 * The accounts that the gateways of these books settle from, and which gateway sends from which. Without it, a
 * payment signed for the account of one gateway could not be taken at another, and two gateways with one key
 * would take each other's nonces.
 *
 * A gateway takes every account whose key it has and that no running gateway holds. Then it gives one at a time
 * to a gateway that has the key and holds at least two fewer. An account whose gateway has died is free when its
 * lease ends.
 */
export class AccountRegistry implements SendingRights {
  /** Another word at each start, so that a gateway that was started again waits for its own former lease. */
  readonly gateway: string
  readonly #options: RegistryOptions
  readonly #terms: LeaseTerms
  readonly #kept = new Map<string, KeptAccount>()
  readonly #listeners: (() => void)[] = []
  #view: View = { accounts: [], others: [], at: Number.NEGATIVE_INFINITY }
  #named: Address | undefined
  #renewing: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #rounds = 0
  /** When the leases were last renewed, and since when always in time, by `performance.now()`. */
  #renewedAt = Number.NEGATIVE_INFINITY
  #steadySince = 0
  #isClosed = false

  constructor(options: RegistryOptions) {
    this.#options = options
    this.gateway = options.books.gateway ?? randomUUID()
    // Transactions that are on their way when a term ends have the rest of the lease to reach the node.
    this.#terms = new LeaseTerms(options.leaseMs * 0.6, options.log)
  }

  /** How often leases have to be renewed. */
  get renewEveryMs(): number {
    return Math.ceil(this.#options.leaseMs / 5)
  }

  /**
   * Adds accounts whose keys this process has.
   * @param onChange called when one of them may be free to send again.
   */
  add(accounts: readonly KeptAccount[], onChange: () => void): void {
    for (const account of accounts) this.#kept.set(account.address.toLowerCase(), account)
    this.#listeners.push(onChange)
  }

  /** The number of the term in which this process may send from an account; undefined when it may not. */
  termOf(address: Address): number | undefined {
    return this.#terms.termOf(address.toLowerCase())
  }

  /** The accounts that this process may send from now, in lower-case hex. */
  held(): readonly string[] {
    return this.#terms.held()
  }

  /** Whether this process may send from an account that has gas. */
  canSend(): boolean {
    return this.held().some((address) => this.#kept.get(address)?.gas() !== 'out')
  }

  /** Whether other gateways run. */
  hasOthers(): boolean {
    return this.#view.others.length > 0
  }

  /**
   * The account that payers are asked to sign: the first registered one that a running gateway holds and that
   * has gas. It is the same at all gateways, and a gateway that joins does not change it.
   */
  named(): Address | undefined {
    const held = this.#view.accounts.filter(({ owner }) => owner !== null)
    const [first] = [...held.filter(({ gas }) => gas !== 'out'), ...held]
    if (first) this.#named = getAddress(first.address)
    return this.#named
  }

  /**
   * An account by which any payment can be settled while this process may not send; undefined when none has gas.
   * One of its own comes first: it has it again as soon as it has renewed the lease.
   */
  sender(): Address | undefined {
    const able = this.#view.accounts.filter(({ owner, gas }) => owner !== null && gas !== 'out')
    const found = able.find(({ owner }) => owner === this.gateway) ?? able[0]
    return found && getAddress(found.address)
  }

  othersCanSend(): boolean {
    const { gateway } = this
    return this.#view.accounts.some(({ owner, gas }) => owner !== null && owner !== gateway && gas !== 'out')
  }

  /** Whether a running gateway can settle payments that name this account. */
  accepts(account: Address): boolean {
    const address = account.toLowerCase()
    if (this.#kept.has(address)) return true
    const shared = this.#view.accounts.find((one) => one.address === address)
    return shared !== undefined && (shared.owner !== null || shared.hasKeeper)
  }

  /** The payments that this gateway's recovery leaves to the gateways that hold their accounts. */
  leftToOthers(): LeftToOthers {
    const accounts = this.#view.accounts
      .map(({ address }) => address)
      .filter((address) => this.#terms.termOf(address) === undefined)
    return { accounts, all: !this.canSend() && this.othersCanSend() }
  }

  /** Renews the leases, takes free accounts, and looks at what the others hold. Never rejects. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew()
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'the leases of the settlement accounts could not be renewed')
      })
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  /** Looks at the store again, for an account that a gateway may have registered since. Rejects like the store. */
  async look(): Promise<void> {
    if (performance.now() - this.#view.at < lookPauseMs) return
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  /** Gives all accounts back, so that another gateway can take them immediately. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#renewing
    for (const address of this.#terms.held()) this.#terms.end(address)
    const { books, log } = this.#options
    await leaveAccounts(books, this.gateway).catch((error: unknown) => {
      log.warn(
        { err: error },
        'the settlement accounts were not given back: they are free when their leases end',
      )
    })
  }

  async #renew(): Promise<void> {
    const { books, chainId, leaseMs } = this.#options
    if (this.#isClosed || this.#kept.size === 0) return
    const accounts = [...this.#kept].map(([address, { gas }]) => ({ address, gas: gas() }))
    const known = { gateway: this.gateway, chainId, accounts }
    if (this.#rounds % roundsPerForget === 0) await forgetHandovers(books)
    this.#rounds += 1
    const askedAt = performance.now()
    await noteGateway(books, known, leaseMs)
    const record = this.#terms.renew()
    record(await holdAccounts(books, known, leaseMs))
    this.#noteRenewal(askedAt)
    for (const listener of this.#listeners) listener()
    await this.#look()
    await this.#balance()
    await this.#endLeasesOfDead()
  }

  #noteRenewal(askedAt: number): void {
    if (askedAt - this.#renewedAt > this.#options.leaseMs) this.#steadySince = askedAt
    this.#renewedAt = askedAt
  }

  /**
   * Frees the payments of gateways that have died. After an outage of the store all gateways look dead. So a
   * gateway that could not renew its own lease gives the others the time of a lease to renew theirs.
   */
  async #endLeasesOfDead(): Promise<void> {
    const { books, chainId, leaseMs, log } = this.#options
    if (this.#renewedAt - this.#steadySince <= leaseMs) return
    const freed = await endLeasesOfDead(books, chainId)
    if (freed.length > 0) {
      log.warn({ payments: freed }, 'a gateway has died, and its payments are free to be taken over')
    }
  }

  async #look(): Promise<void> {
    const { books, chainId } = this.#options
    const accounts = await sharedAccounts(books, chainId)
    const others = (await runningGateways(books, chainId)).filter(({ gateway }) => gateway !== this.gateway)
    this.#view = { accounts, others, at: performance.now() }
  }

  async #balance(): Promise<void> {
    const { books, chainId, leaseMs } = this.#options
    const idle = this.held().filter((address) => this.#kept.get(address)?.isIdle())
    const gift = chooseGift(this.#view, this.held().length, idle)
    if (!gift) return
    // From here on nothing more is sent from it, whether or not the store makes the gift.
    this.#terms.end(gift.address)
    await giveAccount(books, { chainId, from: this.gateway, ...gift }, leaseMs)
  }
}
