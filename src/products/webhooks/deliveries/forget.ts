import { type RawBuilder, sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'

/** Rows that one statement deletes at most, so that it holds up no others. */
const batchSize = 1_000

/**
 * Deletes deliveries that ended before a time, and events that happened before it and wait for no delivery. To be
 * called now and then.
 */
export async function forgetDeliveries({ queries }: Books, before: Date): Promise<void> {
  const ended = sql`
    select id from webhook_deliveries where ended_at < ${before} order by ended_at limit ${batchSize}`
  const told = sql`
    select id from outbox
    where created_at < ${before} and fanned_at is not null
      and not exists (select 1 from webhook_deliveries where event_id = outbox.id and status = 'pending')
    order by created_at, id limit ${batchSize}`
  await deleteAll(queries, 'webhook_deliveries', ended)
  await deleteAll(queries, 'outbox', told)
}

async function deleteAll(queries: Books['queries'], table: string, old: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const deleted = await sql`
      delete from ${sql.table(table)} where id = any(array(${old} for update skip locked)) returning id`.execute(
      queries,
    )
    if (deleted.rows.length < batchSize) return
  }
}
