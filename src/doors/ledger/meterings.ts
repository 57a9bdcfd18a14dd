import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import { isBehind, microsecondTime, type Page, pageOf } from '../../platform/store/page.ts'
import type { MeteringRow } from '../../platform/store/schema.ts'
import type { Period } from './list.ts'
import { receivedStates } from './totals.ts'

/**
 * The usage of metered calls. The payments say what wallets paid; the meterings say what all callers used and
 * what that costs at the catalog's price, so that an operator sees whether a price covers its costs.
 */

/** Records the usage of a call. A call has one entry; a second one is ignored. */
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

/** The usage of an operation at one door, in sum. Amounts in atomic units. */
export interface MeteringTotal
  extends Pick<MeteringRow, 'operation' | 'door' | 'unit' | 'input' | 'output' | 'amount'> {
  readonly calls: number
  /** How many of the calls have an estimated usage. */
  readonly estimates: number
  /** The payments for these calls. A wallet that pays by `exact` pays the maximum, not the usage. */
  readonly taken: bigint
  /** Our payments to upstreams for these calls, including those that were only signed so far. */
  readonly cost: bigint
}

/** Sums the calls of a period. A payment that was served more than once counts with the last of its calls. */
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
    left join payments on payments.id = calls.payment_id and payments.state in (${sql.join([...receivedStates])})
    left join (${costOfCalls}) as paid on paid.call_id = calls.call_id
    group by calls.operation, door, unit
    order by calls.operation, door, unit`.execute(queries)
  return rows.map((row) => ({ ...row, calls: Number(row.calls), estimates: Number(row.estimates) }))
}

const costOfCalls = sql`select call_id, sum(amount)::int8 as amount from costs where state <> 'unused' group by call_id`

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null }

export interface MeteredCall extends MeteringRow {
  /** The payment for the call, in atomic units; null when none was received. */
  readonly taken: bigint | null
  /** Our payments to upstreams for the call, including signed ones; null for none. */
  readonly cost: bigint | null
}

export interface MeteringFilter extends Period {
  readonly operation?: string | undefined
  readonly door?: MeteringRow['door'] | undefined
}

/** The last call before a page. */
export type MeteringPosition = readonly [createdAt: string, callId: string]

/** Lists one page of the calls, the newest first, each with its payment and its cost. */
export async function listMeterings(
  { queries }: Pick<Books, 'queries'>,
  { since, until, operation, door }: MeteringFilter,
  after: MeteringPosition | undefined,
  limit: number,
): Promise<Page<MeteredCall, MeteringPosition>> {
  let query = queries
    .selectFrom('meterings')
    .leftJoin('payments', (join) =>
      join.onRef('payments.id', '=', 'meterings.paymentId').on('payments.state', 'in', receivedStates),
    )
    .selectAll('meterings')
    .select('payments.amount as taken')
    .select(
      sql<bigint | null>`(select sum(costs.amount)::int8 from costs
        where costs.call_id = meterings.call_id and costs.state <> 'unused')`.as('cost'),
    )
    .select(microsecondTime('meterings.createdAt').as('position'))
    .orderBy('meterings.createdAt', 'desc')
    .orderBy('meterings.callId', 'desc')
  if (operation) query = query.where('meterings.operation', '=', operation)
  if (door) query = query.where('meterings.door', '=', door)
  if (since) query = query.where('meterings.createdAt', '>=', since)
  if (until) query = query.where('meterings.createdAt', '<', until)
  if (after) {
    query = query.where(isBehind(['meterings.createdAt', 'meterings.callId'], 'newest first', after))
  }
  const rows = await query.limit(limit + 1).execute()
  return pageOf(rows, limit, ({ position, callId }): MeteringPosition => [position, callId])
}
