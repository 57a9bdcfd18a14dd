import { errors } from 'undici'
import { TargetError } from './target.ts'

/**
 * Why a fetch failed, in one word for programs and one sentence for the person who asked. A scan shows the
 * sentence, so it tells of the website and never of our insides; those go along as `cause`.
 */
export type FetchReason =
  | 'refused' // we do not go there
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'redirects' // too many, in a circle, or to nowhere
  | 'encoding' // the body cannot be decoded, or grows beyond measure when it is
  | 'content_type'
  | 'response' // broken HTTP, or the connection broke
  | 'aborted' // the caller gave up, or we shut down

export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly reason: FetchReason
  readonly url: string

  constructor(reason: FetchReason, url: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
    this.url = url
  }
}

/** The same from the parts that do not know which address was asked for; `toFetchError` adds it. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly reason: FetchReason

  constructor(reason: FetchReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Whatever ended a fetch, as a FetchError. An error that no network makes is a mistake of ours and is thrown on. */
export function toFetchError(error: unknown, url: string): FetchError {
  if (error instanceof FetchError) return error
  if (error instanceof FetchFailure) {
    return new FetchError(error.reason, url, error.message, { cause: error.cause ?? error })
  }
  if (error instanceof TargetError) return new FetchError('refused', url, error.message, { cause: error })
  const code = errorCode(error) ?? ''
  // The parser's errors have no code that could be told.
  if (!ofTheNetwork.test(code) && !(error instanceof errors.HTTPParserError)) throw error
  const [reason, message] = failures.get(code) ?? ['response', 'The server broke off or did not speak HTTP.']
  return new FetchError(reason, url, message, { cause: error })
}

/** As Node and undici mark their errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Of undici, the socket, TLS and a stream that was ended under way. */
const ofTheNetwork = /^(?:UND_ERR_(?!INVALID)|E[A-Z]+$|ERR_SSL_|ERR_TLS_|ERR_STREAM_PREMATURE_CLOSE$)/

/** What undici says once a connection stands; errors before that come from our connector as FetchFailure. */
const failures = new Map<string, readonly [FetchReason, string]>([
  ['UND_ERR_HEADERS_TIMEOUT', ['timeout', 'The server took too long to begin its answer.']],
  ['ETIMEDOUT', ['timeout', 'The server stopped answering.']],
  ['UND_ERR_HEADERS_OVERFLOW', ['response', "The answer's header is larger than 64 KB."]],
  ['UND_ERR_DESTROYED', ['aborted', 'The fetch was given up, as the service is shutting down.']],
  ['UND_ERR_CLOSED', ['aborted', 'The fetch was given up, as the service is shutting down.']],
])
