import { sql } from 'kysely'
import type { Address, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { forgetWalletRecords } from '../../../src/doors/ledger/wallets/wallet-records.ts'
import type { Verdict } from '../../../src/doors/x402/wire/facilitator.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { recordsIn } from '../../../src/server/settlement.ts'
import { type Attacker, codeWith, createAttacker } from '../../support/chain/burners.ts'
import { contractCode } from '../../support/chain/chain.ts'
import {
  price,
  type SettlementScene,
  settle,
  startSettlementScene,
  type TestSettler,
  transactionOf,
} from '../../support/chain/settlement.ts'
import { freshWallet, type SignedPayment, signPayment } from '../../support/chain/wallet.ts'
import { limits, newPayment, type Opened, openServer } from '../../support/stores/ledger.ts'

/**
 * Wallet contracts that agree to the trial of a payment and burn the gas of its transaction: what they cost us,
 * and what they cost their owner.
 */

const network = networks['base-sepolia']
const owner = privateKeyToAccount(devPayers[0].privateKey)
/** As the default settings have it, on a chain where gas is so dear that only the allowed minimum counts. */
const gasTerms = { maxSharePercent: 20, ethPrice: 3_000_000_000n }
const minuteMs = 60_000

let scene: SettlementScene
let opened: Opened
let attacker: Attacker
/** What the clock of the books shows, in milliseconds. */
let now: number
let tested: TestSettler

beforeAll(async () => {
  ;[scene, opened] = await Promise.all([startSettlementScene(), openServer()])
  attacker = createAttacker(scene.chain, 10n * price)
})
beforeEach(async () => {
  now = Date.now()
  // From here on a block is mined for each transaction, and no other.
  await scene.stopMining()
  await scene.startMining()
  await sql`delete from wallet_records`.execute(opened.one.queries)
  tested = await gateway()
})
afterEach(() => scene.tidy())
afterAll(async () => {
  await scene.close()
  await opened.close()
})

/** A settler with an account of its own, and the records of all. */
async function gateway(books = opened.one, terms = gasTerms): Promise<TestSettler> {
  const walletRecords = recordsIn({ queries: books.queries, clock: { now: () => now } }, network.chainId)
  return scene.start([await scene.gasAccount()], { walletRecords, gasTerms: terms })
}

const signFrom = (from: Address, value = price) => signPayment(owner, value, { from })

function verify({ facilitator }: TestSettler, payment: SignedPayment): Promise<Verdict> {
  return facilitator.verify(
    {
      version: 1,
      identifier: undefined,
      accepted: { version: 1, scheme: 'exact', network: network.name },
      ...payment,
    },
    {
      scheme: 'exact',
      network: network.caip2,
      amount: payment.authorization.value.toString(),
      asset: network.usdc.address,
      payTo: devPayTo.address,
      maxTimeoutSeconds: 300,
      extra: { name: network.usdc.name, version: network.usdc.version },
    },
  )
}

/** Goes on to a block in which the burners agree, so that the transaction after it is in one where they burn. */
async function reachAgreement(): Promise<void> {
  if ((await scene.chain.client.getBlockNumber()) % 2n === 1n) await scene.chain.client.mine({ blocks: 1 })
}

async function attack(wallet: Address, by = tested) {
  await reachAgreement()
  const payment = await signFrom(wallet)
  const verdict = await verify(by, payment)
  return verdict.isValid ? settle(by.settler, payment) : verdict
}

const wasted = () => tested.metric('tollgate_settlement_wasted_gas_total')
const refusedFor = (retryAfterSeconds: number) => ({
  isValid: false,
  refusal: { reason: 'smart_wallet_refused', retryAfterSeconds },
})

/** Writes a payment of this wallet into the books, as if it had settled. */
async function settleInBooks(wallet: Address): Promise<void> {
  const payment = newPayment({ payer: wallet.toLowerCase(), chainId: network.chainId })
  const books = { queries: opened.one.queries, clock: { now: () => now } }
  expect(await claim(books, payment, limits)).toMatchObject({ kind: 'claimed' })
  const at = new Date(now)
  await opened.one.queries
    .updateTable('payments')
    .set({ state: 'settled', settledAt: at })
    .where('id', '=', payment.id)
    .execute()
}

test('a wallet that burns the gas of its transaction is refused at every gateway, twice as long after each failure', async () => {
  const other = await gateway(opened.other)
  const burner = await attacker.deploy(await contractCode('BlockBurner'))

  expect(await attack(burner)).toMatchObject({ outcome: 'failed' })
  expect(await wasted()).toBeLessThan(130_000)
  for (const minutes of [1, 2, 4]) {
    expect(await attack(burner, other)).toMatchObject(refusedFor(minutes * 60))
    expect(await attack(burner)).toMatchObject(refusedFor(minutes * 60))
    now += minutes * minuteMs
    expect(await attack(burner)).toMatchObject({ outcome: 'failed' })
  }
})

test('a wallet is refused for a day at most, its kind for an hour, and both are forgotten a day later', async () => {
  const records = recordsIn({ queries: opened.one.queries, clock: { now: () => now } }, network.chainId)
  const [wallet, sibling] = [freshWallet().address, freshWallet().address]
  for (let count = 0; count < 40; count += 1) await records.noteFailure(wallet, 'code:0x01', true)

  const until = (ms: number) => new Date(now + ms)
  const [dayMs, hourMs] = [24 * 60 * minuteMs, 60 * minuteMs]
  expect(await records.read(wallet, 'code:0x01')).toMatchObject({ failures: 40, refusedUntil: until(dayMs) })
  expect(await records.read(sibling, 'code:0x01')).toMatchObject({
    failures: 0,
    refusedUntil: undefined,
    kindRefusedUntil: until(hourMs),
    heavyRefusedUntil: until(hourMs),
  })
  now += 2 * dayMs + 1
  await forgetWalletRecords({ queries: opened.one.queries, clock: { now: () => now } })
  const { rows } = await sql`select * from wallet_records`.execute(opened.one.queries)
  expect(rows).toEqual([])
})

test('of many payments of a new burner that are due at once, one is sent', async () => {
  const burner = await attacker.deploy(await contractCode('BlockBurner'))
  const payments = await Promise.all(Array.from({ length: 10 }, () => signFrom(burner)))
  await reachAgreement()

  const settlements = await Promise.all(payments.map((payment) => settle(tested.settler, payment)))

  expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(10).fill('failed'))
  expect(await tested.metric('tollgate_settlement_transaction_payments_count')).toBe(1)
})

