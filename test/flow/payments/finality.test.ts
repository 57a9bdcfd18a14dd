import type { Updateable } from 'kysely'
import type request from 'supertest'
import { type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { type Block, openBlocks } from '../../../src/doors/ledger/finality.ts'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import type { PaymentState } from '../../../src/platform/store/rows/payments.ts'
import type { Tables } from '../../../src/platform/store/schema.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, type SignedPayment } from '../../support/chain/wallet.ts'
import { idOf, openScene, price, type Scene, type Seller } from '../../support/gateways/scene.ts'
import { hex, limits, newPayment, openServer } from '../../support/stores/ledger.ts'
import { startStoreProxy } from '../../support/stores/store-proxy.ts'

/** About as far behind the head as finalized blocks are on Base. */
const finalityBlocks = 64n

let chain: TestChain
let scene: Scene
let seller: Seller

beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())
beforeAll(async () => {
  scene = await openScene(chain)
  seller = await openSeller()
})
afterEach(() => {
  seller.node.staleHead = undefined
  seller.node.meet = undefined
  seller.node.finalityBlocks = finalityBlocks
  scene.model.answer = 'research'
})
afterAll(() => scene.close())

async function openSeller(settings: Readonly<Record<string, string>> = {}): Promise<Seller> {
  const opened = await scene.open(settings)
  opened.node.finalityBlocks = finalityBlocks
  return opened
}

const stateOf = async (payment: SignedPayment) => (await scene.rowOf(payment)).state
const transactionOf = (reply: request.Response) => decode(reply.headers['payment-response'])

/** The block of the payment, according to the books. */
async function blockOf(payment: SignedPayment): Promise<bigint> {
  const { blockNumber } = await scene.rowOf(payment)
  if (blockNumber === null) throw new Error('the books know no block of this payment')
  return blockNumber
}

/** Makes the chain drop the block of the payment. */
const drop = async (payment: SignedPayment, ...kept: readonly Hex[]) =>
  scene.payee.reorganize(await blockOf(payment), ...kept)

/** Runs the sweep, as a gateway does at its start and then every few seconds. */
async function sweep(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const next = await openSeller(settings)
  await next.close()
}

/** Sweeps until this payment is in the expected state. */
async function sweptTo(
  payment: SignedPayment,
  state: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await sweep(settings)
  // Another gateway's sweep may hold it.
  await expect.poll(() => stateOf(payment), { interval: 50 }).toBe(state)
}

/** Reconciles as the operator does, and expects that books and chain agree. */
async function check(by: Seller = seller): Promise<request.Response> {
  const reply = await by.reconcile()
  expect(reply.status).toBe(200)
  return reply
}

async function expectClosed(): Promise<void> {
  const { body } = await check()
  expect(body).toMatchObject({ difference: { amountAtomic: '0' }, missing: [], strangers: [], closes: true })
  expect(body.chain.amountAtomic).toBe((await scene.payee.balanceOf(scene.payee.address)).toString())
}

/** Expects that the money moved once, in the transaction that the books name. */
async function expectTakenOnce(payment: SignedPayment): Promise<void> {
  const { transaction } = await scene.rowOf(payment)
  expect(await scene.payee.transfers(payment.authorization.from, scene.payee.address)).toEqual([
    { transaction, value: price },
  ])
}

test('a settled payment becomes final when its block does, and not before', async () => {
  seller.node.finalityBlocks = 5n
  const { payment, reply } = await scene.buy(seller)
  await scene.payee.mine(4)
  await check()
  expect(await stateOf(payment)).toBe('settled')
  await scene.payee.mine(1)
  await check()
  expect(await stateOf(payment)).toBe('final')
  const again = await seller.pay(payment)
  expect([again.status, again.text]).toEqual([200, reply.text])
})

