import type { Operation } from './catalog/catalog.ts'
import type { Endpoint, OperatorOperation } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import type { Reply } from './reply.ts'

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
  /** The endpoint's own operation, or the catalogue's entry for it as it stood when the call arrived. */
  readonly operation: Operation | OperatorOperation
  /** Path with query string exactly as received. */
  readonly target: string
  /** The address the call comes from: of the connection, or what the proxies that are trusted say. */
  readonly client: () => string
  /** What stands in the path where the endpoint names a parameter, decoded. */
  readonly params: Readonly<Record<string, unknown>>
  /** Reads the query string; a name that comes more than once has an array of its values. */
  readonly readQuery: () => Readonly<Record<string, unknown>>
  /** The values of a header by its lower-case name. Only `gateway/identify` reads credentials out of them. */
  readonly header: (name: string) => readonly string[] | undefined
  /** Reads the body on demand: an unpaid call is answered without reading what it sent. */
  readonly readBody: () => Promise<RawBody>
  /** Tells once when the caller leaves before the reply is out, at once when that has happened. @returns the end of the listening. */
  readonly onLeave: (left: () => void) => () => void
  /** The request itself, where an upstream is to get it. */
  readonly incoming?: Incoming | undefined
}

export interface RawBody {
  readonly bytes: Uint8Array
  /** Media type without parameters, lower case; undefined when the caller named none. */
  readonly contentType: string | undefined
}

/** A step of the chain: it may answer by itself, or pass a richer call on and work on the reply. */
export type Stage<In, Out> = (call: In, next: (call: Out) => Promise<Reply>) => Promise<Reply>
