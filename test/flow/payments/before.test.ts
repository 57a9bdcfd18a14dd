import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { takeUpPaid } from '../../../src/doors/ledger/payments.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { buy, buyAndLeave, buyWhile, since, tally } from '../../support/gateways/purchases.ts'
import {
  expectNotServed,
  expectRefused,
  expectReplayed,
  expectUnknown,
  transactionOf,
} from '../../support/gateways/replies.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { sell } from '../../support/servers/handler.ts'

/**
 * Operations with settle: before. A call that is paid and not served is owed: whatever fails after the
 * payment, the payer gets one run for it and never pays twice.
 */
let chain: TestChain
let scene: Scene
let gateway: Seller
let second: Seller

beforeAll(async () => {
  chain = await startTestChain()
  scene = await openScene(chain)
  gateway = await scene.open(scene.paidFirst)
  second = await scene.open(scene.paidFirst)
})
afterAll(async () => {
  await scene.close()
  await chain.close()
})
afterEach(() => {
  for (const { node } of [gateway, second]) node.faults.clear()
  scene.model.answer = 'research'
  scene.model.release()
})

const stateOf = async (payment: SignedPayment) => (await scene.rowOf(payment)).state
const runsReach = (runs: number) =>
  expect.poll(() => scene.model.asked, { message: 'the handler did not begin so many runs' }).toBe(runs)
const newPayment = async () => scene.sign(await scene.wallet())
/** The transactions with money from this payer. */
const takenFrom = async ({ authorization: { from } }: SignedPayment) =>
  (await scene.payee.transfers(from, scene.payee.address)).map(({ transaction }) => transaction)

test('with settle: before the money moves once before the handler runs, and the receipt names that transfer', async () => {
  const payment = await newPayment()
  const before = await tally(scene)
  scene.model.hold()
  const bought = buy(gateway, payment)
  await runsReach(before.runs + 1)
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
  expect(await stateOf(payment)).toBe('paid')
  scene.model.release()
  const reply = await bought
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ success: true, lead: { company: 'Acme Dental' } })
  expect(await takenFrom(payment)).toEqual([transactionOf(reply)])
  expect(await stateOf(payment)).toBe('settled')

  const again = await buy(second, payment)
  expect([again.status, again.text]).toEqual([200, reply.text])
  expect(again.headers['payment-response']).toBe(reply.headers['payment-response'])
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
})

test('with settle: before a failed settlement runs no handler, and the same payment buys a run once the wallet can pay', async () => {
  const wallet = await scene.wallet()
  const payment = await scene.sign(wallet)
  const before = await tally(scene)
  const refused = await buyWhile(gateway, payment, async () =>
    scene.payee.submit(await scene.sign(wallet, { to: freshWallet().address })),
  )
  expectRefused(refused, 'invalid_transaction_state', 'PAYMENT_FAILED')
  expect(await stateOf(payment)).toBe('failed')
  expect(await since(before, scene)).toEqual({ runs: 0, received: 0n })

  await chain.mint(wallet.address, price)
  expect((await buy(second, payment)).status).toBe(200)
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
})

test('fifty copies of a payment with settle: before, sent to two gateways at once, run the handler once and are charged once', async () => {
  const payment = await newPayment()
  const before = await tally(scene)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => buy(n % 2 ? gateway : second, payment, { version: n % 3 ? 1 : 2 })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(new Set(replies.map(({ headers }) => headers['payment-response'])).size).toBe(1)
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
})

