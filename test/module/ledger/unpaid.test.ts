import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed } from '../../../src/doors/ledger/grouped-moves.ts'
import { markFailed, markPaid, markSold, release } from '../../../src/doors/ledger/payments.ts'
import { forgetUnpaid } from '../../../src/doors/ledger/unpaid/forget-unpaid.ts'
import {
  countRun,
  forgetRuns,
  otherFailureMs,
  ownFailureMs,
  takeOff,
  takeRun,
} from '../../../src/doors/ledger/unpaid/released-runs.ts'
import {
  type Finding,
  giveUpSearch,
  noteSearch,
  takeUpSearch,
} from '../../../src/doors/ledger/unpaid/searches.ts'
import type { Books } from '../../../src/platform/store/books.ts'
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

/** What the books keep of payments that took no money, over both drivers. */

const start = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400_000
const asset = hex(20)

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('%s:', (_driver, open) => {
  let opened: Opened
  let now = start
  let one: Books
  let other: Books

  beforeAll(async () => {
    opened = await open()
    const clock = { now: () => now }
    one = { queries: opened.one.queries, clock }
    other = { queries: opened.other.queries, clock }
  })
  afterAll(() => opened.close())

  /** Claims a new payment that is valid until so many milliseconds after the start. */
  async function claimed(validMs: number) {
    const wanted = newPayment({ asset, validBefore: String(Math.floor((start + validMs) / 1000)) })
    const result = await claim(one, wanted, limits)
    if (result.kind !== 'claimed') throw new Error(`the payment is ${result.kind}`)
    return result.held
  }

  async function released(validMs: number): Promise<string> {
    const held = await claimed(validMs)
    await release(one, held)
    return held.id
  }

  async function failed(validMs: number): Promise<string> {
    const held = await claimed(validMs)
    await markServed(one, held, undefined, leaseMs)
    await markFailed(one, held, 'invalid_transaction_state')
    return held.id
  }

  async function sold(validMs: number): Promise<string> {
    const held = await claimed(validMs)
    await markServed(one, held, undefined, leaseMs)
    const mined = { transaction: hex(32), block: { number: 7n, hash: hex(32) }, at: new Date(now) }
    await markPaid(one, held, mined, leaseMs)
    await markSold(one, held, { status: 200, headers: {}, body: new Uint8Array() })
    return held.id
  }

  const isKept = async (id: string) => (await findPayment(one, id)) !== undefined
  const forget = () => forgetUnpaid(one, { chainId, asset })

  test('a payment that took no money is forgotten a day after its validity and its last change, and no other', async () => {
    now = start
    const endless = await released(10 ** 9 * day)
    const rows = [await released(300_000), await failed(300_000), (await claimed(300_000)).id]
    const money = await sold(300_000)
    const valid = await released(2 * day)
    const settling = await claimed(300_000)
    await markServed(one, settling, undefined, leaseMs)

    now = start + day
    expect(await forget()).toBe(0)
    now = start + day + 310_000
    expect(await forget()).toBe(3)
    for (const id of rows) expect(await isKept(id)).toBe(false)
    for (const id of [money, valid, settling.id, endless]) expect(await isKept(id)).toBe(true)

    now = start + 3 * day + 1_000
    expect(await forget()).toBe(1)
    expect(await isKept(valid)).toBe(false)
    now = start + 30 * day
    expect(await forget()).toBe(0)
    now += 1_000
    expect(await forget()).toBe(1)
    expect(await isKept(endless)).toBe(false)
    for (const id of [money, settling.id]) expect(await isKept(id)).toBe(true)
  })

  test('a payment of another network is not forgotten, because its chain is not compared here', async () => {
    now = start
    const id = await released(300_000)
    now = start + 3 * day
    expect(await forgetUnpaid(one, { chainId: 8453, asset })).toBe(0)
    expect(await isKept(id)).toBe(true)
    expect(await forget()).toBe(1)
  })

  const payer = () => ({ chainId, payer: hex(20) })
  const count = (who: ReturnType<typeof payer>, milliseconds: number) => countRun(one, who, milliseconds, 6)
  const take = async (who: ReturnType<typeof payer>, books = one) => (await takeRun(books, who, 6)).kind

  test('a payer who made six calls fail waits ten seconds at most for the next, at every gateway', async () => {
    now = start
    const who = payer()
    expect(await take(who)).toBe('free')
    for (let run = 0; run < 9; run += 1) await count(who, ownFailureMs)
    for (const books of [one, other]) {
      expect(await takeRun(books, who, 6)).toEqual({ kind: 'refused', waitMs: 10_000 })
    }
    now += 10_000
    expect(await take(who, other)).toBe('counted')
    expect(await take(who)).toBe('refused')
    expect(await take(payer())).toBe('free')
  })

  test('failures of an upstream count a quarter, and a payer whose calls are paid is not counted any more', async () => {
    now = start
    const who = payer()
    for (let run = 0; run < 20; run += 1) await count(who, otherFailureMs)
    expect(await take(who)).toBe('counted')
    expect(await take(who)).toBe('refused')
    for (let run = 0; run < 11; run += 1) await takeOff(one, who, 2 * otherFailureMs)
    expect(await take(who)).toBe('free')
  })

  test('of a hundred runs that begin at once at two gateways, only those begin for which there is room', async () => {
    now = start
    const who = payer()
    await count(who, 30_000)
    const kinds = await Promise.all(
      Array.from({ length: 100 }, (_, n) => take(who, n % 2 === 0 ? one : other)),
    )
    expect(kinds.filter((kind) => kind !== 'refused')).toEqual(Array(9).fill('counted'))
  })

  test('what counts for nothing any more is deleted', async () => {
    now = start
    const who = payer()
    await count(who, ownFailureMs)
    now += ownFailureMs + 1
    await forgetRuns(one)
    const left = await one.queries
      .selectFrom('releasedRuns')
      .selectAll()
      .where('payer', '=', who.payer)
      .execute()
    expect(left).toEqual([])
  })

  test('the chain is searched for a payment by one worker, and again after a pause that grows', async () => {
    now = start
    const id = await released(300_000)
    const turns = await Promise.all([one, other].map((books) => takeUpSearch(books, id, false)))
    expect(turns.sort()).toEqual(['running', 'taken'])
    for (const [found, pauses] of [
      ['unused', [1_000, 2_000, 4_000]],
      ['unknown', [80_000, 160_000]],
      ['nothing', [604_800_000]],
    ] satisfies [Finding, number[]][]) {
      for (const pauseMs of pauses) {
        await noteSearch(one, id, found)
        now += pauseMs - 1
        expect(await takeUpSearch(other, id, false)).toBe('not due')
        now += 1
        expect(await takeUpSearch(other, id, false)).toBe('taken')
      }
    }
  })

  test('a nonce that is used since the last search is searched at once, and so is one whose search the chain did not answer', async () => {
    now = start
    const id = await failed(300_000)
    expect(await takeUpSearch(one, id, false)).toBe('taken')
    await noteSearch(one, id, 'unused')
    expect(await takeUpSearch(one, id, false)).toBe('not due')
    expect(await takeUpSearch(one, id, true)).toBe('taken')
    await giveUpSearch(one, id)
    expect(await takeUpSearch(one, id, false)).toBe('taken')
    await noteSearch(one, id, 'nothing')
    expect(await takeUpSearch(one, id, true)).toBe('not due')
    expect(await takeUpSearch(one, await sold(300_000), true)).toBe('over')
  })
})
