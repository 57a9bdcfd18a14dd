import { setTimeout as pause } from 'node:timers/promises'
import type { Hex, PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { markSettled } from '../../ledger/grouped-moves.ts'
import { type MinedTransfer, markArrived, markFailed, markPaid, markSettling } from '../../ledger/payments.ts'
import { freeIdempotencyKey } from '../../ledger/reconciling/inbound.ts'
import { type LeftToOthers, takeOver, unfinishedPayments } from '../../ledger/unfinished.ts'
import {
  type Finding,
  giveUpSearch,
  noteSearch,
  type SearchTurn,
  takeUpSearch,
} from '../../ledger/unpaid/searches.ts'
import {
  type AuthorizationState,
  arrivalOf,
  findAuthorizationState,
  outcomeOf,
} from '../evidence/authorization-state.ts'
import type { Facilitator, Inclusion, Settlement } from '../wire/facilitator.ts'
import type { Authorization, Refusal } from '../wire/types.ts'
import { readRow } from './payment-row.ts'
import type { Refunds } from './refund.ts'

/**
 * Finishes payments with an unknown outcome: the process died, the node hung, or the facilitator gave no
 * clear answer. The chain is asked first. A payment that the chain has not seen is settled again, which is
 * safe because an authorization moves money once.
 */
export interface Recovery {
  /**
   * Finishes one payment, unless another worker holds it.
   * @param asker `payer` when a call waits to be served for the payment.
   */
  finish(id: string, asker: Asker): Promise<void>
  /**
   * Asks the chain whether the money of a released or failed payment has arrived after all. If so, marks it
   * `paid`. The books say when the chain is searched; at other times the answer is no. Copies that ask at the
   * same time share a search. Rejects when the chain does not reply.
   * @param isUsed whether the chain has just shown the nonce as used.
   */
  findArrival(row: PaymentRow, isUsed: boolean): Promise<boolean>
  /** Marks a released or failed payment as `paid` by a known transfer. Leaves any other payment alone. */
  noteArrival(id: string, inclusion: Inclusion): Promise<void>
  /** Finishes the payments that are due, the longest waiting first. */
  sweep(): Promise<void>
}

type Asker = 'payer' | 'sweep'

interface RecoveryOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly facilitator: Facilitator
  readonly refunds: Pick<Refunds, 'resume'>
  /** Told of transactions that were found on the chain: one of our accounts may have paid their gas. */
  readonly noteGas?: ((transaction: Hex, purpose: 'settlement') => Promise<void>) | undefined
  /** What the sweep leaves to gateways that hold accounts which this one does not. */
  readonly leftToOthers?: (() => LeftToOthers) | undefined
  /** How long one attempt may take before another worker may try. */
  readonly leaseMs: number
  readonly log: Log
}

const maxPerSweep = 100
/** How long a search of another gateway is waited for. */
const searchPatienceMs = 10_000

export function createRecovery(options: RecoveryOptions): Recovery {
  return new PaymentRecovery(options)
}

class PaymentRecovery implements Recovery {
  readonly #options: RecoveryOptions
  /** By payment id. */
  readonly #searches = new Map<string, Promise<boolean>>()

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  async sweep(): Promise<void> {
    const { books, network, leftToOthers } = this.#options
    const due = await unfinishedPayments(books, network.chainId, maxPerSweep, leftToOthers?.())
    await Promise.all(due.map((id) => this.finish(id, 'sweep')))
  }

