import type { PresetName } from '../../core/catalog/presets.ts'
import { type Endpoint, noInput } from '../../core/endpoint.ts'
import { GatewayError } from '../../core/errors.ts'

/** The largest body of a request for what an upstream's operation has sold. */
const maxRequestBytes = 10_000_000

/**
 * In place of an endpoint that an upstream served until its operation left the catalog. It compares a request with the
 * one that was paid for, byte for byte, and can serve none: an owed call fails, and its error says how to a refund.
 */
export function goneEndpoint(method: string, path: string, errorForm: PresetName | undefined): Endpoint {
  return {
    ...noInput,
    id: 'none',
    method,
    path,
    upstream: { name: 'none', host: undefined, maxRequestBytes, errorForm },
    response: noInput.body,
    prepare: () => () => Promise.reject(new GatewayError('NOT_FOUND')),
  }
}
