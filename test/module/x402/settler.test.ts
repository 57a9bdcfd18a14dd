import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import {
  price,
  type SettlementScene,
  settle,
  settleAgain,
  sign,
  startSettlementScene,
  transactionOf,
} from '../../support/chain/settlement.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'

const { usdc } = networks['base-sepolia']

let scene: SettlementScene

beforeAll(async () => {
  scene = await startSettlementScene()
})
afterEach(() => scene.tidy())
afterAll(() => scene.close())

const signMany = (count: number) => Promise.all(Array.from({ length: count }, sign))

test('a payment alone goes to the token itself; payments that arrive meanwhile share one transaction and take at most 0.65 of its gas each', async () => {
  const { settler, metric } = scene.start([await scene.gasAccount()])
  const [first, gathered] = await Promise.all([sign(), signMany(60)])
  const held = scene.node.hold('eth_sendRawTransaction')
  const alone = settle(settler, first)
  await held.reached
  const together = gathered.map((payment) => settle(settler, payment))
  held.release()

  await scene.expectSettled(await alone, first)
  const settlements = await Promise.all(together)
  for (const [index, payment] of gathered.entries()) {
    const settlement = settlements[index]
    if (!settlement) throw new Error('a payment has no outcome')
    await scene.expectSettled(settlement, payment)
  }
  const [hash, ...others] = new Set(settlements.map(transactionOf))
  if (!hash) throw new Error('nothing was sent')
  expect(others).toEqual([])
  const { client } = scene.chain
  const [single, batch] = await Promise.all([
    client.getTransactionReceipt({ hash: transactionOf(await alone) }),
    client.getTransactionReceipt({ hash }),
  ])
  expect([single.to, batch.to]).toEqual([usdc.address.toLowerCase(), multicall3Address.toLowerCase()])
  expect(Number(batch.gasUsed)).toBeLessThanOrEqual(0.65 * 60 * Number(single.gasUsed))

  expect(await metric('tollgate_settlement_outcomes_total', { outcome: 'settled' })).toBe(61)
  expect(await metric('tollgate_settlement_transaction_payments_count')).toBe(2)
  expect(await metric('tollgate_settlement_transaction_payments_sum')).toBe(61)
  expect(await metric('tollgate_settlement_payment_gas_count')).toBe(61)
  expect(await metric('tollgate_settlement_payment_gas_sum')).toBeCloseTo(
    Number(single.gasUsed + batch.gasUsed),
  )
  expect(await metric('tollgate_settlement_waiting_payments')).toBe(0)
})

test('payments that arrive together at an idle account share one transaction', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  const settlements = await Promise.all((await signMany(10)).map((payment) => settle(settler, payment)))
  expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(10).fill('settled'))
  expect(new Set(settlements.map(transactionOf)).size).toBe(1)
})

test('while a transaction waits to be mined, payments gather and share the next one', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  const [first, others] = await Promise.all([sign(), signMany(10)])
  await scene.stopMining()
  const alone = settle(settler, first)
  await scene.oneWaitingFrom(signer)
  const gathered = others.map((payment) => settle(settler, payment))
  await expect.poll(async () => (await scene.waitingFrom(signer)).length, { message: 'none is sent' }).toBe(2)
  await scene.startMining()

  await scene.expectSettled(await alone, first)
  const settlements = await Promise.all(gathered)
  for (const [index, settlement] of settlements.entries()) {
    await scene.expectSettled(settlement, others[index] ?? first)
  }
  expect(new Set(settlements.map(transactionOf)).size).toBe(1)
  expect(await scene.countOf(signer)).toBe(2)
})

test('several gas accounts share the settlements, each without a gap in its nonces', async () => {
  const signers = await Promise.all([scene.gasAccount(), scene.gasAccount(), scene.gasAccount()])
  const { settler } = scene.start(signers)
  const payments = await signMany(250)
  const settlements = await Promise.all(payments.map((payment) => settle(settler, payment)))
  expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(250).fill('settled'))
  const transactions = new Set(settlements.map(transactionOf))
  const counts = await Promise.all(signers.map(scene.countOf))
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(transactions.size)
})

test('the data suffix ends the calldata of a payment alone and of a batch', async () => {
  const dataSuffix: Hex = '0xc0de8021'
  const { settler } = scene.start([await scene.gasAccount()], { dataSuffix })
  const alone = await settle(settler, await sign())
  const together = await Promise.all((await signMany(2)).map((payment) => settle(settler, payment)))
  const hashes = [...new Set([alone, ...together].map(transactionOf))]
  expect(hashes).toHaveLength(2)
  for (const hash of hashes) {
    const { input } = await scene.chain.client.getTransaction({ hash })
    expect(input.endsWith(dataSuffix.slice(2))).toBe(true)
  }
})

test('a payment that is requested again while its transaction waits to be mined is not sent again: both requests get its outcome', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer], { timeoutMs: 1_500 })
  await scene.stopMining()
  const payment = await sign()
  const first = await settle(settler, payment)
  const { hash } = await scene.oneWaitingFrom(signer)
  expect(first).toMatchObject({ outcome: 'unknown', transaction: hash })

  const again = [settleAgain(settler, payment), settleAgain(settler, payment)]
  await scene.startMining()
  for (const settlement of await Promise.all(again)) {
    await scene.expectSettled(settlement, payment)
    expect(transactionOf(settlement)).toBe(hash)
  }
  expect(await scene.countOf(signer)).toBe(1)
})

