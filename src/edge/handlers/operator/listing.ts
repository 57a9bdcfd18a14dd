import type { z } from 'zod'
import { listingOf } from '../../../core/catalog/catalog.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { listTurns, nextTurnAt } from '../../../doors/ledger/settling/listing-turns.ts'
import type { LiveCatalog } from '../../../platform/config/live-catalog.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { ListingTurnRow } from '../../../platform/store/rows/settlement.ts'
import { operatorOperation } from './fields.ts'
import { listingStatusSchema } from './replies.ts'

/** GET /operator/listing: the last payment that went through each facilitator that lists an operation. */
export const listingRows = {
  showListing: {
    ...noInput,
    method: 'GET',
    path: '/operator/listing',
    operation: operatorOperation(
      'Which payments went through the facilitators that list operations, and when.',
    ),
    response: listingStatusSchema,
  },
} satisfies EndpointRows

type Status = z.infer<typeof listingStatusSchema>['listings'][number]

/** @param tools the operations that are sold as tools of an MCP server, too. */
export function listingHandlers(
  books: Pick<Books, 'queries'>,
  chainId: number,
  catalog: Pick<LiveCatalog, 'current'>,
  tools: ReadonlySet<string>,
): Handlers<typeof listingRows> {
  return {
    async showListing() {
      const rows = await listTurns(books, chainId)
      const listings = Object.entries(catalog.current().operations).flatMap(
        ([operation, entry]): Status[] => {
          const listing = listingOf(entry)
          if (!listing) return []
          const { facilitator, everyDays } = listing
          const none = { operation, facilitator, everyDays, nextDue: null, last: null, settledAt: null }
          const known = rows.filter((row) => row.operation === operation && row.facilitator === facilitator)
          return (['http', 'mcp'] as const).flatMap((transport): Status[] => {
            const row = known.find((one) => one.transport === transport)
            if (row) return [describe(row, everyDays)]
            return transport === 'http' || tools.has(operation) ? [{ ...none, transport }] : []
          })
        },
      )
      return json(200, { listings } satisfies z.infer<typeof listingStatusSchema>)
    },
  }
}

function describe(row: ListingTurnRow, everyDays: number): Status {
  const { operation, transport, facilitator, paymentId, outcome, reason, extensionResponses } = row
  return {
    operation,
    transport,
    facilitator,
    everyDays,
    nextDue: unixSeconds(nextTurnAt(row, everyDays)),
    settledAt: row.settledAt && unixSeconds(row.settledAt),
    last: { paymentId, at: unixSeconds(row.takenAt), outcome, reason, extensions: extensionResponses },
  }
}
