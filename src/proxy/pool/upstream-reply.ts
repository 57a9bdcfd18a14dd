import type { Duplex, Readable } from 'node:stream'

/** The reply of one target. Its body may still be coming in. */
export interface UpstreamReply {
  readonly kind: 'reply'
  readonly status: number
  /** By lower-case name, each line by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Must be read to its end or destroyed. Fails with a GatewayError when the target breaks off. */
  readonly body: Readable
  /** The trailers, by lower-case name; empty until the body has ended. */
  readonly trailers: () => Readonly<Record<string, string>>
  /** The target that replied, as the catalog names it. */
  readonly target: string
}

/** A connection that the target agreed to use for another protocol. */
export interface UpgradedConnection {
  readonly kind: 'upgraded'
  readonly status: 101
  readonly headers: UpstreamReply['headers']
  readonly socket: Duplex
}

/** A request as a target gets it. */
export interface UpstreamRequest {
  readonly method: string
  /** Path and query, after the path of the target. */
  readonly path: string
  /** All headers except those of the connection and the length of a body of bytes. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Bytes can be sent again, a stream cannot. Null for none. */
  readonly body: Uint8Array | Readable | null
  readonly signal: AbortSignal
  /** Gets each interim response (1xx). */
  readonly onInform?: (status: number, headers: Readonly<Record<string, string | string[]>>) => void
}

/** The targets of one upstream: chooses one for each request, retries, and avoids targets that fail. */
export interface Pool {
  /**
   * Sends a request. Tries another target when the first cannot be reached, or fails and the request may be
   * repeated.
   *
   * @throws GatewayError UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED; the signal's reason when
   *   aborted
   */
  request(request: UpstreamRequest): Promise<UpstreamReply>
  /**
   * Sends a request for an upgrade to another protocol.
   *
   * @returns the reply when the target does not agree
   * @throws as `request`
   */
  upgrade(request: UpstreamRequest, protocol: string): Promise<UpgradedConnection | UpstreamReply>
  /** The state of each target, in the order of the catalog. */
  targets(): readonly { readonly url: string; readonly isEjected: boolean; readonly active: number }[]
  /** Stops the health checks, and closes the connections once their calls are over. */
  close(): Promise<void>
}
