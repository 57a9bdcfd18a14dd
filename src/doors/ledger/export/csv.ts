import { stringify } from 'csv-stringify/sync'
import { formatEther } from 'viem'
import { formatUsdc } from '../../../core/money.ts'
import { harmless } from '../../../core/text/visible.ts'
import { caip2Of } from '../../../platform/chain/networks.ts'
import type { GasCostRow } from '../../../platform/store/rows/settlement.ts'
import { checksummed } from '../address.ts'
import type { ListedPayment } from '../list.ts'
import { refundAmountOf } from '../refunds.ts'

/**
 * Payments as a table for spreadsheets (RFC 4180): one header line, amounts as decimal text, times in ISO
 * 8601. A cell that a spreadsheet would run as a formula gets an apostrophe in front. The reason of a failure,
 * which a facilitator writes, could be one, and the reason of a refund.
 * Characters that hide or turn text become `?`; older versions stored them.
 */
const paymentColumns: Columns<ListedPayment> = {
  paymentId: ({ id }) => id,
  state: ({ state }) => state,
  operation: ({ operation }) => operation,
  amount: ({ amount }) => formatUsdc(amount),
  amountAtomic: ({ amount }) => amount.toString(),
  asset: ({ asset }) => checksummed(asset),
  network: ({ chainId }) => caip2Of(chainId),
  payer: ({ payer }) => checksummed(payer),
  payTo: ({ payTo }) => checksummed(payTo),
  nonce: ({ nonce }) => nonce,
  transaction: ({ transaction }) => transaction ?? '',
  block: ({ blockNumber }) => blockNumber?.toString() ?? '',
  settles: ({ timing }) => timing,
  failure: ({ failure }) => failure ?? '',
  refundTransaction: ({ refundTransaction }) => refundTransaction ?? '',
  refundFrom: ({ refundFrom }) => (refundFrom === null ? '' : checksummed(refundFrom)),
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  settledAt: ({ settledAt }) => settledAt?.toISOString() ?? '',
  updatedAt: ({ updatedAt }) => updatedAt.toISOString(),
  scheme: ({ scheme }) => scheme,
  authorizedAtomic: ({ authorized }) => authorized.toString(),
  refundAmountAtomic: (row) => (row.refundFrom === null ? '' : refundAmountOf(row).toString()),
  refundReason: ({ refundReason }) => refundReason ?? '',
}

/**
 * Gas as a table of its own: one transaction settles many payments, so a column beside the payments would
 * count it many times.
 */
const gasColumns: Columns<GasCostRow> = {
  transaction: ({ transaction }) => transaction,
  purpose: ({ purpose }) => purpose,
  amount: ({ wei }) => formatEther(wei),
  amountWei: ({ wei }) => wei.toString(),
  currency: () => 'ETH',
  network: ({ chainId }) => caip2Of(chainId),
  account: ({ account }) => checksummed(account),
  reverted: ({ isReverted }) => String(isReverted),
  block: ({ blockNumber }) => blockNumber.toString(),
  seenAt: ({ seenAt }) => seenAt.toISOString(),
}

type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

export function csvHeader(): string {
  return write([Object.keys(paymentColumns)])
}

export function csvRows(rows: readonly ListedPayment[]): string {
  return write(cellsOf(paymentColumns, rows))
}

export function gasHeader(): string {
  return write([Object.keys(gasColumns)])
}

export function gasRows(rows: readonly GasCostRow[]): string {
  return write(cellsOf(gasColumns, rows))
}

function cellsOf<Row>(columns: Columns<Row>, rows: readonly Row[]): string[][] {
  const cells = Object.values(columns)
  return rows.map((row) => cells.map((cell) => harmless(cell(row), '\r\n\t')))
}

function write(lines: string[][]): string {
  return stringify(lines, { record_delimiter: 'windows', escape_formulas: true })
}
