import { formatEther } from 'viem'
import { type GasTotal, noGas, sumGas, sumGasBy } from '../../../doors/ledger/gas-costs.ts'
import type { Period } from '../../../doors/ledger/list.ts'
import {
  sumUnmatchedTransfers,
  sumUnmatchedTransfersBy,
  type TransferTotal,
} from '../../../doors/ledger/reconciling/unmatched-transfers.ts'
import {
  type Currency,
  type Refunded,
  receivedStates,
  refunded,
  refundedBy,
  type Span,
  type Total,
  totals,
  totalsBy,
} from '../../../doors/ledger/totals.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'

/** What the books of a period say in sum. */
export interface Sums {
  readonly payments: readonly Total[]
  readonly refunded: Refunded
  /** Unmatched transfers that nothing explains. */
  readonly unmatched: TransferTotal
  /** Those that the operator has dismissed. */
  readonly dismissed: TransferTotal
  readonly gas: GasTotal
}

export async function sumBooks(
  books: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<Sums> {
  const [payments, back, unmatched, dismissed, gas] = await Promise.all([
    totals(books, currency, period),
    refunded(books, currency, period),
    sumUnmatchedTransfers(books, currency, 'open', period),
    sumUnmatchedTransfers(books, currency, 'dismissed', period),
    sumGas(books, currency.chainId, period),
  ])
  return { payments, refunded: back, unmatched, dismissed, gas }
}

/** As `sumBooks`, for each day or month in which something happened, by its name, the first one first. */
export async function sumBooksBy(
  span: Span,
  books: Pick<Books, 'queries'>,
  currency: Currency,
  period: Period,
): Promise<(readonly [name: string, sums: Sums])[]> {
  const [payments, refunds, unmatched, dismissed, gas] = await Promise.all([
    totalsBy(span, books, currency, period),
    refundedBy(span, books, currency, period),
    sumUnmatchedTransfersBy(span, books, currency, 'open', period),
    sumUnmatchedTransfersBy(span, books, currency, 'dismissed', period),
    sumGasBy(span, books, currency.chainId, period),
  ])
  const paymentsOf = Map.groupBy(payments, (one) => one.span)
  const refundsOf = bySpan(refunds)
  const [unmatchedOf, dismissedOf, gasOf] = [bySpan(unmatched), bySpan(dismissed), bySpan(gas)]
  const all = [paymentsOf, refundsOf, unmatchedOf, dismissedOf, gasOf]
  const names = new Set(all.flatMap((sums) => [...sums.keys()]))
  return [...names].sort().map((name) => [
    name,
    {
      payments: paymentsOf.get(name) ?? [],
      refunded: refundsOf.get(name) ?? { payments: 0, amount: 0n },
      unmatched: unmatchedOf.get(name) ?? { transfers: 0, amount: 0n },
      dismissed: dismissedOf.get(name) ?? { transfers: 0, amount: 0n },
      gas: gasOf.get(name) ?? noGas,
    },
  ])
}

/** Sums as the endpoint shows them. */
export function describeSums({ payments, refunded: back, unmatched, dismissed, gas }: Sums) {
  const taken = add(payments.filter(({ state }) => receivedStates.some((one) => one === state)))
  return {
    operations: payments.map(({ operation, state, payments: count, amount }) => ({
      operation,
      state,
      payments: count,
      ...sum(amount),
    })),
    taken: { payments: taken.payments, ...sum(taken.amount) },
    refunded: { payments: back.payments, ...sum(back.amount) },
    net: sum(taken.amount - back.amount),
    strangers: { transfers: unmatched.transfers, ...sum(unmatched.amount) },
    dismissed: { transfers: dismissed.transfers, ...sum(dismissed.amount) },
    gas: { ...describeGas(gas), reverted: describeGas(gas.reverted) },
  }
}

function describeGas({ transactions, wei }: GasTotal['reverted']) {
  return { transactions, amount: formatEther(wei), amountWei: wei.toString() }
}

function bySpan<Sum extends { readonly span: string }>(sums: readonly Sum[]): Map<string, Sum> {
  return new Map(sums.map((one) => [one.span, one]))
}

function add(lines: readonly Total[]): Refunded {
  return lines.reduce(
    (all, line) => ({ payments: all.payments + line.payments, amount: all.amount + line.amount }),
    { payments: 0, amount: 0n },
  )
}
