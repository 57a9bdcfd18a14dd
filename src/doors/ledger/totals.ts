import { type RawBuilder, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { PaymentState } from '../../platform/store/rows/payments.ts'
import type { Tables } from '../../platform/store/schema.ts'
import type { Period } from './list.ts'

/** The payments of one operation in one state. Amounts in atomic units. */
export interface Total {
  readonly operation: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount: bigint
}

/** The token to sum, in lower-case hex. Test tokens and real money must not be added up. */
export type Currency = Pick<Tables['payments'], 'chainId' | 'asset'>

/** The states of payments whose money we have received. */
export const receivedStates = ['paid', 'settled', 'final', 'refunding', 'refunded'] as const

/** The periods that sums are made for, in UTC. */
export const spans = ['day', 'month'] as const

export type Span = (typeof spans)[number]

/** A sum of a day (`2026-05-31`) or a month (`2026-05`). */
export type OfSpan<Sum> = Sum & { readonly span: string }

/**
 * Sums the payments by operation and state. A payment counts at the time its money came in, as in the journal,
 * and at the time it was made while no money has come in.
 * @param currency all tokens when left out.
 */
export async function totals(
  { queries }: Pick<Books, 'queries'>,
  currency?: Currency,
  period: Period = {},
): Promise<Total[]> {
  const { rows } = await sql<Counted<Total>>`
    select operation, state, count(*) as payments, sum(amount)::int8 as amount
    from (${dated(currency, period)}) as dated
    group by operation, state order by operation, state`.execute(queries)
  return rows.map(withNumber)
}

/** As `totals`, for each day or month in which there are payments, the first one first. */
export async function totalsBy(
  span: Span,
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<OfSpan<Total>[]> {
  const { group, name } = spansOf(span, 'at')
  const { rows } = await sql<Counted<OfSpan<Total>>>`
    select ${name} as span, operation, state, count(*) as payments, sum(amount)::int8 as amount
    from (${dated(currency, period)}) as dated
    group by ${group}, operation, state order by ${group}, operation, state`.execute(queries)
  return rows.map(withNumber)
}

/** Of a refunded payment. A refund that an older version made has no amount: it gave everything back. */
export const givenBack = sql<bigint>`coalesce(payments.refund_amount, payments.amount)`

/** What was given back, the whole or a part of so many payments. */
export type Refunded = Pick<Total, 'payments' | 'amount'>

/** Sums the refunds by the day or month in which the money was back. */
export async function refundedBy(
  span: Span,
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<OfSpan<Refunded>[]> {
  const { group, name } = spansOf(span, 'updatedAt')
  const { rows } = await sql<Counted<OfSpan<Refunded>>>`
    select ${name} as span, count(*) as payments, sum(${givenBack})::int8 as amount
    from payments where state = 'refunded' and ${ofCurrency(currency)} and ${within('updatedAt', period)}
    group by ${group} order by ${group}`.execute(queries)
  return rows.map(withNumber)
}

/** Sums the refunds of a period. */
export async function refunded(
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<Refunded> {
  const { rows } = await sql<Counted<Refunded>>`
    select count(*) as payments, coalesce(sum(${givenBack}), 0)::int8 as amount
    from payments where state = 'refunded' and ${ofCurrency(currency)} and ${within('updatedAt', period)}
    `.execute(queries)
  const [sum] = rows.map(withNumber)
  return sum ?? { payments: 0, amount: 0n }
}

/** Sums all refunds by operation. */
export async function refundedByOperation(
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
): Promise<(Refunded & Pick<Total, 'operation'>)[]> {
  const { rows } = await sql<Counted<Refunded & Pick<Total, 'operation'>>>`
    select operation, count(*) as payments, sum(${givenBack})::int8 as amount
    from payments where state = 'refunded' and ${ofCurrency(currency)} group by operation`.execute(queries)
  return rows.map(withNumber)
}

/**
 * The days or months of the times in a column: what to group by, and its name. The name is made of the group,
 * because making it of each row takes longer than all the rest.
 */
export function spansOf(
  span: Span,
  column: string,
): { readonly group: RawBuilder<Date>; readonly name: RawBuilder<string> } {
  const group = sql<Date>`date_trunc(${sql.lit(span)}, ${sql.ref(column)} at time zone 'UTC')`
  return {
    group,
    name: sql<string>`to_char(${group}, ${sql.lit(span === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM')})`,
  }
}

/** Whether the time in a column lies in a period. */
export function within(column: string, { since, until }: Period): RawBuilder<boolean> {
  const at = sql.ref(column)
  return sql.join(
    [
      sql`true`,
      ...(since ? [sql`${at} >= ${since}::timestamptz`] : []),
      ...(until ? [sql`${at} < ${until}::timestamptz`] : []),
    ],
    sql` and `,
  )
}

/**
 * The payments of a period, each at its time. Two selects, because each has an index that holds all that it
 * reads (migration 0012).
 */
function dated(currency: Currency | undefined, period: Period) {
  const columns = sql`operation, state, amount`
  return sql`
    select settled_at as at, ${columns} from payments
      where settled_at is not null and ${ofCurrency(currency)} and ${within('settledAt', period)}
    union all
    select created_at, ${columns} from payments
      where settled_at is null and ${ofCurrency(currency)} and ${within('createdAt', period)}`
}

function ofCurrency(currency: Currency | undefined): RawBuilder<boolean> {
  return currency ? sql`chain_id = ${currency.chainId} and asset = ${currency.asset}` : sql`true`
}

/** As the drivers read it: a count is an `int8`. */
type Counted<Sum> = Omit<Sum, 'payments'> & { readonly payments: bigint }

function withNumber<Row extends { readonly payments: bigint }>(row: Row) {
  return { ...row, payments: Number(row.payments) }
}
