import { encodeFunctionData, multicall3Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  findAuthorizationState,
  provesPayment,
} from '../../../src/doors/x402/evidence/authorization-state.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { settlementCall } from '../../../src/doors/x402/settler/settlement-call.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import {
  type SettlementScene,
  settle,
  settleAgain,
  startSettlementScene,
  type TestSettler,
  transactionOf,
} from '../../support/chain/settlement.ts'
import { cancelUpto, signUpto, spendNonce, uptoWallet } from '../../support/chain/upto-authorization.ts'
import type { SignedPayment } from '../../support/chain/wallet.ts'

/** What the chain shows about upto payments: which were settled, which were canceled, and what proves it. */

const { address: usdc } = networks['base-sepolia'].usdc
const payer = privateKeyToAccount(devPayers[0].privateKey)
const bystander = devPayers[5].address
const maximum = 100_000n
const half = maximum / 2n

let scene: SettlementScene
let signer: Signer
let tested: TestSettler

beforeAll(async () => {
  scene = await startSettlementScene()
  signer = await scene.gasAccount()
})
beforeEach(() => {
  tested = scene.start([signer])
})
afterEach(() => scene.tidy())
afterAll(() => scene.close())

const signOne = () => signUpto(payer, signer.address, maximum)

const stateOf = ({ authorization }: SignedPayment) =>
  findAuthorizationState(scene.chain.client, usdc, authorization)

test('a payment whose payer cancels, or uses the nonce otherwise, before settlement fails', async () => {
  const wallet = await uptoWallet(scene.chain, 5n * maximum)
  const [canceled, spent, paidPast] = await Promise.all(
    [1, 2, 3].map(() => signUpto(wallet, signer.address, maximum)),
  )
  if (!canceled || !spent || !paidPast) throw new Error('not signed')
  await cancelUpto(scene.chain, wallet, canceled)
  await spendNonce(scene.chain, wallet, spent, bystander, 0n)
  await scene.chain.client.mine({ blocks: 9 })
  // A transfer to us that did not go through the proxy, so it was not signed for this payment.
  await spendNonce(scene.chain, wallet, paidPast, devPayTo.address, half)
  await scene.chain.client.mine({ blocks: 3 })
  for (const payment of [canceled, spent, paidPast]) {
    expect(await settle(tested.settler, payment, half)).toMatchObject({
      outcome: 'failed',
      refusal: { reason: 'invalid_transaction_state' },
    })
    expect(await stateOf(payment)).toEqual({ kind: 'canceled' })
  }
})

test('a payment that is canceled after its settlement counts as transferred', async () => {
  const wallet = await uptoWallet(scene.chain, maximum)
  const payment = await signUpto(wallet, signer.address, maximum)
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  await cancelUpto(scene.chain, wallet, payment)
  expect(await stateOf(payment)).toMatchObject({ kind: 'transferred', transaction, amount: half })
  await scene.chain.client.mine({ blocks: 30 })
  const searched = await findAuthorizationState(scene.chain.client, usdc, payment.authorization, {
    blocksAtOnce: 10n,
  })
  expect(searched).toMatchObject({ kind: 'transferred', transaction })
})

test('a settled payment does not count as canceled when the node shows no events', async () => {
  const payment = await signOne()
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  scene.node.faults.set('eth_getLogs', 'sees nothing')
  expect(await settleAgain(tested.settler, payment, half)).toMatchObject({ outcome: 'settled', transaction })
})

test('an old settlement does not prove a new payment of the same payer and amount, and calldata alone proves none', async () => {
  const { client } = scene.chain
  const [old, next] = [await signOne(), await signOne()]
  const settlement = await settle(tested.settler, old, half)
  const receipt = await client.getTransactionReceipt({ hash: transactionOf(settlement) })
  expect(await provesPayment(client, receipt, usdc, old.authorization, half)).toBe(true)
  expect(await provesPayment(client, receipt, usdc, old.authorization, maximum)).toBe(false)
  expect(await provesPayment(client, receipt, usdc, next.authorization, half)).toBe(false)

  // Here the payer signed Multicall3 as facilitator, so that a contract passes the call on to the proxy.
  const passed = await signUpto(payer, multicall3Address, maximum)
  const { to: target, data: callData } = settlementCall({ ...passed, amount: half }, usdc)
  const { data: idle } = settlementCall({ ...next, amount: half }, usdc)
  const transactionWith = async (calls: { allowFailure: boolean; callData: `0x${string}` }[]) => {
    const args = [calls.map((one) => ({ target, ...one }))] as const
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args })
    const hash = await client.sendTransaction({ account: bystander, to: multicall3Address, data })
    return client.waitForTransactionReceipt({ hash })
  }
  const bearing = await transactionWith([{ allowFailure: false, callData }])
  expect(await provesPayment(client, bearing, usdc, passed.authorization, half)).toBe(true)
  expect(await stateOf(passed)).toMatchObject({ kind: 'transferred', amount: half })

  const other = await signUpto(payer, multicall3Address, maximum)
  const mixed = await transactionWith([
    { allowFailure: true, callData: idle },
    { allowFailure: false, callData: settlementCall({ ...other, amount: half }, usdc).data },
  ])
  expect(await provesPayment(client, mixed, usdc, next.authorization, half)).toBe(false)
})
