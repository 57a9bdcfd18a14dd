import type { Hex, PublicClient } from 'viem'
import type { Network } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import {
  type Books,
  markFailed,
  markSettled,
  markSettling,
  takeOver,
  unfinishedPayments,
} from '../ledger/payments.ts'
import type { PaymentRow } from '../store/schema.ts'
import { findEvidence, outcomeOf } from './evidence.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import type { Payment, Requirement } from './types.ts'

/**
 * Finishes payments that were served and whose outcome nobody knows: the process died, the node hung,
 * the facilitator gave no clear answer. The chain is asked first; what it has not seen is settled
 * again, which is safe because an authorization moves money once.
 */
export interface Recovery {
  /** Finishes one payment, unless somebody is at work on it. */
  finish(id: string): Promise<void>
  /** Finishes what is due, oldest first. */
  sweep(): Promise<void>
}

interface RecoveryOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly facilitator: Facilitator
  /** How long one attempt may take before somebody else may try. */
  readonly leaseMs: number
  /** How long an unclear outcome rests before it is looked at again. */
  readonly retryMs: number
  readonly log: Log
}

const sweptAtOnce = 100

export function createRecovery(options: RecoveryOptions): Recovery {
  const { books, client, network, facilitator, leaseMs, retryMs, log } = options

  async function finish(id: string): Promise<void> {
    const row = await takeOver(books, id, leaseMs)
    if (!row) return
    const settlement = await findOutcome(row)
    switch (settlement.outcome) {
      case 'settled':
        await markSettled(books, row, settlement.transaction)
        log.info({ payment: row.id, transaction: settlement.transaction }, 'an unfinished payment is settled')
        return
      case 'failed':
        await markFailed(books, row, settlement.refusal.reason)
        log.warn({ payment: row.id, reason: settlement.refusal.reason }, 'an unfinished payment failed')
        return
      case 'unknown':
        await markSettling(books, row, settlement.transaction, retryMs)
        log.error({ payment: row.id, err: settlement.cause }, 'the outcome of a payment is still unknown')
        return
    }
  }

  async function findOutcome(row: PaymentRow): Promise<Settlement> {
    const { payment, requirement } = readRow(row, network)
    try {
      const evidence = await findEvidence(client, requirement.asset, payment.authorization)
      if (evidence.kind !== 'unused') return outcomeOf(evidence)
      return evidence.now >= payment.authorization.validBefore
        ? {
            outcome: 'failed',
            refusal: {
              reason: 'invalid_exact_evm_payload_authorization_valid_before',
              message: 'the authorization expired before it was settled',
            },
          }
        : await facilitator.settle(payment, requirement, 'again')
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }

  return {
    finish,
    async sweep() {
      const due = await unfinishedPayments(books, sweptAtOnce)
      await Promise.all(due.map(finish))
    },
  }
}

function readRow(row: PaymentRow, network: Network): { payment: Payment; requirement: Requirement } {
  const requirement: Requirement = {
    scheme: 'exact',
    network: network.caip2,
    amount: row.amount.toString(),
    asset: hex(row.asset),
    payTo: hex(row.pay_to),
    maxTimeoutSeconds: validitySeconds(row),
    extra: { name: network.usdc.name, version: network.usdc.version },
  }
  return {
    requirement,
    payment: {
      version: 2,
      accepted: { version: 2, ...requirement },
      authorization: {
        from: hex(row.payer),
        to: requirement.payTo,
        value: row.amount,
        validAfter: BigInt(row.valid_after),
        validBefore: BigInt(row.valid_before),
        nonce: hex(row.nonce),
      },
      signature: hex(row.signature),
    },
  }
}

/** A payer may sign for ever, but facilitators read an integer of ordinary size. */
function validitySeconds(row: PaymentRow): number {
  const seconds = BigInt(row.valid_before) - BigInt(row.valid_after)
  return Number(seconds < longestSeconds ? seconds : longestSeconds)
}

const longestSeconds = 2n ** 31n - 1n

function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
