import type { Duplex, Readable } from 'node:stream'

/** What one target answered, as far as it has come in. */
export interface UpstreamReply {
  readonly status: number
  /** By lower-case name, each line by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Has to be read to its end or destroyed. Fails with a GatewayError when the target breaks off. */
  readonly body: Readable
  /** What followed the body; empty until it has ended. Names in lower case. */
  readonly trailers: () => Readonly<Record<string, string>>
  /** The target that answered, as the catalogue names it. */
  readonly target: string
}

/** A connection that the target agreed to use for something else. */
export interface Upgraded {
  readonly status: 101
  readonly headers: UpstreamReply['headers']
  readonly socket: Duplex
}

/** What is sent to a target. */
export interface UpstreamRequest {
  readonly method: string
  /** Path and query, behind the path of the target. */
  readonly path: string
  /** As they go out, but for those of the connection and the length of a body of bytes. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Bytes can be sent again, a stream cannot. Null for none. */
  readonly body: Uint8Array | Readable | null
  readonly signal: AbortSignal
  readonly onInform?: (status: number, headers: Readonly<Record<string, string | string[]>>) => void
}

/** The targets of one upstream: which is asked, what is tried again, and who is left alone. */
export interface Pool {
  /**
   * Sends a request, to another target when the first cannot be reached or fails and the request may be repeated.
   * @throws GatewayError UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED; the signal's reason when it was aborted.
   */
  request(request: UpstreamRequest): Promise<UpstreamReply>
  /** The same for a request that asks for another protocol. @returns the reply when the target does not agree. */
  upgrade(request: UpstreamRequest, protocol: string): Promise<Upgraded | UpstreamReply>
  /** How the targets stand, in the order of the catalogue. */
  targets(): readonly { readonly url: string; readonly isEjected: boolean; readonly active: number }[]
  /** Ends the health checks, and the connections once their calls are over. */
  close(): Promise<void>
}
