import type request from 'supertest'
import type { Address, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reconciledTo as comparedTo, markReconciled } from '../../../src/doors/ledger/reconciling/inbound.ts'
import { readInbound } from '../../../src/doors/x402/evidence/transfers.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, type SignedPayment, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { hex, openServer } from '../../support/stores/ledger.ts'

const usdc = networks['base-sepolia'].usdc.address
const bystander = devPayers[0].address

let chain: TestChain
let scene: Scene
let seller: Seller

beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())
afterEach(() => {
  seller.node.meet = undefined
  scene.model.answer = 'research'
})

/** New books, with one gateway that has made their first comparison. */
async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  scene = await openScene(chain)
  seller = await scene.open(settings)
  expect((await seller.reconcile()).status).toBe(200)
}

const reconciledTo = async () =>
  (
    await scene.queries
      .selectFrom('reconciled')
      .select('blockNumber')
      .where('payTo', '=', scene.payee.address.toLowerCase())
      .executeTakeFirst()
  )?.blockNumber

const stateOf = async (payment: SignedPayment) => (await scene.rowOf(payment)).state

/** Makes everything so far final, and compares it. */
async function reconcile(by: Seller = seller): Promise<request.Response> {
  await scene.payee.mine(2)
  const reply = await by.reconcile()
  expect(reply.status).toBe(200)
  return reply
}

/** The unmatched transfers. */
const strangers = () =>
  scene.queries
    .selectFrom('strangers')
    .select(['transaction', 'payer', 'amount', 'nonce'])
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()

const stranger = (transaction: string, payer: LocalAccount, amount: bigint, nonce: string | null) => ({
  transaction,
  payer: payer.address.toLowerCase(),
  amount,
  nonce,
})

async function expectClosed(): Promise<void> {
  const { body } = await reconcile()
  expect(body).toMatchObject({ difference: { amountAtomic: '0' }, missing: [], strangers: [], closes: true })
  expect(body.chain.amountAtomic).toBe((await scene.payee.balanceOf(scene.payee.address)).toString())
}

/** A payment that failed because its payer had emptied the wallet, which is filled again since. */
async function giveUp(wallet: LocalAccount, key?: string): Promise<SignedPayment> {
  const payment = await scene.sign(wallet)
  const held = seller.node.hold('eth_sendRawTransaction')
  const reply = seller.pay(payment, undefined, key)
  await held.reached
  const funds = await scene.payee.balanceOf(wallet.address)
  await scene.payee.send(wallet, bystander, funds)
  held.release()
  expect((await reply).status).toBe(402)
  expect(await stateOf(payment)).toBe('failed')
  await chain.mint(wallet.address, funds)
  return payment
}

describe('a transfer that belongs to no payment', () => {
  beforeAll(() => open())
  afterAll(() => scene.close())

  test('an unmatched transfer is listed once, however often and by however many gateways the books are compared', async () => {
    const other = await scene.open()
    const payer = await scene.wallet(3n * price)
    const plain = await scene.payee.send(payer, scene.payee.address, 7n)
    const payment = await scene.sign(payer)
    const transaction = await scene.payee.submit(payment)
    await scene.payee.mine(2)
    await Promise.all([reconcile(), reconcile(other), reconcile(), reconcile(other)])
    const { body } = await reconcile()

    const { nonce } = payment.authorization
    expect(await strangers()).toEqual([
      stranger(plain, payer, 7n, null),
      stranger(transaction, payer, price, nonce),
    ])
    expect(body).toMatchObject({
      chain: { transfers: 2, amountAtomic: (price + 7n).toString() },
      books: { payments: 0, amountAtomic: '0' },
      difference: { amountAtomic: (price + 7n).toString() },
      strangers: [
        { transaction: plain, amountAtomic: '7', nonce: null },
        { transaction, amountAtomic: price.toString(), nonce },
      ],
      missing: [],
      closes: false,
    })
    await other.close()
  })

  test('an unmatched transfer is not listed before its block is final, because the chain may drop it', async () => {
    const before = await strangers()
    const payer = await scene.wallet()
    await scene.payee.send(payer, scene.payee.address, price)
    expect((await seller.reconcile()).status).toBe(200)
    expect(await strangers()).toEqual(before)
    await reconcile()
    expect(await strangers()).toHaveLength(before.length + 1)
  })

  test('a transfer of zero is not listed, because every account can cause one for the gas alone', async () => {
    const before = await strangers()
    const payer = await scene.wallet()
    await scene.payee.send(payer, scene.payee.address, 0n)
    await reconcile()
    expect(await strangers()).toEqual(before)
  })

  test('a transfer with the nonce of a payment to another account of ours is listed', async () => {
    const elsewhere = freshWallet().address
    const moved = await scene.open({ PAY_TO: elsewhere })
    expect((await moved.reconcile()).status).toBe(200)
    const payer = await scene.wallet()
    const payment = await giveUp(payer)
    const { nonce } = payment.authorization
    const other = await signPayment(payer, price, { nonce, to: elsewhere })
    const transaction = await scene.payee.submit(other)
    await reconcile(moved)
    expect((await strangers()).at(-1)).toEqual(stranger(transaction, payer, price, nonce))
    expect(await stateOf(payment)).toBe('failed')
    await moved.close()
  })
})

