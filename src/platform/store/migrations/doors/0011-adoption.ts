import { type Kysely, sql } from 'kysely'

/**
 * What became of an unmatched transfer, and refunds of a part of a payment.
 *
 * `refund_amount` is null in refunds that an older gateway has begun: those give the whole amount back. While
 * a gateway of the version before still runs, a partial refund must not be begun: it would continue it with
 * the whole amount.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strangers')
    .addColumn('payment_id', 'text')
    .addColumn('dismissed_at', 'timestamptz')
    .addColumn('dismissal', 'text')
    .execute()
  await db.schema
    .alterTable('payments')
    // The last guard: no refund gives back more than was taken.
    .addColumn('refund_amount', 'int8', (column) =>
      column.check(sql`refund_amount > 0 and refund_amount <= amount`),
    )
    .addColumn('refund_reason', 'text')
    .execute()
}
