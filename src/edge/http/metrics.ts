import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { CountLimit } from '../../doors/quota/door.ts'
import { type CountDoor, doorOutcomes } from '../../gateway/count-doors.ts'
import type { CountUpstreamError } from '../../proxy/pool/pool.ts'
import { Tally } from './tally.ts'

/**
 * The metrics behind `GET /metrics`. Each gateway has its own registry, so that two gateways in one process
 * do not count for each other.
 */
export interface Metrics {
  /** Other parts register their metrics here. */
  readonly registry: Registry
  /** @param seconds undefined for a reply that took none: no endpoint gave it, or it was in memory. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly countDoor: CountDoor
  readonly countLimit: CountLimit
  /** @param kind what was wrong: no connection, no reply in time, a broken reply, or a status from 500 on. */
  readonly countUpstreamError: CountUpstreamError
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Tally(registry, {
    name: 'tollgate_http_requests_total',
    help: 'Answered requests by operation and HTTP status; operation none is a path without an endpoint.',
    labelNames: ['operation', 'status'],
  })
  const durations = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    // From a 402, which takes less than a millisecond, to an article that a model writes.
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  })
  const doorCalls = new Tally(registry, {
    name: 'tollgate_door_calls_total',
    help: 'Calls by the door that they took and how they ended: served, refused (4xx), failed (5xx), or left by the caller.',
    labelNames: ['door', 'outcome'],
  })
  const limits = new Tally(registry, {
    name: 'tollgate_quota_refusals_total',
    help: 'Calls refused because a limit was reached, by door and limit. A call may reach several.',
    labelNames: ['door', 'limit'],
  })
  const upstreamErrors = new Tally(registry, {
    name: 'tollgate_upstream_errors_total',
    help: 'Attempts that an upstream failed, by upstream and kind; status is a reply of 500 or more.',
    labelNames: ['upstream', 'kind'],
  })
  // A rate needs a value before the first event.
  for (const door of ['open', 'free', 'key', 'payment'] as const) {
    for (const outcome of doorOutcomes) doorCalls.add(door, outcome, 0)
  }
  for (const door of ['free', 'key'] as const) {
    for (const limit of ['rate', 'day', 'month'] as const) limits.add(door, limit, 0)
  }
  return {
    registry,
    countDoor: (door, outcome) => doorCalls.add(door, outcome),
    countLimit: (door, limit) => limits.add(door, limit),
    countUpstreamError: (upstream, kind) => upstreamErrors.add(upstream, kind),
    countCall(operation, status, seconds) {
      calls.add(operation, status)
      if (seconds !== undefined) durations.observe({ operation }, seconds)
    },
  }
}
