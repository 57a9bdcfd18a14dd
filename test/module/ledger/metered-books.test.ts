import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../../src/core/reply.ts'
import { type Claim, claim } from '../../../src/doors/ledger/claim.ts'
import { beginCost, type Cost, concludeCost, costTotals, openCosts } from '../../../src/doors/ledger/costs.ts'
import { type Entry, type EntryPosition, listEntries } from '../../../src/doors/ledger/export/entries.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { listMeterings, meteringTotals, noteMetering } from '../../../src/doors/ledger/meterings.ts'
import { type Held, markFailed, release } from '../../../src/doors/ledger/payments.ts'
import { beginRefund, markRefunded } from '../../../src/doors/ledger/refunds.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { migrations } from '../../../src/platform/store/migrations.ts'
import { rowJson } from '../../../src/platform/store/row-json.ts'
import type { MeteringRow } from '../../../src/platform/store/rows/payments.ts'
import {
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** The books of metered calls, in a store that a gateway of the previous version has filled. */

const reply: Reply = { status: 200, headers: { 'x-a': 'b' }, body: Buffer.from('reply') }
const streamed: Reply = { ...reply, status: 206, body: new Uint8Array(), stream: async function* () {} }
const most = 1_000_000n

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('metered books in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 4, 1), now: () => clock.time }
  let books: Books
  let others: Books
  const old = newPayment({ amount: 7n })

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    others = { queries: opened.other.queries, clock }
    const migrator = new Migrator({ db: books.queries, provider: { getMigrations: async () => migrations } })
    await sql`drop schema public cascade`.execute(books.queries)
    await sql`create schema public`.execute(books.queries)
    await migrator.migrateTo('0007_scans')
    await claimAsBefore()
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  })
  afterAll(() => opened.close())

  /** Claims like a gateway of the previous version, which has no schemes. */
  async function claimAsBefore(payment: Claim = old): Promise<void> {
    const { scheme, authorized, facilitator, permit, ...known } = payment
    const wanted = rowJson(known)
    const time = new Date(clock.time).toISOString()
    const bounds = {
      now: time,
      since: time,
      handler_lease: time,
      settle_lease: time,
      balance: '1000000000',
      balance_block: '1',
      in_flight: 100,
      failures: 100,
      attempts: 3,
    }
    await sql`select claim_payment(jsonb_populate_record(null::payments, ${JSON.stringify(wanted)}::jsonb),
      ${JSON.stringify(bounds)}::jsonb)`.execute(books.queries)
  }

  const upto = (change: Partial<Claim> = {}) =>
    newPayment({
      amount: most,
      scheme: 'upto',
      timing: 'metered',
      facilitator: hex(20),
      permit: `5:6:${hex(65)}`,
      ...change,
    })

  async function held(payment: Claim, on = limits): Promise<Held> {
    const claimed = await claim(books, payment, on)
    if (claimed.kind !== 'claimed') throw new Error(`a new payment could not be claimed: ${claimed.kind}`)
    return claimed.held
  }
  const mined = () => ({
    transaction: hex(32),
    block: { number: 7n, hash: hex(32) },
    at: new Date(clock.time),
  })

  describe('a payment', () => {
    test('a payment of the previous version has scheme exact, and its amount is the authorized one', async () => {
      const meanwhile = newPayment({ amount: 9n })
      await claimAsBefore(meanwhile)
      for (const { id, amount } of [old, meanwhile]) {
        expect(await findPayment(books, id)).toMatchObject({
          state: 'claimed',
          scheme: 'exact',
          amount,
          authorized: amount,
          facilitator: null,
          permit: null,
          timing: 'after',
        })
      }
    })

    test('a payment of scheme upto keeps the signed maximum, and no larger amount can be recorded', async () => {
      const payment = upto()
      const claimed = await held(payment)
      expect(await findPayment(others, payment.id)).toMatchObject({ ...payment, state: 'claimed' })
      await expect(markServed(books, claimed, reply, leaseMs, most + 1n)).rejects.toThrow('authorized')
      expect(await markServed(books, claimed, reply, leaseMs, 3n)).toBe(true)
      expect(await findPayment(others, payment.id)).toMatchObject({ amount: 3n, authorized: most })
    })

    test('payments that are served in one statement each keep their own amount', async () => {
      const [one, two, three] = [upto(), upto(), newPayment({ amount: 5n })]
      const [first, second, third] = [await held(one), await held(two), await held(three)]
      await Promise.all([
        markServed(books, first, reply, leaseMs, 1n),
        markServed(books, second, reply, leaseMs, 2n),
        markServed(books, third, reply, leaseMs),
      ])
      const amounts = [one, two, three].map(async ({ id }) => (await findPayment(books, id))?.amount)
      expect(await Promise.all(amounts)).toEqual([1n, 2n, 5n])
    })

    test('a payment that is claimed again has all newly signed values', async () => {
      const payment = upto()
      await release(books, await held(payment))
      const anew = { ...payment, amount: 500n, authorized: 500n, facilitator: hex(20), permit: null }
      expect(await claim(books, anew, { ...limits, settleFirstAfter: 0 })).toEqual({ kind: 'distrusted' })
      await held(anew)
      expect(await findPayment(books, payment.id)).toMatchObject({ ...anew, attempt: 2 })
    })

    test('a running upto payment counts with its maximum, and with its amount once that is known', async () => {
      const mine = { payer: hex(20), asset: hex(20) }
      const running = await held(upto(mine))
      const next = upto(mine)
      expect(await claim(books, next, { ...limits, balance: 2n * most - 1n })).toEqual({ kind: 'overdrawn' })
      await markServed(books, running, reply, leaseMs, 10n)
      expect(await claim(books, next, { ...limits, balance: most + 9n })).toEqual({ kind: 'moving' })
      expect((await claim(books, next, { ...limits, balance: most + 10n })).kind).toBe('claimed')
    })

    test('a payer who has to pay first cannot claim by upto, and can by exact', async () => {
      const mine = { payer: hex(20), asset: hex(20) }
      const failed = await held(upto(mine))
      await markServed(books, failed, reply, leaseMs, 1n)
      await markFailed(books, failed, 'because')
      const strict = { ...limits, settleFirstAfter: 1 }
      const refused = upto(mine)
      expect(await claim(books, refused, strict)).toEqual({ kind: 'distrusted' })
      expect(await findPayment(books, refused.id)).toBeUndefined()
      expect(await claim(books, newPayment(mine), strict)).toMatchObject({ timing: 'before' })
    })

    test('of a streamed reply only the status is stored', async () => {
      const claimed = await held(upto())
      await markServed(books, claimed, streamed, leaseMs, 1n)
      expect(await findPayment(books, claimed.id)).toMatchObject({
        replyStatus: 206,
        replyHeaders: null,
        replyBody: null,
      })
    })

    test('a released upto payment is free again, with its maximum', async () => {
      const payment = upto()
      expect(await release(books, await held(payment))).toBe(true)
      expect(await findPayment(books, payment.id)).toMatchObject({ state: 'released', amount: most })
    })
  })

  describe('usage', () => {
    const metering = (change: Partial<MeteringRow>): MeteringRow => ({
      callId: hex(8),
      operation: 'chat',
      door: 'payment',
      subject: hex(20),
      paymentId: null,
      unit: 'tokens',
      input: 10n,
      output: 20n,
      isEstimate: false,
      outcome: 'complete',
      amount: 30n,
      createdAt: new Date(clock.time),
      ...change,
    })
    const cost = (change: Partial<Cost>): Cost => ({
      id: hex(32),
      callId: hex(8),
      operation: 'chat',
      upstream: hex(4),
      chainId: 84_532,
      asset: hex(20),
      payer: hex(20),
      payTo: hex(20),
      amount: 4n,
      validBefore: 2n ** 40n,
      ...change,
    })
    const unlimited = { perDay: 2n ** 62n, dayStart: new Date(0) }

    test('usage adds up by operation, door and unit, with income and cost', async () => {
      clock.time += 86_400_000
      const since = new Date(clock.time)
      const paid = await held(upto())
      await markServed(books, paid, reply, leaseMs, 25n)
      await markSettled(books, paid, mined())
      const open = await held(upto())
      const unpaid = metering({ paymentId: open.id })
      const calls = [
        metering({ paymentId: paid.id, callId: 'first', output: 2n ** 60n }),
        // The same payment is served again, and was paid once.
        metering({
          paymentId: paid.id,
          callId: 'again',
          isEstimate: true,
          createdAt: new Date(clock.time + 1),
        }),
        unpaid,
        metering({ door: 'key', unit: null, amount: 0n }),
        metering({ operation: 'image', unit: 'items' }),
        metering({ createdAt: new Date(clock.time - 1) }),
        metering({ createdAt: new Date(clock.time + 1_000) }),
      ]
      await Promise.all(calls.map((row) => noteMetering(books, row)))
      for (const change of [{ callId: 'first' }, { callId: 'again' }, { callId: 'again', amount: 1n }]) {
        await beginCost(books, cost(change), unlimited)
      }
      const unused = cost({ callId: 'again' })
      await beginCost(books, unused, unlimited)
      await concludeCost(books, unused.id, 'unused', null)

      const totals = await meteringTotals(others, { since, until: new Date(clock.time + 1_000) })
      expect(totals).toMatchObject([
        { operation: 'chat', door: 'key', unit: null, calls: 1, amount: 0n, taken: 0n, cost: 0n },
        {
          operation: 'chat',
          door: 'payment',
          unit: 'tokens',
          calls: 3,
          input: 30n,
          output: 2n ** 60n + 40n,
          estimates: 1,
          amount: 90n,
          taken: 25n,
          cost: 9n,
        },
        { operation: 'image', unit: 'items', calls: 1 },
      ])
      const { rows } = await listMeterings(
        others,
        { since, operation: 'chat', door: 'payment' },
        undefined,
        10,
      )
      expect(rows).toHaveLength(4)
      const shown = new Map(rows.map(({ callId, taken, cost }) => [callId, { taken, cost }]))
      expect(shown.get('first')).toEqual({ taken: null, cost: 4n })
      expect(shown.get('again')).toEqual({ taken: 25n, cost: 5n })
      expect(shown.get(unpaid.callId)).toEqual({ taken: null, cost: null })
    })

    test('the money of a call that was refunded is not taken, as much as went back', async () => {
      clock.time += 86_400_000
      const since = new Date(clock.time)
      const sold = async (callId: string, part?: bigint | 'all') => {
        const payment = await held(upto({ operation: 'resold' }))
        await markServed(books, payment, reply, leaseMs, 25n)
        await markSettled(books, payment, mined())
        await noteMetering(books, metering({ operation: 'resold', paymentId: payment.id, callId }))
        if (part === undefined) return
        const signing = { refundFrom: hex(20), refundUntil: 1n }
        const amount = part === 'all' ? undefined : part
        const row = await beginRefund(books, payment.id, signing, leaseMs, { amount })
        if (!row) throw new Error('there was nothing to refund')
        await markRefunded(books, row, hex(32))
        return payment.id
      }
      await sold('kept')
      await sold('in part', 10n)
      // Its amount is not recorded in the books of older versions.
      const whole = await sold('whole', 'all')
      await sql`update payments set refund_amount = null where id = ${whole}`.execute(books.queries)
      expect(await meteringTotals(others, { since })).toMatchObject([
        { operation: 'resold', calls: 3, taken: 40n, refunded: 35n },
      ])
      // What was paid for on another network is not in the books of this one.
      const elsewhere = { since, chainId: 1 }
      expect(await meteringTotals(others, elsewhere)).toEqual([])
      expect((await listMeterings(others, elsewhere, undefined, 10)).rows).toEqual([])
      const { rows } = await listMeterings(others, { since }, undefined, 10)
      expect(new Map(rows.map((row) => [row.callId, [row.taken, row.refunded]]))).toEqual(
        new Map([
          ['kept', [25n, 0n]],
          ['in part', [15n, 10n]],
          ['whole', [0n, 25n]],
        ]),
      )
    })

    test('a payment that is served again in the next period counts there, and once', async () => {
      clock.time += 86_400_000
      const since = new Date(clock.time)
      const until = new Date(clock.time + 1_000)
      const paid = await held(upto({ operation: 'retold' }))
      await markServed(books, paid, reply, leaseMs, 25n)
      await markSettled(books, paid, mined())
      const call = { operation: 'retold', paymentId: paid.id }
      await noteMetering(books, metering({ ...call, callId: 'served' }))
      await noteMetering(books, metering({ ...call, callId: 'served again', createdAt: until }))
      const takenIn = async (period: object) =>
        (await meteringTotals(others, period)).map(({ taken }) => taken)
      expect(await takenIn({ since, until })).toEqual([0n])
      expect(await takenIn({ since: until })).toEqual([25n])
      expect(await takenIn({ since })).toEqual([25n])
      clock.time += 1_000
    })

    test('the usage of a call is recorded once, and listed once, page by page', async () => {
      clock.time += 86_400_000
      const since = new Date(clock.time)
      const rows = Array.from({ length: 7 }, (_, n) =>
        metering({ createdAt: new Date(clock.time + (n >> 1)) }),
      )
      await Promise.all([...rows, ...rows].map((row, n) => noteMetering(n % 2 ? books : others, row)))
      const seen: string[] = []
      let after: Parameters<typeof listMeterings>[2]
      do {
        const page = await listMeterings(books, { since }, after, 3)
        seen.push(...page.rows.map(({ callId }) => callId))
        after = page.next
      } while (after)
      const newestFirst = rows.toSorted(
        (one, two) => two.createdAt.getTime() - one.createdAt.getTime() || (one.callId < two.callId ? 1 : -1),
      )
      expect(seen).toEqual(newestFirst.map(({ callId }) => callId))
    })

    test('of fifty costs at once no more begin than the limit of the day allows', async () => {
      clock.time += 86_400_000
      const upstream = hex(4)
      const limit = { perDay: 43n, dayStart: new Date(clock.time) }
      clock.time -= 1
      await beginCost(books, cost({ upstream }), limit)
      clock.time += 1
      await beginCost(books, cost({}), limit)
      const begun = await Promise.all(
        Array.from({ length: 50 }, (_, n) => beginCost(n % 2 ? books : others, cost({ upstream }), limit)),
      )
      expect(begun.filter(Boolean)).toHaveLength(10)
      expect(await beginCost(books, cost({ upstream, amount: 3n }), limit)).toBe(true)
      expect(await beginCost(books, cost({ upstream, amount: 1n }), limit)).toBe(false)
    })

    test('a signed cost is open until it is concluded once, and an unused amount may be spent again', async () => {
      clock.time += 86_400_000
      const upstream = hex(4)
      const limit = { perDay: 4n, dayStart: new Date(clock.time) }
      const first = cost({ upstream })
      const isOpen = async () => (await openCosts(others, 1_000)).some(({ id }) => id === first.id)
      expect(await beginCost(books, first, limit)).toBe(true)
      expect(await openCosts(others, 1_000)).toContainEqual({
        ...first,
        state: 'signed',
        transaction: null,
        createdAt: new Date(clock.time),
        updatedAt: new Date(clock.time),
      })
      expect(await concludeCost(others, first.id, 'unused', null)).toBe(true)
      expect(await concludeCost(books, first.id, 'taken', hex(32))).toBe(false)
      expect(await isOpen()).toBe(false)
      expect(await beginCost(books, cost({ upstream }), limit)).toBe(true)
      const since = new Date(clock.time)
      expect((await costTotals(books, { since })).map(({ state, amount }) => [state, amount])).toEqual([
        ['signed', 4n],
        ['unused', 4n],
      ])
    })

    test('a taken cost is listed among the entries on its day, after the sales, page by page', async () => {
      clock.time += 86_400_000
      const currency = { chainId: 84_532, asset: hex(20) }
      const sold = await held(upto(currency))
      await markServed(books, sold, reply, leaseMs, 25n)
      await markSettled(books, sold, mined())
      const costs = [cost({ ...currency, upstream: 'model' }), cost(currency), cost(currency)]
      for (const one of costs) await beginCost(books, one, unlimited)
      clock.time += 1
      const [taken, unused] = costs
      if (!taken || !unused) throw new Error('three were begun')
      const transaction = hex(32)
      await concludeCost(books, taken.id, 'taken', transaction)
      await concludeCost(books, unused.id, 'unused', null)

      const entries: Entry[] = []
      let after: EntryPosition | undefined
      do {
        const page = await listEntries(books, currency, {}, after, 1)
        entries.push(...page.rows)
        after = page.next
      } while (after)
      expect(entries).toMatchObject([
        { kind: 'sale', id: sold.id, amount: 25n, upstream: null },
        {
          kind: 'cost',
          id: taken.id,
          at: new Date(clock.time),
          operation: 'chat',
          upstream: 'model',
          payer: taken.payTo,
          account: taken.payer,
          amount: 4n,
          transaction,
        },
      ])
    })
  })
})
