import { createHash, timingSafeEqual } from 'node:crypto'
import type { Call, Stage } from '../core/call.ts'
import type { Holder } from '../core/endpoint.ts'
import { type ErrorCode, GatewayError } from '../core/errors.ts'
import { checkIdempotencyKey, faultyKey } from '../core/idempotency-key.ts'
import { keyHeader } from '../core/reserved-headers.ts'
import { readPayment } from '../doors/x402/wire/headers.ts'
import type { Payment, Refusal } from '../doors/x402/wire/types.ts'

/** Who calls, by the credentials they sent. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | Payer
  | Unreadable
  /** The holder of a key, or of an access token. A payment that came beside it is touched only where the key opens nothing. */
  | { readonly kind: 'holder'; readonly holder: Holder; readonly payment: Payer | Unreadable | undefined }
  /** Somebody with a key or an access token that is not good. */
  | { readonly kind: 'refused'; readonly code: ErrorCode }
  /** Whoever holds the operator token. */
  | { readonly kind: 'operator' }
  /** Somebody with a token that opens nothing of the operator's. */
  | { readonly kind: 'pretender' }

interface Payer {
  readonly kind: 'payer'
  readonly payment: Payment
  readonly idempotencyKey: string | undefined
}

/** Somebody who tried to pay with something unreadable: told so, instead of being asked to pay as if they had not. */
interface Unreadable {
  readonly kind: 'unreadable'
  readonly refusal: Refusal
}

/** A call whose credentials have been read; its headers stay behind. */
export interface IdentifiedCall extends Omit<Call, 'header'> {
  readonly principal: Principal
  readonly accept: string
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  readonly lastEventId: string | undefined
}

/** The payment of a call that was let to the payment door. */
export function payerOf(principal: Principal): Payer {
  const payer = principal.kind === 'holder' ? principal.payment : principal
  if (payer?.kind !== 'payer') throw new Error('the payment door was chosen for a call without payment')
  return payer
}

/** Finds out who holds a key or a token. Each throws QUOTAS_UNAVAILABLE when that cannot be found out now. */
export interface Credentials {
  readonly key: (text: string) => Promise<Verdict>
  readonly token: (text: string) => Promise<Verdict>
}

type Verdict =
  | { readonly kind: 'holder'; readonly holder: Holder }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/**
 * Reads the credentials once. Nothing below this stage looks at a header, but for the one endpoint that gives
 * out tokens. Which ones count is a matter of the operation: the operator's token buys nothing, a payment or a
 * key sent to the operator's part is not touched, and what is open to everyone asks nobody who they are.
 * @param operatorToken undefined closes the operator's part to everybody.
 */
export function identify(
  credentials: Credentials,
  operatorToken: string | undefined,
): Stage<Call, IdentifiedCall> {
  const principalOf = recognize(credentials, operatorToken)
  return async ({ header, ...call }, next) =>
    next({
      ...call,
      principal: await principalOf(call.operation.access, header),
      accept: header('accept')?.join(', ') ?? '*/*',
      authorization: header('authorization')?.[0],
      idempotencyKey: header('idempotency-key')?.[0],
      lastEventId: header('last-event-id')?.[0],
    })
}

/** The same for a call that nobody makes. @returns what tells the principal by the kind of access and the headers. */
export function recognize(credentials: Credentials, operatorToken: string | undefined) {
  const tokenHash = operatorToken === undefined ? undefined : hash(operatorToken)

  return async (access: Call['operation']['access'], header: Call['header']): Promise<Principal> => {
    switch (access) {
      case 'operator':
        return operatorOf(header, tokenHash)
      case 'open':
        return anonymous
      // Who buys a key has none, or one that has run out.
      case 'tier':
        return readPayer(header)
      default: {
        const sent = keyOrToken(header)
        if (!sent) return readPayer(header)
        const verdict = await (sent.isKey ? credentials.key(sent.text) : credentials.token(sent.text))
        if (verdict.kind === 'refused') return verdict
        const payer = readPayer(header)
        return { ...verdict, payment: payer.kind === 'anonymous' ? undefined : payer }
      }
    }
  }
}

const anonymous = { kind: 'anonymous' } as const

/** A key also stands where other services expect it, as a bearer token. */
const keyPrefix = 'tgk_'
const bearer = /^Bearer +([\x21-\x7e]+)$/i

/** @throws GatewayError CONFLICTING_CREDENTIALS: whichever was taken could be the wrong one's quota. */
function keyOrToken(header: Call['header']): { readonly text: string; readonly isKey: boolean } | undefined {
  // Anthropic's clients send every key as `x-api-key`; what stands there and is none of ours is the upstream's matter.
  const others = header('x-api-key')?.filter((text) => text.startsWith(keyPrefix)) ?? []
  const keys = [...(header(keyHeader) ?? []), ...others]
  const authorization = header('authorization') ?? []
  const [key, anotherKey] = keys
  if (key !== undefined && anotherKey === undefined && authorization.length === 0) {
    return { text: key, isKey: true }
  }
  const sent = new Set([...keys, ...authorization.map((value) => bearer.exec(value)?.[1] ?? '')])
  if (sent.size > 1) throw new GatewayError('CONFLICTING_CREDENTIALS')
  const [text] = sent
  if (text === undefined) return undefined
  return { text, isKey: keys.length > 0 || text.startsWith(keyPrefix) }
}

/** Hashes are compared, in constant time, so that neither the length nor the first letters of a guess are told. */
function operatorOf(header: Call['header'], tokenHash: Buffer | undefined): Principal {
  const [credentials, another] = header('authorization') ?? []
  if (credentials === undefined) return anonymous
  const token = bearer.exec(credentials)?.[1]
  const isOperator =
    token !== undefined &&
    another === undefined &&
    tokenHash !== undefined &&
    timingSafeEqual(hash(token), tokenHash)
  return { kind: isOperator ? 'operator' : 'pretender' }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function readPayer(header: Call['header']): Payer | Unreadable | typeof anonymous {
  const read = readPayment(header)
  switch (read.kind) {
    case 'none':
      return anonymous
    case 'payment':
      return {
        kind: 'payer',
        payment: read.payment,
        idempotencyKey: idempotencyKey(header, read.payment.identifier),
      }
    case 'unreadable':
      return { kind: 'unreadable', refusal: read.refusal }
    case 'conflict':
      throw new GatewayError('CONFLICTING_PAYMENTS')
  }
}

/**
 * What the payer calls this purchase: the Idempotency-Key header or the payment's own identifier. Two
 * different names in one request are refused, because either choice could charge twice.
 */
function idempotencyKey(header: Call['header'], identifier: string | undefined): string | undefined {
  const sent = header('idempotency-key') ?? []
  const names = new Set([...sent, ...(identifier === undefined ? [] : [identifier])])
  for (const key of sent) checkIdempotencyKey(key)
  if (names.size > 1) throw faultyKey('names another purchase than the payment does')
  return [...names][0]
}
