/**
 * Which headers travel, as data. What is not named here or in the catalogue stays behind: a header that nobody has
 * thought of is one that may mean something else to the other side.
 */

/** Of the connection, and not of the message: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 and what old servers use. */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** What is worked out for each hop: never copied and never set by hand. */
export const recomputed: ReadonlySet<string> = new Set(['host', 'content-length', 'expect'])

/** Headers of requests that are sent on wherever the caller sends them. Whose page a browser was on is not told. */
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

/** The same, by how their names begin: what the clients of language models send. */
export const forwardedPrefixesOfRequest: readonly string[] = ['openai-', 'anthropic-', 'x-stainless-']

/**
 * What would let a caller say another method or path than the one that was priced, or that it is somebody else. Not
 * even `*` lets them through.
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

/** Headers of replies that are given on wherever the upstream sends them. `date` is the gateway's own. */
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

/** Of these only the first line counts: two of them joined would be neither. */
export const singleValued: ReadonlySet<string> = new Set([
  'content-type',
  'location',
  'content-location',
  'etag',
  'retry-after',
])

/** @param headers by lower-case name. @returns the names that `Connection` says are for this hop only. */
export function connectionNames(headers: {
  readonly connection?: readonly string[] | undefined
}): ReadonlySet<string> {
  const lines = headers.connection
  if (lines === undefined || (lines.length === 1 && namesNothing.has(lines[0] ?? ''))) return none
  return new Set(lines.flatMap((line) => line.toLowerCase().split(',')).map((name) => name.trim()))
}

const none: ReadonlySet<string> = new Set()
/** What it says nearly always. Neither is the name of a header that travels. */
const namesNothing: ReadonlySet<string> = new Set(['keep-alive', 'close'])

export function hasPrefix(name: string, starts: readonly string[]): boolean {
  for (const start of starts) if (name.startsWith(start)) return true
  return false
}