test('a factory of burners is refused as a kind after its first few, and wallets of the kind that have paid here are not', async () => {
  const implementation = await attacker.deploy(await contractCode('BlockBurner'))
  const [payer, ...clones] = await attacker.clone(implementation, 9)
  if (!payer) throw new Error('there is no clone')
  await settleInBooks(payer)
  const payments = await Promise.all(clones.map((clone) => signFrom(clone)))
  await reachAgreement()

  const settlements = await Promise.all(payments.map((payment) => settle(tested.settler, payment)))

  // Of the first three, the first is mined in an odd block and burns. The other two may share the even block after it, and pay.
  const failed = settlements.filter(({ outcome }) => outcome === 'failed')
  expect(failed.length).toBeGreaterThanOrEqual(6)
  expect(await tested.metric('tollgate_settlement_transaction_payments_count')).toBeLessThanOrEqual(3)
  const [next] = await attacker.clone(implementation, 1)
  expect(await attack(next ?? payer)).toMatchObject({ refusal: { reason: 'smart_wallet_refused' } })
  await reachAgreement()
  expect(await verify(tested, await signFrom(payer))).toMatchObject({ isValid: true })
})

test('a burner with popular code does not shut out new wallets with this code', async () => {
  const implementation = await attacker.deploy(await contractCode('BlockBurner'))
  const [burner, honest] = await attacker.clone(implementation, 2)
  if (!burner || !honest) throw new Error('there are no clones')
  const records = recordsIn({ queries: opened.one.queries, clock: { now: () => now } }, network.chainId)
  const kind = `implementation:${implementation.toLowerCase()}`
  for (let count = 0; count < 10; count += 1) await records.noteSettled(kind)

  expect(await attack(burner)).toMatchObject({ outcome: 'failed' })

  await reachAgreement()
  expect(await verify(tested, await signFrom(burner))).toMatchObject(refusedFor(60))
  expect(await verify(tested, await signFrom(honest))).toMatchObject({ isValid: true })
})

test('an account that is delegated to a burner costs gas once, and counts with all accounts that are', async () => {
  const implementation = await attacker.deploy(await contractCode('BlockBurner'))
  const [one, other] = [await attacker.delegate(implementation), await attacker.delegate(implementation)]

  const pay = async (account: LocalAccount) => {
    await reachAgreement()
    const payment = await signPayment(account, price)
    const verdict = await verify(tested, payment)
    return verdict.isValid ? settle(tested.settler, payment) : verdict
  }

  expect(await pay(one)).toMatchObject({ outcome: 'failed' })
  expect(await pay(one)).toMatchObject(refusedFor(60))
  expect(await pay(other)).toMatchObject(refusedFor(60))
})

