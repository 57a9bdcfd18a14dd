import type { Usage } from '../../core/catalog/metering.ts'
import type { UpstreamReply } from '../pool/upstream-reply.ts'

/**
 * What an upstream call used, by the unit its price is in. A count that could be avoided would be a way to call for
 * nothing, and one that runs ahead of what was delivered would charge for what nobody got, so every kind says what
 * it does with a reply that was cut, that is too large to be read or that is something else than it claims.
 */
export interface Counting {
  /** What is to be sent as the request's body; it may ask for the usage. */
  readonly body: Uint8Array | undefined
  /** To be sent in place of the caller's own; undefined leaves that as it is. */
  readonly acceptEncoding: string | undefined
  /** Called once, with the head of the reply that the caller gets. */
  countReply(head: ReplyHead): ReplyCounting
  /** A piece of the request's body as it goes out. */
  countSent(piece: Uint8Array): void
}

export type ReplyHead = Pick<UpstreamReply, 'status' | 'headers'>

export interface ReplyCounting {
  /** @returns what is to be passed on at once: often the chunk itself, perhaps nothing yet. */
  push(chunk: Uint8Array): Uint8Array
  /** The upstream has ended its reply. Not called when it broke off. @returns what was held back. */
  end(): Uint8Array
  /** @param deliveredBytes of what was passed on. @returns what was used up to now; final after `end` or when the reply is given up. */
  usage(deliveredBytes: number): Usage
}

export interface CountedRequest {
  /** Undefined when it was not collected. */
  readonly body: Uint8Array | undefined
  readonly contentType: string | undefined
  /** As the upstream gets it, perhaps with a query: it tells which protocol is spoken. */
  readonly path?: string | undefined
}
