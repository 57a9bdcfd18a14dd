import type { Books } from '../../../platform/store/books.ts'
import type { PaymentState } from '../../../platform/store/rows/payments.ts'
import { findPlacedPayments, type PlacedPayment } from '../../ledger/find-payment.ts'
import type { ReceivingAccount } from '../../ledger/receiving-accounts.ts'
import { transferState, unmatchedTransfersOf } from '../../ledger/reconciling/unmatched-transfers.ts'
import type { UnmatchedInbound } from './match-transfers.ts'

interface Explained {
  /** Of payments that are in the books, but not in this block yet. */
  readonly pending: UnmatchedInbound[]
  readonly dismissed: UnmatchedInbound[]
  readonly unmatched: UnmatchedInbound[]
}

/**
 * Sorts transfers without a payment in their block. A gateway that sells while it compares has always some
 * transfers whose payment is about to be booked. Counted as a difference, they would raise an alarm at every
 * busy hour.
 */
export async function explainTransfers(
  books: Books,
  account: ReceivingAccount,
  transfers: readonly UnmatchedInbound[],
): Promise<Explained> {
  const ids = transfers.flatMap(({ paymentId }) => paymentId ?? [])
  const payments = new Map((await findPlacedPayments(books, ids)).map((row) => [row.id, row]))
  const rows = await unmatchedTransfersOf(books, account, [
    ...new Set(transfers.map(({ transaction }) => transaction)),
  ])
  const states = new Map(rows.map((row) => [place(row), transferState(row)]))
  const explained: Explained = { pending: [], dismissed: [], unmatched: [] }
  for (const transfer of transfers) {
    const payment = transfer.paymentId === undefined ? undefined : payments.get(transfer.paymentId)
    if (payment && isPending(payment, transfer, account)) explained.pending.push(transfer)
    else if (states.get(place(transfer)) === 'dismissed') explained.dismissed.push(transfer)
    else explained.unmatched.push(transfer)
  }
  return explained
}

function place(transfer: { readonly transaction: string; readonly logIndex: number }): string {
  return `${transfer.transaction}:${transfer.logIndex}`
}

/** The states of payments whose transfer may be on the chain and is not booked yet. */
const unbookedStates: readonly PaymentState[] = ['claimed', 'served', 'settling', 'released', 'failed']

function isPending(
  { state, amount, payTo, transaction, blockNumber }: PlacedPayment,
  transfer: UnmatchedInbound,
  account: ReceivingAccount,
): boolean {
  if (amount !== transfer.amount || payTo !== account.payTo) return false
  // Or it was booked here since the payments of this block were read.
  const isHere = transaction === transfer.transaction && blockNumber === transfer.block.number
  return isHere || unbookedStates.includes(state)
}
