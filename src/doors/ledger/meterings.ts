import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import { cut, exactTime, type Page } from '../../platform/store/page.ts'
import type { MeteringRow } from '../../platform/store/schema.ts'
import type { Period } from './list.ts'
import { takenStates } from './totals.ts'

/**
 * What was counted of each call. The payments say what wallets paid; this says what everybody used, and what it
 * would have come to, so that a price can be told from a loss.
 */

/** Writes down what was counted of a call. A call has one entry: the first stays. */
export async function noteMetering({ queries }: Pick<Books, 'queries'>, row: MeteringRow): Promise<void> {
  await noteTogether(queries, row)
}

const noteTogether = grouped<MeteringRow, true>({
  keyOf: ({ callId }) => callId,
  sizeOf: () => 500,
  async run(queries, rows) {
    await queries
      .insertInto('meterings')
      .values([...rows])
      .onConflict((conflict) => conflict.column('callId').doNothing())
      .execute()
    return rows.map(() => true)
  },
})

/** Amounts in atomic units. */
export interface MeteringTotal
  extends Pick<MeteringRow, 'operation' | 'door' | 'unit' | 'input' | 'output' | 'amount'> {
  readonly calls: number
  /** Of how many of them the count was worked out by us. */
  readonly estimates: number
  /** What payments for these calls brought. A wallet that pays by `exact` pays the maximum, not what was counted. */
  readonly taken: bigint
  /** What we paid upstreams for these calls, or have signed to pay. */
  readonly cost: bigint
}

/** The calls of a period in sum. A payment that was served more than once is counted with the last of its calls. */
export async function meteringTotals(
  { queries }: Pick<Books, 'queries'>,
  { since = null, until = null }: Nullable<Period>,
): Promise<MeteringTotal[]> {
  const { rows } = await sql<MeteringTotal & { calls: bigint; estimates: bigint }>`
    with calls as (
      select *, row_number() over (partition by coalesce(payment_id, call_id) order by created_at desc, call_id) as turn
      from meterings
      where (${since}::timestamptz is null or created_at >= ${since}::timestamptz)
        and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
    )
    select calls.operation, door, unit, count(*) as calls, sum(input)::int8 as input, sum(output)::int8 as output,
      count(*) filter (where is_estimate) as estimates, sum(calls.amount)::int8 as amount,
      coalesce(sum(payments.amount) filter (where turn = 1), 0)::int8 as taken,
      coalesce(sum(paid.amount), 0)::int8 as cost
    from calls
    left join payments on payments.id = calls.payment_id and payments.state in (${sql.join([...takenStates])})
    left join (${costOfCalls}) as paid on paid.call_id = calls.call_id
    group by calls.operation, door, unit
    order by calls.operation, door, unit`.execute(queries)
  return rows.map((row) => ({ ...row, calls: Number(row.calls), estimates: Number(row.estimates) }))
}

const costOfCalls = sql`select call_id, sum(amount)::int8 as amount from costs where state <> 'unused' group by call_id`

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null }

export interface MeteredCall extends MeteringRow {
  /** What its payment brought, in atomic units; null where none has. */
  readonly taken: bigint | null
  /** What we paid an upstream for it, or have signed to pay; null for nothing. */
  readonly cost: bigint | null
}

export interface MeteringFilter extends Period {
  readonly operation?: string | undefined
  readonly door?: MeteringRow['door'] | undefined
}

/** Behind which call to go on. */
export type MeteringPosition = readonly [createdAt: string, callId: string]

/** One page of the calls, the newest first, each with what it brought and what it cost. */
export async function listMeterings(
  { queries }: Pick<Books, 'queries'>,
  { since, until, operation, door }: MeteringFilter,
  after: MeteringPosition | undefined,
  limit: number,
): Promise<Page<MeteredCall, MeteringPosition>> {
  let query = queries
    .selectFrom('meterings')
    .leftJoin('payments', (join) =>
      join.onRef('payments.id', '=', 'meterings.paymentId').on('payments.state', 'in', takenStates),
    )
    .selectAll('meterings')
    .select('payments.amount as taken')
    .select(
      sql<bigint | null>`(select sum(costs.amount)::int8 from costs
        where costs.call_id = meterings.call_id and costs.state <> 'unused')`.as('cost'),
    )
    .select(exactTime('meterings.createdAt').as('position'))
    .orderBy('meterings.createdAt', 'desc')
    .orderBy('meterings.callId', 'desc')
  if (operation) query = query.where('meterings.operation', '=', operation)
  if (door) query = query.where('meterings.door', '=', door)
  if (since) query = query.where('meterings.createdAt', '>=', since)
  if (until) query = query.where('meterings.createdAt', '<', until)
  if (after) {
    query = query.where(
      sql<SqlBool>`(meterings.created_at, meterings.call_id) < (${after[0]}::timestamptz, ${after[1]})`,
    )
  }
  const rows = await query.limit(limit + 1).execute()
  return cut(rows, limit, ({ position, callId }): MeteringPosition => [position, callId])
}
