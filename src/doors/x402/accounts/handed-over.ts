import { setTimeout as pause } from 'node:timers/promises'
import type { PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { beginHandovers, concludeHandover, findDue, type Handover } from '../../ledger/settling/handovers.ts'
import { findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import { readRow } from '../recovery/payment-row.ts'
import type { Facilitator, Settlement } from '../wire/facilitator.ts'
import type { Handovers } from './handovers.ts'
import { writeOutcome } from './outcome.ts'
import type { AccountRegistry } from './registry.ts'

interface HandedOverOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly registry: AccountRegistry
  readonly handovers: Pick<Handovers, 'size'>
  /** Settles from the accounts of this process. */
  readonly settle: Facilitator['settle']
  /** How long the gateway that handed a payment over waits. */
  readonly timeoutMs: number
  readonly log: Log
}

/** Between two tries to find out what became of a transaction of a gateway that died. */
const retryMs = 500
/** A store that is down is not asked ten times a second. */
const pauseAfterErrorMs = 1_000
/** How often a gateway looks that knows of no other. */
const aloneEveryMs = 500

/** Settles the payments that other gateways have handed over to the accounts of this one. */
export class HandedOver {
  readonly #options: HandedOverOptions
  readonly #running = new Set<Promise<void>>()
  /** By `performance.now()`. */
  #pausedUntil = 0

  constructor(options: HandedOverOptions) {
    this.#options = options
  }

  /** Begins those that wait. A payment that this gateway has handed over may have come back with its account. */
  async take(): Promise<void> {
    const { books, network, registry, handovers, log } = this.#options
    const { gateway } = registry
    const accounts = registry.held()
    if (accounts.length === 0 || performance.now() < this.#pausedUntil) return
    // A gateway that has just started may hand payments over before we know of it.
    if (!registry.hasOthers() && handovers.size === 0) this.#pauseFor(aloneEveryMs)
    let begun: readonly Handover[]
    try {
      begun = await beginHandovers(books, { chainId: network.chainId, accounts, gateway })
    } catch (error) {
      log.warn({ err: error }, 'the payments of other gateways could not be read')
      this.#pauseFor(pauseAfterErrorMs)
      return
    }
    for (const handover of begun) {
      const work = this.#settle(handover).catch((error: unknown) => {
        // The gateway that waits learns nothing and leaves the payment to the recovery.
        log.error({ err: error, payment: handover.id }, 'a payment of another gateway could not be settled')
      })
      this.#running.add(work)
      void work.finally(() => this.#running.delete(work))
    }
  }

  #pauseFor(milliseconds: number): void {
    this.#pausedUntil = performance.now() + milliseconds
  }

  /** Resolves when all that was begun has an outcome. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #settle(handover: Handover): Promise<void> {
    const { books, registry, timeoutMs } = this.#options
    const deadline = performance.now() + timeoutMs
    let attempt: 'first' | 'again' = handover.isAgain ? 'again' : 'first'
    for (;;) {
      const row = await findDue(books, handover)
      // The gateway that handed it over has ended it, or another worker has taken it over since.
      if (!row) return
      const settlement = await this.#tryOnce(row, attempt)
      const isOpen = settlement.outcome === 'unknown' && handover.isAgain && performance.now() < deadline
      if (!isOpen) {
        return concludeHandover(books, handover, registry.gateway, writeOutcome(settlement))
      }
      attempt = 'again'
      await pause(retryMs)
    }
  }

  /** The chain is asked first when a gateway that died may have sent the payment. */
  async #tryOnce(row: PaymentRow, attempt: 'first' | 'again'): Promise<Settlement> {
    const { client, network, settle } = this.#options
    const { payment, requirement } = readRow(row, network)
    try {
      if (attempt === 'again') {
        const state = await findAuthorizationState(client, requirement.asset, payment.authorization)
        if (state.kind !== 'unused') return outcomeOf(state, row.amount)
      }
      return await settle(payment, requirement, attempt)
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }
}
