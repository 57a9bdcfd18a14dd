import type { Stage } from '../core/call.ts'
import { type Catalog, findTier, type Operation, type Tier } from '../core/catalog/catalog.ts'
import type { PricedOperation } from '../core/catalog/priced-operation.ts'
import type { Holder, OperatorOperation } from '../core/endpoint.ts'
import { type ErrorCode, type ErrorDetails, GatewayError } from '../core/errors.ts'
import { listed } from '../core/problems.ts'
import { unavailable } from '../doors/x402/door/payment-errors.ts'
import type { Recall } from '../doors/x402/door/recall.ts'
import type { RefusedPayments } from '../doors/x402/door/refused-payments.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import { PaymentsUnavailable } from '../doors/x402/wire/facilitator.ts'
import type { Remark } from '../doors/x402/wire/payment-required.ts'
import type { HeldCall } from './bodies/hold-bodies.ts'
import { clientOf } from './client-address.ts'
import type { PricedCall } from './price.ts'
import { keyChallenge, type Principal } from './principal.ts'

/** The way that a call takes through the gateway. */
export type Door =
  /** Nothing is counted and nothing is charged. */
  | { readonly kind: 'open' }
  /** Counted against the free quota of the client's address. */
  | { readonly kind: 'free'; readonly operation: FreeOperation }
  /** Counted against the allowances of the key's tier. */
  | { readonly kind: 'key'; readonly holder: Holder; readonly tier: Tier }
  | { readonly kind: 'payment'; readonly operation: PricedOperation }
  /** Answered with a 402: the price, and what is wrong with an unreadable payment. */
  | {
      readonly kind: 'challenge'
      readonly operation: PricedOperation
      /** Why the key that came with the call does not open it. */
      readonly remark?: Remark
    }
  | {
      readonly kind: 'refuse'
      readonly code: ErrorCode
      readonly details: ErrorDetails
      readonly hint?: string | undefined
      /** The WWW-Authenticate header. */
      readonly challenge: string | undefined
    }

type FreeOperation = Operation & { access: 'optional' }

/**
 * The part of a principal that the decision needs, so that `explain` can decide for a call that is not made.
 */
export type Caller =
  | { readonly kind: Exclude<Principal['kind'], 'holder' | 'refused'>; readonly hasForeignKey?: true }
  | {
      readonly kind: 'holder'
      readonly holder: Holder
      readonly payment: { readonly kind: 'payer' | 'unreadable' } | undefined
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/**
 * Chooses the door of a call from the operation, the caller and the tiers only, so that a test can list every
 * case. An invalid key is refused, even beside a payment: a caller who sends a key does not expect to be
 * charged. A valid key is used if its tier covers the operation, otherwise a payment beside it. Next comes a
 * payment without a key, then the free quota.
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
  const { kind, hasForeignKey } = caller
  if (priced && (kind === 'payer' || kind === 'unreadable')) return paymentDoor(priced, kind)
  switch (operation.access) {
    case 'optional':
      return { kind: 'free', operation }
    case 'price':
      return {
        kind: 'challenge',
        operation: operation.priced,
        ...(hasForeignKey && { remark: { hint: foreignKey } }),
      }
    case 'key':
    case 'holder':
      return {
        ...refuse('API_KEY_REQUIRED', {}, keyChallenge()),
        ...(hasForeignKey && { hint: foreignKey }),
      }
    case 'tier':
      throw new Error('the price of a tier must be known before the door is chosen')
  }
}

const open = { kind: 'open' } as const

/** Anthropic's clients cannot go without the header, so a wallet's call has it as well, and is not refused for it. */
const foreignKey =
  'The x-api-key of this request was ignored: it is none of this gateway’s keys, which begin with tgk_ and may be sent there, too.'

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
  if (priced && payment) return paymentDoor(priced, payment.kind)
  const covering = Object.entries(tiers).flatMap(([name, { operations }]) => (operations[id] ? [name] : []))
  if (priced) return { kind: 'challenge', operation: priced, remark: notCovered(holder.tier, covering) }
  return refuse('TIER_INSUFFICIENT', { tier: holder.tier, tiers: covering }, undefined)
}

function notCovered(tier: string, tiers: readonly string[]): Remark {
  const others = tiers.length === 0 ? '' : ` A key of another tier does: ${listed(tiers)}.`
  return {
    hint: `The tier of this key, ${tier}, does not cover the operation, so the call has to be paid for.${others}`,
    details: { tier, tiers },
  }
}

