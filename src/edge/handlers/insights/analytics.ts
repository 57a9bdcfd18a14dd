import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { summarize } from '../../../products/analytics/summarize.ts'
import { firstDay, timeRanges } from '../../../products/analytics/time-range.ts'
import { orScansUnavailable, privateNoStore } from '../scans/view.ts'

const count = z.int()
const average = z.number().describe('0 to 100, over complete scans; 0 when there is none')

const summarySchema = z.object({
  totalScans: count.describe('begun in the time range'),
  averageReadinessScore: average,
  averageAeoScore: average,
  topOpportunityCategories: z.array(z.string()).describe('up to ten, the most frequent first'),
  scansByStatus: z.object({
    pending: count,
    fetching: count,
    analyzing: count,
    complete: count,
    error: count,
  }),
})

/** GET /api/insights/analytics (specification 4.9): a summary of the scans that the caller may see. */
export const analyticsRows = {
  getAnalyticsSummary: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/analytics',
    query: z.strictObject({
      time_range: z
        .enum(timeRanges)
        .default('30d')
        .describe('whole UTC days up to now: 7d is today and the six days before'),
    }),
    response: summarySchema,
    docs: {
      summary: 'Sum up scans',
      details: '',
      tag: 'insights',
      errors: ['SCANS_UNAVAILABLE'],
      example: {
        query: { time_range: '30d' },
        reply: {
          totalScans: 12,
          averageReadinessScore: 58.4,
          averageAeoScore: 63.1,
          topOpportunityCategories: ['communication', 'workflow'],
          scansByStatus: { pending: 0, fetching: 0, analyzing: 1, complete: 10, error: 1 },
        },
      },
    },
  },
} satisfies EndpointRows

export function analyticsHandlers({ queries, clock }: Books): Handlers<typeof analyticsRows> {
  return {
    async getAnalyticsSummary({ query }, { holder }) {
      const range = { owner: holder?.subject, since: firstDay(query.time_range, clock.now()) }
      const { topOpportunityCategories, ...sums } = await orScansUnavailable(summarize(queries, range))
      const summary: z.infer<typeof summarySchema> = {
        ...sums,
        topOpportunityCategories: [...topOpportunityCategories],
      }
      return json(200, summary, privateNoStore)
    },
  }
}
