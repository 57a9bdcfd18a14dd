import type { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import { type Currency, type Total, takenStates, totals } from '../../../doors/ledger/totals.ts'
import { sumUnmatchedTransfers } from '../../../doors/ledger/unmatched-transfers.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'
import { operatorOperation } from './fields.ts'
import { totalsSchema } from './replies.ts'

/** GET /operator/totals: the books in sum, on the network in use. */
export function totalsEndpoint(books: Pick<Books, 'queries'>, currency: Currency): Endpoint {
  return endpointWith({
    id: 'getTotals',
    method: 'GET',
    path: '/operator/totals',
    operation: operatorOperation('The books in sum, by operation and state.'),
    params: noParams,
    query: noQuery,
    body: noBody,
    response: totalsSchema,
    async handle() {
      const [lines, strangers] = await Promise.all([
        totals(books, currency),
        sumUnmatchedTransfers(books, currency),
      ])
      const taken = add(lines.filter(({ state }) => takenStates.some((one) => one === state)))
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
        refunded: { payments: refunded.payments, ...sum(refunded.amount) },
        net: sum(taken.amount - refunded.amount),
        strangers: { transfers: strangers.transfers, ...sum(strangers.amount) },
      }
      return json(200, document)
    },
  })
}

function add(lines: readonly Total[]): Pick<Total, 'payments' | 'amount'> {
  return lines.reduce(
    (all, line) => ({ payments: all.payments + line.payments, amount: all.amount + line.amount }),
    { payments: 0, amount: 0n },
  )
}