function paymentDoor(operation: PricedOperation, kind: 'payer' | 'unreadable'): Door {
  return { kind: kind === 'payer' ? 'payment' : 'challenge', operation }
}

/** As RFC 6750 section 3 asks, the challenge names no error for a client that sent no token. */
function operatorDoor({ kind }: Caller): Door {
  if (kind === 'operator') return open
  const realm = 'Bearer realm="operator"'
  return kind === 'notOperator'
    ? refuse('OPERATOR_TOKEN_INVALID', {}, `${realm}, error="invalid_token"`)
    : refuse('OPERATOR_TOKEN_REQUIRED', {}, realm)
}

function refuse(code: ErrorCode, details: ErrorDetails, challenge: string | undefined): Door {
  return { kind: 'refuse', code, details, challenge }
}

/** A call whose door is chosen. */
export interface DecidedCall extends HeldCall {
  readonly door: Exclude<Door, { kind: 'challenge' | 'refuse' }>
}

export interface PolicyParts {
  readonly catalog: () => Catalog
  /** Our own address, without a trailing slash. */
  readonly baseUrl: string
  readonly challenges: Challenges
  /** Counts unreadable payments, by client address. */
  readonly refused: Pick<RefusedPayments, 'countUnreadable'>
  readonly recall: Recall
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
}

/**
 * The stage that chooses the door, or replies with an error or the price. An unpaid call gets its 402 before
 * its body is read, so it costs us almost nothing. While payments cannot be taken, it gets a 503 instead of a
 * 402.
 */
export function applyPolicy(parts: PolicyParts): Stage<PricedCall, DecidedCall> {
  const { challenges, refused, whyNotReady } = parts
  return async (call, next) => {
    const { principal } = call
    const door = await doorOf(call, parts)
    if (door.kind === 'refuse') {
      const { code, details, hint } = door
      const headers = headersOf(door.challenge, call, parts.baseUrl)
      throw new GatewayError(code, details, { headers, ...(hint === undefined ? {} : { hint }) })
    }
    // A call with a payment goes on even while no payment can be taken: its reply may be stored, which needs
    // no chain.
    if (door.kind !== 'challenge') return next({ ...call, door })
    const reason = whyNotReady()
    if (reason) throw unavailable(new PaymentsUnavailable(reason))
    const payment = principal.kind === 'holder' ? principal.payment : principal
    if (payment?.kind !== 'unreadable') return challenges.unpaid(call, door.operation, door.remark)
    await refused.countUnreadable(clientOf(call.client()))
    return challenges.refused(call, door.operation, payment.refusal)
  }
}

/**
 * The headers of a refusal. A client that has no key, or a bad one, finds out there how to get an access token (RFC 9728
 * section 5.1) and where everything is described (RFC 9727). Both documents are about our own address: neither speaks of
 * the operator's token, nor of what is for sale at the address of the payments. A tool's MCP server has metadata of its own.
 */
function headersOf(
  challenge: string | undefined,
  { operation: { access, priced }, tokenMetadata }: Pick<PricedCall, 'operation' | 'tokenMetadata'>,
  baseUrl: string,
): Readonly<Record<string, string>> {
  if (challenge === undefined) return {}
  if (tokenMetadata !== undefined)
    return { 'www-authenticate': `${challenge}, resource_metadata="${tokenMetadata}"` }
  if (access === 'operator' || priced !== undefined) return { 'www-authenticate': challenge }
  return {
    'www-authenticate': `${challenge}, resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`,
    link: `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
  }
}

/**
 * Chooses the door. Where the operation is not for sale any more, a payment that has bought it before still leads to
 * the payment door, which has its reply or serves what is owed.
 */
async function doorOf(
  { endpoint, operation, principal }: PricedCall,
  { catalog, recall }: PolicyParts,
): Promise<Door> {
  const recalled = async (): Promise<Door | undefined> => {
    const payer = principal.kind === 'holder' ? principal.payment : principal
    if (payer?.kind !== 'payer') return undefined
    const bought = await recall(payer, endpoint, operation.deadlineSeconds)
    return bought && { kind: 'payment', operation: bought }
  }
  if (operation.access === 'withdrawn') {
    const door = await recalled()
    if (!door) throw operation.refusal
    return door
  }
  const door = decide(endpoint.id, operation, principal, catalog().tiers)
  return door.kind === 'refuse' || door.kind === 'free' ? ((await recalled()) ?? door) : door
}
