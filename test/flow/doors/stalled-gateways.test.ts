import { isAddressEqual, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import type { TestChain } from '../../support/chain/chain.ts'
import { receivedPayments } from '../../support/chain/received-payments.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'
import { type CrashPoint, pointsAfter, pointsBefore } from '../../support/gateways/crashes/crash.ts'
import {
  openResearchScene,
  pay,
  payUntilServed,
  price,
  type ResearchScene,
} from '../../support/gateways/crashes/research-payments.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { patienceMs } from '../../support/patience.ts'
import type { Model } from '../../support/servers/model.ts'
import { type BooksOnView, sumTaken, viewBooks } from '../../support/stores/books.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/**
 * A gateway may stand still for longer than its leases and then go on: a paused machine, a process without memory.
 * Here it is stopped at points of a payment's life, another gateway takes the payment over, and then it goes on.
 */
let scene: ResearchScene
let chain: TestChain
let model: Model

beforeAll(async () => {
  scene = await openResearchScene()
  ;({ chain, model } = scene)
})
afterAll(() => scene.close())

/** Where what was done and what is recorded differ most. */
const among = (points: readonly CrashPoint[], ...names: readonly string[]) =>
  names.map((name) => {
    const point = points.find((one) => one.name === name)
    if (!point) throw new Error(`there is no point ${name}`)
    return point
  })

describe.each<['after' | 'before', readonly CrashPoint[]]>([
  [
    'after',
    among(
      pointsAfter,
      'after the handler, before the reply is stored',
      'after the broadcast, before the node’s reply',
      'after the receipt, before the outcome is recorded',
    ),
  ],
  ['before', among(pointsBefore, 'after the payment is recorded, before the handler')],
])('a gateway that charges %s the work', (timing, points) => {
  let books: BooksOnView
  let stalled: Replica
  let survivor: Replica
  let firstBlock: bigint

  beforeAll(async () => {
    const databaseUrl = await freshDatabase()
    const settings = {
      ...model.settings,
      CATALOG_FILE: await scene.writeCatalog(timing),
      // The gateway waits at each point until it is resumed.
      RPC_TIMEOUT_MS: '15000',
      SETTLEMENT_TIMEOUT_MS: '15000',
    }
    const open = (SETTLER_KEY: string) =>
      openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings: { ...settings, SETTLER_KEY } })
    books = viewBooks(databaseUrl)
    stalled = await open(devSettler.privateKey)
    survivor = await open(devPayers[5].privateKey)
    await Promise.all([stalled, survivor].map((replica) => replica.start()))
    await vi.waitUntil(() => stalled.hasAccount() && survivor.hasAccount(), { timeout: patienceMs })
    firstBlock = await chain.client.getBlockNumber()
  })
  afterAll(async () => {
    await Promise.all([stalled, survivor].map((replica) => replica.close()))
    await books.close()
  })

  const taken = () => receivedPayments(chain.client, devPayTo.address, firstBlock)
  const takenFrom = async (wallet: LocalAccount) =>
    (await taken()).filter(({ payer }) => isAddressEqual(payer, wallet.address))

  test.each(points.map((point) => [point.name, point] as const))(
    'stopped %s: one transfer, and the same reply from both gateways',
    async (_name, point) => {
      const wallet = freshWallet()
      // Enough for a second charge, to see that there is none.
      await chain.mint(wallet.address, 2n * price)
      const payment = await signPayment(wallet, price)

      const held = point.stop(stalled, model)
      const first = pay(stalled, payment)
      await Promise.race([held.reached, first])
      stalled.pause()
      const second = await payUntilServed(survivor, payment)
      held.release()
      stalled.resume()

      expect(second.status).toBe(200)
      // Who waited there gets the same reply, or is told to repeat the call.
      const answer = await first
      if (answer.status === 200) expect(answer).toEqual(second)
      else expect(JSON.parse(answer.text)).toMatchObject({ code: 'SETTLEMENT_UNKNOWN' })
      expect(await payUntilServed(stalled, payment)).toEqual(second)
      expect(await takenFrom(wallet)).toHaveLength(1)
      await expect.poll(() => books.stateOf(payment.authorization.nonce)).toMatch(/^(settled|final)$/)
      // A gateway that seemed dead has to say again that it lives, before it can be missed another time.
      await expect.poll(books.liveGateways).toBe(2)
    },
    45_000,
  )

  test('after all of them no payment is open, and the books and the chain name the same sum', async () => {
    const totals = await books.totals()
    expect([...totals.keys()].filter((state) => state !== 'settled' && state !== 'final')).toEqual([])
    expect(sumTaken(totals)).toBe(price * BigInt(points.length))
    expect(sumTaken(totals)).toBe((await taken()).reduce((total, { value }) => total + value, 0n))
  })
})
