import request from 'supertest'
import { type Hex, isHex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { balances, readJournal } from '../../support/gateways/journal.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { startFacilitator, type TestFacilitator } from '../../support/servers/facilitator.ts'
import type { Held } from '../../support/servers/held.ts'
import type { Fault } from '../../support/servers/rpc-proxy.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

const usdc = networks['base-sepolia'].usdc.address

let chain: TestChain
let scene: Scene
let account: Refunder

beforeAll(async () => {
  chain = await startTestChain()
  account = await openRefunder(100n * price)
})
afterAll(() => chain.close())
/** Each part has its own books, so that no gateway of another part continues a refund of this one. */
beforeEach(async () => {
  scene.model.answer = 'research'
})

/** The node executes the transaction, and reports nothing about it. */
const lostFromSight: readonly [string, Fault][] = [
  ['eth_sendRawTransaction', 'answer lost'],
  ['eth_getTransactionReceipt', 'answer lost'],
]

/** An account that pays refunds. */
interface Refunder {
  readonly address: Hex
  readonly settings: { readonly REFUND_KEY: Hex }
}

async function openRefunder(funds: bigint): Promise<Refunder> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await chain.mint(address, funds)
  return { address, settings: { REFUND_KEY: key } }
}

const stateOf = async (payment: SignedPayment) => (await scene.rowOf(payment)).state
const becomes = (payment: SignedPayment, state: string) =>
  expect.poll(() => stateOf(payment), { interval: 50 }).toBe(state)

/** A gateway that looked at the chain while something was missing takes no payments until it looks again. */
const becomesReady = (seller: Seller) =>
  expect
    .poll(async () => (await request(seller.url).get('/ready')).status, {
      message: 'the gateway takes no payments again',
    })
    .toBe(200)

/** Requests a begun refund again, unless the sweep holds it. */
async function goOn(seller: Seller, payment: SignedPayment): Promise<void> {
  await scene.endLease(payment)
  await seller.refund(payment)
  await becomes(payment, 'refunded')
}

/** The amount that went back to the payer on the chain. */
const returned = ({ authorization }: SignedPayment, { address }: Refunder = account) =>
  scene.payee.transfers(address, authorization.from)

/** Expects that the payer has the whole price again, from one transfer that the row names. */
async function expectRefundedOnce(payment: SignedPayment, refunder?: Refunder): Promise<void> {
  const row = await scene.rowOf(payment)
  expect(row).toMatchObject({ state: 'refunded', failure: null })
  expect(await returned(payment, refunder)).toEqual([{ transaction: row.refundTransaction, value: price }])
  expect(await scene.payee.balanceOf(payment.authorization.from)).toBe(price)
}

function expectImpossible(reply: request.Response, problem: RegExp): void {
  expect(reply.body).toMatchObject({
    code: 'REFUND_IMPOSSIBLE',
    details: { problem: expect.stringMatching(problem) },
  })
  expect(reply.status).toBe(409)
}

