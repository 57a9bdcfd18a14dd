import { type SqlBool, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import { type Page, pageOf } from '../../platform/store/page.ts'
import type { UnmatchedTransferRow } from '../../platform/store/schema.ts'
import type { Period } from './list.ts'
import { type Currency, type OfSpan, type Span, spansOf, within } from './totals.ts'

/** The last transfer before a page. */
export type UnmatchedTransferPosition = readonly [blockNumber: string, logIndex: number, transaction: string]

/** Lists transfers that we received and that belong to no payment, the newest block first. */
export async function listUnmatchedTransfers(
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  after: UnmatchedTransferPosition | undefined,
  limit: number,
): Promise<Page<UnmatchedTransferRow, UnmatchedTransferPosition>> {
  let query = queries
    .selectFrom('strangers')
    .selectAll()
    .where('chainId', '=', currency.chainId)
    .where('asset', '=', currency.asset)
    .orderBy('blockNumber', 'desc')
    .orderBy('logIndex', 'desc')
    .orderBy('transaction', 'desc')
  if (after) {
    const [block, logIndex, transaction] = after
    query = query.where(
      sql<SqlBool>`(block_number, log_index, transaction) < (${block}::int8, ${logIndex}::integer, ${transaction})`,
    )
  }
  const rows = await query.limit(limit + 1).execute()
  return pageOf(
    rows,
    limit,
    (row): UnmatchedTransferPosition => [row.blockNumber.toString(), row.logIndex, row.transaction],
  )
}

/** Unmatched transfers in sum; the amount in atomic units. */
export interface UnmatchedSum {
  readonly transfers: number
  readonly amount: bigint
}

/** Sums the unmatched transfers that were found in a period. */
export async function sumUnmatchedTransfers(
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period = {},
): Promise<UnmatchedSum> {
  const { transfers, amount } = await queries
    .selectFrom('strangers')
    .select(({ fn }) => fn.countAll<bigint>().as('transfers'))
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('amount'))
    .where('chainId', '=', currency.chainId)
    .where('asset', '=', currency.asset)
    .where(within('seenAt', period))
    .executeTakeFirstOrThrow()
  return { transfers: Number(transfers), amount }
}

/** As `sumUnmatchedTransfers`, for each day or month in which some were found, the first one first. */
export async function sumUnmatchedTransfersBy(
  span: Span,
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<OfSpan<UnmatchedSum>[]> {
  const { group, name } = spansOf(span, 'seenAt')
  const rows = await queries
    .selectFrom('strangers')
    .select(name.as('span'))
    .select(({ fn }) => fn.countAll<bigint>().as('transfers'))
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
    .where('chainId', '=', currency.chainId)
    .where('asset', '=', currency.asset)
    .where(within('seenAt', period))
    .groupBy(group)
    .orderBy(group)
    .execute()
  return rows.map((row) => ({ ...row, transfers: Number(row.transfers) }))
}
