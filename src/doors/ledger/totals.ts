import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentState, Tables } from '../../platform/store/schema.ts'

/** The payments of one operation in one state. Amounts in atomic units. */
export interface Total {
  readonly operation: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount: bigint
  /** What was given back of it. */
  readonly refunded: bigint
}

/** The token to sum, in lower-case hex. Test tokens and real money must not be added up. */
export type Currency = Pick<Tables['payments'], 'chainId' | 'asset'>

/** The states of payments whose money we have received. */
export const receivedStates = ['paid', 'settled', 'final', 'refunding', 'refunded'] as const

/**
 * Sums the payments by operation and state.
 * @param currency all tokens when left out.
 */
export async function totals({ queries }: Pick<Books, 'queries'>, currency?: Currency): Promise<Total[]> {
  let query = queries
    .selectFrom('payments')
    .select(['operation', 'state'])
    .select(({ fn }) => fn.countAll<bigint>().as('payments'))
    // A sum of int8 is numeric, which one driver returns as text and the other as a number.
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
    .select(
      sql<bigint>`coalesce(sum(coalesce(refund_amount, amount)) filter (where state = 'refunded'), 0)::int8`.as(
        'refunded',
      ),
    )
  if (currency) {
    query = query.where('chainId', '=', currency.chainId).where('asset', '=', currency.asset)
  }
  const rows = await query.groupBy(['operation', 'state']).orderBy('operation').orderBy('state').execute()
  return rows.map((row) => ({ ...row, payments: Number(row.payments) }))
}
