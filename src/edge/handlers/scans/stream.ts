import { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noQuery } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import { followScan, type ScanEvent } from '../../../products/scan/scans/scan-events.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import type { scanStepSchema } from './replies.ts'
import { lookUp, namedScan, scanParams } from './view.ts'

/**
 * GET /api/insights/scan/{scanId}/stream (specification 4.12): each step of a scan as a server-sent event.
 * Events are numbered from 1, so a caller who lost the connection goes on behind the last one it has seen,
 * at whichever gateway it comes to; after the last event the stream ends.
 */
export function streamEndpoint(scans: Scans): Endpoint {
  const listening = new Map<string, number>()

  return endpointWith({
    id: 'stream',
    method: 'GET',
    path: '/api/insights/scan/{scanId}/stream',
    params: scanParams,
    query: noQuery,
    body: noBody,
    response: z.string().describe('text/event-stream: events `status` with scanStepSchema as data'),
    async handle({ params }, context) {
      const { holder, headers, client } = context
      const row = await namedScan(scans, params, context, { hasAnalysis: false })
      const after = eventNumber(headers.lastEventId)
      const listener = holder?.subject ?? client()
      if ((listening.get(listener) ?? 0) >= maxStreams) throw tooMany()
      if (row.status !== 'complete' && row.status !== 'error') {
        return eventStream((signal) =>
          counted(listener, encode(row.id, followScan(scans, row.id, after, signal))),
        )
      }
      const rest = await lookUp(all(followScan(scans, row.id, after, never)))
      // Events are kept for a week; how the scan ended is told for good.
      if (rest.length === 0 && after < row.events) rest.push(lastEvent(row))
      // An EventSource connects again whenever a stream ends; 204 is what tells it that there is no more.
      return rest.length === 0 ? over : eventStream(() => encode(row.id, each(rest)))
    },
  })

  async function* counted<Item>(listener: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
    listening.set(listener, (listening.get(listener) ?? 0) + 1)
    try {
      yield* items
    } finally {
      const left = (listening.get(listener) ?? 1) - 1
      if (left > 0) listening.set(listener, left)
      else listening.delete(listener)
    }
  }
}

/** An open stream costs a look at the store with each event, so nobody has any number of them. */
const maxStreams = 20
const retrySeconds = 15

function tooMany(): GatewayError {
  return new GatewayError(
    'RATE_LIMIT',
    { retry_after_seconds: retrySeconds, limit: `${maxStreams} streams at a time` },
    { headers: { 'retry-after': String(retrySeconds) } },
  )
}

const over: Reply = { status: 204, headers: {}, body: new Uint8Array() }
const never = new AbortController().signal

function lastEvent({ events: seq, status, progress, errorMessage, completedAt, createdAt }: Scan): ScanEvent {
  const message = errorMessage ?? 'The scan is complete.'
  return { seq, status, progress, message, at: completedAt ?? createdAt }
}

function eventStream(stream: NonNullable<Reply['stream']>): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      // nginx would keep events until it has a page of them.
      'x-accel-buffering': 'no',
    },
    body: new Uint8Array(),
    stream,
  }
}

/** @throws GatewayError VALIDATION_ERROR: from a number that is none of ours nobody can go on. */
function eventNumber(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId)
  throw faultyField('Last-Event-ID', 'must be the id of an event of this stream')
}

/** Proxies close what says nothing for a minute; some for half of one. */
const heartbeatMs = 15_000

async function* encode(scanId: string, events: AsyncIterable<ScanEvent>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('retry: 3000\n\n')
  for await (const event of withHeartbeat(events)) {
    if (event === undefined) {
      yield encoder.encode(': still here\n\n')
      continue
    }
    const { seq, status, progress, message } = event
    const step: z.infer<typeof scanStepSchema> = { scanId, status, progress, message }
    yield encoder.encode(`event: status\nid: ${seq}\ndata: ${JSON.stringify(step)}\n\n`)
  }
}

/** The same, with undefined wherever nothing has come for a while. */
async function* withHeartbeat<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item | undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      const beat = Promise.withResolvers<undefined>()
      timer = setTimeout(() => beat.resolve(undefined), heartbeatMs)
      const came = await Promise.race([next, beat.promise])
      clearTimeout(timer)
      if (came === undefined) {
        yield undefined
        continue
      }
      if (came.done) return
      yield came.value
      next = iterator.next()
    }
  } finally {
    clearTimeout(timer)
    await iterator.return?.(undefined)
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
