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

const maxLines = 200
const maxCharacters = 16_384

/**
 * Makes the headers of the caller's reply. They contain nothing about payments, no cookies for our address,
 * and no value that Node refuses to send, since that would show only after the payment.
 *
 * @returns the headers without Content-Length, which depends on how the body is sent
 * @throws GatewayError UPSTREAM_FAILED for too many or too long headers
 */
export function createReplyHeaders(
  { headers, target }: Pick<UpstreamReply, 'headers' | 'target'>,
  upstream: Pick<Upstream, 'responseHeaders' | 'targets' | 'prefix'>,
): Record<string, string> {
  const passed = filterReplyHeaders(headers, upstream)
  for (const name of ['location', 'content-location']) {
    const location = passed[name]
    if (location !== undefined) passed[name] = toPublicLocation(location, target, upstream)
  }
  const before = sendable(headers.via?.join(', ') ?? '')
  passed.via = before ? `${before}, 1.1 ${pseudonym}` : `1.1 ${pseudonym}`
  return passed
}

/**
 * Filters the headers of a reply, of an interim response, or trailers.
 * @throws GatewayError UPSTREAM_FAILED
 */
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

/**
 * Encodes a value that was read as UTF-8 as the same bytes again.
 * @returns undefined for a value no header may have.
 */
function sendable(value: string): string | undefined {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value
  const bytes = /[\u0100-\uffff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes) ? bytes : undefined
}

function tooMuch(): Error {
  return upstreamFailed('the headers of its reply are too large')
}
