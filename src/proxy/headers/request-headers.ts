import { isIP } from 'node:net'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { IncomingRequest } from '../../core/incoming-request.ts'
import { isReservedOfRequest, plainName } from '../../core/reserved-headers.ts'
import { upstreamFailed } from '../pool/upstream-failed.ts'
import {
  connectionNames,
  forwardedOfRequest,
  forwardedPrefixesOfRequest,
  hasPrefix,
  hopByHop,
  isNamed,
  isOfAccount,
  isOfPlatform,
  isSpoofable,
  recomputed,
  singleValued,
} from './header-lists.ts'

/** The gateway's name in Via. */
export const pseudonym = 'tollgate'

interface RequestOptions {
  readonly upstream: Pick<Upstream, 'requestHeaders'>
  readonly callId: string
  /** By lower-case name. They replace all others. */
  readonly injected: Readonly<Record<string, string>>
}

/**
 * Makes the headers of an upstream's request: without the caller's credentials and payments, with the
 * caller's address.
 *
 * @throws GatewayError UPSTREAM_FAILED when the request has passed this gateway too often: the upstream
 * forwards back to this gateway
 */
export function createRequestHeaders(
  { headers, from, httpVersion }: Pick<IncomingRequest, 'headers' | 'from' | 'httpVersion'>,
  { upstream, callId, injected }: RequestOptions,
): Record<string, string | readonly string[]> {
  const ofConnection = connectionNames(headers)
  const sent: Record<string, string | readonly string[]> = {}
  for (const name in headers) {
    const lines = headers[name]
    if (lines === undefined || ofConnection.has(name)) continue
    const plain = plainName(name)
    if (!isPassed(name, plain, upstream)) continue
    // Some servers read other marks as a hyphen, so this would replace the injected header.
    if (plain !== name && Object.hasOwn(injected, plain)) continue
    sent[name] = lines.length === 1 || singleValued.has(name) ? (lines[0] ?? '') : lines
  }
  if (headers.te?.some((line) => /(?:^|,)\s*trailers\s*(?:,|$)/i.test(line))) sent.te = 'trailers'
  sent.via = viaOf(headers.via, httpVersion)
  addClient(sent, from)
  sent['x-request-id'] = callId
  for (const name in injected) {
    if (!hopByHop.has(name) && !recomputed.has(name)) sent[name] = injected[name] ?? ''
  }
  return sent
}

function isPassed(name: string, plain: string, { requestHeaders }: RequestOptions['upstream']): boolean {
  if (hopByHop.has(name) || recomputed.has(name) || isReservedOfRequest(name)) return false
  if (isOfAccount(name)) return requestHeaders.includes(name)
  if (forwardedOfRequest.has(name) || hasPrefix(name, forwardedPrefixesOfRequest)) return true
  if (requestHeaders.length === 0) return false
  if (isSpoofable(plain)) return false
  return isNamed(name, requestHeaders) || (requestHeaders.includes('*') && !isOfPlatform(plain))
}

const maxVisits = 8

function viaOf(lines: readonly string[] | undefined, httpVersion: string): string {
  const here = `${httpVersion} ${pseudonym}`
  if (lines === undefined) return here
  const before = lines.join(', ')
  const visits = before.split(',').filter((hop) => hop.trim().split(/\s+/)[1] === pseudonym).length
  if (visits > maxVisits) throw upstreamFailed('it leads back to this gateway')
  return `${before}, ${here}`
}

/**
 * Replaces the caller's own headers: the address is already that of a trusted proxy, or of the connection.
 */
function addClient(sent: Record<string, string | readonly string[]>, from: IncomingRequest['from']): void {
  const bare = from.address.startsWith('::ffff:') ? from.address.slice(7) : from.address
  // Behind a proxy the address is what the proxy wrote, or what it let a caller write.
  const address = isIP(bare) === 0 ? 'unknown' : bare
  const host = from.host !== undefined && /^[\w.:[\]-]{1,255}$/.test(from.host) ? from.host : undefined
  sent['x-forwarded-for'] = address
  sent['x-forwarded-proto'] = from.protocol
  if (host !== undefined) sent['x-forwarded-host'] = host
  // https://www.rfc-editor.org/rfc/rfc7239#section-6: IPv6 in brackets, and values with a colon in quotes.
  const node = isIP(address) === 6 ? `"[${address}]"` : address
  const hostPart = host === undefined ? '' : `;host=${/[:[\]]/.test(host) ? `"${host}"` : host}`
  sent.forwarded = `for=${node};proto=${from.protocol}${hostPart}`
}
