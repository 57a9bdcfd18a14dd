import type { OperatorOperation, Reply, Stage } from '../core/call.ts'
import type { Operation, PricedOperation } from '../core/catalog.ts'
import { type ErrorCode, GatewayError } from '../core/errors.ts'
import type { Challenges } from '../x402/challenge.ts'
import { PaymentsUnavailable } from '../x402/facilitator.ts'
import { unavailable } from '../x402/payment-errors.ts'
import type { Payment, Refusal } from '../x402/types.ts'
import type { IdentifiedCall, Principal } from './identify.ts'

/** How a call may pass. */
export type Door =
  /** Nothing is counted and nothing is charged. */
  | { readonly kind: 'open' }
  | {
      readonly kind: 'payment'
      readonly operation: PricedOperation
      readonly payment: Payment
      readonly idempotencyKey: string | undefined
    }
  /** It may not pass yet: it is told the price, and why its payment was no good if it sent one. */
  | { readonly kind: 'challenge'; readonly operation: PricedOperation; readonly refusal: Refusal | undefined }
  | { readonly kind: 'refuse'; readonly code: ErrorCode; readonly challenge: string }

/** Decides by the operation and the principal alone, so that every case can be laid out in a table. */
export function decide(operation: Operation | OperatorOperation, principal: Principal): Door {
  if (operation.access === 'open') return { kind: 'open' }
  if (operation.access === 'operator') return operatorDoor(principal)
  switch (principal.kind) {
    case 'anonymous':
    // A token buys nothing.
    case 'operator':
    case 'pretender':
      return { kind: 'challenge', operation, refusal: undefined }
    case 'unreadable':
      return { kind: 'challenge', operation, refusal: principal.refusal }
    case 'payer':
      return {
        kind: 'payment',
        operation,
        payment: principal.payment,
        idempotencyKey: principal.idempotencyKey,
      }
  }
}

/** The words of RFC 6750, section 3: a client that sent no token is not told of an error. */
function operatorDoor({ kind }: Principal): Door {
  if (kind === 'operator') return { kind: 'open' }
  const realm = 'Bearer realm="operator"'
  return kind === 'pretender'
    ? { kind: 'refuse', code: 'OPERATOR_TOKEN_INVALID', challenge: `${realm}, error="invalid_token"` }
    : { kind: 'refuse', code: 'OPERATOR_TOKEN_REQUIRED', challenge: realm }
}

/** A call that may go on, through this door. */
export interface DecidedCall extends IdentifiedCall {
  readonly door: Exclude<Door, { kind: 'challenge' | 'refuse' }>
}

/**
 * Sends a call to its door, or answers it with the price before its body is read: a probe costs next
 * to nothing. When payments cannot be taken nobody is asked for one.
 * @param whyNotReady the reason when payments cannot be taken at the moment.
 */
export function applyPolicy(
  challenges: Challenges,
  whyNotReady: () => string | undefined,
): Stage<IdentifiedCall, DecidedCall> {
  return async (call, next): Promise<Reply> => {
    const door = decide(call.operation, call.principal)
    if (door.kind === 'refuse') {
      throw new GatewayError(door.code, {}, { headers: { 'www-authenticate': door.challenge } })
    }
    // A payment goes on even while none can be taken: it may be known, and its stored reply needs no chain.
    if (door.kind !== 'challenge') return next({ ...call, door })
    const reason = whyNotReady()
    if (reason) throw unavailable(new PaymentsUnavailable(reason))
    return door.refusal
      ? challenges.refused(call.endpoint, door.operation, door.refusal)
      : challenges.unpaid(call.endpoint, door.operation)
  }
}
