import { z } from 'zod'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { integer } from '../../../core/input/query-fields.ts'
import { json } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { findListing, type Listing, listListings } from '../../../products/directory/find-listings.ts'
import type { Challenge } from '../../../products/scan/findings/results.ts'
import { loadScan } from '../../../products/scan/scans/find-scans.ts'
import { tagged } from '../document.ts'
import {
  exampleListing,
  industry,
  listingDetailSchema,
  listingPageSchema,
  type listingSchema,
} from './replies.ts'

/** The public directory (specification 4.8). */
export const directoryRows = {
  listDirectory: {
    ...noInput,
    method: 'GET',
    path: '/api/directory',
    query: z.strictObject({
      industry: industry.optional().describe('only listings of this industry'),
      limit: integer(1, 50).default(20).describe('how many listings to show'),
      offset: integer(0, 1_000_000).default(0).describe('how many listings to leave out at the beginning'),
    }),
    response: listingPageSchema,
    docs: {
      summary: 'List the directory',
      details: 'Pages follow each other by offset.',
      tag: 'directory',
      errors: ['DIRECTORY_UNAVAILABLE'],
      example: { query: { industry: 'technology' }, reply: { listings: [exampleListing], total: 1 } },
    },
  },
  getDirectoryListing: {
    ...noInput,
    method: 'GET',
    path: '/api/directory/{slug}',
    // A text that is no slug names no listing: it is 404, not 400.
    params: z.object({
      slug: z
        .string()
        .describe('the slug of a listing')
        .meta({ examples: [exampleListing.slug] }),
    }),
    response: listingDetailSchema,
    docs: {
      summary: 'Read one listing',
      details: 'The slug is that of the list, or of a comprehensive scan.',
      tag: 'directory',
      errors: ['LISTING_NOT_FOUND', 'DIRECTORY_UNAVAILABLE'],
      example: { params: { slug: exampleListing.slug } },
    },
  },
} satisfies EndpointRows

export function directoryHandlers(books: Pick<Books, 'queries'>): Handlers<typeof directoryRows> {
  return {
    async listDirectory({ query }, { headers }) {
      const { listings, total } = await orUnavailable(listListings(books, query))
      const page: z.infer<typeof listingPageSchema> = { listings: listings.map(describeListing), total }
      return tagged(json(200, page, askAgain), headers)
    },

    async getDirectoryListing({ params }, { headers }) {
      const listing = await orUnavailable(findListing(books, params.slug))
      const scan = listing && (await orUnavailable(loadScan(books, listing.scanId)))
      // Without an analysis the scan was deleted in between, and its listing with it.
      if (!listing || !scan?.analysis) throw new GatewayError('LISTING_NOT_FOUND', { field: 'slug' })
      const { report, challenges, coverage } = scan.analysis
      const detail: z.infer<typeof listingDetailSchema> = {
        ...report,
        coverage,
        ...describeListing(listing),
        scanId: listing.scanId,
        scannedAt: unixSeconds(listing.scannedAt),
        recommendations: recommendationsOf(challenges),
      }
      return tagged(json(200, detail, askAgain), headers)
    },
  }
}

/** A cache may keep a reply, and asks each time whether it still holds: a removed listing is gone everywhere at once. */
const askAgain = { 'cache-control': 'no-cache' }

function describeListing(listing: Listing): z.infer<typeof listingSchema> {
  const { businessName, slug, domain, readinessScore, aeoScore, description } = listing
  return { businessName, slug, domain, industry: listing.industry, readinessScore, aeoScore, description }
}

const maxRecommendations = 5

/** The challenges are sorted by what they cost. All of them, with their evidence, are for keys. */
function recommendationsOf(challenges: readonly Challenge[]): string[] {
  return [...new Set(challenges.flatMap(({ fix }) => fix ?? []))].slice(0, maxRecommendations)
}

async function orUnavailable<Row>(read: Promise<Row>): Promise<Row> {
  try {
    return await read
  } catch (cause) {
    throw comeBack('DIRECTORY_UNAVAILABLE', cause)
  }
}
