import { type Hex, isHex, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findAuthorizationState } from '../../../src/doors/x402/evidence/authorization-state.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import type { Settlement } from '../../../src/doors/x402/wire/facilitator.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import {
  type SettlementScene,
  settle,
  settleAgain,
  sign,
  startSettlementScene,
  transactionOf,
} from '../../support/chain/settlement.ts'
import type { SignedPayment } from '../../support/chain/wallet.ts'

const { chainId, usdc } = networks['base-sepolia']

const hex = z.custom<Hex>((value) => isHex(value))

let scene: SettlementScene

beforeAll(async () => {
  scene = await startSettlementScene()
})
afterEach(() => scene.tidy())
afterAll(() => scene.close())

const broadcasts = () => scene.node.count('eth_sendRawTransaction')

const stateOf = ({ authorization }: SignedPayment) =>
  findAuthorizationState(scene.chain.client, usdc.address, authorization)

/** Waits until this many more transactions were sent. */
const sendsMore = async (times: number) => {
  const before = broadcasts()
  await expect
    .poll(broadcasts, { message: `the settler did not send ${times} more transactions` })
    .toBeGreaterThanOrEqual(before + times)
}

async function raiseBaseFee(baseFeePerGas: bigint): Promise<void> {
  await scene.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await scene.chain.client.mine({ blocks: 1 })
}

test('a settlement whose offer fell below the gas price is replaced with the same nonce, both fees an eighth higher, and at least the present price', async () => {
  const signer = await scene.gasAccount()
  const { settler, metric } = scene.start([signer], { replaceAfterMs: 1_000 })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const first = await scene.oneWaitingFrom(signer)
  const risen = 3n * first.maxFeePerGas
  await raiseBaseFee(risen)
  const replacement = await scene.replacementOf(signer, first.hash)
  expect(replacement.maxFeePerGas).toBeGreaterThan(risen)
  expect(8n * replacement.maxFeePerGas).toBeGreaterThanOrEqual(9n * first.maxFeePerGas)
  expect(8n * replacement.maxPriorityFeePerGas).toBeGreaterThanOrEqual(9n * first.maxPriorityFeePerGas)
  // One replacement reaches the price: with an eighth at a time, the tip would have grown three times.
  expect(10n * replacement.maxPriorityFeePerGas).toBeLessThan(13n * first.maxPriorityFeePerGas)

  await scene.startMining()
  const settlement = await settling
  await scene.expectSettled(settlement, payment)
  expect(transactionOf(settlement)).not.toBe(first.hash)
  expect(await scene.countOf(signer)).toBe(1)
  expect(await metric('tollgate_settlement_transactions_replaced_total')).toBeGreaterThan(0)
})

test('a settlement is found by its first hash when its replacement is lost on the way to the node', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer], { replaceAfterMs: 100 })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const { hash } = await scene.oneWaitingFrom(signer)
  scene.node.faults.set('eth_sendRawTransaction', 'hangs')
  await sendsMore(2)
  await scene.startMining()
  const settlement = await settling
  await scene.expectSettled(settlement, payment)
  expect(transactionOf(settlement)).toBe(hash)
})

test('a settlement whose replacement the gas account cannot pay for is sent again unchanged when the node drops it', async () => {
  const signer = await scene.gasAccount(2n * 165_000n * (await scene.gasPrice()))
  const { settler } = scene.start([signer], { replaceAfterMs: 100 })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const { hash } = await scene.oneWaitingFrom(signer)
  await sendsMore(2)
  expect(await scene.oneWaitingFrom(signer)).toMatchObject({ hash })
  await scene.chain.client.dropTransaction({ hash })
  expect(await scene.oneWaitingFrom(signer)).toMatchObject({ hash })
  await scene.startMining()
  await scene.expectSettled(await settling, payment)
})

test('no settlement is replaced when the ceiling allows no higher offer', async () => {
  const signer = await scene.gasAccount()
  const price = await scene.gasPrice()
  const maxFeePerGas = price + price / 2n
  const { settler } = scene.start([signer], { replaceAfterMs: 100, maxFeePerGas })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const first = await scene.oneWaitingFrom(signer)
  expect(first.maxFeePerGas).toBe(maxFeePerGas)
  await sendsMore(2)
  expect(await scene.waitingFrom(signer)).toEqual([first])
  await scene.startMining()
  await scene.expectSettled(await settling, payment)
})

