import { createHash, timingSafeEqual } from 'node:crypto'
import type { Call } from '../core/call.ts'
import type { Holder } from '../core/endpoint.ts'
import { type ErrorCode, faultyField, GatewayError } from '../core/errors.ts'
import { checkIdempotencyKey } from '../core/idempotency-key.ts'
import { keyHeader, signInHeader } from '../core/reserved-headers.ts'
import { readPayment } from '../doors/x402/wire/headers.ts'
import type { Payment, Refusal } from '../doors/x402/wire/types.ts'

/** The caller, as identified by the credentials in the request. */
export type Principal =
  /** @property hasForeignKey the call has an `x-api-key` that is not of our making. */
  | { readonly kind: 'anonymous'; readonly hasForeignKey?: true }
  | Payer
  | Unreadable
  /**
   * The holder of a key or an access token. Its payment is used only when its tier does not cover the call.
   */
  | { readonly kind: 'holder'; readonly holder: Holder; readonly payment: Payer | Unreadable | undefined }
  /** The key or access token is not valid. */
  | { readonly kind: 'refused'; readonly code: ErrorCode }
  | { readonly kind: 'operator' }
  /** The token sent to an operator's endpoint is not the operator's. */
  | { readonly kind: 'notOperator' }

interface Payer {
  readonly kind: 'payer'
  readonly payment: Payment
  readonly idempotencyKey: string | undefined
  /** The header `SIGN-IN-WITH-X`, unread. */
  readonly signIn?: string | undefined
}

/**
 * The payment header cannot be read. The caller learns why, and is not asked to pay as if it had sent none.
 */
interface Unreadable {
  readonly kind: 'unreadable'
  readonly refusal: Refusal
}

/** Verifies keys and access tokens. Both throw QUOTAS_UNAVAILABLE when that is not possible now. */
export interface Credentials {
  readonly key: (text: string) => Promise<Verdict>
  readonly token: (text: string) => Promise<Verdict>
}

type Verdict =
  | { readonly kind: 'holder'; readonly holder: Holder }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/**
 * Finds the principal of a call. Which credentials count depends on the operation: the operator's token pays
 * for nothing, the operator's endpoints ignore keys and payments, and open operations ignore all credentials.
 */
export async function findPrincipal(
  access: Call['operation']['access'],
  header: Call['header'],
  credentials: Credentials,
  operatorToken: string | undefined,
): Promise<Principal> {
  switch (access) {
    case 'operator':
      return findOperator(header, operatorToken)
    case 'open':
      return anonymous
    // A caller who buys a key has no key, or an expired one, so keys are ignored here.
    case 'tier':
    case 'withdrawn':
      return findPayer(header)
    default: {
      const sent = keyOrToken(header)
      if (!sent) {
        const payer = findPayer(header)
        return payer.kind === 'anonymous' && header('x-api-key') ? { ...payer, hasForeignKey: true } : payer
      }
      const verdict = await (sent.isKey ? credentials.key(sent.text) : credentials.token(sent.text))
      if (verdict.kind === 'refused') return verdict
      const payer = findPayer(header)
      return { ...verdict, payment: payer.kind === 'anonymous' ? undefined : payer }
    }
  }
}

const anonymous = { kind: 'anonymous' } as const

/** Tells keys from access tokens: many clients send a key as a bearer token. */
const keyPrefix = 'tgk_'
const bearer = /^Bearer +([\x21-\x7e]+)$/i

/**
 * @throws GatewayError CONFLICTING_CREDENTIALS: a choice between two could use the quota of the wrong one.
 */
function keyOrToken(header: Call['header']): { readonly text: string; readonly isKey: boolean } | undefined {
  // Anthropic's clients send any key as `x-api-key`. A value without our prefix is for the upstream.
  const others = header('x-api-key')?.filter((text) => text.startsWith(keyPrefix)) ?? []
  const keys = [...(header(keyHeader) ?? []), ...others]
  const authorization = header('authorization') ?? []
  const [key, anotherKey] = keys
  if (key !== undefined && anotherKey === undefined && authorization.length === 0) {
    return { text: key, isKey: true }
  }
  if (keys.length === 0 && authorization.length === 0) return undefined
  const sent = new Set([...keys, ...authorization.map((value) => bearer.exec(value)?.[1] ?? '')])
  if (sent.size > 1) throw new GatewayError('CONFLICTING_CREDENTIALS')
  const [text] = sent
  if (text === undefined) return undefined
  return { text, isKey: keys.length > 0 || text.startsWith(keyPrefix) }
}

/**
 * The access token of a request; undefined without one, for a key, and for more than one. A header that holds no token
 * counts as one that is not valid, as it does for a call.
 */
export function tokenOf(header: Call['header']): string | undefined {
  const [sent, another] = header('authorization') ?? []
  if (sent === undefined || another !== undefined) return undefined
  const text = bearer.exec(sent)?.[1] ?? ''
  return text.startsWith(keyPrefix) ? undefined : text
}

/** What a 401 about keys and access tokens asks for (RFC 6750 section 3). */
export function keyChallenge(error?: 'invalid_token' | 'insufficient_scope'): string {
  return `Bearer realm="tollgate"${error ? `, error="${error}"` : ''}`
}

/**
 * Compares hashes in constant time, so that the response time reveals neither the token's length nor its
 * start.
 */
export function findOperator(header: Call['header'], operatorToken: string | undefined): Principal {
  const [credentials, another] = header('authorization') ?? []
  if (credentials === undefined) return anonymous
  const token = bearer.exec(credentials)?.[1]
  const isOperator =
    token !== undefined &&
    another === undefined &&
    operatorToken !== undefined &&
    timingSafeEqual(hash(token), hash(operatorToken))
  return { kind: isOperator ? 'operator' : 'notOperator' }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function findPayer(header: Call['header']): Payer | Unreadable | typeof anonymous {
  const read = readPayment(header)
  switch (read.kind) {
    case 'none':
      return anonymous
    case 'payment':
      return {
        kind: 'payer',
        payment: read.payment,
        idempotencyKey: purchaseKey(header, read.payment.identifier),
        signIn: header(signInHeader)?.[0],
      }
    case 'unreadable':
      return { kind: 'unreadable', refusal: read.refusal }
    case 'conflict':
      throw new GatewayError('CONFLICTING_PAYMENTS')
  }
}

/**
 * The payer's name for this purchase: the Idempotency-Key header or the payment's own identifier. Two
 * different names in one request are refused, because either choice could charge twice.
 */
function purchaseKey(header: Call['header'], identifier: string | undefined): string | undefined {
  const sent = header('idempotency-key') ?? []
  const names = new Set([...sent, ...(identifier === undefined ? [] : [identifier])])
  for (const key of sent) checkIdempotencyKey(key)
  if (names.size > 1) throw faultyField('Idempotency-Key', 'differs from the identifier in the payment')
  return [...names][0]
}

/** The payment of a call at the payment door. */
export function payerOf(principal: Principal): Payer {
  const payer = principal.kind === 'holder' ? principal.payment : principal
  if (payer?.kind !== 'payer') throw new Error('a call without a payment came to the payment door')
  return payer
}
