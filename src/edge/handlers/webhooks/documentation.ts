import { z } from 'zod'
import { maxByHand } from '../../../products/webhooks/deliveries/by-hand.ts'
import { maxWaiting } from '../../../products/webhooks/deliveries/fan-out.ts'
import { jitter, maxFailingMs, retryDelaysMs } from '../../../products/webhooks/deliveries/schedule.ts'
import { deadlineMs } from '../../../products/webhooks/deliveries/send.ts'
import { describeEvents } from '../../../products/webhooks/events/payload.ts'
import { secretForm } from '../../../products/webhooks/subscriptions/secrets.ts'
import {
  anonymousDays,
  maxAnonymousPerSite,
  type SubscriptionLimits,
} from '../../../products/webhooks/subscriptions/subscriptions.ts'

/**
 * GET /api/webhooks/subscribe: what a program needs to subscribe and to receive. Numbers come from the code that obeys
 * them.
 */

const texts = z.record(z.string(), z.string())

export const documentationSchema = z.strictObject({
  description: z.string(),
  events: z.array(
    z.strictObject({
      event: z.string(),
      meaning: z.string(),
      payload: z.strictObject({
        type: z.string(),
        event: z.string(),
        timestamp: z.string(),
        data: z.unknown(),
      }),
    }),
  ),
  subscribe: z.strictObject({
    request: z.string(),
    fields: texts,
    examples: z.array(z.record(z.string(), z.unknown())),
    reply: z.string(),
    who_gets_what: z.string(),
  }),
  delivery: z.strictObject({
    request: z.string(),
    headers: texts,
    accepted: z.string(),
    retries_seconds: z.array(z.number()),
    retry_jitter: z.number(),
    rules: z.array(z.string()),
  }),
  signature: z.strictObject({
    standard: z.string(),
    signed_content: z.string(),
    key: z.string(),
    verify: z.string(),
  }),
  manage: texts,
  limits: z.record(z.string(), z.union([z.number(), z.string()])),
})

const one = '/api/webhooks/subscriptions/{subscriptionId}'

export function webhookDocumentation({
  perKey,
  perClient,
}: SubscriptionLimits): z.infer<typeof documentationSchema> {
  return {
    description:
      'Subscribe an https address to events, and the service sends each event to it as a POST with a JSON body, by Standard Webhooks 1.0.0 (https://www.standardwebhooks.com).',
    events: describeEvents().map((described) => ({ ...described })),
    subscribe: {
      request: 'POST /api/webhooks/subscribe',
      fields: {
        callback_url: 'required, unless url is there: the https address that receives the events',
        url: 'the same by its other name; both are refused when they differ',
        events:
          'required: names of events. scan.complete and scan.error are taken for scan.completed and scan.failed. An event that is named twice counts once.',
        secret: `optional: ${secretForm}. Without it deliveries are not signed. It is kept encrypted and never shown.`,
        metadata: 'optional: an object of texts, which is kept with the subscription',
      },
      examples: [
        {
          callback_url: 'https://example.com/hooks',
          events: ['scan.completed', 'scan.failed'],
          secret: 'at least 8 characters',
        },
        { url: 'https://example.com/hooks', events: ['scan.complete', 'scan.error'] },
      ],
      reply:
        '201 with {"ok": true, "subscription": {"id", "status", "callback_url", "events", "created_at"}}, with the names in their first form.',
      who_gets_what: `Events of scans that were made without a key, of the directory and of analytics go to every subscription that asks for them; events of a scan that was made with a key go to subscriptions of that key only. A key has one subscription for each address: another request for the address replaces events, secret and metadata, and wakes a disabled subscription. A subscription without a key ends after ${anonymousDays} days unless the same request renews it, and gets one delivery at a time, a second apart.`,
    },
    delivery: {
      request: 'POST to your address, with a JSON body as the payloads above.',
      headers: {
        'webhook-id':
          'the id of the event. It is the same in every attempt and when a delivery is sent again: use it to leave out what you have handled.',
        'webhook-timestamp': 'when this attempt was made, in Unix seconds',
        'webhook-signature': 'v1, and the signature in base64; only with a secret',
      },
      accepted: `Any status from 200 to 299 within ${deadlineMs / 1_000} seconds.`,
      retries_seconds: retryDelaysMs.map((delayMs) => delayMs / 1_000),
      retry_jitter: jitter,
      rules: [
        'Each event is delivered at least once, and events may come in another order than they happened: timestamp says when each did.',
        'Redirects are not followed; they count as failures.',
        'With 429 or 503, a Retry-After of up to 24 hours delays the next attempt; it never comes sooner than planned.',
        '410 disables the subscription at once.',
        `A receiver that only failed for ${maxFailingMs / 86_400_000} days is disabled.`,
        'Until your receiver has accepted a first delivery, it gets one delivery at a time.',
        'Each attempt checks the address again: an address that leads into a private network gets nothing.',
      ],
    },
    signature: {
      standard: 'Standard Webhooks 1.0.0, symmetric (v1): HMAC-SHA256, in base64',
      signed_content: '{webhook-id}.{webhook-timestamp}.{body}, with the body as it was received',
      key: 'A secret that begins with whsec_: the bytes that its base64 stands for. Any other secret: its characters as they are.',
      verify:
        "With the library standardwebhooks: new Webhook('whsec_…') for such a secret, new Webhook(secret, { format: 'raw' }) for any other; then verify(body, headers). Refuse timestamps that are more than five minutes off.",
    },
    manage: {
      'GET /api/webhooks/subscriptions':
        'Your subscriptions. This and all below need the API key that subscribed.',
      [`GET ${one}`]: 'One subscription with its last deliveries and what your receiver answered.',
      [`POST ${one}/pause`]:
        'Sends nothing until you resume it. Deliveries that are due wait; events in the meantime are left out.',
      [`POST ${one}/resume`]: 'Goes on after a pause, or after it was disabled.',
      [`POST ${one}/test`]: 'Sends webhook.test.',
      [`POST ${one}/deliveries/{deliveryId}/resend`]: 'Sends a delivery again, with the same webhook-id.',
      [`DELETE ${one}`]: 'Ends it.',
    },
    limits: {
      subscriptions_per_key: perKey,
      subscriptions_per_client_without_key: perClient,
      subscriptions_without_key_per_website: maxAnonymousPerSite,
      deliveries_by_hand_per_minute: maxByHand,
      deliveries_waiting_for_an_unproven_receiver: maxWaiting,
      answer: 'The first 4 kB of an answer are read, and its first 500 characters are kept.',
    },
  }
}
