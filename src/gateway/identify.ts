import { createHash, timingSafeEqual } from 'node:crypto'
import type { Call, Stage } from '../core/call.ts'
import { GatewayError } from '../core/errors.ts'
import { readPayment } from '../x402/headers.ts'
import type { Payment, Refusal } from '../x402/types.ts'

/** Who calls, by the credentials they sent. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'payer'; readonly payment: Payment; readonly idempotencyKey: string | undefined }
  /** Somebody who tried to pay with something unreadable: told so, instead of being asked to pay as if they had not. */
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }
  /** Whoever holds the operator token. */
  | { readonly kind: 'operator' }
  /** Somebody with a token that opens nothing here. */
  | { readonly kind: 'pretender' }

/** A call whose credentials have been read; its headers stay behind. */
export interface IdentifiedCall extends Omit<Call, 'header'> {
  readonly principal: Principal
  readonly accept: string
}

/**
 * Reads the credentials once. Nothing below this stage looks at a header. Which ones count is a matter of
 * the operation: a token never buys anything, and a payment sent to the operator's part is not touched.
 * @param operatorToken undefined closes the operator's part to everybody.
 */
export function identify(operatorToken: string | undefined): Stage<Call, IdentifiedCall> {
  const tokenHash = operatorToken === undefined ? undefined : hash(operatorToken)

  return ({ header, ...call }, next) => {
    const principal =
      call.operation.access === 'operator' ? tokenBearer(header, tokenHash) : principalOf(header)
    return next({ ...call, principal, accept: header('accept')?.join(', ') ?? '*/*' })
  }
}

/** Hashes are compared, in constant time, so that neither the length nor the first letters of a guess are told. */
function tokenBearer(header: Call['header'], tokenHash: Buffer | undefined): Principal {
  const [credentials, another] = header('authorization') ?? []
  if (credentials === undefined) return { kind: 'anonymous' }
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(credentials)?.[1]
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

function principalOf(header: Call['header']): Principal {
  const read = readPayment(header)
  switch (read.kind) {
    case 'none':
      return { kind: 'anonymous' }
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
  const problem = 'must be one key of 1 to 255 printable ASCII characters'
  const names = new Set([...sent, ...(identifier === undefined ? [] : [identifier])])
  if (sent.some((key) => !/^[\x21-\x7e]{1,255}$/.test(key))) throw faultyKey(problem)
  if (names.size > 1) throw faultyKey('names another purchase than the payment does')
  return [...names][0]
}

function faultyKey(problem: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', { issues: [{ field: 'Idempotency-Key', problem }] })
}
