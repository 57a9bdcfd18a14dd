import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { flag, integer } from '../../../core/input/query-fields.ts'
import { json } from '../../../core/reply.ts'
import { listScans } from '../../../products/scan/scans/find-scans.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { scanResultsSchema, scanStatus, scanSummarySchema } from './replies.ts'
import { describeResults, describeScan, exampleScanId, orScansUnavailable, privateNoStore } from './view.ts'

const listSchema = z.object({
  scans: z.array(scanSummarySchema.extend({ results: scanResultsSchema.shape.results })),
  total: z.int().describe('of all pages'),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable().describe('the cursor of the next page; null on the last one'),
})

/** GET /api/insights/scans (specification 4.6): the scans that the caller may see. */
export const scanListRows = {
  listScans: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scans',
    query: z.strictObject({
      limit: integer(1, 100).default(20).describe('how many scans to list'),
      status: scanStatus.optional().describe('only scans of this status'),
      // The store takes no NUL, and no domain has a control character.
      domain: z
        .string()
        .trim()
        .regex(/^[^\p{Cc}]{1,253}$/u, 'must be 1 to 253 characters of a domain')
        .optional()
        .describe('part of the domain'),
      cursor: z.string().max(500).optional().describe('nextCursor of the page before'),
      include_results: flag.default(false).describe('whether each scan comes with its results'),
    }),
    response: listSchema,
    docs: {
      summary: 'List scans',
      details: 'For the next page, send the nextCursor of this one as cursor.',
      tag: 'scans',
      errors: ['SCANS_UNAVAILABLE'],
      example: {
        query: { limit: '20', status: 'complete' },
        reply: {
          scans: [
            {
              id: exampleScanId,
              domain: 'example.com',
              url: 'https://example.com/',
              status: 'complete',
              createdAt: 1_777_636_800,
              completedAt: 1_777_636_920,
              errorMessage: null,
            },
          ],
          total: 1,
          hasMore: false,
          nextCursor: null,
        },
      },
    },
  },
} satisfies EndpointRows

export function scanListHandlers(scans: Scans): Handlers<typeof scanListRows> {
  return {
    async listScans({ query }, { holder }) {
      const viewer = holder?.subject
      const { include_results: hasAnalysis, ...filter } = query
      const { rows, total, nextCursor } = await orScansUnavailable(
        listScans(scans, { ...filter, viewer, hasAnalysis }),
      )
      const page: z.infer<typeof listSchema> = {
        scans: rows.map((row) => ({
          ...describeScan(row, viewer),
          ...(hasAnalysis ? { results: describeResults(row).results } : {}),
        })),
        total,
        hasMore: nextCursor !== null,
        nextCursor,
      }
      return json(200, page, privateNoStore)
    },
  }
}
