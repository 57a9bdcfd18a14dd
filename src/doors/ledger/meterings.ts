import { type RawBuilder, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { grouped } from '../../platform/store/group.ts'
import { isBehind, microsecondTime, type Page, pageOf } from '../../platform/store/page.ts'
import type { MeteringRow } from '../../platform/store/rows/payments.ts'
import type { Period } from './list.ts'
import { givenBack, receivedStates } from './totals.ts'

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
  /**
   * The payments for these calls, without what was given back. A wallet that pays by `exact` pays the maximum,
   * not the usage.
   */
  readonly taken: bigint
  /** What was given back of them. */
  readonly refunded: bigint
  /** Our payments to upstreams for these calls, including those that were only signed so far. */
  readonly cost: bigint
}

/**
 * Sums the calls of a period. A payment that was served more than once counts with the last of its calls, also
 * when that is in another period: it paid once.
 */
export async function meteringTotals(
  { queries }: Pick<Books, 'queries'>,
  { since = null, until = null, chainId = null }: Nullable<OnNetwork>,
): Promise<MeteringTotal[]> {
  const { rows } = await sql<MeteringTotal & { calls: bigint; estimates: bigint }>`
    select meterings.operation, door, unit, count(*) as calls, sum(input)::int8 as input,
      sum(output)::int8 as output, count(*) filter (where is_estimate) as estimates,
      sum(meterings.amount)::int8 as amount,
      coalesce(sum(payments.amount - ${refundedOf}), 0)::int8 as taken,
      coalesce(sum(${refundedOf}), 0)::int8 as refunded,
      coalesce(sum(paid.amount), 0)::int8 as cost
    from meterings
    left join payments on ${isPaidBy}
    left join (${costOfCalls}) as paid on paid.call_id = meterings.call_id
    where (${since}::timestamptz is null or meterings.created_at >= ${since}::timestamptz)
      and (${until}::timestamptz is null or meterings.created_at < ${until}::timestamptz)
      and (${chainId}::integer is null or ${isOfNetwork(chainId)})
    group by meterings.operation, door, unit
    order by meterings.operation, door, unit`.execute(queries)
  return rows.map((row) => ({ ...row, calls: Number(row.calls), estimates: Number(row.estimates) }))
}

/** A period, of the calls that were not paid for on another network: test money is no money. */
interface OnNetwork extends Period {
  readonly chainId?: number | undefined
}

function isOfNetwork(chainId: number | null): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from payments as elsewhere
    where elsewhere.id = meterings.payment_id and elsewhere.chain_id <> ${chainId}::integer)`
}

/** Whether a payment was received and this is the last call that was served for it. */
const isPaidBy = sql<boolean>`payments.id = meterings.payment_id
  and payments.state in (${sql.join(receivedStates.map((state) => sql.lit(state)))})
  and not exists (select from meterings as later where later.payment_id = meterings.payment_id
    and (later.created_at, later.call_id) > (meterings.created_at, meterings.call_id))`

/** What was given back of a payment; null without a payment. */
const refundedOf = sql<bigint | null>`case when payments.state = 'refunded' then ${givenBack}
  when payments.id is not null then 0 end`

const costOfCalls = sql`select call_id, sum(amount)::int8 as amount from costs where state <> 'unused' group by call_id`

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null }

export interface MeteredCall extends MeteringRow {
  /**
   * The payment for the call, in atomic units, without what was given back; null when none was received, or
   * when the payment was served again later.
   */
  readonly taken: bigint | null
  /** What was given back of it. */
  readonly refunded: bigint | null
  /** Our payments to upstreams for the call, including signed ones; null for none. */
  readonly cost: bigint | null
}

export interface MeteringFilter extends OnNetwork {
  readonly operation?: string | undefined
  readonly door?: MeteringRow['door'] | undefined
}

/** The last call before a page. */
export type MeteringPosition = readonly [createdAt: string, callId: string]

/** Lists one page of the calls, the newest first, each with its payment and its cost. */
export async function listMeterings(
  { queries }: Pick<Books, 'queries'>,
  { since, until, chainId, operation, door }: MeteringFilter,
  after: MeteringPosition | undefined,
  limit: number,
): Promise<Page<MeteredCall, MeteringPosition>> {
  let query = queries
    .selectFrom('meterings')
    .leftJoin('payments', (join) => join.on(isPaidBy))
    .selectAll('meterings')
    .select(sql<bigint | null>`(payments.amount - ${refundedOf})::int8`.as('taken'))
    .select(sql<bigint | null>`(${refundedOf})::int8`.as('refunded'))
    .select(
      sql<bigint | null>`(select sum(costs.amount)::int8 from costs
        where costs.call_id = meterings.call_id and costs.state <> 'unused')`.as('cost'),
    )
    .select(microsecondTime('meterings.createdAt').as('position'))
    .orderBy('meterings.createdAt', 'desc')
    .orderBy('meterings.callId', 'desc')
  if (operation) query = query.where('meterings.operation', '=', operation)
  if (door) query = query.where('meterings.door', '=', door)
  if (chainId !== undefined) query = query.where(isOfNetwork(chainId))
  if (since) query = query.where('meterings.createdAt', '>=', since)
  if (until) query = query.where('meterings.createdAt', '<', until)
  if (after) {
    query = query.where(isBehind(['meterings.createdAt', 'meterings.callId'], 'newest first', after))
  }
  const rows = await query.limit(limit + 1).execute()
  return pageOf(rows, limit, ({ position, callId }): MeteringPosition => [position, callId])
}
