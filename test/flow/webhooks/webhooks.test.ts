import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentationSchema } from '../../../src/edge/handlers/webhooks/documentation.ts'
import {
  inspectedSchema,
  subscribedSchema,
  subscriptionListSchema,
} from '../../../src/edge/handlers/webhooks/replies.ts'
import { eventTypes } from '../../../src/platform/store/outbox.ts'
import {
  type Caller,
  ended,
  newClient,
  newKey,
  openScanScene,
  type ScanScene,
  startScan,
  unreachableSite,
} from '../../support/scans/scan-scene.ts'
import { secret } from '../../support/webhooks/box.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

/** Subscriptions through HTTP, and what a receiver of them gets. */

let scene: ScanScene
let gateway: ScanScene['gateway']
const receivers: Receiver[] = []

beforeAll(async () => {
  for (let count = 0; count < 4; count += 1) receivers.push(await startReceiver())
  const targets = receivers.map(({ target }) => target)
  const sites = { 'public.example': 'small', 'secret.example': 'small' } as const
  scene = await openScanScene(sites, {}, targets)
  gateway = scene.gateway
})
afterAll(async () => {
  await scene.close()
  for (const receiver of receivers) await receiver.close()
})

/** A receiver that no other test uses. */
function unused(): Receiver {
  const receiver = receivers.pop()
  if (!receiver) throw new Error('there are not enough receivers')
  return receiver
}

const subscribe = (body: unknown, caller: Caller = newClient()) =>
  request(gateway.url)
    .post('/api/webhooks/subscribe')
    .set({ 'content-type': 'application/json', ...caller })
    .send(JSON.stringify(body))

async function subscribed(body: object, caller?: Caller) {
  const reply = await subscribe(body, caller)
  expect(reply.status, reply.text).toBe(201)
  return subscribedSchema.parse(reply.body).subscription
}

test('a public scan is told to a subscriber, signed, with the body of the specification', async () => {
  const receiver = unused()
  const { callback_url, status, events } = await subscribed({
    callback_url: receiver.url,
    events: ['scan.completed'],
    secret,
  })
  expect({ callback_url, status, events }).toEqual({
    callback_url: receiver.url,
    status: 'active',
    events: ['scan.completed'],
  })
  const id = await startScan(gateway, 'public.example')
  await ended(gateway, id)
  const [delivery] = await receiver.gets(1)
  expect(delivery).toMatchObject({ isGenuine: true, path: '/hooks' })
  expect(delivery?.payload).toEqual({
    type: 'scan.completed',
    event: 'scan.completed',
    timestamp: expect.any(String),
    data: {
      scan_id: id,
      domain: 'public.example',
      status: 'complete',
      scores: { readiness: expect.any(Number), aeo: expect.any(Number) },
    },
  })
})

test('a scan that was made with a key is told to that key only', async () => {
  const [mine, others] = [unused(), unused()]
  const [owner, stranger] = [await newKey(gateway), await newKey(gateway)]
  const events = ['scan.started', 'scan.completed', 'scan.failed', 'insights.updated']
  await subscribed({ callback_url: mine.url, events, secret }, owner)
  const theirs = await subscribed({ callback_url: others.url, events, secret }, stranger)
  await subscribed({ callback_url: others.url, events, secret })
  const id = await startScan(gateway, 'secret.example', owner)
  await ended(gateway, id, owner)
  await mine.gets(3)
  expect([...mine.events].sort()).toEqual(['insights.updated', 'scan.completed', 'scan.started'])
  expect(mine.received.every(({ isGenuine }) => isGenuine)).toBe(true)
  // A public scan that comes later is told to all, so nothing of the other one is on its way any more.
  const failed = await startScan(gateway, unreachableSite)
  await ended(gateway, failed)
  await others.gets(4)
  expect(others.received.filter(({ body }) => body.includes(id))).toEqual([])
  const { deliveries } = await inspected(theirs.id, stranger)
  expect(deliveries.map(({ event }) => event).sort()).toEqual(['scan.failed', 'scan.started'])
})

const asOwner = (method: 'get' | 'post' | 'delete', path: string, caller: Caller) =>
  request(gateway.url)[method](`/api/webhooks/subscriptions${path}`).set(caller)

async function inspected(id: string, caller: Caller) {
  const reply = await asOwner('get', `/${id}`, caller)
  expect(reply.status, reply.text).toBe(200)
  return inspectedSchema.parse(reply.body)
}

