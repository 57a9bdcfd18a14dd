import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'

/** Finds the payment with this id, in any state. */
export async function findPayment(books: Books, id: string): Promise<PaymentRow | undefined> {
  return books.queries.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Finds the payment by which a payer has bought, or is buying, on this network under an idempotency key. A
 * purchase on another network is another purchase: test money must not pay for it.
 */
export async function findPurchase(
  books: Books,
  { chainId, payer }: Pick<PaymentRow, 'chainId' | 'payer'>,
  key: string,
): Promise<PaymentRow | undefined> {
  return books.queries
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('chainId', '=', chainId)
    .where('idempotencyKey', '=', key)
    .where('state', 'not in', ['released', 'failed'])
    .executeTakeFirst()
}
