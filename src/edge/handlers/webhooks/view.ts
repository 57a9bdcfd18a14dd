import { z } from 'zod'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import type { Books } from '../../../platform/store/books.ts'
import { type ByHand, maxByHand } from '../../../products/webhooks/deliveries/by-hand.ts'
import { lastDeliveries, type ShownDelivery } from '../../../products/webhooks/deliveries/find-deliveries.ts'
import { findSubscription, type Whose } from '../../../products/webhooks/subscriptions/find-subscriptions.ts'
import type { Subscription } from '../../../products/webhooks/subscriptions/subscriptions.ts'
import {
  type deliverySchema,
  exampleDeliveryId,
  exampleSubscription,
  type inspectedSchema,
  type ownSubscriptionSchema,
  type subscriptionSchema,
} from './replies.ts'

/** How all endpoints that show a subscription find it and write it. */

/** Of paths. A text that is not an id names nothing: it is 404, not 400. */
export const subscriptionParams = z.object({
  subscriptionId: z
    .string()
    .describe('the id of a subscription of your key')
    .meta({ format: 'uuid', examples: [exampleSubscription.id] }),
})
export const deliveryParams = subscriptionParams.extend({
  deliveryId: z
    .string()
    .describe('the id of one of its deliveries')
    .meta({ format: 'uuid', examples: [exampleDeliveryId] }),
})

/** A subscription belongs to a key, and changes: no cache may keep it. */
export const privateNoStore = { 'cache-control': 'private, no-store' }

const shownDeliveries = 50

const iso = (time: Date | null) => time?.toISOString() ?? null

export function describeSubscription(row: Subscription): z.infer<typeof subscriptionSchema> {
  const { id, status, url, events, createdAt } = row
  return { id, status, callback_url: url, events: [...events], created_at: createdAt.toISOString() }
}

export function describeOwn(row: Subscription): z.infer<typeof ownSubscriptionSchema> {
  return {
    ...describeSubscription(row),
    updated_at: row.updatedAt.toISOString(),
    is_signed: row.hasSecret,
    metadata: row.metadata,
    disabled_reason: row.disabledReason,
    proven_at: iso(row.provenAt),
    failing_since: iso(row.failingSince),
  }
}

function describeDelivery(row: ShownDelivery): z.infer<typeof deliverySchema> {
  const { id, eventId, type, status, attempts, attemptedAt, answerStatus, answer, error } = row
  return {
    id,
    event_id: eventId,
    event: type,
    status,
    attempts,
    created_at: row.createdAt.toISOString(),
    last_attempt_at: iso(attemptedAt),
    // While an attempt is under way, the time of the next one is not known.
    next_attempt_at: status === 'pending' && !row.isLeased ? row.dueAt.toISOString() : null,
    answer: attemptedAt && { status: answerStatus, body: answer, problem: error },
  }
}

/** @throws GatewayError SUBSCRIPTION_NOT_FOUND, WEBHOOKS_UNAVAILABLE. */
export async function namedSubscription(
  books: Books,
  { subscriptionId }: z.infer<typeof subscriptionParams>,
  whose: Whose,
): Promise<Subscription> {
  const isId = z.guid().safeParse(subscriptionId).success
  const found = isId ? await orUnavailable(findSubscription(books, subscriptionId, whose)) : undefined
  if (!found) throw new GatewayError('SUBSCRIPTION_NOT_FOUND', { field: 'subscriptionId' })
  return found
}

/** A subscription with its last deliveries. */
export async function inspect(
  books: Books,
  row: Subscription,
): Promise<{
  readonly row: Subscription
  readonly deliveries: z.infer<typeof inspectedSchema>['deliveries']
}> {
  const deliveries = await orUnavailable(lastDeliveries(books, row.id, shownDeliveries))
  return { row, deliveries: deliveries.map(describeDelivery) }
}

/** @throws GatewayError for a delivery that was not sent. */
export function deliveryIdOf(sent: ByHand): string {
  if (sent === 'unknown') throw new GatewayError('DELIVERY_NOT_FOUND', { field: 'deliveryId' })
  if (sent === 'not active') throw new GatewayError('SUBSCRIPTION_NOT_ACTIVE')
  if (sent === 'too many') {
    const seconds = 60
    throw new GatewayError(
      'RATE_LIMIT',
      { limit: 'deliveries that are sent by hand to one subscription', retry_after_seconds: seconds },
      {
        headers: {
          'retry-after': String(seconds),
          'x-ratelimit-limit': String(maxByHand),
          'x-ratelimit-remaining': '0',
        },
      },
    )
  }
  return sent.deliveryId
}

/** @throws GatewayError WEBHOOKS_UNAVAILABLE when the store fails. */
export async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : comeBack('WEBHOOKS_UNAVAILABLE', cause)
  }
}
