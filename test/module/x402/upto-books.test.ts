import type { Hex, LocalAccount, PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { findPayment } from '../../../src/doors/ledger/find-payment.ts'
import { markServed } from '../../../src/doors/ledger/grouped-moves.ts'
import { type Held, markFailed } from '../../../src/doors/ledger/payments.ts'
import { RunningStreams } from '../../../src/doors/x402/door/admissions/running-streams.ts'
import { type Adoptions, createAdoptions } from '../../../src/doors/x402/recovery/adopt.ts'
import { collectFailed } from '../../../src/doors/x402/recovery/collect.ts'
import { createFinality, type Finality } from '../../../src/doors/x402/recovery/finality.ts'
import { createReconciliation, type Reconciliation } from '../../../src/doors/x402/recovery/reconcile.ts'
import { createRecovery, type Recovery } from '../../../src/doors/x402/recovery/recovery.ts'
import { createRefunds, type Refunds } from '../../../src/doors/x402/recovery/refund.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { paymentId } from '../../../src/doors/x402/wire/requirements.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { permit2Address } from '../../../src/platform/chain/permit2.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import { type Database, openPostgres } from '../../../src/platform/store/database.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import {
  type SettlementScene,
  settle,
  startSettlementScene,
  type TestSettler,
  transactionOf,
} from '../../support/chain/settlement.ts'
import {
  approve,
  cancelUpto,
  signUpto,
  spendNonce,
  uptoWallet,
} from '../../support/chain/upto-authorization.ts'
import { freshWallet, type SignedPayment, signPayment } from '../../support/chain/wallet.ts'
import { freshDatabase } from '../../support/stores/database.ts'
import { leaseMs, limits, newPayment } from '../../support/stores/ledger.ts'

const network = networks['base-sepolia']
const { address: usdc } = network.usdc
const payer = privateKeyToAccount(devPayers[0].privateKey)
const maximum = 100_000n
const half = maximum / 2n
const log = createLog('silent')

let scene: SettlementScene
let signer: Signer
let tested: TestSettler
let store: Database
let books: Books
let payee: ReceivingAccount
let recovery: Recovery
let finality: Finality
let reconciliation: Reconciliation
let refunds: Refunds
let adoptions: Adoptions
let client: PublicClient
/** How far the clock of the books is ahead. */
let aheadMs = 0

beforeAll(async () => {
  scene = await startSettlementScene()
  signer = await scene.gasAccount()
  tested = scene.start([signer])
  store = await openPostgres(await freshDatabase(), log)
  books = { queries: store.queries, clock: { now: () => Date.now() + aheadMs } }
  payee = createReceivingAccount(scene.chain, freshWallet().address)
  const account = freshWallet()
  await scene.chain.mint(account.address, 10n * maximum)
  client = createChainClient({ network, rpcUrl: scene.node.url, timeoutMs: 2_000 })
  const { facilitator } = tested
  refunds = createRefunds({ books, client, network, facilitator, account, leaseMs, log })
  recovery = createRecovery({ books, client, network, facilitator, refunds, leaseMs, log })
  finality = createFinality({ books, client, network, log })
  const offer = { network, payTo: payee.address }
  reconciliation = createReconciliation({ books, client, offer, finality, recovery, log })
  adoptions = createAdoptions({ books, client, network, reconciliation, refunds, log })
  await reconciliation.advance()
})
afterEach(async () => {
  scene.node.faults.clear()
  aheadMs = 0
})
afterAll(async () => {
  await scene.tidy()
  await store.close()
  await scene.close()
})

const signOne = (account: LocalAccount = payer) =>
  signUpto(account, signer.address, maximum, { to: payee.address })

const idOf = ({ authorization: { from, nonce, facilitator } }: SignedPayment) =>
  paymentId(network.chainId, usdc, from, nonce, facilitator && permit2Address)

/** Writes a payment into the ledger whose call was served for this amount, by a process that is gone. */
async function serve(
  { authorization, signature }: SignedPayment,
  amount: bigint,
  reply: Reply = { status: 200, headers: {}, body: Buffer.from('served') },
): Promise<Held> {
  const { facilitator, from, to, value, validAfter, validBefore, nonce } = authorization
  const wanted = newPayment({
    id: idOf({ authorization, signature }),
    chainId: network.chainId,
    asset: usdc.toLowerCase(),
    payer: from.toLowerCase(),
    nonce,
    payTo: to.toLowerCase(),
    amount: value,
    scheme: facilitator ? 'upto' : 'exact',
    authorized: value,
    facilitator: facilitator?.toLowerCase() ?? null,
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    signature,
    timing: facilitator ? 'metered' : 'after',
  })
  // The tests share a payer: what one leaves unpaid is nothing to the next.
  await store.queries.deleteFrom('payers').execute()
  const claimed = await claim(books, wanted, limits)
  if (claimed.kind !== 'claimed') throw new Error(`the payment is ${claimed.kind}`)
  expect(await markServed(books, claimed.held, reply, -1_000, amount)).toBe(true)
  return claimed.held
}

const rowOf = (payment: SignedPayment) => findPayment(books, idOf(payment))

/** Lets all blocks so far become final, and compares ledger and chain. */
async function reconcile() {
  await payee.mine(2)
  return reconciliation.reconcile(undefined)
}

async function expectClosed(): Promise<void> {
  const report = await reconcile()
  expect(report).toMatchObject({ difference: 0n, missing: [], unmatched: [] })
  expect(report.chain.amount).toBe(await payee.balanceOf(payee.address))
}

test('the recovery finds the transfer of a gateway that was killed right after its broadcast, and sends nothing again', async () => {
  const payment = await signOne()
  await serve(payment, half)
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  const sent = scene.node.count('eth_sendRawTransaction')
  await recovery.sweep()
  expect(await rowOf(payment)).toMatchObject({
    state: 'settled',
    transaction,
    amount: half,
    authorized: maximum,
  })
  expect(scene.node.count('eth_sendRawTransaction')).toBe(sent)
  await expectClosed()
})

test('the recovery settles the payment of a gateway that was killed before its broadcast, for the final amount', async () => {
  const before = await payee.balanceOf(payee.address)
  const payment = await signOne()
  await serve(payment, half)
  await recovery.sweep()
  expect(await rowOf(payment)).toMatchObject({ state: 'settled', amount: half })
  expect((await payee.balanceOf(payee.address)) - before).toBe(half)
  await expectClosed()
  expect(await rowOf(payment)).toMatchObject({ state: 'final' })
})

test('a served payment whose payer canceled it, or used its nonce otherwise, has failed', async () => {
  const wallet = await uptoWallet(scene.chain, 2n * maximum)
  const [canceled, spent] = [await signOne(wallet), await signOne(wallet)]
  await serve(canceled, half)
  await serve(spent, half)
  await cancelUpto(scene.chain, wallet, canceled)
  await spendNonce(scene.chain, wallet, spent, wallet.address, 1n)
  await recovery.sweep()
  for (const payment of [canceled, spent]) {
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', failure: 'invalid_transaction_state' })
  }
})

test('equal payments of both schemes with the same nonce are told apart, and the ledger agrees with the chain', async () => {
  const upto = await signUpto(payer, signer.address, maximum, { to: payee.address })
  const { nonce } = upto.authorization
  const exact = await signPayment(payer, half, { to: payee.address, nonce })
  const more = await Promise.all([signOne(), signOne(), signPayment(payer, half, { to: payee.address })])
  for (const payment of [upto, exact, ...more]) await serve(payment, half)
  await recovery.sweep()
  const rows = await Promise.all([upto, exact, ...more].map(rowOf))
  expect(rows.map((row) => row?.state)).toEqual(Array(5).fill('settled'))
  expect(rows[0]?.transaction).not.toBe(rows[1]?.transaction)
  await expectClosed()
})

test('a failed payment whose transfer arrives late for the same amount counts as paid, and can be refunded', async () => {
  const payment = await signOne()
  await serve(payment, half)
  const { queries } = books
  await queries.updateTable('payments').set({ state: 'failed' }).where('id', '=', idOf(payment)).execute()
  const transaction = transactionOf(await settle(tested.settler, payment, half))
  await expectClosed()
  expect(await rowOf(payment)).toMatchObject({ state: 'paid', transaction })

  expect(await refunds.refund(idOf(payment), { beforeFinal: true })).toMatchObject({ state: 'refunded' })
  const [refund] = await payee.transfers(await refundAccount(idOf(payment)), payer.address)
  expect(refund).toMatchObject({ value: half })
})

const refundAccount = async (id: string) => {
  const from = (await findPayment(books, id))?.refundFrom
  if (!from) throw new Error('the payment was not refunded')
  return `0x${from.slice(2)}` as const
}

/** From here on the chain shows more than the ledger. */
test('a transfer of another amount than is due never counts as settled; a transfer without a call is unmatched, with its nonce', async () => {
  const payment = await signOne()
  await serve(payment, half)
  const transaction = transactionOf(await settle(tested.settler, payment, maximum))
  await recovery.sweep()
  const row = await rowOf(payment)
  expect(row).toMatchObject({ state: 'settling', amount: half, blockNumber: null })
  const becomes = (state: 'failed' | 'settling') =>
    books.queries
      .updateTable('payments')
      .set({ state })
      .where('id', '=', row?.id ?? '')
      .execute()
  await becomes('failed')
  expect(row && (await recovery.findArrival(row, true))).toBe(false)
  await becomes('settling')

  const unknown = await signOne()
  const other = transactionOf(await settle(tested.settler, unknown, 7n))
  const wallet = await uptoWallet(scene.chain, maximum)
  const plain = await payee.send(wallet, payee.address, 9n)
  const { unmatched, difference, missing } = await reconcile()
  expect(unmatched).toMatchObject([
    { transaction, amount: maximum, nonce: payment.authorization.nonce },
    { transaction: other, amount: 7n, nonce: unknown.authorization.nonce },
    { transaction: plain, amount: 9n, nonce: undefined },
  ])
  expect([difference, missing]).toEqual([maximum + 16n, []])

  // The amount of an `upto` payment is known only once its call was served, so nothing is owed for it.
  await payee.mine(2)
  expect(await adoptions.adopt(other, {})).toMatchObject([{ outcome: 'adopted', paymentId: idOf(unknown) }])
  const { facilitator, validAfter, validBefore } = unknown.authorization
  expect(await rowOf(unknown)).toMatchObject({
    state: 'final',
    scheme: 'upto',
    amount: 7n,
    authorized: maximum,
    facilitator: facilitator?.toLowerCase(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    signature: unknown.signature,
    timing: 'metered',
  })
  const problemOf = async (hash: Hex) =>
    adoptions.adopt(hash, {}).then(
      () => 'adopted',
      (error: unknown) => error instanceof GatewayError && error.details.problem,
    )
  expect(await problemOf(transaction)).toMatch(/the books have payment 0x\w{64} with another/)
  expect(await problemOf(plain)).toMatch(/does not show that it carried out a payment/)
  // Both can still go back, the first one beside the payment that it should have settled.
  for (const hash of [transaction, plain]) {
    expect(await adoptions.refund(hash, {}, undefined)).toMatchObject({ state: 'refunded' })
  }
  expect((await reconcile()).closes).toBe(true)
})

/** This test comes last, because it moves the chain's clock. */
const pass = (ms: number) => {
  aheadMs += ms
}

/** Moves this amount to an account of no one here. */
const moveAway = async (wallet: LocalAccount, amount: bigint) =>
  payee.submit(await signPayment(wallet, amount, { to: freshWallet().address }))

describe('a metered reply whose payer has moved the money away', () => {
  const streamed: Reply = { status: 200, headers: {}, body: new Uint8Array(), stream: async function* () {} }
  const collect = () => collectFailed({ books, client, network, recovery, log })

  /** A payment of a wallet that was empty when it was to be charged. */
  async function unpaid(reply?: Reply) {
    const wallet = await uptoWallet(scene.chain, maximum)
    const payment = await signOne(wallet)
    const held = await serve(payment, half, reply)
    await moveAway(wallet, maximum)
    expect(await markFailed(books, held, 'invalid_transaction_state')).toBe(true)
    return { wallet, payment }
  }

  test('was streamed to the end: it is charged once the wallet holds the amount again, and the tries cost one call of the node for all', async () => {
    const received = await payee.balanceOf(payee.address)
    const debtors = [await unpaid(streamed), await unpaid(streamed)] as const
    const [{ wallet, payment }, { payment: other }] = debtors
    expect(await rowOf(payment)).toMatchObject({ replyStatus: 200, collectAt: expect.any(Date) })
    await collect()
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', tries: 0 })

    pass(11_000)
    const calls = scene.node.count('eth_call')
    await collect()
    expect(scene.node.count('eth_call')).toBe(calls + 1)
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', tries: 1 })

    await scene.chain.mint(wallet.address, half)
    await collect()
    expect(await rowOf(payment)).toMatchObject({ state: 'failed' })
    pass(21_000)
    await collect()
    expect(await rowOf(payment)).toMatchObject({ state: 'settled', amount: half, collectAt: null })
    expect(await rowOf(other)).toMatchObject({ state: 'failed', tries: 2 })
    expect(await payee.balanceOf(payee.address)).toBe(received + half)
  })

  test('was not delivered: nothing is taken for it later', async () => {
    const { wallet, payment } = await unpaid()
    await scene.chain.mint(wallet.address, maximum)
    pass(11_000)
    await collect()
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', replyStatus: null, collectAt: null })
    expect(await payee.balanceOf(wallet.address)).toBe(maximum)
  })

  test.each([
    [
      'the payer cancels the authorization',
      (one: LocalAccount, signed: SignedPayment) => cancelUpto(scene.chain, one, signed),
    ],
    ['the authorization ends', async () => pass(601_000)],
  ])('is not tried again when %s', async (_what, end) => {
    const { wallet, payment } = await unpaid(streamed)
    await end(wallet, payment)
    pass(11_000)
    await collect()
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', collectAt: null })
  })
})

describe('while metered streams run,', () => {
  const watchOne = async (streams: RunningStreams, wallet: LocalAccount, cut: string[], name: string) => {
    const payment = await signOne(wallet)
    const { nonce } = payment.authorization
    const end = streams.watch({
      id: name,
      payer: wallet.address,
      nonce,
      permit: undefined,
      amount: maximum,
      block: 0n,
      cut: () => void cut.push(name),
    })
    return { payment, end }
  }
  const open = () => new RunningStreams(client, usdc, log)

  test('the streams of a payer who can no longer pay for all of them are cut, and those of others go on', async () => {
    const streams = open()
    const cut: string[] = []
    const [leaving, staying] = [
      await uptoWallet(scene.chain, 3n * maximum),
      await uptoWallet(scene.chain, maximum),
    ]
    await watchOne(streams, leaving, cut, 'first')
    await watchOne(streams, leaving, cut, 'second')
    const ended = await watchOne(streams, leaving, cut, 'ended')
    await watchOne(streams, staying, cut, 'other')
    const calls = scene.node.count('eth_call')
    await streams.look()
    expect(scene.node.count('eth_call')).toBe(calls + 1)
    ended.end()
    await moveAway(leaving, maximum)
    await streams.look()
    expect(cut).toEqual([])
    await moveAway(leaving, 1n)
    scene.node.faults.set('eth_call', 'refused')
    await expect(streams.look()).rejects.toThrow()
    expect(cut).toEqual([])
    scene.node.faults.clear()
    await streams.look()
    expect(cut).toEqual(['first', 'second'])
  })

  test.each<[string, (wallet: LocalAccount, payment: SignedPayment) => Promise<unknown>]>([
    ['takes the approval of Permit2 back', (wallet) => approve(scene.chain, wallet, maximum - 1n)],
    ['cancels the authorization', (wallet, payment) => cancelUpto(scene.chain, wallet, payment)],
  ])('a stream is cut when its payer %s', async (_what, change) => {
    const streams = open()
    const cut: string[] = []
    const wallet = await uptoWallet(scene.chain, maximum)
    const { payment } = await watchOne(streams, wallet, cut, 'one')
    await streams.look()
    expect(cut).toEqual([])
    await change(wallet, payment)
    await streams.look()
    expect(cut).toEqual(['one'])
    const calls = scene.node.count('eth_call')
    await streams.look()
    expect(scene.node.count('eth_call')).toBe(calls)
  })
})

// Last, because it moves the chain’s time on.
test('a payment that is not settled before its deadline has failed', async () => {
  const payment = await signOne()
  await serve(payment, half)
  scene.node.faults.set('eth_sendRawTransaction', 'refused')
  await scene.chain.client.increaseTime({ seconds: 660 })
  await payee.mine(1)
  await recovery.sweep()
  expect(await rowOf(payment)).toMatchObject({ state: 'failed', failure: 'permit2_deadline_expired' })
})
