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
 * catalog cannot allow them, neither by name nor with `*`. Each platform has its own names for the same claims, so
 * most are patterns.
 */
const spoofable: readonly RegExp[] = [
  // The method: `x-http-method-override`, `x-override-method`, `x-method`, `x-http-verb`.
  /^(?:x-)?(?:http-|tunneled-|request-|http-request-|rest-)?(?:method|verb)$/,
  // CGI programs read `Proxy` as the proxy to use (httpoxy).
  /^proxy$/,
  // A name that CGI programs may take for the variable of another header: `HTTP_X_FORWARDED_FOR`.
  /^http-(?:x-|forwarded|real|client|remote|via|host|proxy)/,
  /(?:method|verb)-?override|override-?(?:method|verb)/,
  // The path or the host: `x-original-url`, `x-rewrite-url`, `x-host`, `x-envoy-original-path`.
  /^x-(?:envoy-)?(?:original|rewrite|override|matched|invoke)-?(?:url|uri|path|query|method|host|output)/,
  /^(?:x-)?(?:(?:http|backend|proxy|real|request|script|server)-)?(?:host|hostname)(?:-override)?$/,
  /^(?:x-)?(?:request-ur[il]|path-info|script-name|url-scheme|scheme|http-path-override|http-destinationurl|waws-unencoded-url)$/,
  /^(?:x-)?forward(?:ed)?(?:-|$)/,
  /^x-middleware-/,
  // The client's address or name: `x-real-ip`, `true-client-ip`, `x-azure-clientip`, `x-appengine-user-ip`,
  // `x-proxyuser-ip`, `cf-connecting-ipv6`, `cdn-src-ip`, `x-remote-addr`, `remote-user`.
  /(?:^|-)(?:client|user|enduser|proxyuser|viewer|visitor|real|true|remote|connecting|connection|source|src|origin|originating|orig|peer|socket|for)-?(?:ip|ipv[46]|addr|address|ipport)(?:$|-)/,
  /^(?:x-)?(?:client|real|remote|source|cluster)-?(?:port|host)$/,
  /^(?:x-)?remote-(?:user|name|email|groups?|ident)$/,
  /^(?:x-)?(?:original|originating|original-forwarded)-(?:for|ip|host|proto)/,
  /^(?:x-)?(?:\w+-)?(?:ipaddress|trueclientip|realip)$/,
  /-forwarded-for$/,
  /^x-envoy-external-address$/,
  /^(?:via|x-request-id)$/,
]

/**
 * What the platform in front of a server tells it: who the caller is by its certificate or sign-in, where it is,
 * which rule it passed. `*` does not pass them, because a caller could write them; the catalog can name one. Nor does it
 * pass keys to other services.
 */
const ofPlatforms: readonly string[] = [
  '$',
  'akamai-',
  'ali-',
  'api-key',
  'apikey',
  'cdn-',
  'cf-',
  'client-cert',
  'cloudfront-',
  'fastly-',
  'fly-',
  'front-end-https',
  'incap-',
  'ssl-client-',
  'tailscale-',
  'wl-proxy-',
  'x-access-token',
  'x-akamai-',
  'x-amzn-mtls-',
  'x-amzn-oidc-',
  'x-amzn-request-context',
  'x-anonymous-',
  'x-apigateway-api-userinfo',
  'x-appengine-',
  'x-appgw-',
  'x-arr-',
  'x-auth-request-',
  'x-auth-token',
  'x-auth-user',
  'x-authenticated-',
  'x-azure-',
  'x-client-cert',
  'x-client-dn',
  'x-client-verify',
  'x-cluster-',
  'x-consumer-',
  'x-credential-',
  'x-endpoint-api-userinfo',
  'x-envoy-',
  'x-fd-',
  'x-goog-authenticated-',
  'x-goog-iap-',
  'x-ms-client-principal',
  'x-nf-',
  'x-original-',
  'x-pomerium-',
  'x-proxyuser-',
  'x-remote-',
  'x-rewrite-',
  'x-serverless-authorization',
  'x-ssl-',
  'x-sucuri-',
  'x-tailscale-',
  'x-vercel-',
  'x-vouch-',
  'x-waws-',
  'x-webauth-',
]

/** @param plain a name in lower case, with hyphens for underscores. */
export function isSpoofable(plain: string): boolean {
  return spoofable.some((pattern) => pattern.test(plain))
}

/** @param plain a name in lower case, with hyphens for underscores. */
export function isOfPlatform(plain: string): boolean {
  return hasPrefix(plain, ofPlatforms) || /^x-ips?$/.test(plain)
}

/**
 * Facts of the operator's account at the maker of a model, in requests and replies. A caller must not choose the
 * organization that pays, and its own client's choice would be refused with the operator's key; nor need strangers
 * know the organization, or how much of its limits is left. The catalog can name one.
 */
const ofAccounts: readonly string[] = [
  'openai-organization',
  'openai-project',
  'anthropic-organization',
  'anthropic-ratelimit-',
]

export function isOfAccount(name: string): boolean {
  return hasPrefix(name, ofAccounts)
}

/** Whether a list of the catalog holds a name, or `x-my-*` for all that begin so. */
export function isNamed(name: string, list: readonly string[]): boolean {
  for (const one of list) {
    if (one === name || (one.length > 1 && one.endsWith('*') && name.startsWith(one.slice(0, -1))))
      return true
  }
  return false
}

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
  'refresh',
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
