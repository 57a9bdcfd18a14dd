import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'

/** Finds the payment with this id, in any state. */
export async function findPayment(books: Books, id: string): Promise<PaymentRow | undefined> {
  return books.queries.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the payment by which a payer has bought, or is buying, under an idempotency key. */
export async function findPurchase(
  books: Books,
  payer: string,
  key: string,
): Promise<PaymentRow | undefined> {
  return books.queries
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('idempotencyKey', '=', key)
    .where('state', 'not in', ['released', 'failed'])
    .executeTakeFirst()
}
