import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/schema.ts'
import { type Held, move, rest } from './payments.ts'

/** The way back of a payment's money: settled, final or paid ──► refunding ──► refunded. */

/** Who signs the refund, and until when (Unix seconds) what was signed can be carried out: 0 while nothing is. */
export interface Signing {
  readonly refundFrom: string
  readonly refundUntil: bigint
}

/**
 * Begins the refund of a payment whose money is here. In the same statement what it has bought ends: from then
 * on nothing is served for it, an API key it bought is revoked, and the days it added to one are taken back.
 * @returns undefined when there is nothing to refund, or somebody is serving it this moment.
 */
export async function beginRefund(
  { queries, clock }: Books,
  id: string,
  signing: Signing,
  leaseMs: number,
): Promise<PaymentRow | undefined> {
  const now = new Date(clock.now())
  return queries
    .with('begun', (db) =>
      db
        .updateTable('payments')
        .set((row) => ({
          ...signing,
          state: 'refunding' as const,
          attempt: row('attempt', '+', 1),
          tries: 0,
          failure: null,
          leaseUntil: new Date(now.getTime() + leaseMs),
          updatedAt: now,
        }))
        .where('id', '=', id)
        .where((row) =>
          row.or([
            row('state', 'in', ['settled', 'final']),
            row.and([row('state', '=', 'paid'), row('leaseUntil', '<', now)]),
          ]),
        )
        .returningAll(),
    )
    .with(
      'revoked',
      () => sql`(update keys set revoked_at = coalesce(keys.revoked_at, ${now}::timestamptz)
        from begun where keys.payment_id = begun.id)`,
    )
    .with(
      'shortened',
      () => sql`(update keys set expires_at = keys.expires_at - renewed.days * interval '24 hours'
        from begun join key_renewals as renewed on renewed.payment_id = begun.id where keys.id = renewed.key_id)`,
    )
    .selectFrom('begun')
    .selectAll()
    .executeTakeFirst()
}

/** Notes a new signature before it is shown to anybody. @returns false when somebody else goes on with the refund. */
export async function signAgain(books: Books, held: Held, signing: Signing): Promise<boolean> {
  return move(books, held, ['refunding'], signing)
}

/** The money is back at the payer. */
export async function markRefunded(books: Books, held: Held, transaction: string): Promise<boolean> {
  return move(books, held, ['refunding'], {
    state: 'refunded',
    refundTransaction: transaction,
    failure: null,
  })
}

/** A refund that was carried out, as far as it says what to look for on the chain. */
export type Refunded = Pick<PaymentRow, 'id' | 'attempt' | 'payer' | 'amount' | 'refundFrom' | 'refundUntil'>

/**
 * Refunds of one network that were carried out before this time (Unix seconds), by signatures that are
 * valid after it.
 */
export async function refundsAround({ queries }: Books, chainId: number, time: bigint): Promise<Refunded[]> {
  return queries
    .selectFrom('payments')
    .select(['id', 'attempt', 'payer', 'amount', 'refundFrom', 'refundUntil'])
    .where('state', '=', 'refunded')
    .where('chainId', '=', chainId)
    .where('refundUntil', '>', time)
    .where('updatedAt', '<', new Date(Number(time) * 1000))
    .execute()
}

/** The chain has dropped the refund: it is open again, and due at once. */
export async function reopenRefund(books: Books, { id, attempt }: Held): Promise<boolean> {
  return move(books, { id, attempt }, ['refunded'], {
    state: 'refunding',
    refundTransaction: null,
    tries: 0,
    leaseUntil: new Date(books.clock.now() - 1),
  })
}

/** Not yet, or not as far as anyone knows: it is tried again after a while. */
export async function postponeRefund(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['refunding'], { failure, ...rest(books) })
}

/** This worker cannot pay it: whoever can may go on at once. */
export async function leaveRefund(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['refunding'], { failure, leaseUntil: new Date(books.clock.now() - 1) })
}
