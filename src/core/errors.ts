import type { PresetName } from './catalog/presets.ts'
import { kinds } from './error-kinds.ts'
import { expectedOf } from './problems.ts'

export type ErrorCode = keyof typeof kinds
export type ErrorDetails = Readonly<Record<string, unknown>>

/** The status and the text that a caller gets for an error code. */
export interface ErrorKind {
  readonly status: (typeof kinds)[ErrorCode]['status']
  /** The specification's word for the status. */
  readonly error: string
  /** What happened, and what to do next. */
  readonly message: string
}

const errorWords: Record<ErrorKind['status'], string> = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  422: 'unprocessable',
  429: 'rate_limited',
  431: 'headers_too_large',
  499: 'caller_left',
  500: 'internal',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'timeout',
  505: 'version_not_supported',
}

/** What an error code means on the wire. */
export function errorKind(code: ErrorCode): ErrorKind {
  const { status, message } = kinds[code]
  return { status, error: errorWords[status], message }
}

/**
 * An error that the caller gets as a reply. The caller sees `details`, so they hold nothing secret; `cause`
 * goes to the log only. `headers` are sent with the reply (Retry-After, Allow). `hint` is a sentence for this
 * occasion, after the message of the code.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly headers: Readonly<Record<string, string>>
  readonly hint: string | undefined
  /** How the callers of an upstream read errors; undefined for our own form. */
  readonly form: PresetName | undefined

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    options: {
      cause?: unknown
      headers?: Readonly<Record<string, string>>
      hint?: string
      form?: PresetName | undefined
    } = {},
  ) {
    super(
      [kinds[code].message, options.hint].filter(Boolean).join(' '),
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.name = 'GatewayError'
    this.code = code
    this.details = details
    this.headers = options.headers ?? {}
    this.hint = options.hint
    this.form = options.form
  }

  /** The same error with more headers, with a further hint, and in the form of an upstream's callers. */
  with(headers: Readonly<Record<string, string>>, hint?: string, form = this.form): GatewayError {
    const cause = this.cause === undefined ? {} : { cause: this.cause }
    const hints = [this.hint, hint].filter((one) => one !== undefined)
    return new GatewayError(this.code, this.details, {
      ...cause,
      headers: { ...headers, ...this.headers },
      form,
      ...(hints.length > 0 && { hint: hints.join(' ') }),
    })
  }
}

/** The error itself, or INTERNAL with the error as its cause. */
export function toGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('INTERNAL', {}, { cause: error })
}

/**
 * Makes the error for a dependency that does not answer now. The caller may repeat the request after
 * `seconds`.
 */
export function comeBack(code: ErrorCode, cause: unknown, seconds = 5): GatewayError {
  return new GatewayError(
    code,
    { retry_after_seconds: seconds },
    { cause, headers: { 'retry-after': String(seconds) } },
  )
}

/** A body over its limit. Closes the connection, or the rest of the body would have to be read first. */
export function payloadTooLarge(maxBytes: number, cause?: unknown): GatewayError {
  return new GatewayError(
    'PAYLOAD_TOO_LARGE',
    { max_bytes: maxBytes },
    { ...(cause === undefined ? {} : { cause }), headers: { connection: 'close' } },
  )
}

/** A body that does not arrive. Closes the connection, since the rest of the body may still come. */
export function requestTimeout(): GatewayError {
  return new GatewayError('REQUEST_TIMEOUT', {}, { headers: { connection: 'close' } })
}

/** A fault of a request. */
export interface Fault {
  /** As the caller names it: a field, a header, or `body`. */
  readonly field: string
  /** What is wrong, as the rest of a sentence that begins with the field: `must be text`. */
  readonly problem: string
  /** What the field takes; read from `problem` unless set. */
  readonly expected?: string
}

/**
 * A request with faults. Its details name all in `issues`, and the first one in `field` and `expected`, as specification
 * part 7 shows a 400.
 */
export function faultyRequest(first: Fault, others: readonly Fault[] = [], cause?: unknown): GatewayError {
  const expected = first.expected ?? expectedOf(first.problem)
  return new GatewayError(
    'VALIDATION_ERROR',
    {
      field: first.field,
      ...(expected === undefined ? {} : { expected }),
      issues: [first, ...others].map(({ field, problem }) => ({ field, problem })),
    },
    cause === undefined ? {} : { cause },
  )
}

/** A request with one fault. */
export function faultyField(field: string, problem: string, cause?: unknown): GatewayError {
  return faultyRequest({ field, problem }, [], cause)
}
