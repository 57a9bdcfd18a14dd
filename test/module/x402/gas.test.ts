import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type SettlementScene,
  settle,
  settleAgain,
  sign,
  startSettlementScene,
  transactionOf,
} from '../../support/chain/settlement.ts'

/** The gas of settlements: its price, its ceiling, and the accounts that pay for it. */

let scene: SettlementScene

beforeAll(async () => {
  scene = await startSettlementScene()
})
afterEach(() => scene.tidy())
afterAll(() => scene.close())

const signMany = (count: number) => Promise.all(Array.from({ length: count }, sign))

test('above the gas price ceiling no settlement is sent and the facilitator is not ready; below it the same payment settles', async () => {
  const { client } = scene.chain
  const { baseFeePerGas } = await client.getBlock()
  const maxFeePerGas = 10n * (await scene.gasPrice())
  const { settler, facilitator } = scene.start([await scene.gasAccount()], { maxFeePerGas })
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 2n * maxFeePerGas })
  await client.mine({ blocks: 1 })
  const sent = scene.node.count('eth_sendRawTransaction')
  const payment = await sign()
  await expect(facilitator.checkReady()).rejects.toThrow('the gas price is above the ceiling')
  expect(await settle(settler, payment)).toMatchObject({
    outcome: 'unknown',
    cause: { message: 'the gas price is above the ceiling' },
  })
  expect(scene.node.count('eth_sendRawTransaction')).toBe(sent)

  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 0n })
  await client.mine({ blocks: 1 })
  await expect
    .poll(() => facilitator.checkReady().then(() => 'ready'), {
      timeout: 10_000,
      message: 'the facilitator is not ready below the ceiling',
    })
    .toBe('ready')
  await scene.expectSettled(await settleAgain(settler, payment), payment)
})

test('a gas account that cannot pay for a full batch sends nothing while another can; when none can, the facilitator is not ready', async () => {
  const poor = await scene.gasAccount(1n)
  const rich = await scene.gasAccount()
  const both = scene.start([poor, rich])
  await both.facilitator.checkReady()
  const settlements = await Promise.all((await signMany(5)).map((payment) => settle(both.settler, payment)))
  expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(5).fill('settled'))
  expect(await scene.countOf(poor)).toBe(0)

  const only = scene.start([poor])
  await expect(only.facilitator.checkReady()).rejects.toThrow('the settlement account is out of gas')
})

test('while the chain mines no settlement, the facilitator is not ready', async () => {
  const signer = await scene.gasAccount()
  const { settler, facilitator } = scene.start([signer], { timeoutMs: 100 })
  await facilitator.checkReady()
  await scene.stopMining()
  const settling = settle(settler, await sign())
  await expect
    .poll(() => facilitator.checkReady().then(() => 'ready', String), {
      timeout: 10_000,
      message: 'the facilitator stays ready while nothing is mined',
    })
    .toMatch('settlements wait to be mined')
  await settling
  await scene.startMining()
  await expect
    .poll(() => facilitator.checkReady().then(() => 'ready', String), {
      timeout: 10_000,
      message: 'the facilitator is not ready although the chain mines again',
    })
    .toBe('ready')
})

test('the runway is how many more payments the gas accounts can pay for', async () => {
  const signers = [await scene.gasAccount(10n ** 17n), await scene.gasAccount(10n ** 17n)]
  const { settler, metric } = scene.start(signers)
  await settler.checkReady()
  const runway = await settler.runway()
  expect(await metric('tollgate_settlement_runway_payments')).toBe(Number(runway))

  const payment = await sign()
  const { gasUsed, effectiveGasPrice } = await scene.chain.client.getTransactionReceipt({
    hash: transactionOf(await settle(settler, payment)),
  })
  const payable = (2n * 10n ** 17n) / (gasUsed * effectiveGasPrice)
  expect(runway).toBeLessThanOrEqual(payable)
  expect(runway).toBeGreaterThan(payable / 2n)
})
