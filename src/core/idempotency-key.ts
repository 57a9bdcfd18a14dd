import type { GatewayError } from './errors.ts'
import { faultyField } from './faulty-field.ts'

/** @throws GatewayError VALIDATION_ERROR when it is no name for a call: a faulty one that was taken would name no later call. */
export function checkIdempotencyKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw faultyKey('must be one key of 1 to 255 printable ASCII characters')
}

export function faultyKey(problem: string): GatewayError {
  return faultyField('Idempotency-Key', problem)
}
