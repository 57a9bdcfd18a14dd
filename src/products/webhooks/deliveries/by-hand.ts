import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { Queries } from '../../../platform/store/database.ts'
import type { WebhookDeliveryRow } from '../../../platform/store/rows/subscribers.ts'
import { testEvent } from '../events/payload.ts'

/** Deliveries that the owner of a subscription, or the operator, asks for. */

/** Of one subscription in a minute, so that a caller cannot send floods through us. */
export const maxByHand = 10
const minuteMs = 60_000

/** What became of the request. */
export type ByHand = { readonly deliveryId: string } | 'too many' | 'not active' | 'unknown'

/** Sends `webhook.test` to a subscription, whatever events it has asked for. */
export async function sendTest(books: Books, subscriptionId: string): Promise<ByHand> {
  return await byHand(books, subscriptionId, async (queries, now) => {
    const [eventId, deliveryId] = [randomUUID(), randomUUID()]
    const data = { subscription_id: subscriptionId, message: 'This is a test delivery.' }
    await sql`
      with event as (
        insert into outbox (id, type, owner, scan_id, data, created_at, fanned_at)
        values (${eventId}, ${testEvent}, null, null, ${JSON.stringify(data)}::jsonb, ${now}, ${now})
      )
      insert into webhook_deliveries (id, subscription_id, event_id, host, status, is_held, is_leased, due_at, claims,
        attempts, created_at, sent_by_hand_at)
      select ${deliveryId}::uuid, id, ${eventId}::uuid, host, 'pending', is_anonymous or proven_at is null, false,
        ${now}::timestamptz, 0, 0, ${now}::timestamptz, ${now}::timestamptz
      from webhook_subscriptions where id = ${subscriptionId}::uuid`.execute(queries)
    return deliveryId
  })
}

/** Sends a delivery again, now, with all its attempts before it. It keeps its id, so a receiver recognizes the event. */
export async function resend(books: Books, subscriptionId: string, deliveryId: string): Promise<ByHand> {
  return await byHand(books, subscriptionId, async (queries, now) => {
    const { rows } = await sql<Pick<WebhookDeliveryRow, 'id'>>`
      update webhook_deliveries as delivery set status = 'pending', due_at = ${now}, attempts = 0, is_leased = false,
        claims = delivery.claims + 1, ended_at = null, sent_by_hand_at = ${now},
        is_held = subscription.is_anonymous or subscription.proven_at is null
      from webhook_subscriptions as subscription
      where delivery.id = ${deliveryId}::uuid and delivery.subscription_id = ${subscriptionId}::uuid
        and subscription.id = delivery.subscription_id
      returning delivery.id`.execute(queries)
    return rows[0]?.id
  })
}

async function byHand(
  { queries, clock }: Books,
  subscriptionId: string,
  act: (queries: Queries, now: Date) => Promise<string | undefined>,
): Promise<ByHand> {
  const now = new Date(clock.now())
  return await queries.transaction().execute(async (transaction) => {
    // Locked, so that requests at once are counted one after the other.
    const subscription = await transaction
      .selectFrom('webhookSubscriptions')
      .select('status')
      .where('id', '=', subscriptionId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!subscription) return 'unknown'
    if (subscription.status !== 'active') return 'not active'
    const { lately } = await transaction
      .selectFrom('webhookDeliveries')
      .select(({ fn }) => fn.countAll<bigint>().as('lately'))
      .where('subscriptionId', '=', subscriptionId)
      .where('sentByHandAt', '>', new Date(now.getTime() - minuteMs))
      .executeTakeFirstOrThrow()
    if (Number(lately) >= maxByHand) return 'too many'
    const deliveryId = await act(transaction, now)
    return deliveryId === undefined ? 'unknown' : { deliveryId }
  })
}
