import { z } from 'zod'
import { deliveryStatuses, subscriptionStatuses } from '../../../platform/store/rows/subscribers.ts'

/**
 * The form in which subscriptions and deliveries are shown: the endpoints promise it, and the commands read it. Times
 * are ISO 8601, as the specification has them here (2.11).
 */

/** A subscription as the specification has it (2.11). */
export const subscriptionSchema = z.strictObject({
  id: z.uuid().describe('of the subscription'),
  status: z.enum(subscriptionStatuses),
  callback_url: z.string().describe('the address that receives the events'),
  events: z.array(z.string()).describe('names of events, each in its first form'),
  created_at: z.iso.datetime(),
})

/** For the examples of the documents. */
export const exampleSubscription = {
  id: '9d3b2c1e-5a4f-4e6b-8c7d-1f2e3d4c5b6a',
  status: 'active',
  callback_url: 'https://example.com/hooks',
  events: ['scan.completed', 'scan.failed'],
  created_at: '2026-05-01T12:00:00.000Z',
} as const
export const exampleOwnSubscription = {
  ...exampleSubscription,
  updated_at: '2026-05-01T12:00:00.000Z',
  is_signed: true,
  metadata: {},
  disabled_reason: null,
  proven_at: null,
  failing_since: null,
}
export const exampleDeliveryId = '2c4e6a80-1b3d-4f5a-9c7e-8d6b4a2f0e13'

export const subscribedSchema = z.strictObject({ ok: z.literal(true), subscription: subscriptionSchema })

export const ownSubscriptionSchema = subscriptionSchema.extend({
  updated_at: z.iso.datetime(),
  is_signed: z.boolean().describe('whether there is a secret, which is never shown'),
  metadata: z.record(z.string(), z.string()),
  disabled_reason: z
    .enum(['gone', 'failing'])
    .nullable()
    .describe('gone: the receiver answered 410; failing: it only failed for five days'),
  proven_at: z.iso.datetime().nullable().describe('when the receiver first accepted a delivery'),
  failing_since: z.iso.datetime().nullable().describe('the first failure since a delivery was last accepted'),
})

export const deliverySchema = z.strictObject({
  id: z.uuid(),
  event_id: z.uuid().describe('the webhook-id header'),
  event: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  created_at: z.iso.datetime(),
  last_attempt_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
  answer: z
    .strictObject({
      status: z.int().nullable().describe('null without an answer'),
      body: z.string().nullable().describe('its beginning'),
      problem: z.string().nullable(),
    })
    .nullable()
    .describe('of the last attempt; null before it'),
})

export const subscriptionListSchema = z.strictObject({
  subscriptions: z.array(ownSubscriptionSchema),
  nextCursor: z.string().nullable(),
})

export const inspectedSchema = z.strictObject({
  subscription: ownSubscriptionSchema,
  deliveries: z.array(deliverySchema).describe('the last 50, the newest first'),
})

export const changedSchema = z.strictObject({ ok: z.literal(true), subscription: ownSubscriptionSchema })
export const deletedSchema = z.strictObject({ ok: z.literal(true), id: z.uuid() })
export const sentSchema = z.strictObject({ ok: z.literal(true), delivery_id: z.uuid() })

const owned = { owner: z.string() }

export const operatorSubscriptionSchema = ownSubscriptionSchema.extend(owned)
export const operatorSubscriptionListSchema = z.strictObject({
  subscriptions: z.array(operatorSubscriptionSchema),
  nextCursor: z.string().nullable(),
})
export const operatorInspectedSchema = inspectedSchema.extend({ subscription: operatorSubscriptionSchema })
