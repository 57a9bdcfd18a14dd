import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { countWords } from '../../../products/text/count-words.ts'
import type { TextEngine } from '../../../products/text/engine.ts'
import { engineNote, industry, textEngineHeader } from './fields.ts'

const request = z.strictObject({
  topic: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('What the article is about')
    .meta({ examples: ['Cutting no-shows with appointment reminders'] }),
  targetKeyword: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Search phrase the article should be found by'),
  industry: industry
    .optional()
    .describe('Industry of the readers, in your own words or one of the directory’s values'),
  tone: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .optional()
    .describe('Tone of voice in your own words, such as friendly or authoritative'),
})

const response = z.object({
  success: z.literal(true),
  blog: z.object({
    title: z.string(),
    content: z.string().describe('markdown'),
    wordCount: z.int().describe('of the content'),
    generatedAt: z.iso.datetime().describe('ISO 8601'),
  }),
})

/** POST /api/content/blog (specification 4.15). */
export const blogRows = {
  writeBlog: {
    ...noInput,
    method: 'POST',
    path: '/api/content/blog',
    body: request,
    response,
    docs: {
      summary: 'Write a blog article',
      details: `Name the topic; a search phrase, the readers’ industry and a tone shape the article. ${engineNote}`,
      tag: 'texts',
      errors: ['TEXT_NOT_KNOWN', 'TEXT_DECLINED', 'TEXT_ENGINE_FAILED'],
      example: {
        body: { topic: 'Cutting no-shows with appointment reminders', tone: 'friendly' },
        reply: {
          success: true,
          blog: {
            title: 'Cutting no-shows with appointment reminders',
            content: '# Cutting no-shows with appointment reminders\n\nAn empty chair costs …',
            wordCount: 1012,
            generatedAt: '2026-05-01T12:00:00.000Z',
          },
        },
      },
    },
  },
} satisfies EndpointRows

export function blogHandlers(text: TextEngine, clock: Clock): Handlers<typeof blogRows> {
  return {
    writeBlog: {
      check: (body) => text.refusals.blog(body),
      async handle({ body }, { signal }) {
        const { title, content } = await text.blog(body, signal)
        const blog = {
          title,
          content,
          wordCount: countWords(content),
          generatedAt: new Date(clock.now()).toISOString(),
        }
        return json(200, { success: true, blog } satisfies z.infer<typeof response>, textEngineHeader(text))
      },
    },
  }
}
