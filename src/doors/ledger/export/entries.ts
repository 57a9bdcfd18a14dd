import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { microsecondTime, type Page, pageOf } from '../../../platform/store/page.ts'
import type { GasPurpose } from '../../../platform/store/rows/settlement.ts'
import type { Period } from '../list.ts'
import { type Currency, givenBack, receivedStates } from '../totals.ts'

export const entryKinds = ['sale', 'refund', 'stranger', 'cost', 'gas'] as const

/**
 * Money that came in or went out, as an accountant books it: a refunded sale is two entries, each on its own
 * day.
 */
export interface Entry {
  readonly kind: (typeof entryKinds)[number]
  readonly at: Date
  /**
   * The payment's id; for an unmatched transfer (type `stranger`) its transaction and log index; for a cost
   * its nonce; for gas its transaction.
   */
  readonly id: string
  /** The operation that was sold, or that the cost was for; null for an unmatched transfer and for gas. */
  readonly operation: string | null
  /** The upstream that we paid, for a cost; null for all other entries. */
  readonly upstream: string | null
  /** What the transaction was sent for, for gas; null for all other entries. */
  readonly purpose: GasPurpose | null
  /** The other side: the payer of a sale or refund, or the recipient of a cost; null for gas. */
  readonly payer: string | null
  /** Our account; null when the books do not have it. */
  readonly account: string | null
  /** Atomic units of the token, or wei for gas; never negative. */
  readonly amount: bigint
  /** Why the operator made a refund, or dismissed an unmatched transfer; null otherwise. */
  readonly reason: string | null
  /** Null for a cost whose transaction was not found. */
  readonly transaction: string | null
  readonly blockNumber: bigint | null
  /** False while the chain may still drop the block. */
  readonly isFinal: boolean
}

/** The last entry before a page. */
export type EntryPosition = readonly [at: string, kind: string, id: string]

/**
 * Lists one page of the entries of a period, in the order of time. The time of an entry is the time at which
 * the gateway saw the money move on the chain, or found the unmatched transfer.
 */
export async function listEntries(
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
  after: EntryPosition | undefined,
  limit: number,
): Promise<Page<Entry, EntryPosition>> {
  const most = limit + 1
  const within = (column: string, kind: Entry['kind'], id: ReturnType<typeof sql>) => {
    const at = sql.ref(column)
    const { since = null, until = null } = period
    // Gas is paid in ether, whatever token is moved.
    const token = kind === 'gas' ? sql`` : sql`and asset = ${currency.asset}`
    const here = sql`chain_id = ${currency.chainId} ${token}
      and (${since}::timestamptz is null or ${at} >= ${since}::timestamptz)
      and (${until}::timestamptz is null or ${at} < ${until}::timestamptz)`
    return after
      ? sql`${here} and (${at}, ${kind}::text, ${id}) > (${after[0]}::timestamptz, ${after[1]}, ${after[2]})`
      : here
  }
  const paymentId = sql.ref('id')
  const strangerId = sql`transaction || ':' || log_index`
  const { rows } = await sql<Omit<Entry, 'amount'> & { readonly amount: string; readonly position: string }>`
    select entries.*, ${microsecondTime('at')} as position from (
      (select 'sale' as kind, settled_at as at, id, operation, null as upstream, null as purpose, payer, pay_to as account,
          amount::text, null as reason, transaction, block_number, state not in ('paid', 'settled') as is_final
        from payments where settled_at is not null and state in (${sql.join([...receivedStates])})
          and ${within('settledAt', 'sale', paymentId)}
        order by settled_at, id limit ${most})
      union all
      (select 'refund', updated_at, id, operation, null, null, payer, refund_from, ${givenBack}::text, refund_reason,
          refund_transaction, null, true
        from payments where state = 'refunded' and ${within('updatedAt', 'refund', paymentId)}
        order by updated_at, id limit ${most})
      union all
      (select 'stranger', seen_at, ${strangerId}, null, null, null, payer, pay_to, amount::text, dismissal, transaction,
          block_number, true
        from strangers where payment_id is null and ${within('seenAt', 'stranger', strangerId)}
        order by seen_at, 3 limit ${most})
      union all
      (select 'cost', updated_at, id, operation, upstream, null, pay_to, payer, amount::text, null, transaction, null, true
        from costs where state = 'taken' and ${within('updatedAt', 'cost', paymentId)}
        order by updated_at, id limit ${most})
      union all
      (select 'gas', seen_at, transaction, null, null, purpose, null, account, wei::text, null, transaction,
          block_number, true
        from gas_costs where ${within('seenAt', 'gas', sql.ref('transaction'))}
        order by seen_at, transaction limit ${most})
    ) as entries
    order by at, kind, id limit ${most}`.execute(queries)
  const entries = rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
  return pageOf(entries, limit, ({ position, kind, id }): EntryPosition => [position, kind, id])
}
