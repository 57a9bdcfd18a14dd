import type { z } from 'zod'
import type { Reply } from '../../../core/reply.ts'
import type { ScanEvent } from '../../../products/scan/scans/scan-events.ts'
import type { scanStepSchema } from './replies.ts'

/** The steps of a scan as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

/**
 * The bytes of one event. It is numbered, so that a caller can go on after the last one it has seen.
 * @param scanId of the scan that the event belongs to.
 */
export function renderEvent(
  scanId: string,
  { seq, status, progress, message }: Pick<ScanEvent, 'seq' | 'status' | 'progress' | 'message'>,
): Uint8Array {
  const step: z.infer<typeof scanStepSchema> = { scanId, status, progress, message }
  return Buffer.from(`event: status\nid: ${seq}\ndata: ${JSON.stringify(step)}\n\n`)
}

/** Begins every stream: how long a caller waits before it connects again. */
export const retryLine: Uint8Array = Buffer.from('retry: 3000\n\n')

/** A comment: readers skip it, and proxies see that the connection is in use. */
export const heartbeatLine: Uint8Array = Buffer.from(': still here\n\n')

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store, no-transform',
  // nginx would hold events back until it has a page of them.
  'x-accel-buffering': 'no',
}

/** A reply that sends events for as long as the caller listens. */
export function eventStream(stream: NonNullable<Reply['stream']>): Reply {
  return { status: 200, headers, body: new Uint8Array(), stream }
}

/** A reply that holds all events of a stream. */
export function endedStream(events: readonly Uint8Array[]): Reply {
  return { status: 200, headers, body: Buffer.concat([retryLine, ...events]) }
}
