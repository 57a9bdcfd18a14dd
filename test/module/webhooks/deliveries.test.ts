import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../../src/doors/keys/keys.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { maxByHand, resend, sendTest } from '../../../src/products/webhooks/deliveries/by-hand.ts'
import {
  type Claimed,
  claimDue,
  claimHeld,
  giveBack,
} from '../../../src/products/webhooks/deliveries/claim.ts'
import { fanOut } from '../../../src/products/webhooks/deliveries/fan-out.ts'
import { lastDeliveries } from '../../../src/products/webhooks/deliveries/find-deliveries.ts'
import { forgetDeliveries } from '../../../src/products/webhooks/deliveries/forget.ts'
import { record } from '../../../src/products/webhooks/deliveries/outcome.ts'
import type { Answer } from '../../../src/products/webhooks/deliveries/schedule.ts'
import { findSubscription } from '../../../src/products/webhooks/subscriptions/find-subscriptions.ts'
import { activate, pause, subscribe } from '../../../src/products/webhooks/subscriptions/subscriptions.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'
import { box } from '../../support/webhooks/box.ts'
import { deliveriesOf, happened, subscribed } from '../../support/webhooks/hooks.ts'

const leaseMs = 60_000
const dayMs = 86_400_000
const accepted: Answer = { kind: 'answered', status: 200, text: 'thanks' }
const refused: Answer = { kind: 'answered', status: 500, text: 'oh no' }

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('deliveries in %s', (_driver, open) => {
  let opened: Opened
  /** The test clock, which only the tests move. */
  const clock = { time: Date.UTC(2026, 10, 21), now: () => clock.time }
  let books: Books
  /** The same store through another connection. */
  let others: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    others = { queries: opened.other.queries, clock }
  })
  beforeEach(async () => {
    await books.queries.deleteFrom('outbox').execute()
    await books.queries.deleteFrom('webhookSubscriptions').execute()
  })
  afterAll(() => opened.close())

  const terms = { perHost: 100, max: 100, full: [], leaseMs }
  const claim = (from = books) => claimDue(from, terms)
  const claimOne = async (): Promise<Claimed> => {
    const [one] = [...(await claim()), ...(await claimHeld(books, terms))]
    if (!one) throw new Error('no delivery was due')
    return one
  }
  const now = () => new Date(clock.now())
  const stateOf = async (id: string) => {
    const row = await findSubscription(books, id, 'all')
    return { status: row?.status, reason: row?.disabledReason }
  }

  describe('of an event', () => {
    test('are made for each subscription that asked for it and may see it, and for no other', async () => {
      const key = (await createKey(books, { tier: 'a', owner: '', label: '', chainId: 1, expiresAt: null }))
        .key.id
      const mine = await subscribed(books, { owner: `key:${key}` })
      const stranger = await subscribed(books)
      const anonymous = await subscribed(books, { owner: 'client:192.0.2.7', isAnonymous: true })
      const deaf = await subscribed(books, { owner: `key:${key}`, events: ['scan.failed'] })
      const paused = await subscribed(books, { owner: `key:${key}` })
      await pause(books.queries, paused.id, now())
      const open = await happened(books)
      const own = await happened(books, 'scan.completed', `key:${key}`)
      await fanOut(books)
      const eventsOf = async (one: { id: string }) =>
        (await deliveriesOf(books, one)).map(({ eventId }) => eventId)
      expect((await eventsOf(mine)).sort()).toEqual([open, own].sort())
      expect(await eventsOf(stranger)).toEqual([open])
      expect(await eventsOf(anonymous)).toEqual([open])
      expect(await eventsOf(deaf)).toEqual([])
      expect(await eventsOf(paused)).toEqual([])
    })

    test('are not made for a key that was revoked, and not after a subscription has expired', async () => {
      const key = (await createKey(books, { tier: 'a', owner: '', label: '', chainId: 1, expiresAt: null }))
        .key.id
      const revoked = await subscribed(books, { owner: `key:${key}` })
      const anonymous = await subscribed(books, { owner: 'client:192.0.2.8', isAnonymous: true })
      await revokeKey(books, key)
      clock.time += 31 * dayMs
      await happened(books)
      await fanOut(books)
      expect(await deliveriesOf(books, revoked)).toEqual([])
      expect(await deliveriesOf(books, anonymous)).toEqual([])
    })

    test('are made once, though two gateways make them at the same time and again', async () => {
      const one = await subscribed(books)
      for (let count = 0; count < 30; count += 1) await happened(books)
      await Promise.all([fanOut(books), fanOut(others), fanOut(books), fanOut(others)])
      while ((await fanOut(books)) > 0) await fanOut(others)
      const events = (await deliveriesOf(books, one)).map(({ eventId }) => eventId)
      expect(events).toHaveLength(30)
      expect(new Set(events).size).toBe(30)
    })

    test('are not made when the change that it tells of is undone', async () => {
      await subscribed(books)
      const undone = books.queries.transaction().execute(async (queries) => {
        await happened({ queries, clock })
        throw new Error('the change failed')
      })
      await expect(undone).rejects.toThrow('the change failed')
      expect(await fanOut(books)).toBe(0)
    })

    test('that no subscription asked for is worked on once', async () => {
      await happened(books)
      expect(await fanOut(books)).toBe(1)
      expect(await fanOut(books)).toBe(0)
    })
  })

  describe('that are due', () => {
    test('are claimed by one of two gateways each', async () => {
      const one = await subscribed(books)
      for (let count = 0; count < 20; count += 1) await happened(books)
      await fanOut(books)
      const few = { ...terms, perHost: 7 }
      const claims = await Promise.all([claimDue(books, few), claimDue(others, few), claimDue(books, few)])
      const ids = [...claims.flat(), ...(await claim())].map(({ id }) => id)
      expect(new Set(ids).size).toBe(20)
      expect(ids).toHaveLength(20)
      expect(await deliveriesOf(books, one)).toHaveLength(20)
    })

    test('are claimed again when the lease has ended, and the first gateway’s outcome no longer counts', async () => {
      const one = await subscribed(books)
      await happened(books)
      await fanOut(books)
      const first = await claimOne()
      expect(await claim(others)).toEqual([])
      clock.time += leaseMs + 1
      const [second] = await claim(others)
      expect(second).toMatchObject({ id: first.id, claims: 2 })
      await record(books, first, refused, 0.5)
      expect(await deliveriesOf(books, one)).toMatchObject([
        { status: 'pending', attempts: 0, isLeased: true },
      ])
      if (second) await record(others, second, accepted, 0.5)
      expect(await deliveriesOf(books, one)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    })

    test('to a host that is busy leave the turn to other hosts', async () => {
      const slow = await subscribed(books, { url: 'https://slow.example.com/' })
      const quick = await subscribed(books, { url: 'https://quick.example.com/' })
      for (let count = 0; count < 300; count += 1) await happened(books)
      await books.queries
        .updateTable('webhookSubscriptions')
        .set({ events: ['scan.failed'] })
        .where('id', '=', slow.id)
        .execute()
      while ((await fanOut(books)) > 0);
      await happened(books, 'scan.failed')
      await fanOut(books)
      // The later delivery of the other host lies behind more than a window of the busy one.
      const claimed = await claimDue(books, { ...terms, full: ['quick.example.com:443'] })
      expect(claimed.map(({ subscription }) => subscription.id)).toEqual([slow.id])
      expect((await claimDue(books, { ...terms, perHost: 8 })).map(({ host }) => host)).toEqual(
        Array(8).fill('quick.example.com:443'),
      )
      expect(await deliveriesOf(books, quick)).toHaveLength(300)
    })

    test.each(['revoked', 'expired'])('to a key that was %s meanwhile are dropped', async (ending) => {
      const expiresAt = ending === 'expired' ? new Date(clock.time + 60_000) : null
      const { id } = (await createKey(books, { tier: 'a', owner: '', label: '', chainId: 1, expiresAt })).key
      const proven = await subscribed(books, { owner: `key:${id}` })
      const unproven = await subscribed(books, { owner: `key:${id}`, isProven: false })
      const other = await subscribed(books)
      await happened(books)
      await fanOut(books)
      if (ending === 'revoked') await revokeKey(books, id)
      clock.time += 60_000
      const claimed = [...(await claim()), ...(await claimHeld(books, terms))]
      expect(claimed.map(({ subscription }) => subscription.id)).toEqual([other.id])
      for (const one of [proven, unproven]) {
        expect(await deliveriesOf(books, one)).toMatchObject([
          { status: 'dropped', isLeased: false, attempts: 0, endedAt: now(), error: expect.any(String) },
        ])
      }
    })

    test('are free for another gateway at once when they are given back', async () => {
      await subscribed(books)
      await happened(books)
      await fanOut(books)
      await giveBack(books, await claim())
      expect(await claim(others)).toMatchObject([{ attempts: 0, claims: 2 }])
    })
  })

  describe('an attempt', () => {
    test('that fails is repeated after the pause, with the answer kept', async () => {
      const one = await subscribed(books)
      await happened(books)
      await fanOut(books)
      await record(books, await claimOne(), refused, 0.5)
      const [row] = await lastDeliveries(books, one.id, 10)
      expect(row).toMatchObject({ status: 'pending', attempts: 1, answerStatus: 500, answer: 'oh no' })
      expect(row?.error).toMatch(/500/)
      expect(row?.dueAt.getTime()).toBe(clock.time + 5_000)
      expect(await claim()).toEqual([])
      clock.time += 5_000
      await record(books, await claimOne(), accepted, 0.5)
      expect(await deliveriesOf(books, one)).toMatchObject([
        { status: 'delivered', attempts: 2, error: null },
      ])
    })

    test('is the last one after seven repetitions', async () => {
      const one = await subscribed(books)
      await happened(books)
      await fanOut(books)
      for (let count = 0; count < 8; count += 1) {
        await record(books, await claimOne(), refused, 0.5)
        clock.time += 10 * 3_600_000
      }
      expect(await deliveriesOf(books, one)).toMatchObject([{ status: 'failed', attempts: 8 }])
      expect(await claim()).toEqual([])
      expect(await stateOf(one.id)).toEqual({ status: 'active', reason: null })
    })

    test('that is answered with 410 disables the subscription and drops what waits', async () => {
      const one = await subscribed(books)
      for (let count = 0; count < 3; count += 1) await happened(books)
      await fanOut(books)
      await record(books, await claimOne(), { kind: 'answered', status: 410, text: '' }, 0.5)
      expect(await stateOf(one.id)).toEqual({ status: 'disabled', reason: 'gone' })
      const states = (await deliveriesOf(books, one)).map(({ status }) => status).sort()
      expect(states).toEqual(['dropped', 'dropped', 'failed'])
      await happened(books)
      await fanOut(books)
      expect(await deliveriesOf(books, one)).toHaveLength(3)
    })

    test('that fails five days after the first failure, with no success between, disables the subscription', async () => {
      const failing = await subscribed(books)
      const failOnce = async () => {
        await happened(books)
        await fanOut(books)
        await record(books, await claimOne(), refused, 0.5)
        await books.queries.deleteFrom('outbox').execute()
      }
      await failOnce()
      clock.time += 3 * dayMs
      await happened(books)
      await fanOut(books)
      await record(books, await claimOne(), accepted, 0.5)
      clock.time += 3 * dayMs
      await failOnce()
      expect(await stateOf(failing.id)).toEqual({ status: 'active', reason: null })
      clock.time += 5 * dayMs
      await failOnce()
      expect(await stateOf(failing.id)).toEqual({ status: 'disabled', reason: 'failing' })
    })
  })

  describe('a receiver that has accepted nothing yet', () => {
    test('gets one delivery at a time, in the pauses of that one, and all others once it accepts', async () => {
      const one = await subscribed(books, { isProven: false })
      for (let count = 0; count < 5; count += 1) await happened(books)
      await fanOut(books)
      expect(await claim()).toEqual([])
      const [probe, ...more] = await claimHeld(books, terms)
      expect(more).toEqual([])
      expect(await claimHeld(others, terms)).toEqual([])
      if (probe) await record(books, probe, refused, 0.5)
      expect(await claimHeld(books, terms)).toEqual([])
      clock.time += 5_000
      const [again] = await claimHeld(books, terms)
      expect(again?.id).toBe(probe?.id)
      if (again) await record(books, again, accepted, 0.5)
      expect(await claim()).toHaveLength(4)
      expect((await findSubscription(books, one.id, 'all'))?.provenAt).toEqual(now())
    })

    test('keeps at most 1000 deliveries waiting', async () => {
      const one = await subscribed(books, { isProven: false })
      await books.queries.transaction().execute(async (queries) => {
        for (let count = 0; count < 1_050; count += 1) await happened({ queries, clock })
      })
      while ((await fanOut(books)) > 0);
      const { length } = await deliveriesOf(books, one)
      // One statement may exceed the bound by its own events.
      expect(length).toBeGreaterThanOrEqual(1_000)
      expect(length).toBeLessThanOrEqual(1_100)
      await happened(books)
      await fanOut(books)
      expect(await deliveriesOf(books, one)).toHaveLength(length)
    })
  })

  test('a subscription without a key gets its deliveries a second apart, also when its receiver works', async () => {
    await subscribed(books, { owner: 'client:192.0.2.9', isAnonymous: true })
    for (let count = 0; count < 3; count += 1) await happened(books)
    await fanOut(books)
    for (let count = 0; count < 3; count += 1) {
      expect(await claim()).toEqual([])
      const [one, ...more] = await claimHeld(books, terms)
      expect(more).toEqual([])
      if (one) await record(books, one, accepted, 0.5)
      expect(await claimHeld(books, terms)).toEqual([])
      clock.time += 1_000
    }
  })

  test('a paused subscription gets nothing, and what was due before goes out when it is resumed', async () => {
    const one = await subscribed(books)
    await happened(books)
    await fanOut(books)
    await pause(books.queries, one.id, now())
    await happened(books)
    await fanOut(books)
    expect([...(await claim()), ...(await claimHeld(books, terms))]).toEqual([])
    await activate(books.queries, one.id, now())
    expect(await claim()).toHaveLength(1)
    expect(await deliveriesOf(books, one)).toHaveLength(1)
  })

  describe('by hand', () => {
    test('a test delivery is sent to its subscription only', async () => {
      const one = await subscribed(books, { events: ['scan.failed'] })
      const other = await subscribed(books)
      expect(await sendTest(books, one.id)).toEqual({ deliveryId: expect.any(String) })
      await fanOut(books)
      expect(await claimOne()).toMatchObject({ type: 'webhook.test', data: { subscription_id: one.id } })
      expect(await deliveriesOf(books, other)).toEqual([])
    })

    test('a delivery is sent again with the id of its event and all of its attempts', async () => {
      const one = await subscribed(books)
      const eventId = await happened(books)
      await fanOut(books)
      const { id } = await claimOne()
      await record(books, { ...(await again(id)) }, accepted, 0.5)
      expect(await resend(books, one.id, id)).toEqual({ deliveryId: id })
      expect(await claimOne()).toMatchObject({ id, eventId, attempts: 0 })
      const other = await subscribed(books)
      expect(await resend(books, other.id, id)).toBe('unknown')

      async function again(wanted: string): Promise<Claimed> {
        clock.time += leaseMs + 1
        const [claimed] = await claim()
        expect(claimed?.id).toBe(wanted)
        if (!claimed) throw new Error('the lease did not end')
        return claimed
      }
    })

    test('a subscription gets at most ten in a minute, though they are asked for at once', async () => {
      const one = await subscribed(books)
      const sent = await Promise.all(Array.from({ length: 15 }, () => sendTest(books, one.id)))
      expect(sent.filter((answer) => answer === 'too many')).toHaveLength(15 - maxByHand)
      clock.time += 60_001
      expect(await sendTest(books, one.id)).toEqual({ deliveryId: expect.any(String) })
    })

    test('a subscription that is paused gets none', async () => {
      const one = await subscribed(books)
      await pause(books.queries, one.id, now())
      expect(await sendTest(books, one.id)).toBe('not active')
    })
  })

  test('deliveries that ended are forgotten after a time, and events that wait for no delivery', async () => {
    const one = await subscribed(books)
    const told = await happened(books)
    await fanOut(books)
    await record(books, await claimOne(), accepted, 0.5)
    const waiting = await happened(books)
    await fanOut(books)
    clock.time += dayMs
    const before = now()
    await happened(books)
    await fanOut(books)
    await forgetDeliveries(books, before)
    const left = await books.queries.selectFrom('outbox').select('id').execute()
    expect(left).toContainEqual({ id: waiting })
    expect(left).not.toContainEqual({ id: told })
    expect(await deliveriesOf(books, one)).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  })

  test('twenty requests at once make no more subscriptions than the limit allows', async () => {
    const ask = (index: number, from: Books, owner: string, isAnonymous: boolean) => {
      const asked = {
        url: `https://example.com/${index}`,
        host: 'example.com:443',
        site: 'example.com',
        events: ['scan.failed'] as const,
        secret: undefined,
        metadata: {},
      }
      return subscribe(from, box, { owner, isAnonymous }, asked, { perKey: 7, perClient: 3 })
    }
    const all = (owner: string, isAnonymous: boolean) =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => ask(index, index % 2 ? books : others, owner, isAnonymous)),
      )
    const made = (answers: Awaited<ReturnType<typeof all>>) =>
      answers.filter((answer) => 'id' in answer).length
    expect(made(await all('oidc:a', false))).toBe(7)
    expect(made(await all('client:192.0.2.10', true))).toBe(3)
    // Five without a key at one website, from all addresses together.
    expect(made(await all('client:192.0.2.11', true))).toBe(2)
    expect(made(await all('client:192.0.2.12', true))).toBe(0)
    expect(made(await all('oidc:b', false))).toBe(7)
  })

  test('a disabled subscription without a key that wakes again needs a place at its website', async () => {
    const ask = async (index: number) => {
      const asked = {
        ...{ url: `https://crowd.example/${index}`, host: 'crowd.example:443', site: 'crowd.example' },
        ...{ events: ['scan.failed'] as const, secret: undefined, metadata: {} },
      }
      const owner = { owner: `client:192.0.2.${index}`, isAnonymous: true }
      return await subscribe(books, box, owner, asked, { perKey: 1, perClient: 1 })
    }
    for (let index = 0; index < 5; index += 1) expect(await ask(index)).toMatchObject({ status: 'active' })
    await books.queries.updateTable('webhookSubscriptions').set({ status: 'disabled' }).execute()
    for (let index = 5; index < 9; index += 1) expect(await ask(index)).toMatchObject({ status: 'active' })
    expect(await ask(0)).toMatchObject({ status: 'active' })
    expect(await ask(1)).toEqual({ limit: 'site', max: 5 })
    expect(await ask(0)).toMatchObject({ status: 'active' })
  })

  test('the holder of a key has one subscription for an address; without a key only the same request renews', async () => {
    const asked = {
      url: 'https://example.org/',
      host: 'example.org:443',
      site: 'example.org',
      events: ['scan.failed'] as const,
      secret: 'a first secret',
      metadata: {},
    }
    const limits = { perKey: 9, perClient: 9 }
    const ask = async (isAnonymous: boolean, secret: string) => {
      const made = await subscribe(
        books,
        box,
        { owner: 'someone', isAnonymous },
        { ...asked, secret },
        limits,
      )
      if ('limit' in made) throw new Error('the limit is reached')
      return made.id
    }
    const keyed = await ask(false, 'a first secret')
    expect(await ask(false, 'another secret')).toBe(keyed)
    const { secret } = await books.queries
      .selectFrom('webhookSubscriptions')
      .select('secret')
      .where('id', '=', keyed)
      .executeTakeFirstOrThrow()
    expect(secret && (await box.open(secret, keyed))).toBe('another secret')
    const anonymous = await ask(true, 'a first secret')
    expect(await ask(true, 'a first secret')).toBe(anonymous)
    expect(await ask(true, 'another secret')).not.toBe(anonymous)
  })
})
