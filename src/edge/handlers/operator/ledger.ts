import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import { type Currency, spans } from '../../../doors/ledger/totals.ts'
import { caip2Of } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import { operatorOperation, period } from './fields.ts'
import { totalsSchema } from './replies.ts'
import { describeSums, sumBooks, sumBooksBy } from './sums.ts'

/** The books in sum, on the network in use. */
export const ledgerRows = {
  /**
   * Of a period. A payment counts at the time its money came in, or at the time it was made while none has; a
   * refund when the money was back; an unmatched transfer when it was found; gas when the transaction was seen
   * in a block. So the sums agree with the journal of the same period.
   */
  getTotals: {
    ...noInput,
    method: 'GET',
    path: '/operator/totals',
    operation: operatorOperation('The books in sum, by operation and state, and by day or month.'),
    query: z.strictObject({ ...period, by: z.enum(spans).optional() }),
    response: totalsSchema,
  },
} satisfies EndpointRows

export function ledgerHandlers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
): Handlers<typeof ledgerRows> {
  return {
    async getTotals({ query: { by, ...period } }) {
      const [all, periods] = await Promise.all([
        sumBooks(books, currency, period),
        by && sumBooksBy(by, books, currency, period),
      ])
      const document: z.infer<typeof totalsSchema> = {
        network: caip2Of(currency.chainId),
        asset: checksummed(currency.asset),
        since: period.since ? unixSeconds(period.since) : null,
        until: period.until ? unixSeconds(period.until) : null,
        ...describeSums(all),
        ...(periods && {
          periods: periods.map(([name, sums]) => ({ period: name, ...describeSums(sums) })),
        }),
      }
      return json(200, document)
    },
  }
}