test('transfers from before the books were opened do not count', async () => {
  scene = await openScene(chain)
  try {
    const payer = await scene.wallet(2n * price)
    await scene.payee.send(payer, scene.payee.address, price)
    await scene.payee.mine(2)
    seller = await scene.open()
    expect((await seller.reconcile()).status).toBe(200)
    const transaction = await scene.payee.send(payer, scene.payee.address, 5n)
    await reconcile()
    expect(await strangers()).toEqual([stranger(transaction, payer, 5n, null)])
  } finally {
    await scene.close()
  }
})

test('sales from before the first comparison count', async () => {
  await open()
  try {
    const before = await scene.wallet()
    await scene.payee.send(before, scene.payee.address, price)
    const { payment } = await scene.buy(seller)
    // As if there was no comparison before.
    await scene.queries.deleteFrom('reconciled').execute()
    const { body } = await reconcile()
    expect(body).toMatchObject({
      fromBlock: Number((await scene.rowOf(payment)).blockNumber),
      chain: { transfers: 1, amountAtomic: price.toString() },
      books: { payments: 1, amountAtomic: price.toString() },
      closes: true,
    })
  } finally {
    await scene.close()
  }
})

describe('a payment that was released and that another account submits', () => {
  let refunder: Address

  beforeAll(async () => {
    const key = generatePrivateKey()
    refunder = privateKeyToAccount(key).address
    await chain.mint(privateKeyToAccount(key).address, 10n * price)
    await open({ REFUND_KEY: key })
  })
  afterAll(() => scene.close())

  test('a released payment that another account submits is owed: its payer repeats it and is served once', async () => {
    const payment = await giveUp(await scene.wallet())
    const transaction = await scene.payee.submit(payment)
    await reconcile()
    expect(await scene.rowOf(payment)).toMatchObject({ state: 'paid', transaction, failure: null })

    const asked = scene.model.asked
    const paid = await seller.pay(payment)
    expect(paid.status).toBe(200)
    const again = await seller.pay(payment)
    expect([again.status, again.text]).toEqual([200, paid.text])
    expect(scene.model.asked).toBe(asked + 1)
    expect(await scene.payee.transfers(payment.authorization.from, scene.payee.address)).toEqual([
      { transaction, value: price },
    ])
    await expectClosed()
  })

  test('a released payment that another account submits can be refunded instead, and is not served then', async () => {
    const payment = await giveUp(await scene.wallet())
    await scene.payee.submit(payment)
    await reconcile()
    expect((await seller.refund(payment)).status).toBe(200)
    expect(await scene.payee.balanceOf(payment.authorization.from)).toBe(price)
    expect(await scene.payee.transfers(refunder, payment.authorization.from)).toHaveLength(1)
    expect((await seller.pay(payment)).status).toBe(409)
    await expectClosed()
  })

  test('a released payment that another account submits is found when its payer repeats it, before its block is final', async () => {
    const payment = await giveUp(await scene.wallet())
    await scene.payee.submit(payment)
    expect((await seller.pay(payment)).status).toBe(200)
    await expectClosed()
  })

  test('a released payment that another account submits is found by several gateways at once, and served once', async () => {
    const other = await scene.open()
    const payment = await giveUp(await scene.wallet())
    await scene.payee.submit(payment)
    await scene.payee.mine(2)
    const asked = scene.model.asked
    const [one, two] = await Promise.all([
      seller.pay(payment),
      other.pay(payment),
      reconcile(),
      reconcile(other),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.text).toBe(one.text)
    expect(scene.model.asked).toBe(asked + 1)
    await expectClosed()
    await other.close()
  })

  test('a released payment that arrives after another payment bought under its key is served too, and the key stays with the other', async () => {
    const payer = await scene.wallet(3n * price)
    const first = await giveUp(payer, 'order-of-a-lead-0001')
    const other = await giveUp(payer, 'order-of-a-lead-0002')
    const second = await scene.sign(payer)
    expect((await seller.pay(second, undefined, 'order-of-a-lead-0001')).status).toBe(200)
    await scene.payee.submit(first, other)
    await reconcile()
    const names = await Promise.all([first, other, second].map(scene.rowOf))
    expect(names.map(({ state, idempotencyKey }) => [state, idempotencyKey])).toEqual([
      ['paid', null],
      ['paid', 'order-of-a-lead-0002'],
      ['final', 'order-of-a-lead-0001'],
    ])
    expect((await seller.pay(first)).status).toBe(200)
    expect((await seller.pay(other)).status).toBe(200)
    await expectClosed()
  })

  test('two equal payments of one payer in one transaction are told apart', async () => {
    const payer = await scene.wallet(2n * price)
    const lost = await giveUp(payer)
    const known = await scene.sign(payer)
    const held = seller.node.hold('eth_sendRawTransaction')
    const reply = seller.pay(known)
    await held.reached
    // The released payment comes first. The books have one transfer in this transaction, and it is the other.
    await scene.payee.submit(lost, known)
    held.release()
    expect((await reply).status).toBe(200)
    await reconcile()
    expect([await stateOf(lost), await stateOf(known)]).toEqual(['paid', 'final'])
    expect((await seller.pay(lost)).status).toBe(200)
    await expectClosed()
  })

  test('a payment that another account submits while its call runs is not lost when the call fails', async () => {
    const payment = await scene.sign(await scene.wallet())
    const asked = scene.model.asked
    scene.model.answer = 'never'
    const caller = new AbortController()
    const left = fetch(`${seller.url}/api/leads/research`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'PAYMENT-SIGNATURE': v2Header(payment, { payTo: scene.payee.address }),
      },
      body: '{"companyName":"Acme Dental"}',
      signal: caller.signal,
    }).catch(() => 'left')
    await expect.poll(() => scene.model.asked, { message: 'the handler did not begin' }).toBe(asked + 1)
    await scene.payee.submit(payment)
    await reconcile()
    expect(await stateOf(payment)).toBe('claimed')
    expect(await strangers()).toEqual([])

    caller.abort()
    expect(await left).toBe('left')
    await expect.poll(() => stateOf(payment)).toBe('released')
    await reconcile()
    expect(await stateOf(payment)).toBe('paid')
    await expectClosed()
  })
})

