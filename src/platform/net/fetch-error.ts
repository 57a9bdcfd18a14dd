import { AssertionError } from 'node:assert'
import { errors } from 'undici'
import { TargetError } from './target.ts'

/**
 * Why a fetch failed: one word for programs and one sentence for the user. A scan shows the sentence, so it
 * describes the website and never our internals, which are in `cause`.
 */
export type FetchReason =
  | 'refused' // a target that is never fetched
  | 'dns' // the name does not exist or has no address
  | 'lookup' // our own resolver gave no answer, which says nothing of the name
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'redirects' // too many, in a circle, or to no address
  | 'encoding' // the body cannot be decompressed, or grows too much
  | 'content_type'
  | 'response' // broken HTTP, or the connection broke
  | 'aborted' // the caller aborted, or the fetcher was closed

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

/** The same without the URL, from the parts that do not know it; `toFetchError` adds it. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly reason: FetchReason

  constructor(reason: FetchReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Turns what ended a fetch into a FetchError.
 *
 * @throws the error itself when the network cannot have caused it: it is a bug of ours
 */
export function toFetchError(error: unknown, url: string): FetchError {
  if (error instanceof FetchError) return error
  if (error instanceof FetchFailure) {
    return new FetchError(error.reason, url, error.message, { cause: error.cause ?? error })
  }
  if (error instanceof TargetError) return new FetchError('refused', url, error.message, { cause: error })
  const code = errorCode(error) ?? ''
  // undici's parser errors have no code of a known form.
  if (!ofTheNetwork.test(code) && !(error instanceof errors.HTTPParserError) && !isUpgrade(error)) throw error
  const [reason, message] = failures.get(code) ?? ['response', 'The server broke off or did not speak HTTP.']
  return new FetchError(reason, url, message, { cause: error })
}

/** undici fails an assertion when a server answers 101 without the headers of an upgrade, which any server may do. */
function isUpgrade(error: unknown): boolean {
  return error instanceof AssertionError && error.message.includes('assert(upgrade)')
}

/** The code with which Node and undici mark an error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Codes of undici, the socket, TLS, and a stream that was cut. */
const ofTheNetwork = /^(?:UND_ERR_(?!INVALID)|E[A-Z]+$|ERR_SSL_|ERR_TLS_|ERR_STREAM_PREMATURE_CLOSE$)/

/** Errors of undici on an open connection; earlier ones come from our connector as FetchFailure. */
const failures = new Map<string, readonly [FetchReason, string]>([
  ['UND_ERR_HEADERS_TIMEOUT', ['timeout', 'The server took too long to begin its answer.']],
  ['ETIMEDOUT', ['timeout', 'The server stopped answering.']],
  ['UND_ERR_HEADERS_OVERFLOW', ['response', "The answer's header is larger than 64 KB."]],
  ['UND_ERR_DESTROYED', ['aborted', 'The fetch was aborted because the service is shutting down.']],
  ['UND_ERR_CLOSED', ['aborted', 'The fetch was aborted because the service is shutting down.']],
])
