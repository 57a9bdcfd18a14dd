import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentState, Tables } from '../../platform/store/schema.ts'

/** What the books say in sum. Amounts in atomic units. */
export interface Total {
  readonly operation: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount: bigint
}

/** The token that is summed, lower-case hex: play money and money never add up to anything. */
export type Currency = Pick<Tables['payments'], 'chainId' | 'asset'>

/** The states of payments whose money came in. */
export const takenStates = ['paid', 'settled', 'final', 'refunding', 'refunded'] as const

/** Sums the payments by operation and state; all there are, unless a currency is named. */
export async function totals({ queries }: Pick<Books, 'queries'>, currency?: Currency): Promise<Total[]> {
  let query = queries
    .selectFrom('payments')
    .select(['operation', 'state'])
    .select(({ fn }) => fn.countAll<bigint>().as('payments'))
    // A sum of int8 is numeric, which would come back as text in one driver and as a number in the other.
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
  if (currency) {
    query = query.where('chainId', '=', currency.chainId).where('asset', '=', currency.asset)
  }
  const rows = await query.groupBy(['operation', 'state']).orderBy('operation').orderBy('state').execute()
  return rows.map((row) => ({ ...row, payments: Number(row.payments) }))
}
