/**
 * The headers that pass the proxy, as data. A header that neither these lists nor the catalog name is
 * removed, because an unknown header may have a meaning for the other side that was not considered here.
 */

/**
 * Headers of the connection: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1, and some that old servers
 * use.
 */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** Each hop computes these itself; they are never copied or injected. */
export const recomputed: ReadonlySet<string> = new Set(['host', 'content-length', 'expect'])

/**
 * Request headers that are always forwarded. `referer` and `origin` are not: they tell whose page a browser
 * was on.
 */
export const forwardedOfRequest: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-md5',
  'content-range',
  'content-type',
  'digest',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-event-id',
  'pragma',
  'prefer',
  'priority',
  'range',
  'repr-digest',
  'traceparent',
  'tracestate',
  'user-agent',
  'want-content-digest',
  'want-repr-digest',
])

/** The same by prefix: headers of the clients of language models. */
export const forwardedPrefixesOfRequest: readonly string[] = ['openai-', 'anthropic-', 'x-stainless-']

/**
 * With these a caller could claim another method or path than the one that was priced, or another client. The
 * catalog cannot allow them, not even with `*`.
 */
export const spoofable: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-original-uri',
  'x-original-host',
  'x-rewrite-url',
  'x-host',
  'x-http-host-override',
  'x-envoy-original-path',
  'x-envoy-original-method',
  'x-envoy-external-address',
  'remote-user',
  'x-remote-user',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'via',
  'x-request-id',
])

export const spoofablePrefixes: readonly string[] = ['x-forwarded-']

/** Reply headers that are always forwarded. The gateway sets `date` itself. */
export const forwardedOfReply: ReadonlySet<string> = new Set([
  'accept-patch',
  'accept-post',
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'deprecation',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'preference-applied',
  'repr-digest',
  'retry-after',
  'server-timing',
  'sunset',
  'trailer',
  'vary',
  'warning',
])

export const forwardedPrefixesOfReply: readonly string[] = ['content-', 'openai-', 'anthropic-']

/** Only the first line of these is forwarded: two lines joined have another meaning. */
export const singleValued: ReadonlySet<string> = new Set([
  'content-type',
  'location',
  'content-location',
  'etag',
  'retry-after',
])

/**
 * @param headers by lower-case name.
 * @returns the names that `Connection` limits to this hop.
 */
export function connectionNames(headers: {
  readonly connection?: readonly string[] | undefined
}): ReadonlySet<string> {
  const lines = headers.connection
  if (lines === undefined || (lines.length === 1 && connectionOptions.has(lines[0] ?? ''))) return none
  return new Set(lines.flatMap((line) => line.toLowerCase().split(',')).map((name) => name.trim()))
}

const none: ReadonlySet<string> = new Set()
/** The usual values of `Connection`. Neither is the name of a header that is forwarded. */
const connectionOptions: ReadonlySet<string> = new Set(['keep-alive', 'close'])

export function hasPrefix(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (name.startsWith(prefix)) return true
  return false
}
