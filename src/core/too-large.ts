import { GatewayError } from './errors.ts'

/** A body beyond its limit. The connection ends with the answer: what is left of the body would have to be read first. */
export function tooLarge(maxBytes: number, cause?: unknown): GatewayError {
  return new GatewayError(
    'PAYLOAD_TOO_LARGE',
    { max_bytes: maxBytes },
    { ...(cause === undefined ? {} : { cause }), headers: { connection: 'close' } },
  )
}
