import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type Endpoint, endpointWith, noBody, noParams } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { checksummed } from '../../../doors/ledger/address.ts'
import type { Currency } from '../../../doors/ledger/totals.ts'
import { listUnmatchedTransfers } from '../../../doors/ledger/unmatched-transfers.ts'
import type { Books } from '../../../platform/store/books.ts'
import { sum } from '../amounts.ts'
import { cursorOf, limit, operatorOperation, word, writeCursor } from './fields.ts'
import { strangersSchema } from './replies.ts'

/** GET /operator/strangers: transfers that came in and belong to no payment, the newest block first. */
export function strangersEndpoint(books: Pick<Books, 'queries'>, currency: Currency): Endpoint {
  return endpointWith({
    id: 'listStrangers',
    method: 'GET',
    path: '/operator/strangers',
    operation: operatorOperation('Transfers that came in and belong to no payment.'),
    params: noParams,
    query: z.strictObject({ cursor: cursorOf(position), limit }),
    body: noBody,
    response: strangersSchema,
    async handle({ query: { cursor, limit } }) {
      const { rows, next } = await listUnmatchedTransfers(books, currency, cursor, limit)
      const list: z.infer<typeof strangersSchema> = {
        strangers: rows.map((row) => ({
          transaction: row.transaction,
          payer: checksummed(row.payer),
          payTo: checksummed(row.payTo),
          ...sum(row.amount),
          nonce: row.nonce,
          block: Number(row.blockNumber),
          seenAt: unixSeconds(row.seenAt),
        })),
        nextCursor: next ? writeCursor(next) : null,
      }
      return json(200, list)
    },
  })
}

const position = z.tuple([z.string().regex(/^\d{1,18}$/), z.int32(), word])
