import { Readable } from 'node:stream'
import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import { eventsAfter, followScan } from '../../../products/scan/scans/scan-events.ts'
import { ScanLookup } from '../../../products/scan/scans/scan-lookup.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { Arrivals } from './arrivals.ts'
import { Broadcasts } from './broadcast.ts'
import { endedStream, eventStream, renderEvent } from './event-stream.ts'
import { exampleScanId, orNotFound, orScansUnavailable, scanParams } from './view.ts'

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
    response: z.string().describe('server-sent events, named status'),
    docs: {
      summary: 'Follow a scan',
      details:
        'Each event is named status and holds scanId, status, progress and message as JSON. After a broken connection, send the id of the last event in Last-Event-ID. The stream ends after the last event.',
      tag: 'scans',
      mediaTypes: ['text/event-stream'],
      emptyReply: { status: 204, meaning: 'There are no events after the one in Last-Event-ID.' },
      errors: ['SCAN_NOT_FOUND', 'RATE_LIMIT', 'SCANS_UNAVAILABLE'],
      example: { params: { scanId: exampleScanId } },
    },
  },
} satisfies EndpointRows

export function streamHandlers(scans: Scans): Handlers<typeof streamRows> {
  const broadcasts = new Broadcasts((scanId, signal) => followScan(scans, scanId, 0, signal))
  const lookup = new ScanLookup(scans.queries)
  const arrivals = new Arrivals()
  /** Open streams by caller. */
  const open = new Map<string, number>()

  return {
    async stream({ params: { scanId } }, { holder, headers, client }) {
      const last = eventNumber(headers.lastEventId)
      const viewer = holder?.subject
      const caller = viewer ?? client()
      requireRoom(caller)
      const joined = broadcasts.joinable(scanId, last, viewer)
      if (joined) {
        await arrivals.pass()
        requireRoom(caller)
        return following(joined, last, caller)
      }
      const row = orNotFound(await orScansUnavailable(lookup.find(scanId, viewer)))
      // One look-up answers for many.
      await arrivals.pass()
      requireRoom(caller)
      // A caller that names an event of the future must not miss the ones before it.
      const after = Math.min(last, row.events)
      if (row.status !== 'complete' && row.status !== 'error') return following(row, after, caller)
      // An EventSource connects again whenever a stream ends; 204 says that there is no more.
      if (after >= row.events) return noMoreEvents
      const rest = await orScansUnavailable(eventsAfter(scans.queries, row.id, after))
      // Events are deleted after a week; how the scan ended stands in its row.
      const shown = rest.length > 0 ? rest : [lastEvent(row)]
      return endedStream(shown.map((event) => renderEvent(row.id, event)))
    },
  }

  /** @throws GatewayError RATE_LIMIT for a caller with too many open streams. */
  function requireRoom(caller: string): void {
    if ((open.get(caller) ?? 0) < maxStreams) return
    throw new GatewayError(
      'RATE_LIMIT',
      { retry_after_seconds: retrySeconds, limit: `${maxStreams} streams at a time` },
      { headers: { 'retry-after': String(retrySeconds) } },
    )
  }

  function following(scan: Pick<Scan, 'id' | 'owner'>, after: number, caller: string): Reply {
    return eventStream((signal) => (signal.aborted ? Readable.from([]) : follow(scan, after, signal, caller)))
  }

  function follow(
    scan: Pick<Scan, 'id' | 'owner'>,
    after: number,
    signal: AbortSignal,
    caller: string,
  ): Readable {
    open.set(caller, (open.get(caller) ?? 0) + 1)
    return broadcasts.follow(scan, after, signal).once('close', () => {
      const left = (open.get(caller) ?? 1) - 1
      if (left > 0) open.set(caller, left)
      else open.delete(caller)
    })
  }
}

/** Of one caller: each open stream holds a connection. */
const maxStreams = 20
const retrySeconds = 15

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
