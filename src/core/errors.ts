import type { ErrorKind } from './error-kinds.ts'
import { kinds } from './error-kinds.ts'

export type ErrorCode = keyof typeof kinds

/** What an error code means on the wire. */
export function errorKind(code: ErrorCode): ErrorKind {
  return kinds[code]
}

export type ErrorDetails = Readonly<Record<string, unknown>>

/**
 * A refusal on its way to the caller. `details` are sent, so they hold nothing secret; `cause` and
 * `context` are for the log. `headers` ride along (Retry-After, Allow).
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    options: { cause?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(kinds[code].message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'GatewayError'
    this.code = code
    this.details = details
    this.headers = options.headers ?? {}
  }

  /** The same refusal with more headers. */
  with(headers: Readonly<Record<string, string>>): GatewayError {
    const cause = this.cause === undefined ? {} : { cause: this.cause }
    return new GatewayError(this.code, this.details, { ...cause, headers: { ...headers, ...this.headers } })
  }
}

/** What is needed does not answer, and may soon: the caller is told to come back, and when. */
export function comeBack(code: ErrorCode, cause: unknown, seconds = 5): GatewayError {
  return new GatewayError(
    code,
    { retry_after_seconds: seconds },
    { cause, headers: { 'retry-after': String(seconds) } },
  )
}

/** A body beyond its limit. The connection ends with the answer: what is left of the body would have to be read first. */
export function payloadTooLarge(maxBytes: number, cause?: unknown): GatewayError {
  return new GatewayError(
    'PAYLOAD_TOO_LARGE',
    { max_bytes: maxBytes },
    { ...(cause === undefined ? {} : { cause }), headers: { connection: 'close' } },
  )
}
