import type { Stage } from '../core/call.ts'
import { type HandlerContext, noBody, type Relayed } from '../core/endpoint.ts'
import { payloadTooLarge } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import type { PaymentDoor } from '../doors/x402/door/payment.ts'
import { parseBody } from './body.ts'
import { payerOf } from './identify.ts'
import type { DecidedCall } from './policy.ts'

/** A call whose input is checked and bound to its handler. */
export interface ValidCall extends DecidedCall {
  /** The body's bytes as received: a payment is bound to them. */
  readonly body: Uint8Array
  readonly run: (context: HandlerContext) => Promise<Reply>
}

/** Reads and checks the input. It stands before any door is opened: a faulty body claims and costs nothing. */
export function validate(payments: Pick<PaymentDoor, 'lookAhead'>): Stage<DecidedCall, ValidCall> {
  return async (call, next) => {
    const { endpoint, params } = call
    if (endpoint.relays) return validateRelayed(call, endpoint.relays, payments, next)
    const query = call.readQuery()
    if (endpoint.method === 'GET' || endpoint.body === noBody) {
      return next({ ...call, body: noBytes, run: endpoint.prepare({ params, query }) })
    }
    const raw = await call.readBody()
    const body = parseBody(raw, endpoint)
    return next({ ...call, body: raw.bytes, run: endpoint.prepare({ params, query, body }) })
  }
}

const noBytes = new Uint8Array()

/**
 * What an upstream gets is not ours to understand. Only a payment has it read whole, because it is bound to it: the
 * same payment must not buy a larger request than the one it was signed for. All others' bodies stay on the wire.
 */
async function validateRelayed(
  call: DecidedCall,
  { maxRequestBytes }: Relayed,
  payments: Pick<PaymentDoor, 'lookAhead'>,
  next: (call: ValidCall) => Promise<Reply>,
): Promise<Reply> {
  const { endpoint, params, incoming, door, target } = call
  if (!incoming)
    throw new Error(`${endpoint.id} is carried out by an upstream, and there is no request for it`)
  const most = door.kind === 'payment' ? Math.min(maxRequestBytes, maxPaidBytes) : maxRequestBytes
  if ((incoming.length ?? 0) > most) throw payloadTooLarge(most)
  const run = endpoint.prepare({ params })
  if (door.kind !== 'payment') return next({ ...call, body: noBytes, run })
  if ((incoming.length ?? most) > maxReadUnseen) {
    const { payment, idempotencyKey } = payerOf(call.principal)
    const { operation } = door
    const refusal = await payments.lookAhead({ endpoint, operation, payment, idempotencyKey, target })
    if (refusal) return refusal
  }
  return next({ ...call, body: await incoming.collect(most), run })
}

/** A body up to this size is read before anyone has looked at its payment, as those of our own operations are. */
const maxReadUnseen = 100_000

/** The largest request that a payment can be bound to: it is held in memory until the money question is decided. */
const maxPaidBytes = 10_000_000
