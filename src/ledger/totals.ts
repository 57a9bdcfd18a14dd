import { sql } from 'kysely'
import type { PaymentState } from '../store/schema.ts'
import type { Books } from './payments.ts'

/** What the books say in sum. Amounts in atomic units. */
export interface Total {
  readonly operation: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount: bigint
}

/** Sums the payments by operation and state. */
export async function totals({ queries }: Pick<Books, 'queries'>): Promise<Total[]> {
  const rows = await queries
    .selectFrom('payments')
    .select(['operation', 'state'])
    .select(({ fn }) => fn.countAll<bigint>().as('payments'))
    // A sum of int8 is numeric, which would come back as text in one driver and as a number in the other.
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
    .groupBy(['operation', 'state'])
    .orderBy('operation')
    .orderBy('state')
    .execute()
  return rows.map((row) => ({ ...row, payments: Number(row.payments) }))
}