test('a settlement whose broadcast got no reply is found on the chain: the payment is settled, and sent once', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  const sent = scene.node.count('eth_sendRawTransaction')
  scene.node.faults.set('eth_sendRawTransaction', 'answer lost')
  const payment = await sign()
  await scene.expectSettled(await settle(settler, payment), payment)
  expect(scene.node.count('eth_sendRawTransaction')).toBe(sent + 1)
})

test('a node that shows no receipts for a while delays the outcome, and no transaction is sent again', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  scene.node.faults.set('eth_getTransactionReceipt', 'refused')
  const asked = scene.node.count('eth_getTransactionReceipt')
  const payment = await sign()
  const settling = settle(settler, payment)
  await expect
    .poll(() => scene.node.count('eth_getTransactionReceipt'), {
      message: 'the settler does not ask for the receipt again',
    })
    .toBeGreaterThan(asked + 2)
  scene.node.faults.clear()
  await scene.expectSettled(await settling, payment)
  expect(await scene.countOf(signer)).toBe(1)
})

test('a signer that fails uses up no nonce', async () => {
  const account = await scene.gasAccount()
  let fails = true
  const signer: Signer = {
    address: account.address,
    signTransaction: (...request) =>
      fails ? Promise.reject(new Error('the wallet is locked')) : account.signTransaction(...request),
  }
  const { settler } = scene.start([signer])
  const payment = await sign()
  expect(await settle(settler, payment)).toEqual({
    outcome: 'unknown',
    cause: new Error('the wallet is locked'),
  })
  fails = false
  await scene.expectSettled(await settleAgain(settler, payment), payment)
  expect(await scene.countOf(signer)).toBe(1)
})

test('a signer that does not reply delays no later settlement', async () => {
  const account = await scene.gasAccount()
  let hangs = true
  const signer: Signer = {
    address: account.address,
    signTransaction: (...request) =>
      hangs ? new Promise<never>(() => {}) : account.signTransaction(...request),
  }
  const { settler } = scene.start([signer], { timeoutMs: 500 })
  expect(await settle(settler, await sign())).toMatchObject({ outcome: 'unknown' })
  hangs = false
  const payment = await sign()
  await expect
    .poll(() => settle(settler, payment), { message: 'the later payment is not settled' })
    .toMatchObject({ outcome: 'settled' })
  expect(await scene.countOf(signer)).toBe(1)
})

test('a payment that one gas account cannot sign for is settled by another', async () => {
  const locked = await scene.gasAccount()
  const signer: Signer = {
    address: locked.address,
    signTransaction: () => Promise.reject(new Error('the wallet is locked')),
  }
  const other = await scene.gasAccount()
  const { settler } = scene.start([signer, other])
  const payments = await signMany(3)
  for (const payment of payments) await scene.expectSettled(await settle(settler, payment), payment)
  expect(await scene.countOf(other)).toBe(3)
})

test('two gateways that send from one gas account at the same time take nonces from each other, and still settle everything', async () => {
  const signer = await scene.gasAccount()
  const gateways = [scene.start([signer]).settler, scene.start([signer]).settler]
  for (const payments of [await signMany(6), await signMany(6), await signMany(6)]) {
    const settlements = await Promise.all(
      payments.flatMap((payment, index) => {
        const settler = gateways[index % 2]
        return settler ? [settle(settler, payment)] : []
      }),
    )
    expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(6).fill('settled'))
  }
})

test('a payment whose payer moved the money away fails with a reason, and the others of its batch settle', async () => {
  const { settler, metric } = scene.start([await scene.gasAccount()])
  const poor = freshWallet()
  const [first, good] = await Promise.all([sign(), sign()])
  const bad = await signPayment(poor, price)
  const held = scene.node.hold('eth_sendRawTransaction')
  const alone = settle(settler, first)
  await held.reached
  const together = [settle(settler, good), settle(settler, bad)] as const
  held.release()
  await scene.expectSettled(await alone, first)
  await scene.expectSettled(await together[0], good)
  expect(await together[1]).toMatchObject({
    outcome: 'failed',
    refusal: { reason: 'invalid_transaction_state' },
  })
  expect(await metric('tollgate_settlement_outcomes_total', { outcome: 'failed' })).toBe(1)
})

test('twenty payments of a batch whose payer moved the money away fail, and none of them is tried alone', async () => {
  const { settler } = scene.start([await scene.gasAccount()])
  const poor = freshWallet()
  const first = await sign()
  const bad = await Promise.all(Array.from({ length: 20 }, () => signPayment(poor, price)))
  const held = scene.node.hold('eth_sendRawTransaction')
  const alone = settle(settler, first)
  await held.reached
  const together = bad.map((payment) => settle(settler, payment))
  held.release()
  await scene.expectSettled(await alone, first)
  const looked = () => scene.node.count('eth_call') + scene.node.count('eth_estimateGas')
  const before = looked()
  const outcomes = (await Promise.all(together)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(Array(20).fill('failed'))
  expect(looked() - before).toBeLessThan(5)
})

test('a payment that another account has submitted is settled by that transaction', async () => {
  const { settler } = scene.start([await scene.gasAccount()])
  const payment = await sign()
  const other = scene.start([privateKeyToAccount(devPayers[6].privateKey)])
  const first = await settle(other.settler, payment)
  expect(await settle(settler, payment)).toEqual(first)
})
