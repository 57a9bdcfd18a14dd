import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json } from '../../../src/core/reply.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { reopenPayments } from '../../../src/doors/ledger/finality.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import type { Held } from '../../../src/doors/ledger/payments.ts'
import { forgetReplies } from '../../../src/doors/ledger/replies.ts'
import { maxStoredBytes } from '../../../src/doors/ledger/reply-columns.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { buy, since, tally } from '../../support/gateways/purchases.ts'
import { expectReplayed, expectUnknown, transactionOf } from '../../support/gateways/replies.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { sell } from '../../support/servers/handler.ts'
import {
  hex,
  leaseMs,
  limits,
  newPayment,
  type Opened,
  openFolder,
  openServer,
} from '../../support/stores/ledger.ts'

/** How long and how many replies are stored, and what happens to replies that are not. */

const day = 86_400_000

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('stored replies in %s', (_driver, open) => {
  let opened: Opened
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let books: Books

  beforeAll(async () => {
    opened = await open()
    books = { queries: opened.one.queries, clock }
  })
  afterAll(() => opened.close())

  /** A payment with a stored reply of so many bytes. */
  async function served(bytes: number): Promise<Held> {
    const claimed = await claim(books, newPayment(), limits)
    if (claimed.kind !== 'claimed') throw new Error(`a new payment could not be claimed: ${claimed.kind}`)
    await markServed(books, claimed.held, { status: 200, headers: {}, body: new Uint8Array(bytes) }, leaseMs)
    return claimed.held
  }

  async function sold(bytes: number) {
    const held = await served(bytes)
    const block = { number: 7n, hash: hex(32) }
    await markSettled(books, held, { transaction: hex(32), block, at: new Date(clock.time) })
    clock.time += 1
    return { ...held, block }
  }

  const isKept = async ({ id }: Held) => (await findPayment(books, id))?.replyBody !== null
  const kept = (held: readonly Held[]) => Promise.all(held.map(isKept))

  test('stored replies are deleted a day after their settlement, and not before', async () => {
    const old = await sold(1)
    clock.time += 1_000
    const young = await sold(1)
    // Exactly one day after the younger settlement, whose clock had moved by a millisecond.
    clock.time += day - 1
    expect(await forgetReplies(books, 1_000_000)).toBe(1)
    expect(await kept([old, young])).toEqual([false, true])
    expect(await findPayment(books, old.id)).toMatchObject({
      state: 'settled',
      replyStatus: null,
      replyHeaders: null,
    })
    clock.time += 1
    expect(await forgetReplies(books, 1_000_000)).toBe(1)
    expect(await kept([young])).toEqual([false])
  })

  test('stored replies above the size limit are deleted, the oldest first', async () => {
    clock.time += day
    const [first, second, third] = [await sold(600), await sold(300), await sold(700)]
    expect(await forgetReplies(books, 1_600)).toBe(0)
    expect(await forgetReplies(books, 1_599)).toBe(1)
    expect(await kept([first, second, third])).toEqual([false, true, true])
    expect(await forgetReplies(books, 699)).toBe(2)
  })

  test('stored replies of open payments stay, whatever their age and size', async () => {
    const waiting = await served(500)
    const dropped = await sold(500)
    expect(await reopenPayments(books, dropped.block)).toEqual([dropped.id])
    clock.time += 365 * day
    expect(await forgetReplies(books, 0)).toBe(0)
    expect(await kept([waiting, dropped])).toEqual([true, true])
  })
})

describe('a reply of more than one megabyte', () => {
  let chain: TestChain
  let scene: Scene
  let gateway: Seller
  let paidFirst: Seller
  let runs = 0
  const shops: Awaited<ReturnType<typeof sell>>[] = []
  const open = async (seller: Seller) => {
    const shop = await sell(seller, async () => json(200, { run: ++runs, text: 'x'.repeat(maxStoredBytes) }))
    shops.push(shop)
    return shop
  }

  beforeAll(async () => {
    chain = await startTestChain()
    scene = await openScene(chain)
    gateway = await scene.open()
    paidFirst = await scene.open(scene.paidFirst)
  })
  afterAll(async () => {
    for (const shop of shops) await shop.close()
    await scene.close()
    await chain.close()
  })

  test.each(['after', 'before'])(
    'a large reply that is charged %s the work is sent once; a repeated payment gets the payment’s state',
    async (timing) => {
      const shop = await open(timing === 'after' ? gateway : paidFirst)
      const payment = await scene.sign(await scene.wallet())
      const before = await tally(scene)
      const reply = await buy(shop, payment)
      expect([reply.status, reply.body.text?.length]).toEqual([200, maxStoredBytes])
      const transaction = transactionOf(reply)
      expectReplayed(await buy(shop, payment), { id: idOf(payment), state: 'settled', transaction })
      expect(reply.body.run).toBe(runs)
      expect((await since(before, scene)).received).toBe(price)
    },
  )

  describe('a lost large reply is owed: the repeated payment is served, and not charged again,', () => {
    test('when the outcome of its settlement was unknown', async () => {
      const shop = await open(gateway)
      const payment = await scene.sign(await scene.wallet())
      const before = await tally(scene)
      gateway.node.faults.set('eth_getTransactionReceipt', 'sees nothing')
      expectUnknown(await buy(shop, payment))
      gateway.node.faults.clear()
      await scene.endLease(payment)
      const reply = await buy(shop, payment)
      expect([reply.status, reply.body.run]).toEqual([200, runs])
      expect((await scene.rowOf(payment)).transaction).toBe(transactionOf(reply))
      expectReplayed(await buy(shop, payment), { state: 'settled' })
      expect((await since(before, scene)).received).toBe(price)
    })

    test('when the gateway that made it was killed', async () => {
      const payment = await scene.sign(await scene.wallet())
      const before = await tally(scene)
      const held = gateway.node.hold('eth_sendRawTransaction')
      const late = buy(await open(gateway), payment)
      await held.reached
      await scene.endLease(payment)
      const shop = await open(paidFirst)
      const reply = await buy(shop, payment)
      expect([reply.status, reply.body.run]).toEqual([200, runs])
      held.release()
      expect((await late).status).toBe(200)
      expectReplayed(await buy(shop, payment), { state: 'settled', transaction: transactionOf(reply) })
      expect((await since(before, scene)).received).toBe(price)
    })
  })
})
