import type { Upstream } from '../../core/catalog/upstreams.ts'
import { isReservedOfReply } from '../../core/reserved-headers.ts'
import { upstreamFailed } from '../pool/upstream-failed.ts'
import type { UpstreamReply } from '../pool/upstream-reply.ts'
import {
  connectionNames,
  forwardedOfReply,
  forwardedPrefixesOfReply,
  hasPrefix,
  hopByHop,
  recomputed,
  singleValued,
} from './header-lists.ts'
import { toPublicLocation } from './location.ts'
import { pseudonym } from './request-headers.ts'

/**
 * The headers of a reply as the caller gets them. None speaks of payments, sets cookies at our address, or holds what
 * Node would refuse to send: that would show only once the money has moved.
 */

const maxLines = 200
const maxCharacters = 16_384

/**
 * @returns without the length and `Trailer`, which follow from how the body is sent.
 * @throws GatewayError UPSTREAM_FAILED for headers beyond all measure.
 */
export function createReplyHeaders(
  { headers, target }: Pick<UpstreamReply, 'headers' | 'target'>,
  upstream: Pick<Upstream, 'responseHeaders' | 'targets' | 'prefix'>,
): Record<string, string> {
  const passed = filterReplyHeaders(headers, upstream)
  for (const name of ['location', 'content-location']) {
    const place = passed[name]
    if (place !== undefined) passed[name] = toPublicLocation(place, target, upstream)
  }
  const before = sendable(headers.via?.join(', ') ?? '')
  passed.via = before ? `${before}, 1.1 ${pseudonym}` : `1.1 ${pseudonym}`
  return passed
}

/** The same for what comes before a reply, and after one. @throws GatewayError UPSTREAM_FAILED. */
export function filterReplyHeaders(
  headers: UpstreamReply['headers'],
  { responseHeaders }: Pick<Upstream, 'responseHeaders'>,
): Record<string, string> {
  const ofConnection = connectionNames(headers)
  const passed: Record<string, string> = {}
  let lines = 0
  for (const name in headers) {
    const values = headers[name]
    if (values === undefined) continue
    lines += values.length
    if (lines > maxLines) throw tooMuch()
    if (ofConnection.has(name) || !isPassed(name, responseHeaders)) continue
    const value = values.length === 1 || singleValued.has(name) ? (values[0] ?? '') : values.join(', ')
    if (value.length > maxCharacters) throw tooMuch()
    const clean = sendable(value)
    if (clean !== undefined) passed[name] = clean
  }
  return passed
}

function isPassed(name: string, extra: readonly string[]): boolean {
  if (hopByHop.has(name) || recomputed.has(name) || isReservedOfReply(name) || name === 'via') return false
  if (forwardedOfReply.has(name) || hasPrefix(name, forwardedPrefixesOfReply)) return true
  return extra.includes(name) || (extra.includes('*') && name !== 'date')
}

/** Header text is bytes; what was read as UTF-8 goes out as the same bytes. Undefined for what no header may hold. */
function sendable(value: string): string | undefined {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value
  const bytes = /[\u0100-\uffff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes) ? bytes : undefined
}

function tooMuch(): Error {
  return upstreamFailed('the headers of its reply are too large')
}
