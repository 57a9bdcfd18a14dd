import type { Duplex } from 'node:stream'
import type { Delivery } from './catalog/metering.ts'

/** An answer. The body is final bytes, so what is stored for a replay is what was sent. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /**
   * Takes the place of the body: what is sent for as long as the caller listens. It ends when the signal is
   * aborted, and fails when it breaks off; called with an aborted signal it is given up unread. Called once.
   * Nothing of it is stored for a replay.
   */
  readonly stream?: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  /** Of a stream: what follows its last byte, asked for once it has ended. Names in lower case. */
  readonly trailers?: () => Readonly<Record<string, string>>
  /** Takes the place of the body where a connection was upgraded: what the other side says and hears. With status 101. */
  readonly tunnel?: Duplex
  /**
   * How it was delivered and what was used, known once it has been; it never rejects. Every stream, tunnel and
   * metered reply has it.
   */
  readonly delivered?: Promise<Delivery>
  /** We have paid an upstream for it, and that is shown beside the sale. */
  readonly hasCost?: boolean
  /** Nothing new was done for it, so what a quota counted for the call is given back. */
  readonly isUncounted?: boolean
}

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
  return { status, headers: { 'content-type': contentType, ...headers }, body: Buffer.from(body) }
}