describe('payments in the books', () => {
  beforeAll(() => open())
  afterAll(() => scene.close())

  test('each payment matches one transfer, also two equal ones of one payer in one transaction', async () => {
    const payer = await scene.wallet(3n * price)
    const [first, ...both] = [await scene.sign(payer), await scene.sign(payer), await scene.sign(payer)]
    const held = seller.node.hold('eth_sendRawTransaction')
    const replies = [seller.pay(first)]
    await held.reached
    // While the first is sent, the two others queue behind it and then go together.
    replies.push(...both.map((payment) => seller.pay(payment)))
    const states = () => Promise.all(both.map(stateOf))
    await expect.poll(states).toEqual(['served', 'served'])
    held.release()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200])
    const [one, other] = await Promise.all(both.map(scene.rowOf))
    expect(one?.transaction).toBe(other?.transaction)
    await expectClosed()
    expect(await strangers()).toEqual([])
    expect(await Promise.all([first, ...both].map(stateOf))).toEqual(['final', 'final', 'final'])
  })

  test('the report names the payments whose transfer the chain does not show, and no others', async () => {
    const { payment } = await scene.buy(seller)
    const row = await scene.rowOf(payment)
    const replyHeaders = JSON.stringify(row.replyHeaders)
    // One payment that claims the transfer of another, and one whose transfer never happened.
    const twin = { ...row, replyHeaders, id: hex(32), nonce: hex(32) }
    const ghost = { ...twin, id: hex(32), nonce: hex(32), transaction: hex(32) }
    await scene.queries.insertInto('payments').values([twin, ghost]).execute()
    const payer = await scene.wallet()
    const transaction = await scene.payee.send(payer, scene.payee.address, 9n)

    const { body } = await reconcile()
    const inAll = BigInt(body.chain.amountAtomic)
    expect(inAll).toBe(await scene.payee.balanceOf(scene.payee.address))
    expect(body.books).toMatchObject({ amountAtomic: (inAll - 9n + 2n * price).toString() })
    expect(body).toMatchObject({
      difference: { amountAtomic: (9n - 2n * price).toString() },
      strangers: [{ transaction, amountAtomic: '9' }],
      closes: false,
    })
    expect(body.missing).toHaveLength(2)
    expect(body.missing).toEqual(
      expect.arrayContaining([
        { paymentId: twin.id, transaction: twin.transaction, amount: '0.25', amountAtomic: price.toString() },
        {
          paymentId: ghost.id,
          transaction: ghost.transaction,
          amount: '0.25',
          amountAtomic: price.toString(),
        },
      ]),
    )
    await scene.queries.deleteFrom('payments').where('id', 'in', [twin.id, ghost.id]).execute()
  })
})

