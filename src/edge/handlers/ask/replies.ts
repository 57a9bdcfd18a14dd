import { z } from 'zod'

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

/**
 * Stands behind the results for clients of 0.54 and 0.55, which look for the summary there. The page of 0.54 shows the
 * name and the description of each result, whatever its type.
 */
const summarySchema = z.object({
  '@type': z.literal('Summary'),
  name: z.literal('Summary'),
  description: z.string(),
  text: z.string(),
})

export function summaryResult(text: string): z.infer<typeof summarySchema> {
  return { '@type': 'Summary', name: 'Summary', description: text, text }
}

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
    .describe(
      'sentences of the results, unless the mode is list; or that nothing was found, that another site was asked for, or how to ask',
    ),
})
export type AskReply = z.infer<typeof askReplySchema>

export const exampleQuestion = 'How do I search scans?'

const url = 'https://api.example.com/docs#searchInsights'
const description = 'Full-text search over the findings, opportunities, workflows and domains of scans.'

export const exampleReply: AskReply = {
  _meta: { response_type: 'answer', version: nlwebVersion, mode: 'list' },
  query_id: 'q-1',
  results: [
    {
      '@type': 'WebAPI',
      '@id': url,
      url,
      name: 'Search scans',
      site: 'documentation',
      score: 81,
      description,
      schema_object: {
        '@context': 'https://schema.org',
        '@type': 'WebAPI',
        '@id': url,
        name: 'Search scans',
        url,
        description,
        potentialAction: {
          '@type': 'Action',
          target: {
            '@type': 'EntryPoint',
            httpMethod: 'GET',
            urlTemplate: 'https://api.example.com/api/insights/search',
          },
        },
      },
    },
  ],
}