describe('a payment that was settled', () => {
  let seller: Seller
  let other: Seller

  beforeAll(async () => {
    scene = await openScene(chain)
    ;[seller, other] = await Promise.all([scene.open(account.settings), scene.open(account.settings)])
  })
  afterAll(() => scene.close())
  afterEach(() => mend(seller))

  test('a settled payment is refunded: the payer has the money again, and the row names both transactions', async () => {
    const { payer, payment } = await scene.buy(seller)
    expect(await scene.payee.balanceOf(payer.address)).toBe(0n)
    const { transaction } = await scene.rowOf(payment)

    const reply = await seller.refund(payment)
    await expectRefundedOnce(payment)
    const row = await scene.rowOf(payment)
    expect(row.transaction).toBe(transaction)
    expect(reply.body).toEqual({
      paymentId: idOf(payment),
      state: 'refunded',
      amount: '0.25',
      amountAtomic: price.toString(),
      reason: null,
      alreadyRefunded: false,
      transaction: row.refundTransaction,
      failure: null,
    })
    expect(reply.status).toBe(200)
  })

  test('a payment that the chain may still drop is refunded only when the operator takes the risk, or once it is final', async () => {
    seller.node.finalityBlocks = 5n
    const one = await scene.buy(seller)
    const early = await seller.refund(one.payment, { beforeFinal: false })
    expect([early.status, early.body.code]).toEqual([409, 'PAYMENT_NOT_FINAL'])
    const { blockNumber } = await scene.rowOf(one.payment)
    expect(early.body.details).toEqual({
      block: Number(blockNumber),
      finalized_block: expect.any(Number),
      blocks_to_wait: Number(blockNumber) - early.body.details.finalized_block,
      retry_after_seconds: expect.any(Number),
    })
    expect(early.body.details.blocks_to_wait).toBeGreaterThan(0)
    expect(Number(early.headers['retry-after'])).toBe(early.body.details.retry_after_seconds)
    expect(await returned(one.payment)).toEqual([])
    expect(await stateOf(one.payment)).toBe('settled')

    const other = await scene.buy(seller)
    expect((await seller.refund(other.payment, { beforeFinal: true })).status).toBe(200)
    await expectRefundedOnce(other.payment)
    await scene.payee.mine(early.body.details.blocks_to_wait)
    expect((await seller.refund(one.payment, { beforeFinal: false })).status).toBe(200)
    await expectRefundedOnce(one.payment)
  })

  test('a payment whose refund is requested twenty times at once over two gateways, and once more later, is refunded once', async () => {
    const { payment } = await scene.buy(seller)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? seller : other).refund(payment)),
    )
    expect(replies.every(({ status }) => status === 200 || status === 202)).toBe(true)
    await becomes(payment, 'refunded')
    expect((await other.refund(payment)).status).toBe(200)
    await expectRefundedOnce(payment)
  })

  test.each<[string, readonly [string, Fault][]]>([
    ['the node refuses the broadcast', [['eth_sendRawTransaction', 'refused']]],
    ['the broadcast goes out and nothing comes back', lostFromSight],
    ['no receipt comes', [['eth_getTransactionReceipt', 'hangs']]],
  ])('a refund is finished later, by one transfer, when %s', async (_case, faults) => {
    const { payment } = await scene.buy(seller)
    for (const [method, fault] of faults) seller.node.faults.set(method, fault)
    const reply = await seller.refund(payment)
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({ state: 'refunding', transaction: null, failure: expect.any(String) })
    mend(seller)
    await goOn(seller, payment)
    await expectRefundedOnce(payment)
  })

  test('a refund that was interrupted is finished by the sweep, whether or not the operator asks again', async () => {
    const { payment } = await scene.buy(seller)
    for (const [method, fault] of lostFromSight) seller.node.faults.set(method, fault)
    expect((await seller.refund(payment)).status).toBe(202)
    mend(seller)
    await scene.endLease(payment)
    await becomes(payment, 'refunded')
    await expectRefundedOnce(payment)
  })

  test('a payment is not refunded while the node is down, and can be when it is up again', async () => {
    const { payment } = await scene.buy(seller)
    for (const method of ['eth_call', 'eth_getBlockByNumber', 'eth_sendRawTransaction']) {
      seller.node.faults.set(method, 'answer lost')
    }
    expect((await seller.refund(payment)).status).toBe(503)
    expect(await stateOf(payment)).toBe('settled')
    mend(seller)
    expect((await seller.refund(payment)).status).toBe(200)
    await expectRefundedOnce(payment)
    await becomesReady(seller)
  })

  test('a refund that no account has gas for says that it was not sent, and is finished with gas again', async () => {
    const { payment } = await scene.buy(seller)
    const address = devSettler.address
    const balance = await chain.client.getBalance({ address })
    await chain.client.setBalance({ address, value: 0n })
    const waiting = await seller.refund(payment)
    await chain.client.setBalance({ address, value: balance })
    expect(waiting.body).toMatchObject({
      state: 'refunding',
      failure: expect.stringMatching(/^it was not sent: .*gas/),
    })
    await goOn(seller, payment)
    await expectRefundedOnce(payment)
    await becomesReady(seller)
  })

  test('a payment counts as refunded when another account submits the signed refund first', async () => {
    const { payment } = await scene.buy(seller)
    const signed = catchBroadcast(seller, 'refused')
    expect((await seller.refund(payment)).status).toBe(202)
    mend(seller)
    const transaction = await carryOut(await signed)
    await goOn(seller, payment)
    expect(await scene.rowOf(payment)).toMatchObject({ refundTransaction: transaction })
    await expectRefundedOnce(payment)
  })

  test('a payment of another network is not refunded with this network’s money', async () => {
    const { payment } = await scene.buy(seller)
    await scene.queries
      .updateTable('payments')
      .set({ chainId: 8453 })
      .where('id', '=', idOf(payment))
      .execute()
    expectImpossible(await seller.refund(payment), /another network/)
    expect(await returned(payment)).toEqual([])
  })

  test('a payment is not refunded while no account pays refunds', async () => {
    const stingy = await scene.open()
    const { payment } = await scene.buy(stingy)
    expectImpossible(await stingy.refund(payment), /REFUND_KEY/)
    expect(await stateOf(payment)).toBe('settled')
    await stingy.close()
  })

  test('a part of a payment is refunded once, with its reason, and the call stays bought', async () => {
    const { payer, payment, reply } = await scene.buy(seller)
    const terms = { amount: '0.050001', reason: 'the reply was half empty' }
    const refunds = await Promise.all([seller.refund(payment, terms), other.refund(payment, terms)])
    expect(refunds.every(({ status }) => status === 200 || status === 202)).toBe(true)
    await becomes(payment, 'refunded')
    const row = await scene.rowOf(payment)
    expect(row).toMatchObject({ amount: price, refundAmount: 50_001n, refundReason: terms.reason })
    expect(await returned(payment)).toEqual([{ transaction: row.refundTransaction, value: 50_001n }])
    expect(await scene.payee.balanceOf(payer.address)).toBe(50_001n)

    expect((await seller.refund(payment, terms)).body).toEqual({
      alreadyRefunded: true,
      paymentId: idOf(payment),
      state: 'refunded',
      ...terms,
      amountAtomic: '50001',
      transaction: row.refundTransaction,
      failure: null,
    })
    expectImpossible(await seller.refund(payment), /a refund of 0\.050001 USDC already/)
    expectImpossible(await seller.refund(payment, { amount: '0.05' }), /already/)
    expect(await returned(payment)).toHaveLength(1)

    const shown = (
      await request(seller.url)
        .get(`/payments/${idOf(payment)}`)
        .set('authorization', `Bearer ${operatorToken}`)
    ).body
    expect(shown).toMatchObject({ refundAmount: '0.050001', meaning: expect.stringMatching(/a part/) })
    const again = await seller.pay(payment)
    expect([again.status, again.text]).toEqual([200, reply.text])
  })

  test('of refunds of different amounts at the same time one is made, and the others are refused', async () => {
    const { payment } = await scene.buy(seller)
    const amounts = ['0.01', '0.02', '0.25', '0.03']
    const replies = await Promise.all(
      amounts.map((amount, n) => (n % 2 ? seller : other).refund(payment, { amount })),
    )
    await becomes(payment, 'refunded')
    const [transfer, ...rest] = await returned(payment)
    expect(rest).toEqual([])
    const made = replies.filter(({ status }) => status < 300)
    expect(made.map(({ body }) => body.amountAtomic)).toEqual([transfer?.value.toString()])
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(3)
  })

  test('sums, entries and exports have a partial refund to the atomic unit', async () => {
    const operator = (path: string) =>
      request(seller.url).get(path).set('authorization', `Bearer ${operatorToken}`)
    const before = (await operator('/operator/totals')).body
    const { payment } = await scene.buy(seller)
    await seller.refund(payment, { amount: '0.000007', reason: 'a rounding, and more' })
    const after = (await operator('/operator/totals')).body
    const grown = (name: string) => BigInt(after[name].amountAtomic) - BigInt(before[name].amountAtomic)
    expect([grown('taken'), grown('refunded'), grown('net')]).toEqual([price, 7n, price - 7n])

    const journal = readJournal((await operator('/operator/export?format=journal')).text)
    const entries = journal.filter(({ code }) => code === idOf(payment))
    expect(entries.at(-1)?.tags.get('reason')).toBe('a rounding, and more')
    expect(balances(entries).get('Income:researchLead')).toBe(-(price - 7n))
    const csv = (await operator('/operator/export?format=csv')).text
    expect(csv).toMatch(new RegExp(`^${idOf(payment)},refunded,.*,7,"a rounding, and more"\r$`, 'm'))
  })

  test.each([
    ['0', 400],
    ['-0.05', 400],
    ['0.0000001', 400],
    ['five', 400],
    ['0.250001', 409],
  ])(
    'a refund of %s USDC of a payment of 0.25 is refused with %i, and moves nothing',
    async (amount, status) => {
      const { payment } = await scene.buy(seller)
      expect((await seller.refund(payment, { amount })).status).toBe(status)
      expect(await stateOf(payment)).toBe('settled')
      expect(await returned(payment)).toEqual([])
    },
  )

  test('a refunded payment can still fetch its stored reply, and neither is charged', async () => {
    const { payer, payment, reply } = await scene.buy(seller)
    await seller.refund(payment)
    const again = await seller.pay(payment)
    expect([again.status, again.text]).toEqual([200, reply.text])
    expect(await scene.payee.balanceOf(payer.address)).toBe(price)
  })
})

