import { concat, keccak256, toHex } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import { refundAmountOf } from '../../ledger/refunds.ts'
import type { Authorization, Requirement } from '../wire/types.ts'
import { hex } from './payment-row.ts'

/** How long a signed refund is valid. If it expires unused, a new one is signed. */
export const refundValiditySeconds = 3_600n

/**
 * The authorization that gives a payment back. Its nonce is made from the payment's id: however often the
 * refund is signed and sent, and for whatever amount, the token carries out one.
 * @param from the account that signs it.
 * @param until the end of its validity, in Unix seconds.
 */
export function refundAuthorization(
  row: Pick<PaymentRow, 'id' | 'payer' | 'amount' | 'refundAmount'>,
  from: string,
  until: bigint,
): Authorization {
  return {
    from: hex(from),
    to: hex(row.payer),
    value: refundAmountOf(row),
    validAfter: 0n,
    validBefore: until,
    nonce: keccak256(concat([toHex('tollgate refund'), hex(row.id)])),
  }
}

/** The requirement that a refund meets when a facilitator settles it like a payment. */
export function refundRequirement({ to, value }: Authorization, { caip2, usdc }: Network): Requirement {
  return {
    scheme: 'exact',
    network: caip2,
    amount: value.toString(),
    asset: usdc.address,
    payTo: to,
    maxTimeoutSeconds: Number(refundValiditySeconds),
    extra: { name: usdc.name, version: usdc.version },
  }
}