test('a wallet that pays at first and then burns has as many payments on their way as it has settled, and is then refused', async () => {
  const args = [network.usdc.address, 8n * price] as const
  const burner = await attacker.deploy(
    await codeWith('LateBurner', [{ type: 'address' }, { type: 'uint256' }], args),
  )
  for (const count of [1, 2, 3]) {
    expect(await attack(burner), `payment ${count}`).toMatchObject({ outcome: 'settled' })
    if (count < 3) await settleInBooks(burner)
  }
  const payments = await Promise.all(Array.from({ length: 6 }, () => signFrom(burner)))
  await reachAgreement()

  await Promise.all(payments.map((payment) => settle(tested.settler, payment)))

  // Two of its payments are settled in the books, so two may be on their way at the same time.
  expect(await wasted()).toBeGreaterThan(0)
  expect(await wasted()).toBeLessThan(2 * 130_000)
  expect(await attack(burner)).toMatchObject({ refusal: { reason: 'smart_wallet_refused' } })
})

test('a transaction of a wallet contract has the gas that its trial used, a tenth, and 20,000', async () => {
  const used = async (wallet: Address) => {
    const settlement = await settle(tested.settler, await signFrom(wallet))
    const hash = transactionOf(settlement)
    const { gas } = await scene.chain.client.getTransaction({ hash })
    const { gasUsed } = await scene.chain.client.getTransactionReceipt({ hash })
    return { gas, gasUsed }
  }
  const ordinary = await attacker.deploy(
    await codeWith('ContractWallet', [{ type: 'address' }], [owner.address]),
  )
  const { gas, gasUsed } = await used(ordinary)
  expect(gasUsed).toBeLessThan(110_000n)
  expect(gas).toBeGreaterThan(gasUsed + 20_000n)
  expect(gas).toBeLessThan((gasUsed * 115n) / 100n + 25_000n)
})

test('a heavy wallet is told how much gas its payment takes and what is the most for this amount, and pays larger amounts', async () => {
  const heavy = await attacker.deploy(await codeWith('HeavyWallet', [{ type: 'uint256' }], [1_500n]))
  const weiPerGas = await scene.gasPrice()
  // A fifth of the price pays for 300,000 gas, and a fifth of the double price for 600,000.
  const ethPrice = (price * 10n ** 18n) / 5n / (300_000n * weiPerGas)
  tested = await gateway(opened.one, { maxSharePercent: 20, ethPrice })

  const refusal = await verify(tested, await signFrom(heavy))

  expect(refusal).toMatchObject({
    isValid: false,
    refusal: {
      reason: 'smart_wallet_gas_limit',
      gas: { needed: expect.any(BigInt), most: expect.any(BigInt) },
    },
  })
  const { needed, most } = refusal.isValid ? {} : (refusal.refusal.gas ?? {})
  expect(Number(needed)).toBeGreaterThan(Number(most))
  expect(Number(most)).toBeGreaterThan(250_000)
  const payment = await signFrom(heavy, 2n * price)
  expect(await verify(tested, payment)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(tested.settler, payment), payment)
})

test('after a heavy new wallet has burned, other heavy new wallets are refused for a time, and ordinary ones are not', async () => {
  tested = await gateway(opened.one, { maxSharePercent: 100, ethPrice: 1n })
  const [burner, heavy] = [
    await attacker.deploy(await codeWith('HeavyWallet', [{ type: 'uint256' }], [1_505n])),
    await attacker.deploy(await codeWith('HeavyWallet', [{ type: 'uint256' }], [1_510n])),
  ]
  const ordinary = await attacker.deploy(
    await codeWith('ContractWallet', [{ type: 'address' }], [owner.address]),
  )
  const records = recordsIn({ queries: opened.one.queries, clock: { now: () => now } }, network.chainId)
  expect(await verify(tested, await signFrom(heavy))).toMatchObject({ isValid: true })

  await records.noteFailure(burner, 'code:0x02', true)

  expect(await verify(tested, await signFrom(heavy))).toMatchObject(refusedFor(60))
  expect(await verify(tested, await signFrom(ordinary))).toMatchObject({ isValid: true })
})
