import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type ListingRow, listingStates } from '../../../platform/store/rows/directory.ts'
import { listRows } from '../../../products/directory/find-listings.ts'
import { removeListing, restoreListing } from '../../../products/directory/removals.ts'
import { holdDeletions } from '../../../products/scan/scans/forget-scans.ts'
import { newestListableSite } from '../../../products/scan/scans/listable-scans.ts'
import { operatorOperation } from '../operator/fields.ts'
import { pageQuery, showPage } from '../operator/page.ts'
import { siteName } from '../scans/site-name.ts'
import { listingRowsSchema, removedSchema, restoredSchema } from './replies.ts'

const params = z.object({ domain: siteName })

/** The directory for the operator: what is in it, and which sites are kept out. */
export const operatorDirectoryRows = {
  listListings: {
    ...noInput,
    method: 'GET',
    path: '/operator/directory',
    operation: operatorOperation('The sites that the directory knows, by domain, in any state.'),
    query: pageQuery(z.tuple([z.string().regex(/^[^\p{Cc}]{1,300}$/u)]), {
      state: z.enum(listingStates).optional(),
    }),
    response: listingRowsSchema,
  },
  removeListing: {
    ...noInput,
    method: 'POST',
    path: '/operator/directory/{domain}/remove',
    operation: operatorOperation('Takes a site out of the directory; no scan brings it back.'),
    params,
    response: removedSchema,
  },
  restoreListing: {
    ...noInput,
    method: 'POST',
    path: '/operator/directory/{domain}/restore',
    operation: operatorOperation('Lets a removed site be listed again.'),
    params,
    response: restoredSchema,
  },
} satisfies EndpointRows

export function operatorDirectoryHandlers(books: Books): Handlers<typeof operatorDirectoryRows> {
  const { queries, clock } = books
  return {
    async listListings({ query: { state, cursor, limit } }) {
      const page = await listRows(books, { state, after: cursor?.[0], limit })
      const { shown: listings, nextCursor } = showPage(page, describeRow)
      return json(200, { listings, nextCursor } satisfies z.infer<typeof listingRowsSchema>)
    },

    async removeListing({ params: { domain } }) {
      const isNew = await queries
        .transaction()
        .execute((transaction) => removeListing({ queries: transaction, clock }, domain))
      return json(200, { domain, alreadyRemoved: !isNew } satisfies z.infer<typeof removedSchema>)
    },

    async restoreListing({ params: { domain } }) {
      const restored = await queries.transaction().execute(async (transaction) => {
        await holdDeletions(transaction)
        return await restoreListing({ queries: transaction, clock }, domain, newestListableSite)
      })
      if (!restored) throw faultyField('domain', 'was not removed from the directory')
      const listing = restored.listing ? describeRow(restored.listing) : null
      return json(200, { domain, listing } satisfies z.infer<typeof restoredSchema>)
    },
  }
}

function describeRow(row: ListingRow) {
  const { domain, slug, state, businessName, industry, readinessScore, aeoScore, scanId, updatedAt } = row
  return {
    ...{ domain, slug, state, businessName, industry, readinessScore, aeoScore, scanId },
    updatedAt: unixSeconds(updatedAt),
  }
}
