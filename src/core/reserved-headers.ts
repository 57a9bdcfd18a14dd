/**
 * The headers that belong to the gateway: credentials, payments, and its own reply headers about money. One
 * list for requests and replies: an upstream that received a key or a signed payment could spend it, and an
 * upstream that could set these reply headers could fake a receipt.
 */

/** The header for API keys. */
export const keyHeader = 'x-mcp-api-key'

/** The payment headers: x402 v2's, the specification's and x402 v1's. The payload names its x402 version. */
export const paymentHeaders = ['payment-signature', 'x-payment-signature', 'x-payment'] as const

/** The header of x402's extension of this name: a sign-in of the payer's wallet. */
export const signInHeader = 'sign-in-with-x'

/** The headers by which a payer proves who it is. */
export type ProofHeader = (typeof paymentHeaders)[number] | typeof signInHeader

/**
 * Request headers with credentials other than payments. `cookie` holds a browser's cookies for our own
 * origin.
 */
const credentials: ReadonlySet<string> = new Set([
  keyHeader,
  // Anthropic's clients send their key here, so callers may send an API key of ours here.
  'x-api-key',
  'authorization',
  'cookie',
  'cookie2',
  signInHeader,
  // x402 clients send this response header's name as a request header.
  'access-control-expose-headers',
])

/** Reply headers that state facts about the gateway, or that would affect everything at its origin. */
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
  // Commands to a server or cache in front of us: send a local file, or cache one payer's reply for everyone.
  'x-sendfile',
  'x-lighttpd-send-file',
  'surrogate-control',
  'edge-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'vercel-cdn-cache-control',
  'netlify-cdn-cache-control',
])

const ownPrefixes = [
  'proxy-',
  'access-control-',
  'x-ratelimit-',
  'ratelimit-',
  'x-tollgate',
  'x-accel-',
  'x-reproxy-',
]

/**
 * Whether the gateway never sends the caller's header to an upstream, whatever the catalog allows.
 * @param name in lower case.
 */
export function isReservedOfRequest(name: string): boolean {
  const plain = plainName(name)
  return credentials.has(plain) || plain.startsWith('proxy-') || isOfPayment(plain)
}

/**
 * Whether the gateway never sends an upstream's header to the caller, whatever the catalog allows.
 * @param name in lower case.
 */
export function isReservedOfReply(name: string): boolean {
  const plain = plainName(name)
  return ours.has(plain) || isOfPayment(plain) || ownPrefixes.some((prefix) => plain.startsWith(prefix))
}

/** Servers that pass headers as variables (CGI, WSGI) cannot distinguish `x_payment`, or `x.payment`, from `x-payment`. */
export function plainName(name: string): string {
  return name.replaceAll(/[^a-z\d-]/g, '-')
}

function isOfPayment(plain: string): boolean {
  return plain.startsWith('payment-') || plain.startsWith('x-payment') || plain === 'settlement-overrides'
}
