import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { subscriptionStatuses } from '../../../platform/store/rows/subscribers.ts'
import { listSubscriptions } from '../../../products/webhooks/subscriptions/find-subscriptions.ts'
import type { Subscription } from '../../../products/webhooks/subscriptions/subscriptions.ts'
import { operatorOperation, word } from '../operator/fields.ts'
import { exactTime, pageQuery, showPage } from '../operator/page.ts'
import { subscriptionsByHand } from './by-hand.ts'
import {
  deletedSchema,
  operatorInspectedSchema,
  operatorSubscriptionListSchema,
  operatorSubscriptionSchema,
  sentSchema,
} from './replies.ts'
import type { WebhookParts } from './subscribe.ts'
import { deliveryParams, describeOwn, inspect, subscriptionParams } from './view.ts'

/** Webhook subscriptions for the operator: those of all owners, also of callers without a key. */

const path = '/operator/webhooks'
const one = `${path}/{subscriptionId}`
const ofOne = { ...noInput, params: subscriptionParams } as const

export const operatorWebhookRows = {
  listAllWebhooks: {
    ...noInput,
    method: 'GET',
    path,
    operation: operatorOperation('The webhook subscriptions, the newest first.'),
    query: pageQuery(z.tuple([exactTime, z.guid()]), {
      owner: word.optional(),
      status: z.enum(subscriptionStatuses).optional(),
    }),
    response: operatorSubscriptionListSchema,
  },
  showWebhook: {
    ...ofOne,
    method: 'GET',
    path: one,
    operation: operatorOperation('One webhook subscription with its last deliveries.'),
    response: operatorInspectedSchema,
  },
  pauseAnyWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/pause`,
    operation: operatorOperation('Stops the deliveries to a webhook subscription.'),
    response: operatorSubscriptionSchema,
  },
  resumeAnyWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/resume`,
    operation: operatorOperation('Lets a webhook subscription go on.'),
    response: operatorSubscriptionSchema,
  },
  deleteAnyWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/delete`,
    operation: operatorOperation('Deletes a webhook subscription with its deliveries.'),
    response: deletedSchema,
  },
  testAnyWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/test`,
    operation: operatorOperation('Sends a test delivery to a webhook subscription.'),
    response: sentSchema,
  },
  resendAnyWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/resend`,
    operation: operatorOperation('Sends a webhook delivery again.'),
    params: deliveryParams,
    response: sentSchema,
  },
} satisfies EndpointRows

export function operatorWebhookHandlers({
  books,
  wake,
}: Pick<WebhookParts, 'books' | 'wake'>): Handlers<typeof operatorWebhookRows> {
  const byHand = subscriptionsByHand({ books, wake })
  return {
    async listAllWebhooks({ query: { cursor, limit, ...filter } }) {
      const page = await listSubscriptions(books, filter, cursor, limit)
      const { shown: subscriptions, nextCursor } = showPage(page, describeOwned)
      return json(200, { subscriptions, nextCursor } satisfies z.infer<typeof operatorSubscriptionListSchema>)
    },

    async showWebhook({ params }) {
      const { row, deliveries } = await inspect(books, await byHand.find(params, 'all'))
      const shown: z.infer<typeof operatorInspectedSchema> = { subscription: describeOwned(row), deliveries }
      return json(200, shown)
    },

    async pauseAnyWebhook({ params }) {
      return json(200, describeOwned(await byHand.pause(params, 'all')))
    },

    async resumeAnyWebhook({ params }) {
      return json(200, describeOwned(await byHand.resume(params, 'all')))
    },

    async deleteAnyWebhook({ params }) {
      const id = await byHand.remove(params, 'all')
      return json(200, { ok: true, id } satisfies z.infer<typeof deletedSchema>)
    },

    async testAnyWebhook({ params }) {
      return sent(await byHand.test(params, 'all'))
    },

    async resendAnyWebhook({ params }) {
      return sent(await byHand.resend(params, 'all'))
    },
  }
}

const sent = (deliveryId: string) =>
  json(200, { ok: true, delivery_id: deliveryId } satisfies z.infer<typeof sentSchema>)

function describeOwned(row: Subscription): z.infer<typeof operatorSubscriptionSchema> {
  return { ...describeOwn(row), owner: row.owner }
}
