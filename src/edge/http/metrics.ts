import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/**
 * What the gateway tells about itself at `GET /metrics`, in the form Prometheus reads. Each gateway has a
 * registry of its own, so that two in one process do not count for each other.
 */
export interface Metrics {
  /** Others add theirs here. */
  readonly registry: Registry
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
    // From a price told out of memory to an article that a model writes.
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  })
  // Finding a label's counter takes longer than to count, and a price is told in 50 µs.
  const counters = new Map<string, Counter.Internal>()
  const timers = new Map<string, Histogram.Internal<'operation'>>()
  return {
    registry,
    countCall(operation, status, seconds) {
      const key = `${operation} ${status}`
      const counter = counters.get(key) ?? calls.labels({ operation, status })
      counters.set(key, counter)
      counter.inc()
      if (seconds === undefined) return
      const timer = timers.get(operation) ?? durations.labels({ operation })
      timers.set(operation, timer)
      timer.observe(seconds)
    },
  }
}
