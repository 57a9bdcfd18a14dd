import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { LengthFinishReasonError } from 'openai/core/error'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { GatewayError } from '../../../core/errors.ts'
import type { Dependency, Outages } from '../../../core/outages.ts'
import { declined } from '../unprintable.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { Prompt } from './prompts.ts'

/**
 * Asks the model one question and retries until its reply has the asked shape. All retries share one budget of
 * requests: those of the SDK after a 429 or 5xx, and those after an unusable reply. Two nested loops could turn one
 * call that is sold for cents into dozens of billed requests.
 */

export interface ModelOptions {
  readonly apiKey: string
  /** Address of any OpenAI-compatible service; OpenAI by default. */
  readonly baseUrl?: string | undefined
  readonly model: string
  /** For one HTTP request, body included. The caller's signal limits the whole question. */
  readonly timeoutMs: number
  /** A question makes at most `1 + maxRetries` HTTP requests, whatever the reason for each. */
  readonly maxRetries: number
  readonly maxOutputTokens: number
  /** Where it is reported that the service does not answer. */
  readonly outages?: Outages
}

interface Question<Shape extends z.ZodType> {
  /** Name of the schema, as the model sees it. */
  readonly name: string
  readonly shape: Shape
  readonly prompt: Prompt
  /** Says what is wrong with a reply of the right shape; undefined when it may be sold. */
  readonly findFault: (parts: z.output<Shape>) => string | undefined
}

export type Ask = <Shape extends z.ZodType>(
  question: Question<Shape>,
  signal: AbortSignal,
) => Promise<z.output<Shape>>

/**
 * Creates the function that asks one service and one model.
 * @throws GatewayError TEXT_ENGINE_FAILED with a reason in its details when no usable reply came; TEXT_DECLINED when the
 *   model refuses; the reason of the signal when the caller aborted.
 */
export function createAsk(options: ModelOptions): Ask {
  const client = createClient(options)
  return async (question, signal) => {
    let requests = 0
    const fetchCounted: typeof fetch = (input, init) => {
      requests += 1
      return boundedFetch(input, init)
    }
    const maxRequests = 1 + options.maxRetries
    let unusable: UnusableReply | undefined
    while (requests < maxRequests) {
      const attempt = client.withOptions({ maxRetries: maxRequests - requests - 1, fetch: fetchCounted })
      try {
        const answer = await askOnce(attempt, options, question, unusable, signal)
        options.outages?.works(textModel)
        return answer
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof GatewayError) throw error
        unusable = toUnusableReply(error)
        if (unusable !== undefined) continue
        const failed = failure(reasonOf(error), requests, error)
        if (isDown(error)) options.outages?.failed(textModel, failed.cause)
        throw failed
      }
    }
    throw failure('unusable_answer', requests, unusable)
  }
}

const textModel: Dependency = {
  name: 'the text model',
  means: 'texts are refused with 502, and scans keep their built-in summary',
}

/** Whether the service would answer any other question alike: it does not reply, is overloaded, or refuses our key. */
function isDown(error: unknown): boolean {
  if (error instanceof APIConnectionError) return true
  if (!(error instanceof APIError) || error.status === undefined) return false
  return error.status >= 500 || error.status === 429 || error.status === 401 || error.status === 403
}

/** Sets every option that the SDK would otherwise read from the environment: only config may read that. */
function createClient({ apiKey, baseUrl, timeoutMs }: ModelOptions): OpenAI {
  return new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    timeout: timeoutMs,
    logLevel: 'off',
  })
}

async function askOnce<Shape extends z.ZodType>(
  client: OpenAI,
  { model, maxOutputTokens }: ModelOptions,
  { name, shape, prompt, findFault }: Question<Shape>,
  earlier: UnusableReply | undefined,
  signal: AbortSignal,
): Promise<z.output<Shape>> {
  const completion = await client.chat.completions.parse(
    {
      model,
      max_completion_tokens: maxOutputTokens,
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
        ...(earlier === undefined ? [] : [{ role: 'user' as const, content: correction(earlier) }]),
      ],
      response_format: zodResponseFormat(shape, name),
    },
    { signal },
  )
  const message = completion.choices[0]?.message
  // It is not asked again: a retry would be billed and declined too.
  if (message?.refusal) throw declined('a text that the model refuses to write')
  const parts = shape.safeParse(message?.parsed)
  if (!parts.success) throw parts.error
  const fault = findFault(parts.data)
  if (fault !== undefined) throw new UnusableReply(fault)
  return parts.data
}

function correction({ message }: UnusableReply): string {
  return `An earlier answer to this request could not be used: ${message} Answer the request again in full and avoid that fault.`
}

/** A reply that cannot be sold. A retry may help, and sends this message to the model. */
class UnusableReply extends Error {}

function toUnusableReply(error: unknown): UnusableReply | undefined {
  if (error instanceof UnusableReply) return error
  if (error instanceof LengthFinishReasonError) {
    return new UnusableReply('It was cut off at the token limit. Think and write less.', { cause: error })
  }
  if (error instanceof SyntaxError) return new UnusableReply('It was not valid JSON.', { cause: error })
  if (error instanceof z.ZodError) {
    const places = error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return new UnusableReply(`It did not fit the schema (${places.join('; ')}).`, { cause: error })
  }
  return undefined
}

function reasonOf(error: unknown): string {
  if (error instanceof APIConnectionTimeoutError) return 'timeout'
  if (error instanceof APIConnectionError) return 'unreachable'
  if (error instanceof APIError && error.status === 429) return 'rate_limited'
  if (error instanceof APIError && error.status !== undefined && error.status >= 500) return 'model_error'
  if (error instanceof APIError) return 'rejected'
  return 'unexpected_answer'
}

/** Hides the error of a 401 or 403: some services repeat the API key in its body. */
function failure(reason: string, attempts: number, error: unknown): GatewayError {
  const cause =
    error instanceof APIError && (error.status === 401 || error.status === 403)
      ? new Error(`the model service answered ${error.status}`)
      : error
  return new GatewayError('TEXT_ENGINE_FAILED', { reason, attempts }, { cause })
}
