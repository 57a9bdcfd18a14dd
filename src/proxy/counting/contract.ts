import type { Usage } from '../../core/catalog/metering.ts'
import type { UpstreamReply } from '../pool/upstream-reply.ts'

/**
 * Counts what one upstream call uses, in the unit of its price. A count that a caller can avoid makes calls
 * free, and a count that runs ahead of the delivery charges for bytes the caller never got. So each unit
 * defines what it counts of a reply that was cut, that is too large to read, or that is not of the type it
 * claims.
 */
export interface Counting {
  /** The request's body as it is sent; it may ask the upstream to report usage. */
  readonly body: Uint8Array | undefined
  /** Replaces the caller's Accept-Encoding; undefined keeps it. */
  readonly acceptEncoding: string | undefined
  /** Called once, with the head of the reply that the caller gets. */
  countReply(head: ReplyHead): ReplyCounting
  /** Counts a WebSocket's data; undefined for units that only a read body shows. */
  readonly countTunnel?: () => LiveCounting
  /** Counts a piece of the request's body as it is sent. */
  countSent(piece: Uint8Array): void
}

export type ReplyHead = Pick<UpstreamReply, 'status' | 'headers'>

export interface ReplyCounting {
  /** @returns the bytes to pass on now: often the chunk itself, perhaps none yet. */
  push(chunk: Uint8Array): Uint8Array
  /**
   * Called when the upstream has ended its reply, and not when the reply broke off.
   * @returns the bytes held back.
   */
  end(): Uint8Array
  /**
   * Called when nothing more passes: after `end`, or when the reply was aborted.
   * @param deliveredBytes of the bytes passed on.
   * @returns undefined when the call failed, so that nothing of it counts. A promise, which never rejects,
   *   while a large body is read in a thread.
   */
  usage(deliveredBytes: number): Usage | undefined | Promise<Usage | undefined>
}

/** A count that is known at any time. */
export interface LiveCounting extends ReplyCounting {
  /** @returns the usage so far. */
  usage(deliveredBytes: number): Usage
}

export interface CountedRequest {
  /** Undefined when it was not collected. */
  readonly body: Uint8Array | undefined
  readonly contentType: string | undefined
  /** As the upstream gets it, with its query: it shows which protocol the request speaks. */
  readonly path?: string | undefined
}
