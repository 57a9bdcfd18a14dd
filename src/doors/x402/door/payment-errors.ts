import { GatewayError } from '../../../core/errors.ts'
import type { PaymentRow } from '../../../platform/store/rows/payments.ts'
import type { RateState } from '../../quota/rates/rates.ts'
import { PaymentsUnavailable } from '../wire/facilitator.ts'

/**
 * The errors of the payment door. None of them asks for a new payment while the old one may still be taken.
 */

/** When a caller should come back for a payment with an open outcome. */
const unknownRetrySeconds = 5

type NamedPayment = Pick<PaymentRow, 'id' | 'state'>

/** Another payment of the payer has bought something else under the same key. */
export function keyReused({ id, state }: NamedPayment): GatewayError {
  return new GatewayError('IDEMPOTENCY_KEY_REUSED', { payment: { id, state } })
}

/** A payment with this key has bought a stream, which was delivered, and its money is asked for again. */
export function streamUnpaid({ id, state }: NamedPayment): GatewayError {
  return new GatewayError('IDEMPOTENCY_KEY_REUSED', { payment: { id, state } }, { hint: howToPayForStream })
}

const howToPayForStream =
  'The reply of that purchase was delivered, and its transfer failed: put the amount into the wallet and approve it for Permit2, and it is taken by itself while the authorization is valid.'

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

/**
 * Waits for the store or the chain.
 * @throws GatewayError PAYMENTS_UNAVAILABLE when it does not reply.
 */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw unavailable(cause)
  }
}

export const retryAfter = { 'retry-after': String(unknownRetrySeconds) }
