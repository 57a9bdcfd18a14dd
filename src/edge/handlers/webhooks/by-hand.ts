import { z } from 'zod'
import { resend, sendTest } from '../../../products/webhooks/deliveries/by-hand.ts'
import {
  removeSubscription,
  type Whose,
} from '../../../products/webhooks/subscriptions/find-subscriptions.ts'
import { activate, pause, type Subscription } from '../../../products/webhooks/subscriptions/subscriptions.ts'
import type { WebhookParts } from './subscribe.ts'
import {
  deliveryIdOf,
  type deliveryParams,
  namedSubscription,
  orUnavailable,
  type subscriptionParams,
} from './view.ts'

type Named = z.infer<typeof subscriptionParams>

/**
 * What a holder of a key does with its own subscriptions and the operator with those of all: the endpoints of both
 * differ in who may name a subscription and in what they show of it.
 *
 * @throws GatewayError SUBSCRIPTION_NOT_FOUND, WEBHOOKS_UNAVAILABLE, and for a delivery: see `deliveryIdOf`.
 */
export function subscriptionsByHand({ books, wake }: Pick<WebhookParts, 'books' | 'wake'>) {
  const now = () => new Date(books.clock.now())
  const find = (named: Named, whose: Whose) => namedSubscription(books, named, whose)
  return {
    find,

    async pause(named: Named, whose: Whose): Promise<Subscription> {
      const { id } = await find(named, whose)
      await orUnavailable(pause(books.queries, id, now()))
      return find(named, whose)
    },

    async resume(named: Named, whose: Whose): Promise<Subscription> {
      const { id } = await find(named, whose)
      await orUnavailable(activate(books.queries, id, now()))
      wake()
      return find(named, whose)
    },

    /** @returns the id of the subscription that is gone. */
    async remove(named: Named, whose: Whose): Promise<string> {
      const { id } = await find(named, whose)
      await orUnavailable(removeSubscription(books, id))
      return id
    },

    /** @returns the id of the delivery. */
    async test(named: Named, whose: Whose): Promise<string> {
      const { id } = await find(named, whose)
      const deliveryId = deliveryIdOf(await orUnavailable(sendTest(books, id)))
      wake()
      return deliveryId
    },

    /** @returns the id of the delivery, which keeps its webhook-id. */
    async resend(named: z.infer<typeof deliveryParams>, whose: Whose): Promise<string> {
      const { id } = await find(named, whose)
      const wanted = z.guid().safeParse(named.deliveryId)
      const sent = wanted.success ? await orUnavailable(resend(books, id, wanted.data)) : 'unknown'
      const deliveryId = deliveryIdOf(sent)
      wake()
      return deliveryId
    },
  }
}
