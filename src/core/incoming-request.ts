import type { Readable } from 'node:stream'

/**
 * The memory that a body may use while it waits for a door to open. Without it, callers could fill the memory
 * with bodies beside worthless payments.
 */
export interface BodyRoom {
  /**
   * Announces a body, before it is read.
   * @throws GatewayError UPLOADS_UNAVAILABLE, TOO_MANY_UPLOADS.
   */
  expect(bytes: number): void
  /**
   * Counts bytes, before they are kept.
   * @throws GatewayError UPLOADS_UNAVAILABLE, TOO_MANY_UPLOADS.
   */
  arrive(bytes: number): void
}

/** The caller's request, for an upstream: the proxy chooses what it sends on. */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string
  /**
   * Path and query for the upstream, relative to its base address: the very text that was matched and priced.
   */
  readonly path: string
  /** By lower-case name, one entry per header line. Includes credentials and payments. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The caller's address, and the protocol and host name that it called. */
  readonly from: {
    readonly address: string
    readonly protocol: 'http' | 'https'
    readonly host: string | undefined
  }
  /** The caller's HTTP version: `1.1`. */
  readonly httpVersion: string
  /** Of the body, in bytes: 0 without a body, undefined for a chunked one. */
  readonly length: number | undefined
  /**
   * Reads the whole body into memory. A second call returns the same bytes.
   * @param room where the bytes count; none after a door has opened.
   * @throws GatewayError PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, CALLER_LEFT, and those of the room.
   */
  readonly collect: (maxBytes: number, room?: BodyRoom) => Promise<Uint8Array>
  /** The bytes that `collect` has read; undefined before. */
  readonly collected: () => Uint8Array | undefined
  /** The body as it arrives, if it was not collected. Call it once. */
  readonly stream: () => Readable
  /** Whether a part of the body has not arrived, and nothing that has arrived waits to be read. */
  readonly isAwaited: () => boolean
  /** Whether the caller asks for an upgrade to WebSocket. */
  readonly isUpgrade: boolean
  /** Sends an interim response to the caller: 102, or 103 with its links. */
  readonly inform: (status: number, headers: Readonly<Record<string, string | string[]>>) => void
}