test('while the chain is stalled, the offer of a stuck settlement grows to ten times at most', async () => {
  const signer = await scene.gasAccount(10n ** 24n)
  const { settler, metric } = scene.start([signer], { replaceAfterMs: 10 })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const first = await scene.oneWaitingFrom(signer)
  await sendsMore(40)
  const [last] = await scene.waitingFrom(signer)
  expect(last?.maxFeePerGas).toBeLessThanOrEqual(10n * first.maxFeePerGas)
  expect(await metric('tollgate_settlement_transactions_replaced_total')).toBeLessThan(25)
  await scene.startMining()
  await scene.expectSettled(await settling, payment)
})

test('a settlement that the node dropped is sent again unchanged, and leaves no gap in the nonces', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  await scene.stopMining()
  const [payment, next] = await Promise.all([sign(), sign()])
  const settling = settle(settler, payment)
  const { hash } = await scene.oneWaitingFrom(signer)
  await scene.chain.client.dropTransaction({ hash })
  const following = settle(settler, next)
  await expect.poll(() => scene.waitingFrom(signer)).toHaveLength(2)
  await scene.startMining()
  await scene.expectSettled(await settling, payment)
  await scene.expectSettled(await following, next)
  expect(transactionOf(await settling)).toBe(hash)
  expect(await scene.countOf(signer)).toBe(2)
})

test('the nonce of a settlement that the node dropped is not given to another settlement', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer])
  await scene.stopMining()
  const [payment, next] = await Promise.all([sign(), sign()])
  const settling = settle(settler, payment)
  const { hash } = await scene.oneWaitingFrom(signer)
  // The node drops the first, does not take it again, and refuses the second once, so that its nonce is asked
  // for anew.
  let refused = 0
  scene.node.meet = async ({ method, params }) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    const { nonce } = parseTransaction(z.tuple([hex]).parse(params)[0])
    if (nonce === 0) return 'refused'
    refused += 1
    return refused === 1 ? 'refused' : undefined
  }
  await scene.chain.client.dropTransaction({ hash })
  const following = settle(settler, next)
  await scene.oneWaitingFrom(signer)
  scene.node.meet = undefined
  await expect.poll(() => scene.waitingFrom(signer)).toHaveLength(2)
  await scene.startMining()
  await scene.expectSettled(await settling, payment)
  await scene.expectSettled(await following, next)
})

test('while a settlement is stuck, its gas account sends no other payment: another account sends them, even if more of its transactions are pending', async () => {
  const signers = [await scene.gasAccount(), await scene.gasAccount()] as const
  const { settler } = scene.start(signers, { replaceAfterMs: 2_000 })
  await scene.stopMining()
  const [stuck, ...next] = await Promise.all([sign(), sign(), sign()])
  const settling = settle(settler, stuck)
  const { hash } = await scene.oneWaitingFrom(signers[0])
  await scene.replacementOf(signers[0], hash)
  const following: Promise<Settlement>[] = []
  for (const [index, payment] of next.entries()) {
    following.push(settle(settler, payment))
    await expect.poll(() => scene.waitingFrom(signers[1])).toHaveLength(index + 1)
  }
  expect(await scene.waitingFrom(signers[0])).toHaveLength(1)
  await scene.startMining()
  await scene.expectSettled(await settling, stuck)
  for (const settlement of await Promise.all(following))
    expect(settlement).toMatchObject({ outcome: 'settled' })
})

