import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentRow } from '../../platform/store/rows/payments.ts'
import { backOff, type Held, move } from './payments.ts'

/** The refund of a payment: settled, final or paid ──► refunding ──► refunded. */

/**
 * The account that signs the refund, and until when (Unix seconds) its signature is valid: 0 before the first
 * one.
 */
export interface RefundSigning {
  readonly refundFrom: string
  readonly refundUntil: bigint
}

/** How much goes back, and why. A payment is refunded once, so the amount of its refund never changes. */
export interface RefundTerms {
  /** Atomic units; the whole payment when left out. */
  readonly amount?: bigint | undefined
  /** For the books only. */
  readonly reason?: string | undefined
}

/** The amount that goes back, or would, in atomic units. */
export function refundAmountOf({
  amount,
  refundAmount,
}: Pick<PaymentRow, 'amount' | 'refundAmount'>): bigint {
  return refundAmount ?? amount
}

/**
 * Begins the refund of a payment whose money is here. When everything goes back, the same statement ends what
 * the payment bought: nothing more is served for it, a key that it bought is revoked, and the days that it
 * added to a key are taken back. A part can go back only when the payment was served, and ends nothing.
 * @returns undefined when there is nothing to refund, or when a worker is serving the payment.
 */
export async function beginRefund(
  { queries, clock }: Books,
  id: string,
  signing: RefundSigning,
  leaseMs: number,
  { amount: part, reason }: RefundTerms = {},
): Promise<PaymentRow | undefined> {
  const now = new Date(clock.now())
  const amount = sql<bigint>`coalesce(${part ?? null}::int8, amount)`
  return queries
    .with('begun', (db) =>
      db
        .updateTable('payments')
        .set((row) => ({
          ...signing,
          state: 'refunding' as const,
          refundAmount: amount,
          refundReason: reason ?? null,
          attempt: row('attempt', '+', 1),
          tries: 0,
          failure: null,
          leaseUntil: new Date(now.getTime() + leaseMs),
          updatedAt: now,
        }))
        .where('id', '=', id)
        .where('amount', '>=', amount)
        .where((row) =>
          row.or([
            row('state', 'in', ['settled', 'final']),
            row.and([row('state', '=', 'paid'), row('leaseUntil', '<', now), row('amount', '=', amount)]),
          ]),
        )
        .returningAll(),
    )
    .with(
      'revoked',
      () => sql`(update keys set revoked_at = coalesce(keys.revoked_at, ${now}::timestamptz)
        from begun where keys.payment_id = begun.id and begun.refund_amount = begun.amount)`,
    )
    .with(
      'shortened',
      () => sql`(update keys set expires_at = keys.expires_at - renewed.days * interval '24 hours'
        from begun join key_renewals as renewed on renewed.payment_id = begun.id where keys.id = renewed.key_id
          and begun.refund_amount = begun.amount)`,
    )
    .selectFrom('begun')
    .selectAll()
    .executeTakeFirst()
}

/**
 * Records a new signature before it leaves the gateway.
 * @returns false when another worker has taken the refund over.
 */
export async function recordSigning(books: Books, held: Held, signing: RefundSigning): Promise<boolean> {
  return move(books, held, ['refunding'], signing)
}

/** Marks that the payer has the money back. */
export async function markRefunded(books: Books, held: Held, transaction: string): Promise<boolean> {
  return move(books, held, ['refunding'], {
    state: 'refunded',
    refundTransaction: transaction,
    failure: null,
  })
}

/** A finished refund, with the columns that identify its transfer on the chain. */
export type RefundedPayment = Pick<
  PaymentRow,
  'id' | 'attempt' | 'payer' | 'amount' | 'refundAmount' | 'refundFrom' | 'refundUntil'
>

/**
 * Finds refunds of one network that finished before `time` (Unix seconds) and whose signatures are valid
 * after it.
 */
export async function refundsAround(
  { queries }: Books,
  chainId: number,
  time: bigint,
): Promise<RefundedPayment[]> {
  return queries
    .selectFrom('payments')
    .select(['id', 'attempt', 'payer', 'amount', 'refundAmount', 'refundFrom', 'refundUntil'])
    .where('state', '=', 'refunded')
    .where('chainId', '=', chainId)
    .where('refundUntil', '>', time)
    .where('updatedAt', '<', new Date(Number(time) * 1000))
    .execute()
}

/** Reopens a refund that the chain has dropped. It is due immediately. */
export async function reopenRefund(books: Books, { id, attempt }: Held): Promise<boolean> {
  return move(books, { id, attempt }, ['refunded'], {
    state: 'refunding',
    refundTransaction: null,
    tries: 0,
    leaseUntil: new Date(books.clock.now() - 1),
  })
}

/** Marks an attempt that did not pay, or whose outcome is unknown. The refund is tried again later. */
export async function postponeRefund(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['refunding'], { failure, ...backOff(books) })
}

/** Hands a refund that this worker cannot pay to other workers, immediately. */
export async function leaveRefund(books: Books, held: Held, failure: string): Promise<boolean> {
  return move(books, held, ['refunding'], { failure, leaseUntil: new Date(books.clock.now() - 1) })
}
