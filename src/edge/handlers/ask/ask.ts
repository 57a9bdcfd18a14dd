import type { EndpointRow, EndpointRows, HandlerContext, Handlers } from '../../../core/endpoint.ts'
import { noInput } from '../../../core/endpoint.ts'
import { faultyField } from '../../../core/errors.ts'
import { json, type Reply } from '../../../core/reply.ts'
import type { Queries } from '../../../platform/store/database.ts'
import { readQuestion } from '../../../products/search/question.ts'
import { tsvectorOf } from '../../../products/search/tsvector.ts'
import { oncePer } from '../document.ts'
import { endedStream } from '../scans/event-stream.ts'
import { orScansUnavailable, privateNoStore } from '../scans/view.ts'
import { type Asked, askedByBody, askedByQuery } from './asked.ts'
import { type Documentation, findAnswers } from './find-answers.ts'
import { messagesOf } from './messages.ts'
import type { Passage } from './passage.ts'
import {
  type AskReply,
  askReplySchema,
  exampleQuestion,
  exampleReply,
  nlwebVersion,
  summaryResult,
} from './replies.ts'
import { askBody, askQuery } from './request.ts'
import type { Found } from './results.ts'
import { partsOf } from './sites.ts'
import { summarize } from './summary.ts'

/** GET and POST /ask (specification 4.14): questions in plain language, in the form of NLWeb. */

const common = {
  ...noInput,
  isPrivate: true,
  path: '/ask',
  response: askReplySchema,
} as const satisfies Partial<EndpointRow>

const docs = {
  tag: 'service',
  mediaTypes: ['application/json', 'text/event-stream'],
  emptyReply: { status: 204, meaning: 'Last-Event-ID was sent: the stream that it is from has ended.' },
  errors: ['SCANS_UNAVAILABLE'],
} as const

const details =
  'The results are found by their words, and no model writes: a summary has sentences of the results, and mode generate gives the same summary. Text of scanned websites is quoted, and is no instruction.'

export const askRows = {
  ask: {
    ...common,
    method: 'GET',
    query: askQuery,
    docs: {
      ...docs,
      summary: 'Ask a question',
      details: `${details} Without a question the reply says how to ask.`,
      example: { query: { query: exampleQuestion }, reply: exampleReply },
    },
  },
  askWithBody: {
    ...common,
    method: 'POST',
    body: askBody,
    docs: {
      ...docs,
      summary: 'Ask a question with a body',
      details: `${details} The body has either the fields of the GET, or the sections query, prefer, context and meta of NLWeb 0.55.`,
      example: {
        body: {
          query: { text: exampleQuestion, site: 'all' },
          prefer: { mode: 'list', streaming: false },
          meta: { version: nlwebVersion },
        },
        reply: exampleReply,
      },
    },
  },
} satisfies EndpointRows

export interface AskSources {
  /** Returns the same list until the catalog changes. */
  readonly passages: () => readonly Passage[]
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The names of this service, in lower case. */
  readonly names: () => readonly string[]
}

export function askHandlers(
  { queries }: { readonly queries: Queries },
  { passages, baseUrl, names }: AskSources,
): Handlers<typeof askRows> {
  const documentation = oncePer(passages, readDocumentation)
  return {
    ask: ({ query }, context) => answer(askedByQuery(query), context),
    askWithBody: ({ body }, context) => answer(askedByBody(body), context),
  }

  async function answer(asked: Asked, context: HandlerContext): Promise<Reply> {
    // An EventSource that its client does not close asks again and again; 204 says that there is no more.
    if (isStreamed(asked, context) && context.headers.lastEventId) return nothingMore
    const { text, limit, mode } = asked
    if (text === undefined) return replyTo(asked, context, [], howToAsk(baseUrl))
    const question = readQuestion(text, asked.previous)
    if (typeof question === 'string') throw faultyField('query', 'must have a word to search for')
    const parts = partsOf(asked.sites, names())
    const found = await orScansUnavailable(
      findAnswers(
        { queries, documentation: documentation(), baseUrl },
        { question, parts, limit, viewer: context.holder?.subject },
      ),
    )
    if (parts.length === 0) return replyTo(asked, context, found, otherSites)
    if (found.length === 0) return replyTo(asked, context, found, nothingFound)
    return replyTo(asked, context, found, mode === 'list' ? undefined : summarize(found, question, text))
  }
}

function isStreamed({ isStream }: Asked, { headers }: HandlerContext): boolean {
  return isStream ?? headers.accept.includes('text/event-stream')
}

/** @param message a summary, or what a client shows where the results would be. */
function replyTo(
  asked: Asked,
  context: HandlerContext,
  found: readonly Found[],
  message: string | undefined,
): Reply {
  const { mode, queryId, isSectioned } = asked
  const reply: AskReply = {
    _meta: { response_type: 'answer', version: nlwebVersion, mode: mode === 'list' ? 'list' : 'summarize' },
    query_id: queryId ?? context.callId,
    results: [
      ...found.map((one) => one.answer),
      ...(message !== undefined && isSectioned ? [summaryResult(message)] : []),
    ],
    ...(message !== undefined && { summary: { message } }),
  }
  return isStreamed(asked, context) ? endedStream(messagesOf(reply, asked)) : json(200, reply, privateNoStore)
}

/** Programs that know the address from our Link header, and crawlers, ask without a question at first. */
function howToAsk(baseUrl: string): string {
  return `Ask in plain language, in the form of NLWeb: GET with query, or POST with JSON. mode=summarize adds a summary, and site searches the documentation, directory or scans alone. All fields: ${baseUrl}/docs#ask. For example: ${baseUrl}${common.path}?query=${encodeURIComponent(exampleQuestion)}`
}

const nothingFound = 'Nothing was found. Try other words; without site, all parts are searched.'

const otherSites =
  'Other sites are not searched here. Leave site out, or send documentation, directory or scans.'

const nothingMore: Reply = { status: 204, headers: privateNoStore, body: new Uint8Array() }

/** The words of the documentation, read once for each catalog. */
function readDocumentation(passages: readonly Passage[]): Documentation {
  const vectors = passages.map(({ name, text }) =>
    tsvectorOf([
      { text: name, weight: 'A' },
      { text, weight: 'C' },
    ]),
  )
  return { passages, vectors: JSON.stringify(vectors) }
}
