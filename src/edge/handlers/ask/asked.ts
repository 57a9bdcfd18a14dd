import type { z } from 'zod'
import type { askBody, askQuery, previousTexts, SiteName } from './request.ts'

/** `list,summarize` is how the newer clients ask for a summary. */
const modes = {
  list: 'list',
  none: 'list',
  summarize: 'summarize',
  'list,summarize': 'summarize',
  'list, summarize': 'summarize',
  generate: 'generate',
} as const
export type Mode = (typeof modes)[keyof typeof modes]

/** A question as all forms tell it. */
export interface Asked {
  readonly text: string
  readonly site: SiteName
  readonly mode: Mode
  readonly previous: readonly string[]
  /** Undefined where the Accept header decides. */
  readonly isStream: boolean | undefined
  readonly queryId: string | undefined
  readonly limit: number
  /** Whether it came in the sections of version 0.55. */
  readonly isSectioned: boolean
}

const defaultLimit = 10

export function askedByQuery(query: z.output<typeof askQuery>): Asked {
  return {
    text: query.query,
    site: query.site ?? 'all',
    mode: modes[query.mode ?? query.generate_mode ?? 'list'],
    previous: previousOf(query.prev),
    isStream: query.streaming,
    queryId: query.query_id,
    limit: defaultLimit,
    isSectioned: false,
  }
}

export function askedByBody(body: z.output<typeof askBody>): Asked {
  const { query, prefer, context } = body
  if (typeof query === 'string') {
    const { prev, streaming, ...flat } = body
    return { ...askedByQuery({ ...flat, query }), previous: previousOf(prev), isStream: streaming }
  }
  return {
    text: query.text,
    site: query.site ?? 'all',
    mode: modes[prefer?.mode ?? 'list'],
    previous: previousOf(context?.prev),
    isStream: prefer?.streaming,
    queryId: body.query_id,
    limit: query.max_results ?? defaultLimit,
    isSectioned: true,
  }
}

function previousOf(prev: z.output<typeof previousTexts> | undefined): readonly string[] {
  return typeof prev === 'string' ? prev.split(',') : (prev ?? [])
}
