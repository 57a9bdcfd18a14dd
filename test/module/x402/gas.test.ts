import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
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

test('payments of an account that ran dry since the last check are settled by the next account', async () => {
  const [drained, funded] = [await scene.gasAccount(), await scene.gasAccount()]
  const { settler } = scene.start([drained, funded])
  await settler.checkReady()
  await scene.chain.client.setBalance({ address: drained.address, value: 0n })

  const settlements = await Promise.all((await signMany(5)).map((payment) => settle(settler, payment)))

  expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(5).fill('settled'))
  expect(await scene.countOf(drained)).toBe(0)
})

test('a payment whose only account ran dry stays open without a transaction, and settles once there is gas', async () => {
  const only = await scene.gasAccount()
  const { settler } = scene.start([only])
  await settler.checkReady()
  await scene.chain.client.setBalance({ address: only.address, value: 0n })
  const payment = await sign()

  const open = await settle(settler, payment)
  await scene.chain.client.setBalance({ address: only.address, value: 10n ** 20n })

  expect(open).toMatchObject({ outcome: 'unknown' })
  expect(open).not.toHaveProperty('transaction')
  await scene.expectSettled(await settleAgain(settler, payment), payment)
})

describe('the warning that an account runs low on gas', () => {
  const warnBelow = 1_000n
  /** Wei for so many payments at the present price. */
  const worth = async (payments: bigint) => payments * 86_000n * (await scene.gasPrice()) + 1n

  test('comes once when it begins and once when it ends, with account, balance and runway', async () => {
    const account = await scene.gasAccount(await worth(2_000n))
    const logged: string[] = []
    const log = createLog('info', { write: (line: string) => void logged.push(line) })
    const { settler, metric } = scene.start([account, await scene.gasAccount()], { warnBelow, log })
    const states = async (payments: bigint) => {
      await scene.chain.client.setBalance({ address: account.address, value: await worth(payments) })
      await settler.checkReady()
      return settler.accounts().map(({ gas }) => gas?.state)
    }

    expect(await states(2_000n)).toEqual(['enough', 'enough'])
    expect(await states(900n)).toEqual(['low', 'enough'])
    expect(await states(1_100n)).toEqual(['low', 'enough'])
    expect(await states(50n)).toEqual(['out', 'enough'])
    expect(await states(900n)).toEqual(['low', 'enough'])
    expect(await states(1_300n)).toEqual(['enough', 'enough'])

    const [low, out, lowAgain, enough, ...others] = logged.map((line) => JSON.parse(line))
    expect(low).toMatchObject({
      level: 40,
      account: account.address,
      balanceEth: expect.stringMatching(/^0\.\d+$/),
      runwayPayments: '900',
      msg: 'a settlement account runs low on gas',
    })
    expect([out.level, lowAgain.level, enough.level, others]).toEqual([50, 40, 30, []])
    const labels = { account: account.address }
    expect(await metric('tollgate_settlement_account_runway_payments', labels)).toBe(1_300)
    expect(await metric('tollgate_settlement_account_balance_wei', labels)).toBeGreaterThan(0)
  })
})

test('while the chain mines no settlement, the facilitator is not ready', async () => {
  const signer = await scene.gasAccount()
  const { settler, facilitator } = scene.start([signer], { timeoutMs: 100 })
  await facilitator.checkReady()
  await scene.stopMining()
  const settling = settle(settler, await sign())
  await expect
    .poll(() => facilitator.checkReady().then(() => 'ready', String), {
      message: 'the facilitator stays ready while nothing is mined',
    })
    .toMatch('settlements wait to be mined')
  await settling
  await scene.startMining()
  await expect
    .poll(() => facilitator.checkReady().then(() => 'ready', String), {
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
