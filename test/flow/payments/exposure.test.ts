import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment, signPayment } from '../../support/chain/wallet.ts'
import { careful } from '../../support/gateways/process.ts'
import { buy, buyAndLeave, buyWhile, cancel, since, tally } from '../../support/gateways/purchases.ts'
import {
  expectNoInvitation,
  expectRefused,
  expectUnknown,
  transactionOf,
} from '../../support/gateways/replies.ts'
import { openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'

/**
 * How much work a payer gets before its money has moved: never more than the wallet holds, one call for a fresh
 * wallet, and none after a failed payment.
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

/** Sends all payments at once, alternating between the two gateways. */
const buyAll = (payments: readonly SignedPayment[]) =>
  Promise.all(payments.map((payment, n) => buy(n % 2 ? gateway : second, payment)))

/** Moves one price out of the wallet, to an unrelated account. */
const drain = async (wallet: LocalAccount) =>
  scene.payee.submit(await scene.sign(wallet, { to: freshWallet().address }))

/** Buys, and takes the money away right before the settlement is sent. */
const buyAndDrain = (payment: SignedPayment, wallet: LocalAccount) =>
  buyWhile(gateway, payment, () => drain(wallet))

const runsReach = ({ model }: Pick<Scene, 'model'>, runs: number) =>
  expect.poll(() => model.asked, { message: 'the handler did not begin so many runs' }).toBe(runs)

describe('fifty payments, sent to two gateways at once, from a wallet that holds four prices', () => {
  test.each([
    ['at once', 0],
    ['after a while', 500],
  ])(
    'fifty payments with money for four buy four runs when the handler replies %s; the others get the reason, and pay later',
    async (_speed, delayMs) => {
      const wallet = await scene.wallet(4n * price)
      const before = await tally(scene)
      scene.model.delayMs = delayMs
      const payments = await signMany(wallet, 50)
      const replies = await buyAll(payments)
      const served = replies.filter(({ status }) => status !== 402)
      expect(served.map(({ status, body }) => [status, body.code, body.details?.reason])).toEqual(
        Array(4).fill([200, undefined, undefined]),
      )
      const refused = replies.filter(({ status }) => status === 402)
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

  test('while four outcomes are unknown, none of the four is asked to pay again, and no fifth payment gets a run', async () => {
    const wallet = await scene.wallet(4n * price)
    const before = await tally(scene)
    for (const { node } of [gateway, second]) node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    const payments = await signMany(wallet, 50)
    const verified = () => gateway.node.count('eth_call') + second.node.count('eth_call')
    const verifiedBefore = verified()
    // Once a payment of unknown outcome has moved its price, the wallet no longer proves that a fourth is there.
    scene.model.hold()
    const bought = buyAll(payments)
    await runsReach(scene, before.runs + 4)
    scene.model.release()
    const replies = await bought
    // The books alone keep the other 46 waiting, and refuse them at the end.
    expect(verified() - verifiedBefore).toBeLessThanOrEqual(20)
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

test('a payment waits for the outcome of another that needs the same balance, and is served when that one fails', async () => {
  const wallet = await scene.wallet()
  const [first, next] = [await scene.sign(wallet), await scene.sign(wallet)]
  const before = await tally(scene)
  let waiting: ReturnType<typeof buy> | undefined
  const refused = await buyWhile(gateway, first, async () => {
    const looked = second.node.count('eth_call')
    waiting = buy(second, next)
    await expect
      .poll(() => second.node.count('eth_call'), {
        message: 'the waiting payment was not verified',
      })
      .toBe(looked + 1)
    await cancel(chain, first, wallet)
  })
  expectRefused(refused, 'invalid_transaction_state', 'PAYMENT_FAILED')
  expect((await waiting)?.status).toBe(200)
  expect(await since(before, scene)).toEqual({ runs: 2, received: price })
})

describe.each(['after', 'before'] as const)(
  'MAX_PAYMENTS_IN_FLIGHT, with the money taken %s the work,',
  (timing) => {
    test('a payment beyond the payer’s limit is refused, and accepted when the payer has room again', async () => {
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
      await runsReach(scene, before.runs + 2)

      const turnedAway = await buy(strict, third)
      expect([turnedAway.status, turnedAway.body.code]).toEqual([429, 'TOO_MANY_PAYMENTS'])
      expect(turnedAway.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' })
      expectNoInvitation(turnedAway)
      expect(await statesOf(wallet)).toHaveLength(2)

      const neighbor = buy(strict, await scene.sign(await scene.wallet()))
      await runsReach(scene, before.runs + 3)
      scene.model.release()
      const replies = await Promise.all([...running, neighbor])
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await buy(strict, third)).status).toBe(200)
      expect(await since(before, scene)).toEqual({ runs: 4, received: 4n * price })
    })
  },
)

describe('a payer whose settlements fail', () => {
  test('a payer gets one unpaid run and no second: then the money moves first, and a payment that settles is served', async () => {
    const wallet = await scene.wallet()
    const before = await tally(scene)
    for (let time = 1; time <= 3; time++) {
      const payment = await scene.sign(wallet)
      expectRefused(await buyAndDrain(payment, wallet), 'invalid_transaction_state', 'PAYMENT_FAILED')
      expect(await scene.rowOf(payment)).toMatchObject({ timing: time === 1 ? 'after' : 'before' })
      await chain.mint(wallet.address, price)
    }
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })

    expect((await buy(gateway, await scene.sign(wallet))).status).toBe(200)
    expect(await since(before, scene)).toEqual({ runs: 2, received: price })
  })

  test('a payment that failed gets no second unpaid run', async () => {
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

  test('a payer gets no further unpaid run while failed payments are tried again', async () => {
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
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })

  test('a payer who cancels the authorization while the handler runs gets no reply, now or later', async () => {
    const wallet = await scene.wallet()
    const payment = await scene.sign(wallet)
    const before = await tally(scene)
    scene.model.hold()
    const reply = buy(gateway, payment)
    await runsReach(scene, before.runs + 1)
    await cancel(chain, payment, wallet)
    scene.model.release()
    expectRefused(await reply, 'invalid_transaction_state', 'PAYMENT_FAILED')
    expect(await scene.rowOf(payment)).toMatchObject({ state: 'failed', replyBody: null })
    expectRefused(await buy(second, payment), 'invalid_transaction_state')
    expect(await since(before, scene)).toEqual({ runs: 1, received: 0n })
  })
})

describe('a new payer', () => {
  let shop: Scene
  let one: Seller
  let other: Seller
  beforeAll(async () => {
    shop = await openScene(chain)
    one = await shop.open(careful)
    other = await shop.open(careful)
  })
  afterAll(() => shop.close())

  test('who disconnects pays first the second time, and then gets the reply by repeating', async () => {
    const wallet = await shop.wallet()
    const payment = await shop.sign(wallet)
    const before = await tally(shop)
    shop.model.answer = 'never'
    await buyAndLeave(one, payment, () => runsReach(shop, before.runs + 1))
    await expect
      .poll(async () => (await shop.rowOf(payment)).state, { message: 'the payment was not released' })
      .toBe('released')
    expect(await since(before, shop)).toEqual({ runs: 1, received: 0n })

    shop.model.answer = 'research'
    shop.model.hold()
    await buyAndLeave(one, payment, () => runsReach(shop, before.runs + 2))
    expect(await since(before, shop)).toEqual({ runs: 2, received: price })
    const repeated = buy(other, payment)
    shop.model.release()
    const reply = await repeated
    expect(reply.status).toBe(200)
    expect((await shop.rowOf(payment)).transaction).toBe(transactionOf(reply))
    expect(await since(before, shop)).toEqual({ runs: 2, received: price })
  })
})

describe('at gateways with the credit of an operator', () => {
  let shop: Scene
  let one: Seller
  let other: Seller
  beforeAll(async () => {
    shop = await openScene(chain)
    const settings = { ...careful, MAX_UNSETTLED_USDC: '1.10' }
    one = await shop.open(settings)
    other = await shop.open(settings)
  })
  afterAll(() => shop.close())

  const signed = (wallet: LocalAccount, count: number) =>
    Promise.all(Array.from({ length: count }, () => shop.sign(wallet)))
  const buyAtBoth = (payments: readonly SignedPayment[]) =>
    Promise.all(payments.map((payment, n) => buy(n % 2 ? one : other, payment)))

  /** Buys, and lets `meanwhile` happen while so many handlers run. */
  const buyHeld = async (
    payments: readonly SignedPayment[],
    runs: number,
    meanwhile: () => Promise<unknown>,
  ) => {
    const { asked } = shop.model
    shop.model.hold()
    const replies = buyAtBoth(payments)
    await expect
      .poll(() => shop.model.asked, { message: 'the handler did not begin so many runs' })
      .toBe(asked + runs)
    await meanwhile()
    shop.model.release()
    return replies
  }

  test('an honest fresh wallet that sends twelve calls at once gets twelve replies and is charged twelve times', async () => {
    // Anvil reads about one balance in a hundred one block later than it says, and then the last of exactly twelve prices
    // seems to be promised to others. Twice the money makes that harmless.
    const wallet = await shop.wallet(24n * price)
    const before = await tally(shop)
    const replies = await buyAtBoth(await signed(wallet, 12))
    expect(replies.map(({ status, body }) => [status, body.details?.reason])).toEqual(
      Array(12).fill([200, undefined]),
    )
    expect(await since(before, shop)).toEqual({ runs: 12, received: 12n * price })
  })

  test('a wallet that has paid for eight calls has five of them running at a time before its money moves', async () => {
    const wallet = await shop.wallet(13n * price)
    for (const payment of await signed(wallet, 8)) expect((await buy(one, payment)).status).toBe(200)
    const payments = await signed(wallet, 5)
    const before = await tally(shop)
    const replies = await buyHeld(payments, 5, async () => {
      const rows = await Promise.all(payments.map(shop.rowOf))
      expect(rows.map(({ timing }) => timing)).toEqual(Array(5).fill('after'))
    })
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await since(before, shop)).toEqual({ runs: 5, received: 5n * price })
  })

  test('a fresh wallet that drains itself gets one run for nothing, and so do the next holders of its money, up to MAX_UNSETTLED_USDC in sum', async () => {
    const before = await tally(shop)
    let wallet = await shop.wallet(7n * price)
    // Four prices of 0.25 are within 1.10 USDC. Then new payers are charged first.
    for (const runs of [1, 1, 1, 1, 0, 0]) {
      const mine = wallet
      wallet = await shop.wallet(0n)
      const { address: to } = wallet
      const passOn = async () => {
        const held = await shop.payee.balanceOf(mine.address)
        await shop.payee.submit(await signPayment(mine, held, { to }))
      }
      const first = await shop.sign(mine)
      const reply = runs > 0 ? (await buyHeld([first], runs, passOn))[0] : await buyWhile(one, first, passOn)
      expect(reply?.body.code).toBe('PAYMENT_FAILED')
      expectRefused(await buy(other, await shop.sign(mine)), 'insufficient_funds')
    }
    expect(await since(before, shop)).toEqual({ runs: 4, received: 0n })
  })
})
