import type { Upstream } from '../core/catalog/upstreams.ts'
import type { Incoming } from '../core/incoming.ts'
import type { Reply } from '../core/reply.ts'
import { isReadableCoding } from '../core/transfer-coding.ts'
import type { ReplyCounting } from './counting/contract.ts'
import { deliver } from './delivery.ts'
import { discard } from './fetch-upstream.ts'
import { createReplyHeaders, filterReplyHeaders } from './headers/reply-headers.ts'
import { type Collected, collect } from './pool/collect.ts'
import { cutShort, replyTooLarge, upstreamFailed } from './pool/upstream-failed.ts'
import type { UpstreamReply } from './pool/upstream-reply.ts'

/**
 * What the caller gets of an upstream's reply. A short one is read first, so that it can be kept for its payer and
 * what it comes to is known before it is sent; everything else passes as it comes.
 */

interface Passage {
  readonly incoming: Pick<Incoming, 'method' | 'headers' | 'httpVersion'>
  readonly upstream: Upstream
  readonly counting: ReplyCounting | undefined
  readonly signal: AbortSignal
  /** A payment pays for it: what is kept for its payer has to be whole before it is sent. */
  readonly isPaid: boolean
  /** Anybody may have it, and so may a cache on the way. What was counted for one caller, or sold to one, is not for others. */
  readonly isShared: boolean
  /** As `performance.now()` tells the time. */
  readonly deadlineAt: number
}

const maxKept = 65_536
/** Of JSON that is stored for whoever paid for it, or whose amount is to be known before it is sent. */
const maxKeptJson = 1_000_000

/** @throws GatewayError UPSTREAM_FAILED, and what the reply's body fails with while it is read here. */
export async function replyOf(reply: UpstreamReply, passage: Passage): Promise<Reply> {
  const { incoming, upstream, counting, signal, isPaid, isShared } = passage
  const { status, body } = reply
  try {
    if (status < 200 || status > 599) throw upstreamFailed(`its reply has the status ${status}`)
    if (!isReadableCoding(reply.headers['transfer-encoding']?.join()))
      throw upstreamFailed('its reply is in a transfer coding besides chunked')
    const headers = createReplyHeaders(reply, upstream)
    if (!isShared) for (const name of ofCaches) delete headers[name]
    const promised = lengthOf(reply)
    const hasBody = incoming.method !== 'HEAD' && status !== 204 && status !== 304
    if (!hasBody) return bodiless(reply, headers, counting, promised)
    if (promised !== undefined && promised > upstream.maxResponseBytes)
      throw replyTooLarge(upstream.maxResponseBytes)
    const read = await readFirst(reply, promised, isPaid || counting !== undefined, signal)
    if (read.bytes > upstream.maxResponseBytes) throw replyTooLarge(upstream.maxResponseBytes)
    if (!read.isWhole) return streamed(reply, headers, read, promised, passage)
    if (promised !== undefined && read.bytes < promised) throw cutShort()
    return whole(status, headers, read, counting)
  } catch (error) {
    body.on('error', () => undefined).destroy()
    throw error
  }
}

function bodiless(
  reply: UpstreamReply,
  headers: Record<string, string>,
  counting: ReplyCounting | undefined,
  promised: number | undefined,
): Reply {
  discard(reply)
  counting?.end()
  delete headers.trailer
  // How long the body would be; of a 204, which has none, nothing is said.
  if (promised !== undefined && reply.status !== 204) headers['content-length'] = String(promised)
  return { status: reply.status, headers, body: nothing, ...deliveredOf(counting, 0) }
}

/** As much as has to be known before anything is sent: nothing of what is a stream by its nature. */
async function readFirst(
  { headers, body }: UpstreamReply,
  promised: number | undefined,
  isJsonKept: boolean,
  signal: AbortSignal,
): Promise<Collected> {
  const type = mediaType(headers)
  const isShort = promised !== undefined && promised <= maxKept
  const isKeptJson =
    isJsonKept && /^application\/(?:[\w.+-]+\+)?json$/.test(type) && (promised ?? 0) <= maxKeptJson
  if (type === 'text/event-stream' || !(isShort || isKeptJson))
    return { chunks: [], bytes: 0, isWhole: false }
  return collect(body, isShort ? maxKept : maxKeptJson, signal)
}

function whole(
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
  return { delivered: Promise.resolve({ outcome: 'complete', usage: counting.usage(bytes) }) }
}

function streamed(
  reply: UpstreamReply,
  headers: Record<string, string>,
  { chunks }: Collected,
  promised: number | undefined,
  { incoming, upstream, counting, deadlineAt }: Passage,
): Reply {
  // What reads along may take something out, so the length holds only where nothing is counted in the text.
  const isLengthKept =
    promised !== undefined && (!counting || mediaType(reply.headers) !== 'text/event-stream')
  if (isLengthKept) headers['content-length'] = String(promised)
  const hasTrailers = !isLengthKept && incoming.httpVersion !== '1.0' && takesTrailers(incoming)
  if (!hasTrailers) delete headers.trailer
  const passed = deliver({
    body: reply.body,
    before: chunks,
    counting,
    promised,
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

/** https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1: to whoever says so with TE. */
function takesTrailers({ headers }: Pick<Incoming, 'headers'>): boolean {
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

/** What upstreams say to caches; the doors say it themselves. */
const ofCaches = ['cache-control', 'expires', 'age']
