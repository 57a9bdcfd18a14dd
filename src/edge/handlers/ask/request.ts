import { z } from 'zod'
import { flagOrNumber, integer } from '../../../core/input/query-fields.ts'
import { maxQuestionTerms, readQuestion } from '../../../products/search/question.ts'

/**
 * What callers of /ask send (https://nlweb.ai/docs/specification): a query string, the same fields as JSON, or the sections
 * of version 0.55. Clients of NLWeb send more fields than they need an answer to (`model`, `item_to_remember`, `user`), so
 * unknown ones are ignored here; a known one with a wrong value is refused.
 */

const maxCharacters = 500
const maxPrevious = 20

const line = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${maxCharacters}}$`, 'u')
const lineProblem = `must be 1 to ${maxCharacters} characters, without control characters`

const questionText = z
  .string()
  .trim()
  .regex(line, lineProblem)
  .superRefine((text, context) => {
    const read = line.test(text) ? readQuestion(text) : undefined
    if (read === 'no word') context.addIssue({ code: 'custom', message: 'must have a word to search for' })
    if (read === 'too many')
      context.addIssue({ code: 'custom', message: `must have at most ${maxQuestionTerms} different words` })
  })
  .describe(`the question in plain language, up to ${maxCharacters} characters`)

const siteName = z.string().max(maxCharacters)
const maxSites = 20

const site = z
  .union([siteName, z.array(siteName).max(maxSites)], {
    error: `must be a text of up to ${maxCharacters} characters, or a list of up to ${maxSites} of them`,
  })
  .describe(
    'where to look: documentation, directory, scans (those that you may see), or all. Our host name is all, too. One of these, or several; a name of another site finds nothing',
  )

const maxResults = 50
const resultsWanted = 'how many results to show; 10 by default'
const countText = integer(1, maxResults).optional().describe(resultsWanted)
const count = z.int().min(1).max(maxResults).optional().describe(resultsWanted)
/** Some clients send it as text. */
const anyCount = z.union([count, countText], { error: `must be a whole number from 1 to ${maxResults}` })

/** Some clients send it empty. */
const wholeQuestion = z
  .union([z.literal(''), questionText], { error: lineProblem })
  .describe('the question with what earlier questions add to it; it is answered instead of the query')

const mode = z
  .enum(['list', 'none', 'summarize', 'list,summarize', 'list, summarize', 'generate'], {
    error: 'must be list, summarize, generate, none, or the two words "list, summarize"',
  })
  .describe(
    'list: the results alone. summarize: also the sentences of them that fit best. generate: as summarize. none: as list',
  )

const queryId = z
  .string()
  .regex(/^[!-~]{1,100}$/, 'must be 1 to 100 visible ASCII characters, without spaces')
  .describe('your name for the question, which comes back; one is made without it')

const previousText = z
  .string()
  .max(maxCharacters * 4)
  .describe(
    'earlier questions of the conversation, separated by commas; their words raise the rank of an answer',
  )

/** Of GET, all of it text. */
export const askQuery = z.object({
  query: questionText.optional(),
  site: site.optional(),
  mode: mode.optional(),
  generate_mode: mode.optional().describe('the older name of mode'),
  prev: previousText.optional(),
  streaming: flagOrNumber
    .optional()
    .describe('answers as server-sent events; by default only when Accept names text/event-stream'),
  query_id: queryId.optional(),
  decontextualized_query: wholeQuestion.optional(),
  num_results: countText,
  max_results: countText.describe('another name of num_results'),
})

export const previousTexts = z.union(
  [previousText, z.array(z.string().max(maxCharacters)).max(maxPrevious)],
  {
    error: `must be a text of up to ${maxCharacters * 4} characters, or a list of up to ${maxPrevious} texts of ${maxCharacters}`,
  },
)
const yesOrNo = z.union([z.boolean(), flagOrNumber], { error: 'must be true or false' })

/** Many clients write null for what they do not have. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  const { description } = schema
  const taken = schema.nullish().transform((value) => value ?? undefined)
  return description === undefined ? taken : taken.describe(description)
}

/** The sections of version 0.55. */
const section = z.object({
  text: questionText,
  site: orNull(site),
  decontextualized_query: orNull(wholeQuestion),
  num_results: orNull(anyCount),
  max_results: orNull(anyCount),
})
const versionName = orNull(z.string().max(20))
const sections = {
  prefer: z
    .object({ mode: orNull(mode), streaming: orNull(yesOrNo) })
    .describe('with a query object: mode and streaming'),
  context: z
    .object({ prev: orNull(previousTexts) })
    .describe('with a query object: earlier questions (prev)'),
  meta: z
    .object({ version: versionName, api_version: versionName })
    .describe('with a query object: the version of the protocol'),
}

/** Of POST, in either form. */
export const askBody = z
  .object({
    query: z
      .union([questionText, section], {
        error: `must be a text, or an object of text and, if wanted, site, num_results (1 to ${maxResults}) and decontextualized_query`,
      })
      .describe('the question, or an object of the question (text), site and num_results'),
    site: orNull(site),
    mode: orNull(mode),
    generate_mode: orNull(mode.describe('the older name of mode')),
    query_id: orNull(queryId),
    decontextualized_query: orNull(wholeQuestion),
    num_results: orNull(anyCount.describe(resultsWanted)),
    max_results: orNull(anyCount.describe('another name of num_results')),
    streaming: orNull(yesOrNo.describe('answers as server-sent events')),
    prev: orNull(previousTexts.describe('earlier questions of the conversation')),
    prefer: orNull(sections.prefer),
    context: orNull(sections.context),
    meta: orNull(sections.meta),
  })
  .superRefine((body, context) => {
    const isSectioned = typeof body.query === 'object'
    const foreign = isSectioned
      ? ([
          'site',
          'mode',
          'generate_mode',
          'prev',
          'streaming',
          'decontextualized_query',
          'num_results',
          'max_results',
        ] as const)
      : (['prefer', 'context'] as const)
    for (const field of foreign) {
      if (body[field] === undefined) continue
      const message = isSectioned
        ? 'must not stand beside a query object: use its site, prefer or context'
        : 'must not stand beside a query text: send the query as an object with the field text'
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })
