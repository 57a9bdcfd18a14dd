import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { buy, buyWhile, type Purchase, since, tally } from '../../support/gateways/purchases.ts'
import {
  expectNotServed,
  expectRefused,
  expectUnknown,
  transactionOf,
} from '../../support/gateways/replies.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'

/**
 * Purchases with an idempotency key: a payer who lost the reply and signs a new payment, as most clients do,
 * gets the reply of the first one and is not charged again.
 */
let chain: TestChain
let scene: Scene
let gateway: Seller
let second: Seller

beforeAll(async () => {
  chain = await startTestChain()
  scene = await openScene(chain)
  gateway = await scene.open()
  second = await scene.open()
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

let orders = 0
/** A new key, valid in the header and in the payment. */
const newKey = () => `order-${String(++orders).padStart(16, '0')}`
const runsReach = (runs: number) =>
  expect.poll(() => scene.model.asked, { message: 'the handler did not begin so many runs' }).toBe(runs)
const balanceOf = (wallet: LocalAccount) => scene.payee.balanceOf(wallet.address)

function expectReused(reply: Awaited<ReturnType<typeof buy>>, payment: SignedPayment): void {
  expect([reply.status, reply.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  expect(reply.body.details.payment).toMatchObject({ id: idOf(payment) })
  expect(reply.body).not.toHaveProperty('lead')
}

describe('a second signature under the same idempotency key', () => {
  const spoken: readonly [string, (key: string) => Purchase, (key: string) => Purchase][] = [
    ['in the header both times', (key) => ({ key }), (key) => ({ key })],
    ['in the payment both times', (identifier) => ({ identifier }), (identifier) => ({ identifier })],
    ['in the header, then in the payment', (key) => ({ key }), (identifier) => ({ identifier })],
    ['in the header, with x402 v1', (key) => ({ key, version: 1 }), (key) => ({ key, version: 1 })],
    ['in both at once', (key) => ({ key, identifier: key }), (key) => ({ key, version: 1 })],
  ]
  test.each(spoken)(
    'a second signature under a key (%s) gets the stored reply, byte for byte, without a second charge',
    async (_where, first, next) => {
      const wallet = await scene.wallet(2n * price)
      const key = newKey()
      const before = await tally(scene)
      const bought = await buy(gateway, await scene.sign(wallet), first(key))
      const again = await buy(second, await scene.sign(wallet), next(key))
      expect([bought.status, again.status]).toEqual([200, 200])
      expect(again.text).toBe(bought.text)
      expect(again.headers['payment-response']).toBe(bought.headers['payment-response'])
      expect(await since(before, scene)).toEqual({ runs: 1, received: price })
      expect(await balanceOf(wallet)).toBe(price)
    },
  )

  test('a second signature under a key gets the stored reply also when the wallet is empty by now', async () => {
    const wallet = await scene.wallet()
    const key = newKey()
    const bought = await buy(gateway, await scene.sign(wallet), { key })
    expect(await balanceOf(wallet)).toBe(0n)
    const again = await buy(second, await scene.sign(wallet), { key })
    expect([again.status, again.text]).toEqual([200, bought.text])
    expectRefused(await buy(second, await scene.sign(wallet), { key: newKey() }), 'insufficient_funds')
  })

  test('a second signature under a key gets the stored reply also while payments cannot be checked', async () => {
    const wallet = await scene.wallet(2n * price)
    const key = newKey()
    const bought = await buy(gateway, await scene.sign(wallet), { key })
    gateway.node.faults.set('eth_call', 'refused')
    expect((await buy(gateway, await scene.sign(wallet), { key })).text).toBe(bought.text)
  })

  test('while the outcome of the first payment is unknown, the second gets an error that says to repeat and not to pay', async () => {
    const wallet = await scene.wallet(2n * price)
    const key = newKey()
    const first = await scene.sign(wallet)
    const before = await tally(scene)
    gateway.node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    expectUnknown(await buy(gateway, first, { key }))
    gateway.node.faults.clear()
    await scene.endLease(first)
    const again = await buy(second, await scene.sign(wallet), { key })
    expect(again.status).toBe(200)
    expect((await scene.rowOf(first)).transaction).toBe(transactionOf(again))
    expect(await since(before, scene)).toEqual({ runs: 1, received: price })
  })

  test('a second signature under a key does not pay for another request, whether the first is served or still running', async () => {
    const wallet = await scene.wallet(2n * price)
    const key = newKey()
    const first = await scene.sign(wallet)
    const before = await tally(scene)
    scene.model.hold()
    const running = buy(gateway, first, { key })
    await runsReach(before.runs + 1)
    const other = { key, body: { companyName: 'Other Dental' } }
    expectReused(await buy(second, await scene.sign(wallet), other), first)
    scene.model.release()
    expect((await running).status).toBe(200)
    expectReused(await buy(second, await scene.sign(wallet), other), first)
    expect(await since(before, scene)).toEqual({ runs: 1, received: price })
  })
})

test('twenty signatures under one key, sent to two gateways at once, are one run, one transfer and twenty equal replies', async () => {
  const wallet = await scene.wallet(20n * price)
  const key = newKey()
  const before = await tally(scene)
  const payments = await Promise.all(Array.from({ length: 20 }, () => scene.sign(wallet)))
  const replies = await Promise.all(
    payments.map((payment, n) => buy(n % 2 ? gateway : second, payment, { key })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(new Set(replies.map(({ headers }) => headers['payment-response'])).size).toBe(1)
  expect(await since(before, scene)).toEqual({ runs: 1, received: price })
  expect(await balanceOf(wallet)).toBe(19n * price)
})

describe('a purchase of one payer', () => {
  test('the same key from another payer is another purchase', async () => {
    const key = newKey()
    const before = await tally(scene)
    const [one, other] = [await scene.wallet(), await scene.wallet()]
    const bought = await buy(gateway, await scene.sign(one), { key })
    const theirs = await buy(gateway, await scene.sign(other), { key })
    expect([bought.status, theirs.status]).toEqual([200, 200])
    expect(transactionOf(theirs)).not.toBe(transactionOf(bought))
    expect(await since(before, scene)).toEqual({ runs: 2, received: 2n * price })
  })

  test('a caller who names the payer without their signature does not get the purchase', async () => {
    const wallet = await scene.wallet()
    const key = newKey()
    expect((await buy(gateway, await scene.sign(wallet), { key })).status).toBe(200)
    const forged = await scene.sign(freshWallet(), { from: wallet.address })
    expectRefused(await buy(gateway, forged, { key }), 'invalid_exact_evm_payload_signature')
    expectRefused(await buy(gateway, await scene.sign(freshWallet()), { key }), 'insufficient_funds')
  })
})

describe('a payment that bought nothing does not use its key up', () => {
  test('after a failed handler the next signature under the key buys, and the first one gets the bought reply', async () => {
    const wallet = await scene.wallet()
    const key = newKey()
    const [first, next] = [await scene.sign(wallet), await scene.sign(wallet)]
    const before = await tally(scene)
    scene.model.answer = 'error'
    expect((await buy(gateway, first, { key })).body).toMatchObject({ code: 'TEXT_ENGINE_FAILED' })
    scene.model.answer = 'research'
    const bought = await buy(gateway, next, { key })
    expect(bought.status).toBe(200)
    const again = await buy(second, first, { key })
    expect([again.status, again.text]).toEqual([200, bought.text])
    expect(await since(before, scene)).toEqual({ runs: 2, received: price })
  })

  test('after a failed settlement the next signature under the key buys, and money of the first that arrives later is owed', async () => {
    const wallet = await scene.wallet(2n * price)
    const key = newKey()
    const [first, next] = [await scene.sign(wallet), await scene.sign(wallet)]
    const before = await tally(scene)
    const elsewhere = await scene.sign(wallet, { to: freshWallet().address, value: 2n * price })
    const failed = await buyWhile(gateway, first, () => scene.payee.submit(elsewhere), { key })
    expectRefused(failed, 'invalid_transaction_state', 'PAYMENT_FAILED')
    await chain.mint(wallet.address, 2n * price)
    const bought = await buy(gateway, next, { key })
    expect(bought.status).toBe(200)

    // The first signature is still valid, and another account submits it.
    await scene.payee.submit(first)
    const other = { key, body: { companyName: 'Other Dental' } }
    expect((await buy(gateway, first, other)).body).toMatchObject({ code: 'PAYMENT_REPLAYED' })
    expect((await buy(gateway, first, { key })).status).toBe(200)
    expect((await buy(gateway, await scene.sign(wallet), { key })).text).toBe(bought.text)
    expect(await since(before, scene)).toEqual({ runs: 3, received: 2n * price })
  })
})

describe('a call that was paid under a key and not served', () => {
  test('a paid and unserved call is served to the next signature under its key, without a second charge, and to no other request', async () => {
    const seller = await scene.open(scene.paidFirst)
    const wallet = await scene.wallet(2n * price)
    const key = newKey()
    const first = await scene.sign(wallet)
    const before = await tally(scene)
    scene.model.answer = 'error'
    const failed = await buy(seller, first, { key })
    expectNotServed(failed, first, 'TEXT_ENGINE_FAILED')
    scene.model.answer = 'research'
    expectReused(
      await buy(seller, await scene.sign(wallet), { key, body: { companyName: 'Other Dental' } }),
      first,
    )
    const reply = await buy(seller, await scene.sign(wallet), { key })
    expect(reply.status).toBe(200)
    expect((await scene.rowOf(first)).transaction).toBe(transactionOf(reply))
    expect(await since(before, scene)).toEqual({ runs: 2, received: price })
  })
})

describe('an invalid idempotency key', () => {
  const faulty: readonly [string, string | string[]][] = [
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['text with a blank', 'order 4711'],
    ['text outside ASCII', 'bestellung-ä'],
    ['one of two different ones', ['order-1', 'order-2']],
  ]
  test.each(faulty)('a key that is %s gets 400, and nothing is charged', async (_label, key) => {
    const payment = await scene.sign(await scene.wallet())
    const before = await tally(scene)
    const reply = await buy(gateway, payment, { key })
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(reply.body.details.issues).toMatchObject([{ field: 'Idempotency-Key' }])
    expect(await since(before, scene)).toEqual({ runs: 0, received: 0n })
    expect((await buy(gateway, payment, { key: 'k'.repeat(255) })).status).toBe(200)
  })

  test('two different keys in header and payment get 400, and nothing is charged', async () => {
    const payment = await scene.sign(await scene.wallet())
    const before = await tally(scene)
    const reply = await buy(gateway, payment, { key: newKey(), identifier: newKey() })
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await since(before, scene)).toEqual({ runs: 0, received: 0n })
  })

  test.each([['too short'], ['x'.repeat(129)], ['not/of/these/characters']])(
    'an invalid identifier in the payment (%s) gets 402 with the reason, and nothing is charged',
    async (identifier) => {
      const payment = await scene.sign(await scene.wallet())
      expectRefused(await buy(gateway, payment, { identifier }), 'invalid_payload')
    },
  )
})
