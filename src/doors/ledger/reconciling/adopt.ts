import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/rows/settlement.ts'
import type { Claim } from '../claim.ts'

/**
 * Unmatched transfers that become payments. After a restored backup the chain holds sales that the books have
 * lost: adopted, their payers are served or refunded instead of paying twice.
 */

/**
 * The operation of an adopted payment until its payer sends it again: the chain does not show what was bought.
 * No operation of a catalog can have this name.
 */
export const adoptedOperation = 'adopted-transfer'

/** The request of an adopted payment until its payer sends it again. No hash is empty. */
const unboundRequest = ''

/** Whether an adopted payment still waits for the call that it pays for. */
export function isUnbound({ requestHash, state }: Pick<PaymentRow, 'requestHash' | 'state'>): boolean {
  return requestHash === unboundRequest && state === 'paid'
}

/** What the chain shows of the payment that a transfer was. */
export interface Adoption
  extends Pick<
    PaymentRow,
    'id' | 'nonce' | 'scheme' | 'authorized' | 'facilitator' | 'validAfter' | 'validBefore' | 'signature'
  > {
  /** `paid` when the call is owed, `final` when it was served before the money moved. */
  readonly state: 'paid' | 'final'
}

/**
 * Makes a payment of an unmatched transfer. One statement marks the transfer and writes the payment, so that
 * two operators cannot adopt it twice, and none can adopt what another dismisses. The payment's time is that
 * at which the transfer was found, so that the journal keeps the day of its entry.
 * @returns false when the transfer is a payment already or is dismissed, or the books have another payment
 *   with this id.
 */
export async function adopt(
  { queries, clock }: Books,
  { chainId, transaction, logIndex }: Pick<UnmatchedTransferRow, 'chainId' | 'transaction' | 'logIndex'>,
  { id, nonce, scheme, authorized, facilitator, validAfter, validBefore, signature, state }: Adoption,
): Promise<boolean> {
  const now = new Date(clock.now())
  const timing = scheme === 'upto' ? 'metered' : 'before'
  const { rows } = await sql`
    with found as (
      update strangers set payment_id = ${id}
      where chain_id = ${chainId} and transaction = ${transaction} and log_index = ${logIndex}
        and payment_id is null and dismissed_at is null
        and not exists (select from payments where id = ${id})
      returning *
    )
    insert into payments (id, chain_id, asset, payer, nonce, pay_to, amount, scheme, authorized, facilitator,
      valid_after, valid_before, signature, version, operation, request_hash, timing, state, attempt, tries,
      lease_until, transaction, block_number, block_hash, settled_at, created_at, updated_at)
    select ${id}, chain_id, asset, payer, ${nonce}, pay_to, amount, ${scheme}, ${authorized}::int8,
      ${facilitator}, ${validAfter}, ${validBefore}, ${signature}, 2, ${adoptedOperation}, ${unboundRequest},
      ${timing}, ${state}, 1, 0, ${new Date(now.getTime() - 1)}::timestamptz, transaction, block_number,
      block_hash, seen_at, ${now}::timestamptz, ${now}::timestamptz
    from found returning id`.execute(queries)
  return rows.length > 0
}

/**
 * The call that an adopted payment is sent with. Signature and validity are not part of it: those of the row
 * come from the chain.
 */
export type BoundCall = Pick<Claim, 'id' | 'operation' | 'requestHash' | 'version'>

/**
 * Binds an adopted payment to the first call that its payer sends it with. One statement decides between
 * copies; from then on the payment pays for this call only.
 * @param price of the call, in atomic units: a dearer call is not bound.
 */
export async function bindAdopted(
  { queries, clock }: Books,
  { id, ...call }: BoundCall,
  price: bigint,
): Promise<void> {
  await queries
    .updateTable('payments')
    .set({ ...call, updatedAt: new Date(clock.now()) })
    .where('id', '=', id)
    .where('state', '=', 'paid')
    .where('requestHash', '=', unboundRequest)
    .where('amount', '>=', price)
    .execute()
}
