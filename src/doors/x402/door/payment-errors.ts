import { GatewayError } from '../../../core/errors.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import { wasStreamed } from '../../ledger/reply-columns.ts'
import type { RateState } from '../../quota/rates/rates.ts'
import type { SignInChallenge } from '../evidence/sign-in.ts'
import { PaymentsUnavailable } from '../wire/facilitator.ts'

/**
 * The errors of the payment door. None of them asks for a new payment while the old one may still be taken.
 */

/** When a caller should come back for a payment with an open outcome. */
const unknownRetrySeconds = 5

/**
 * The chain shows the payment to everybody, and nothing shows that this caller is its payer. The answer is the same
 * for every request, so that it does not tell a stranger which one was paid for.
 */
export function payerUnproven({ id, state, transaction }: PaymentRow, signIn: SignInChallenge): GatewayError {
  const details = { payment: { id, state, transaction }, problem: unproven, sign_in: signIn }
  return new GatewayError('PAYMENT_REPLAYED', details, { hint: howToProve })
}

const unproven =
  'the payment may be read on the chain, so its reply is given only to a caller that proves to be its payer'
const howToProve =
  'To get a lost reply, send that request with the Idempotency-Key or payment-identifier of the purchase (16 characters or more), or with the header SIGN-IN-WITH-X, in which the wallet of the payer has signed details.sign_in.'

/**
 * The payment belongs to another request, or has no stored reply.
 * @param problem what else keeps it from paying for this request.
 */
export function replayed(row: PaymentRow, problem?: string): GatewayError {
  return new GatewayError('PAYMENT_REPLAYED', {
    payment: { id: row.id, state: row.state, transaction: row.transaction },
    ...(problem === undefined ? {} : { problem }),
    ...(wasStreamed(row) ? { reply: 'was streamed: it is given once and not stored' } : {}),
  })
}

/** Another payment of the payer has bought something else under the same key. */
export function keyReused(row: PaymentRow): GatewayError {
  return new GatewayError('IDEMPOTENCY_KEY_REUSED', { payment: { id: row.id, state: row.state } })
}

export function tooManyInFlight(maxInFlight: number): GatewayError {
  const headers = { ...retryAfter, 'x-ratelimit-limit': String(maxInFlight), 'x-ratelimit-remaining': '0' }
  return new GatewayError('TOO_MANY_PAYMENTS', { retry_after_seconds: unknownRetrySeconds }, { headers })
}

/** Too many payments of the payer, or of the client address, are being verified. */
export function tooManyVerifications(cause: unknown): GatewayError {
  const details = { retry_after_seconds: unknownRetrySeconds }
  return new GatewayError('TOO_MANY_PAYMENTS', details, { cause, headers: retryAfter })
}

/**
 * Too many payments were refused.
 * @param limit whose.
 */
export function tooManyRefused(
  limit: 'payer' | 'address',
  { resetMs, limit: most }: RateState,
): GatewayError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new GatewayError(
    'TOO_MANY_REFUSED_PAYMENTS',
    { limit, retry_after_seconds: seconds },
    {
      headers: {
        'retry-after': String(seconds),
        'x-ratelimit-limit': String(most),
        'x-ratelimit-remaining': '0',
      },
    },
  )
}

/** @param waitMs when the payer may begin another run. */
export function tooManyFailures(waitMs: number): GatewayError {
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  return new GatewayError(
    'TOO_MANY_FAILURES',
    { retry_after_seconds: seconds },
    { headers: { 'retry-after': String(seconds) } },
  )
}

export function inProgress(id: string): GatewayError {
  return new GatewayError('PAYMENT_IN_PROGRESS', { payment: { id } }, { headers: retryAfter })
}

export function settlementUnknown(id: string, cause?: unknown): GatewayError {
  return new GatewayError('SETTLEMENT_UNKNOWN', { payment: { id } }, { cause, headers: retryAfter })
}

export function unavailable(cause: unknown): GatewayError {
  const reason = cause instanceof PaymentsUnavailable ? { reason: cause.message } : {}
  return new GatewayError('PAYMENTS_UNAVAILABLE', reason, { cause, headers: retryAfter })
}

export const retryAfter = { 'retry-after': String(unknownRetrySeconds) }
