import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'

/** Deliveries that one statement makes at most, about. */
const maxMade = 10_000
const maxEvents = 100
/** Deliveries that may wait for a subscription whose deliveries go out one by one. */
export const maxWaiting = 1_000

/**
 * Makes the deliveries of the oldest events that have none yet: one for each active subscription that asked for the
 * event and may see it. An event and its deliveries are marked and made in one statement, so a crash neither loses
 * one nor makes one twice, and gateways that do this at the same time take different events.
 *
 * Who may see it: an event with an owner goes to that owner alone, all others go to every subscription. A key that was
 * revoked or has expired gets nothing more.
 *
 * A subscription that goes one by one and has `maxWaiting` deliveries waiting gets no further ones: a receiver that was
 * named by a stranger, or that never answered, must not make us keep events for it without end.
 * @returns how many events were worked on. When it is 0, there are no more.
 */
export async function fanOut({ queries, clock }: Books): Promise<number> {
  const now = new Date(clock.now())
  const { rows } = await sql<{ events: number }>`
    with events as materialized (
      select id, type, owner from outbox where fanned_at is null
      order by created_at, id
      limit greatest(1, least(${maxEvents}::integer,
        ${maxMade}::integer / greatest(1, (select count(*)::integer from webhook_subscriptions where status = 'active'))))
      for no key update skip locked
    ), receivers as materialized (
      select id, owner, host, events, is_anonymous or proven_at is null as goes_alone
      from webhook_subscriptions
      where status = 'active' and (expires_at is null or expires_at > ${now}) and exists (select 1 from events)
        and (owner not like 'key:%' or exists (
          select 1 from keys where keys.id = substr(webhook_subscriptions.owner, 5) and revoked_at is null
            and (keys.expires_at is null or keys.expires_at > ${now})))
      -- One that is being deleted must not fail the statement, and with it the event for all others.
      for key share of webhook_subscriptions
    ), made as (
      insert into webhook_deliveries (id, subscription_id, event_id, host, status, is_held, is_leased, due_at, claims,
        attempts, created_at)
      select gen_random_uuid(), receivers.id, events.id, host, 'pending', goes_alone, false, ${now}::timestamptz,
        0, 0, ${now}::timestamptz
      from events join receivers
        on events.type = any(receivers.events) and (events.owner is null or events.owner = receivers.owner)
      where not goes_alone or (
        select count(*) from (
          select 1 from webhook_deliveries where subscription_id = receivers.id and status = 'pending'
          limit ${maxWaiting}) as waiting) < ${maxWaiting}
      on conflict (event_id, subscription_id) do nothing
    ), marked as (
      update outbox set fanned_at = ${now} from events where outbox.id = events.id returning outbox.id
    )
    select count(*)::integer as events from marked`.execute(queries)
  return rows[0]?.events ?? 0
}
