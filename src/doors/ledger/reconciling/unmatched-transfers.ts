import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { type Page, pageOf } from '../../../platform/store/page.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/rows/settlement.ts'
import type { Tables } from '../../../platform/store/schema.ts'
import type { Period } from '../list.ts'
import type { ReceivingAccount } from '../receiving-accounts.ts'
import { type Currency, type OfSpan, type Span, spansOf, within } from '../totals.ts'

/**
 * Unmatched transfers, and what became of them: an `open` one is unexplained, an `adopted` one is a payment in
 * the books now, and for a `dismissed` one the operator has said why it needs none.
 */
export const transferStates = ['open', 'adopted', 'dismissed'] as const
export type TransferState = (typeof transferStates)[number]

export function transferState({
  paymentId,
  dismissedAt,
}: Pick<UnmatchedTransferRow, 'paymentId' | 'dismissedAt'>): TransferState {
  if (paymentId !== null) return 'adopted'
  return dismissedAt === null ? 'open' : 'dismissed'
}

/** The same in SQL. */
function isIn(
  row: ExpressionBuilder<Tables, 'strangers'>,
  state: TransferState,
): ExpressionWrapper<Tables, 'strangers', SqlBool> {
  switch (state) {
    case 'adopted':
      return row('paymentId', 'is not', null)
    case 'dismissed':
      return row.and([row('paymentId', 'is', null), row('dismissedAt', 'is not', null)])
    case 'open':
      return row.and([row('paymentId', 'is', null), row('dismissedAt', 'is', null)])
  }
}

/** The last transfer before a page. */
export type UnmatchedTransferPosition = readonly [blockNumber: string, logIndex: number, transaction: string]

export interface TransferFilter extends Currency {
  /** All states when left out. */
  readonly state?: TransferState | undefined
  /** Lower-case hex. */
  readonly transaction?: string | undefined
}

/** Lists unmatched transfers, the newest block first. */
export async function listUnmatchedTransfers(
  { queries }: Pick<Books, 'queries'>,
  { chainId, asset, state, transaction }: TransferFilter,
  after: UnmatchedTransferPosition | undefined,
  limit: number,
): Promise<Page<UnmatchedTransferRow, UnmatchedTransferPosition>> {
  let query = queries
    .selectFrom('strangers')
    .selectAll()
    .where('chainId', '=', chainId)
    .where('asset', '=', asset)
    .orderBy('blockNumber', 'desc')
    .orderBy('logIndex', 'desc')
    .orderBy('transaction', 'desc')
  if (state) query = query.where((row) => isIn(row, state))
  if (transaction !== undefined) query = query.where('transaction', '=', transaction)
  if (after) {
    const [block, logIndex, hash] = after
    query = query.where(
      sql<SqlBool>`(block_number, log_index, transaction) < (${block}::int8, ${logIndex}::integer, ${hash})`,
    )
  }
  const rows = await query.limit(limit + 1).execute()
  return pageOf(
    rows,
    limit,
    (row): UnmatchedTransferPosition => [row.blockNumber.toString(), row.logIndex, row.transaction],
  )
}

/** The unmatched transfers of some transactions, in the chain's order. */
export async function unmatchedTransfersOf(
  { queries }: Pick<Books, 'queries'>,
  { chainId, asset }: Currency,
  transactions: readonly string[],
): Promise<UnmatchedTransferRow[]> {
  if (transactions.length === 0) return []
  return queries
    .selectFrom('strangers')
    .selectAll()
    .where('chainId', '=', chainId)
    .where('asset', '=', asset)
    .where('transaction', 'in', transactions)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()
}

export interface TransferTotal {
  readonly transfers: number
  /** Atomic units. */
  readonly amount: bigint
}

/** Counts the unmatched transfers in one state that were found in a period, and sums their amounts. */
export function sumUnmatchedTransfers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
  state: TransferState,
  period: Period = {},
): Promise<TransferTotal> {
  return sumWhere(books, currency, (row) => row.and([isIn(row, state), within('seenAt', period)]))
}

/** The same for the unexplained transfers to one account in the blocks before this one. */
export function sumOpenBefore(
  books: Pick<Books, 'queries'>,
  account: ReceivingAccount,
  block: bigint,
): Promise<TransferTotal> {
  return sumWhere(books, account, (row) =>
    row.and([isIn(row, 'open'), row('payTo', '=', account.payTo), row('blockNumber', '<', block)]),
  )
}

async function sumWhere(
  { queries }: Pick<Books, 'queries'>,
  { chainId, asset }: Currency,
  isCounted: (row: ExpressionBuilder<Tables, 'strangers'>) => ExpressionWrapper<Tables, 'strangers', SqlBool>,
): Promise<TransferTotal> {
  const { transfers, amount } = await queries
    .selectFrom('strangers')
    .select(({ fn }) => fn.countAll<bigint>().as('transfers'))
    .select(sql<bigint>`coalesce(sum(amount), 0)::int8`.as('amount'))
    .where('chainId', '=', chainId)
    .where('asset', '=', asset)
    .where(isCounted)
    .executeTakeFirstOrThrow()
  return { transfers: Number(transfers), amount }
}

/** As `sumUnmatchedTransfers`, for each day or month in which some were found, the first one first. */
export async function sumUnmatchedTransfersBy(
  span: Span,
  { queries }: Pick<Books, 'queries'>,
  currency: Currency,
  state: TransferState,
  period: Period,
): Promise<OfSpan<TransferTotal>[]> {
  const { group, name } = spansOf(span, 'seenAt')
  const rows = await queries
    .selectFrom('strangers')
    .select(name.as('span'))
    .select(({ fn }) => fn.countAll<bigint>().as('transfers'))
    .select(sql<bigint>`sum(amount)::int8`.as('amount'))
    .where('chainId', '=', currency.chainId)
    .where('asset', '=', currency.asset)
    .where((row) => isIn(row, state))
    .where(within('seenAt', period))
    .groupBy(group)
    .orderBy(group)
    .execute()
  return rows.map((row) => ({ ...row, transfers: Number(row.transfers) }))
}

/**
 * Records why an unmatched transfer needs no payment. A later reason replaces an earlier one.
 * @returns false when the transfer is a payment in the books, also when it was adopted at this moment.
 */
export async function dismissTransfer(
  { queries, clock }: Books,
  { chainId, transaction, logIndex }: Pick<UnmatchedTransferRow, 'chainId' | 'transaction' | 'logIndex'>,
  reason: string,
): Promise<boolean> {
  const dismissed = await queries
    .updateTable('strangers')
    .set({ dismissedAt: new Date(clock.now()), dismissal: reason })
    .where('chainId', '=', chainId)
    .where('transaction', '=', transaction)
    .where('logIndex', '=', logIndex)
    .where('paymentId', 'is', null)
    .returning('transaction')
    .executeTakeFirst()
  return dismissed !== undefined
}
