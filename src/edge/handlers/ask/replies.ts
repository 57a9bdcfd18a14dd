import { z } from 'zod'
import { exampleScanId } from '../scans/view.ts'

/** What /ask answers with: the fields that clients of NLWeb 0.55 read, and those of older ones, at once. */

export const nlwebVersion = '0.55'

export const answerSchema = z.object({
  '@type': z.string().describe('of schema.org: WebAPI, TechArticle, Organization or Report'),
  '@id': z.string(),
  url: z.string().describe('where it is read; its fragment names the place'),
  name: z.string(),
  site: z.enum(['documentation', 'directory', 'scans']),
  score: z.int().min(0).max(100).describe('compares the results of one question'),
  description: z.string().describe('plain text; of a scan or a listing, it may be words of the scanned site'),
  schema_object: z.record(z.string(), z.unknown()).describe('the result in JSON-LD, by schema.org'),
})

/** Stands behind the results for clients of 0.54 and 0.55, which look for the summary there. */
export const summarySchema = z.object({ '@type': z.literal('Summary'), text: z.string() })

export const askReplySchema = z.object({
  _meta: z.object({
    response_type: z.literal('answer'),
    version: z.string(),
    mode: z.enum(['list', 'summarize']).describe('what was done; generate is done as summarize'),
  }),
  query_id: z.string(),
  results: z.array(z.union([answerSchema, summarySchema])).describe('the best first'),
  summary: z
    .object({ message: z.string() })
    .optional()
    .describe('sentences of the results, unless the mode is list'),
})
export type AskReply = z.infer<typeof askReplySchema>

const scanUrl = `https://api.example.com/api/insights/scan/${exampleScanId}/results#opportunity-4`

export const exampleReply: AskReply = {
  _meta: { response_type: 'answer', version: nlwebVersion, mode: 'list' },
  query_id: 'q-1',
  results: [
    {
      '@type': 'Report',
      '@id': scanUrl,
      url: scanUrl,
      name: 'example.com: Remind patients of their appointments',
      site: 'scans',
      score: 76,
      description: 'Send appointment reminders by text message the day before.',
      schema_object: {
        '@context': 'https://schema.org',
        '@type': 'Report',
        '@id': scanUrl,
        name: 'Remind patients of their appointments',
        url: scanUrl,
        description: 'Send appointment reminders by text message the day before.',
        genre: 'opportunity',
        identifier: exampleScanId,
        about: { '@type': 'WebSite', url: 'https://example.com/', name: 'example.com' },
      },
    },
  ],
}
