import { isAddressEqual, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import type { TestChain } from '../../support/chain/chain.ts'
import { receivedPayments } from '../../support/chain/received-payments.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'
import { type CrashPoint, pointsAfter, pointsBefore } from '../../support/gateways/crashes/crash.ts'
import {
  openResearchScene,
  pay,
  price,
  type ResearchScene,
} from '../../support/gateways/crashes/research-payments.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import type { Model } from '../../support/servers/model.ts'
import { type BooksOnView, sumTaken, viewBooks } from '../../support/stores/books.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/**
 * A gateway may die at any moment. Here it is killed at each point of a payment's life: alone, until it is
 * started again, and beside another gateway that takes over.
 */
let scene: ResearchScene
let chain: TestChain
let model: Model

beforeAll(async () => {
  scene = await openResearchScene()
  ;({ chain, model } = scene)
})
afterAll(() => scene.close())

describe.each<[string, 'after' | 'before', 'alone' | 'in company', readonly CrashPoint[]]>([
  ['killed and started again', 'after', 'alone', pointsAfter],
  ['killed beside another one that takes over', 'after', 'in company', pointsAfter],
  ['that charges first, killed and started again', 'before', 'alone', pointsBefore],
])('a gateway %s', (_title, timing, company, points) => {
  let books: BooksOnView
  let doomed: Replica
  let survivor: Replica
  let firstBlock: bigint

  beforeAll(async () => {
    const databaseUrl = await freshDatabase()
    const settings = {
      ...model.settings,
      CATALOG_FILE: await scene.writeCatalog(timing),
      // The gateway is killed while it waits, so it must not time out before.
      RPC_TIMEOUT_MS: '30000',
      SETTLEMENT_TIMEOUT_MS: '30000',
    }
    // Each settles from an account of its own, so that what one of them is stopped at shows there.
    const open = (SETTLER_KEY: string) =>
      openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings: { ...settings, SETTLER_KEY } })
    books = viewBooks(databaseUrl)
    doomed = await open(devSettler.privateKey)
    survivor = company === 'alone' ? doomed : await open(devPayers[5].privateKey)
    await Promise.all([...new Set([doomed, survivor])].map((replica) => replica.start()))
    firstBlock = await chain.client.getBlockNumber()
  })
  afterAll(async () => {
    await Promise.all([...new Set([doomed, survivor])].map((replica) => replica.close()))
    await books.close()
  })

  const taken = () => receivedPayments(chain.client, devPayTo.address, firstBlock)
  const takenFrom = async (wallet: LocalAccount) =>
    (await taken()).filter(({ payer }) => isAddressEqual(payer, wallet.address))

  test.each(points.map((point, index) => [point.name, (index % 2) + 1, point] as const))(
    'killed %s: one transfer, no extra run, and the reply for the payer who repeats the call (x402 v%i)',
    async (_name, version, point) => {
      const wallet = freshWallet()
      // Enough for a second charge, to see that there is none.
      await chain.mint(wallet.address, 2n * price)
      const payment = await signPayment(wallet, price)
      const { nonce } = payment.authorization
      const asked = model.asked

      const held = point.stop(doomed, model)
      const answered = pay(doomed, payment, version).then(
        () => 'answered',
        () => 'cut off',
      )
      try {
        await Promise.race([held.reached, answered])
        expect(await books.stateOf(nonce)).toBe(point.state)
        // The node accepts a transaction and mines it a moment later.
        if (point.isTaken) await expect.poll(async () => sum(await takenFrom(wallet))).toBe(price)
        else expect(await takenFrom(wallet)).toEqual([])
        await doomed.kill()
      } finally {
        held.drop()
      }
      expect(await answered).toBe('cut off')

      await books.endLeases()
      const restarted = doomed.start()
      if (company === 'alone') await restarted
      const paid = await pay(survivor, payment, version)
      await restarted
      expect(paid.status).toBe(200)
      expect(JSON.parse(paid.text)).toMatchObject({ success: true, lead: { company: 'Acme Dental' } })
      // Until the lease of the killed process ends, another gateway would settle the next payment.
      await expect
        .poll(doomed.hasAccount, { message: 'the gateway has no account to settle from' })
        .toBe(true)
      expect(await pay(doomed, payment, version)).toEqual(paid)
      expect(model.asked - asked).toBe(point.runs)
      expect(await takenFrom(wallet)).toEqual([
        { payer: wallet.address, nonce, value: price, transaction: paid.transaction },
      ])
    },
  )

  test('after all kills above no payment is open, and the books and the chain name the same sum', async () => {
    const totals = await books.totals()
    expect([...totals.keys()].filter((state) => state !== 'settled' && state !== 'final')).toEqual([])
    expect(sumTaken(totals)).toBe(price * BigInt(points.length))
    expect(sumTaken(totals)).toBe(sum(await taken()))
  })
})

describe('a gateway whose connections to the store break', () => {
  let books: BooksOnView
  let replica: Replica
  let firstBlock: bigint

  beforeAll(async () => {
    const databaseUrl = await freshDatabase()
    books = viewBooks(databaseUrl)
    replica = await openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings: model.settings })
    await replica.start()
    firstBlock = await chain.client.getBlockNumber()
  })
  afterAll(async () => {
    await replica.close()
    await books.close()
  })

  test.each(pointsAfter.filter(({ at }) => at === 'store').map((point) => [point.name, point] as const))(
    'a gateway whose connections break %s makes one transfer, no extra run, and has the reply for a repeated call',
    async (_name, point) => {
      const wallet = freshWallet()
      await chain.mint(wallet.address, 2n * price)
      const payment = await signPayment(wallet, price)
      const asked = model.asked

      const held = point.stop(replica, model)
      const first = pay(replica, payment, 2)
      await Promise.race([held.reached, first])
      replica.store.cut()
      // A charged reply is sent even if it is not recorded; any other call must be repeated.
      expect((await first).status).toBe(point.isTaken ? 200 : 503)

      await books.endLeases()
      const paid = await pay(replica, payment, 2)
      expect(paid.status).toBe(200)
      expect(model.asked - asked).toBe(point.runs)
      expect(
        (await receivedPayments(chain.client, devPayTo.address, firstBlock)).filter(({ payer }) =>
          isAddressEqual(payer, wallet.address),
        ),
      ).toHaveLength(1)
    },
  )

  test('a gateway whose store connections break does not end', () => replica.kill())
})

function sum(found: readonly { value: bigint }[]): bigint {
  return found.reduce((total, { value }) => total + value, 0n)
}