describe('a refund account that holds too little', () => {
  beforeAll(async () => {
    scene = await openScene(chain)
  })
  afterAll(() => scene.close())

  test('a refund that its account cannot pay is refused before anything moves', async () => {
    const poor = await openRefunder(price - 1n)
    const poorSeller = await scene.open(poor.settings)
    const { payment } = await scene.buy(poorSeller)
    const sent = poorSeller.node.count('eth_sendRawTransaction')
    expectImpossible(await poorSeller.refund(payment), /holds 249999 of 250000/)
    expect(await stateOf(payment)).toBe('settled')
    expect(poorSeller.node.count('eth_sendRawTransaction')).toBe(sent)

    await chain.mint(poor.address, 1n)
    expect((await poorSeller.refund(payment)).status).toBe(200)
    await expectRefundedOnce(payment, poor)
    await poorSeller.close()
  })

  test('of two refunds with money for one, the second waits without burning gas, and is paid from the next money', async () => {
    const poor = await openRefunder(price)
    const poorSeller = await scene.open(poor.settings)
    const { payment: first } = await scene.buy(poorSeller)
    const { payment: second } = await scene.buy(poorSeller)
    const held = poorSeller.node.hold('eth_sendRawTransaction')
    const refunds = [poorSeller.refund(first)]
    await held.reached
    // The account still holds the money, which the first refund needs.
    refunds.push(poorSeller.refund(second))
    await becomes(second, 'refunding')
    held.release()
    expect((await Promise.all(refunds)).map(({ status }) => status)).toEqual([200, 202])
    await expectRefundedOnce(first, poor)

    const sent = poorSeller.node.count('eth_sendRawTransaction')
    await scene.endLease(second)
    const again = await poorSeller.refund(second)
    expect(again.body).toMatchObject({
      state: 'refunding',
      failure: expect.stringMatching(/refund account .* holds 0 of 250000/),
    })
    expect(poorSeller.node.count('eth_sendRawTransaction')).toBe(sent)

    await chain.mint(poor.address, price)
    await goOn(poorSeller, second)
    await expectRefundedOnce(second, poor)
  })
})

