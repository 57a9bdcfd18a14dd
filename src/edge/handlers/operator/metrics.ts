import { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { text } from '../../../core/reply.ts'
import { operatorOperation } from './fields.ts'

/** What a prom-client registry gives to be read. */
export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

/** GET /metrics for Prometheus, which sends the operator token as its bearer token. */
export function metricsEndpoint(registry: MetricsText): Endpoint {
  return endpointWith({
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    operation: operatorOperation('Counters and gauges in the form Prometheus reads.', 10),
    params: noParams,
    query: noQuery,
    body: noBody,
    response: z.string(),
    handle: async () => text(200, registry.contentType, await registry.metrics()),
  })
}
