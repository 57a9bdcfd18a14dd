import type { Upstream } from '../core/catalog/upstreams.ts'
import type { HandlerContext } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { Incoming } from '../core/incoming.ts'
import type { Reply } from '../core/reply.ts'
import { createCounting } from './counting/counting.ts'
import { fetchUpstream, type Spend, type UpstreamFetchOptions, unpaid } from './fetch-upstream.ts'
import { resolveInjectedHeaders } from './headers/injected-headers.ts'
import { filterReplyHeaders } from './headers/reply-headers.ts'
import { createRequestHeaders } from './headers/request-headers.ts'
import type { Pool, UpstreamRequest } from './pool/upstream-reply.ts'
import { replyOf } from './reply.ts'
import type { Routed } from './routes/route-table.ts'
import { openTunnel } from './tunnel.ts'
import { bodyToKeep, uploadOf } from './upload.ts'

/** The way of a request to an upstream and of its reply back: what the handler of such an operation is. */
interface ForwardParts {
  /** Settings that the catalogue names, such as UPSTREAM_KEY, by their names. */
  readonly secrets: Readonly<Record<string, string>>
  /** Pays upstreams that ask for it; undefined where the gateway has no wallet. */
  readonly spend?: Spend | undefined
}

/**
 * Until it returns, the context's signal ends it; a reply that streams keeps the operation's deadline by itself.
 * @throws GatewayError UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED, PAYLOAD_TOO_LARGE, CALLER_LEFT; the
 *   reason of the context's signal; Error when a setting is missing that the upstream's entry names.
 */
type Forward = (routed: Routed, pool: Pool, context: HandlerContext) => Promise<Reply>

export function createForward({ secrets, spend }: ForwardParts): Forward {
  const filled = new WeakMap<Upstream, Readonly<Record<string, string>>>()

  function injectedOf(upstream: Upstream): Readonly<Record<string, string>> {
    const known = filled.get(upstream) ?? resolveInjectedHeaders(upstream, secrets)
    filled.set(upstream, known)
    return known
  }

  return async (routed, pool, context) => {
    const startedAt = performance.now()
    const { upstream, upstreamName, operation, id, path } = routed
    const { incoming, callId, signal } = context
    if (!incoming) throw new Error('an operation of an upstream was called without its request')
    const headers = createRequestHeaders(incoming, { upstream, callId, injected: injectedOf(upstream) })
    const meter = operation.priced?.meter
    if (meter?.per === 'tokens' && isPacked(incoming))
      throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', packed)
    const isTunnel = incoming.isUpgrade
    // What follows the head of such a request is no body.
    const kept = isTunnel ? nothing : await bodyToKeep(incoming, meter, upstream)
    const contentType = incoming.headers['content-type']?.[0]
    const counting = meter && createCounting(meter, { body: kept, contentType, path })
    if (counting?.acceptEncoding !== undefined) headers['accept-encoding'] = counting.acceptEncoding
    const upload = uploadOf(incoming, counting?.body ?? kept, upstream.maxRequestBytes, (piece) =>
      counting?.countSent(piece),
    )
    const request = withLength(
      {
        method: incoming.method,
        path,
        headers,
        body: upload.body,
        signal,
        onInform: informing(incoming, upstream),
      },
      incoming,
    )
    const passage = {
      incoming,
      upstream,
      signal,
      deadlineAt: startedAt + operation.deadlineSeconds * 1000,
      isPaid: context.payment !== undefined,
      isShared: operation.access === 'open',
    }
    if (isTunnel) {
      const tunnel = await openTunnel(request, { pool, upstream, incoming, meter, counting })
      if ('reply' in tunnel) return tunnel.reply
      return replyOf(unpaid(tunnel.refusal), { ...passage, counting: counting?.countReply(tunnel.refusal) })
    }
    const about = { callId, operation: id, upstream: upstreamName }
    let hasCost = false
    const pay: UpstreamFetchOptions['spend'] = async (refusal, url) => {
      const paid = await spend?.(refusal, { ...about, url })
      hasCost = paid !== undefined
      return paid
    }
    try {
      const reply = await fetchUpstream(request, {
        pool,
        upstream,
        spend: spend && upstream.spend && pay,
      })
      const passed = await replyOf(reply, { ...passage, counting: counting?.countReply(reply) })
      return hasCost ? { ...passed, hasCost } : passed
    } catch (error) {
      // A caller whose upload failed is told of that, and not of what the upstream made of half a body.
      throw upload.failure() ?? error
    }
  }
}

const nothing = new Uint8Array()

/** A prompt of megabytes can be packed into a few bytes, which is all that could be counted of it. */
function isPacked({ headers }: Incoming): boolean {
  return headers['content-encoding']?.some((line) => !/^\s*(?:identity\s*)?$/i.test(line)) ?? false
}

const packed = { problem: 'the content encoding is not read here' }

/** A body that passes through has the length its sender said, or comes in chunks on both sides. */
function withLength(request: UpstreamRequest, { length }: Incoming): UpstreamRequest {
  if (request.body === null || request.body instanceof Uint8Array || length === undefined) return request
  return { ...request, headers: { ...request.headers, 'content-length': String(length) } }
}

/** 102 says that it goes on, 103 what the caller may fetch meanwhile; 100 is between us and the upstream. */
function informing(incoming: Incoming, upstream: Upstream): NonNullable<UpstreamRequest['onInform']> {
  return (status, headers) => {
    if (status !== 102 && status !== 103) return
    const listed = Object.entries(headers).map(
      ([name, value]) => [name.toLowerCase(), [value].flat()] as const,
    )
    incoming.inform(status, filterReplyHeaders(Object.fromEntries(listed), upstream))
  }
}
