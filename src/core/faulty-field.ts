import { GatewayError } from './errors.ts'

/** A request whose fault lies in one place. @param field as its sender names it: a field, a header, `body`. */
export function faultyField(field: string, problem: string, cause?: unknown): GatewayError {
  return new GatewayError(
    'VALIDATION_ERROR',
    { issues: [{ field, problem }] },
    cause === undefined ? {} : { cause },
  )
}
