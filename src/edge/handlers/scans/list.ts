import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { flag, integer } from '../../../core/query-fields.ts'
import { json } from '../../../core/reply.ts'
import { listScans } from '../../../products/scan/scans/find-scans.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { scanResultsSchema, scanStatus, scanSummarySchema } from './replies.ts'
import { describeResults, describeScan, orScansUnavailable, privateNoStore } from './view.ts'

const listSchema = z.object({
  scans: z.array(scanSummarySchema.extend({ results: scanResultsSchema.shape.results })),
  total: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
})

/** GET /api/insights/scans (specification 4.6): the scans that the caller may see. */
export const scanListRows = {
  listScans: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scans',
    query: z.strictObject({
      limit: integer(1, 100).default(20),
      status: scanStatus.optional(),
      // The store takes no NUL, and no domain has a control character.
      domain: z
        .string()
        .trim()
        .regex(/^[^\p{Cc}]{1,253}$/u, 'must be 1 to 253 characters of a domain')
        .optional()
        .describe('part of the domain'),
      cursor: z.string().max(500).optional().describe('nextCursor of the page before'),
      include_results: flag.default(false),
    }),
    response: listSchema,
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
