/**
 * The headers that belong to the gateway itself: who calls it, what they pay with, and what it tells of money. They
 * stand in one list, because a name that is read here and sent on there hands a key or a signed payment to a server
 * that could spend it, and a name that an upstream may set could tell a caller of a payment that never was.
 */

/** Where a key of ours comes in. */
export const keyHeader = 'x-mcp-api-key'

/**
 * The three headers a payment may come in: x402 v2's, the specification's and x402 v1's. Which version it is stands
 * in the payload, not in the header's name.
 */
export const paymentHeaders = ['payment-signature', 'x-payment-signature', 'x-payment'] as const

/** Credentials of requests, besides what belongs to payments. `cookie` is what a browser holds for our own origin. */
const credentials: ReadonlySet<string> = new Set([
  keyHeader,
  // A key of ours may stand there, as Anthropic's clients send theirs.
  'x-api-key',
  'authorization',
  'cookie',
  'cookie2',
  'sign-in-with-x',
  // x402 clients send this response header's name as a request header.
  'access-control-expose-headers',
])

/** What replies tell of us, or would do to everything at our address. */
const ours: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'www-authenticate',
  'authentication-info',
  'strict-transport-security',
  'public-key-pins',
  'clear-site-data',
  'service-worker-allowed',
  'alt-svc',
  'x-request-id',
  'x-dry-run',
  'ratelimit',
  'ratelimit-policy',
  // Orders to a server or a cache in front of us: to send a file of its own, or to keep what was sold to one for all.
  'x-sendfile',
  'x-lighttpd-send-file',
  'surrogate-control',
  'edge-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'vercel-cdn-cache-control',
  'netlify-cdn-cache-control',
])

const startsOfOurs = [
  'proxy-',
  'access-control-',
  'x-ratelimit-',
  'ratelimit-',
  'x-tollgate',
  'x-accel-',
  'x-reproxy-',
]

/** Whether no upstream ever gets the header from a caller, whatever is allowed. @param name in lower case. */
export function isReservedOfRequest(name: string): boolean {
  const plain = plainName(name)
  return credentials.has(plain) || plain.startsWith('proxy-') || isOfPayment(plain)
}

/** Whether no caller ever gets the header from an upstream, whatever is allowed. @param name in lower case. */
export function isReservedOfReply(name: string): boolean {
  const plain = plainName(name)
  return ours.has(plain) || isOfPayment(plain) || startsOfOurs.some((start) => plain.startsWith(start))
}

/** Servers that hand headers on as variables (CGI, WSGI) do not tell `x_payment` from `x-payment`. */
export function plainName(name: string): string {
  return name.includes('_') ? name.replaceAll('_', '-') : name
}

function isOfPayment(plain: string): boolean {
  return plain.startsWith('payment-') || plain.startsWith('x-payment') || plain === 'settlement-overrides'
}
