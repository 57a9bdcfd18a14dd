import { stringify } from 'csv-stringify/sync'
import { formatUsdc } from '../../../core/money.ts'
import { checksummed } from '../address.ts'
import type { Listed } from '../list.ts'

/**
 * Payments as a table for spreadsheets (RFC 4180): one header line, amounts as decimal text, times in
 * ISO 8601. A cell that a spreadsheet would take for a formula gets an apostrophe in front; only what a
 * facilitator gave as the reason of a failure could be one.
 */
const columns: Readonly<Record<string, (row: Listed) => string>> = {
  paymentId: ({ id }) => id,
  state: ({ state }) => state,
  operation: ({ operation }) => operation,
  amount: ({ amount }) => formatUsdc(amount),
  amountAtomic: ({ amount }) => amount.toString(),
  asset: ({ asset }) => checksummed(asset),
  network: ({ chain_id }) => `eip155:${chain_id}`,
  payer: ({ payer }) => checksummed(payer),
  payTo: ({ pay_to }) => checksummed(pay_to),
  nonce: ({ nonce }) => nonce,
  transaction: ({ transaction }) => transaction ?? '',
  block: ({ block_number }) => block_number?.toString() ?? '',
  settles: ({ timing }) => timing,
  failure: ({ failure }) => failure ?? '',
  refundTransaction: ({ refund_transaction }) => refund_transaction ?? '',
  refundFrom: ({ refund_from }) => (refund_from === null ? '' : checksummed(refund_from)),
  createdAt: ({ created_at }) => created_at.toISOString(),
  settledAt: ({ settled_at }) => settled_at?.toISOString() ?? '',
  updatedAt: ({ updated_at }) => updated_at.toISOString(),
  scheme: ({ scheme }) => scheme,
  authorizedAtomic: ({ authorized }) => authorized.toString(),
}

export function csvHeader(): string {
  return write([Object.keys(columns)])
}

export function csvRows(rows: readonly Listed[]): string {
  const cells = Object.values(columns)
  return write(rows.map((row) => cells.map((cell) => cell(row))))
}

function write(lines: string[][]): string {
  return stringify(lines, { record_delimiter: 'windows', escape_formulas: true })
}
