import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Network } from '../chain/networks.ts'
import type { Endpoint, Reply } from '../core/call.ts'
import type { PricedOperation } from '../core/catalog.ts'
import { unixSeconds } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import {
  type Books,
  type Claim,
  claim,
  findPayment,
  type Held,
  markFailed,
  markServed,
  markSettled,
  markSettling,
  release,
} from '../ledger/payments.ts'
import type { PaymentRow } from '../store/schema.ts'
import type { Challenges } from './challenge.ts'
import { type Facilitator, PaymentsUnavailable } from './facilitator.ts'
import { inProgress, replayed, unavailable, unknown, unknownRetrySeconds } from './payment-errors.ts'
import { withReceipt } from './receipt.ts'
import type { Recovery } from './recovery.ts'
import { matchPayment, type Offer, paymentId, requirementFor } from './requirements.ts'
import { provesOwnership, storedReply } from './stored-reply.ts'
import type { Payment, Requirement } from './types.ts'

/**
 * The payment door. The order is the point: match what was signed with what we ask, which costs
 * nothing; look whether this payment is known, so that a lost reply is answered and not charged;
 * verify; claim; only then may the handler run; write the reply down; only then move the money; and
 * only when the chain shows it, let the reply go.
 */
export interface PaymentDoor {
  /**
   * Opens for a payment that would go through, and holds it for this call.
   * @returns an admission to run the handler under, or the reply that answers the call without it: a
   *   402 for a payment that does not fit, the stored reply for one that was served before.
   * @throws GatewayError PAYMENTS_UNAVAILABLE, PAYMENT_REPLAYED, PAYMENT_IN_PROGRESS.
   */
  open(call: PaidCall): Promise<Admission | Reply>
}

interface PaidCall {
  readonly endpoint: Endpoint
  readonly operation: PricedOperation
  readonly payment: Payment
  /** Path with query string exactly as received. */
  readonly target: string
  readonly body: Uint8Array
}

/** The right to run one handler once. Exactly one of the two is called. */
export interface Admission {
  /** Takes the money for this reply. @returns the reply to send: this one with its receipt, or what became of it. */
  settle(reply: Reply): Promise<Reply>
  /** Gives the payment back unused. */
  release(): Promise<void>
}

interface PaymentDoorOptions {
  readonly books: Books
  readonly facilitator: Facilitator
  readonly recovery: Recovery
  readonly challenges: Challenges
  readonly offer: Offer
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  readonly log: Log
  /** Longest time a settlement may take. */
  readonly settlementTimeoutMs: number
  /** How long a copy of a payment in flight waits for its outcome. */
  readonly patienceMs: number
}

/** Room for the store and the node around a deadline, before somebody else may take a payment over. */
const leaseMarginMs = 10_000

