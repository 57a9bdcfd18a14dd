import { z } from 'zod'
import { isRecord } from './json-text.ts'

/** What a provider says a call used, in the words of the OpenAI-compatible and Anthropic-compatible protocols. */
export interface ReportedUsage {
  /** Undefined when it is not told, or told in a way that cannot be true. */
  readonly input: number | undefined
  readonly output: number | undefined
  /** Nothing more will be said; before that, the output goes on growing. */
  readonly isFinal: boolean
}

/**
 * @param message the JSON of a reply, or of one event of a stream.
 * @returns undefined when it tells nothing.
 */
export function readUsage(message: unknown): ReportedUsage | undefined {
  if (!isRecord(message)) return undefined
  const { type, response, usage } = message
  if (type === 'message_start') {
    return isRecord(message.message) ? told(message.message.usage, false) : undefined
  }
  if (type === 'message_delta') {
    return told(usage, isRecord(message.delta) && typeof message.delta.stop_reason === 'string')
  }
  if (isRecord(response) && isRecord(response.usage)) return told(response.usage, true)
  return told(usage, isLast(message.choices))
}

/** What was said last counts, and what it leaves out stands as it was. Counts in a stream are sums, so none falls. */
export function mergeUsage(
  before: ReportedUsage | undefined,
  after: ReportedUsage | undefined,
): ReportedUsage | undefined {
  if (!before || !after) return after ?? before
  return {
    input: larger(before.input, after.input),
    output: larger(before.output, after.output),
    isFinal: before.isFinal || after.isFinal,
  }
}

/** The event that is sent for its usage alone, once it has been asked for. */
export function isUsageOnly(event: unknown): boolean {
  return (
    isRecord(event) && Array.isArray(event.choices) && event.choices.length === 0 && isRecord(event.usage)
  )
}

/** Some send what was used so far with every piece. */
function isLast(choices: unknown): boolean {
  return (
    !Array.isArray(choices) ||
    choices.every(
      (choice) => !isRecord(choice) || !('delta' in choice) || typeof choice.finish_reason === 'string',
    )
  )
}

/** More than any model takes, and less than what a sum of prices could not hold. */
const count = z.int().min(0).max(1_000_000_000_000).optional().catch(undefined)

const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  // Of Anthropic's protocol, where they are not part of `input_tokens`.
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
})

function told(usage: unknown, isFinal: boolean): ReportedUsage | undefined {
  const parsed = usageSchema.safeParse(usage)
  if (!parsed.success) return undefined
  const { prompt_tokens, completion_tokens, total_tokens, input_tokens, output_tokens, ...cached } =
    parsed.data
  const fresh = prompt_tokens ?? input_tokens
  const output = completion_tokens ?? output_tokens
  const fromCache = (cached.cache_creation_input_tokens ?? 0) + (cached.cache_read_input_tokens ?? 0)
  if (fresh === undefined && output === undefined) {
    // Rerankers and embeddings name only a sum; they say nothing themselves.
    return total_tokens ? { input: total_tokens, output: 0, isFinal } : undefined
  }
  // Servers that do not count fill in zeros, and there is no prompt without a token.
  if (isFinal && (fresh ?? 0) + (output ?? 0) + fromCache === 0) return undefined
  return {
    input: fresh === undefined ? undefined : fresh + fromCache,
    output: output ?? restOf(total_tokens, fresh),
    isFinal,
  }
}

/** Embeddings have no output, and do not name one. */
function restOf(total: number | undefined, input: number | undefined): number | undefined {
  return total === undefined || input === undefined || total < input ? undefined : total - input
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return other ?? one
  return Math.max(one, other)
}
