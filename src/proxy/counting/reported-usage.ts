import { z } from 'zod'
import { isRecord } from './json-text.ts'

/**
 * The usage that a provider reports, in the words of the OpenAI-compatible and Anthropic-compatible
 * protocols.
 */
export interface ReportedUsage {
  /** Undefined when it is not reported, or is not a number of tokens. */
  readonly input: number | undefined
  readonly output: number | undefined
  /** Before the final report the output goes on growing. */
  readonly isFinal: boolean
}

/**
 * @param message the JSON of a reply, or of one event of a stream.
 * @returns undefined when it reports no usage.
 */
export function readUsage(message: unknown): ReportedUsage | undefined {
  if (!isRecord(message)) return undefined
  const { type, response, usage } = message
  if (type === 'message_start') {
    return isRecord(message.message) ? parseUsage(message.message.usage, false) : undefined
  }
  if (type === 'message_delta') {
    return parseUsage(usage, isRecord(message.delta) && typeof message.delta.stop_reason === 'string')
  }
  if (isRecord(response) && isRecord(response.usage)) return parseUsage(response.usage, true)
  return parseUsage(usage, isFinished(message.choices))
}

/** Keeps what the later report leaves out. Counts in a stream are sums, so none may fall. */
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

/** Whether an event carries only the usage that the request asked for. */
export function isUsageOnly(event: unknown): boolean {
  return (
    isRecord(event) && Array.isArray(event.choices) && event.choices.length === 0 && isRecord(event.usage)
  )
}

/** Some servers report the usage so far with every event; it is final once no choice goes on. */
function isFinished(choices: unknown): boolean {
  return (
    !Array.isArray(choices) ||
    choices.every(
      (choice) => !isRecord(choice) || !('delta' in choice) || typeof choice.finish_reason === 'string',
    )
  )
}

/** The limit is above what any model takes, and below what a sum of prices can hold. */
const count = z.int().min(0).max(1_000_000_000_000).optional().catch(undefined)

const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  // Anthropic's protocol counts these beside `input_tokens`.
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
})

function parseUsage(usage: unknown, isFinal: boolean): ReportedUsage | undefined {
  const parsed = usageSchema.safeParse(usage)
  if (!parsed.success) return undefined
  const { prompt_tokens, completion_tokens, total_tokens, input_tokens, output_tokens, ...cached } =
    parsed.data
  const fresh = prompt_tokens ?? input_tokens
  const output = completion_tokens ?? output_tokens
  const fromCache = (cached.cache_creation_input_tokens ?? 0) + (cached.cache_read_input_tokens ?? 0)
  if (fresh === undefined && output === undefined) {
    // Rerankers and embeddings report only a sum. They generate no text.
    return total_tokens ? { input: total_tokens, output: 0, isFinal } : undefined
  }
  // Servers that do not count report zeros. Every prompt has at least one token.
  if (isFinal && (fresh ?? 0) + (output ?? 0) + fromCache === 0) return undefined
  return {
    input: fresh === undefined ? undefined : fresh + fromCache,
    output: output ?? outputFromTotal(total_tokens, fresh),
    isFinal,
  }
}

/** Embeddings report no output: their total is their input. */
function outputFromTotal(total: number | undefined, input: number | undefined): number | undefined {
  return total === undefined || input === undefined || total < input ? undefined : total - input
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return other ?? one
  return Math.max(one, other)
}
