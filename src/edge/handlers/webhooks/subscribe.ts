import { type EndpointRows, type HandlerContext, type Handlers, noInput } from '../../../core/endpoint.ts'
import { comeBack, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import type { PrivateTarget } from '../../../platform/net/target.ts'
import type { Books } from '../../../platform/store/books.ts'
import { NoSealingKey, type SecretBox } from '../../../products/webhooks/subscriptions/secrets.ts'
import {
  readSubscription,
  subscriptionBody,
} from '../../../products/webhooks/subscriptions/subscription-request.ts'
import {
  type Subscriber,
  type SubscriptionLimits,
  subscribe,
} from '../../../products/webhooks/subscriptions/subscriptions.ts'
import { createDocument } from '../document.ts'
import { documentationSchema, webhookDocumentation } from './documentation.ts'
import { exampleSubscription, subscribedSchema } from './replies.ts'
import { describeSubscription, orUnavailable, privateNoStore } from './view.ts'

export interface WebhookParts {
  readonly books: Books
  readonly secrets: SecretBox
  readonly limits: SubscriptionLimits
  /** Private addresses that may receive events. */
  readonly allowedTargets: readonly PrivateTarget[]
  /** Looks for deliveries in a moment. */
  readonly wake: () => void
  /** The catalog in use: the documentation is written once for each. */
  readonly catalog: () => object
}

/** /api/webhooks/subscribe (specification 4.11): the documentation, and the subscription. */
export const subscribeRows = {
  getWebhookDocs: {
    ...noInput,
    method: 'GET',
    path: '/api/webhooks/subscribe',
    response: documentationSchema,
    docs: {
      summary: 'Read how webhooks work',
      details: 'Read it before you subscribe: it names every event with its payload.',
      tag: 'webhooks',
      errors: [],
      example: {},
    },
  },
  subscribeWebhook: {
    ...noInput,
    isPrivate: true,
    method: 'POST',
    path: '/api/webhooks/subscribe',
    body: subscriptionBody,
    response: subscribedSchema,
    docs: {
      summary: 'Subscribe to events',
      details:
        'The address must be public and https. With a secret, deliveries are signed by Standard Webhooks. A subscription that was made without a key ends after 30 days unless it is renewed.',
      tag: 'webhooks',
      status: 201,
      errors: ['SUBSCRIPTION_LIMIT', 'WEBHOOKS_UNAVAILABLE'],
      example: {
        body: { callback_url: 'https://example.com/hooks', events: ['scan.completed', 'scan.failed'] },
        reply: { ok: true, subscription: exampleSubscription },
      },
    },
  },
} satisfies EndpointRows

export function subscribeHandlers(parts: WebhookParts): Handlers<typeof subscribeRows> {
  const { books, secrets, limits, allowedTargets } = parts
  const documentation = createDocument(parts.catalog, () =>
    json(200, webhookDocumentation(limits), { 'cache-control': 'public, max-age=60' }),
  )
  return {
    getWebhookDocs: { document: documentation },

    subscribeWebhook: {
      refuse(body) {
        try {
          readSubscription(body ?? {}, allowedTargets)
          return undefined
        } catch (error) {
          if (error instanceof GatewayError) return error
          throw error
        }
      },
      async handle({ body }, context) {
        const asked = readSubscription(body, allowedTargets)
        const made = await orUnavailable(
          subscribe(books, secrets, subscriberOf(context), asked, limits).catch(explainNoKey),
        )
        if ('limit' in made) {
          const limit =
            made.limit === 'owner'
              ? 'subscriptions of this caller'
              : 'subscriptions without a key at this website'
          throw new GatewayError('SUBSCRIPTION_LIMIT', { limit, max: made.max })
        }
        return json(201, { ok: true, subscription: describeSubscription(made) }, privateNoStore)
      },
    },
  }
}

function subscriberOf({ holder, client }: Pick<HandlerContext, 'holder' | 'client'>): Subscriber {
  return holder
    ? { owner: holder.subject, isAnonymous: false }
    : { owner: `client:${client()}`, isAnonymous: true }
}

function explainNoKey(error: unknown): never {
  throw error instanceof NoSealingKey ? comeBack('WEBHOOKS_UNAVAILABLE', error, 60) : error
}
