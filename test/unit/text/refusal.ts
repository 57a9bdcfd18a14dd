import { inspect } from 'node:util'
import { GatewayError } from '../../../src/core/errors.ts'

/** The GatewayError a call ends in; anything else fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<GatewayError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof GatewayError) return error
  throw new Error(`expected a GatewayError and got ${inspect(error)}`)
}
