import { getAddress } from 'viem'
import type { Reply } from '../../../core/reply.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import type { ReadPayerSignature } from '../evidence/signature.ts'
import { type Receipts, withPaymentId } from '../wire/receipt.ts'
import type { Payment } from '../wire/types.ts'
import type { Purchase } from './purchase.ts'
import { unseal } from './seal.ts'

/**
 * What a payment has bought, as it stands in the books: undefined when there is nothing to give again.
 * @param purchase what it was paid for, with the name a secret was sealed under.
 */
export function storedReply(
  row: PaymentRow,
  { endpoint, secretName }: Pick<Purchase, 'endpoint' | 'secretName'>,
  receipts: Receipts,
): Reply | undefined {
  const { replyStatus: status, replyHeaders: headers, replyBody: kept, transaction } = row
  if (status === null || headers === null || kept === null || transaction === null) return undefined
  const body = secretName === undefined ? kept : unseal(kept, secretName, row.id)
  if (!body) return undefined
  const settledAt = row.settledAt ?? row.updatedAt
  const payer = getAddress(row.payer)
  return receipts.attach(withPaymentId({ status, headers, body }, row.id), {
    success: true,
    transaction,
    payer,
    endpoint,
    settledAt,
    amount: row.scheme === 'upto' ? row.amount : undefined,
  })
}

/**
 * Whoever asks for a stored reply must show the payer's signature and send the very request it paid for.
 * The signature stands in the chain's calldata once settled, so it is the request that is the secret
 * then. A smart wallet's signature is compared with the one that was verified.
 */
export function provesOwnership(
  payment: Payment,
  row: PaymentRow,
  readPayerSignature: ReadPayerSignature,
): boolean {
  return payment.signature === row.signature || readPayerSignature(payment) !== undefined
}
