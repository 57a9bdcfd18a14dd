import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import { type Currency, receivedStates, type Total, totals } from '../../../doors/ledger/totals.ts'
import { listUnmatchedTransfers, sumUnmatchedTransfers } from '../../../doors/ledger/unmatched-transfers.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/schema.ts'
import { sum } from '../amounts.ts'
import { operatorOperation, word } from './fields.ts'
import { pageQuery, showPage } from './page.ts'
import { totalsSchema, unmatchedTransfersSchema } from './replies.ts'

/** The books as a whole, on the network in use: their sums, and what came in without a payment. */
export const ledgerRows = {
  getTotals: {
    ...noInput,
    method: 'GET',
    path: '/operator/totals',
    operation: operatorOperation('The books in sum, by operation and state.'),
    response: totalsSchema,
  },
  /** The newest block first. */
  listStrangers: {
    ...noInput,
    method: 'GET',
    path: '/operator/strangers',
    operation: operatorOperation('Unmatched transfers: those that came in and belong to no payment.'),
    query: pageQuery(z.tuple([z.string().regex(/^\d{1,18}$/), z.int32(), word]), {}),
    response: unmatchedTransfersSchema,
  },
} satisfies EndpointRows

export function ledgerHandlers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
): Handlers<typeof ledgerRows> {
  return {
    async getTotals() {
      const [lines, unmatched] = await Promise.all([
        totals(books, currency),
        sumUnmatchedTransfers(books, currency),
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
        refunded: { payments: refunded.payments, ...sum(refunded.amount) },
        net: sum(taken.amount - refunded.amount),
        strangers: { transfers: unmatched.transfers, ...sum(unmatched.amount) },
      }
      return json(200, document)
    },

    async listStrangers({ query: { cursor, limit } }) {
      const page = await listUnmatchedTransfers(books, currency, cursor, limit)
      const { shown: strangers, nextCursor } = showPage(page, describeTransfer)
      return json(200, { strangers, nextCursor } satisfies z.infer<typeof unmatchedTransfersSchema>)
    },
  }
}

function describeTransfer(row: UnmatchedTransferRow) {
  return {
    transaction: row.transaction,
    payer: checksummed(row.payer),
    payTo: checksummed(row.payTo),
    ...sum(row.amount),
    nonce: row.nonce,
    block: Number(row.blockNumber),
    seenAt: unixSeconds(row.seenAt),
  }
}

function add(lines: readonly Total[]): Pick<Total, 'payments' | 'amount'> {
  return lines.reduce(
    (all, line) => ({ payments: all.payments + line.payments, amount: all.amount + line.amount }),
    { payments: 0, amount: 0n },
  )
}
