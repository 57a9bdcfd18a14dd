import { type HandlerContext, noBody, type Relayed, type Reply, type Stage } from '../core/call.ts'
import { tooLarge } from '../core/too-large.ts'
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
  if (endpoint.relays) return validateRelayed(call, endpoint.relays, next)
  const query = call.readQuery()
  if (endpoint.method === 'GET' || endpoint.body === noBody) {
    return next({ ...call, body: noBytes, run: endpoint.prepare({ params, query }) })
  }
  const raw = await call.readBody()
  const body = parseBody(raw, endpoint)
  return next({ ...call, body: raw.bytes, run: endpoint.prepare({ params, query, body }) })
}

const noBytes = new Uint8Array()

/**
 * What an upstream gets is not ours to understand. Only a payment has it read whole, because it is bound to it: the
 * same payment must not buy a larger request than the one it was signed for. All others' bodies stay on the wire.
 */
async function validateRelayed(
  call: DecidedCall,
  { maxRequestBytes }: Relayed,
  next: (call: ValidCall) => Promise<Reply>,
): Promise<Reply> {
  const { endpoint, params, incoming, door } = call
  if (!incoming)
    throw new Error(`${endpoint.id} is carried out by an upstream, and there is no request for it`)
  const most = door.kind === 'payment' ? Math.min(maxRequestBytes, mostPaidBytes) : maxRequestBytes
  if ((incoming.length ?? 0) > most) throw tooLarge(most)
  const body = door.kind === 'payment' ? await incoming.collect(most) : noBytes
  return next({ ...call, body, run: endpoint.prepare({ params }) })
}

/** The largest request that a payment can be bound to: it is held in memory until the money question is decided. */
const mostPaidBytes = 10_000_000
