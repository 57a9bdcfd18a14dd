import { z } from 'zod'
import type { Operation } from './catalog.ts'
import { GatewayError } from './errors.ts'

/**
 * One request on its way down and one answer on its way up. Express ends where a `Call` begins, and
 * nothing but `http/reply` ever touches a response, so no stage can send half an answer before the
 * money question is decided.
 */

/** A request as it came in, before anyone has looked at its credentials. */
export interface Call {
  /** Unique to this request; told to the caller as X-Request-Id and written on every log line. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The catalogue's entry for the endpoint, as it stood when the call arrived. */
  readonly operation: Operation
  /** Path with query string exactly as received. */
  readonly target: string
  /** The values of a header by its lower-case name. Only `gateway/identify` reads credentials out of them. */
  readonly header: (name: string) => readonly string[] | undefined
  /** Reads the body on demand: an unpaid call is answered without reading what it sent. */
  readonly readBody: () => Promise<RawBody>
  /** A signal that is aborted when the caller leaves; made when it is asked for, since most calls need none. */
  readonly abandonment: () => AbortSignal
}

export interface RawBody {
  readonly bytes: Uint8Array
  /** Media type without parameters, lower case; undefined when the caller named none. */
  readonly contentType: string | undefined
}

/** An answer. The body is final bytes, so what is stored for a replay is what was sent. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A step of the chain: it may answer by itself, or pass a richer call on and work on the reply. */
export type Stage<In, Out> = (call: In, next: (call: Out) => Promise<Reply>) => Promise<Reply>

/** What a handler is given besides its parsed input. */
export interface HandlerContext {
  readonly callId: string
  /** Aborted when the caller leaves or the operation's deadline passes. */
  readonly signal: AbortSignal
  /** The Accept header, for the few documents that exist in more than one form. */
  readonly accept: string
}

/** One row of the endpoint table, with its input type already folded into `prepare`. */
export interface Endpoint {
  /** The key of its entry in the catalogue. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** An Express 5 path. */
  readonly path: string
  readonly body: z.ZodObject
  readonly response: z.ZodType
  /**
   * Checks the body and binds it to the handler.
   * @throws GatewayError VALIDATION_ERROR naming every faulty field.
   */
  readonly prepare: (body: unknown) => (context: HandlerContext) => Promise<Reply>
}

/** The body of an endpoint that takes none. */
export const noBody = z.object({})

/** Declares an endpoint; `handle` gets the body as its schema types it. */
export function endpoint<Body extends z.ZodObject>(definition: {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: Body
  readonly response: z.ZodType
  readonly handle: (body: z.output<Body>, context: HandlerContext) => Promise<Reply> | Reply
}): Endpoint {
  const { handle, ...row } = definition
  return {
    ...row,
    prepare: (body) => {
      const input = parse(definition.body, body)
      return async (context) => handle(input, context)
    },
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          field: [...issue.path, key].join('.'),
          problem: 'is not a field of this operation',
        }))
      : [{ field: issue.path.join('.') || 'body', problem: issue.message }],
  )
  // A body can hold thousands of wrong keys; the first of them say enough.
  throw new GatewayError('VALIDATION_ERROR', { issues: issues.slice(0, 20) })
}

const utf8 = new TextEncoder()

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return text(status, 'application/json; charset=utf-8', JSON.stringify(value), headers)
}

/** A textual answer of the given media type. */
export function text(
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': contentType, ...headers }, body: utf8.encode(body) }
}
