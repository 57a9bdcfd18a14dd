import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../../src/core/reply.ts'
import { type Claim, claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import {
  type Held,
  type MinedTransfer,
  markFailed,
  markSettling,
} from '../../../src/doors/ledger/payments.ts'
import { totals } from '../../../src/doors/ledger/totals.ts'
import { takeOver, unfinishedPayments } from '../../../src/doors/ledger/unfinished.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { type PaymentState, paymentStates } from '../../../src/platform/store/rows/payments.ts'
import {
  chainId,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const reply: Reply = {
  status: 201,
  headers: { 'content-type': 'application/octet-stream', 'x-quote': 'a "quoted" – dash' },
  body,
}
const transaction = `0x${'ab'.repeat(32)}`
const mined: MinedTransfer = {
  transaction,
  block: { number: 7n, hash: `0x${'cd'.repeat(32)}` },
  at: new Date(Date.UTC(2026, 0, 2)),
}

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('the books in %s', (_driver, open) => {
  let opened: Opened
  /** The test clock, which both connections use and only the tests move. */
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let books: Books
  let others: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
    others = { queries: opened.other.queries, clock }
  })
  afterAll(() => opened.close())

  async function held(payment: Claim): Promise<Held> {
    const claimed = await claim(books, payment, limits)
    if (claimed.kind !== 'claimed') throw new Error(`a new payment could not be claimed: ${claimed.kind}`)
    return claimed.held
  }

  async function served(payment: Claim = newPayment()): Promise<Held> {
    const claimed = await held(payment)
    expect(await markServed(books, claimed, reply, leaseMs)).toBe(true)
    return claimed
  }

  async function heldIn(state: PaymentState): Promise<Held> {
    const claimed = await held(newPayment())
    await books.queries.updateTable('payments').set({ state }).where('id', '=', claimed.id).execute()
    return claimed
  }

  const stateOf = async (id: string) => (await findPayment(books, id))?.state
  const letLeaseEnd = () => {
    clock.time += leaseMs + 1
  }

  describe('a move', () => {
    test.each<[string, (by: Books, payment: Held) => Promise<boolean>, PaymentState[], PaymentState]>([
      ['markServed', (by, payment) => markServed(by, payment, reply, leaseMs), ['claimed'], 'served'],
      [
        'markSettling',
        (by, payment) => markSettling(by, payment, transaction),
        ['served', 'settling'],
        'settling',
      ],
      ['markSettled', (by, payment) => markSettled(by, payment, mined), ['served', 'settling'], 'settled'],
      ['markFailed', (by, payment) => markFailed(by, payment, 'because'), ['served', 'settling'], 'failed'],
    ])(
      '%s works only from its own states, and only for the attempt that holds the payment',
      async (_name, move, from, to) => {
        for (const state of paymentStates) {
          const payment = await heldIn(state)
          expect(await move(books, { ...payment, attempt: payment.attempt + 1 })).toBe(false)
          expect(await move(books, { ...payment, attempt: payment.attempt - 1 })).toBe(false)
          expect(await stateOf(payment.id)).toBe(state)
          const legal = from.includes(state)
          expect([state, await move(books, payment)]).toEqual([state, legal])
          expect(await stateOf(payment.id)).toBe(legal ? to : state)
        }
      },
    )

    test('of two contradicting moves at once, exactly one is made', async () => {
      const payment = await served()
      const [settled, failed] = await Promise.all([
        markSettled(books, payment, mined),
        markFailed(others, payment, 'because'),
      ])
      expect([settled, failed].filter(Boolean)).toHaveLength(1)
      expect(await stateOf(payment.id)).toBe(settled ? 'settled' : 'failed')
    })

    test('a move to settling without a transaction keeps the known one', async () => {
      const payment = await served()
      await markSettling(books, payment, transaction)
      await markSettling(books, payment, undefined)
      expect(await findPayment(books, payment.id)).toMatchObject({ state: 'settling', transaction })
    })
  })

  test('a reply is stored byte for byte, also when it is no text', async () => {
    const { id } = await served()
    const row = await findPayment(others, id)
    expect(row).toMatchObject({ replyStatus: reply.status, replyHeaders: reply.headers })
    expect(Buffer.from(row?.replyBody ?? []).equals(body)).toBe(true)
  })

  test('an empty reply is stored as a reply', async () => {
    const payment = await held(newPayment())
    await markServed(books, payment, { status: 204, headers: {}, body: new Uint8Array() }, leaseMs)
    const row = await findPayment(books, payment.id)
    expect(row?.replyHeaders).toEqual({})
    expect(row?.replyBody).toHaveLength(0)
  })

  test('the reply of a failed payment is deleted', async () => {
    const payment = await served()
    await markFailed(books, payment, 'insufficient_funds')
    expect(await findPayment(books, payment.id)).toMatchObject({
      failure: 'insufficient_funds',
      replyStatus: null,
      replyHeaders: null,
      replyBody: null,
    })
  })

  describe('a payment with an open outcome', () => {
    test('of fifty takeovers of an open payment exactly one succeeds, only after the lease, and the holder loses it', async () => {
      const payment = await served()
      expect(await takeOver(others, chainId, payment.id, leaseMs)).toBeUndefined()
      letLeaseEnd()
      const rows = await Promise.all(
        Array.from({ length: 50 }, (_, n) => takeOver(n % 2 ? books : others, chainId, payment.id, leaseMs)),
      )
      const [taken, ...more] = rows.filter((row) => row !== undefined)
      expect(more).toEqual([])
      expect(taken).toMatchObject({ id: payment.id, attempt: payment.attempt + 1, state: 'served' })
      expect(await markSettled(books, payment, mined)).toBe(false)
      expect(await markFailed(books, payment, 'because')).toBe(false)
      expect(await stateOf(payment.id)).toBe('served')
    })

    test.each(paymentStates.filter((state) => !['served', 'settling', 'refunding'].includes(state)))(
      'a payment in state %s cannot be taken over',
      async (state) => {
        const payment = await heldIn(state)
        letLeaseEnd()
        expect(await takeOver(books, chainId, payment.id, leaseMs)).toBeUndefined()
      },
    )

    test('open payments are listed when their lease has ended, the longest waiting first, up to the limit', async () => {
      letLeaseEnd()
      const before = await unfinishedPayments(books, chainId, 1_000)
      const waiting: string[] = []
      for (let n = 0; n < 4; n++) {
        clock.time += 1
        waiting.push((await served()).id)
      }
      const [first = '', second = '', third = '', fourth = ''] = waiting
      // The order is that of the leases, not of the rows: after one more try, the first waits longer than the
      // second.
      for (let tries = 0; tries < 3; tries++) await markSettling(books, { id: first, attempt: 1 }, undefined)
      await markSettled(books, { id: third, attempt: 1 }, mined)
      await heldIn('claimed')

      expect(await unfinishedPayments(books, chainId, 1_000)).toEqual(before)
      clock.time += 20_001
      const due = (await unfinishedPayments(others, chainId, 1_000)).filter((id) => !before.includes(id))
      expect(due).toEqual([second, fourth, first])
      expect(await unfinishedPayments(others, chainId, before.length + 2)).toEqual([
        ...before,
        second,
        fourth,
      ])
    })
  })

  test('totals are exact by operation and state, also beyond 53 bits', async () => {
    const operation = 'totalled'
    const large = 2n ** 60n
    await held(newPayment({ operation, amount: 1n }))
    for (const amount of [large, 1n, 2n]) {
      await markSettled(books, await served(newPayment({ operation, amount })), mined)
    }
    const mine = (await totals(others)).filter((total) => total.operation === operation)
    expect(mine).toEqual([
      { operation, state: 'claimed', payments: 1, amount: 1n },
      { operation, state: 'settled', payments: 3, amount: large + 3n },
    ])
  })
})
