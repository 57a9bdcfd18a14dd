import type { PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import { markSettled } from '../../ledger/grouped-moves.ts'
import { freeIdempotencyKey } from '../../ledger/inbound.ts'
import { markArrived, markFailed, markPaid, markSettling } from '../../ledger/payments.ts'
import { takeOver, unfinishedPayments } from '../../ledger/unfinished.ts'
import { arrivalOf, findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import type { Facilitator, Inclusion, Settlement } from '../wire/facilitator.ts'
import type { Authorization, Refusal } from '../wire/types.ts'
import { readRow } from './payment-row.ts'

/**
 * Finishes payments whose outcome nobody knows: the process died, the node hung, the facilitator gave
 * no clear answer. The chain is asked first; what it has not seen is settled again, which is safe
 * because an authorization moves money once.
 */
export interface Recovery {
  /**
   * Finishes one payment, unless somebody is at work on it.
   * @param asker `payer` when somebody waits to be served for it.
   */
  finish(id: string, asker: 'payer' | 'sweep'): Promise<void>
  /**
   * Whether the money of a payment that was given up is here all the same; then it is `paid` from now on.
   * Rejects when the chain does not answer.
   */
  findArrival(row: PaymentRow): Promise<boolean>
  /** The same, where the transfer is known. A payment that was not given up is left alone. */
  noteArrival(id: string, inclusion: Inclusion): Promise<void>
  /** Finishes what is due, the longest waiting first. */
  sweep(): Promise<void>
}

interface RecoveryOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly facilitator: Facilitator
  /** Goes on with a refund that was begun. */
  readonly resumeRefund: (row: PaymentRow) => Promise<void>
  /** How long one attempt may take before somebody else may try. */
  readonly leaseMs: number
  readonly log: Log
}

const sweptAtOnce = 100

export function createRecovery(options: RecoveryOptions): Recovery {
  const { books, client, network, facilitator, resumeRefund, leaseMs, log } = options

  async function finish(id: string, asker: 'payer' | 'sweep'): Promise<void> {
    const row = await takeOver(books, id, leaseMs)
    if (!row) return
    if (row.state === 'refunding') return resumeRefund(row)
    const settlement = await findOutcome(row, asker)
    switch (settlement.outcome) {
      case 'settled':
        // What nothing was given for is owed: the lease ends at once, so that the payer may come for it.
        if (isUnserved(row) || isLost(row)) await markPaid(books, row, mined(settlement), -1)
        else await markSettled(books, row, mined(settlement))
        log.info({ payment: row.id, transaction: settlement.transaction }, 'an unfinished payment is settled')
        return
      case 'failed':
        await markFailed(books, row, settlement.refusal.reason)
        log.warn({ payment: row.id, reason: settlement.refusal.reason }, 'an unfinished payment failed')
        return
      case 'unknown':
        await markSettling(books, row, settlement.transaction)
        log.error({ payment: row.id, err: settlement.cause }, 'the outcome of a payment is still unknown')
        return
    }
  }

  async function findOutcome(row: PaymentRow, asker: 'payer' | 'sweep'): Promise<Settlement> {
    const { payment, requirement } = readRow(row, network)
    if (row.chainId !== network.chainId) {
      return { outcome: 'unknown', cause: new Error('only another network knows of this payment') }
    }
    try {
      const evidence = await findAuthorizationState(client, requirement.asset, payment.authorization)
      if (evidence.kind !== 'unused') return outcomeOf(evidence, row.amount)
      const refusal = whyExpired(payment.authorization, evidence.now)
      if (refusal) return { outcome: 'failed', refusal }
      if (isUnserved(row) && asker === 'sweep') {
        // Nothing was served, and nobody may come for it: no money is taken behind the payer's back.
        return { outcome: 'unknown', cause: new Error('the payer has not come back to be served') }
      }
      return await facilitator.settle(payment, requirement, 'again')
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }

  function mined({ transaction, block }: Inclusion) {
    return { transaction, block, at: new Date(books.clock.now()) }
  }

  async function noteArrival(id: string, inclusion: Inclusion): Promise<void> {
    await freeIdempotencyKey(books, id)
    if (!(await markArrived(books, id, mined(inclusion)))) return
    log.warn(
      { payment: id, transaction: inclusion.transaction },
      'the money of a payment that was given up is here',
    )
  }

  return {
    finish,
    noteArrival,
    async findArrival(row) {
      const { payment, requirement } = readRow(row, network)
      const evidence = await findAuthorizationState(client, requirement.asset, payment.authorization)
      const arrival = arrivalOf(evidence, row.amount)
      if (!arrival) return false
      await noteArrival(row.id, arrival)
      return true
    },
    async sweep() {
      const due = await unfinishedPayments(books, sweptAtOnce)
      await Promise.all(due.map((id) => finish(id, 'sweep')))
    },
  }
}

/** Whether its money moves before the work, and the work was not done yet. */
function isUnserved({ timing, replyStatus }: PaymentRow): boolean {
  return timing === 'before' && replyStatus === null
}

/** Whether the reply was too large to be kept, and reached nobody as far as we know. */
function isLost({ settledAt, replyStatus }: PaymentRow): boolean {
  return settledAt === null && replyStatus === null
}

/** By the chain's time (Unix seconds). Permit2 takes what is signed for it in the very second of its deadline. */
function whyExpired({ facilitator, validBefore }: Authorization, now: bigint): Refusal | undefined {
  const isExpired = facilitator ? now > validBefore : now >= validBefore
  if (!isExpired) return undefined
  return {
    reason: facilitator ? 'permit2_deadline_expired' : 'invalid_exact_evm_payload_authorization_valid_before',
    message: 'the authorization expired before it was settled',
  }
}
