import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { listGasCosts } from '../../../src/doors/ledger/gas-costs.ts'
import { markServed, markSettled, noteGasCost } from '../../../src/doors/ledger/grouped-moves.ts'
import type { Held } from '../../../src/doors/ledger/payments.ts'
import { GasBook } from '../../../src/doors/x402/settler/gas-book.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import {
  price,
  type SettlementScene,
  settle,
  sign,
  startSettlementScene,
  transactionOf,
} from '../../support/chain/settlement.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'
import { hex, leaseMs, limits, newPayment, type Opened, openServer } from '../../support/stores/ledger.ts'

/** The gas that settlers pay, in the books: it equals what left their accounts, to the wei. */

const { chainId } = networks['base-sepolia']

let scene: SettlementScene
let opened: Opened
const logged: string[] = []

beforeAll(async () => {
  ;[scene, opened] = await Promise.all([startSettlementScene(), openServer()])
})
afterEach(() => scene.tidy())
afterAll(async () => {
  await scene.close()
  await opened.close()
})

const balance = 10n ** 20n

/** A settler with one account of its own whose gas is in the books, and what the books say about it. */
async function openSettler(change: Parameters<SettlementScene['start']>[1] = {}) {
  const signer = await scene.gasAccount(balance)
  const gasBook = openBook(signer)
  return { signer, gasBook, ...scene.start([signer], { gasBook, ...change }) }
}

function openBook(signer: Signer): GasBook {
  const gasBook = new GasBook({
    client: scene.chain.client,
    chainId,
    write: (row) => noteGasCost(opened.one, row),
    clock: systemClock,
    log: createLog('info', { write: (line: string) => void logged.push(line) }),
  })
  gasBook.addAccount(signer.address)
  return gasBook
}

async function costsOf({ address }: Signer) {
  const { rows } = await listGasCosts(opened.one, chainId, {}, undefined, 1_000)
  return rows.filter(({ account }) => account === address.toLowerCase())
}

/** Expects the rows of an account to add up to the wei that it has spent. */
async function expectAllSpent(signer: Signer) {
  const rows = await costsOf(signer)
  const left = await scene.chain.client.getBalance({ address: signer.address })
  expect(rows.reduce((total, { wei }) => total + wei, 0n)).toBe(balance - left)
  return rows
}

test('a transaction that settles many payments is one cost, and one that the chain reverts is a cost too', async () => {
  const { signer, settler, gasBook } = await openSettler()
  const [first, ...gathered] = await Promise.all(Array.from({ length: 8 }, sign))
  if (!first) throw new Error('no payment was signed')
  const held = scene.node.hold('eth_sendRawTransaction')
  const alone = settle(settler, first)
  await held.reached
  const together = gathered.map((payment) => settle(settler, payment))
  held.release()
  const [single, ...settled] = await Promise.all([alone, ...together])
  const unfunded = await signPayment(freshWallet(), price)
  expect(await settle(settler, unfunded)).toMatchObject({ outcome: 'failed' })
  await gasBook.flush()

  const rows = await expectAllSpent(signer)
  const [batch, ...others] = new Set(settled.map(transactionOf))
  expect(others).toEqual([])
  expect(rows).toMatchObject([
    { transaction: transactionOf(single), purpose: 'settlement', isReverted: false },
    { transaction: batch, purpose: 'settlement', isReverted: false },
    { purpose: 'settlement', isReverted: true },
  ])
})

test('a transaction that was replaced is a cost once, under the hash that was mined', async () => {
  const { signer, settler, gasBook } = await openSettler({ replaceAfterMs: 1_000 })
  await scene.stopMining()
  const settling = settle(settler, await sign())
  const first = await scene.oneWaitingFrom(signer)
  await scene.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 3n * first.maxFeePerGas })
  await scene.chain.client.mine({ blocks: 1 })
  await scene.replacementOf(signer, first.hash)
  await scene.startMining()
  const transaction = transactionOf(await settling)
  expect(transaction).not.toBe(first.hash)
  await gasBook.flush()
  expect(await expectAllSpent(signer)).toMatchObject([{ transaction, purpose: 'settlement' }])
})

