import { type HandlerContext, noBody, type RawBody, type Reply, type Stage } from '../core/call.ts'
import { GatewayError } from '../core/errors.ts'
import type { DecidedCall } from './policy.ts'

/** A call whose input is checked and bound to its handler. */
export interface ValidCall extends DecidedCall {
  /** The body's bytes as received: a payment is bound to them. */
  readonly body: Uint8Array
  readonly run: (context: HandlerContext) => Promise<Reply>
}

/** Reads and checks the input. It stands before any door is opened: a faulty body claims and costs nothing. */
export const validate: Stage<DecidedCall, ValidCall> = async (call, next) => {
  const { endpoint, params } = call
  const query = call.readQuery()
  if (endpoint.method === 'GET' || endpoint.body === noBody) {
    return next({ ...call, body: noBytes, run: endpoint.prepare({ params, query }) })
  }
  const raw = await call.readBody()
  return next({ ...call, body: raw.bytes, run: endpoint.prepare({ params, query, body: parseJson(raw) }) })
}

const noBytes = new Uint8Array()
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON is read from JSON types, and also from text/plain or no type at all: x402 v1 clients lose the
 * header on their paid retry (reference/payments.md 4.1).
 */
function parseJson({ bytes, contentType }: RawBody): unknown {
  const isRead =
    contentType === undefined ||
    contentType === 'application/json' ||
    contentType === 'text/plain' ||
    /^application\/[\w.+-]+\+json$/.test(contentType)
  if (!isRead) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { content_type: contentType })
  let value: unknown
  try {
    value = JSON.parse(strictUtf8.decode(bytes))
  } catch (cause) {
    throw new GatewayError('MALFORMED_JSON', {}, { cause })
  }
  return value
}
