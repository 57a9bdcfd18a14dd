import type { Readable } from 'node:stream'

/** A request on its way to an upstream: what the caller sent, as far as it is passed on. */
export interface Incoming {
  /** In upper case. */
  readonly method: string
  /**
   * Path and query as the upstream gets them, behind what its address has: the very text that was matched and
   * priced.
   */
  readonly path: string
  /** By lower-case name, each line by itself. Credentials and payments are among them: what is sent on is chosen. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The address the call comes from, the protocol it came by, and the host name it was sent to. */
  readonly from: {
    readonly address: string
    readonly protocol: 'http' | 'https'
    readonly host: string | undefined
  }
  /** Of HTTP, as the caller spoke it: `1.1`. */
  readonly httpVersion: string
  /** Of the body, when the caller said it; 0 when there is none, undefined when it comes in chunks. */
  readonly length: number | undefined
  /**
   * Reads the whole body and keeps it: asked again, it gives the same bytes.
   * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT.
   */
  readonly collect: (maxBytes: number) => Promise<Uint8Array>
  /** What `collect` has read. */
  readonly collected: () => Uint8Array | undefined
  /** The body as it comes in, unless it was collected. Taken once. */
  readonly stream: () => Readable
  /** Whether the caller asks to go on as a WebSocket. */
  readonly isUpgrade: boolean
  /** Passes on what comes before the reply: 102 and 103. */
  readonly inform: (status: number, headers: Readonly<Record<string, string | string[]>>) => void
}
