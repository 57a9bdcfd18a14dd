import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Claim, claim } from '../../../src/doors/ledger/claim.ts'
import { type Entry, type EntryPosition, listEntries } from '../../../src/doors/ledger/export/entries.ts'
import { markServed, markSettled, noteGasCost } from '../../../src/doors/ledger/grouped-moves.ts'
import { listPayments, type PaymentFilter, type Period, showPayment } from '../../../src/doors/ledger/list.ts'
import { markFailed } from '../../../src/doors/ledger/payments.ts'
import { adopt } from '../../../src/doors/ledger/reconciling/adopt.ts'
import { recordUnmatchedTransfers } from '../../../src/doors/ledger/reconciling/inbound.ts'
import {
  dismissTransfer,
  listUnmatchedTransfers,
  sumUnmatchedTransfers,
  type UnmatchedTransferPosition,
} from '../../../src/doors/ledger/reconciling/unmatched-transfers.ts'
import { beginRefund, markRefunded } from '../../../src/doors/ledger/refunds.ts'
import { totals } from '../../../src/doors/ledger/totals.ts'
import { type Sums, sumBooks, sumBooksBy } from '../../../src/edge/handlers/operator/sums.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import type { Page, Position } from '../../../src/platform/store/page.ts'
import { type PaymentState, paymentStates } from '../../../src/platform/store/rows/payments.ts'
import {
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** The operator's reads of the books, over both drivers. Every test counts in its own token. */

const body = new Uint8Array(1_234)
const reply = { status: 201, headers: { 'content-type': 'application/json' }, body }

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the books in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 4, 1), now: () => clock.time }
  let books: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
  })
  afterAll(() => opened.close())

  async function book(change: Partial<Claim> = {}): Promise<string> {
    const payment = newPayment(change)
    const claimed = await claim(books, payment, limits)
    expect(claimed.kind).toBe('claimed')
    return payment.id
  }

  async function settle(change: Partial<Claim> = {}, block = 7n): Promise<string> {
    const id = await book(change)
    await markServed(books, { id, attempt: 1 }, reply, leaseMs)
    const mined = { transaction: hex(32), block: { number: block, hash: hex(32) }, at: new Date(clock.time) }
    expect(await markSettled(books, { id, attempt: 1 }, mined)).toBe(true)
    return id
  }

  async function refund(id: string, account: string): Promise<void> {
    const row = await beginRefund(books, id, { refundFrom: account, refundUntil: 1n }, leaseMs)
    if (!row) throw new Error('there was nothing to refund')
    expect(await markRefunded(books, row, hex(32))).toBe(true)
  }

  async function force(id: string, state: PaymentState): Promise<void> {
    await books.queries.updateTable('payments').set({ state }).where('id', '=', id).execute()
  }

  async function all<Row, At>(read: (after: At | undefined) => Promise<Page<Row, At>>): Promise<Row[]> {
    const rows: Row[] = []
    let after: At | undefined
    do {
      const page = await read(after)
      rows.push(...page.rows)
      after = page.next
    } while (after !== undefined)
    return rows
  }

  describe('a list', () => {
    const ids = async (
      filter: PaymentFilter,
      limit = 500,
      order: 'newest first' | 'oldest first' = 'newest first',
    ) =>
      (await all((after: Position | undefined) => listPayments(books, filter, order, after, limit))).map(
        ({ id }) => id,
      )

    test('a list has every payment once, page by page, in both orders, also with equal milliseconds', async () => {
      const payer = hex(20)
      const booked: string[] = []
      for (let n = 0; n < 7; n++) {
        if (n % 3 === 0) clock.time += 1
        booked.push(await book({ payer }))
      }
      const oldestFirst = await ids({ payer }, 2, 'oldest first')
      expect([...oldestFirst].sort()).toEqual([...booked].sort())
      for (const limit of [1, 2, 3, 7, 8]) {
        expect(await ids({ payer }, limit)).toEqual([...oldestFirst].reverse())
      }
    })

    test('a list neither repeats nor skips a payment while others are added', async () => {
      const payer = hex(20)
      const known: string[] = []
      for (let n = 0; n < 5; n++) {
        clock.time += 1
        known.push(await book({ payer }))
      }
      const first = await listPayments(books, { payer }, 'newest first', undefined, 2)
      clock.time += 1
      await book({ payer })
      const rest = await all((after: Position | undefined) =>
        listPayments(books, { payer }, 'newest first', after ?? first.next, 2),
      )
      expect([...first.rows, ...rest].map(({ id }) => id)).toEqual([...known].reverse())
    })

    test('a list has both of two payments that differ by a microsecond', async () => {
      const payer = hex(20)
      const [first, second] = [await book({ payer }), await book({ payer })]
      for (const [id, at] of [
        [first, '2026-04-01T00:00:00.000400Z'],
        [second, '2026-04-01T00:00:00.000500Z'],
      ] as const) {
        await books.queries
          .updateTable('payments')
          .set({ createdAt: sql<Date>`${at}::timestamptz` })
          .where('id', '=', id)
          .execute()
      }
      expect(await ids({ payer }, 1)).toEqual([second, first])
    })

    test('a list filters by state, operation, payer and time, with since included and until excluded', async () => {
      const payer = hex(20)
      clock.time += 1_000
      const start = clock.time
      const claimed = await book({ payer, operation: 'one' })
      clock.time += 1_000
      const settled = await settle({ payer, operation: 'one' })
      clock.time += 1_000
      const other = await book({ payer, operation: 'two' })
      expect(await ids({ payer, state: 'settled' })).toEqual([settled])
      expect(await ids({ payer, operation: 'one' })).toEqual([settled, claimed])
      expect(await ids({ payer, state: 'claimed', operation: 'two' })).toEqual([other])
      const since = new Date(start + 1_000)
      expect(await ids({ payer, since })).toEqual([other, settled])
      expect(await ids({ payer, until: since })).toEqual([claimed])
      expect(await ids({ payer, since, until: new Date(start + 2_000) })).toEqual([settled])
      expect(await ids({ payer: hex(20) })).toEqual([])
    })

    test('a list contains neither signatures nor replies, only the size of each reply', async () => {
      const id = await settle()
      const shown = await showPayment(books, id)
      expect(shown).toMatchObject({ id, replyStatus: 201, replyBytes: 1_234, amount: 250_000n })
      expect(Object.keys(shown ?? {}).filter((key) => /signature|reply_(body|headers)/.test(key))).toEqual([])
      expect(await showPayment(books, hex(32))).toBeUndefined()
    })
  })

  test('totals of a currency leave out the payments of other networks', async () => {
    const asset = hex(20)
    const operation = 'summed'
    await settle({ asset, operation, amount: 2n ** 60n })
    await settle({ asset, operation, amount: 3n })
    await settle({ asset, operation, amount: 5n, chainId: 8_453 })
    expect(await totals(books, { chainId: 84_532, asset })).toEqual([
      { operation, state: 'settled', payments: 2, amount: 2n ** 60n + 3n },
    ])
    expect(await totals(books, { chainId: 8_453, asset })).toEqual([
      { operation, state: 'settled', payments: 1, amount: 5n },
    ])
  })

  describe('the sums of a period', () => {
    const day = 86_400_000
    const midnight = Date.UTC(2027, 0, 1)
    // Gas is summed by chain, so these books have a chain of their own.
    const currency = { chainId: 31_337, asset: hex(20) }
    const at = async (time: number, work: () => Promise<unknown>) => {
      const now = clock.time
      clock.time = time
      await work()
      clock.time = now
    }
    const sums = (period: Period) => sumBooks(books, currency, period)

    beforeAll(async () => {
      const sell = (amount: bigint) => settle({ ...currency, operation: 'sold', amount })
      await at(midnight - 1, () => sell(1n))
      await at(midnight, () => sell(2n))
      await at(midnight + day - 1, () => sell(4n))
      await at(midnight + day, () => sell(8n))
      // Made before midnight, and paid after it.
      let late = ''
      await at(midnight - 5_000, async () => {
        late = await book({ ...currency, operation: 'sold', amount: 16n })
      })
      await at(midnight + 5_000, async () => {
        await markServed(books, { id: late, attempt: 1 }, reply, leaseMs)
        const block = { number: 7n, hash: hex(32) }
        await markSettled(
          books,
          { id: late, attempt: 1 },
          { transaction: hex(32), block, at: new Date(clock.time) },
        )
      })
      // Refunded on the next day; of another payment a part goes back, two days later.
      const refund = async (id: string, amount?: bigint) => {
        const signing = { refundFrom: hex(20), refundUntil: 1n }
        const row = await beginRefund(books, id, signing, leaseMs, { amount })
        if (!row) throw new Error('there was nothing to refund')
        await markRefunded(books, row, hex(32))
      }
      await at(midnight + 2 * day, () => refund(late))
      await at(midnight + 2 * day, async () => refund(await sell(64n), 60n))
      const found = [
        [midnight - 1, 512n],
        [midnight, 128n],
        [midnight + day - 1, 256n],
        [midnight + day, 1024n],
      ] as const
      await recordUnmatchedTransfers(
        books,
        found.map(([seenAt, amount]) => ({
          ...currency,
          transaction: hex(32),
          logIndex: 0,
          blockNumber: 5n,
          blockHash: hex(32),
          payer: hex(20),
          payTo: hex(20),
          amount,
          nonce: null,
          seenAt: new Date(seenAt),
        })),
      )
      for (const amount of [256n, 1024n]) {
        const row = await books.queries
          .selectFrom('strangers')
          .selectAll()
          .where('chainId', '=', currency.chainId)
          .where('amount', '=', amount)
          .executeTakeFirstOrThrow()
        await dismissTransfer(books, row, 'A gift')
      }
      await at(midnight + 1, () => book({ ...currency, operation: 'open', amount: 32n }))
      const gas = {
        chainId: currency.chainId,
        account: hex(20),
        purpose: 'settlement',
      } as const
      for (const [seenAt, wei] of [
        [midnight - 1, 1n],
        [midnight, 2n ** 70n],
        [midnight + day - 1, 5n],
        [midnight + day, 7n],
      ] as const) {
        const seen = { isReverted: wei === 5n, blockNumber: 1n, seenAt: new Date(seenAt) }
        const row = { ...gas, transaction: hex(32), wei, ...seen }
        await noteGasCost(books, row)
        await noteGasCost(books, { ...row, chainId: 8_453 })
      }
    })

    test('the sums of a day include its first moment and exclude the next day’s', async () => {
      const period = { since: new Date(midnight), until: new Date(midnight + day) }
      expect(await sums(period)).toEqual({
        payments: [
          { operation: 'open', state: 'claimed', payments: 1, amount: 32n },
          { operation: 'sold', state: 'refunded', payments: 1, amount: 16n },
          { operation: 'sold', state: 'settled', payments: 2, amount: 6n },
        ],
        refunded: { payments: 0, amount: 0n },
        unmatched: { transfers: 1, amount: 128n },
        dismissed: { transfers: 1, amount: 256n },
        gas: { transactions: 2, wei: 2n ** 70n + 5n, reverted: { transactions: 1, wei: 5n } },
      })
    })

    test('the sums of adjoining periods add up to the sums of all time', async () => {
      const edges = [undefined, midnight - 1, midnight, midnight + day, midnight + 2 * day, undefined]
      const parts = await Promise.all(
        edges.slice(1).map((until, index) => {
          const since = edges[index]
          return sums({
            since: since === undefined ? undefined : new Date(since),
            until: until === undefined ? undefined : new Date(until),
          })
        }),
      )
      const all = await sums({})
      const amount = (one: Sums) => one.payments.reduce((total, line) => total + line.amount, 0n)
      expect(amount(all)).toBe(127n)
      expect(parts.reduce((total, one) => total + amount(one), 0n)).toBe(127n)
      expect(all.refunded).toEqual({ payments: 2, amount: 76n })
      expect(parts.reduce((total, one) => total + one.refunded.amount, 0n)).toBe(76n)
      expect([all.unmatched.amount, all.dismissed.amount]).toEqual([640n, 1280n])
      expect(parts.reduce((total, one) => total + one.unmatched.amount, 0n)).toBe(640n)
      expect(parts.reduce((total, one) => total + one.dismissed.amount, 0n)).toBe(1280n)
      expect(all.gas.wei).toBe(2n ** 70n + 13n)
      expect(parts.reduce((total, one) => total + one.gas.wei, 0n)).toBe(all.gas.wei)
    })

    test.each([
      {
        by: 'day',
        names: ['2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03'],
        made: [1n, 54n, 8n, 64n],
        back: [0n, 0n, 0n, 76n],
        open: [512n, 128n, 0n, 0n],
        dismissed: [0n, 256n, 1024n, 0n],
      },
      {
        by: 'month',
        names: ['2026-12', '2027-01'],
        made: [1n, 126n],
        back: [0n, 76n],
        open: [512n, 128n],
        dismissed: [0n, 1280n],
      },
    ] as const)(
      'by $by the sums have a line for each in which something happened, in UTC',
      async ({ by, names, made, back, open: unmatched, dismissed }) => {
        const lines = await sumBooksBy(by, books, currency, { since: new Date(midnight - day) })
        expect(lines.map(([name]) => name)).toEqual(names)
        const amounts = lines.map(([, { payments }]) =>
          payments.reduce((total, line) => total + line.amount, 0n),
        )
        expect(amounts).toEqual(made)
        expect(lines.map(([, { refunded }]) => refunded.amount)).toEqual(back)
        expect(lines.map(([, sums]) => sums.unmatched.amount)).toEqual(unmatched)
        expect(lines.map(([, sums]) => sums.dismissed.amount)).toEqual(dismissed)
        expect(lines[0]?.[1].gas).toMatchObject({ transactions: 1, wei: 1n })
      },
    )
  })

  describe('unmatched transfers', () => {
    const stranger = (asset: string, change: object) => ({
      chainId: 84_532,
      transaction: hex(32),
      logIndex: 0,
      asset,
      blockNumber: 5n,
      blockHash: hex(32),
      payer: hex(20),
      payTo: hex(20),
      amount: 1n,
      nonce: null,
      seenAt: new Date(clock.time),
      ...change,
    })

    test('unmatched transfers are listed once each, the newest block first, and summed exactly beyond 53 bits', async () => {
      const asset = hex(20)
      const strangers = [
        stranger(asset, { blockNumber: 9n, amount: 2n ** 60n }),
        stranger(asset, { blockNumber: 10n, logIndex: 3 }),
        stranger(asset, { blockNumber: 10n, logIndex: 11 }),
        stranger(hex(20), { blockNumber: 11n }),
      ]
      await recordUnmatchedTransfers(books, strangers)
      const listed = await all((after: UnmatchedTransferPosition | undefined) =>
        listUnmatchedTransfers(books, { chainId: 84_532, asset }, after, 1),
      )
      expect(listed.map((row) => [row.blockNumber, row.logIndex])).toEqual([
        [10n, 11],
        [10n, 3],
        [9n, 0],
      ])
      expect(await sumUnmatchedTransfers(books, { chainId: 84_532, asset }, 'open')).toEqual({
        transfers: 3,
        amount: 2n ** 60n + 2n,
      })
      expect(await sumUnmatchedTransfers(books, { chainId: 1, asset }, 'open')).toEqual({
        transfers: 0,
        amount: 0n,
      })
    })

    test('an unmatched transfer is adopted or dismissed, never both, also when both are asked for at once', async () => {
      const asset = hex(20)
      const strangers = Array.from({ length: 20 }, (_, logIndex) => stranger(asset, { logIndex }))
      await recordUnmatchedTransfers(books, strangers)
      const payment = () => {
        const { id, nonce, scheme, authorized, facilitator, validAfter, validBefore, signature } =
          newPayment()
        const signed = { id, nonce, scheme, authorized, facilitator, validAfter, validBefore, signature }
        return { ...signed, state: 'paid' } as const
      }
      const done = await Promise.all(
        strangers.map(async (row, n) => {
          const steps = [() => adopt(books, row, payment()), () => dismissTransfer(books, row, 'A gift')]
          if (n % 2) steps.reverse()
          return Promise.all(steps.map((step) => step()))
        }),
      )
      expect(done.map((pair) => pair.filter(Boolean).length)).toEqual(strangers.map(() => 1))
      const currency = { chainId: 84_532, asset }
      const sums = await Promise.all(
        (['open', 'adopted', 'dismissed'] as const).map((state) =>
          sumUnmatchedTransfers(books, currency, state),
        ),
      )
      expect(sums[0]?.transfers).toBe(0)
      expect(sums.reduce((all, { transfers }) => all + transfers, 0)).toBe(strangers.length)
    })
  })

  describe('entries', () => {
    const kinds = (entries: readonly Entry[]) => entries.map(({ kind, id }) => [kind, id])
    const entries = (asset: string, limit = 500, period = {}) =>
      all((after: EntryPosition | undefined) =>
        listEntries(books, { chainId: 84_532, asset }, period, after, limit),
      )

    test.each(paymentStates)(
      'a payment in state %s is an entry only if its money was received',
      async (state) => {
        const asset = hex(20)
        const id = await settle({ asset })
        await force(id, state)
        const sales = (await entries(asset)).filter(({ kind }) => kind === 'sale')
        const isTaken = ['paid', 'settled', 'final', 'refunding', 'refunded'].includes(state)
        expect(kinds(sales)).toEqual(isTaken ? [['sale', id]] : [])
      },
    )

    test('entries are sales, refunds and unmatched transfers in the order of time, whatever the size of a page', async () => {
      const asset = hex(20)
      const [payTo, refunder] = [hex(20), hex(20)]
      clock.time += 1_000
      const sold = await settle({ asset, payTo: payTo, amount: 10n })
      const twin = await settle({ asset, payTo: payTo, amount: 10n })
      clock.time += 1_000
      const transaction = hex(32)
      await recordUnmatchedTransfers(books, [
        {
          chainId: 84_532,
          transaction,
          logIndex: 4,
          asset,
          blockNumber: 5n,
          blockHash: hex(32),
          payer: hex(20),
          payTo: payTo,
          amount: 77n,
          nonce: null,
          seenAt: new Date(clock.time),
        },
      ])
      clock.time += 1_000
      await refund(sold, refunder)
      const lost = await book({ asset })
      await markServed(books, { id: lost, attempt: 1 }, reply, leaseMs)
      await markFailed(books, { id: lost, attempt: 1 }, 'insufficient_funds')

      const whole = await entries(asset)
      expect(kinds(whole).slice(0, 2).sort()).toEqual(
        [
          ['sale', sold],
          ['sale', twin],
        ].sort(),
      )
      expect(kinds(whole).slice(2)).toEqual([
        ['stranger', `${transaction}:4`],
        ['refund', sold],
      ])
      expect(whole.map(({ amount }) => amount)).toEqual([10n, 10n, 77n, 10n])
      expect(whole.map(({ account }) => account)).toEqual([payTo, payTo, payTo, refunder])
      for (const limit of [1, 2, 3, 4]) expect(await entries(asset, limit)).toEqual(whole)
    })

    test('entries of a period are those that happened in it: a refund has its own time, not the sale’s', async () => {
      const asset = hex(20)
      clock.time = Date.UTC(2026, 5, 30, 23, 59)
      const id = await settle({ asset })
      clock.time = Date.UTC(2026, 6, 1)
      await refund(id, hex(20))
      const july = new Date(Date.UTC(2026, 6, 1))
      expect(kinds(await entries(asset, 5, { until: july }))).toEqual([['sale', id]])
      expect(kinds(await entries(asset, 5, { since: july }))).toEqual([['refund', id]])
    })
  })
})