describe('a reorganization', () => {
  test('a payment that a reorganization drops is settled again from the stored signature, and its caller gets the stored reply with the new transaction', async () => {
    const { payment, reply } = await scene.buy(seller)
    const before = await scene.rowOf(payment)
    const asked = scene.model.asked
    await scene.payee.mine(5)
    await drop(payment)
    expect(await scene.payee.balanceOf(payment.authorization.from)).toBe(price)
    await check()
    const again = await seller.pay(payment)

    const after = await scene.rowOf(payment)
    expect(after).toMatchObject({ state: 'settled', failure: null })
    expect(after.transaction).not.toBe(before.transaction)
    expect(again.status).toBe(200)
    expect(again.text).toBe(reply.text)
    expect(transactionOf(again)).toMatchObject({ transaction: after.transaction })
    expect(scene.model.asked).toBe(asked)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a reorganization that drops several payments in several blocks reopens each, and the sweep settles all of them again', async () => {
    const wallets = [await scene.wallet(), await scene.wallet(), await scene.wallet()]
    const payments: SignedPayment[] = []
    for (const wallet of wallets) {
      const payment = await scene.sign(wallet)
      expect((await seller.pay(payment)).status).toBe(200)
      payments.push(payment)
    }
    const [first] = payments
    if (!first) throw new Error('nothing was bought')
    await scene.payee.mine(2)
    await drop(first)
    await check()
    for (const payment of payments) {
      await sweptTo(payment, 'settled')
      await expectTakenOnce(payment)
    }
    await expectClosed()
  })

  test('a payment that a reorganization moves to another block is found there, and nothing is sent', async () => {
    const { payment } = await scene.buy(seller)
    const before = await scene.rowOf(payment)
    await scene.payee.mine(2)
    const sent = seller.node.count('eth_sendRawTransaction')
    await drop(payment, hexOf(before.transaction))
    await check()
    expect((await seller.pay(payment)).status).toBe(200)

    const after = await scene.rowOf(payment)
    expect(after).toMatchObject({ state: 'settled', transaction: before.transaction })
    const moved = await chain.client.getTransactionReceipt({ hash: hexOf(before.transaction) })
    expect([after.blockNumber, after.blockHash]).toEqual([moved.blockNumber, moved.blockHash])
    expect(after.blockHash).not.toBe(before.blockHash)
    expect(seller.node.count('eth_sendRawTransaction')).toBe(sent)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a reorganization that several gateways notice at once settles the payment again once', async () => {
    const other = await openSeller()
    const { payment } = await scene.buy(seller)
    await scene.payee.mine(2)
    await drop(payment)
    await Promise.all([check(), check(other), check(), check(other)])
    const replies = await Promise.all([seller.pay(payment), other.pay(payment), other.pay(payment)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    await expectTakenOnce(payment)
    await expectClosed()
    await other.close()
  })

  test('a reorganization that drops the settlement account’s transactions does not block later payments', async () => {
    const { payment } = await scene.buy(seller)
    await scene.payee.mine(2)
    const block = await blockOf(payment)
    const account = { address: devSettler.address }
    const nonce = await chain.client.getTransactionCount({ ...account, blockNumber: block - 1n })
    await drop(payment)
    await chain.client.setNonce({ ...account, nonce })
    await check()
    await expect
      .poll(
        async () => {
          await scene.endLease(payment)
          return (await seller.pay(payment)).status
        },
        { timeout: 25_000 },
      )
      .toBe(200)
    expect((await scene.buy(seller)).reply.status).toBe(200)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a payment that a reorganization drops, and whose payer has no money any more, has failed, and books and chain agree', async () => {
    const { payer, payment } = await scene.buy(seller)
    await scene.payee.mine(2)
    await drop(payment)
    await scene.payee.send(payer, devPayers[0].address, price)
    await check()
    const reply = await seller.pay(payment)
    expect(reply.status).toBe(402)
    expect(await scene.rowOf(payment)).toMatchObject({
      state: 'failed',
      failure: 'invalid_transaction_state',
      blockNumber: null,
      replyBody: null,
    })
    await expectClosed()
  })
})

describe('a payment that was charged before the work', () => {
  let first: Seller

  beforeAll(async () => {
    first = await openSeller(scene.paidFirst)
  })
  afterAll(() => first.close())

  /** Makes the handler fail after the money was taken. */
  async function payUnserved(): Promise<SignedPayment> {
    scene.model.answer = 'error'
    const payment = await scene.sign(await scene.wallet())
    expect((await first.pay(payment)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
    scene.model.answer = 'research'
    return payment
  }

  test('an unserved payment that the chain drops is not settled by the sweep; it is settled and served when its payer repeats it', async () => {
    const payment = await payUnserved()
    await scene.payee.mine(2)
    await drop(payment)
    await check()
    await sweep()
    // The sweep has looked at it, and leaves it alone for a while.
    await expect
      .poll(() => scene.rowOf(payment), { interval: 50 })
      .toMatchObject({ state: 'settling', tries: 1 })
    expect(await scene.payee.transfers(payment.authorization.from, scene.payee.address)).toEqual([])

    const asked = scene.model.asked
    await scene.endLease(payment)
    expect((await first.pay(payment)).status).toBe(200)
    expect(scene.model.asked).toBe(asked + 1)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('an unserved payment that the chain moves stays owed, and is served when its payer repeats it', async () => {
    const payment = await payUnserved()
    const { transaction } = await scene.rowOf(payment)
    await scene.payee.mine(2)
    await drop(payment, hexOf(transaction))
    await check()
    await sweptTo(payment, 'paid')
    expect((await first.pay(payment)).status).toBe(200)
    await expectTakenOnce(payment)
  })

  test('a served payment that the chain drops is settled again by the sweep, and is not served twice', async () => {
    const { payment, reply } = await scene.buy(first)
    const asked = scene.model.asked
    await scene.payee.mine(2)
    await drop(payment)
    await check()
    await sweptTo(payment, 'settled')
    const again = await first.pay(payment)
    expect([again.status, again.text]).toEqual([200, reply.text])
    expect(scene.model.asked).toBe(asked)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a served payment that the chain drops is settled again also when its reply was deleted', async () => {
    const { payment } = await scene.buy(first)
    await scene.queries
      .updateTable('payments')
      .set({ replyStatus: null, replyHeaders: null, replyBody: null })
      .where('id', '=', idOf(payment))
      .execute()
    const asked = scene.model.asked
    await scene.payee.mine(2)
    await drop(payment)
    await check()
    await sweptTo(payment, 'settled')
    expect((await first.pay(payment)).status).toBe(409)
    expect(scene.model.asked).toBe(asked)
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a payment that the chain drops while its handler runs is neither charged twice nor lost', async () => {
    const store = await startStoreProxy(scene.settings.DATABASE_URL ?? '')
    const serving = await openSeller({ ...scene.paidFirst, DATABASE_URL: store.url })
    // The handler is done, and its reply is about to be stored.
    const held = store.holdWrite('settled')
    try {
      const payment = await scene.sign(await scene.wallet())
      const reply = serving.pay(payment)
      await held.reached
      await scene.payee.mine(2)
      await drop(payment)
      await check()
      held.release()
      expect((await reply).body).toMatchObject({ code: 'SETTLEMENT_UNKNOWN' })
      await scene.endLease(payment)
      expect((await first.pay(payment)).status).toBe(200)
      await expectTakenOnce(payment)
      await expectClosed()
    } finally {
      held.release()
      await serving.close()
      await store.close()
    }
  })
})

test('a released payment that arrives and is then moved by a reorganization is still owed, and is served once', async () => {
  const payment = await giveUp()
  const transaction = await scene.payee.submit(payment)
  scene.model.answer = 'error'
  expect((await seller.pay(payment)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
  expect(await stateOf(payment)).toBe('paid')
  scene.model.answer = 'research'
  await scene.payee.mine(2)
  await drop(payment, transaction)
  await check()
  await sweptTo(payment, 'paid')

  const asked = scene.model.asked
  expect((await seller.pay(payment)).status).toBe(200)
  expect(scene.model.asked).toBe(asked + 1)
  await expectTakenOnce(payment)
  await expectClosed()
})

/** Empties the wallet before the money is taken, and fills it again afterwards. */
async function giveUp(): Promise<SignedPayment> {
  const payer = await scene.wallet()
  const payment = await scene.sign(payer)
  const held = seller.node.hold('eth_sendRawTransaction')
  const reply = seller.pay(payment)
  await held.reached
  await scene.payee.send(payer, devPayers[0].address, price)
  held.release()
  expect((await reply).status).toBe(402)
  expect(await stateOf(payment)).toBe('failed')
  await chain.mint(payer.address, price)
  return payment
}

describe('a refund', () => {
  let refunding: Seller
  const key = generatePrivateKey()
  const refunder = privateKeyToAccount(key).address
  const settings = { REFUND_KEY: key }

  beforeAll(async () => {
    await chain.mint(refunder, 10n * price)
    refunding = await openSeller(settings)
  })
  afterAll(() => refunding.close())

  const refunds = ({ authorization }: SignedPayment) => scene.payee.transfers(refunder, authorization.from)

  /** Waits until everything recorded so far is older than the finalized block, in whole seconds. */
  async function letBecomeFinal(): Promise<void> {
    const timestamp = BigInt(Math.ceil(Date.now() / 1000)) + 1n
    await chain.client.setNextBlockTimestamp({ timestamp })
    await scene.payee.mine(3)
    refunding.node.finalityBlocks = 2n
  }

  afterEach(() => {
    refunding.node.finalityBlocks = finalityBlocks
    refunding.node.staleHead = undefined
    refunding.node.meet = undefined
  })

  test('a refund that a lagging node has not seen yet is left as it is', async () => {
    const { payment } = await scene.buy(refunding)
    const head = await chain.client.getBlockNumber()
    expect((await refunding.refund(payment)).status).toBe(200)
    const before = await scene.rowOf(payment)
    refunding.node.staleHead = head
    await check(refunding)
    expect(await scene.rowOf(payment)).toEqual(before)
  })

  test('a refund that the chain drops is paid again, and the payer has the money once', async () => {
    const { payer, payment } = await scene.buy(refunding)
    await scene.payee.mine(1)
    expect((await refunding.refund(payment)).status).toBe(200)
    const before = await scene.rowOf(payment)
    const mined = { hash: hexOf(before.refundTransaction) }
    const { blockNumber } = await chain.client.getTransactionReceipt(mined)
    await scene.payee.mine(1)
    await scene.payee.reorganize(blockNumber)
    expect(await scene.payee.balanceOf(payer.address)).toBe(0n)
    await letBecomeFinal()
    await check(refunding)

    await sweptTo(payment, 'refunded', settings)
    const after = await scene.rowOf(payment)
    expect(after.refundTransaction).not.toBe(before.refundTransaction)
    expect(await refunds(payment)).toEqual([{ transaction: after.refundTransaction, value: price }])
    await expectTakenOnce(payment)
    await expectClosed()
  })

  test('a refund that the chain keeps is left as it is', async () => {
    const { payment } = await scene.buy(refunding)
    expect((await refunding.refund(payment)).status).toBe(200)
    const before = await scene.rowOf(payment)
    await letBecomeFinal()
    await check(refunding)
    expect(await scene.rowOf(payment)).toEqual(before)
  })

  test('the chain is not asked for a refund any more when no signature for it is valid', async () => {
    const { payment } = await scene.buy(refunding)
    expect((await refunding.refund(payment)).status).toBe(200)
    await scene.queries
      .updateTable('payments')
      .set({ refundUntil: 1n })
      .where('state', '=', 'refunded')
      .execute()
    await letBecomeFinal()
    const asked: unknown[] = []
    refunding.node.meet = async ({ method, params }) => {
      // The call that looks for the refund contains this address.
      if (method === 'eth_call' && JSON.stringify(params).includes(refunder.slice(2).toLowerCase())) {
        asked.push(params)
      }
      return undefined
    }
    await check(refunding)
    expect(asked).toEqual([])
  })

  test('a refund of a payment that the chain has dropped waits, and is paid when the payment is back', async () => {
    const { payer, payment } = await scene.buy(refunding)
    await scene.payee.mine(1)
    await drop(payment)
    const reply = await refunding.refund(payment)
    expect(reply.body).toMatchObject({
      state: 'refunding',
      failure: 'the chain does not show the payment itself any more',
    })
    expect(await refunds(payment)).toEqual([])
    expect(await scene.payee.balanceOf(payer.address)).toBe(price)

    await scene.payee.submit(payment)
    await scene.endLease(payment)
    await sweptTo(payment, 'refunded', settings)
    expect(await refunds(payment)).toHaveLength(1)
    expect(await scene.payee.balanceOf(payer.address)).toBe(price)
    await expectTakenOnce(payment)
    await expectClosed()
  })
})

describe('a node', () => {
  test('a node that lags behind reopens no payment, and the payments that it has seen become final', async () => {
    const { payment: old } = await scene.buy(seller)
    await scene.payee.mine(6)
    const { payment: young } = await scene.buy(seller)
    const before = await scene.rowOf(young)

    const stale = (await blockOf(young)) - 1n
    seller.node.staleHead = stale
    // The lagging node does not have this block yet.
    seller.node.meet = async ({ method, params = [] }) => {
      const [block] = params
      const isLater = typeof block === 'string' && block.startsWith('0x') && BigInt(block) > stale
      return method === 'eth_getBlockByNumber' && isLater ? 'sees nothing' : undefined
    }
    await check()
    expect(await scene.rowOf(young)).toEqual(before)
    expect(await stateOf(old)).toBe('final')
  })

  test('the node is asked for the block of a paid and unserved payment until the block is final, and not after that', async () => {
    const first = await openSeller(scene.paidFirst)
    scene.model.answer = 'error'
    const payment = await scene.sign(await scene.wallet())
    expect((await first.pay(payment)).body).toMatchObject({ code: 'PAID_NOT_SERVED' })
    const block = toHex(await blockOf(payment))
    let asked = 0
    first.node.meet = async ({ method, params }) => {
      if (method === 'eth_getBlockByNumber' && params?.[0] === block) asked += 1
      return undefined
    }
    await check(first)
    first.node.finalityBlocks = 3n
    await scene.payee.mine(3)
    await check(first)
    const askedSoFar = asked
    expect(askedSoFar).toBeGreaterThanOrEqual(2)
    // The report reads the head block itself, so the head must be another block.
    await scene.payee.mine(2)
    await Promise.all([check(first), check(first)])
    expect([asked, await stateOf(payment)]).toEqual([askedSoFar, 'paid'])
    await first.close()
  })
})

test('a settled payment without a block, as an older version wrote it, is looked up and becomes final', async () => {
  const { payment } = await scene.buy(seller)
  const { blockNumber, blockHash } = await scene.rowOf(payment)
  await scene.queries
    .updateTable('payments')
    .set({ blockNumber: null, blockHash: null })
    .where('id', '=', idOf(payment))
    .execute()
  await check()
  expect(await scene.rowOf(payment)).toMatchObject({ state: 'settled', blockNumber, blockHash })
  seller.node.finalityBlocks = 2n
  await scene.payee.mine(2)
  await check()
  expect(await stateOf(payment)).toBe('final')
})

test('payments of another network are left alone, whether they are settled or still open and expired on this network', async () => {
  const [{ payment: settled }, { payment: open }] = [await scene.buy(seller), await scene.buy(seller)]
  const before = [await scene.rowOf(settled), await scene.rowOf(open)]
  const change = (payment: SignedPayment, to: Updateable<Tables['payments']>) =>
    scene.queries.updateTable('payments').set(to).where('id', '=', idOf(payment)).execute()
  const elsewhere = { chainId: 8453, blockHash: hex(32) }
  await change(settled, elsewhere)
  const expired = { nonce: hex(32), validBefore: '1', leaseUntil: new Date(0) }
  await change(open, { ...elsewhere, ...expired, state: 'settling' })
  const rows = () => Promise.all([settled, open].map(scene.rowOf))
  const left = await rows()
  await check()
  await sweep()
  expect(await rows()).toEqual(left)
  for (const { replyHeaders: _, ...row } of before) {
    await scene.queries.updateTable('payments').set(row).where('id', '=', row.id).execute()
  }
  await expectClosed()
})

test('blocks are checked page by page, each once, also two with the same number, and none whose payments are final', async () => {
  const opened = await openServer()
  const books = { queries: opened.one.queries, clock: { now: () => Date.now() } }
  const write = async (state: PaymentState, block: bigint, hash: string) => {
    const payment = newPayment({ chainId: 1 })
    await claim(books, payment, limits)
    await books.queries
      .updateTable('payments')
      .set({ state, blockNumber: block, blockHash: hash })
      .where('id', '=', payment.id)
      .execute()
  }
  try {
    for (const state of ['paid', 'settled', 'settled'] as const) await write(state, 7n, '0xb')
    for (const state of ['final', 'refunded', 'paid'] as const) await write(state, 3n, '0xa')
    await write('settled', 7n, '0xc')
    await write('settled', 2n, '0xd')
    await write('paid', 9n, '0xe')
    const found: Block[] = []
    for (let after: Block = { number: -1n, hash: '' }, page = 1; page <= 4; page += 1) {
      const blocks = await openBlocks(books, { chainId: 1, after, finalTo: 5n, limit: 2 })
      found.push(...blocks)
      after = blocks.at(-1) ?? after
    }
    expect(found).toEqual([
      { number: 2n, hash: '0xd' },
      { number: 7n, hash: '0xb' },
      { number: 7n, hash: '0xc' },
      { number: 9n, hash: '0xe' },
    ])
  } finally {
    await opened.close()
  }
})

/** The last part, because it moves the chain's clock: payments signed by our own clock would be expired. */
test('a payment that a reorganization drops and that has expired since has failed, and books and chain agree', async () => {
  const payer = await scene.wallet()
  const now = BigInt(Math.floor(Date.now() / 1000))
  const payment = await scene.sign(payer, { validBefore: now + 120n })
  expect((await seller.pay(payment)).status).toBe(200)
  await scene.payee.mine(2)
  await drop(payment)
  await chain.client.increaseTime({ seconds: 130 })
  await scene.payee.mine(1)
  await check()
  await sweptTo(payment, 'failed')
  expect(await scene.rowOf(payment)).toMatchObject({
    failure: 'invalid_exact_evm_payload_authorization_valid_before',
    blockNumber: null,
    replyBody: null,
  })
  expect((await seller.pay(payment)).status).toBe(402)
  expect(await scene.payee.balanceOf(payer.address)).toBe(price)
  await expectClosed()
})

function hexOf(text: string | null): Hex {
  if (text === null) throw new Error('no transaction was named')
  return `0x${text.slice(2)}`
}
