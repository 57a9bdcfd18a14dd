import { Readable } from 'node:stream'
import type { Upstream } from '../core/catalog/upstreams.ts'
import type { HandlerContext } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { IncomingRequest } from '../core/incoming-request.ts'
import type { Reply } from '../core/reply.ts'
import { createCounting } from './counting/counting.ts'
import type { CountingReader } from './counting/reading/reader.ts'
import { fetchUpstream, type PayUpstream, refusePayment } from './fetch-upstream.ts'
import { interimHeaders } from './headers/reply-headers.ts'
import { createRequestHeaders } from './headers/request-headers.ts'
import type { Pool, UpstreamRequest } from './pool/upstream-reply.ts'
import { createReply } from './reply.ts'
import type { Routed } from './routes/route-table.ts'
import { openTunnel } from './tunnel.ts'
import { bodyToKeep, createUpload } from './upload.ts'

/** What the calls of one upstream share. */
export interface OpenUpstream {
  readonly pool: Pool
  /** Reads large bodies to count them. */
  readonly reader: Pick<CountingReader, 'of'>
  /** The headers that the catalog adds to each call, with their secrets. */
  readonly injected: Readonly<Record<string, string>>
}

/**
 * Forwards a request to an upstream and returns its reply: the handler of an operation that an upstream
 * carries out. Until it returns, the context's signal can end it; after that, a streamed reply enforces the
 * operation's deadline itself.
 *
 * @param pay pays upstreams that ask for it; undefined when the gateway has no wallet
 * @throws GatewayError UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED, PAYLOAD_TOO_LARGE,
 *   CALLER_LEFT, UNSUPPORTED_MEDIA_TYPE; the reason of the context's signal
 */
export async function forward(
  { upstream, upstreamName, operation, id, path }: Routed,
  { pool, reader, injected }: OpenUpstream,
  { incoming, callId, signal, payment, holder, client, room }: HandlerContext,
  pay: PayUpstream | undefined,
): Promise<Reply> {
  const startedAt = performance.now()
  if (!incoming) throw new Error('an operation of an upstream was called without its request')
  const headers = createRequestHeaders(incoming, { upstream, callId, injected })
  const meter = operation.priced?.meter
  if (meter?.per === 'tokens' && isCompressed(incoming)) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { problem: 'the content encoding is not read here' })
  }
  // The data after the head of an upgrade is not a body.
  const kept = incoming.isUpgrade ? nothing : await bodyToKeep(incoming, meter, upstream, room)
  const contentType = incoming.headers['content-type']?.[0]
  const counted = { body: kept, contentType, path }
  const counting = meter && (await createCounting(meter, counted, reader.of(holder?.subject ?? client())))
  const upload = createUpload(incoming, counting?.body ?? kept, upstream.maxRequestBytes, (piece) =>
    counting?.countSent(piece),
  )
  if (counting?.acceptEncoding !== undefined) headers['accept-encoding'] = counting.acceptEncoding
  // A streamed body has the length that the caller announced, or is sent in chunks as it comes.
  if (upload.body instanceof Readable && incoming.length !== undefined) {
    headers['content-length'] = String(incoming.length)
  }
  const request: UpstreamRequest = {
    method: incoming.method,
    path,
    headers,
    body: upload.body,
    signal,
    onInform: informCaller(incoming, upstream),
  }
  const replyOptions = {
    incoming,
    upstream,
    signal,
    deadlineAt: startedAt + operation.deadlineSeconds * 1000,
    isPaid: payment !== undefined,
    isShared: operation.access === 'open',
  }
  if (incoming.isUpgrade) {
    const tunnel = await openTunnel(request, { pool, upstream, incoming, meter, counting })
    switch (tunnel.kind) {
      case 'opened':
        return tunnel.reply
      case 'refused': {
        const reply = refusePayment(tunnel.reply)
        return createReply(reply, { ...replyOptions, counting: counting?.countReply(reply) })
      }
    }
  }
  const call = { callId, operation: id, upstream: upstreamName }
  try {
    const { reply, isPaid } = await fetchUpstream(request, {
      pool,
      upstream,
      pay: pay && upstream.spend && ((challenge, url) => pay(challenge, { ...call, url })),
    })
    const passed = await createReply(reply, { ...replyOptions, counting: counting?.countReply(reply) })
    return isPaid ? { ...passed, hasCost: true } : passed
  } catch (error) {
    // A failed upload is the caller's fault, whatever the upstream replied to half a body.
    throw upload.failure() ?? error
  }
}

const nothing = new Uint8Array()

/** A prompt of megabytes compresses to a few bytes, and only those could be counted. */
function isCompressed({ headers }: IncomingRequest): boolean {
  return headers['content-encoding']?.some((line) => !/^\s*(?:identity\s*)?$/i.test(line)) ?? false
}

/** Passes 102 (processing) and 103 (early hints) on. Other interim replies are between the gateway and the upstream. */
function informCaller(
  incoming: IncomingRequest,
  upstream: Upstream,
): NonNullable<UpstreamRequest['onInform']> {
  return (status, headers) => {
    if (status !== 102 && status !== 103) return
    const listed = Object.entries(headers).map(
      ([name, value]) => [name.toLowerCase(), [value].flat()] as const,
    )
    incoming.inform(status, interimHeaders(Object.fromEntries(listed), upstream))
  }
}
