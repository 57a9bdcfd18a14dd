import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { Call, WithdrawnOperation } from '../../core/call.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { type Endpoint, noBody } from '../../core/endpoint.ts'
import { GatewayError } from '../../core/errors.ts'
import type { ExplainRequest } from '../../core/explanation.ts'
import { type EndpointMatch, type FindUpstreamRoute, findEndpoint } from '../find-endpoint.ts'
import type { PricedCall } from '../price.ts'
import { pricedAt, requestPrice } from '../pricing/expression-price.ts'
import { findOffer } from '../tier-price.ts'

/** The call that is explained. It is read from the explain request as a real call is read from HTTP. */
export interface PlannedCall extends Pick<Call, 'endpoint' | 'params' | 'target'> {
  readonly operation: Exclude<Call['operation'], WithdrawnOperation>
  readonly query: ParsedUrlQuery
  readonly body: unknown
}

export interface PlanParts {
  readonly endpoints: () => readonly Endpoint[]
  /** Finds the endpoint of a request to an upstream. */
  readonly findUpstreamRoute: FindUpstreamRoute
  readonly catalog: () => Catalog
}

/**
 * Finds the endpoint and operation of the call; undefined for a CORS preflight.
 * @throws GatewayError NOT_FOUND, METHOD_NOT_ALLOWED, VALIDATION_ERROR.
 */
export function planCall(parts: PlanParts, { method, path, body }: ExplainRequest): PlannedCall | undefined {
  const [pathname = '', query = ''] = path.split(/\?(.*)/s)
  const found = findUpstream(parts, method, path) ?? findEndpoint(parts.endpoints(), method, pathname)
  if (found.kind === 'preflight') return undefined
  const { endpoint, params } = found
  const operation = endpoint.operation ?? parts.catalog().operations[endpoint.id]
  if (!operation) throw new GatewayError('NOT_FOUND')
  return { endpoint, operation, params, target: path, query: parse(query), body }
}

/** Upstreams come first, as in `edge/http/routes`. */
function findUpstream(
  { findUpstreamRoute }: PlanParts,
  method: string,
  target: string,
): EndpointMatch | undefined {
  const found = findUpstreamRoute({ method, target, host: undefined })
  return found?.kind === 'routed' ? { ...found, kind: 'endpoint' } : found
}

/** Prices the call as the stage `priceCall` does. */
export async function pricePlanned(
  { endpoint, operation, target, params, query, body }: PlannedCall,
  hasKey: boolean,
): Promise<{
  readonly operation: Exclude<PricedCall['operation'], WithdrawnOperation>
  readonly tier?: string
}> {
  switch (operation.access) {
    case 'tier': {
      const { tier, offer } = await findOffer(endpoint, body, operation)
      return { operation: offer, tier }
    }
    case 'price':
    case 'optional': {
      const price = operation.priced?.expression
      if (!price) return { operation }
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const request = { target, query, params, body: bytes, headers: {} }
      return { operation: pricedAt(operation, requestPrice(price, request), hasKey) }
    }
    default:
      return { operation }
  }
}

/** Checks the input as the stage `validateInput` does. A missing body counts as one that fits. */
export function checkPlanned({ endpoint, params, query, body }: PlannedCall): void {
  if (endpoint.method === 'GET' || endpoint.body === noBody) endpoint.prepare({ params, query })
  else if (body !== undefined) endpoint.prepare({ params, query, body })
}