export function createPaymentDoor(options: PaymentDoorOptions): PaymentDoor {
  const {
    books,
    facilitator,
    recovery,
    challenges,
    offer,
    whyNotReady,
    log,
    settlementTimeoutMs,
    patienceMs,
  } = options
  const { network } = offer
  const settleLeaseMs = settlementTimeoutMs + leaseMarginMs

  async function open(call: PaidCall): Promise<Admission | Reply> {
    const { endpoint, operation, payment } = call
    const requirement = requirementFor(operation, offer)
    const neededSeconds = operation.deadline_seconds + Math.ceil(settlementTimeoutMs / 1000)
    const now = unixSeconds(books.clock)
    const wanted = claimOf(call, requirement, network)

    const known = await find(wanted.id)
    if (known && known.state !== 'released') {
      if (!provesOwnership(payment, known, network)) {
        return challenges.refused(endpoint, operation, {
          reason: 'invalid_exact_evm_payload_signature',
          message: 'the signature is not the payer’s',
        })
      }
      const answer = await replay(call, wanted)
      if (answer) return answer
    }

    const reason = whyNotReady()
    if (reason) throw unavailable(new PaymentsUnavailable(reason))
    const mismatch =
      matchPayment(payment, requirement, network, now, neededSeconds) ?? (await verify(payment, requirement))
    if (mismatch) return challenges.refused(endpoint, operation, mismatch)

    const held = await claimFor(wanted, operation)
    if (held) return admission(call, requirement, held)
    const answer = await replay(call, wanted)
    if (answer) return answer
    throw inProgress(wanted.id)
  }

  async function verify(payment: Payment, requirement: Requirement) {
    try {
      return await facilitator.verify(payment, requirement)
    } catch (cause) {
      if (cause instanceof PaymentsUnavailable) throw unavailable(cause)
      throw cause
    }
  }

  async function find(id: string): Promise<PaymentRow | undefined> {
    try {
      return await findPayment(books, id)
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  async function claimFor(wanted: Claim, operation: PricedOperation): Promise<Held | undefined> {
    try {
      return await claim(books, wanted, operation.deadline_seconds * 1000 + leaseMarginMs)
    } catch (cause) {
      // A claim that cannot be written must not be served: the same payment could run twice.
      throw unavailable(cause)
    }
  }

  function admission(call: PaidCall, requirement: Requirement, held: Held): Admission {
    const { endpoint, operation, payment } = call
    const payer = payment.authorization.from
    return {
      release: async () => void (await release(books, held)),

      async settle(reply) {
        // Not written as far as we know. Should it stand in the books all the same, the recovery takes
        // the money, so the payer must not be sent away to pay anew.
        if (!(await isMade(markServed(books, held, reply, settleLeaseMs)))) throw unknown(held.id)

        const settlement = await facilitator.settle(payment, requirement, 'first')
        switch (settlement.outcome) {
          case 'settled':
            // Written or not, the money has moved and the reply is owed; a lost mark is found by the recovery.
            await isMade(markSettled(books, held, settlement.transaction))
            return withReceipt(reply, { success: true, transaction: settlement.transaction, payer }, network)
          case 'failed': {
            // Whoever has taken it over, or will, may settle it yet.
            if (!(await isMade(markFailed(books, held, settlement.refusal.reason)))) throw unknown(held.id)
            log.warn(
              { payment: held.id, reason: settlement.refusal.reason },
              'a served payment failed to settle',
            )
            const failure = { success: false, transaction: '', payer, errorReason: settlement.refusal.reason }
            return withReceipt(challenges.refused(endpoint, operation, settlement.refusal), failure, network)
          }
          case 'unknown':
            log.error({ err: settlement.cause, payment: held.id }, 'the outcome of a settlement is unknown')
            await isMade(markSettling(books, held, settlement.transaction, unknownRetrySeconds * 1000))
            throw unknown(held.id)
        }
      },
    }

    /** Whether a move in the books was made. One that the store did not confirm counts as not made. */
    async function isMade(move: Promise<boolean>): Promise<boolean> {
      try {
        return await move
      } catch (error) {
        log.error({ err: error, payment: held.id }, 'a payment could not be moved in the books')
        return false
      }
    }
  }

  /** Answers a payment that is in the books already. @returns undefined when it may be claimed afresh. */
  async function replay(call: PaidCall, wanted: Claim): Promise<Reply | undefined> {
    const patience = performance.now() + patienceMs
    for (let wait = 25; ; wait = Math.min(wait * 2, 500)) {
      const row = await find(wanted.id)
      if (!row || row.state === 'released') return undefined
      // What failed has bought nothing, whatever it was sent with.
      if (row.request_hash !== wanted.request_hash && row.state !== 'failed') throw replayed(row)
      const abandoned = row.lease_until.getTime() < books.clock.now()
      switch (row.state) {
        case 'claimed':
          if (abandoned) return undefined
          break
        case 'served':
        case 'settling':
          if (abandoned) await finish(row.id)
          break
        case 'failed':
          return challenges.refused(call.endpoint, call.operation, {
            reason: row.failure ?? 'invalid_transaction_state',
            message: 'this payment failed to settle and took no money',
          })
        case 'settled':
        case 'final':
        case 'refunding':
        case 'refunded':
          return storedReply(row, network) ?? fail(replayed(row))
      }
      if (performance.now() > patience) throw row.state === 'claimed' ? inProgress(row.id) : unknown(row.id)
      await pause(wait)
    }
  }

  async function finish(id: string): Promise<void> {
    try {
      await recovery.finish(id)
    } catch (cause) {
      throw unknown(id, cause)
    }
  }

  return { open }
}

function claimOf(
  { endpoint, payment, target, body }: PaidCall,
  requirement: Requirement,
  network: Network,
): Claim {
  const { authorization } = payment
  return {
    id: paymentId(network.chainId, requirement.asset, authorization.from, authorization.nonce),
    chain_id: network.chainId,
    asset: requirement.asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce,
    pay_to: requirement.payTo.toLowerCase(),
    amount: BigInt(requirement.amount),
    valid_after: authorization.validAfter.toString(),
    valid_before: authorization.validBefore.toString(),
    signature: payment.signature,
    version: payment.version,
    operation: endpoint.id,
    request_hash: createHash('sha256').update(`${endpoint.method} ${target}\n`).update(body).digest('hex'),
  }
}

function fail(error: Error): never {
  throw error
}