describe('a payer whose call failed after the money was taken', () => {
  /** Pays while the model returns nothing usable. */
  async function payForNothing(seller: Seller): Promise<SignedPayment> {
    const payment = await newPayment()
    scene.model.answer = 'nonsense'
    expectNotServed(await buy(seller, payment), payment, 'TEXT_ENGINE_FAILED')
    expect(await stateOf(payment)).toBe('paid')
    scene.model.answer = 'research'
    return payment
  }

  test.each(['nonsense', 'error'] as const)(
    'a payer whose model answered with %s is not charged again, however often it fails, and is served when it works',
    async (answer) => {
      const payment = await newPayment()
      const before = await tally(scene)
      scene.model.answer = answer
      for (let time = 1; time <= 4; time++) {
        const seller = time % 2 ? gateway : second
        expectNotServed(await buy(seller, payment), payment, 'TEXT_ENGINE_FAILED')
      }
      expect(await since(before, scene)).toEqual({ runs: 4, received: price })
      scene.model.answer = 'research'
      const reply = await buy(gateway, payment)
      expect(reply.status).toBe(200)
      expect(await takenFrom(payment)).toEqual([transactionOf(reply)])
      expect((await buy(second, payment)).text).toBe(reply.text)
      expect(await since(before, scene)).toEqual({ runs: 5, received: price })
    },
  )

  test('a payer whose handler missed its deadline is served when they repeat the payment, without a second charge', async () => {
    const { folder, remove } = await temporaryFolder()
    try {
      const file = await writeCatalog(folder, { researchLead: { settle: 'before', deadline_seconds: 1 } })
      const hurried = await scene.open({ CATALOG_FILE: file })
      const payment = await newPayment()
      const before = await tally(scene)
      scene.model.answer = 'never'
      expectNotServed(await buy(hurried, payment), payment, 'DEADLINE_EXCEEDED')
      scene.model.answer = 'research'
      expect((await buy(gateway, payment)).status).toBe(200)
      expect(await since(before, scene)).toEqual({ runs: 2, received: price })
    } finally {
      await remove()
    }
  })

  const faulty: readonly [string, () => Promise<Reply>][] = [
    ['threw', () => Promise.reject(new Error('out of order'))],
    ['replied with 503', async () => json(503, { problem: 'it is gone' })],
  ]
  test.each(faulty)(
    'a payer whose handler %s gets PAID_NOT_SERVED without details, and is served when they repeat',
    async (_how, handle) => {
      const broken = await sell(gateway, handle)
      try {
        const payment = await newPayment()
        const before = await tally(scene)
        const reply = await buy(broken, payment)
        expectNotServed(reply, payment)
        expect(reply.text).not.toMatch(/gone|out of order/)
        expect((await buy(gateway, payment)).status).toBe(200)
        expect(await since(before, scene)).toEqual({ runs: 1, received: price })
      } finally {
        await broken.close()
      }
    },
  )

  test('an owed payment buys only its own request: another request with the signature from the chain gets nothing', async () => {
    const payment = await payForNothing(gateway)
    const before = await tally(scene)
    const other = { body: { companyName: 'Mallory Dental' } }
    expectReplayed(await buy(second, payment, other), { id: idOf(payment), state: 'paid' })
    expect((await buy(gateway, payment)).status).toBe(200)
    expectReplayed(await buy(second, payment, other), { id: idOf(payment), state: 'settled' })
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })

  test('an owed payment that is sent fifty times to two gateways at once gets one run', async () => {
    const payment = await payForNothing(gateway)
    const before = await tally(scene)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => buy(n % 2 ? gateway : second, payment)),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })

  test('of fifty workers that find an owed payment at once, one takes it up', async () => {
    const payment = await payForNothing(gateway)
    const books = { queries: scene.queries, clock: systemClock }
    const { id } = await scene.rowOf(payment)
    const held = await Promise.all(Array.from({ length: 50 }, () => takeUpPaid(books, id, 60_000)))
    expect(held.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('an owed payment is served after the gateway was restarted', async () => {
    const stopped = await scene.open(scene.paidFirst)
    const payment = await payForNothing(stopped)
    await stopped.close()
    const before = await tally(scene)
    const started = await scene.open(scene.paidFirst)
    const reply = await buy(started, payment)
    expect(reply.status).toBe(200)
    expect(await takenFrom(payment)).toEqual([transactionOf(reply)])
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })

  test('an owed payment is served also while no new payment can be taken', async () => {
    const payment = await payForNothing(gateway)
    const lonely = await scene.open(scene.paidFirst)
    lonely.node.faults.set('eth_call', 'refused')
    expect((await buy(lonely, await newPayment())).body).toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
    expect((await buy(lonely, payment)).status).toBe(200)
  })

  test('an owed payment is not served to a caller without the payer’s signature', async () => {
    const payment = await payForNothing(gateway)
    const stranger = await buy(gateway, { ...payment, signature: `0x${'12'.repeat(65)}` })
    expectRefused(stranger, 'invalid_exact_evm_payload_signature')
    expect(await stateOf(payment)).toBe('paid')
  })
})

test('a payer who disconnects during the run gets the reply of that run by repeating the payment', async () => {
  const payment = await newPayment()
  const before = await tally(scene)
  scene.model.hold()
  await buyAndLeave(gateway, payment, () => runsReach(before.runs + 1))
  scene.model.release()
  await expect.poll(() => stateOf(payment)).toBe('settled')
  const reply = await buy(second, payment)
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(Buffer.from((await scene.rowOf(payment)).replyBody ?? []).toString())
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
})

describe('a settlement before the work whose outcome is unknown', () => {
  test.each([
    ['was sent and has no receipt', 'eth_getTransactionReceipt', 'sees nothing', price],
    ['was sent and whose reply was lost', 'eth_sendRawTransaction', 'answer lost', price],
    ['the node refused', 'eth_sendRawTransaction', 'refused', 0n],
  ] as const)(
    'a settlement that %s holds the handler back until the payment comes again',
    async (_how, method, fault, moved) => {
      const payment = await newPayment()
      const before = await tally(scene)
      gateway.node.faults.set(method, fault)
      // Otherwise the sweep would find the transaction soon after.
      if (fault === 'answer lost') gateway.node.faults.set('eth_getTransactionReceipt', 'refused')
      expectUnknown(await buy(gateway, payment))
      expect(await stateOf(payment)).toBe('settling')
      expect(await since(before, scene)).toEqual({ runs: 0, received: moved })

      gateway.node.faults.clear()
      await scene.endLease(payment)
      let reply = await buy(gateway, payment)
      // The sweep may hold the payment at this moment; its payer is told to come again then.
      while (reply.status === 503) reply = await buy(gateway, payment)
      expect(reply.status).toBe(200)
      expect(await takenFrom(payment)).toEqual([transactionOf(reply)])
      expect(await since(before, scene)).toEqual({ runs: 1, received: price })
    },
  )

  test('an unknown settlement before the work is not repeated while its payer does not come back', async () => {
    const payment = await newPayment()
    const before = await tally(scene)
    gateway.node.faults.set('eth_sendRawTransaction', 'refused')
    expectUnknown(await buy(gateway, payment))
    gateway.node.faults.clear()
    await scene.endLease(payment)
    const { tries } = await scene.rowOf(payment)
    const triesNow = async () => (await scene.rowOf(payment)).tries
    await expect.poll(triesNow, { message: 'the sweep did not look at the payment' }).toBeGreaterThan(tries)
    expect(await stateOf(payment)).toBe('settling')
    expect(await since(before, scene)).toEqual({ runs: 0, received: 0n })
  })

  test('the sweep finds money that has moved: the call is owed, and served when its payer repeats the payment', async () => {
    const payment = await newPayment()
    const before = await tally(scene)
    gateway.node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    expectUnknown(await buy(gateway, payment))
    gateway.node.faults.clear()
    await scene.endLease(payment)
    await expect.poll(() => stateOf(payment)).toBe('paid')
    expect((await buy(second, payment)).status).toBe(200)
    expect(await since(before, scene)).toEqual({ runs: 1, received: price })
  })
})

test('after all tests above, the sum of the books equals the money that came in', async () => {
  const rows = await scene.queries.selectFrom('payments').select(['state', 'amount']).execute()
  const taken = rows.filter(({ state }) => ['paid', 'settled', 'final'].includes(state))
  const received = await scene.payee.balanceOf(scene.payee.address)
  expect(taken.reduce((sum, { amount }) => sum + amount, 0n)).toBe(received)
})
