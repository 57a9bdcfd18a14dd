import { type ErrorCode, errorKind } from '../../../core/errors.ts'
import { isForSale, type Served } from '../site.ts'

/**
 * Lists every error that a call of an operation can end with: those of its own, and those of the stages that a call
 * passes before its handler. A status that the description leaves out would be a surprise to a generated client.
 */
export function refusalsOf({ endpoint, operation }: Served): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...(takesInput(endpoint) ? faultyInput : []),
    ...(hasBody(endpoint) ? faultyBody : []),
    ...(operation.access === 'open' ? [] : credentials),
    ...(operation.access === 'key' || operation.access === 'holder' ? needsKey : []),
    ...(operation.access === 'open' || operation.access === 'holder' ? [] : limits),
    ...(isForSale(operation) ? payments : []),
    ...(endpoint.upstream ? upstreams : []),
    ...(endpoint.docs?.errors ?? []),
    ...always,
  ])
  return Map.groupBy(codes, (code) => errorKind(code).status)
}

export function hasBody({ method }: Pick<Served['endpoint'], 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE' && method !== 'HEAD'
}

/** Also an endpoint without parameters refuses those that it does not know. */
function takesInput({ upstream }: Served['endpoint']): boolean {
  return upstream === undefined
}

const always: readonly ErrorCode[] = ['INTERNAL', 'DEADLINE_EXCEEDED']
const faultyInput: readonly ErrorCode[] = ['VALIDATION_ERROR']
const faultyBody: readonly ErrorCode[] = [
  'MALFORMED_JSON',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'TOO_MANY_UPLOADS',
  'UPLOADS_UNAVAILABLE',
]
const credentials: readonly ErrorCode[] = [
  'CONFLICTING_CREDENTIALS',
  'API_KEY_MALFORMED',
  'API_KEY_UNKNOWN',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'QUOTAS_UNAVAILABLE',
]
const needsKey: readonly ErrorCode[] = ['API_KEY_REQUIRED']
const limits: readonly ErrorCode[] = ['RATE_LIMIT', 'TIER_INSUFFICIENT', 'SCOPE_INSUFFICIENT']
const payments: readonly ErrorCode[] = [
  'PAYMENT_REQUIRED',
  'PAYMENT_INVALID',
  'PAYMENT_FAILED',
  'CONFLICTING_PAYMENTS',
  'PAYMENT_REPLAYED',
  'PAYMENT_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_PAYMENTS',
  'TOO_MANY_REFUSED_PAYMENTS',
  'TOO_MANY_FAILURES',
  'PAID_NOT_SERVED',
  'PAYMENTS_UNAVAILABLE',
  'SETTLEMENT_UNKNOWN',
]
const upstreams: readonly ErrorCode[] = ['UPSTREAM_FAILED', 'UPSTREAM_UNREACHABLE', 'UPSTREAM_TIMEOUT']