  async finish(id: string, asker: Asker): Promise<void> {
    const { books, network, refunds, leaseMs, log } = this.#options
    const row = await takeOver(books, network.chainId, id, leaseMs)
    if (!row) return
    if (row.state === 'refunding') return refunds.resume(row)
    const settlement = await this.#findOutcome(row, asker)
    switch (settlement.outcome) {
      case 'settled':
        // A payer who received nothing is owed the reply. The lease ends immediately, so that they can come
        // for it.
        if (isUnserved(row) || isReplyLost(row)) await markPaid(books, row, this.#mined(settlement), -1)
        else await markSettled(books, row, this.#mined(settlement))
        log.info({ payment: row.id, transaction: settlement.transaction }, 'an unfinished payment is settled')
        return
      case 'failed':
        await markFailed(books, row, settlement.refusal.reason, settlement.isFinal)
        log.warn({ payment: row.id, reason: settlement.refusal.reason }, 'an unfinished payment failed')
        return
      case 'unknown':
        await markSettling(books, row, settlement.transaction)
        log.error({ payment: row.id, err: settlement.cause }, 'the outcome of a payment is still unknown')
        return
    }
  }

  async #findOutcome(row: PaymentRow, asker: Asker): Promise<Settlement> {
    const { client, network, facilitator, noteGas } = this.#options
    const { payment, requirement } = readRow(row, network)
    try {
      const state = await findAuthorizationState(client, requirement.asset, payment.authorization)
      if (state.kind === 'transferred') void noteGas?.(state.transaction, 'settlement')
      if (state.kind !== 'unused') return outcomeOf(state, row.amount)
      const refusal = whyExpired(payment.authorization, state.now)
      if (refusal) return { outcome: 'failed', refusal, isFinal: true }
      if (isUnserved(row) && asker === 'sweep') {
        // Nothing was served, and the payer may never come back: the sweep takes no money for that.
        return { outcome: 'unknown', cause: new Error('the payer has not come back to be served') }
      }
      return await facilitator.settle(payment, requirement, 'again', row)
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }

  findArrival(row: PaymentRow, isUsed: boolean): Promise<boolean> {
    const known = this.#searches.get(row.id)
    if (known) return known
    const search = this.#searchArrival(row, isUsed).finally(() => this.#searches.delete(row.id))
    this.#searches.set(row.id, search)
    return search
  }

  async #searchArrival(row: PaymentRow, isUsed: boolean): Promise<boolean> {
    const { books, client, network } = this.#options
    const turn = await this.#awaitTurn(row.id, isUsed)
    if (turn !== 'taken') return turn === 'over'
    const { payment, requirement } = readRow(row, network)
    const { authorization } = payment
    let state: AuthorizationState
    try {
      state = await findAuthorizationState(client, requirement.asset, authorization, {
        since: searchedSince(row),
      })
    } catch (error) {
      await giveUpSearch(books, row.id)
      throw error
    }
    const arrival = arrivalOf(state, row.amount)
    if (!arrival) {
      await noteSearch(books, row.id, findingOf(state, authorization))
      return false
    }
    await this.noteArrival(row.id, arrival)
    return true
  }

  /** Waits for the search of another gateway. */
  async #awaitTurn(id: string, isUsed: boolean): Promise<Exclude<SearchTurn, 'running'>> {
    const deadline = performance.now() + searchPatienceMs
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const turn = await takeUpSearch(this.#options.books, id, isUsed)
      if (turn !== 'running') return turn
      if (performance.now() > deadline) throw new Error('another gateway is searching the chain')
      await pause(waitMs)
    }
  }

  async noteArrival(id: string, inclusion: Inclusion): Promise<void> {
    const { books, noteGas, log } = this.#options
    await freeIdempotencyKey(books, id)
    if (!(await markArrived(books, id, this.#mined(inclusion)))) return
    void noteGas?.(inclusion.transaction, 'settlement')
    log.warn(
      { payment: id, transaction: inclusion.transaction },
      'the money of a released or failed payment has arrived',
    )
  }

  #mined({ transaction, block }: Inclusion): MinedTransfer {
    return { transaction, block, at: new Date(this.#options.books.clock.now()) }
  }
}

/** How far the clocks of a gateway and of the chain may differ, in seconds. */
const clockMarginSeconds = 600

/**
 * Since when a payment's nonce can have been used, in Unix seconds: it was unused when the payment was first
 * claimed. A payer may sign any `validAfter`, and would have us search a week of blocks.
 */
function searchedSince({ validAfter, createdAt }: PaymentRow): bigint {
  const claimed = BigInt(Math.floor(createdAt.getTime() / 1000) - clockMarginSeconds)
  return BigInt(validAfter) > claimed ? BigInt(validAfter) : claimed
}

/** What a search that found no transfer of the due amount means for the next one. */
function findingOf(state: AuthorizationState, authorization: Authorization): Finding {
  switch (state.kind) {
    case 'unused':
      return whyExpired(authorization, state.now) ? 'nothing' : 'unused'
    case 'spent':
      return 'unknown'
    case 'canceled':
    case 'transferred':
      return 'nothing'
  }
}

/** Whether the money moves before the work, and the work was not done yet. */
function isUnserved({ timing, replyStatus }: PaymentRow): boolean {
  return timing === 'before' && replyStatus === null
}

/** Whether the reply was too large to be stored, and did not reach the payer as far as we know. */
function isReplyLost({ settledAt, replyStatus }: PaymentRow): boolean {
  return settledAt === null && replyStatus === null
}

/**
 * @param now the chain's time, in Unix seconds. Permit2 accepts a signature in the very second of its
 *   deadline.
 */
function whyExpired({ facilitator, validBefore }: Authorization, now: bigint): Refusal | undefined {
  const isExpired = facilitator ? now > validBefore : now >= validBefore
  if (!isExpired) return undefined
  return {
    reason: facilitator ? 'permit2_deadline_expired' : 'invalid_exact_evm_payload_authorization_valid_before',
    message: 'the authorization expired before it was settled',
  }
}
