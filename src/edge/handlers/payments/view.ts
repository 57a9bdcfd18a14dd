import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { formatUsdc } from '../../../core/money.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { ListedPayment } from '../../../doors/ledger/list.ts'
import { refundAmountOf } from '../../../doors/ledger/refunds.ts'
import { caip2Of } from '../../../platform/chain/networks.ts'
import { sum } from '../amounts.ts'
import type { bookedSchema, paymentSchema, shownPaymentSchema } from './replies.ts'

/**
 * How all endpoints that show a payment read its id and write it: for callers who have the id, and for the
 * operator.
 */

/** For the examples of the documents. */
export const examplePaymentId = `0x${'4f'.repeat(32)}`

export const paymentId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .meta({ examples: [examplePaymentId] })
  .transform((id) => id.toLowerCase())

/** How much of a payment a caller may see. */
export type Sight =
  /** Nothing but its state: the id can be computed from what the chain shows. */
  | 'state'
  /** What the chain shows: for a caller with a signature that everybody can read by now. */
  | 'chain'
  /** Everything: for the payer and the operator. */
  | 'all'

/** A payment for a caller that may prove to be its payer. */
export function describeFor(
  sight: Sight,
  row: ListedPayment,
): Omit<z.infer<typeof shownPaymentSchema>, 'meaning'> {
  const { id: paymentId, state } = row
  switch (sight) {
    case 'state':
      return { paymentId, state }
    case 'chain':
      return { paymentId, state, ...describeTransfer(row) }
    case 'all':
      return describePayment(row)
  }
}

function describePayment(row: ListedPayment): z.infer<typeof paymentSchema> {
  return {
    paymentId: row.id,
    state: row.state,
    operation: row.operation,
    ...describeTransfer(row),
    createdAt: unixSeconds(row.createdAt),
    updatedAt: unixSeconds(row.updatedAt),
  }
}

function describeTransfer(row: ListedPayment) {
  const refunded = row.refundFrom === null ? null : refundAmountOf(row)
  return {
    ...sum(row.amount),
    scheme: row.scheme,
    authorized: formatUsdc(row.authorized),
    authorizedAtomic: row.authorized.toString(),
    asset: checksummed(row.asset),
    network: caip2Of(row.chainId),
    payer: checksummed(row.payer),
    payTo: checksummed(row.payTo),
    transaction: row.transaction,
    block: row.blockNumber === null ? null : Number(row.blockNumber),
    refundTransaction: row.refundTransaction,
    refundAmount: refunded === null ? null : formatUsdc(refunded),
    refundAmountAtomic: refunded?.toString() ?? null,
    settledAt: row.settledAt && unixSeconds(row.settledAt),
  }
}

export function describeBooked(row: ListedPayment): z.infer<typeof bookedSchema> {
  const { replyStatus: status, replyBytes: bytes } = row
  return {
    ...describePayment(row),
    blockHash: row.blockHash,
    nonce: row.nonce,
    validAfter: row.validAfter,
    validBefore: row.validBefore,
    x402Version: row.version,
    requestHash: row.requestHash,
    idempotencyKey: row.idempotencyKey,
    settles: row.timing,
    attempt: row.attempt,
    tries: row.tries,
    leaseUntil: unixSeconds(row.leaseUntil),
    failure: row.failure,
    refundFrom: row.refundFrom && checksummed(row.refundFrom),
    refundReason: row.refundReason,
    facilitator: row.facilitator && checksummed(row.facilitator),
    reply: status === null ? null : { status, bytes },
  }
}
