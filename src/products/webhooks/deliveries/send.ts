import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../../core/clock.ts'
import { storable } from '../../../core/text/storable.ts'
import { FetchError, type Fetcher } from '../../../platform/net/fetch.ts'
import { payloadOf } from '../events/payload.ts'
import { type SecretBox, signingKeyOf } from '../subscriptions/secrets.ts'
import type { Claimed } from './claim.ts'
import { type Answer, readRetryAfter } from './schedule.ts'

/** What one attempt needs. */
export interface SendParts {
  /** Checks the address at every attempt: a name that led to a public address yesterday may lead into our network. */
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly secrets: Pick<SecretBox, 'open'>
  readonly clock: Clock
}

/** For a whole attempt. */
export const deadlineMs = 15_000
/** Of an answer, as it is read. */
const maxAnswerBytes = 4_096
/** Of an answer, as it is kept. */
const maxAnswerCharacters = 500

/**
 * Makes one attempt: a POST with the headers of Standard Webhooks 1.0.0. The id is the event's, so it is the same in
 * every attempt and a receiver can recognize what it has seen. The timestamp is the attempt's.
 * @returns undefined when `signal` ended it: then nothing is known of the outcome.
 */
export async function send(
  { eventId, type, happenedAt, data, subscription }: Claimed,
  { fetcher, secrets, clock }: SendParts,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const body = JSON.stringify(payloadOf(type, happenedAt, data))
  const at = new Date(clock.now())
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  }
  if (subscription.secret) {
    const secret = await secrets.open(subscription.secret, subscription.id)
    // Never unsigned instead: a receiver that trusts signatures must not learn to do without.
    if (secret === undefined) return { kind: 'failed', problem: unreadableSecret }
    headers['webhook-signature'] = new Webhook(signingKeyOf(secret), { format: 'raw' }).sign(
      eventId,
      at,
      body,
    )
  }
  try {
    const {
      status,
      headers: received,
      body: answer,
    } = await fetcher.fetch(subscription.url, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
      maxRedirects: 0,
      maxBytes: maxAnswerBytes,
      onTooLarge: 'cut',
      // The status is the answer. A receiver that has accepted must not get the event again for a broken body.
      onUnreadable: 'leave out',
      deadlineMs,
      signal,
    })
    return {
      kind: 'answered',
      status,
      text: storable(Buffer.from(answer).toString().slice(0, maxAnswerCharacters)),
      retryAfterMs: readRetryAfter(received['retry-after']?.[0], clock.now()),
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (signal.aborted) return undefined
    return { kind: 'failed', problem: error.message }
  }
}

export const unreadableSecret =
  'The secret of this subscription cannot be read any more. Subscribe again with a secret.'
