import type { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import { type Currency, receivedStates, type Total, totals } from '../../../doors/ledger/totals.ts'
import { sumUnmatchedTransfers } from '../../../doors/ledger/unmatched-transfers.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'
import { operatorOperation } from './fields.ts'
import { totalsSchema } from './replies.ts'

/** The books in sum, on the network in use. */
export const ledgerRows = {
  getTotals: {
    ...noInput,
    method: 'GET',
    path: '/operator/totals',
    operation: operatorOperation('The books in sum, by operation and state.'),
    response: totalsSchema,
  },
} satisfies EndpointRows

export function ledgerHandlers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
): Handlers<typeof ledgerRows> {
  return {
    async getTotals() {
      const [lines, unmatched, dismissed] = await Promise.all([
        totals(books, currency),
        sumUnmatchedTransfers(books, currency, 'open'),
        sumUnmatchedTransfers(books, currency, 'dismissed'),
      ])
      const taken = add(lines.filter(({ state }) => receivedStates.some((one) => one === state)))
      const refunded = add(lines.filter(({ state }) => state === 'refunded'))
      const document: z.infer<typeof totalsSchema> = {
        network: `eip155:${currency.chainId}`,
        asset: checksummed(currency.asset),
        operations: lines.map(({ operation, state, payments, amount }) => ({
          operation,
          state,
          payments,
          ...sum(amount),
        })),
        taken: { payments: taken.payments, ...sum(taken.amount) },
        refunded: { payments: refunded.payments, ...sum(refunded.refunded) },
        net: sum(taken.amount - refunded.refunded),
        strangers: { transfers: unmatched.transfers, ...sum(unmatched.amount) },
        dismissed: { transfers: dismissed.transfers, ...sum(dismissed.amount) },
      }
      return json(200, document)
    },
  }
}

function add(lines: readonly Total[]): Pick<Total, 'payments' | 'amount' | 'refunded'> {
  return lines.reduce(
    (all, line) => ({
      payments: all.payments + line.payments,
      amount: all.amount + line.amount,
      refunded: all.refunded + line.refunded,
    }),
    { payments: 0, amount: 0n, refunded: 0n },
  )
}
