import { z } from 'zod'
import { type EndpointRows, type HandlerContext, type Handlers, noInput } from '../../../core/endpoint.ts'
import { integer } from '../../../core/input/query-fields.ts'
import { json } from '../../../core/reply.ts'
import { subscriptionStatuses } from '../../../platform/store/rows/subscribers.ts'
import { listSubscriptions } from '../../../products/webhooks/subscriptions/find-subscriptions.ts'
import type { Subscription } from '../../../products/webhooks/subscriptions/subscriptions.ts'
import { cursorOf, exactTime, showPage } from '../operator/page.ts'
import { subscriptionsByHand } from './by-hand.ts'
import {
  changedSchema,
  deletedSchema,
  exampleDeliveryId,
  exampleOwnSubscription,
  exampleSubscription,
  inspectedSchema,
  sentSchema,
  subscriptionListSchema,
} from './replies.ts'
import type { WebhookParts } from './subscribe.ts'
import {
  deliveryParams,
  describeOwn,
  inspect,
  orUnavailable,
  privateNoStore,
  subscriptionParams,
} from './view.ts'

/** What the holder of a key does with its subscriptions: listed, inspected, paused, resumed, tried, deleted. */

const path = '/api/webhooks/subscriptions'
const one = `${path}/{subscriptionId}`
const ofOne = { ...noInput, isPrivate: true, params: subscriptionParams } as const

export const ownedRows = {
  listWebhooks: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path,
    query: z.strictObject({
      limit: integer(1, 100).default(20).describe('how many subscriptions to list'),
      status: z.enum(subscriptionStatuses).optional().describe('only those of this status'),
      cursor: cursorOf(z.tuple([exactTime, z.guid()])).describe('nextCursor of the page before'),
    }),
    response: subscriptionListSchema,
    docs: {
      summary: 'List your subscriptions',
      details: '',
      tag: 'webhooks',
      errors: ['WEBHOOKS_UNAVAILABLE'],
      example: { reply: { subscriptions: [exampleOwnSubscription], nextCursor: null } },
    },
  },
  getWebhook: {
    ...ofOne,
    method: 'GET',
    path: one,
    response: inspectedSchema,
    docs: {
      summary: 'Inspect a subscription',
      details: '',
      tag: 'webhooks',
      errors: ['SUBSCRIPTION_NOT_FOUND', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        params: { subscriptionId: exampleSubscription.id },
        reply: { subscription: exampleOwnSubscription, deliveries: [] },
      },
    },
  },
  deleteWebhook: {
    ...ofOne,
    method: 'DELETE',
    path: one,
    response: deletedSchema,
    docs: {
      summary: 'End a subscription',
      details: 'Deliveries that wait are dropped.',
      tag: 'webhooks',
      errors: ['SUBSCRIPTION_NOT_FOUND', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        params: { subscriptionId: exampleSubscription.id },
        reply: { ok: true, id: exampleSubscription.id },
      },
    },
  },
  pauseWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/pause`,
    response: changedSchema,
    docs: {
      summary: 'Pause a subscription',
      details: 'Deliveries that are due wait; events in the meantime are left out.',
      tag: 'webhooks',
      errors: ['SUBSCRIPTION_NOT_FOUND', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        params: { subscriptionId: exampleSubscription.id },
        reply: { ok: true, subscription: { ...exampleOwnSubscription, status: 'paused' } },
      },
    },
  },
  resumeWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/resume`,
    response: changedSchema,
    docs: {
      summary: 'Resume a subscription',
      details: '',
      tag: 'webhooks',
      errors: ['SUBSCRIPTION_NOT_FOUND', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        params: { subscriptionId: exampleSubscription.id },
        reply: { ok: true, subscription: exampleOwnSubscription },
      },
    },
  },
  testWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/test`,
    response: sentSchema,
    docs: {
      summary: 'Try a subscription',
      details: 'The event is webhook.test.',
      tag: 'webhooks',
      errors: ['SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_NOT_ACTIVE', 'RATE_LIMIT', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        params: { subscriptionId: exampleSubscription.id },
        reply: { ok: true, delivery_id: exampleDeliveryId },
      },
    },
  },
  resendWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/resend`,
    params: deliveryParams,
    response: sentSchema,
    docs: {
      summary: 'Send a delivery again',
      details: 'It keeps its webhook-id.',
      tag: 'webhooks',
      errors: [
        'SUBSCRIPTION_NOT_FOUND',
        'DELIVERY_NOT_FOUND',
        'SUBSCRIPTION_NOT_ACTIVE',
        'RATE_LIMIT',
        'WEBHOOKS_UNAVAILABLE',
      ],
      example: {
        params: { subscriptionId: exampleSubscription.id, deliveryId: exampleDeliveryId },
        reply: { ok: true, delivery_id: exampleDeliveryId },
      },
    },
  },
} satisfies EndpointRows

export function ownedHandlers({ books, wake }: WebhookParts): Handlers<typeof ownedRows> {
  const byHand = subscriptionsByHand({ books, wake })
  const own = (context: Pick<HandlerContext, 'holder'>) => ({ owner: ownerOf(context) })
  return {
    async listWebhooks({ query: { limit, cursor, status } }, context) {
      const page = await orUnavailable(
        listSubscriptions(books, { owner: ownerOf(context), status }, cursor, limit),
      )
      const { shown: subscriptions, nextCursor } = showPage(page, describeOwn)
      return json(
        200,
        { subscriptions, nextCursor } satisfies z.infer<typeof subscriptionListSchema>,
        privateNoStore,
      )
    },

    async getWebhook({ params }, context) {
      const { row, deliveries } = await inspect(books, await byHand.find(params, own(context)))
      const shown: z.infer<typeof inspectedSchema> = { subscription: describeOwn(row), deliveries }
      return json(200, shown, privateNoStore)
    },

    async deleteWebhook({ params }, context) {
      return json(200, { ok: true, id: await byHand.remove(params, own(context)) }, privateNoStore)
    },

    async pauseWebhook({ params }, context) {
      return changed(await byHand.pause(params, own(context)))
    },

    async resumeWebhook({ params }, context) {
      return changed(await byHand.resume(params, own(context)))
    },

    async testWebhook({ params }, context) {
      return sent(await byHand.test(params, own(context)))
    },

    async resendWebhook({ params }, context) {
      return sent(await byHand.resend(params, own(context)))
    },
  }
}

const changed = (row: Subscription) =>
  json(
    200,
    { ok: true, subscription: describeOwn(row) } satisfies z.infer<typeof changedSchema>,
    privateNoStore,
  )

const sent = (deliveryId: string) =>
  json(200, { ok: true, delivery_id: deliveryId } satisfies z.infer<typeof sentSchema>, privateNoStore)

function ownerOf({ holder }: Pick<HandlerContext, 'holder'>): string {
  if (!holder) throw new Error('the subscriptions of a key were asked for without one')
  return holder.subject
}