describe('a refund through a remote facilitator', () => {
  let facilitator: TestFacilitator
  let seller: Seller

  beforeAll(async () => {
    facilitator = await startFacilitator(chain.rpcUrl, `0x${'00'.repeat(32)}`, devPayers[1].privateKey)
    scene = await openScene(chain)
    seller = await scene.open({
      ...account.settings,
      FACILITATOR_URL: facilitator.url,
      FACILITATOR_TIMEOUT_MS: '1000',
    })
  })
  afterAll(async () => {
    await scene.close()
    await facilitator.close()
  })
  afterEach(() => {
    facilitator.verify = 'well'
    facilitator.settle = 'well'
  })

  test('a refund is finished when the chain shows it, and is one transfer, whatever the facilitator says', async () => {
    const { payment } = await scene.buy(seller)
    facilitator.settle = 'sends, then answers 502'
    await seller.refund(payment)
    facilitator.settle = 'well'
    await goOn(seller, payment)
    await expectRefundedOnce(payment)
  })

  test('a refund that would be refused is not sent and costs no gas; it waits until it would pass', async () => {
    const { payment } = await scene.buy(seller)
    facilitator.verify = 'refuses with 400'
    const { broadcasts } = facilitator.count
    const reply = await seller.refund(payment)
    expect(reply.body).toMatchObject({ state: 'refunding', failure: expect.any(String) })
    expect(facilitator.count.broadcasts).toBe(broadcasts)
    facilitator.verify = 'well'
    await goOn(seller, payment)
    await expectRefundedOnce(payment)
  })
})

