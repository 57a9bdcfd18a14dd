import type { Stage } from '../../core/call.ts'
import type { Verified } from '../../doors/x402/door/check.ts'
import type { PaymentDoor } from '../../doors/x402/door/payment.ts'
import { clientOf } from '../client-address.ts'
import { payerOf } from '../principal.ts'
import { maxUploadBytes, type ValidCall } from '../validate-input.ts'

/**
 * The body of a paid upstream call. It is read into memory, because the payment is bound to its bytes: the
 * same payment must not buy a larger request than the one it was signed for. All other upstream bodies stay
 * on the wire.
 */

/** A call whose payment may be verified already. */
export interface UploadCall extends ValidCall {
  readonly verified?: Verified
}

/**
 * The stage that verifies the payment of a large upload before the upload is read. A payment that would not go
 * through is answered here, unless it is in the books, the caller has its signature, and the answer depends on
 * the body. Otherwise callers could fill our memory with bodies beside worthless payments.
 */
export function verifyBeforeUpload(payments: Pick<PaymentDoor, 'verifyEarly'>): Stage<ValidCall, UploadCall> {
  return async (call, next) => {
    const { endpoint, door, incoming, principal, target, room } = call
    if (door.kind !== 'payment' || !endpoint.upstream || !incoming) return next(call)
    if ((incoming.length ?? maxUploadBytes(door, endpoint.upstream)) <= maxUnverifiedBytes) return next(call)
    const { payment, idempotencyKey, signIn } = payerOf(principal)
    const outcome = await payments.verifyEarly({
      endpoint,
      operation: door.operation,
      payment,
      idempotencyKey,
      signIn,
      target,
      client: clientOf(call.client()),
    })
    switch (outcome.kind) {
      case 'answered':
        return outcome.reply
      case 'verified':
        room.becomeUpload(payment.authorization.from)
        return next({ ...call, verified: outcome.verified })
      case 'recorded':
        room.becomeUpload(undefined)
        return next(call)
    }
  }
}

/**
 * The stage that reads the body of a paid upstream call.
 * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT, UPLOADS_UNAVAILABLE, TOO_MANY_UPLOADS.
 */
export const readPaidBody: Stage<UploadCall, UploadCall> = async (call, next) => {
  const { endpoint, door, incoming, room } = call
  if (door.kind !== 'payment' || !endpoint.upstream || !incoming) return next(call)
  return next({ ...call, body: await incoming.collect(maxUploadBytes(door, endpoint.upstream), room) })
}

/** Smaller bodies are read first, like those of our own operations. */
const maxUnverifiedBytes = 100_000
