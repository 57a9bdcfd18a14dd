import type { Duplex } from 'node:stream'
import type { Delivery } from './catalog/metering.ts'
import { GatewayError } from './errors.ts'

/**
 * A reply to a call. The body is final bytes, so a reply that is stored for a replay is the reply that was
 * sent.
 */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /**
   * Replaces the body: bytes that are sent until the stream ends or the caller disconnects. The stream ends
   * when `signal` is aborted and throws when its source breaks. Call it once; with an aborted signal it is
   * discarded unread. A stream is not stored for a replay.
   */
  readonly stream?: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  /** The trailers of a stream, read once the stream has ended. Names in lower case. */
  readonly trailers?: () => Readonly<Record<string, string>>
  /** Replaces the body after an upgrade (status 101): the upstream's side of the connection. */
  readonly tunnel?: Duplex
  /**
   * Resolves once the reply is delivered, with how it ended and what was used. It never rejects. Every
   * stream, tunnel and metered reply has it.
   */
  readonly delivered?: Promise<Delivery>
  /** We paid an upstream for this reply; the usage rows show that cost beside the sale. */
  readonly hasCost?: boolean
  /** No new work was done (a repeated or cached reply), so the unit that a quota counted is given back. */
  readonly isUncounted?: boolean
}

/** A JSON reply. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return text(status, 'application/json; charset=utf-8', JSON.stringify(value), headers)
}

/** A text reply of the given media type. */
export function text(
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': contentType, ...headers }, body: Buffer.from(body) }
}

/**
 * Ends a reply that will not be sent, and its source with it. Without this an upstream would go on sending,
 * and we would pay for bytes that no caller gets.
 */
export async function discardReply({ stream, tunnel }: Pick<Reply, 'stream' | 'tunnel'>): Promise<void> {
  tunnel?.destroy()
  if (!stream) return
  try {
    for await (const _ of stream(AbortSignal.abort(new GatewayError('CALLER_LEFT')))) break
  } catch {
    // The stream was ended on purpose, so its error is ignored.
  }
}