describe('a payment that was charged before the work', () => {
  let seller: Seller

  beforeAll(async () => {
    scene = await openScene(chain)
    seller = await scene.open({ ...account.settings, ...scene.paidFirst })
  })
  afterAll(() => scene.close())

  /** Makes the handler fail after the money was taken. */
  async function payUnserved(): Promise<SignedPayment> {
    scene.model.answer = 'error'
    const payment = await scene.sign(await scene.wallet())
    expect((await seller.pay(payment)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
    expect(await stateOf(payment)).toBe('paid')
    scene.model.answer = 'research'
    return payment
  }

  test('a payment that was never served is refunded whole or not at all, and is not served afterwards', async () => {
    const payment = await payUnserved()
    expectImpossible(await seller.refund(payment, { amount: '0.05' }), /only the whole of it/)
    expect(await stateOf(payment)).toBe('paid')
    const asked = scene.model.asked
    expect((await seller.refund(payment)).status).toBe(200)
    await expectRefundedOnce(payment)
    const again = await seller.pay(payment)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ details: { payment: { state: 'refunded' } } })
    expect((await seller.pay(payment, { companyName: 'Other Dental' })).status).toBe(409)
    expect(scene.model.asked).toBe(asked)
    await expectRefundedOnce(payment)
  })

  test('a payment is not refunded while a handler serves it, and the payer gets the reply', async () => {
    const store = await startStoreProxy(scene.settings.DATABASE_URL ?? '')
    const serving = await scene.open({ ...account.settings, ...scene.paidFirst, DATABASE_URL: store.url })
    // The handler is done, and its reply is about to be stored.
    const held = store.holdWrite('settled')
    try {
      const payment = await scene.sign(await scene.wallet())
      const reply = serving.pay(payment)
      await held.reached
      expect(await stateOf(payment)).toBe('paid')
      expectImpossible(await seller.refund(payment), /being served/)
      held.release()
      expect((await reply).status).toBe(200)
      expect(await stateOf(payment)).toBe('settled')
      expect(await returned(payment)).toEqual([])
    } finally {
      held.release()
      await serving.close()
      await store.close()
    }
  })

  test('a payment is not served once its refund has begun', async () => {
    const payment = await payUnserved()
    const asked = scene.model.asked
    const held = seller.node.hold('eth_sendRawTransaction')
    const refund = seller.refund(payment)
    await held.reached
    expect((await seller.pay(payment)).body).toMatchObject({
      code: 'PAYMENT_REPLAYED',
      details: { payment: { state: 'refunding' } },
    })
    held.release()
    expect((await refund).status).toBe(200)
    expect(scene.model.asked).toBe(asked)
    await expectRefundedOnce(payment)
  })
})

