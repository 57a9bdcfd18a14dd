import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAuthorizationState } from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import type { Payment, Requirement } from '../../../src/doors/x402/wire/types.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
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
import { approve, signPermit, signUpto, uptoWallet } from '../../support/chain/upto-authorization.ts'
import { type SignedPayment, signPayment } from '../../support/chain/wallet.ts'

const network = networks['base-sepolia']
const { address: usdc } = network.usdc
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

const received = () =>
  scene.chain.client.readContract({
    address: usdc,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const signOne = () => signUpto(payer, signer.address, maximum)

const stateOf = ({ authorization }: SignedPayment) =>
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

test('an upto payment is settled for half of the signed maximum, by the signed account, in a call to the proxy itself', async () => {
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

test('twenty upto payments at the same time, with exact payments between them, settle each once and for its own amount', async () => {
  const own = await scene.gasAccount()
  const { settler } = scene.start([await scene.gasAccount(), own], { dataSuffix: '0xc0de8021' })
  const before = await received()
  const payments = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => ({
      payment: await signUpto(payer, own.address, maximum),
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

test('copies of an upto payment are settled once, and a request for another amount meanwhile is unknown', async () => {
  const before = await received()
  const sent = await scene.countOf(signer)
  const payment = await signOne()
  const settlements = await Promise.all([
    settle(tested.settler, payment, half),
    settle(tested.settler, payment, half),
    settleAgain(tested.settler, payment, half),
    settle(tested.settler, payment, maximum),
  ])
  expect(settlements.map(({ outcome }) => outcome)).toEqual(['settled', 'settled', 'settled', 'unknown'])
  expect(await settleAgain(tested.settler, payment, half)).toEqual(settlements[0])
  expect(await settleAgain(tested.settler, payment, maximum)).toMatchObject({
    outcome: 'unknown',
    transaction: transactionOf(await settle(tested.settler, payment, half)),
    cause: { message: `the chain shows a transfer of ${half}, but ${maximum} is due` },
  })
  expect((await received()) - before).toBe(half)
  expect((await scene.countOf(signer)) - sent).toBe(1)
})

test('one nonce of a payer counts once with the token and once with Permit2', async () => {
  const before = await received()
  const upto = await signOne()
  const { nonce } = upto.authorization
  const exact = await signPayment(payer, maximum, { nonce })
  const [one, other] = await Promise.all([settle(tested.settler, upto, half), settle(tested.settler, exact)])
  await scene.expectSettled(one, upto, half)
  await scene.expectSettled(other, exact)
  expect((await received()) - before).toBe(half + maximum)
})

test('an amount above the signed maximum is not sent, and an upto payment that names an account that is not ours is neither accepted nor settled', async () => {
  const sent = scene.node.count('eth_sendRawTransaction')
  expect(await settle(tested.settler, await signOne(), maximum + 1n)).toMatchObject({
    outcome: 'failed',
    refusal: { reason: 'invalid_upto_evm_payload_settlement_exceeds_amount' },
  })
  const foreign = await signUpto(payer, bystander, maximum)
  expect(await verify(foreign)).toMatchObject(refusedFor('upto_facilitator_mismatch'))
  expect(await settle(tested.settler, foreign, half)).toMatchObject({ outcome: 'unknown' })
  expect(scene.node.count('eth_sendRawTransaction')).toBe(sent)
})

test('the upto address is the first account that has gas, and a payment that names another account of ours is settled by that one', async () => {
  const [dry, rich] = [await scene.gasAccount(5n * 10n ** 15n), await scene.gasAccount()]
  const both = scene.start([dry, rich])
  expect(both.facilitator.uptoAddress()).toBe(dry.address)
  await both.facilitator.checkReady()
  expect(both.facilitator.uptoAddress()).toBe(rich.address)
  const payment = await signUpto(payer, dry.address, maximum)
  expect(await verify(payment, both)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(both.settler, payment, half), payment, half)
  expect([await scene.countOf(dry), await scene.countOf(rich)]).toEqual([1, 0])
})

test('a payer without an approval of Permit2 is refused; with an EIP-2612 permit the payment settles', async () => {
  const wallet = await uptoWallet(scene.chain, maximum, 0n)
  const payment = await signUpto(wallet, signer.address, maximum)
  expect(await verify(payment)).toMatchObject(refusedFor('permit2_allowance_required'))

  const permit = await signPermit(scene.chain, wallet, payment)
  expect(await verify({ ...payment, permit })).toMatchObject({ isValid: true, funds: { balance: maximum } })
  const stale = { ...permit, deadline: permit.deadline + 1n }
  expect(await verify({ ...payment, permit: stale })).toMatchObject(refusedFor('permit2_simulation_failed'))
  const settlement = await tested.settler.settle({ ...payment, permit }, half, 'first')
  await scene.expectSettled(settlement, payment, half)
  expect(await stateOf(payment)).toMatchObject({ kind: 'transferred', amount: half })
})

test('a payer’s funds count only as far as Permit2 may move them', async () => {
  const wallet = await uptoWallet(scene.chain, 5n * maximum, 2n * maximum)
  const payment = await signUpto(wallet, signer.address, maximum)
  expect(await verify(payment)).toMatchObject({ isValid: true, funds: { balance: 2n * maximum } })
  const poor = await signUpto(wallet, signer.address, 6n * maximum)
  expect(await verify(poor)).toMatchObject(refusedFor('insufficient_funds'))
})

test('a signature by another account, of the wrong form, or for another amount is refused', async () => {
  const payment = await signOne()
  const { authorization, signature } = payment
  const foreign = await signUpto(await uptoWallet(scene.chain, maximum), signer.address, maximum, {
    ...authorization,
  })
  expect(await verify(foreign)).toMatchObject(refusedFor('invalid_permit2_signature'))
  expect(await verify({ authorization, signature: '0x1234' })).toMatchObject(
    refusedFor('invalid_permit2_signature'),
  )
  const more = { ...authorization, value: maximum + 1n }
  expect(await verify({ authorization: more, signature })).toMatchObject(
    refusedFor('invalid_permit2_signature'),
  )
  // v of 0 or 1 instead of 27 or 28, for which Permit2 would find no signer.
  const low = signature.endsWith('1b') ? '00' : '01'
  const short = { authorization, signature: `${signature.slice(0, -2)}${low}` as const }
  const bare = { ...short, signature: `0x${short.signature.slice(2)}` as const }
  expect(await verify(bare)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(tested.settler, bare, half), payment, half)
})

test('a payment whose payer revokes the approval before settlement fails', async () => {
  const wallet = await uptoWallet(scene.chain, maximum)
  const payment = await signUpto(wallet, signer.address, maximum)
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
