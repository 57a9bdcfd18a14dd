import { randomUUID } from 'node:crypto'
import { toJson } from '../../core/text/storable.ts'
import type { Queries } from './database.ts'

/** The events that callers subscribe to, as the specification names them (part 6). */
export const eventTypes = [
  'scan.started',
  'scan.completed',
  'scan.failed',
  'directory.updated',
  'insights.updated',
  'analytics.weekly',
] as const

export type EventType = (typeof eventTypes)[number]

export interface OutboxEvent {
  readonly type: EventType
  readonly at: Date
  /** The key that alone may learn of it; null when every subscriber may. */
  readonly owner: string | null
  /** The scan it tells of. Deleting the scan deletes the event. */
  readonly scanId: string | null
  /** The `data` of the delivered payload. */
  readonly data: object
}

/**
 * Writes an event in the transaction of the change that it tells of, so a crash neither loses nor invents one.
 * Deliveries are made from the rows afterwards.
 * @param queries the transaction of the change
 * @returns the id of the event, which every delivery of it carries.
 */
export async function writeEvent(queries: Queries, event: OutboxEvent): Promise<string> {
  const id = randomUUID()
  await queries
    .insertInto('outbox')
    .values({
      id,
      type: event.type,
      owner: event.owner,
      scanId: event.scanId,
      data: toJson(event.data),
      createdAt: event.at,
    })
    .execute()
  return id
}
