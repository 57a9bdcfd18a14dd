import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/**
 * The metrics behind `GET /metrics`. Each gateway has its own registry, so that two gateways in one process
 * do not count for each other.
 */
export interface Metrics {
  /** Other parts register their metrics here. */
  readonly registry: Registry
  /** @param seconds undefined for a reply that no endpoint gave. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'tollgate_http_requests_total',
    help: 'Answered requests by operation and HTTP status; operation none is a path without an endpoint.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    // From a 402, which takes less than a millisecond, to an article that a model writes.
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  })
  return {
    registry,
    countCall(operation, status, seconds) {
      calls.inc({ operation, status })
      if (seconds !== undefined) durations.observe({ operation }, seconds)
    },
  }
}
