import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { integer } from '../../../core/input/query-fields.ts'
import { json } from '../../../core/reply.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type EntryType, entryTypes } from '../../../products/search/entries.ts'
import { maxTerms, readQuery } from '../../../products/search/query.ts'
import { maxScans, search } from '../../../products/search/search.ts'
import { exampleScanId, orScansUnavailable, privateNoStore } from '../scans/view.ts'

const maxCharacters = 500

/** The text of the caller, and how it is read. */
const searchQuery = z
  .string()
  .trim()
  .regex(
    new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${maxCharacters}}$`, 'u'),
    `must be 1 to ${maxCharacters} characters, without control characters`,
  )
  .transform((text, context) => {
    const read = readQuery(text)
    if (typeof read !== 'string') return { text, read }
    const message =
      read === 'no word'
        ? 'must have a word to search for, beside those with a minus'
        : `must have at most ${maxTerms} words and phrases`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .describe(
    `up to ${maxCharacters} characters: words, "phrases", -words that must not occur, beginnings of domains`,
  )

const typesOf: Readonly<Record<'all' | 'opportunities' | 'workflows' | 'domains', EntryType | undefined>> = {
  all: undefined,
  opportunities: 'opportunity',
  workflows: 'workflow',
  domains: 'domain',
}

const foundSchema = z.object({
  results: z.array(
    z.object({
      type: z.enum(entryTypes),
      scanId: z.uuid(),
      domain: z.string(),
      title: z.string(),
      snippet: z.string().describe('plain text around the first word that was found'),
      score: z.number().describe('between 0 and 1; the best comes first'),
    }),
  ),
  total: z.int().describe(`matching entries of the newest ${maxScans} scans that have all words`),
  query: z.string().describe('as it was read'),
})

/** GET /api/insights/search (specification 4.10): full-text search over the scans that the caller may see. */
export const searchRows = {
  searchInsights: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/search',
    query: z.strictObject({
      query: searchQuery,
      search_type: z
        .enum(['all', 'opportunities', 'workflows', 'domains'])
        .default('all')
        .describe('what to search in'),
      limit: integer(1, 50).default(10).describe('how many results to show'),
    }),
    response: foundSchema,
    docs: {
      summary: 'Search scans',
      details: 'The best results come first. Each names its scan, whose results tell the rest.',
      tag: 'insights',
      errors: ['SCANS_UNAVAILABLE'],
      example: {
        query: { query: 'appointment reminders', search_type: 'opportunities' },
        reply: {
          results: [
            {
              type: 'opportunity',
              scanId: exampleScanId,
              domain: 'example.com',
              title: 'Remind patients of their appointments',
              snippet: 'Send appointment reminders by text message the day before.',
              score: 0.82,
            },
          ],
          total: 1,
          query: 'appointment reminders',
        },
      },
    },
  },
} satisfies EndpointRows

export function searchHandlers({ queries }: Books): Handlers<typeof searchRows> {
  return {
    async searchInsights({ query: asked }, { holder }) {
      const { query, search_type: searchType, limit } = asked
      const wanted = { query: query.read, type: typesOf[searchType], limit, viewer: holder?.subject }
      const { results, total } = await orScansUnavailable(search({ queries }, wanted))
      const found: z.infer<typeof foundSchema> = { results: [...results], total, query: query.text }
      return json(200, found, privateNoStore)
    },
  }
}
