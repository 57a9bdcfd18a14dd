import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { LengthFinishReasonError } from 'openai/core/error'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { GatewayError } from '../../../core/errors.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { Prompt } from './prompts.ts'

/**
 * Puts one question to the model and insists on an answer of the asked shape. All retries, those of
 * the SDK after a 429 or 5xx and those after an unusable answer, draw on one budget of requests: two
 * nested loops would otherwise turn a bad minute of the model into dozens of billed requests for a
 * call that is sold for cents.
 */

export interface ModelOptions {
  readonly apiKey: string
  /** Of any OpenAI-compatible service; OpenAI's own when left out. */
  readonly baseUrl?: string | undefined
  readonly model: string
  /** For one HTTP request, body included. The whole question is bounded by the caller's signal. */
  readonly timeoutMs: number
  /** A question makes at most `1 + maxRetries` HTTP requests, whatever the reasons. */
  readonly maxRetries: number
  readonly maxOutputTokens: number
}

interface Question<Shape extends z.ZodType> {
  /** Names the schema to the model. */
  readonly name: string
  readonly shape: Shape
  readonly prompt: Prompt
  /** Says what is wrong with an answer of the right shape, or undefined if it may be sold. */
  readonly fault: (answer: z.output<Shape>) => string | undefined
}

export type Ask = <Shape extends z.ZodType>(
  question: Question<Shape>,
  signal: AbortSignal,
) => Promise<z.output<Shape>>

/**
 * Binds the questions to a service and a model.
 * @throws GatewayError TEXT_ENGINE_FAILED, with a reason in its details, when no usable answer came.
 * An aborted question throws the signal's own reason: whoever aborted knows why.
 */
export function createAsk(options: ModelOptions): Ask {
  const client = createClient(options)
  return async (question, signal) => {
    let requests = 0
    const fetchCounted: typeof fetch = (input, init) => {
      requests += 1
      return boundedFetch(input, init)
    }
    const most = 1 + options.maxRetries
    let unusable: Unusable | undefined
    while (requests < most) {
      const attempt = client.withOptions({ maxRetries: most - requests - 1, fetch: fetchCounted })
      try {
        return await once(attempt, options, question, unusable, signal)
      } catch (error) {
        signal.throwIfAborted()
        unusable = unusableAnswer(error)
        if (unusable === undefined) throw failure(reasonOf(error), requests, error)
      }
    }
    throw failure('unusable_answer', requests, unusable)
  }
}

/** Everything the SDK would otherwise read from the environment is set here; only config reads that. */
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

async function once<Shape extends z.ZodType>(
  client: OpenAI,
  { model, maxOutputTokens }: ModelOptions,
  { name, shape, prompt, fault }: Question<Shape>,
  earlier: Unusable | undefined,
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
  if (message?.refusal) throw new Refused()
  const answer = shape.safeParse(message?.parsed)
  if (!answer.success) throw answer.error
  const complaint = fault(answer.data)
  if (complaint !== undefined) throw new Unusable(complaint)
  return answer.data
}

function correction({ message }: Unusable): string {
  return `An earlier answer to this request could not be used: ${message} Answer the request again in full and avoid that fault.`
}

/** An answer that arrived and cannot be sold; asking again may help. Its message is shown to the model. */
class Unusable extends Error {}

/** The model declined; asking the same again would only be billed again. */
class Refused extends Error {
  constructor() {
    super('the model refused to answer')
  }
}

function unusableAnswer(error: unknown): Unusable | undefined {
  if (error instanceof Unusable) return error
  if (error instanceof LengthFinishReasonError) {
    return new Unusable('It was cut off at the token limit. Be shorter.', { cause: error })
  }
  if (error instanceof SyntaxError) return new Unusable('It was not valid JSON.', { cause: error })
  if (error instanceof z.ZodError) {
    const places = error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return new Unusable(`It did not fit the schema (${places.join('; ')}).`, { cause: error })
  }
  return undefined
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return 'refused'
  if (error instanceof APIConnectionTimeoutError) return 'timeout'
  if (error instanceof APIConnectionError) return 'unreachable'
  if (error instanceof APIError && error.status === 429) return 'rate_limited'
  if (error instanceof APIError && error.status !== undefined && error.status >= 500) return 'model_error'
  if (error instanceof APIError) return 'rejected'
  return 'unexpected_answer'
}

/** Some services repeat the key in the body of a 401; such an error is described, not passed on. */
function failure(reason: string, attempts: number, error: unknown): GatewayError {
  const cause =
    error instanceof APIError && (error.status === 401 || error.status === 403)
      ? new Error(`the model service answered ${error.status}`)
      : error
  return new GatewayError('TEXT_ENGINE_FAILED', { reason, attempts }, { cause })
}
