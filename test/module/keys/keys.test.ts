import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaidRun } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { json } from '../../../src/core/reply.ts'
import { renewKey, sellKey } from '../../../src/doors/keys/key-sales.ts'
import { createKeyText, parseKeyText } from '../../../src/doors/keys/key-text.ts'
import {
  createKey,
  findKey,
  type KeyFilter,
  listKeys,
  type OwnKey,
  revokeKey,
  rotateKey,
} from '../../../src/doors/keys/keys.ts'
import { createKeyVerifier, type KeyVerifier } from '../../../src/doors/keys/verify.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { markPaid, markSold, release, takeUpPaid } from '../../../src/doors/ledger/payments.ts'
import { beginRefund } from '../../../src/doors/ledger/refunds.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import type { Queries } from '../../../src/platform/store/database.ts'
import type { Position } from '../../../src/platform/store/page.ts'
import {
  chainId,
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** API keys in the store, and their verification by two processes on one store. */

const minute = 60_000
const day = 86_400_000

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('keys in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let books: Books
  let store: WatchedStore
  let logged: string[]
  /** The verifier of the process that makes the changes, and of another one. */
  let here: KeyVerifier
  let elsewhere: KeyVerifier

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
  })
  beforeEach(() => {
    logged = []
    const log = createLog('debug', { write: (line: string) => void logged.push(line) })
    store = watch(opened.other.queries)
    here = createKeyVerifier({ queries: opened.one.queries, clock, chainId, log })
    elsewhere = createKeyVerifier({ queries: store.queries, clock, chainId, log })
  })
  afterAll(() => opened.close())

  const make = (change: Partial<OwnKey> = {}) =>
    createKey(books, {
      tier: 'pro',
      owner: 'ann@example.com',
      label: 'laptop',
      chainId,
      expiresAt: null,
      ...change,
    })
  const rotated = async (id: string, graceMs: number) => {
    const made = await rotateKey(books, id, graceMs)
    if (!made || made === 'revoked' || 'otherNetwork' in made) throw new Error('the key could not be rotated')
    return made.text
  }
  const verdict = async (verifier: KeyVerifier, text: string) => {
    const answer = await verifier.verify(text)
    return answer.kind === 'key' ? answer.key.id : answer.code
  }
  /** A run of a paid payment that was not served yet. */
  const paid = async (network = chainId): Promise<PaidRun> => {
    const claimed = await claim(books, newPayment({ timing: 'before', chainId: network }), limits)
    if (claimed.kind !== 'claimed') throw new Error(`the payment is ${claimed.kind}`)
    const mined = { transaction: hex(32), block: { number: 1n, hash: hex(32) }, at: new Date(clock.time) }
    await markPaid(books, claimed.held, mined, leaseMs)
    return claimed.held
  }
  const inDays = (days: number) => new Date(clock.time + days * day)
  /** A well-formed key with this id that was never made. */
  const forged = (id: string) => createKeyText(id).text

  test('a new key is accepted by every process', async () => {
    const { key, text } = await make({ label: 'phone', expiresAt: inDays(1) })
    expect(key).toEqual({
      id: parseKeyText(text)?.id,
      generation: 1,
      previousUntil: null,
      tier: 'pro',
      owner: 'ann@example.com',
      label: 'phone',
      paymentId: null,
      chainId,
      createdAt: new Date(clock.time),
      expiresAt: inDays(1),
      revokedAt: null,
      lastUsedAt: null,
    })
    for (const verifier of [here, elsewhere]) {
      expect(await verifier.verify(text)).toEqual({ kind: 'key', key })
      expect(await verifier.find(key.id)).toEqual({ kind: 'key', key })
    }
    expect(await findKey(books, key.id)).toEqual(key)
  })

  test('the store contains neither a key nor its secret, before or after a rotation', async () => {
    const { key, text } = await make()
    const newer = await rotated(key.id, minute)
    const { rows } = await sql<{ row: string }>`select keys::text as row from keys`.execute(books.queries)
    const all = rows.map(({ row }) => row).join('\n')
    expect(all).toContain(key.id)
    for (const secret of [text, newer].map((one) => one.slice(20))) expect(all).not.toContain(secret)
  })

  test('a mistyped key is refused without reading the store', async () => {
    const { text } = await make()
    const mistyped = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
    for (const wrong of [mistyped, '', 'tgk_', text.slice(0, 30), `${text}0`]) {
      expect(await verdict(elsewhere, wrong)).toBe('API_KEY_MALFORMED')
    }
    expect(store.reads).toBe(0)
  })

  test('two hundred unknown keys at once are four reads of the store', async () => {
    const texts = Array.from({ length: 200 }, () => createKeyText().text)
    const verdicts = await Promise.all(texts.map((text) => verdict(elsewhere, text)))
    expect(new Set(verdicts)).toEqual(new Set(['API_KEY_UNKNOWN']))
    expect(store.reads).toBe(4)
  })

  test('a wrong secret gets the same refusal whatever the key’s state', async () => {
    const active = await make()
    const expired = await make({ expiresAt: inDays(-1) })
    const revoked = await make()
    await revokeKey(books, revoked.key.id)
    for (const { key } of [active, expired, revoked]) {
      expect(await verdict(elsewhere, forged(key.id))).toBe('API_KEY_UNKNOWN')
    }
    expect(await verdict(elsewhere, createKeyText().text)).toBe('API_KEY_UNKNOWN')
    expect(await verdict(elsewhere, active.text)).toBe(active.key.id)
    expect(await verdict(elsewhere, expired.text)).toBe('API_KEY_EXPIRED')
    expect(await verdict(elsewhere, revoked.text)).toBe('API_KEY_REVOKED')
  })

  test('a proven holder who names the key gets its state', async () => {
    const [active, expired, revoked] = [await make(), await make({ expiresAt: inDays(0) }), await make()]
    await revokeKey(books, revoked.key.id)
    const found = await Promise.all(
      [active, expired, revoked, createKeyText()].map((one) =>
        elsewhere.find('key' in one ? one.key.id : one.id),
      ),
    )
    expect(found).toEqual([
      { kind: 'key', key: active.key },
      { kind: 'refused', code: 'API_KEY_EXPIRED' },
      { kind: 'refused', code: 'API_KEY_REVOKED' },
      { kind: 'refused', code: 'API_KEY_UNKNOWN' },
    ])
  })

  test('a key expires to the millisecond, although its read is reused', async () => {
    const { key, text } = await make({ expiresAt: new Date(clock.time + 500) })
    expect(await verdict(elsewhere, text)).toBe(key.id)
    clock.time += 499
    expect(await verdict(elsewhere, text)).toBe(key.id)
    expect(store.reads).toBe(1)
    clock.time += 1
    expect(await verdict(elsewhere, text)).toBe('API_KEY_EXPIRED')
    expect(await elsewhere.find(key.id)).toEqual({ kind: 'refused', code: 'API_KEY_EXPIRED' })
  })

  describe('a revoked key', () => {
    test('a revoked key is refused immediately where it was revoked, and within a second everywhere', async () => {
      const { key, text } = await make()
      expect(await verdict(here, text)).toBe(key.id)
      expect(await verdict(elsewhere, text)).toBe(key.id)
      clock.time += 300
      await revokeKey(books, key.id)
      here.forget(key.id)
      expect(await verdict(here, text)).toBe('API_KEY_REVOKED')
      clock.time += 600
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
      expect(await elsewhere.find(key.id)).toEqual({ kind: 'refused', code: 'API_KEY_REVOKED' })
    })

    test('a revoked key is refused elsewhere although an older read is still running', async () => {
      const { key, text } = await make()
      const held = store.holdNextRead()
      const early = verdict(elsewhere, text)
      await held.reached
      await revokeKey(books, key.id)
      clock.time += 900
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
      held.release()
      expect(await early).toBe(key.id)
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
    })

    test('a revoked key is refused where it was revoked although an older read is still running', async () => {
      const { key, text } = await make()
      const held = store.holdNextRead()
      const early = verdict(elsewhere, text)
      await held.reached
      await revokeKey(books, key.id)
      elsewhere.forget(key.id)
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
      held.release()
      await early
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
    })

    test('a revoked key is refused although the clock was set back', async () => {
      const { key, text } = await make()
      expect(await verdict(elsewhere, text)).toBe(key.id)
      await revokeKey(books, key.id)
      clock.time -= minute
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
    })

    test('a second revocation changes nothing', async () => {
      const { key } = await make({ expiresAt: inDays(1) })
      const first = await revokeKey(books, key.id)
      expect(first).toEqual({ ...key, revokedAt: new Date(clock.time) })
      clock.time += minute
      expect(await revokeKey(books, key.id)).toEqual(first)
      expect(await rotateKey(books, key.id, 0)).toBe('revoked')
      expect(await renewKey(books, key.id, 30, await paid())).toBeUndefined()
      expect(await findKey(books, key.id)).toEqual(first)
    })
  })

  describe('a rotated key', () => {
    test('a rotated key is accepted with the new secret everywhere, and with the old one during the grace', async () => {
      const { key, text } = await make({ expiresAt: inDays(1) })
      expect(await verdict(elsewhere, text)).toBe(key.id)
      clock.time += 50
      const newer = await rotated(key.id, minute)
      const until = clock.time + minute
      expect(await findKey(books, key.id)).toEqual({
        ...key,
        generation: 2,
        previousUntil: new Date(until),
      })
      expect(await verdict(elsewhere, newer)).toBe(key.id)
      expect(await verdict(elsewhere, text)).toBe(key.id)
      clock.time = until - 1
      expect(await verdict(elsewhere, text)).toBe(key.id)
      clock.time = until
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
      expect(await verdict(elsewhere, newer)).toBe(key.id)
      expect(await verdict(elsewhere, forged(key.id))).toBe('API_KEY_UNKNOWN')
    })

    test('a rotated key without grace is refused with the old secret, even by a clock that is behind', async () => {
      const { key, text } = await make()
      const newer = await rotated(key.id, 0)
      clock.time -= 10_000
      expect(await verdict(elsewhere, text)).toBe('API_KEY_REVOKED')
      expect(await verdict(elsewhere, newer)).toBe(key.id)
    })

    test('a key that is rotated twice is refused with the first secret, grace or not', async () => {
      const { key, text } = await make()
      const second = await rotated(key.id, minute)
      const third = await rotated(key.id, minute)
      expect(await verdict(elsewhere, text)).toBe('API_KEY_UNKNOWN')
      expect(await verdict(elsewhere, second)).toBe(key.id)
      expect(await verdict(elsewhere, third)).toBe(key.id)
    })

    test('a key that is rotated twenty times at once is accepted with one secret alone', async () => {
      const { key } = await make()
      const texts = await Promise.all(Array.from({ length: 20 }, () => rotated(key.id, 0)))
      const verdicts = await Promise.all(texts.map((text) => verdict(elsewhere, text)))
      expect(verdicts.filter((one) => one === key.id)).toHaveLength(1)
    })

    test('an expired or revoked key is so with both secrets', async () => {
      const { key, text } = await make({ expiresAt: inDays(1) })
      const newer = await rotated(key.id, 10 * day)
      clock.time += day
      for (const one of [text, newer]) expect(await verdict(elsewhere, one)).toBe('API_KEY_EXPIRED')
      await revokeKey(books, key.id)
      elsewhere.forget(key.id)
      for (const one of [text, newer]) expect(await verdict(elsewhere, one)).toBe('API_KEY_REVOKED')
    })

    test('an unknown key cannot be rotated', async () => {
      const { id } = createKeyText()
      expect(await rotateKey(books, id, 0)).toBeUndefined()
      expect(await revokeKey(books, id)).toBeUndefined()
      expect(await renewKey(books, id, 1, await paid())).toBeUndefined()
      expect(await findKey(books, id)).toBeUndefined()
    })
  })

  describe('a renewal', () => {
    test('a renewal extends from the expiry, and from now after the expiry', async () => {
      const { key } = await make({ expiresAt: inDays(10) })
      expect((await renewKey(books, key.id, 30, await paid()))?.expiresAt).toEqual(inDays(40))
      clock.time += 50 * day
      expect((await renewKey(books, key.id, 30, await paid()))?.expiresAt).toEqual(inDays(30))
    })

    test('two renewals at once both count', async () => {
      const { key } = await make({ expiresAt: inDays(1) })
      const runs = [await paid(), await paid()]
      await Promise.all(runs.map((run) => renewKey(books, key.id, 30, run)))
      expect((await findKey(books, key.id))?.expiresAt).toEqual(inDays(61))
    })

    test('a renewal counts once per payment, however often it is served', async () => {
      const { key } = await make({ expiresAt: inDays(1) })
      const run = await paid()
      await Promise.all([1, 2, 3].map(() => renewKey(books, key.id, 30, run)))
      const other = await make({ expiresAt: inDays(1) })
      expect((await renewKey(books, key.id, 30, run))?.expiresAt).toEqual(inDays(31))
      await renewKey(books, other.key.id, 30, run)
      expect((await findKey(books, other.key.id))?.expiresAt).toEqual(inDays(1))
    })

    test('a renewal gives no expiry to a key without one', async () => {
      const { key } = await make()
      expect(await renewKey(books, key.id, 30, await paid())).toEqual(key)
    })

    test('a renewed expired key is accepted by a process that was not told', async () => {
      const { key, text } = await make({ expiresAt: inDays(0) })
      expect(await verdict(elsewhere, text)).toBe('API_KEY_EXPIRED')
      await renewKey(books, key.id, 30, await paid())
      clock.time += 50
      expect(await verdict(elsewhere, text)).toBe(key.id)
    })
  })

  describe('a bought key', () => {
    const sell = (run: PaidRun, expiresAt = inDays(1)) =>
      sellKey(books, { tier: 'pro', owner: '', label: '', expiresAt }, run)
    const sold = async (run: PaidRun, expiresAt?: Date) => {
      const key = await sell(run, expiresAt)
      if (!key) throw new Error('no key was sold')
      return key
    }
    const keysOf = async ({ id }: PaidRun) => {
      const { rows } = await listKeys(books, {}, undefined, 500)
      return rows.filter(({ paymentId }) => paymentId === id)
    }
    /** Another worker takes the payment up, because the first is presumed dead. */
    const takenUp = async (run: PaidRun) => {
      await release(books, run)
      const next = await takeUpPaid(books, run.id, leaseMs)
      if (!next) throw new Error('the payment could not be taken up')
      return next
    }

    test('a purchase that is served again replaces the key that its buyer never received', async () => {
      const run = await paid()
      const lost = await sold(run)
      // The operator revokes an unused key; the key that the buyer gets is another one.
      await revokeKey(books, lost.key.id)
      const given = await sold(await takenUp(run), inDays(30))
      expect(given.key).toMatchObject({ paymentId: run.id, expiresAt: inDays(30), revokedAt: null })
      expect(await verdict(elsewhere, lost.text)).toBe('API_KEY_UNKNOWN')
      expect(await verdict(elsewhere, given.text)).toBe(given.key.id)
      expect(await keysOf(run)).toMatchObject([given.key])
    })

    test('an abandoned run that goes on does not replace the key of a later run', async () => {
      const late = await paid()
      const run = await takenUp(late)
      const given = await sold(run)
      expect(await sell(late)).toBeUndefined()
      await markSold(books, run, json(201, {}))
      for (const one of [late, run]) expect(await sell(one)).toBeUndefined()
      expect(await keysOf(run)).toMatchObject([given.key])
      expect(await verdict(elsewhere, given.text)).toBe(given.key.id)
    })

    test('a purchase or renewal whose payment is being refunded has no effect', async () => {
      const [run, renewal] = [await paid(), await paid()]
      const { key } = await make({ expiresAt: inDays(1) })
      for (const one of [run, renewal]) {
        await release(books, one)
        await beginRefund(books, one.id, { refundFrom: hex(20), refundUntil: 0n }, leaseMs)
      }
      expect(await sell(run)).toBeUndefined()
      expect(await renewKey(books, key.id, 30, renewal)).toEqual(key)
      expect(await keysOf(run)).toEqual([])
    })
  })

  describe('a key of another network', () => {
    const other = 8453
    /** The verifier of a gateway of the other network, on the same store. */
    const there = () =>
      createKeyVerifier({ queries: store.queries, clock, chainId: other, log: createLog('silent') })
    /** Takes the network from a key, as from one that the operator made before keys had one. */
    const unbind = async (id: string) => {
      await books.queries.updateTable('keys').set({ chainId: null }).where('id', '=', id).execute()
      for (const verifier of [here, elsewhere]) verifier.forget(id)
    }

    test('is unknown, whether it was bought or made by the operator', async () => {
      const sold = await sellKey(books, { tier: 'pro', owner: '', label: '', expiresAt: null }, await paid())
      const made = await make()
      for (const one of [sold, made]) {
        if (!one) throw new Error('no key was sold')
        expect(one.key.chainId).toBe(chainId)
        expect(await verdict(elsewhere, one.text)).toBe(one.key.id)
        const foreign = there()
        expect(await verdict(foreign, one.text)).toBe('API_KEY_UNKNOWN')
        expect(await foreign.find(one.key.id)).toEqual({ kind: 'refused', code: 'API_KEY_UNKNOWN' })
      }
    })

    test('is not renewed', async () => {
      const { key } = await make({ expiresAt: inDays(1) })
      expect(await renewKey(books, key.id, 30, await paid(other))).toBeUndefined()
      expect(await findKey(books, key.id)).toEqual(key)
    })

    test('a key without a network is accepted on each, until a renewal binds it to the network of its payment', async () => {
      const { key, text } = await make({ expiresAt: inDays(1) })
      await unbind(key.id)
      for (const verifier of [elsewhere, there()]) expect(await verdict(verifier, text)).toBe(key.id)
      const renewed = await renewKey(books, key.id, 30, await paid())
      expect(renewed).toMatchObject({ chainId, expiresAt: inDays(31) })
      expect(await verdict(there(), text)).toBe('API_KEY_UNKNOWN')
      expect(await verdict(here, text)).toBe(key.id)
    })

    test('of two renewals at once on two networks, one counts and binds the key', async () => {
      for (let round = 0; round < 5; round++) {
        const { key } = await make({ expiresAt: inDays(1) })
        await unbind(key.id)
        const renewed = await Promise.all([
          renewKey(books, key.id, 30, await paid()),
          renewKey({ queries: store.queries, clock }, key.id, 30, await paid(other)),
        ])
        const [bound, ...more] = renewed.filter((one) => one !== undefined)
        expect(more).toEqual([])
        expect(await findKey(books, key.id)).toEqual(bound)
        expect(bound?.expiresAt).toEqual(inDays(31))
        const rows = await sql`select * from key_renewals where key_id = ${key.id}`.execute(books.queries)
        expect(rows.rows).toHaveLength(1)
      }
    })
  })

  test('a list of keys has the newest first, page by page, filtered by tier, owner and state', async () => {
    const owner = `bob ${hex(8)}`
    const active = await make({ owner, expiresAt: inDays(1) })
    const forever = await make({ owner, tier: 'max' })
    clock.time += 1
    const expired = await make({ owner, expiresAt: inDays(0) })
    const revoked = await make({ owner, expiresAt: inDays(0) })
    await revokeKey(books, revoked.key.id)
    clock.time += 1
    const last = await make({ owner, tier: 'max' })

    const ids = async (filter: KeyFilter) =>
      (await listKeys(books, { owner, ...filter }, undefined, 500)).rows.map(({ id }) => id)
    const all = await ids({})
    expect(all[0]).toBe(last.key.id)
    expect(new Set(all.slice(1, 3))).toEqual(new Set([expired.key.id, revoked.key.id]))
    expect(new Set(all.slice(3))).toEqual(new Set([active.key.id, forever.key.id]))
    const inOrder = (...made: { key: { id: string } }[]) =>
      all.filter((id) => made.some(({ key }) => key.id === id))
    expect(await ids({ state: 'active' })).toEqual(inOrder(active, forever, last))
    expect(await ids({ state: 'expired' })).toEqual([expired.key.id])
    expect(await ids({ state: 'revoked' })).toEqual([revoked.key.id])
    expect(await ids({ tier: 'max' })).toEqual(inOrder(forever, last))
    expect(await ids({ tier: 'max', state: 'revoked' })).toEqual([])
    expect(await ids({ owner: 'nobody' })).toEqual([])

    const pages: string[][] = []
    let after: Position | undefined
    do {
      const page = await listKeys(books, { owner }, after, 2)
      pages.push(page.rows.map(({ id }) => id))
      after = page.next
    } while (after)
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)])

    clock.time = active.key.expiresAt?.getTime() ?? 0
    expect(await ids({ state: 'active' })).toEqual(inOrder(forever, last))
    expect(await ids({ state: 'expired' })).toEqual(inOrder(expired, active))
  })

  describe('the store', () => {
    test('a hundred calls at once read the store once, and again after 900 milliseconds', async () => {
      const { key, text } = await make()
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => verdict(elsewhere, text)))
      expect(new Set(verdicts)).toEqual(new Set([key.id]))
      expect(store.reads).toBe(1)
      clock.time += 899
      await elsewhere.verify(text)
      expect(store.reads).toBe(1)
      clock.time += 1
      await elsewhere.verify(text)
      expect(store.reads).toBe(2)
    })

    test('an unknown key reads the store once, and a repeated refused key reads it seldom', async () => {
      const unknown = createKeyText().text
      for (let n = 0; n < 10; n += 1) {
        clock.time += 80
        await elsewhere.verify(unknown)
      }
      expect(store.reads).toBe(1)
      const { key } = await make()
      for (let n = 0; n < 100; n += 1) await elsewhere.verify(forged(key.id))
      expect(store.reads).toBe(2)
    })

    test('a store that is down lets no key pass and refuses none permanently', async () => {
      const { key, text } = await make()
      await sql`alter table keys rename to keys_away`.execute(books.queries)
      try {
        for (const asked of [elsewhere.verify(text), elsewhere.find(key.id)]) {
          await expect(asked).rejects.toMatchObject({
            code: 'QUOTAS_UNAVAILABLE',
            headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
            cause: expect.any(Error),
          })
        }
      } finally {
        await sql`alter table keys_away rename to keys`.execute(books.queries)
      }
      expect(await verdict(elsewhere, text)).toBe(key.id)
    })
  })

  describe('while the store does not reply, a key that was read before', () => {
    const away = async (work: () => Promise<void>) => {
      await sql`alter table keys rename to keys_away`.execute(books.queries)
      try {
        await work()
      } finally {
        await sql`alter table keys_away rename to keys`.execute(books.queries)
      }
    }

    test('is found unconfirmed for five minutes, without waiting for the store', async () => {
      const { key, text } = await make()
      await elsewhere.verify(text)
      await away(async () => {
        clock.time += 299_999
        for (const found of [await elsewhere.verify(text), await elsewhere.find(key.id)]) {
          expect(found).toMatchObject({ kind: 'key', key: { id: key.id }, confirm: expect.any(Function) })
        }
        const reads = store.reads
        for (let calls = 0; calls < 100; calls += 1) await elsewhere.verify(text)
        expect(store.reads).toBe(reads)
        clock.time += 1
        await expect(elsewhere.verify(text)).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
      })
      expect(await elsewhere.verify(text)).toEqual({ kind: 'key', key })
    })

    test('is confirmed by the store once that replies, unless the key was revoked meanwhile', async () => {
      const [kept, revoked] = [await make(), await make()]
      for (const { text } of [kept, revoked]) await elsewhere.verify(text)
      clock.time += 1_000
      const confirms: (() => Promise<unknown>)[] = []
      await away(async () => {
        for (const { text } of [kept, revoked]) {
          const found = await elsewhere.verify(text)
          if (found.kind !== 'key' || !found.confirm) throw new Error('the key is not unconfirmed')
          await expect(found.confirm()).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
          confirms.push(found.confirm)
        }
      })
      await revokeKey(books, revoked.key.id)
      const [confirmKept, confirmRevoked] = confirms
      expect(await confirmKept?.()).toEqual(kept.key)
      expect(await confirmRevoked?.()).toBeUndefined()
    })

    test('is refused for a wrong secret, after its expiry, and when this process has changed it', async () => {
      const { key } = await make()
      const expiring = await make({ expiresAt: new Date(clock.time + 2_000) })
      const changed = await make()
      for (const { id } of [key, expiring.key, changed.key]) await elsewhere.find(id)
      elsewhere.forget(changed.key.id)
      clock.time += 2_000
      await away(async () => {
        for (const text of [forged(key.id), expiring.text, changed.text]) {
          await expect(elsewhere.verify(text)).rejects.toMatchObject({ code: 'QUOTAS_UNAVAILABLE' })
        }
      })
    })
  })

  describe('the last use of a key', () => {
    const lastUse = async (id: string) => (await findKey(books, id))?.lastUsedAt

    test('the last use of all accepted keys is written in one statement', async () => {
      const [one, two, three] = [await make(), await make(), await make()]
      await elsewhere.verify(one.text)
      await elsewhere.find(two.key.id)
      await elsewhere.verify(forged(three.key.id))
      expect(await lastUse(one.key.id)).toBeNull()
      const usedAt = new Date(clock.time)
      clock.time += minute
      await elsewhere.writeUses()
      await elsewhere.writeUses()
      expect(store.writes).toBe(1)
      expect(await lastUse(one.key.id)).toEqual(usedAt)
      expect(await lastUse(two.key.id)).toEqual(usedAt)
      expect(await lastUse(three.key.id)).toBeNull()
    })

    test('the last use is written when the gateway closes, and is the latest of all processes', async () => {
      const { key, text } = await make()
      await elsewhere.verify(text)
      clock.time += minute
      await here.verify(text)
      const latest = new Date(clock.time)
      await here.close()
      await elsewhere.close()
      expect(await lastUse(key.id)).toEqual(latest)
    })

    test('a last use that cannot be written fails no call, is logged without the owner, and is written later', async () => {
      const [one, two] = [await make(), await make()]
      await elsewhere.verify(one.text)
      await elsewhere.verify(two.text)
      await sql`alter table keys rename to keys_away`.execute(books.queries)
      const first = new Date(clock.time)
      const writing = elsewhere.writeUses()
      clock.time += 100
      await elsewhere.verify(two.text)
      await writing
      await sql`alter table keys_away rename to keys`.execute(books.queries)
      expect(logged).toHaveLength(1)
      expect(logged[0]).toContain('the last use of keys')
      expect(logged.join('')).not.toMatch(/tgk_|ann@example/)

      await elsewhere.writeUses()
      expect(await lastUse(one.key.id)).toEqual(first)
      expect(await lastUse(two.key.id)).toEqual(new Date(clock.time))
    })
  })
})

interface WatchedStore {
  readonly queries: Queries
  /** Counts the rows that were read and the changes that were made. */
  readonly reads: number
  readonly writes: number
  /** Holds the store's reply to the next read back from its caller. */
  holdNextRead(): { readonly reached: Promise<void>; release(): void }
}

function watch(queries: Queries): WatchedStore {
  const seen = { reads: 0, writes: 0 }
  let next: { reached: () => void; ended: Promise<void> } | undefined
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      seen[node.kind === 'SelectQueryNode' ? 'reads' : 'writes'] += 1
      return node
    },
    async transformResult({ result }) {
      const held = next
      next = undefined
      held?.reached()
      await held?.ended
      return result
    },
  }
  return {
    queries: queries.withPlugin(plugin),
    get reads() {
      return seen.reads
    },
    get writes() {
      return seen.writes
    },
    holdNextRead() {
      const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      next = { reached: reached.resolve, ended: ended.promise }
      return { reached: reached.promise, release: ended.resolve }
    },
  }
}
