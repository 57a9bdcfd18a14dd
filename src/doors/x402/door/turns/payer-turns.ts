import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../../core/errors.ts'
import { createSlotsByKey } from '../../../../core/slots-by-key.ts'
import type { Books } from '../../../../platform/store/books.ts'
import { askRoom, type PayerLimits, type Room } from '../../../ledger/claim.ts'
import { unavailable } from '../payment-errors.ts'
import type { Purchase } from '../purchase.ts'
import { ContractPauses } from './contract-pauses.ts'
import { Crowd, type Turn } from './crowd.ts'
import { RoomsLeft } from './rooms-left.ts'
import type { FundsSeen } from './seen-funds.ts'

/** A call that is to have its payment verified and claimed. */
export interface Comer {
  readonly purchase: Purchase
  /** Who signed; `unknown`: only a verification tells. */
  readonly kind: 'plain' | 'contract' | 'unknown'
  /** In milliseconds of the clock. */
  readonly arrivedAt: number
  /** How often its payment was verified and could not be claimed. */
  readonly looks: number
  /** Until when it waits, by `performance.now()`. */
  readonly deadline: number
}

export type Entry =
  /**
   * @property isChargedFirst whether the call waited for other payments of its wallet contract.
   *   It has waited for the chain, so the credit that those have earned is not for it.
   */
  | { readonly kind: 'turn'; readonly turn: Turn; readonly isChargedFirst: boolean }
  /** The books refuse the payment, or refused it until the deadline. `room` says why. */
  | { readonly kind: 'refused'; readonly room: Exclude<Room, { kind: 'free' | 'taken' | 'bought' }> }

interface TurnsOptions {
  readonly books: Books
  readonly funds: FundsSeen
  readonly limitsFor: (purchase: Purchase) => PayerLimits
}

/** How many waiting calls of one payer and scheme ask the books at a time. */
const maxAsking = 4
const firstPauseMs = 50
/** Calls of other gateways are seen by asking again. */
const longestPauseMs = 1_000
/** Two blocks of Base: an older balance refuses no payment. */
const maxFundsAgeMs = 4_000
const maxPayers = 10_000
const heldMs = 15_000

/**
 * Lets calls of one payer to the chain as far as the books have room for them. A verification costs calls to
 * the node, and a caller decides how many payments it sends at once: without this, all of them would be
 * verified, and those that wait would be verified again and again, to be refused by the books each time.
 *
 * A call that comes alone goes in directly. While others of its payer are here, or the books refused one of
 * them lately, it asks the books first, unless they had room for more calls like it within the last second. What the books say lets no payment be claimed: that needs a balance read
 * for this payment, and the claim.
 */