test('a payment that waits for the only gas account is unknown and unsent at its timeout; once the stuck settlement is mined, all of them settle', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer], { replaceAfterMs: 300, timeoutMs: 2_000 })
  await scene.stopMining()
  const [stuck, waiting] = await Promise.all([sign(), sign()])
  const answer = settle(settler, stuck)
  const { hash } = await scene.oneWaitingFrom(signer)
  await expect.poll(async () => (await scene.oneWaitingFrom(signer)).hash).not.toBe(hash)
  const unsent = await settle(settler, waiting)
  expect(unsent).toMatchObject({ outcome: 'unknown' })
  expect(unsent).not.toHaveProperty('transaction')
  expect(await answer).toMatchObject({ outcome: 'unknown', transaction: expect.stringMatching(/^0x/) })
  expect(await scene.waitingFrom(signer)).toHaveLength(1)

  await scene.startMining()
  const next = await sign()
  await scene.expectSettled(await settle(settler, next), next)
  expect(await scene.countOf(signer)).toBe(2)
  expect(await stateOf(stuck)).toMatchObject({ kind: 'transferred' })
  expect(await stateOf(waiting)).toMatchObject({ kind: 'unused' })
  await scene.expectSettled(await settleAgain(settler, waiting), waiting)
})

test('a settlement whose nonce another transaction took is unknown, and can be settled again', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer], { replaceAfterMs: 1_000 })
  await scene.stopMining()
  const payment = await sign()
  const settling = settle(settler, payment)
  const { hash, maxFeePerGas } = await scene.oneWaitingFrom(signer)
  const fees = { maxFeePerGas: 5n * maxFeePerGas, maxPriorityFeePerGas: 5n * maxFeePerGas }
  await scene.chain.client.sendRawTransaction({
    serializedTransaction: await signer.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: 0,
      gas: 21_000n,
      to: signer.address,
      ...fees,
    }),
  })
  await scene.startMining()
  expect(await settling).toMatchObject({ outcome: 'unknown', transaction: hash })
  await scene.expectSettled(await settleAgain(settler, payment), payment)
  expect(await scene.countOf(signer)).toBe(2)
})

describe('a nonce that an earlier process used', () => {
  /** Sends an empty transaction with nonce 0 that offers these fees. */
  async function abandon(signer: Signer, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Promise<Hex> {
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    const request = { type: 'eip1559', chainId, nonce: 0, gas: 21_000n, to: signer.address, ...fees } as const
    return scene.chain.client.sendRawTransaction({
      serializedTransaction: await signer.signTransaction(request),
    })
  }

  test.each(['lost by the node', 'priced too low'])(
    'for a transaction %s is filled, so that later settlements are mined',
    async (fate) => {
      const signer = await scene.gasAccount()
      const { client } = scene.chain
      await scene.stopMining()
      const low = 2n * ((await client.getBlock()).baseFeePerGas ?? 0n)
      const abandoned = await abandon(signer, low, 1n)
      const { settler } = scene.start([signer], { replaceAfterMs: 200 })
      const payment = await sign()
      const settling = settle(settler, payment)
      await expect.poll(() => scene.waitingFrom(signer)).toHaveLength(2)
      if (fate === 'lost by the node') await client.dropTransaction({ hash: abandoned })
      else await raiseBaseFee(low + 1n)
      await client.setAutomine(true)
      await scene.expectSettled(await settling, payment)
      expect(await scene.countOf(signer)).toBe(2)
    },
  )

  test('is filled by higher and higher offers until the node drops the earlier transaction', async () => {
    const signer = await scene.gasAccount()
    await scene.stopMining()
    const high = 10n * (await scene.gasPrice())
    const abandoned = await abandon(signer, high, high)
    const { settler } = scene.start([signer], { replaceAfterMs: 50 })
    const payment = await sign()
    const settling = settle(settler, payment)
    await expect
      .poll(async () => (await scene.waitingFrom(signer)).map(({ hash }) => hash))
      .not.toContain(abandoned)
    await scene.startMining()
    await scene.expectSettled(await settling, payment)
  })
})

test('after a reorganization that drops a mined settlement, the gap in the nonces is filled and later settlements are mined', async () => {
  const signer = await scene.gasAccount()
  const { settler } = scene.start([signer], { replaceAfterMs: 200 })
  const { client } = scene.chain
  const before = await client.snapshot()
  const [lost, payment] = await Promise.all([sign(), sign()])
  await scene.expectSettled(await settle(settler, lost), lost)
  await client.revert({ id: before })
  await scene.expectSettled(await settle(settler, payment), payment)
  expect(await scene.countOf(signer)).toBe(2)
})
