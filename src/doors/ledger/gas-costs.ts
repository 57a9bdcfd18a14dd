import { sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { isBehind, microsecondTime, type Page, type Position, pageOf } from '../../platform/store/page.ts'
import type { GasCostRow } from '../../platform/store/rows/settlement.ts'
import type { Period } from './list.ts'
import { type OfSpan, type Span, spansOf, within } from './totals.ts'

/**
 * The gas that our accounts have paid, one row for each transaction, however many payments it settles. It is
 * paid in ether, and is never turned into USDC: a rate would be a guess.
 */

export interface GasTotal extends GasSum {
  /** Of it, what was paid for transactions that the chain reverted: nothing moved for it. */
  readonly reverted: GasSum
}

interface GasSum {
  readonly transactions: number
  readonly wei: bigint
}

/** Sums the gas of the transactions that the gateway saw in a period. */
export async function sumGas(
  { queries }: Pick<Books, 'queries'>,
  chainId: number,
  period: Period,
): Promise<GasTotal> {
  const { rows } = await sql<Summed>`
    select ${sums}
    from gas_costs where chain_id = ${chainId} and ${within('seenAt', period)}`.execute(queries)
  const [sum] = rows.map(readSum)
  return sum ?? noGas
}

/** As `sumGas`, for each day or month in which there are transactions, the first one first. */
export async function sumGasBy(
  span: Span,
  { queries }: Pick<Books, 'queries'>,
  chainId: number,
  period: Period,
): Promise<OfSpan<GasTotal>[]> {
  const { group, name } = spansOf(span, 'seenAt')
  const { rows } = await sql<OfSpan<Summed>>`
    select ${name} as span, ${sums}
    from gas_costs where chain_id = ${chainId} and ${within('seenAt', period)}
    group by ${group} order by ${group}`.execute(queries)
  return rows.map((row) => ({ span: row.span, ...readSum(row) }))
}

/** Lists one page of the transactions of a period, the oldest first. */
export async function listGasCosts(
  { queries }: Pick<Books, 'queries'>,
  chainId: number,
  { since, until }: Period,
  after: Position | undefined,
  limit: number,
): Promise<Page<GasCostRow, Position>> {
  let query = queries
    .selectFrom('gasCosts')
    .select(['chainId', 'transaction', 'account', 'purpose', 'isReverted', 'blockNumber', 'seenAt'])
    .select(sql<string>`wei::text`.as('wei'))
    .select(microsecondTime('seenAt').as('position'))
    .where('chainId', '=', chainId)
    .orderBy('seenAt')
    .orderBy('transaction')
  if (since) query = query.where('seenAt', '>=', since)
  if (until) query = query.where('seenAt', '<', until)
  if (after) query = query.where(isBehind(['seenAt', 'transaction'], 'oldest first', after))
  const rows = (await query.limit(limit + 1).execute()).map((row) => ({ ...row, wei: BigInt(row.wei) }))
  return pageOf(rows, limit, ({ position, transaction }): Position => [position, transaction])
}

/** Of a period without transactions. */
export const noGas: GasTotal = { transactions: 0, wei: 0n, reverted: { transactions: 0, wei: 0n } }

const sums = sql`count(*) as transactions, coalesce(sum(wei), 0)::text as wei,
  count(*) filter (where is_reverted) as reverted_transactions,
  coalesce(sum(wei) filter (where is_reverted), 0)::text as reverted_wei`

/** As the drivers read it. */
interface Summed {
  readonly transactions: bigint
  readonly wei: string
  readonly revertedTransactions: bigint
  readonly revertedWei: string
}

function readSum({ transactions, wei, revertedTransactions, revertedWei }: Summed): GasTotal {
  return {
    transactions: Number(transactions),
    wei: BigInt(wei),
    reverted: { transactions: Number(revertedTransactions), wei: BigInt(revertedWei) },
  }
}
