import { faultyField } from './errors.ts'

/**
 * @throws GatewayError VALIDATION_ERROR for a malformed key, which no later call could send again to find
 *   this one.
 */
export function checkIdempotencyKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw faultyField('Idempotency-Key', 'must be one key of 1 to 255 printable ASCII characters')
}
