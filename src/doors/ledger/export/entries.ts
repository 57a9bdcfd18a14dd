import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { cut, exactTime, type Page } from '../../../platform/store/page.ts'
import type { Period } from '../list.ts'
import { type Currency, takenStates } from '../totals.ts'

/** Money that came or went, as an accountant books it: a refunded sale is two entries, each on its own day. */
export interface Entry {
  readonly kind: 'sale' | 'refund' | 'stranger' | 'cost'
  readonly at: Date
  /** Of the payment; of a stranger, its transaction and the place of the transfer in it; of a cost, its nonce. */
  readonly id: string
  /** What was sold, or what a cost was for; null for a stranger. */
  readonly operation: string | null
  /** Of a cost: whom we paid, by the catalogue's name; null for all others. */
  readonly upstream: string | null
  /** Who sent it, or got it back, or was paid. */
  readonly payer: string
  /** The account of ours that it came to or went from; null when the books do not know it. */
  readonly account: string | null
  /** Atomic units, never negative. */
  readonly amount: bigint
  /** Null where a cost is known to be paid and not by which transaction. */
  readonly transaction: string | null
  readonly blockNumber: bigint | null
  /** False while the chain may still drop the block. */
  readonly isFinal: boolean
}

/** Behind which entry to go on. */
export type EntryPosition = readonly [at: string, kind: string, id: string]

/**
 * One page of the entries of a period, in the order of time. A sale stands at the time its money was seen
 * to have come, a refund or a cost at the time it was seen to have gone, a stranger's transfer when it was found.
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
    const here = sql`chain_id = ${currency.chainId} and asset = ${currency.asset}
      and (${since}::timestamptz is null or ${at} >= ${since}::timestamptz)
      and (${until}::timestamptz is null or ${at} < ${until}::timestamptz)`
    return after
      ? sql`${here} and (${at}, ${kind}::text, ${id}) > (${after[0]}::timestamptz, ${after[1]}, ${after[2]})`
      : here
  }
  const paymentId = sql.ref('id')
  const strangerId = sql`transaction || ':' || log_index`
  const { rows } = await sql<Entry & { readonly position: string }>`
    select entries.*, ${exactTime('at')} as position from (
      (select 'sale' as kind, settled_at as at, id, operation, null as upstream, payer, pay_to as account, amount, transaction,
          block_number, state not in ('paid', 'settled') as is_final
        from payments where settled_at is not null and state in (${sql.join([...takenStates])})
          and ${within('settledAt', 'sale', paymentId)}
        order by settled_at, id limit ${most})
      union all
      (select 'refund', updated_at, id, operation, null, payer, refund_from, amount, refund_transaction, null, true
        from payments where state = 'refunded' and ${within('updatedAt', 'refund', paymentId)}
        order by updated_at, id limit ${most})
      union all
      (select 'stranger', seen_at, ${strangerId}, null, null, payer, pay_to, amount, transaction, block_number, true
        from strangers where ${within('seenAt', 'stranger', strangerId)}
        order by seen_at, 3 limit ${most})
      union all
      (select 'cost', updated_at, id, operation, upstream, pay_to, payer, amount, transaction, null, true
        from costs where state = 'taken' and ${within('updatedAt', 'cost', paymentId)}
        order by updated_at, id limit ${most})
    ) as entries
    order by at, kind, id limit ${most}`.execute(queries)
  return cut(rows, limit, ({ position, kind, id }): EntryPosition => [position, kind, id])
}
