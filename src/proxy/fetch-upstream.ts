import type { Upstream } from '../core/catalog/upstreams.ts'
import { basePathOf, resolveWithin } from './headers/location.ts'
import { collect } from './pool/collect.ts'
import { upstreamFailed } from './pool/upstream-failed.ts'
import type { Pool, UpstreamReply, UpstreamRequest } from './pool/upstream-reply.ts'

/**
 * Sends a request until there is a reply for the caller. Between the two may lie redirects that the upstream's entry
 * has us follow, and a payment that the upstream asks of us.
 */

/**
 * Pays what an upstream asks.
 * @returns the headers to ask again with, and who wants to know what came of it (undefined: no answer came) and lets
 *   nobody wait; undefined when it is not paid.
 */
export type Spend = (
  reply: { readonly status: number; readonly headers: UpstreamReply['headers']; readonly body: Uint8Array },
  about: {
    readonly callId: string
    readonly operation: string
    readonly upstream: string
    readonly url: string
  },
) => Promise<
  | {
      readonly headers: Readonly<Record<string, string>>
      readonly conclude: (
        answer: { readonly status: number; readonly headers: UpstreamReply['headers'] } | undefined,
      ) => void
    }
  | undefined
>

export interface UpstreamFetchOptions {
  readonly pool: Pool
  readonly upstream: Pick<Upstream, 'redirects' | 'targets'>
  /** Pays for this call; undefined where nothing is to be spent on it. */
  readonly spend: ((reply: Parameters<Spend>[0], url: string) => ReturnType<Spend>) | undefined
}

const maxRedirects = 5
/** A payment request stands in its headers; what is longer than this is none. */
const maxOfRefusal = 65_536

/** @throws GatewayError UPSTREAM_FAILED besides what the pool throws. */
export async function fetchUpstream(
  first: UpstreamRequest,
  { pool, upstream, spend }: UpstreamFetchOptions,
): Promise<UpstreamReply> {
  let request = first
  let redirects = 0
  let isPaid = false
  for (;;) {
    let reply = await pool.request(request)
    if (reply.status === 402) {
      if (!spend || isPaid) throw asksForPayment(reply)
      if (!isRepeatable(request)) throw asksForPayment(reply, tooLargeToRepeat)
      reply = await pay(request, reply, pool, spend)
      isPaid = true
    }
    const next = upstream.redirects === 'follow' ? redirected(request, reply, upstream) : undefined
    if (!next) return reply
    discard(reply)
    redirects += 1
    if (redirects > maxRedirects) throw upstreamFailed(`it redirects more than ${maxRedirects} times`)
    request = next
  }
}

async function pay(
  request: UpstreamRequest,
  refusal: UpstreamReply,
  pool: Pool,
  spend: NonNullable<UpstreamFetchOptions['spend']>,
): Promise<UpstreamReply> {
  const { chunks, isWhole } = await collect(refusal.body, maxOfRefusal, request.signal)
  if (!isWhole) throw asksForPayment(refusal)
  const { status, headers, target } = refusal
  const url = `${new URL(target).origin}${basePathOf(target)}${request.path}`
  const paid = await spend({ status, headers, body: Buffer.concat(chunks) }, url)
  if (!paid) throw asksForPayment(refusal)
  let answer: UpstreamReply | undefined
  try {
    answer = await pool.request({ ...request, headers: { ...paidHeaders(request), ...paid.headers } })
  } finally {
    paid.conclude(answer && { status: answer.status, headers: answer.headers })
  }
  return unpaid(answer)
}

/**
 * All callers pay there from one wallet, and what they call their requests are names of their own: a seller who keeps
 * replies by payer and name would give one caller's to another. So a paid request bears our name for the call.
 */
function paidHeaders({ headers }: UpstreamRequest): UpstreamRequest['headers'] {
  const id = headers['x-request-id']
  if (headers['idempotency-key'] === undefined || id === undefined) return headers
  return { ...headers, 'idempotency-key': id }
}

function isRepeatable({ body }: UpstreamRequest): boolean {
  return body === null || body instanceof Uint8Array
}

/** @throws GatewayError UPSTREAM_FAILED when the reply asks for a payment that nobody has made. */
export function unpaid(reply: UpstreamReply): UpstreamReply {
  if (reply.status === 402) throw asksForPayment(reply)
  return reply
}

/** What it asks for is our affair: the caller has paid us, and must not pay for the same call elsewhere. */
function asksForPayment(reply: UpstreamReply, problem = 'it asks for a payment of its own'): Error {
  discard(reply)
  return upstreamFailed(problem)
}

const tooLargeToRepeat =
  'it asks for a payment of its own, and this body is too large to be sent again with one'

/** The request a redirect leads to; undefined for what is no redirect, or one that is the caller's to follow. */
function redirected(
  request: UpstreamRequest,
  { status, headers, target }: UpstreamReply,
  { targets }: UpstreamFetchOptions['upstream'],
): UpstreamRequest | undefined {
  const location = headers.location?.[0]
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (status === 303 ? !isRepeatable(request) : !isSafe || request.body !== null) return undefined
  const place = resolveWithin(location, { target, path: request.path }, targets)
  if (!place) return undefined
  const path = `${place.pathname}${place.search}`
  if (status !== 303 || isSafe) return { ...request, path }
  const kept = Object.entries(request.headers).filter(([name]) => !name.startsWith('content-'))
  return { ...request, method: 'GET', path, headers: Object.fromEntries(kept), body: null }
}

/** A short body is read to its end, which keeps the connection; a long one ends it. */
export function discard({ body, headers }: Pick<UpstreamReply, 'body' | 'headers'>): void {
  body.on('error', () => undefined)
  if (Number(headers['content-length']?.[0] ?? Number.POSITIVE_INFINITY) <= maxOfRefusal) body.resume()
  else body.destroy()
}
