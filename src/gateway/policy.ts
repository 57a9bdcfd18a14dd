import type { Stage } from '../core/call.ts'
import { type Catalog, findTier, type Operation, type Tier } from '../core/catalog/catalog.ts'
import type { PricedOperation } from '../core/catalog/priced-operation.ts'
import type { Holder, OperatorOperation } from '../core/endpoint.ts'
import { type ErrorCode, type ErrorDetails, GatewayError } from '../core/errors.ts'
import { unavailable } from '../doors/x402/door/payment-errors.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import { PaymentsUnavailable } from '../doors/x402/wire/facilitator.ts'
import type { IdentifiedCall, Principal } from './identify.ts'
import type { PricedCall } from './tier-price.ts'

/** How a call may pass. */
export type Door =
  /** Nothing is counted and nothing is charged. */
  | { readonly kind: 'open' }
  /** Counted against the free quota of the client's address. */
  | { readonly kind: 'free'; readonly operation: FreeOperation }
  /** Counted against what the tier of the key has. */
  | { readonly kind: 'key'; readonly holder: Holder; readonly tier: Tier }
  | { readonly kind: 'payment'; readonly operation: PricedOperation }
  /** It may not pass yet: it is told the price, and why its payment was no good if it sent one. */
  | { readonly kind: 'challenge'; readonly operation: PricedOperation }
  | {
      readonly kind: 'refuse'
      readonly code: ErrorCode
      readonly details: ErrorDetails
      /** For WWW-Authenticate. */
      readonly challenge: string | undefined
    }

type FreeOperation = Operation & { access: 'optional' }

/** As much of a principal as the decision needs, so that a call can be thought through without being made. */
export type Caller =
  | { readonly kind: Exclude<Principal['kind'], 'holder' | 'refused'> }
  | {
      readonly kind: 'holder'
      readonly holder: Holder
      readonly payment: { readonly kind: 'payer' | 'unreadable' } | undefined
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/**
 * Decides by what is called, who calls and what the tiers are, and by nothing else, so that every case can be
 * laid out in a table. A good key decides, and a payment beside it is tried only where the key opens nothing; a
 * wrong key is refused, whatever came with it, because to charge somebody who believes to have a key is no
 * answer. A payment is next, and the free quota is for whoever brings neither.
 * @param id of the operation, as the tiers name it.
 */
export function decide(
  id: string,
  operation: Operation | OperatorOperation,
  caller: Caller,
  tiers: Catalog['tiers'],
): Door {
  if (operation.access === 'open') return open
  if (operation.access === 'operator') return operatorDoor(caller)
  if (caller.kind === 'refused') return refuse(caller.code, {}, keyChallenge('invalid_token'))
  if (caller.kind === 'holder') return holderDoor(id, operation, caller, tiers)

  const { priced } = operation
  const { kind } = caller
  if (priced && (kind === 'payer' || kind === 'unreadable')) return paymentDoor(priced, kind)
  switch (operation.access) {
    case 'optional':
      return { kind: 'free', operation }
    case 'price':
      return { kind: 'challenge', operation: operation.priced }
    case 'key':
    case 'holder':
      return refuse('API_KEY_REQUIRED', {}, keyChallenge())
    case 'tier':
      throw new Error('the price of a tier has to be found before a door')
  }
}

const open = { kind: 'open' } as const

function holderDoor(
  id: string,
  operation: Operation,
  { holder, payment }: Caller & { kind: 'holder' },
  tiers: Catalog['tiers'],
): Door {
  if (operation.access === 'holder') return open
  if (holder.scopes && !holder.scopes.includes(id)) {
    return refuse('SCOPE_INSUFFICIENT', { scope: id }, `${keyChallenge('insufficient_scope')}, scope="${id}"`)
  }
  const tier = findTier(tiers, holder.tier)
  if (tier?.operations[id]) return { kind: 'key', holder, tier }
  const { priced } = operation
  if (priced) return payment ? paymentDoor(priced, payment.kind) : { kind: 'challenge', operation: priced }
  const covering = Object.entries(tiers).flatMap(([name, { operations }]) => (operations[id] ? [name] : []))
  return refuse('TIER_INSUFFICIENT', { tier: holder.tier, tiers: covering }, undefined)
}

function paymentDoor(operation: PricedOperation, kind: 'payer' | 'unreadable'): Door {
  return { kind: kind === 'payer' ? 'payment' : 'challenge', operation }
}

/** The words of RFC 6750, section 3: a client that sent no token is not told of an error. */
function operatorDoor({ kind }: Caller): Door {
  if (kind === 'operator') return open
  const realm = 'Bearer realm="operator"'
  return kind === 'pretender'
    ? refuse('OPERATOR_TOKEN_INVALID', {}, `${realm}, error="invalid_token"`)
    : refuse('OPERATOR_TOKEN_REQUIRED', {}, realm)
}

function keyChallenge(error?: 'invalid_token' | 'insufficient_scope'): string {
  return `Bearer realm="tollgate"${error ? `, error="${error}"` : ''}`
}

function refuse(code: ErrorCode, details: ErrorDetails, challenge: string | undefined): Door {
  return { kind: 'refuse', code, details, challenge }
}

/** A call that may go on, through this door. */
export interface DecidedCall extends IdentifiedCall {
  readonly door: Exclude<Door, { kind: 'challenge' | 'refuse' }>
}

interface PolicyParts {
  readonly catalog: () => Catalog
  readonly challenges: Challenges
  /** The reason when payments cannot be taken at the moment. */
  readonly whyNotReady: () => string | undefined
}

/**
 * Sends a call to its door, or answers it with the price before its body is read: a probe costs next
 * to nothing. When payments cannot be taken nobody is asked for one.
 */
export function applyPolicy({
  catalog,
  challenges,
  whyNotReady,
}: PolicyParts): Stage<PricedCall, DecidedCall> {
  return (call, next) => {
    const { endpoint, principal } = call
    const door = decide(endpoint.id, call.operation, principal, catalog().tiers)
    if (door.kind === 'refuse') {
      const headers = door.challenge === undefined ? {} : { 'www-authenticate': door.challenge }
      throw new GatewayError(door.code, door.details, { headers })
    }
    // A payment goes on even while none can be taken: it may be known, and its stored reply needs no chain.
    if (door.kind !== 'challenge') return next({ ...call, door })
    const reason = whyNotReady()
    if (reason) throw unavailable(new PaymentsUnavailable(reason))
    const payment = principal.kind === 'holder' ? principal.payment : principal
    return Promise.resolve(
      payment?.kind === 'unreadable'
        ? challenges.refused(endpoint, door.operation, payment.refusal)
        : challenges.unpaid(endpoint, door.operation),
    )
  }
}