test('the mark of compared blocks only moves forward: of two gateways the further one counts', async () => {
  const opened = await openServer()
  const books = { queries: opened.one.queries, clock: { now: () => Date.now() } }
  const account = { chainId: 1, asset: hex(20), payTo: hex(20) }
  try {
    expect(await comparedTo(books, account)).toBeUndefined()
    for (const block of [5n, 9n, 7n]) await markReconciled(books, account, block)
    expect(await comparedTo(books, account)).toBe(9n)
    expect(await comparedTo(books, { ...account, payTo: hex(20) })).toBeUndefined()
  } finally {
    await opened.close()
  }
})

describe('a node that returns few blocks at a time', () => {
  beforeAll(() => open())
  afterAll(() => scene.close())

  test('a limited node is asked in several ranges, and every transfer is found once', async () => {
    const payer = await scene.wallet(10n)
    const from = await chain.client.getBlockNumber()
    const sent = []
    for (let n = 0; n < 5; n += 1) {
      sent.push(await scene.payee.send(payer, scene.payee.address, 1n))
      await scene.payee.mine(1)
    }
    const to = await chain.client.getBlockNumber()
    const ranges = []
    for await (const range of readInbound(chain.client, usdc, scene.payee.address, from, to, 3n)) {
      ranges.push(range)
    }
    const firsts = Array.from(
      { length: Math.ceil(Number(to - from + 1n) / 3) },
      (_, n) => from + 3n * BigInt(n),
    )
    expect(firsts.length).toBeGreaterThan(3)
    expect(ranges.map(({ from: first, to: last }) => [first, last])).toEqual(
      firsts.map((first) => [first, first + 2n < to ? first + 2n : to]),
    )
    const found = ranges.flatMap(({ transfers }) => transfers.map(({ transaction }) => transaction))
    expect(found).toEqual(sent)
  })

  test('a node that refuses a range is asked for fewer blocks, and the books are still compared', async () => {
    const payer = await scene.wallet(10n)
    await reconcile()
    const before = await strangers()
    const sent = []
    for (let n = 0; n < 4; n += 1) sent.push(await scene.payee.send(payer, scene.payee.address, 1n))
    seller.node.meet = async ({ method, params = [] }) =>
      method === 'eth_getLogs' && blocksOf(params[0]) > 2n ? 'refused' : undefined
    const { number: finalAtFirst } = await chain.client.getBlock({ blockTag: 'finalized' })
    const { body } = await reconcile()
    const listed = (await strangers()).slice(before.length)
    expect(listed.map(({ transaction }) => transaction)).toEqual(sent)
    // Another block may become final between the comparison and the report.
    const compared = await reconciledTo()
    expect(compared).toBeGreaterThanOrEqual(finalAtFirst)
    expect(compared).toBeLessThanOrEqual(body.finalizedBlock)
  })

  test('a node that refuses even one block fails the report, and no block is skipped', async () => {
    const payer = await scene.wallet(1n)
    const mark = await reconciledTo()
    const before = await strangers()
    const transaction = await scene.payee.send(payer, scene.payee.address, 1n)
    await scene.payee.mine(2)
    seller.node.faults.set('eth_getLogs', 'refused')
    expect((await seller.reconcile()).status).toBe(503)
    expect(await reconciledTo()).toBe(mark)
    seller.node.faults.clear()
    await reconcile()
    expect((await strangers()).slice(before.length)).toEqual([stranger(transaction, payer, 1n, null)])
  })
})

function blocksOf(filter: unknown): bigint {
  if (typeof filter !== 'object' || !filter || !('fromBlock' in filter && 'toBlock' in filter)) return 0n
  return BigInt(String(filter.toBlock)) - BigInt(String(filter.fromBlock)) + 1n
}

/** The last part, because it moves the chain's clock. */
test('a report begins at the time that the operator names', async () => {
  await open()
  try {
    await scene.buy(seller)
    const { timestamp } = await chain.client.getBlock()
    await chain.client.increaseTime({ seconds: 30 })
    await scene.payee.mine(1)
    await scene.buy(seller)
    const since = Number(timestamp) + 15
    const all = await reconcile()
    const late = await seller.reconcile(since)
    expect(all.body).toMatchObject({ chain: { transfers: 2 }, books: { payments: 2 } })
    expect(late.body).toMatchObject({ chain: { transfers: 1 }, books: { payments: 1 }, closes: true })
  } finally {
    await scene.close()
  }
})
