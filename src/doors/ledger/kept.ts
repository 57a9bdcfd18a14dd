import type { Reply } from '../../core/reply.ts'

/** What the books keep of a reply, so that a payer who lost it gets it again. */

/** A larger reply is given once and not kept. */
export const maxStoredBytes = 1_000_000

/** Columns of a payment. */
export interface Kept {
  readonly replyStatus: number | null
  /** As JSON text. */
  readonly replyHeaders: string | null
  readonly replyBody: Uint8Array | null
}

/**
 * Of a reply that was streamed only the status is kept: it says that the payer was given something, where a
 * payment without any is owed its reply.
 * @returns undefined for one that is too large.
 */
export function keptOf(reply: Reply | undefined): Kept | undefined {
  if (!reply) return undefined
  const { status, headers, body } = reply
  if (isStreamed(reply)) return { ...nothing, replyStatus: status }
  if (body.byteLength > maxStoredBytes) return undefined
  return { replyStatus: status, replyHeaders: JSON.stringify(headers), replyBody: body }
}

export const nothing: Kept = { replyStatus: null, replyHeaders: null, replyBody: null }

/** Whether a reply is given as it comes in, and then is gone. */
export function isStreamed({ stream, tunnel }: Pick<Reply, 'stream' | 'tunnel'>): boolean {
  return stream !== undefined || tunnel !== undefined
}

/** Whether what a payment bought was streamed. */
export function wasStreamed(row: {
  readonly replyStatus: number | null
  readonly replyHeaders: unknown
}): boolean {
  return row.replyStatus !== null && row.replyHeaders === null
}
