import { getAddress } from 'viem'
import type { Reply } from '../../../core/reply.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { ReadPayerSignature } from '../evidence/signature.ts'
import { type Receipts, withPaymentId } from '../wire/receipt.ts'
import { type Authorization, isSameHex, type Payment } from '../wire/types.ts'
import type { Purchase } from './purchase.ts'
import { unseal } from './seal.ts'

/**
 * Reads the reply that a payment has bought from the books, with its receipt; undefined when none is stored.
 */
export function storedReply(
  row: PaymentRow,
  purchase: Pick<Purchase, 'endpoint' | 'target' | 'secretName'>,
  receipts: Receipts,
): Reply | undefined {
  const { secretName } = purchase
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
    call: purchase,
    settledAt,
    amount: row.scheme === 'upto' ? row.amount : undefined,
  })
}

type RecordedPayment = Pick<
  PaymentRow,
  'payer' | 'payTo' | 'authorized' | 'nonce' | 'facilitator' | 'validAfter' | 'validBefore' | 'signature'
>

/**
 * Whether the caller has the payer's signature. A stored reply is given only with the signature and the
 * request that it paid for. After the settlement the signature is public in the chain's calldata, so then
 * only the request is secret, and with `replay: payer` the name of the purchase (`payer-proofs.ts`). A smart wallet's signature is compared with the one that was verified, and what
 * it is sent with must be what it was verified for.
 */
export function provesOwnership(
  payment: Payment,
  row: RecordedPayment,
  readPayerSignature: ReadPayerSignature,
): boolean {
  return isRecorded(payment, row) || readPayerSignature(payment) !== undefined
}

/**
 * Whether the payer has signed the very transfer of a row that was adopted from the chain. A wallet's key must
 * have signed the payment as it was sent. Of a wallet contract's payment all fields must be those that the
 * chain's calldata shows: only the chain could verify another one, and its nonce is used.
 */
export function signsTransfer(
  payment: Payment,
  row: PaymentRow,
  readPayerSignature: ReadPayerSignature,
): boolean {
  return isTransferOf(payment.authorization, row) && provesOwnership(payment, row, readPayerSignature)
}

/** Whether this is the recorded payment, in all that was signed and in its signature. */
function isRecorded({ authorization, signature }: Payment, row: RecordedPayment): boolean {
  return (
    isSameHex(signature, row.signature) &&
    isTransferOf(authorization, row) &&
    authorization.validAfter === BigInt(row.validAfter) &&
    authorization.validBefore === BigInt(row.validBefore)
  )
}

function isTransferOf({ from, to, value, nonce, facilitator }: Authorization, row: RecordedPayment): boolean {
  return (
    isSameHex(from, row.payer) &&
    isSameHex(to, row.payTo) &&
    value === row.authorized &&
    isSameHex(nonce, row.nonce) &&
    isSameHex(facilitator ?? '', row.facilitator ?? '')
  )
}