describe('the holder of a key', () => {
  test('lists, inspects, pauses, resumes, tries and deletes a subscription, and never sees its secret', async () => {
    const receiver = unused()
    const [owner, stranger] = [await newKey(gateway), await newKey(gateway)]
    const metadata = { team: 'sales' }
    const one = await subscribed({ url: receiver.url, events: ['scan.error'], secret, metadata }, owner)
    await subscribed({ url: 'https://example.com/b', events: ['scan.complete'] }, owner)

    const first = await asOwner('get', '?limit=1', owner)
    const second = await asOwner('get', `?limit=1&cursor=${first.body.nextCursor}`, owner)
    const listed = [first, second].flatMap(({ body }) => subscriptionListSchema.parse(body).subscriptions)
    expect(listed.map(({ events, is_signed }) => ({ events, is_signed }))).toEqual([
      { events: ['scan.completed'], is_signed: false },
      { events: ['scan.failed'], is_signed: true },
    ])
    expect(second.body.nextCursor).toBeNull()

    expect((await asOwner('post', `/${one.id}/test`, owner)).status).toBe(200)
    await receiver.gets(1)
    expect(receiver.received[0]).toMatchObject({ isGenuine: true, payload: { event: 'webhook.test' } })
    await expect
      .poll(async () => (await inspected(one.id, owner)).subscription.proven_at, {
        message: 'nothing was accepted',
      })
      .toEqual(expect.any(String))
    const { subscription, deliveries } = await inspected(one.id, owner)
    expect(subscription).toMatchObject({ metadata })
    expect(deliveries).toMatchObject([
      { event: 'webhook.test', attempts: 1, answer: { status: 204, body: '', problem: null } },
    ])

    const [delivery] = deliveries
    const again = await asOwner('post', `/${one.id}/deliveries/${delivery?.id}/resend`, owner)
    expect(again.status, again.text).toBe(200)
    await receiver.gets(2)
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)

    expect((await asOwner('post', `/${one.id}/pause`, owner)).body.subscription.status).toBe('paused')
    const refused = await asOwner('post', `/${one.id}/test`, owner)
    expect(refused).toMatchObject({ status: 409, body: { code: 'SUBSCRIPTION_NOT_ACTIVE' } })
    expect((await asOwner('post', `/${one.id}/resume`, owner)).body.subscription.status).toBe('active')

    for (const caller of [stranger, newClient()]) {
      const status = caller === stranger ? 404 : 401
      expect((await asOwner('get', `/${one.id}`, caller)).status).toBe(status)
      expect((await asOwner('post', `/${one.id}/pause`, caller)).status).toBe(status)
      expect((await asOwner('delete', `/${one.id}`, caller)).status).toBe(status)
    }
    expect((await asOwner('get', '', stranger)).body).toEqual({ subscriptions: [], nextCursor: null })

    const deleted = await asOwner('delete', `/${one.id}`, owner)
    expect(deleted).toMatchObject({ status: 200, body: { ok: true, id: one.id } })
    expect((await asOwner('get', `/${one.id}`, owner)).status).toBe(404)
    expect(JSON.stringify([first.body, subscription, deliveries]).includes(secret)).toBe(false)
    expect(gateway.logged.join('\n').includes(secret)).toBe(false)
  })

  test('gets 404 for what is no id, and 400 for a page that cannot be', async () => {
    const owner = await newKey(gateway)
    for (const id of ['1', '..%2f', '%00', 'a'.repeat(500)]) {
      expect((await asOwner('get', `/${id}`, owner)).status).toBe(404)
      expect((await asOwner('delete', `/${id}`, owner)).status).toBe(404)
    }
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?limit=-1',
      '?limit=1e1',
      '?cursor=zzz',
      '?status=gone',
      '?x=1',
    ]) {
      expect((await asOwner('get', query, owner)).status).toBe(400)
    }
  })

  test('is stopped at the limit of subscriptions, and can still renew those it has', async () => {
    const limited = await scene.open({ WEBHOOKS_PER_KEY: '3' })
    const owner = await newKey(limited)
    const ask = (index: number) =>
      request(limited.url)
        .post('/api/webhooks/subscribe')
        .set(owner)
        .send({ url: `https://example.com/${index}`, events: ['scan.failed'] })
    for (let index = 0; index < 3; index += 1) expect((await ask(index)).status).toBe(201)
    expect(await ask(3)).toMatchObject({
      status: 409,
      body: { code: 'SUBSCRIPTION_LIMIT', details: { max: 3 } },
    })
    expect((await ask(0)).status).toBe(201)
  })
})

test('a caller without a key is limited in subscriptions, and in requests by rate', async () => {
  const caller = newClient()
  const ask = (index: number) => subscribe({ url: `https://a${index}.com/`, events: ['scan.failed'] }, caller)
  const replies = []
  for (let index = 0; index < 12; index += 1) replies.push(await ask(index))
  expect(replies.map(({ status }) => status)).toEqual([
    ...Array(5).fill(201),
    ...Array(5).fill(409),
    ...Array(2).fill(429),
  ])
})

describe('a faulty subscription', () => {
  test.each<[string, unknown]>([
    ['an address that is not https', { url: 'http://example.com/', events: ['scan.failed'] }],
    ['a private address', { url: 'https://169.254.169.254/', events: ['scan.failed'] }],
    ['no events', { url: 'https://example.com/', events: [] }],
    ['an unknown field', { url: 'https://example.com/', events: ['scan.failed'], isAdmin: true }],
    ['a list for a body', []],
    ['null for a body', null],
  ])('with %s is refused with field and expected', async (_what, body) => {
    expect(await subscribe(body)).toMatchObject({
      status: 400,
      body: {
        error: 'bad_request',
        code: 'VALIDATION_ERROR',
        details: { field: expect.any(String), expected: expect.any(String) },
      },
    })
  })

  test('that is no JSON, or too large, is refused', async () => {
    const send = (body: string) =>
      request(gateway.url).post('/api/webhooks/subscribe').set('content-type', 'application/json').send(body)
    expect((await send('{')).status).toBe(400)
    expect((await send(JSON.stringify({ url: 'a'.repeat(200_000) }))).status).toBe(413)
  })
})

test('the documentation names every event with a payload, both forms, the signature and the retries', async () => {
  const reply = await request(gateway.url).get('/api/webhooks/subscribe')
  const documentation = documentationSchema.parse(reply.body)
  expect(documentation.events.map(({ event }) => event)).toEqual([...eventTypes, 'webhook.test'])
  for (const { event, payload } of documentation.events) expect(payload).toMatchObject({ type: event, event })
  expect(documentation.delivery.retries_seconds).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
  for (const example of documentation.subscribe.examples) {
    expect((await subscribe(example, await newKey(gateway))).status).toBe(201)
  }
  const again = await request(gateway.url)
    .get('/api/webhooks/subscribe')
    .set('if-none-match', reply.headers.etag ?? '')
  expect(again.status).toBe(304)
})
