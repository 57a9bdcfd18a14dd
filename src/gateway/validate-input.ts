import type { Stage } from '../core/call.ts'
import { type EndpointUpstream, type HandlerContext, noBody } from '../core/endpoint.ts'
import { payloadTooLarge } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { parseBody } from './body.ts'
import type { DecidedCall } from './policy.ts'

/** A call whose input is checked and bound to its handler. */
export interface ValidCall extends DecidedCall {
  /** The body as received, which a payment is bound to. Empty while an upstream's request body is unread. */
  readonly body: Uint8Array
  readonly run: (context: HandlerContext) => Promise<Reply>
}

/**
 * The stage that checks the input. It runs before a door opens, so a faulty request claims and costs nothing.
 * The body of an upstream's request is not checked: only its announced length is.
 */
export const validateInput: Stage<DecidedCall, ValidCall> = async (call, next) => {
  const { endpoint, params } = call
  if (endpoint.upstream) {
    checkLength(call, endpoint.upstream)
    return next({ ...call, body: noBytes, run: endpoint.prepare({ params }) })
  }
  const query = call.readQuery()
  if (endpoint.method === 'GET' || endpoint.body === noBody) {
    return next({ ...call, body: noBytes, run: endpoint.prepare({ params, query }) })
  }
  const raw = await call.readBody(call.room)
  const body = parseBody(raw, endpoint)
  return next({ ...call, body: raw.bytes, run: endpoint.prepare({ params, query, body }) })
}

const noBytes = new Uint8Array()

/** @throws GatewayError PAYLOAD_TOO_LARGE. */
function checkLength({ incoming, door }: DecidedCall, upstream: EndpointUpstream): void {
  const maxBytes = maxUploadBytes(door, upstream)
  if ((incoming?.length ?? 0) > maxBytes) throw payloadTooLarge(maxBytes)
}

/** The largest request body that an upstream can get through this door. */
export function maxUploadBytes({ kind }: DecidedCall['door'], { maxRequestBytes }: EndpointUpstream): number {
  return kind === 'payment' ? Math.min(maxRequestBytes, maxPaidBytes) : maxRequestBytes
}

/** A paid body is held in memory until the payment is decided, because the payment is bound to it. */
const maxPaidBytes = 10_000_000
