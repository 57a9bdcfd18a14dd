import pTimeout from 'p-timeout'
import type { z } from 'zod'
import type { Reply } from '../../../core/reply.ts'
import type { ScanEvent } from '../../../products/scan/scans/scan-events.ts'
import type { scanStepSchema } from './replies.ts'

/**
 * The steps of a scan as server-sent events. Each is numbered, so that a caller can go on after the last one
 * it has seen.
 */
export async function* encodeEvents(
  scanId: string,
  events: AsyncIterable<ScanEvent>,
): AsyncGenerator<Uint8Array> {
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

/** Passes the items on, with undefined in between whenever none has come for the time of a heartbeat. */
async function* withHeartbeat<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item | undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const result = await pTimeout(next, { milliseconds: heartbeatMs, message: false })
      if (result === undefined) {
        yield undefined
        continue
      }
      if (result.done) return
      yield result.value
      next = iterator.next()
    }
  } finally {
    await iterator.return?.(undefined)
  }
}

/** Many proxies close a connection on which nothing was sent for 60 seconds, some after 30. */
const heartbeatMs = 15_000

/** A reply that sends such events for as long as the caller listens. */
export function eventStream(stream: NonNullable<Reply['stream']>): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      // nginx would hold events back until it has a page of them.
      'x-accel-buffering': 'no',
    },
    body: new Uint8Array(),
    stream,
  }
}
