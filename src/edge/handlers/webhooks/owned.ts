import { z } from 'zod'
import { type EndpointRows, type HandlerContext, type Handlers, noInput } from '../../../core/endpoint.ts'
import { integer } from '../../../core/query-fields.ts'
import { json } from '../../../core/reply.ts'
import { subscriptionStatuses } from '../../../platform/store/rows/subscribers.ts'
import { resend, sendTest } from '../../../products/webhooks/deliveries/by-hand.ts'
import {
  listSubscriptions,
  removeSubscription,
} from '../../../products/webhooks/subscriptions/find-subscriptions.ts'
import { activate, pause } from '../../../products/webhooks/subscriptions/subscriptions.ts'
import { cursorOf, exactTime, showPage } from '../operator/page.ts'
import {
  changedSchema,
  deletedSchema,
  inspectedSchema,
  sentSchema,
  subscriptionListSchema,
} from './replies.ts'
import type { WebhookParts } from './subscribe.ts'
import {
  deliveryIdOf,
  deliveryParams,
  describeOwn,
  inspect,
  namedSubscription,
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
      limit: integer(1, 100).default(20),
      status: z.enum(subscriptionStatuses).optional(),
      cursor: cursorOf(z.tuple([exactTime, z.guid()])).describe('nextCursor of the page before'),
    }),
    response: subscriptionListSchema,
  },
  getWebhook: { ...ofOne, method: 'GET', path: one, response: inspectedSchema },
  deleteWebhook: { ...ofOne, method: 'DELETE', path: one, response: deletedSchema },
  pauseWebhook: { ...ofOne, method: 'POST', path: `${one}/pause`, response: changedSchema },
  resumeWebhook: { ...ofOne, method: 'POST', path: `${one}/resume`, response: changedSchema },
  testWebhook: { ...ofOne, method: 'POST', path: `${one}/test`, response: sentSchema },
  resendWebhook: {
    ...ofOne,
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/resend`,
    params: deliveryParams,
    response: sentSchema,
  },
} satisfies EndpointRows

export function ownedHandlers({ books, wake }: WebhookParts): Handlers<typeof ownedRows> {
  const found = (params: z.infer<typeof subscriptionParams>, context: Pick<HandlerContext, 'holder'>) =>
    namedSubscription(books, params, { owner: ownerOf(context) })
  const now = () => new Date(books.clock.now())
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
      const { row, deliveries } = await inspect(books, await found(params, context))
      const shown: z.infer<typeof inspectedSchema> = { subscription: describeOwn(row), deliveries }
      return json(200, shown, privateNoStore)
    },

    async deleteWebhook({ params }, context) {
      const { id } = await found(params, context)
      await orUnavailable(removeSubscription(books, id))
      return json(200, { ok: true, id }, privateNoStore)
    },

    async pauseWebhook({ params }, context) {
      const { id } = await found(params, context)
      await orUnavailable(pause(books.queries, id, now()))
      return json(200, { ok: true, subscription: describeOwn(await found(params, context)) }, privateNoStore)
    },

    async resumeWebhook({ params }, context) {
      const { id } = await found(params, context)
      await orUnavailable(activate(books.queries, id, now()))
      wake()
      return json(200, { ok: true, subscription: describeOwn(await found(params, context)) }, privateNoStore)
    },

    async testWebhook({ params }, context) {
      const { id } = await found(params, context)
      const deliveryId = deliveryIdOf(await orUnavailable(sendTest(books, id)))
      wake()
      return json(200, { ok: true, delivery_id: deliveryId }, privateNoStore)
    },

    async resendWebhook({ params }, context) {
      const { id } = await found(params, context)
      const wanted = z.guid().safeParse(params.deliveryId)
      const sent = wanted.success ? await orUnavailable(resend(books, id, wanted.data)) : 'unknown'
      const deliveryId = deliveryIdOf(sent)
      wake()
      return json(200, { ok: true, delivery_id: deliveryId }, privateNoStore)
    },
  }
}

function ownerOf({ holder }: Pick<HandlerContext, 'holder'>): string {
  if (!holder) throw new Error('the subscriptions of a key were asked for without one')
  return holder.subject
}
