import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { FetchError, type Fetched, type FetchOptions } from '../../../src/platform/net/fetch.ts'
import type { Claimed } from '../../../src/products/webhooks/deliveries/claim.ts'
import { send, unreadableSecret } from '../../../src/products/webhooks/deliveries/send.ts'
import { SecretBox } from '../../../src/products/webhooks/subscriptions/secrets.ts'

const box = new SecretBox(async () => ['a word that only this test knows'])
const id = '0f5a2c1e-6a55-4c39-8a86-6b1a4f1d9c02'
const eventId = '5b0f6f5e-7a39-4a53-9d70-0f6f3b1f2a11'

async function claimed(secret?: string): Promise<Claimed> {
  return {
    id: '9d70f6f3-7a39-4a53-9d70-0f6f3b1f2a11',
    claims: 1,
    attempts: 0,
    leaseUntil: new Date(),
    host: 'shop.example:443',
    eventId,
    type: 'scan.completed',
    happenedAt: new Date('2026-11-21T12:00:00.000Z'),
    data: { domain: 'käse.example', status: 'complete' },
    subscription: {
      id,
      url: 'https://shop.example/hooks',
      secret: secret === undefined ? null : await box.seal(secret, id),
      isAnonymous: false,
      provenAt: null,
      failingSince: null,
    },
  }
}

/** Sends to a far end that answers 200. */
async function sent(one: Claimed, secrets = box, clock = { now: () => Date.now() }) {
  const requests: FetchOptions[] = []
  const response = { status: 200, headers: {}, body: Buffer.from('thanks\0') }
  const whole: Fetched = {
    ...response,
    ...{ url: '', redirects: [], isCut: false, bytes: 0, wireBytes: 0, firstByteMs: 0 },
  }
  const fetcher = {
    async fetch(_url: URL | string, options: FetchOptions = {}) {
      requests.push(options)
      return whole
    },
  }
  const answer = await send(one, { fetcher, secrets, clock }, new AbortController().signal)
  const [request] = requests
  return {
    answer,
    request,
    headers: request?.headers ?? {},
    body: Buffer.from(request?.body ?? '').toString(),
  }
}

describe('a delivery', () => {
  test.each([
    ['text', 'a plain secret, with spaces', Buffer.from('a plain secret, with spaces')],
    [
      'text of digits that is base64, too',
      'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    ],
  ])('that is signed with a secret of %s is accepted by standardwebhooks', async (_what, secret, key) => {
    const { body, headers } = await sent(await claimed(secret))
    expect(new Webhook(key, { format: 'raw' }).verify(body, headers)).toMatchObject({
      type: 'scan.completed',
    })
    expect(() => new Webhook(Buffer.from('another key'), { format: 'raw' }).verify(body, headers)).toThrow()
    expect(() => new Webhook(key, { format: 'raw' }).verify(`${body} `, headers)).toThrow()
  })

  test.each([24, 32, 64])(
    'that is signed with whsec_ and %d bytes is accepted by standardwebhooks',
    async (bytes) => {
      const secret = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
      const { body, headers } = await sent(await claimed(secret))
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event: 'scan.completed' })
    },
  )

  test('has the same webhook-id in every attempt, and the time of the attempt', async () => {
    const one = await claimed('a plain secret')
    const first = await sent(one, box, { now: () => Date.UTC(2026, 10, 21, 12, 0, 1) })
    const second = await sent({ ...one, attempts: 1 }, box, { now: () => Date.UTC(2026, 10, 21, 12, 5, 0) })
    expect([first.headers['webhook-id'], second.headers['webhook-id']]).toEqual([eventId, eventId])
    expect(first.headers['webhook-timestamp']).toBe('1795262401')
    expect(second.headers['webhook-timestamp']).toBe('1795262700')
    expect(second.body).toBe(first.body)
  })

  test('of a subscription without a secret has id and time, and no signature', async () => {
    const { headers } = await sent(await claimed())
    expect(Object.keys(headers).sort()).toEqual(['content-type', 'webhook-id', 'webhook-timestamp'])
  })

  test('whose secret cannot be opened is not sent at all', async () => {
    const { answer, request } = await sent(
      await claimed('a plain secret'),
      new SecretBox(async () => ['another word']),
    )
    expect(answer).toEqual({ kind: 'failed', problem: unreadableSecret })
    expect(request).toBeUndefined()
  })

  test('follows no redirect, reads 4 kB of the answer and ends after 15 seconds', async () => {
    const { request, answer } = await sent(await claimed())
    expect(request).toMatchObject({ maxRedirects: 0, maxBytes: 4_096, onTooLarge: 'cut', deadlineMs: 15_000 })
    // The store takes no NUL.
    expect(answer).toMatchObject({ kind: 'answered', status: 200, text: 'thanks' })
  })

  test('that the gateway breaks off says nothing about the receiver', async () => {
    const closing = AbortSignal.abort()
    const fetcher = { fetch: () => Promise.reject(new FetchError('aborted', '', 'The fetch was aborted.')) }
    const parts = { fetcher, secrets: box, clock: { now: () => Date.now() } }
    expect(await send(await claimed(), parts, closing)).toBeUndefined()
  })
})

describe('a sealed secret', () => {
  test('opens for its own subscription only', async () => {
    const sealed = await box.seal('a plain secret', id)
    expect(Buffer.from(sealed).includes('plain')).toBe(false)
    expect(await box.open(sealed, id)).toBe('a plain secret')
    expect(await box.open(sealed, eventId)).toBeUndefined()
  })

  test('opens after the word was replaced, as long as the old word stands behind the new one', async () => {
    const sealed = await box.seal('a plain secret', id)
    const replaced = new SecretBox(async () => ['a new word', 'a word that only this test knows'])
    expect(await replaced.open(sealed, id)).toBe('a plain secret')
    expect(await new SecretBox(async () => ['a new word']).open(sealed, id)).toBeUndefined()
  })
})
