import type { Reply } from '../../core/reply.ts'

/** A larger reply is sent once and not stored. */
export const maxStoredBytes = 1_000_000

/** The columns that store a reply, so that a payer who lost the reply gets it again. */
export interface ReplyColumns {
  readonly replyStatus: number | null
  /** As JSON text. */
  readonly replyHeaders: string | null
  readonly replyBody: Uint8Array | null
}

/**
 * Makes the columns of a reply. For a streamed reply only the status is stored. It shows that the payer
 * received something; a payment without a status is owed its reply.
 * @returns undefined for a reply that is too large.
 */
export function replyColumns(reply: Reply | undefined): ReplyColumns | undefined {
  if (!reply) return undefined
  const { status, headers, body } = reply
  if (isStreamed(reply)) return { ...noReply, replyStatus: status }
  if (body.byteLength > maxStoredBytes) return undefined
  return { replyStatus: status, replyHeaders: JSON.stringify(headers), replyBody: body }
}

export const noReply: ReplyColumns = { replyStatus: null, replyHeaders: null, replyBody: null }

/** Whether a reply is sent as it is produced, so that it cannot be stored. */
export function isStreamed({ stream, tunnel }: Pick<Reply, 'stream' | 'tunnel'>): boolean {
  return stream !== undefined || tunnel !== undefined
}

/** Whether the reply that a payment bought was streamed. */
export function wasStreamed(row: {
  readonly replyStatus: number | null
  readonly replyHeaders: unknown
}): boolean {
  return row.replyStatus !== null && row.replyHeaders === null
}
