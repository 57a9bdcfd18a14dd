import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/rows/payments.ts'

/** Finds the payment with this id, in any state. */
export async function findPayment(books: Books, id: string): Promise<PaymentRow | undefined> {
  return books.queries.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Finds the payment by which a payer has bought, or is buying, on this network under an idempotency key. A
 * purchase on another network is another purchase: test money must not pay for it. A delivered stream whose
 * transfer failed has bought its key while the money is asked for again.
 */
export async function findPurchase(
  books: Books,
  { chainId, payer }: Pick<PaymentRow, 'chainId' | 'payer'>,
  key: string,
): Promise<PaymentRow | undefined> {
  const named = books.queries
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('chainId', '=', chainId)
    .where('idempotencyKey', '=', key)
  const bought = await named.where('state', 'not in', ['released', 'failed']).executeTakeFirst()
  return bought ?? named.where('state', '=', 'failed').where('collectAt', 'is not', null).executeTakeFirst()
}

/** Where a payment's transfer is booked, to compare it with one on the chain. */
export type PlacedPayment = Pick<
  PaymentRow,
  'id' | 'state' | 'amount' | 'payTo' | 'transaction' | 'blockNumber'
>

/** Finds the payments with these ids. */
export async function findPlacedPayments(
  { queries }: Pick<Books, 'queries'>,
  ids: readonly string[],
): Promise<PlacedPayment[]> {
  if (ids.length === 0) return []
  return queries
    .selectFrom('payments')
    .select(['id', 'state', 'amount', 'payTo', 'transaction', 'blockNumber'])
    .where('id', 'in', ids)
    .execute()
}

interface PlaceOfPayments extends Pick<PaymentRow, 'chainId'> {
  readonly transaction: string
  readonly blockNumber: bigint
}

/** Finds the ids of the payments whose transfers are in a transaction. */
export async function paymentsIn(
  { queries }: Pick<Books, 'queries'>,
  { chainId, transaction, blockNumber }: PlaceOfPayments,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('payments')
    .select('id')
    .where('blockNumber', '=', blockNumber)
    .where('transaction', '=', transaction)
    .where('chainId', '=', chainId)
    .execute()
  return rows.map(({ id }) => id)
}