export class PayerTurns {
  readonly #options: TurnsOptions
  readonly #crowds = new Map<string, Crowd>()
  readonly #asking = createSlotsByKey(maxAsking)
  readonly #rooms = new RoomsLeft()
  /** Payers whom the books have refused a payment lately. */
  readonly #held = new LRUCache<string, true>({ max: maxPayers, ttl: heldMs })
  readonly #pauses: ContractPauses

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#pauses = new ContractPauses(options.books.clock)
  }

  /** @throws GatewayError PAYMENTS_UNAVAILABLE, CALLER_LEFT. */
  async take(comer: Comer): Promise<Entry> {
    const key = keyOf(comer)
    const crowd = this.#crowds.get(key) ?? new Crowd(() => void this.#crowds.delete(key))
    this.#crowds.set(key, crowd)
    const isAlone = crowd.isEmpty && comer.looks === 0 && !this.#held.has(key) && !this.#pauses.has(key)
    if (isAlone || comer.kind === 'unknown') return enter(crowd, comer)
    return crowd.wait(() => this.#queue(key, crowd, comer))
  }

  /** The books have refused a payment of this payer. */
  hold(comer: Comer): void {
    this.#held.set(keyOf(comer), true)
  }

  /** The chain has refused a payment. */
  noteRefused(comer: Comer): void {
    if (comer.kind === 'contract') this.#pauses.note(keyOf(comer))
  }

  async #queue(key: string, crowd: Crowd, comer: Comer): Promise<Entry> {
    const left = new AbortController()
    const unsubscribe = comer.purchase.onLeave?.(() => left.abort(new GatewayError('CALLER_LEFT')))
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(comer.deadline - performance.now())))
    const patience = AbortSignal.any([late, left.signal])
    try {
      // At once: calls that wait for their credit must not hold up one that needs none, or that is paid already.
      const first = comer.looks === 0 ? await this.#ask(crowd, comer, false) : undefined
      if (first) return first
      const line = `${key} ${comer.purchase.wanted.scheme}`
      return await this.#asking.run(line, patience, () => this.#askUntil(crowd, comer, patience))
    } catch (error) {
      if (error !== late.reason) throw error
      const last = await this.#ask(crowd, comer, true)
      if (last) return last
      return { kind: 'refused', room: { kind: 'busy' } }
    } finally {
      unsubscribe?.()
    }
  }

  async #askUntil(crowd: Crowd, comer: Comer, patience: AbortSignal): Promise<Entry> {
    let pauseMs = firstPauseMs * 2 ** Math.min(comer.looks, 5)
    for (;;) {
      await Promise.race([pause(Math.min(pauseMs, longestPauseMs)), crowd.changed()])
      patience.throwIfAborted()
      const entry = await this.#ask(crowd, comer, false)
      if (entry) return entry
      pauseMs *= 2
    }
  }

  /**
   * Asks the books once.
   * @param isLast whether the call waits no longer.
   * @returns undefined when the call has to wait.
   */
  async #ask(crowd: Crowd, comer: Comer, isLast: boolean): Promise<Entry | undefined> {
    const { books, funds, limitsFor } = this.#options
    const { purchase, kind, arrivedAt } = comer
    const seen = funds.of(purchase.payment)
    // The first shows what the payer holds.
    if (!seen && crowd.inside > 0) return undefined
    const isContract = kind === 'contract'
    const now = books.clock.now()
    if (this.#pauses.isPaused(keyOf(comer))) return queued(crowd, now)
    const isCommon = kind === 'plain' && comer.looks === 0 && !this.#held.has(keyOf(comer))
    if (isCommon && this.#rooms.take(purchase.wanted)) return enter(crowd, comer)
    const room = await askRoom(books, purchase.wanted, {
      ...limitsFor(purchase),
      funds: seen,
      isContract,
    }).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    const isNew = seen !== undefined && seen.seenAt >= arrivedAt
    const isFresh = isNew && books.clock.now() - seen.seenAt <= maxFundsAgeMs
    switch (room.kind) {
      case 'free':
        if (crowd.inside >= room.calls) return queued(crowd, now)
        if (isCommon) this.#rooms.note(purchase.wanted, room.calls - crowd.inside - 1)
        return enter(crowd, comer)
      case 'taken':
      case 'bought':
        return enter(crowd, comer)
      case 'queued':
        queued(crowd, now)
        return isLast ? { kind: 'refused', room } : undefined
      default:
    }
    // Anybody can name a wallet contract, so what the books say of it is not told before it has agreed once.
    if (isContract && comer.looks === 0) return crowd.inside === 0 ? enter(crowd, comer) : undefined
    this.hold(comer)
    switch (room.kind) {
      case 'busy':
      case 'distrusted':
      case 'uncredited':
        return { kind: 'refused', room }
      case 'waiting':
        return isLast ? { kind: 'refused', room } : undefined
      case 'overdrawn':
        if (isFresh || isLast) return { kind: 'refused', room }
        return crowd.inside === 0 ? enter(crowd, comer) : undefined
      case 'moving':
        if (isLast) return { kind: 'refused', room }
        return !isNew && crowd.inside === 0 ? enter(crowd, comer) : undefined
    }
  }
}

function queued(crowd: Crowd, now: number): undefined {
  crowd.queuedAt = now
}

function enter(crowd: Crowd, { kind, arrivedAt }: Comer): Entry {
  const { queuedAt } = crowd
  const isChargedFirst = kind === 'contract' && queuedAt !== undefined && queuedAt >= arrivedAt
  return { kind: 'turn', turn: crowd.enter(), isChargedFirst }
}

/** Payments that anybody can have made in the name of a payer hold up their own client only. */
function keyOf({ purchase: { wanted, client }, kind }: Comer): string {
  return kind === 'plain' ? wanted.payer : `${wanted.payer} ${client}`
}
