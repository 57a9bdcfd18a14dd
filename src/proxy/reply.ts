import type { Upstream } from '../core/catalog/upstreams.ts'
import type { IncomingRequest } from '../core/incoming-request.ts'
import type { Reply } from '../core/reply.ts'
import { isReadableCoding } from '../core/transfer-coding.ts'
import type { ReplyCounting } from './counting/contract.ts'
import { deliver } from './delivery.ts'
import { discard } from './fetch-upstream.ts'
import { createReplyHeaders, filterReplyHeaders } from './headers/reply-headers.ts'
import { type Collected, collect } from './pool/collect.ts'
import { cutShort, replyTooLarge, upstreamFailed } from './pool/upstream-failed.ts'
import type { UpstreamReply } from './pool/upstream-reply.ts'

interface ReplyOptions {
  readonly incoming: Pick<IncomingRequest, 'method' | 'headers' | 'httpVersion'>
  readonly upstream: Upstream
  readonly counting: ReplyCounting | undefined
  readonly signal: AbortSignal
  /**
   * Whether a payment pays for the call: its reply is stored for the payer, so it must be whole before it is
   * sent.
   */
  readonly isPaid: boolean
  /**
   * Whether caches may store the reply. One that was sold or counted for a caller is for that caller only.
   */
  readonly isShared: boolean
  /** On the clock of `performance.now()`. */
  readonly deadlineAt: number
}

const maxKeptBytes = 65_536
/** For JSON that is stored for its payer, or whose price must be known before it is sent. */
const maxKeptJsonBytes = 1_000_000

/**
 * Makes the caller's reply of an upstream's. A short one is read first, so that it can be stored for its
 * payer and its price is known before it is sent. Any other is streamed.
 *
 * @throws GatewayError UPSTREAM_FAILED, and the error of the body while it is read here
 */
export async function createReply(reply: UpstreamReply, options: ReplyOptions): Promise<Reply> {
  const { incoming, upstream, counting, signal, isPaid, isShared } = options
  const { status, body } = reply
  try {
    if (status < 200 || status > 599) throw upstreamFailed(`its reply has the status ${status}`)
    if (!isReadableCoding(reply.headers['transfer-encoding']?.join()))
      throw upstreamFailed('its reply uses a transfer coding other than chunked')
    const headers = createReplyHeaders(reply, upstream)
    if (!isShared) for (const name of cacheHeaders) delete headers[name]
    const promisedBytes = lengthOf(reply)
    const hasBody = incoming.method !== 'HEAD' && status !== 204 && status !== 304
    if (!hasBody) return replyWithoutBody(reply, headers, counting, promisedBytes)
    if (promisedBytes !== undefined && promisedBytes > upstream.maxResponseBytes)
      throw replyTooLarge(upstream.maxResponseBytes)
    const read = await readAhead(reply, promisedBytes, isPaid || counting !== undefined, signal)
    if (read.bytes > upstream.maxResponseBytes) throw replyTooLarge(upstream.maxResponseBytes)
    if (!read.isWhole) return streamedReply(reply, headers, read, promisedBytes, options)
    if (promisedBytes !== undefined && read.bytes < promisedBytes) throw cutShort()
    return wholeReply(status, headers, read, counting)
  } catch (error) {
    body.on('error', () => undefined).destroy()
    throw error
  }
}

function replyWithoutBody(
  reply: UpstreamReply,
  headers: Record<string, string>,
  counting: ReplyCounting | undefined,
  promisedBytes: number | undefined,
): Reply {
  discard(reply)
  counting?.end()
  delete headers.trailer
  // HEAD and 304 give the length of the body they leave out; a 204 has none.
  if (promisedBytes !== undefined && reply.status !== 204) headers['content-length'] = String(promisedBytes)
  return { status: reply.status, headers, body: nothing, ...deliveredOf(counting, 0) }
}

/** Reads the body that must be known before the reply is sent; nothing of an event stream. */
async function readAhead(
  { headers, body }: UpstreamReply,
  promisedBytes: number | undefined,
  isJsonKept: boolean,
  signal: AbortSignal,
): Promise<Collected> {
  const type = mediaType(headers)
  const isShort = promisedBytes !== undefined && promisedBytes <= maxKeptBytes
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/.test(type)
  const isKeptJson = isJsonKept && isJson && (promisedBytes ?? 0) <= maxKeptJsonBytes
  if (type === 'text/event-stream' || !(isShort || isKeptJson))
    return { chunks: [], bytes: 0, isWhole: false }
  return collect(body, isShort ? maxKeptBytes : maxKeptJsonBytes, signal)
}

function wholeReply(
  status: number,
  headers: Record<string, string>,
  { chunks, bytes }: Collected,
  counting: ReplyCounting | undefined,
): Reply {
  delete headers.trailer
  if (!counting) return { status, headers, body: joined(chunks, bytes) }
  const body = Buffer.concat([...chunks.map((chunk) => counting.push(chunk)), counting.end()])
  return { status, headers, body, ...deliveredOf(counting, body.byteLength) }
}

function deliveredOf(counting: ReplyCounting | undefined, bytes: number): Pick<Reply, 'delivered'> {
  if (!counting) return {}
  return {
    delivered: Promise.resolve(counting.usage(bytes)).then((usage) => ({ outcome: 'complete', usage })),
  }
}

function streamedReply(
  reply: UpstreamReply,
  headers: Record<string, string>,
  { chunks }: Collected,
  promisedBytes: number | undefined,
  { incoming, upstream, counting, deadlineAt }: ReplyOptions,
): Reply {
  // Counting may remove an event from a stream, and then the announced length is wrong.
  const isLengthKept =
    promisedBytes !== undefined && (!counting || mediaType(reply.headers) !== 'text/event-stream')
  if (isLengthKept) headers['content-length'] = String(promisedBytes)
  const hasTrailers = !isLengthKept && incoming.httpVersion !== '1.0' && acceptsTrailers(incoming)
  if (!hasTrailers) delete headers.trailer
  const passed = deliver({
    body: reply.body,
    before: chunks,
    counting,
    promisedBytes,
    maxBytes: upstream.maxResponseBytes,
    idleMs: upstream.idleSeconds * 1000,
    remainingMs: Math.max(0, deadlineAt - performance.now()),
  })
  return {
    status: reply.status,
    headers,
    body: nothing,
    ...passed,
    ...(hasTrailers ? { trailers: () => trailersOf(reply, upstream) } : {}),
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1: a caller says so with TE. */
function acceptsTrailers({ headers }: Pick<IncomingRequest, 'headers'>): boolean {
  return headers.te?.some((line) => /(?:^|,)\s*trailers\s*(?:,|$)/i.test(line)) ?? false
}

function trailersOf({ trailers }: UpstreamReply, upstream: Upstream): Readonly<Record<string, string>> {
  const lines = Object.entries(trailers()).map(([name, value]) => [name.toLowerCase(), [value]] as const)
  return filterReplyHeaders(Object.fromEntries(lines), upstream)
}

function mediaType(headers: UpstreamReply['headers']): string {
  return (headers['content-type']?.[0] ?? '').split(';', 1).join().trim().toLowerCase()
}

function lengthOf({ headers }: UpstreamReply): number | undefined {
  const text = headers['content-length']?.[0]
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  return bytes === 0 ? nothing : Buffer.concat(chunks)
}

const nothing = new Uint8Array()

/** The gateway sets these itself for a reply that caches must not store. */
const cacheHeaders = ['cache-control', 'expires', 'age']
