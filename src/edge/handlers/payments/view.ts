import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { formatUsdc } from '../../../core/money.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { Listed } from '../../../doors/ledger/list.ts'
import { sum } from '../amounts.ts'
import type { bookedSchema, paymentSchema } from './replies.ts'

/** How all the endpoints that show a payment read its id and tell it. */

export const paymentId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((id) => id.toLowerCase())

export function describePayment(row: Listed): z.infer<typeof paymentSchema> {
  return {
    paymentId: row.id,
    state: row.state,
    operation: row.operation,
    ...sum(row.amount),
    scheme: row.scheme,
    authorized: formatUsdc(row.authorized),
    authorizedAtomic: row.authorized.toString(),
    asset: checksummed(row.asset),
    network: `eip155:${row.chain_id}`,
    payer: checksummed(row.payer),
    payTo: checksummed(row.pay_to),
    transaction: row.transaction,
    block: row.block_number === null ? null : Number(row.block_number),
    refundTransaction: row.refund_transaction,
    createdAt: unixSeconds(row.created_at),
    updatedAt: unixSeconds(row.updated_at),
    settledAt: row.settled_at && unixSeconds(row.settled_at),
  }
}

export function describeBooked(row: Listed): z.infer<typeof bookedSchema> {
  const { reply_status: status, reply_bytes: bytes } = row
  return {
    ...describePayment(row),
    blockHash: row.block_hash,
    nonce: row.nonce,
    validAfter: row.valid_after,
    validBefore: row.valid_before,
    x402Version: row.version,
    requestHash: row.request_hash,
    idempotencyKey: row.idempotency_key,
    settles: row.timing,
    attempt: row.attempt,
    tries: row.tries,
    leaseUntil: unixSeconds(row.lease_until),
    failure: row.failure,
    refundFrom: row.refund_from && checksummed(row.refund_from),
    facilitator: row.facilitator && checksummed(row.facilitator),
    reply: status === null ? null : { status, bytes },
  }
}
