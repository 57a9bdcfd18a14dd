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
  isNamed,
  isOfAccount,
  recomputed,
  singleValued,
} from './header-lists.ts'
import { toPublicAddresses, toPublicLinks, toPublicLocation, toPublicRefresh } from './location.ts'
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
  reply: Pick<UpstreamReply, 'headers' | 'target'>,
  upstream: ForwardingUpstream,
): Record<string, string> {
  const passed = publicHeaders(reply, upstream)
  const exposed = Object.keys(passed).filter((name) => !readableByPages.has(name))
  if (exposed.length > 0) passed[exposedHeaders] = exposed.join(', ')
  const before = sendable(reply.headers.via?.join(', ') ?? '')
  passed.via = before ? `${before}, 1.1 ${pseudonym}` : `1.1 ${pseudonym}`
  return passed
}

type ForwardingUpstream = Pick<Upstream, 'responseHeaders' | 'targets' | 'prefix'>

/** Pages of other origins read only the headers that this one names: https://fetch.spec.whatwg.org/#http-new-header-syntax */
const exposedHeaders = 'access-control-expose-headers'

/** What they can always read, and what their browser reads itself. */
const readableByPages: ReadonlySet<string> = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
  'trailer',
])

/**
 * Filters the headers of a reply or an interim response, and rewrites the addresses in them. A caller may be unable
 * to reach the upstream's own address, and it tells strangers about the operator's network.
 * @throws GatewayError UPSTREAM_FAILED
 */
function publicHeaders(
  { headers, target }: Pick<UpstreamReply, 'headers' | 'target'>,
  upstream: ForwardingUpstream,
): Record<string, string> {
  const passed = filterReplyHeaders(headers, upstream)
  const toPublic = (location: string) => toPublicLocation(location, target, upstream)
  for (const [name, value] of Object.entries(passed)) {
    if (name === 'link') passed[name] = toPublicLinks(value, toPublic)
    else if (name === 'refresh') passed[name] = toPublicRefresh(value, toPublic)
    else if (locations.has(name)) passed[name] = toPublic(value.trim())
    // Servers name addresses in headers of many names, such as Operation-Location and SourceMap.
    else if (startsWithAddress.test(value)) passed[name] = toPublicAddresses(value, toPublic)
  }
  return passed
}

const startsWithAddress = /^\s*(?:https?:)?\/\//i

/** As `publicHeaders`, for what comes before the final reply: which of the targets sends it is not known. */
export function interimHeaders(
  headers: UpstreamReply['headers'],
  upstream: ForwardingUpstream,
): Record<string, string> {
  const [target] = upstream.targets
  return target === undefined ? {} : publicHeaders({ headers, target }, upstream)
}

/** Headers that are one location, which may be a path. */
const locations: ReadonlySet<string> = new Set([
  'location',
  'content-location',
  'operation-location',
  'azure-asyncoperation',
  'sourcemap',
  'x-sourcemap',
  'x-pingback',
  'hx-location',
  'hx-push-url',
  'hx-redirect',
  'hx-replace-url',
  'turbo-location',
  'x-inertia-location',
  'x-up-location',
])

/**
 * Filters the headers of a reply, of an interim response, or trailers, in which no address is expected.
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
  if (isOfAccount(name)) return extra.includes(name)
  if (forwardedOfReply.has(name) || hasPrefix(name, forwardedPrefixesOfReply)) return true
  return isNamed(name, extra) || (extra.includes('*') && name !== 'date')
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
