import { type HandlerContext, noBody, type Reply, type Stage } from '../core/call.ts'
import { parseBody } from './body.ts'
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
  const body = parseBody(raw, endpoint)
  return next({ ...call, body: raw.bytes, run: endpoint.prepare({ params, query, body }) })
}

const noBytes = new Uint8Array()