describe('a payment that took no money', () => {
  let seller: Seller

  beforeAll(async () => {
    scene = await openScene(chain)
    seller = await scene.open(account.settings)
  })
  afterAll(() => scene.close())

  test('an uncharged payment is not refunded while its handler runs', async () => {
    const store = await startStoreProxy(scene.settings.DATABASE_URL ?? '')
    const running = await scene.open({ DATABASE_URL: store.url })
    const held = store.holdWrite('served')
    try {
      const payment = await scene.sign(await scene.wallet())
      const reply = running.pay(payment)
      await held.reached
      expectImpossible(await seller.refund(payment), /claimed/)
      held.release()
      expect((await reply).status).toBe(200)
    } finally {
      held.release()
      await running.close()
      await store.close()
    }
  })

  test('an uncharged payment is not refunded after its handler failed', async () => {
    scene.model.answer = 'error'
    const payment = await scene.sign(await scene.wallet())
    expect((await seller.pay(payment)).status).toBe(502)
    expectImpossible(await seller.refund(payment), /released/)
    expect(await returned(payment)).toEqual([])
  })

  test('a payment that the chain refused is not refunded', async () => {
    const payer = await scene.wallet()
    const payment = await scene.sign(payer)
    const held = seller.node.hold('eth_sendRawTransaction')
    const reply = seller.pay(payment)
    await held.reached
    await scene.payee.send(payer, devPayers[0].address, price)
    held.release()
    expect((await reply).status).toBe(402)
    expectImpossible(await seller.refund(payment), /failed/)
    expect(await returned(payment)).toEqual([])
  })

  test('the refund of an unknown payment gets 404', async () => {
    const reply = await seller.refund(await scene.sign(freshWallet()))
    expect(reply.status).toBe(404)
  })
})

