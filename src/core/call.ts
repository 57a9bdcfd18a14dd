import type { Operation } from './catalog/catalog.ts'
import type { Endpoint, OperatorOperation } from './endpoint.ts'
import type { GatewayError } from './errors.ts'
import type { BodyRoom, IncomingRequest } from './incoming-request.ts'
import type { Reply } from './reply.ts'

/**
 * One request, before its credentials are read. Stages of the chain take a `Call` and return a `Reply`; only
 * `edge/http` touches Express. So no stage can send half a reply before the payment is decided.
 */
export interface Call {
  /** Unique to this request: sent to the caller as X-Request-Id and written to every log line. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The endpoint's own operation, or its catalog entry at the time the call arrived. */
  readonly operation: Operation | OperatorOperation | WithdrawnOperation
  /** Path with query string, exactly as received. */
  readonly target: string
  /** Set for the call that a paid tool of an MCP server makes. */
  readonly tool?: SoldTool | undefined
  /** For the call of a tool: the address that tells where access tokens for its MCP server are issued. */
  readonly tokenMetadata?: string | undefined
  /** The caller's address: of the connection, or as a trusted proxy forwards it. */
  readonly client: () => string
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, unknown>>
  /** Parses the query string; a name that comes more than once has an array of values. */
  readonly readQuery: () => Readonly<Record<string, unknown>>
  /** The values of a header, by its lower-case name. Only `gateway/principal` reads credentials in it. */
  readonly header: (name: string) => readonly string[] | undefined
  /** Reads the body on demand: an unpaid call is answered before its body is read. */
  readonly readBody: (room: BodyRoom) => Promise<RawBody>
  /**
   * Calls `left` once when the caller disconnects before the reply is sent, immediately if it already has.
   * @returns unsubscribes.
   */
  readonly onLeave: (left: () => void) => () => void
  /** The request itself, for an endpoint that an upstream serves. */
  readonly incoming?: IncomingRequest | undefined
}

/**
 * A paid tool. It is sold at the address of its server, which has several: catalogs of paid services tell them apart by
 * address and name (x402, specs/extensions/bazaar.md).
 */
export interface SoldTool {
  readonly name: string
  /** The address of the MCP server. */
  readonly server: string
}

/**
 * In place of an operation that is not offered any more: what was paid for it before can still be fetched. Any other
 * call is refused.
 */
export interface WithdrawnOperation {
  readonly access: 'withdrawn'
  readonly description: string
  readonly deadlineSeconds: number
  readonly priced?: undefined
  readonly refusal: GatewayError
}

export function withdrawn(refusal: GatewayError): WithdrawnOperation {
  return { access: 'withdrawn', description: 'No longer offered.', deadlineSeconds: 60, refusal }
}

export interface RawBody {
  readonly bytes: Uint8Array
  /** Media type without parameters, in lower case; undefined without a Content-Type. */
  readonly contentType: string | undefined
}

/** One step of the chain: it replies itself, or passes a richer call to `next` and works on the reply. */
export type Stage<In, Out> = (call: In, next: (call: Out) => Promise<Reply>) => Promise<Reply>
