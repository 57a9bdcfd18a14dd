import type { Upstream } from '../core/catalog/upstreams.ts'
import { basePathOf, resolveWithin } from './headers/location.ts'
import { collect } from './pool/collect.ts'
import { upstreamFailed } from './pool/upstream-failed.ts'
import type { Pool, UpstreamReply, UpstreamRequest } from './pool/upstream-reply.ts'

/**
 * Pays an upstream that asks for an x402 payment.
 * @returns undefined when it is not paid.
 */
export type PayUpstream = (
  challenge: PaymentChallenge,
  call: {
    readonly callId: string
    readonly operation: string
    readonly upstream: string
    readonly url: string
  },
) => Promise<UpstreamPayment | undefined>

/** An upstream's 402. */
interface PaymentChallenge {
  readonly status: number
  readonly headers: UpstreamReply['headers']
  readonly body: Uint8Array
}

interface UpstreamPayment {
  /** Repeat the request with these. */
  readonly headers: Readonly<Record<string, string>>
  /** Reports the reply to the paid request, undefined for none. The caller does not wait for this. */
  readonly conclude: (reply: Pick<UpstreamReply, 'status' | 'headers'> | undefined) => void
}

interface UpstreamFetchOptions {
  readonly pool: Pool
  readonly upstream: Pick<Upstream, 'redirects' | 'targets'>
  /** Pays for this call; undefined where the gateway pays nothing. */
  readonly pay:
    | ((challenge: PaymentChallenge, url: string) => Promise<UpstreamPayment | undefined>)
    | undefined
}

const maxRedirects = 5
/** The payment requirements are in the headers of a 402, or in a body of at most this size. */
const maxChallengeBytes = 65_536

/**
 * Sends a request until there is a reply for the caller: follows redirects where the catalog says so, and
 * pays an upstream that asks for it once.
 *
 * @returns the reply, and whether the gateway paid for it
 * @throws GatewayError UPSTREAM_FAILED, and the errors of the pool
 */
export async function fetchUpstream(
  first: UpstreamRequest,
  { pool, upstream, pay }: UpstreamFetchOptions,
): Promise<{ readonly reply: UpstreamReply; readonly isPaid: boolean }> {
  let request = first
  let redirects = 0
  let isPaid = false
  for (;;) {
    let reply = await pool.request(request)
    if (reply.status === 402) {
      if (!pay || isPaid) throw paymentRefused(reply)
      if (!isRepeatable(request)) throw paymentRefused(reply, tooLargeToRepeat)
      reply = await fetchPaid(request, reply, pool, pay)
      isPaid = true
    }
    const next = upstream.redirects === 'follow' ? followRedirect(request, reply, upstream) : undefined
    if (!next) return { reply, isPaid }
    discard(reply)
    redirects += 1
    if (redirects > maxRedirects) throw upstreamFailed(`it redirects more than ${maxRedirects} times`)
    request = next
  }
}

async function fetchPaid(
  request: UpstreamRequest,
  challenge: UpstreamReply,
  pool: Pool,
  pay: NonNullable<UpstreamFetchOptions['pay']>,
): Promise<UpstreamReply> {
  const { chunks, isWhole } = await collect(challenge.body, maxChallengeBytes, request.signal)
  if (!isWhole) throw paymentRefused(challenge)
  const { status, headers, target } = challenge
  const url = `${new URL(target).origin}${basePathOf(target)}${request.path}`
  const payment = await pay({ status, headers, body: Buffer.concat(chunks) }, url)
  if (!payment) throw paymentRefused(challenge)
  let reply: UpstreamReply | undefined
  try {
    reply = await pool.request({ ...request, headers: { ...headersOfPaid(request), ...payment.headers } })
  } finally {
    payment.conclude(reply && { status: reply.status, headers: reply.headers })
  }
  return refusePayment(reply)
}

/**
 * Replaces the caller's Idempotency-Key by our call id. One wallet pays for all callers, and callers choose
 * their keys: a seller that stores replies by payer and key would give one caller's reply to another.
 */
function headersOfPaid({ headers }: UpstreamRequest): UpstreamRequest['headers'] {
  const id = headers['x-request-id']
  if (headers['idempotency-key'] === undefined || id === undefined) return headers
  return { ...headers, 'idempotency-key': id }
}

function isRepeatable({ body }: UpstreamRequest): boolean {
  return body === null || body instanceof Uint8Array
}

/** @throws GatewayError UPSTREAM_FAILED when the reply asks for a payment. */
export function refusePayment(reply: UpstreamReply): UpstreamReply {
  if (reply.status === 402) throw paymentRefused(reply)
  return reply
}

/**
 * The caller never sees an upstream's 402. It has paid the gateway, and must not pay the upstream for the same call.
 */
function paymentRefused(reply: UpstreamReply, problem = 'it asks for a payment itself'): Error {
  discard(reply)
  return upstreamFailed(problem)
}

const tooLargeToRepeat = 'it asks for a payment itself, and this body is too large to be sent again with one'

/**
 * @returns the request of a redirect; undefined for another reply, and for a redirect that the caller must
 *   follow.
 */
function followRedirect(
  request: UpstreamRequest,
  { status, headers, target }: UpstreamReply,
  { targets }: UpstreamFetchOptions['upstream'],
): UpstreamRequest | undefined {
  const location = headers.location?.[0]
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (status === 303 ? !isRepeatable(request) : !isSafe || request.body !== null) return undefined
  const url = resolveWithin(location, { target, path: request.path }, targets)
  if (!url) return undefined
  const path = `${url.pathname}${url.search}`
  if (status !== 303 || isSafe) return { ...request, path }
  const kept = Object.entries(request.headers).filter(([name]) => !name.startsWith('content-'))
  return { ...request, method: 'GET', path, headers: Object.fromEntries(kept), body: null }
}

/** Reads a short body to its end, which keeps the connection; destroys a longer one. */
export function discard({ body, headers }: Pick<UpstreamReply, 'body' | 'headers'>): void {
  body.on('error', () => undefined)
  const length = Number(headers['content-length']?.[0] ?? Number.POSITIVE_INFINITY)
  if (length <= maxChallengeBytes) body.resume()
  else body.destroy()
}
