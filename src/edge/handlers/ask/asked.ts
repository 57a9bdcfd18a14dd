import type { z } from 'zod'
import type { askBody, askQuery, previousTexts } from './request.ts'
import { isNothing } from './sites.ts'

/** `list,summarize` is how the newer clients ask for a summary. */
const modes = {
  list: 'list',
  none: 'list',
  summarize: 'summarize',
  'list,summarize': 'summarize',
  'list, summarize': 'summarize',
  generate: 'generate',
} as const
type Mode = (typeof modes)[keyof typeof modes]

/** A question as all forms tell it. */
export interface Asked {
  /** Undefined when none came: the reply says how to ask. */
  readonly text: string | undefined
  /** Where to look, as the caller names it; none for everywhere. */
  readonly sites: readonly string[]
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
    ...textOf(query.query, query.decontextualized_query, query.prev),
    sites: [query.site ?? []].flat(),
    mode: modes[query.mode ?? query.generate_mode ?? 'list'],
    isStream: query.streaming,
    queryId: query.query_id,
    limit: query.num_results ?? query.max_results ?? defaultLimit,
    isSectioned: false,
  }
}

export function askedByBody(body: z.output<typeof askBody>): Asked {
  const { query, prefer, context } = body
  if (typeof query === 'string') {
    const { prev, streaming, ...flat } = body
    const told = textOf(query, flat.decontextualized_query, prev)
    return { ...askedByQuery({ ...flat, query }), ...told, isStream: streaming }
  }
  return {
    ...textOf(query.text, query.decontextualized_query, context?.prev),
    sites: [query.site ?? []].flat(),
    mode: modes[prefer?.mode ?? 'list'],
    isStream: prefer?.streaming,
    queryId: body.query_id,
    limit: query.num_results ?? query.max_results ?? defaultLimit,
    isSectioned: true,
  }
}

/** A question that its client has completed by the earlier ones stands for itself. */
function textOf(
  text: string | undefined,
  whole: string | undefined,
  prev: z.output<typeof previousTexts> | undefined,
): Pick<Asked, 'text' | 'previous'> {
  if (whole !== undefined && !isNothing(whole)) return { text: whole, previous: [] }
  const previous = typeof prev === 'string' ? prev.split(',') : (prev ?? [])
  return { text, previous: previous.filter((one) => !isNothing(one)) }
}