test('an empty transaction that frees a stuck nonce is a cost of its own kind', async () => {
  const { signer, settler, gasBook } = await openSettler({ replaceAfterMs: 200 })
  const { client } = scene.chain
  await scene.stopMining()
  const low = 2n * ((await client.getBlock()).baseFeePerGas ?? 0n)
  const abandoned = await client.sendRawTransaction({
    serializedTransaction: await signer.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: 0,
      gas: 21_000n,
      to: signer.address,
      maxFeePerGas: low,
      maxPriorityFeePerGas: 1n,
    }),
  })
  const settling = settle(settler, await sign())
  await expect.poll(() => scene.waitingFrom(signer)).toHaveLength(2)
  await client.dropTransaction({ hash: abandoned })
  await client.setAutomine(true)
  expect(await settling).toMatchObject({ outcome: 'settled' })
  await gasBook.flush()
  const rows = await expectAllSpent(signer)
  expect(rows.map(({ purpose }) => purpose).sort()).toEqual(['settlement', 'unblock'])
})

test('a transaction that carries refunds alone is a cost of refunds', async () => {
  const refunder = privateKeyToAccount(devPayers[2].privateKey)
  const { signer, settler, gasBook } = await openSettler({ refunder: refunder.address })
  await scene.chain.mint(refunder.address, price)
  await settle(settler, await signPayment(refunder, price))
  await settle(settler, await sign())
  await gasBook.flush()
  const rows = await expectAllSpent(signer)
  expect(rows.map(({ purpose }) => purpose)).toEqual(['refund', 'settlement'])
})

test('while the store is down payments are settled, and their gas is written when it is back', async () => {
  const { signer, settler, gasBook } = await openSettler()
  await sql`alter table gas_costs rename to gas_costs_away`.execute(opened.one.queries)
  try {
    for (const payment of [await sign(), await sign()]) {
      await scene.expectSettled(await settle(settler, payment), payment)
    }
    await gasBook.flush()
    expect(logged.filter((line) => line.includes('gas costs cannot be written'))).toHaveLength(1)
  } finally {
    await sql`alter table gas_costs_away rename to gas_costs`.execute(opened.one.queries)
  }
  expect(await costsOf(signer)).toEqual([])
  await gasBook.flush()
  expect(await expectAllSpent(signer)).toHaveLength(2)
})

test('a payment and the gas of its transaction are booked in one statement; without room for the gas the payment is booked alone', async () => {
  const { queries } = opened.one
  let statements = 0
  const counting = queries.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  })
  const books = { queries: counting, clock: systemClock }
  const served = async () => {
    const claimed = await claim(books, newPayment(), limits)
    if (claimed.kind !== 'claimed') throw new Error('a payment was not claimed')
    await markServed(books, claimed.held, { status: 200, headers: {}, body: new Uint8Array(8) }, leaseMs)
    return claimed.held
  }
  const mined = () => ({ transaction: hex(32), block: { number: 7n, hash: hex(32) }, at: new Date() })
  const account = hex(20)
  const costOf = (transaction: string) =>
    ({
      chainId,
      transaction,
      account,
      purpose: 'settlement',
      wei: 9n,
      isReverted: false,
      blockNumber: 7n,
      seenAt: new Date(),
    }) as const
  const book = async (held: Held) => {
    const transfer = mined()
    return Promise.allSettled([
      noteGasCost(books, costOf(transfer.transaction)),
      markSettled(books, held, transfer),
    ])
  }

  const [first, second] = [await served(), await served()]
  statements = 0
  expect(await book(first)).toMatchObject([{ status: 'fulfilled' }, { value: true }])
  expect(statements).toBe(1)
  await sql`alter table gas_costs rename to gas_costs_away`.execute(queries)
  try {
    expect(await book(second)).toMatchObject([{ status: 'rejected' }, { value: true }])
  } finally {
    await sql`alter table gas_costs_away rename to gas_costs`.execute(queries)
  }
})

test('a transaction of ours that a later process finds on the chain is a cost, once; one of another account is not', async () => {
  const signer = await scene.gasAccount(balance)
  const { settler } = scene.start([signer])
  const lost = transactionOf(await settle(settler, await sign()))
  const later = openBook(signer)
  await later.noteFound(lost, 'settlement')
  await later.noteFound(lost, 'settlement')
  await openBook(await scene.gasAccount()).noteFound(lost, 'settlement')
  await later.flush()
  expect(await expectAllSpent(signer)).toMatchObject([{ transaction: lost, purpose: 'settlement' }])
})
