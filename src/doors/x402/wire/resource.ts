import type { SoldTool } from '../../../core/call.ts'
import type { Endpoint } from '../../../core/endpoint.ts'

/** The request that a 402, an offer or a receipt is about. */
export interface Asked {
  readonly endpoint: Pick<Endpoint, 'path' | 'upstream'>
  /** Path with query string, as received. */
  readonly target: string
  /** Its server's address stands for that of the request. */
  readonly tool?: SoldTool | undefined
}

/** What is sold, as a 402 describes it, and a payment to a facilitator that shall list it. */
export interface ResourceDescription {
  readonly url: string
  readonly description: string
  readonly mimeType: string
  readonly serviceName?: string
  readonly tags?: string[]
  readonly iconUrl?: string
}

/**
 * The 402 repeats the address two times, and three times for a metered call, and the payer sends it back as
 * often. With more characters, the heads would exceed what many proxies allow.
 */
const maxCharacters = 512

/**
 * The address of what is sold: the configured base with the path and query of the request. Some clients refuse
 * a 402 for another address than the one they called, and all compare the signed offer and the signed receipt
 * by it. The escapes stay as received, and characters that no URL may hold are escaped.
 *
 * A long target, or one that a URL parser reads as another path, gets the address of its route.
 * @param baseUrl public address of the paid endpoints; never the request's Host header, which a caller can
 *   forge.
 */
export function resourceUrl(baseUrl: string, { endpoint: { path, upstream }, target, tool }: Asked): string {
  if (tool) return tool.server
  // An upstream's endpoint that has its own host name is not served under ours.
  const base = upstream?.host === undefined ? baseUrl : `${new URL(baseUrl).protocol}//${upstream.host}`
  const route = `${base}${path}`
  if (target === path) return route
  if (target.length > maxCharacters || otherPath.test(target)) return route
  const url = URL.parse(`${base}${target}`)
  if (!url) return route
  url.hash = ''
  return url.href.length > maxCharacters ? route : url.href
}

/** The absolute form of a target, whose host is the caller's word, and paths that a URL parser rewrites. */
const otherPath = /^[^/]|^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))/i
