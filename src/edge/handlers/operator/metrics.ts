import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { text } from '../../../core/reply.ts'
import { operatorOperation } from './fields.ts'

/** The part of a prom-client registry that reads it. */
export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

/** GET /metrics for Prometheus, which sends the operator token as its bearer token. */
export const metricsRows = {
  getMetrics: {
    ...noInput,
    method: 'GET',
    path: '/metrics',
    operation: operatorOperation('Counters and gauges in the form Prometheus reads.', 10),
    response: z.string(),
  },
} satisfies EndpointRows

export function metricsHandlers(registry: MetricsText): Handlers<typeof metricsRows> {
  return { getMetrics: async () => text(200, registry.contentType, await registry.metrics()) }
}
