import { encodeFunctionData, multicall3Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  findAuthorizationState,
  provesPayment,
} from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { settlementCall } from '../../../src/doors/x402/settler/settlement-call.ts'
import type { Payment, Requirement } from '../../../src/doors/x402/wire/types.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import { uptoProxyAddress } from '../../../src/platform/chain/permit2.ts'
import {
  type SettlementScene,
  settle,
  settleAgain,
  sign,
  startSettlementScene,
  type TestSettler,
  transactionOf,
} from '../../support/chain/settlement.ts'
import {
  approve,
  cancelUpto,
  signPermit,
  signUpto,
  spendNonce,
  uptoWallet,
} from '../../support/chain/upto-authorization.ts'
import { type SignedPayment, signPayment } from '../../support/chain/wallet.ts'

const network = networks['base-sepolia']
const { address: usdc } = network.usdc
const payer = privateKeyToAccount(devPayers[0].privateKey)
const bystander = devPayers[5].address
const most = 100_000n
const half = most / 2n

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

const received = () =>
  scene.chain.client.readContract({
    address: usdc,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const signOne = () => signUpto(payer, signer.address, most)

const evidenceOf = ({ authorization }: SignedPayment) =>
  findAuthorizationState(scene.chain.client, usdc, authorization)

function verify(payment: SignedPayment & Pick<Payment, 'permit'>, by: TestSettler = tested) {
  const requirement: Requirement = {
    scheme: 'upto',
    network: network.caip2,
    amount: payment.authorization.value.toString(),
    asset: usdc,
    payTo: payment.authorization.to,
    maxTimeoutSeconds: 300,
    extra: { name: network.usdc.name, version: network.usdc.version },
  }
  const accepted = { version: 2, ...requirement } as const
  return by.facilitator.verify({ version: 2, accepted, identifier: undefined, ...payment }, requirement)
}

const refusedFor = (reason: string) => ({ isValid: false, refusal: { reason } })

test('a payment is settled for half of what was signed, by the account that was signed, straight to the proxy', async () => {
  const before = await received()
  const payment = await signOne()
  expect(await verify(payment)).toMatchObject({ isValid: true })
  const settlement = await settle(tested.settler, payment, half)
  await scene.expectSettled(settlement, payment, half)
  expect((await received()) - before).toBe(half)
  const { from, to } = await scene.chain.client.getTransaction({ hash: transactionOf(settlement) })
  expect([from, to]).toEqual([signer.address.toLowerCase(), uptoProxyAddress.toLowerCase()])
  expect(await verify(payment)).toMatchObject(refusedFor('permit2_invalid_nonce'))
})

test('twenty payments at once, with payments of other kinds between them, settle each once and for its own amount', async () => {
  const own = await scene.gasAccount()
  const { settler } = scene.start([await scene.gasAccount(), own], { dataSuffix: '0xc0de8021' })
  const before = await received()
  const payments = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => ({
      payment: await signUpto(payer, own.address, most),
      amount: BigInt(index + 1),
    })),
  )
  const others = await Promise.all([sign(), sign(), sign()])
  const settling = payments.map(({ payment, amount }) => settle(settler, payment, amount))
  const mixed = others.map((payment) => settle(settler, payment))
  for (const [index, settlement] of (await Promise.all(settling)).entries()) {
    const { payment, amount } = payments[index] ?? {}
    if (payment) await scene.expectSettled(settlement, payment, amount)
  }
  expect((await Promise.all(mixed)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('settled'))
  const values = others.map(({ authorization }) => authorization.value)
  expect((await received()) - before).toBe(values.reduce((sum, value) => sum + value, 210n))
  expect(await scene.countOf(own)).toBeGreaterThanOrEqual(20)
})

test('copies of a payment are settled once; asked for another amount meanwhile, it is not said to be settled', async () => {
  const before = await received()
  const sent = await scene.countOf(signer)
  const payment = await signOne()
  const settlements = await Promise.all([
    settle(tested.settler, payment, half),
    settle(tested.settler, payment, half),
    settleAgain(tested.settler, payment, half),
    settle(tested.settler, payment, most),
  ])
  expect(settlements.map(({ outcome }) => outcome)).toEqual(['settled', 'settled', 'settled', 'unknown'])
  expect(await settleAgain(tested.settler, payment, half)).toEqual(settlements[0])
  expect(await settleAgain(tested.settler, payment, most)).toMatchObject({
    outcome: 'unknown',
    transaction: transactionOf(await settle(tested.settler, payment, half)),
    cause: { message: `the chain shows a transfer of ${half}, and ${most} is due` },
  })
  expect((await received()) - before).toBe(half)
  expect((await scene.countOf(signer)) - sent).toBe(1)
})

test('the same nonce of the same payer counts once with the token and once with Permit2', async () => {
  const before = await received()
  const upto = await signOne()
  const { nonce } = upto.authorization
  const exact = await signPayment(payer, most, { nonce })
  const [one, other] = await Promise.all([settle(tested.settler, upto, half), settle(tested.settler, exact)])
  await scene.expectSettled(one, upto, half)
  await scene.expectSettled(other, exact)
  expect((await received()) - before).toBe(half + most)
})

test('above what was signed nothing is sent, and a payment that names nobody of us is neither taken nor settled', async () => {
  const sent = scene.node.count('eth_sendRawTransaction')
  expect(await settle(tested.settler, await signOne(), most + 1n)).toMatchObject({
    outcome: 'failed',
    refusal: { reason: 'invalid_upto_evm_payload_settlement_exceeds_amount' },
  })
  const foreign = await signUpto(payer, bystander, most)
  expect(await verify(foreign)).toMatchObject(refusedFor('upto_facilitator_mismatch'))
  expect(await settle(tested.settler, foreign, half)).toMatchObject({ outcome: 'unknown' })
  expect(scene.node.count('eth_sendRawTransaction')).toBe(sent)
})

test('payers are told the first account that has gas, and what names another account of ours is settled by that one', async () => {
  const [dry, rich] = [await scene.gasAccount(5n * 10n ** 15n), await scene.gasAccount()]
  const both = scene.start([dry, rich])
  expect(both.facilitator.uptoAddress()).toBe(dry.address)
  await both.facilitator.checkReady()
  expect(both.facilitator.uptoAddress()).toBe(rich.address)
  const payment = await signUpto(payer, dry.address, most)
  expect(await verify(payment, both)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(both.settler, payment, half), payment, half)
  expect([await scene.countOf(dry), await scene.countOf(rich)]).toEqual([1, 0])
})

test('a payer without an approval is refused and told how to approve; a permit that comes along will do', async () => {
  const wallet = await uptoWallet(scene.chain, most, 0n)
  const payment = await signUpto(wallet, signer.address, most)
  expect(await verify(payment)).toMatchObject(refusedFor('permit2_allowance_required'))

  const permit = await signPermit(scene.chain, wallet, payment)
  expect(await verify({ ...payment, permit })).toMatchObject({ isValid: true, funds: { balance: most } })
  const stale = { ...permit, deadline: permit.deadline + 1n }
  expect(await verify({ ...payment, permit: stale })).toMatchObject(refusedFor('permit2_simulation_failed'))
  const settlement = await tested.settler.settle({ ...payment, permit }, half, 'first')
  await scene.expectSettled(settlement, payment, half)
  expect(await evidenceOf(payment)).toMatchObject({ kind: 'transferred', amount: half })
})

test('what a payer holds counts only as far as Permit2 may move it', async () => {
  const wallet = await uptoWallet(scene.chain, 5n * most, 2n * most)
  const payment = await signUpto(wallet, signer.address, most)
  expect(await verify(payment)).toMatchObject({ isValid: true, funds: { balance: 2n * most } })
  const poor = await signUpto(wallet, signer.address, 6n * most)
  expect(await verify(poor)).toMatchObject(refusedFor('insufficient_funds'))
})

test('a signature of somebody else, of the wrong form, or for another amount is refused', async () => {
  const payment = await signOne()
  const { authorization, signature } = payment
  const stranger = await signUpto(await uptoWallet(scene.chain, most), signer.address, most, {
    ...authorization,
  })
  expect(await verify(stranger)).toMatchObject(refusedFor('invalid_permit2_signature'))
  expect(await verify({ authorization, signature: '0x1234' })).toMatchObject(
    refusedFor('invalid_permit2_signature'),
  )
  const more = { ...authorization, value: most + 1n }
  expect(await verify({ authorization: more, signature })).toMatchObject(
    refusedFor('invalid_permit2_signature'),
  )
  // v of 0 or 1 instead of 27 or 28: Permit2 would take it for nobody's.
  const low = signature.endsWith('1b') ? '00' : '01'
  const short = { authorization, signature: `${signature.slice(0, -2)}${low}` as const }
  const bare = { ...short, signature: `0x${short.signature.slice(2)}` as const }
  expect(await verify(bare)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(tested.settler, bare, half), payment, half)
})

test('a payer who cancels, or uses the nonce up otherwise, before the money has moved gets a failed settlement', async () => {
  const wallet = await uptoWallet(scene.chain, 5n * most)
  const [cancelled, spent, paidPast] = await Promise.all(
    [1, 2, 3].map(() => signUpto(wallet, signer.address, most)),
  )
  if (!cancelled || !spent || !paidPast) throw new Error('not signed')
  await cancelUpto(scene.chain, wallet, cancelled)
  await spendNonce(scene.chain, wallet, spent, bystander, 0n)
  await scene.chain.client.mine({ blocks: 9 })
  // To us, but past the proxy: money that nobody signed for this payment.
  await spendNonce(scene.chain, wallet, paidPast, devPayTo.address, half)
  await scene.chain.client.mine({ blocks: 3 })
  for (const payment of [cancelled, spent, paidPast]) {
    expect(await settle(tested.settler, payment, half)).toMatchObject({
      outcome: 'failed',
      refusal: { reason: 'invalid_transaction_state' },
    })
    expect(await evidenceOf(payment)).toEqual({ kind: 'canceled' })
  }
})

test('a payer who cancels what was settled has paid: the transfer counts', async () => {
  const wallet = await uptoWallet(scene.chain, most)
  const payment = await signUpto(wallet, signer.address, most)
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  await cancelUpto(scene.chain, wallet, payment)
  expect(await evidenceOf(payment)).toMatchObject({ kind: 'transferred', transaction, amount: half })
  await scene.chain.client.mine({ blocks: 30 })
  const searched = await findAuthorizationState(scene.chain.client, usdc, payment.authorization, 10n)
  expect(searched).toMatchObject({ kind: 'transferred', transaction })
})

test('a node that shows no events makes nobody’s settlement a cancelled one', async () => {
  const payment = await signOne()
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  scene.node.faults.set('eth_getLogs', 'sees nothing')
  expect(await settleAgain(tested.settler, payment, half)).toMatchObject({ outcome: 'settled', transaction })
})

test('a payer who takes the approval back before the settlement leaves gets a failed settlement', async () => {
  const wallet = await uptoWallet(scene.chain, most)
  const payment = await signUpto(wallet, signer.address, most)
  const held = scene.node.hold('eth_sendRawTransaction')
  const settling = settle(tested.settler, payment, half)
  await held.reached
  await approve(scene.chain, wallet, 0n)
  held.release()
  expect(await settling).toMatchObject({
    outcome: 'failed',
    refusal: { message: expect.stringContaining('allowance') },
  })
})

test('an old settlement proves no new payment of the same payer and amount, and calldata alone proves none', async () => {
  const { client } = scene.chain
  const [old, next] = [await signOne(), await signOne()]
  const settlement = await settle(tested.settler, old, half)
  const receipt = await client.getTransactionReceipt({ hash: transactionOf(settlement) })
  expect(await provesPayment(client, receipt, usdc, old.authorization, half)).toBe(true)
  expect(await provesPayment(client, receipt, usdc, old.authorization, most)).toBe(false)
  expect(await provesPayment(client, receipt, usdc, next.authorization, half)).toBe(false)

  // Multicall3 is nobody's facilitator but that of whoever signs it: what it passes on is told from what it does not.
  const passed = await signUpto(payer, multicall3Address, most)
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
  expect(await evidenceOf(passed)).toMatchObject({ kind: 'transferred', amount: half })

  const other = await signUpto(payer, multicall3Address, most)
  const mixed = await transactionWith([
    { allowFailure: true, callData: idle },
    { allowFailure: false, callData: settlementCall({ ...other, amount: half }, usdc).data },
  ])
  expect(await provesPayment(client, mixed, usdc, next.authorization, half)).toBe(false)
})
