import type { EventType } from '../../../platform/store/outbox.ts'

/**
 * What subscribers receive: the specification's body (part 6), and `type` beside `event`, because receivers that
 * follow Standard Webhooks look there.
 */

/** The one further event: a delivery that the owner of a subscription asks for, to try the receiver. */
export const testEvent = 'webhook.test'

export interface Payload {
  readonly type: string
  readonly event: string
  /** When it happened, ISO 8601. The time of a delivery is in its header. */
  readonly timestamp: string
  readonly data: unknown
}

export function payloadOf(type: string, at: Date, data: unknown): Payload {
  return { type, event: type, timestamp: at.toISOString(), data }
}

/** What happened, and to whom it is told, as the documentation shows it. */
interface DescribedEvent {
  readonly event: string
  readonly meaning: string
  readonly payload: Payload
}

const exampleTime = new Date(Date.UTC(2026, 4, 1, 12))
const scan = { scan_id: '5b0f6f5e-7a39-4a53-9d70-0f6f3b1f2a11', domain: 'example.com' }

/** The `data` of each event. */
const described: Readonly<Record<EventType | typeof testEvent, { meaning: string; data: object }>> = {
  'scan.started': {
    meaning: 'A scan began: its first page is being fetched.',
    data: { ...scan, status: 'fetching', scan_type: 'basic' },
  },
  'scan.completed': {
    meaning: 'A scan finished, and its results can be read.',
    data: { ...scan, status: 'complete', scores: { readiness: 61, aeo: 48 } },
  },
  'scan.failed': {
    meaning: 'A scan ended without results. error says why, and what to do.',
    data: {
      ...scan,
      status: 'error',
      error: { code: 'SITE_UNREACHABLE', message: 'The server accepts no connection.' },
    },
  },
  'directory.updated': {
    meaning: 'A listing of the public directory was created, updated or removed: change says which.',
    data: { slug: 'example-com', domain: 'example.com', businessName: 'Example', change: 'updated' },
  },
  'insights.updated': {
    meaning:
      'The results of a scan became part of what analytics and search answer. scope is public, or key for a scan that only your key sees.',
    data: { scope: 'public', cause: 'scan.completed', ...scan, affects: ['analytics', 'search'] },
  },
  'analytics.weekly': {
    meaning:
      'The numbers of the public scans of the last whole week, Monday to Sunday in UTC. Sent on Mondays.',
    data: {
      week: { from: '2026-04-20', to: '2026-04-26' },
      totalScans: 120,
      averageReadinessScore: 57.3,
      averageAeoScore: 44.1,
      topOpportunityCategories: ['communication', 'data'],
      scansByStatus: { pending: 0, fetching: 0, analyzing: 0, complete: 117, error: 3 },
    },
  },
  [testEvent]: {
    meaning: 'Sent only when you ask for it, to try your receiver. It cannot be subscribed to.',
    data: { subscription_id: '0f5a2c1e-6a55-4c39-8a86-6b1a4f1d9c02', message: 'This is a test delivery.' },
  },
}

/** Every event with an example of its payload, in the order of the specification. */
export function describeEvents(): readonly DescribedEvent[] {
  return Object.entries(described).map(([event, { meaning, data }]) => ({
    event,
    meaning,
    payload: payloadOf(event, exampleTime, data),
  }))
}
