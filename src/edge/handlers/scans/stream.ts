import { Readable } from 'node:stream'
import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import { eventsAfter, followScan } from '../../../products/scan/scans/scan-events.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { Broadcasts } from './broadcast.ts'
import { endedStream, eventStream, renderEvent } from './event-stream.ts'
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
  const broadcasts = new Broadcasts((scanId, signal) => followScan(scans, scanId, 0, signal))
  /** Open streams by caller. */
  const open = new Map<string, number>()

  return {
    async stream({ params }, context) {
      const { holder, headers, client } = context
      const row = await namedScan(scans, params, context, { hasAnalysis: false })
      // A caller that names an event of the future must not miss the ones before it.
      const after = Math.min(eventNumber(headers.lastEventId), row.events)
      const caller = holder?.subject ?? client()
      if ((open.get(caller) ?? 0) >= maxStreams) throw tooManyStreams()
      if (row.status !== 'complete' && row.status !== 'error') {
        return eventStream((signal) =>
          signal.aborted ? Readable.from([]) : follow(row.id, after, signal, caller),
        )
      }
      // An EventSource connects again whenever a stream ends; 204 says that there is no more.
      if (after >= row.events) return noMoreEvents
      const rest = await orScansUnavailable(eventsAfter(scans.queries, row.id, after))
      // Events are deleted after a week; how the scan ended stands in its row.
      const shown = rest.length > 0 ? rest : [lastEvent(row)]
      return endedStream(shown.map((event) => renderEvent(row.id, event)))
    },
  }

  function follow(scanId: string, after: number, signal: AbortSignal, caller: string): Readable {
    open.set(caller, (open.get(caller) ?? 0) + 1)
    return broadcasts.follow(scanId, after, signal).once('close', () => {
      const left = (open.get(caller) ?? 1) - 1
      if (left > 0) open.set(caller, left)
      else open.delete(caller)
    })
  }
}

/** Of one caller: each open stream holds a connection. */
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

function lastEvent({ events: seq, status, progress, errorMessage }: Scan): Parameters<typeof renderEvent>[1] {
  return { seq, status, progress, message: errorMessage ?? 'The scan is complete.' }
}

/** @throws GatewayError VALIDATION_ERROR for a text that is not the number of an event. */
function eventNumber(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId)
  throw faultyField('Last-Event-ID', 'must be the id of an event of this stream')
}
