import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { buy, buyAndLeave, buyWhile, cancel, since, tally } from '../../support/gateways/purchases.ts'
import {
  expectNoInvitation,
  expectRefused,
  expectUnknown,
  transactionOf,
} from '../../support/gateways/replies.ts'
import { openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'

/**
 * How much a payer can have done before the money for it has come: never more than the wallet holds,
 * and nothing at all once payments of theirs have failed.
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
  scene.model.delayMs = 0
})

const signMany = (wallet: LocalAccount, count: number) =>
  Promise.all(Array.from({ length: count }, () => scene.sign(wallet)))
const statesOf = async ({ address }: LocalAccount) => {
  const rows = await scene.queries
    .selectFrom('payments')
    .select('state')
    .where('payer', '=', address.toLowerCase())
    .execute()
  return rows.map(({ state }) => state)
}

/** Sends them all at once, to the two gateways in turn. */
const buyAll = (payments: readonly SignedPayment[]) =>
  Promise.all(payments.map((payment, n) => buy(n % 2 ? gateway : second, payment)))

/** Moves one price out of the wallet, to somebody who sells nothing. */
const drain = async (wallet: LocalAccount) =>
  scene.payee.submit(await scene.sign(wallet, { to: freshWallet().address }))

/** Buys, with the money gone right before the settlement is sent. */
const buyAndDrain = (payment: SignedPayment, wallet: LocalAccount) =>
  buyWhile(gateway, payment, () => drain(wallet))

const runsReach = (runs: number) => expect.poll(() => scene.model.asked, { timeout: 10_000 }).toBe(runs)

describe('fifty payments at once, over two gateways, from a wallet that holds four prices', () => {
  test.each([
    ['at once', 0],
    ['after a while', 500],
  ])(
    'buy four runs when the handler answers %s; the others are told what is missing, and pay once it is there',
    async (_speed, delayMs) => {
      const wallet = await scene.wallet(4n * price)
      const before = await tally(scene)
      scene.model.delayMs = delayMs
      const payments = await signMany(wallet, 50)
      const replies = await buyAll(payments)
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
      const refused = replies.filter(({ status }) => status !== 200)
      for (const reply of refused) expectRefused(reply, 'insufficient_funds')
      expect(await since(before, scene)).toEqual({ runs: 4, received: 4n * price })
      expect(await statesOf(wallet)).toEqual(Array(4).fill('settled'))

      await chain.mint(wallet.address, price)
      const [again] = payments.filter((_, n) => replies[n]?.status !== 200)
      if (!again) throw new Error('none was refused')
      expect((await buy(gateway, again)).status).toBe(200)
      expect(await since(before, scene)).toEqual({ runs: 5, received: 5n * price })
    },
  )

  test('while their four outcomes are unknown, none of the four is asked to pay anew, and no fifth gets a run', async () => {
    const wallet = await scene.wallet(4n * price)
    const before = await tally(scene)
    for (const { node } of [gateway, second]) node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    const payments = await signMany(wallet, 50)
    const replies = await buyAll(payments)
    for (const { node } of [gateway, second]) node.faults.clear()
    const open = payments.filter((_, n) => replies[n]?.status !== 402)
    expect(open).toHaveLength(4)
    for (const reply of replies) {
      if (reply.status === 402) expectRefused(reply, 'insufficient_funds')
      else expectUnknown(reply)
    }
    expect(await statesOf(wallet)).toEqual(Array(4).fill('settling'))
    for (const payment of open) await scene.endLease(payment)
    expect((await buyAll(open)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await since(before, scene)).toEqual({ runs: 4, received: 4n * price })
  })
})

test('a payment waits for the outcome of the one that needs the same balance, and is served when that one fails', async () => {
  const wallet = await scene.wallet()
  const [first, next] = [await scene.sign(wallet), await scene.sign(wallet)]
  const before = await tally(scene)
  let waiting: ReturnType<typeof buy> | undefined
  const refused = await buyWhile(gateway, first, async () => {
    const looked = second.node.count('eth_call')
    waiting = buy(second, next)
    // Verified again and again: it is waiting.
    await expect.poll(() => second.node.count('eth_call'), { timeout: 10_000 }).toBeGreaterThan(looked + 3)
    await cancel(chain, first, wallet)
  })
  expectRefused(refused, 'invalid_transaction_state', 'PAYMENT_FAILED')
  expect((await waiting)?.status).toBe(200)
  expect(await since(before, scene)).toEqual({ runs: 2, received: price })
})

describe.each(['after', 'before'] as const)(
  'MAX_PAYMENTS_IN_FLIGHT, with the money taken %s the work,',
  (timing) => {
    test('turns away what one payer sends beyond it, and takes the same payment when there is room again', async () => {
      const strict = await scene.open({
        MAX_PAYMENTS_IN_FLIGHT: '2',
        ...(timing === 'before' ? scene.paidFirst : {}),
      })
      const wallet = await scene.wallet(3n * price)
      const [first, other, third] = await signMany(wallet, 3)
      if (!first || !other || !third) throw new Error('three payments were asked for')
      const before = await tally(scene)
      scene.model.hold()
      const running = [buy(strict, first), buy(strict, other)]
      await runsReach(before.runs + 2)

      const turnedAway = await buy(strict, third)
      expect([turnedAway.status, turnedAway.body.code]).toEqual([429, 'TOO_MANY_PAYMENTS'])
      expect(turnedAway.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' })
      expectNoInvitation(turnedAway)
      expect(await statesOf(wallet)).toHaveLength(2)

      const neighbour = buy(strict, await scene.sign(await scene.wallet()))
      await runsReach(before.runs + 3)
      scene.model.release()
      const replies = await Promise.all([...running, neighbour])
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await buy(strict, third)).status).toBe(200)
      expect(await since(before, scene)).toEqual({ runs: 4, received: 4n * price })
    })
  },
)

describe('a payer whose money does not come', () => {
  test('has three runs for nothing and no fourth: the money moves first then, and an honest payment is served', async () => {
    const wallet = await scene.wallet()
    const before = await tally(scene)
    for (let run = 1; run <= 3; run++) {
      expectRefused(
        await buyAndDrain(await scene.sign(wallet), wallet),
        'invalid_transaction_state',
        'PAYMENT_FAILED',
      )
      await chain.mint(wallet.address, price)
    }
    expect(await since(before, scene)).toEqual({ runs: 3, received: 0n })

    const fourth = await scene.sign(wallet)
    expectRefused(await buyAndDrain(fourth, wallet), 'invalid_transaction_state', 'PAYMENT_FAILED')
    expect(await scene.rowOf(fourth)).toMatchObject({ state: 'failed', timing: 'before' })
    await chain.mint(wallet.address, price)
    expect(await since(before, scene)).toEqual({ runs: 3, received: 0n })

    expect((await buy(gateway, await scene.sign(wallet))).status).toBe(200)
    expect(await since(before, scene)).toEqual({ runs: 4, received: price })
  })

  test('has no further run for nothing with a payment that failed', async () => {
    const wallet = await scene.wallet()
    const payment = await scene.sign(wallet)
    const before = await tally(scene)
    for (let time = 1; time <= 2; time++) {
      expectRefused(await buyAndDrain(payment, wallet), 'invalid_transaction_state', 'PAYMENT_FAILED')
      await chain.mint(wallet.address, price)
    }
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
    expect((await buy(second, payment)).status).toBe(200)
    expect(await since(before, scene)).toEqual({ runs: 2, received: price })
  })

  test('has no further run for nothing while failed payments are tried again', async () => {
    const wallet = await scene.wallet(2n * price)
    const before = await tally(scene)
    const failed = await signMany(wallet, 3)
    for (const payment of failed) {
      await buyWhile(gateway, payment, async () => {
        await drain(wallet)
        await drain(wallet)
      })
      await chain.mint(wallet.address, 2n * price)
    }
    const [first] = failed
    if (!first) throw new Error('three payments were asked for')
    const next = await scene.sign(wallet)
    await buyWhile(gateway, first, async () => {
      expectRefused(
        await buyWhile(second, next, async () => {
          await drain(wallet)
          await drain(wallet)
        }),
        'invalid_transaction_state',
        'PAYMENT_FAILED',
      )
    })
    expect(await since(before, scene)).toEqual({ runs: 3, received: 0n })
  })

  test('and cancels the authorization while the handler runs gets nothing, now or later', async () => {
    const wallet = await scene.wallet()
    const payment = await scene.sign(wallet)
    const before = await tally(scene)
    scene.model.hold()
    const reply = buy(gateway, payment)
    await runsReach(before.runs + 1)
    await cancel(chain, payment, wallet)
    scene.model.release()
    expectRefused(await reply, 'invalid_transaction_state', 'PAYMENT_FAILED')
    expect(await scene.rowOf(payment)).toMatchObject({ state: 'failed', replyBody: null })
    expectRefused(await buy(second, payment), 'invalid_transaction_state')
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })
})

test('a payer who leaves three times pays first the fourth time, and then gets the reply by repeating', async () => {
  const wallet = await scene.wallet()
  const payment = await scene.sign(wallet)
  const before = await tally(scene)
  scene.model.answer = 'never'
  for (let run = 1; run <= 3; run++) {
    await buyAndLeave(gateway, payment, () => runsReach(before.runs + run))
    await expect.poll(async () => (await scene.rowOf(payment)).state, { timeout: 10_000 }).toBe('released')
  }
  expect(await since(before, scene)).toEqual({ runs: 3, received: 0n })

  scene.model.answer = 'research'
  scene.model.hold()
  await buyAndLeave(gateway, payment, () => runsReach(before.runs + 4))
  expect(await since(before, scene)).toEqual({ runs: 4, received: price })
  const repeated = buy(second, payment)
  scene.model.release()
  const reply = await repeated
  expect(reply.status).toBe(200)
  expect((await scene.rowOf(payment)).transaction).toBe(transactionOf(reply))
  expect(await since(before, scene)).toEqual({ runs: 4, received: price })
})