describe('a gateway that is killed in the middle of a refund', () => {
  let doomed: Replica

  beforeAll(async () => {
    scene = await openScene(chain)
    const { DATABASE_URL: databaseUrl = '', ...settings } = scene.settings
    doomed = await openReplica({
      rpcUrl: chain.rpcUrl,
      databaseUrl,
      settings: {
        ...settings,
        ...account.settings,
        SETTLER_KEY: devPayers[6].privateKey,
        // The gateway is killed while it waits, so it must not time out before.
        RPC_TIMEOUT_MS: '30000',
        SETTLEMENT_TIMEOUT_MS: '30000',
      },
    })
  })
  afterAll(async () => {
    await doomed.close()
    await scene.close()
  })

  test.each<[string, (replica: Replica) => Held]>([
    ['when the refund is recorded and nothing is signed', ({ store }) => store.holdAnswer('refunding')],
    ['before the broadcast reaches the node', ({ node }) => node.hold('eth_sendRawTransaction')],
    ['after the broadcast, before the node answers', ({ node }) => node.holdAnswer('eth_sendRawTransaction')],
    ['after the receipt, before the outcome is written', ({ store }) => store.holdWrite('refunded')],
  ])('a gateway that is killed %s neither loses nor repeats the refund', async (_moment, stop) => {
    const seller = await scene.open()
    const { payment } = await scene.buy(seller)
    await seller.close()
    await doomed.start()
    // Until then it answers that the refund has to wait, and the call is over before the moment comes.
    await expect.poll(doomed.hasAccount, { message: 'the gateway has no account to settle from' }).toBe(true)
    const held = stop(doomed)
    const asked = fetch(`${doomed.url}/operator/payments/${idOf(payment)}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ beforeFinal: true }),
    }).then(
      () => 'answered',
      () => 'cut off',
    )
    await held.reached
    expect(await stateOf(payment)).toBe('refunding')
    await doomed.kill()
    held.drop()
    expect(await asked).toBe('cut off')

    await scene.endLease(payment)
    await doomed.start()
    await becomes(payment, 'refunded')
    await expectRefundedOnce(payment)
    // Unlike a killed one, it gives its settlement account back for the next case.
    await doomed.stop()
  })
})

/** The last part, because it moves the chain's clock: payments signed by our own clock would be expired. */
describe('when the refund account is changed during a refund', () => {
  beforeAll(async () => {
    scene = await openScene(chain)
  })
  afterAll(() => scene.close())

  /** A refund that the first account has signed, and whose broadcast had this fault. */
  async function begin(first: Refunder, fault: Fault): Promise<{ payment: SignedPayment; signed: Hex }> {
    const seller = await scene.open(first.settings)
    const { payment } = await scene.buy(seller)
    const signed = catchBroadcast(seller, fault)
    seller.node.faults.set('eth_getTransactionReceipt', 'answer lost')
    expect((await seller.refund(payment)).status).toBe(202)
    await seller.close()
    await scene.endLease(payment)
    return { payment, signed: await signed }
  }

  test('a refund that the old account has paid is finished, and the new account pays nothing', async () => {
    const [first, second] = [await openRefunder(price), await openRefunder(price)]
    const { payment } = await begin(first, 'answer lost')
    const seller = await scene.open(second.settings)
    await becomes(payment, 'refunded')
    await expectRefundedOnce(payment, first)
    expect(await scene.payee.balanceOf(second.address)).toBe(price)
    await seller.close()
  })

  test('a gateway without a refund account does not block a gateway that has one', async () => {
    const first = await openRefunder(price)
    const { payment } = await begin(first, 'refused')
    const without = await scene.open()
    await expect
      .poll(() => scene.rowOf(payment))
      .toMatchObject({ failure: expect.stringContaining('REFUND_KEY') })
    await without.close()
    const again = await scene.open(first.settings)
    await again.refund(payment)
    await again.close()
    await expectRefundedOnce(payment, first)
  })

  test('the new account pays only after the old account’s signature has expired, so never both pay', async () => {
    const { client } = chain
    const [first, second] = [await openRefunder(price), await openRefunder(price)]
    const { payment, signed } = await begin(first, 'refused')
    const seller = await scene.open(second.settings)
    const why = expect.stringContaining('another account')
    await expect.poll(() => scene.rowOf(payment)).toMatchObject({ failure: why })
    expect(await stateOf(payment)).toBe('refunding')
    expect(await returned(payment, second)).toEqual([])

    await client.increaseTime({ seconds: 3_700 })
    await client.mine({ blocks: 1 })
    // A reorganization may still replace that block.
    await scene.endLease(payment)
    expect((await seller.refund(payment)).body).toMatchObject({ state: 'refunding' })
    await client.mine({ blocks: 2 })
    await goOn(seller, payment)
    await expectRefundedOnce(payment, second)
    await expect(carryOut(signed)).rejects.toThrow('reverted')
    expect(await scene.payee.balanceOf(first.address)).toBe(price)
  })
})

function mend({ node }: Seller): void {
  node.faults.clear()
  node.meet = undefined
  node.finalityBlocks = undefined
}

/** The next transaction of a gateway. It and all later ones have this fault. */
function catchBroadcast({ node }: Seller, fault: Fault): Promise<Hex> {
  const caught = Promise.withResolvers<Hex>()
  node.meet = async ({ method, params = [] }) => {
    const [raw] = params
    if (method !== 'eth_sendRawTransaction' || !isHex(raw)) return undefined
    caught.resolve(raw)
    return fault
  }
  return caught.promise
}

/** Submits the content of a transaction from another account. */
async function carryOut(raw: Hex): Promise<Hex> {
  const { to, data } = parseTransaction(raw)
  expect(to?.toLowerCase()).toBe(usdc.toLowerCase())
  const { client } = chain
  const hash = await client.sendTransaction({ account: devPayers[5].address, to, data })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('the token reverted it')
  return hash
}
