import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import { followScan, type ScanEvent } from '../../../products/scan/scans/scan-events.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { encodeEvents, eventStream } from './event-stream.ts'
import { namedScan, orScansUnavailable, scanParams } from './view.ts'

/**
 * GET /api/insights/scan/{scanId}/stream (specification 4.12): each step of a scan as a server-sent event.
 * Events are numbered from 1, so a caller whose connection broke goes on after the last one it has seen, at
 * any replica. The stream ends after the last event.
 */
export const streamRows = {
  stream: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scan/{scanId}/stream',
    params: scanParams,
    response: z.string().describe('text/event-stream: events `status` with scanStepSchema as data'),
  },
} satisfies EndpointRows

export function streamHandlers(scans: Scans): Handlers<typeof streamRows> {
  /** Open streams by caller. */
  const open = new Map<string, number>()

  return {
    async stream({ params }, context) {
      const { holder, headers, client } = context
      const row = await namedScan(scans, params, context, { hasAnalysis: false })
      const after = eventNumber(headers.lastEventId)
      const caller = holder?.subject ?? client()
      if ((open.get(caller) ?? 0) >= maxStreams) throw tooManyStreams()
      if (row.status !== 'complete' && row.status !== 'error') {
        return eventStream((signal) =>
          counted(caller, encodeEvents(row.id, followScan(scans, row.id, after, signal))),
        )
      }
      const rest = await orScansUnavailable(all(followScan(scans, row.id, after, never)))
      // Events are deleted after a week; how the scan ended stands in its row.
      if (rest.length === 0 && after < row.events) rest.push(lastEvent(row))
      // An EventSource connects again whenever a stream ends; 204 says that there is no more.
      return rest.length === 0 ? noMoreEvents : eventStream(() => encodeEvents(row.id, each(rest)))
    },
  }

  async function* counted<Item>(caller: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
    open.set(caller, (open.get(caller) ?? 0) + 1)
    try {
      yield* items
    } finally {
      const left = (open.get(caller) ?? 1) - 1
      if (left > 0) open.set(caller, left)
      else open.delete(caller)
    }
  }
}

/** Of one caller: each open stream reads the store at every event. */
const maxStreams = 20
const retrySeconds = 15

function tooManyStreams(): GatewayError {
  return new GatewayError(
    'RATE_LIMIT',
    { retry_after_seconds: retrySeconds, limit: `${maxStreams} streams at a time` },
    { headers: { 'retry-after': String(retrySeconds) } },
  )
}

const noMoreEvents: Reply = { status: 204, headers: {}, body: new Uint8Array() }
const never = new AbortController().signal

function lastEvent({ events: seq, status, progress, errorMessage, completedAt, createdAt }: Scan): ScanEvent {
  const message = errorMessage ?? 'The scan is complete.'
  return { seq, status, progress, message, at: completedAt ?? createdAt }
}

/** @throws GatewayError VALIDATION_ERROR for a text that is not the number of an event. */
function eventNumber(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId)
  throw faultyField('Last-Event-ID', 'must be the id of an event of this stream')
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
