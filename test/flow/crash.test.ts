import { isAddressEqual, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayTo } from '../../src/chain/dev-accounts.ts'
import { type BooksOnView, sumTaken, viewBooks } from '../support/books.ts'
import { startTestChain, type TestChain } from '../support/chain.ts'
import { emptyDatabase } from '../support/database.ts'
import { type Model, startModel } from '../support/model.ts'
import { openReplica, type Replica } from '../support/replica.ts'
import type { Held } from '../support/rpc-proxy.ts'
import { takings } from '../support/takings.ts'
import {
  decode,
  freshWallet,
  type SignedPayment,
  signPayment,
  v1Header,
  v2Header,
} from '../support/wallet.ts'

/**
 * A gateway may die at any moment. Here it is killed at each point of a payment's life, once with
 * nobody else around until it is started again, and once beside another gateway that takes over.
 */
const price = 250_000n
const call = { path: '/api/leads/research', body: JSON.stringify({ companyName: 'Acme' }) }

interface Point {
  readonly name: string
  /** Has the gateway stop there. */
  readonly stop: (doomed: Replica, model: Model) => Pick<Held, 'reached' | 'drop'>
  /** What the books and the chain say at that moment. */
  readonly state: string
  readonly taken: bigint
  /** Runs of the handler in all, with the one that buys the reply. */
  readonly runs: number
}

const points: readonly Point[] = [
  {
    name: 'when the claim is written, and the handler has not begun',
    stop: ({ store }) => store.holdAnswer('claimed'),
    state: 'claimed',
    taken: 0n,
    runs: 1,
  },
  {
    name: 'in the middle of the handler',
    stop: (_doomed, model) => stopInModel(model),
    state: 'claimed',
    taken: 0n,
    // The run that was killed has served nobody.
    runs: 2,
  },
  {
    name: 'after the handler, before the reply is written',
    stop: ({ store }) => store.holdWrite('served'),
    state: 'claimed',
    taken: 0n,
    runs: 2,
  },
  {
    name: 'when the reply is written, before anything is signed',
    stop: ({ store }) => store.holdAnswer('served'),
    state: 'served',
    taken: 0n,
    runs: 1,
  },
  {
    name: 'before the broadcast reaches the node',
    stop: ({ node }) => node.hold('eth_sendRawTransaction'),
    state: 'served',
    taken: 0n,
    runs: 1,
  },
  {
    name: 'after the broadcast, before the node’s answer comes',
    stop: ({ node }) => node.holdAnswer('eth_sendRawTransaction'),
    state: 'served',
    taken: price,
    runs: 1,
  },
  {
    name: 'when the receipt is on its way',
    stop: ({ node }) => node.holdAnswer('eth_getTransactionReceipt'),
    state: 'served',
    taken: price,
    runs: 1,
  },
  {
    name: 'after the receipt, before the outcome is written',
    stop: ({ store }) => store.holdWrite('settled'),
    state: 'served',
    taken: price,
    runs: 1,
  },
  {
    name: 'when the outcome is written, before the reply goes out',
    stop: ({ store }) => store.holdAnswer('settled'),
    state: 'settled',
    taken: price,
    runs: 1,
  },
]

function stopInModel(model: Model) {
  const asked = model.asked
  model.answer = 'never'
  return {
    reached: expect.poll(() => model.asked, { timeout: 20_000 }).toBe(asked + 1),
    drop: () => {
      model.answer = 'research'
    },
  }
}

let chain: TestChain
let model: Model

beforeAll(async () => {
  chain = await startTestChain()
  model = await startModel()
})
afterAll(async () => {
  await model.close()
  await chain.close()
})

describe.each<[string, 'alone' | 'in company']>([
  ['killed and started again', 'alone'],
  ['killed beside another one that takes over', 'in company'],
])('a gateway %s', (_title, company) => {
  let books: BooksOnView
  let doomed: Replica
  let survivor: Replica
  let firstBlock: bigint

  beforeAll(async () => {
    const databaseUrl = await emptyDatabase()
    const settings = {
      ...model.settings,
      // It is to be killed in the middle, not to give up.
      RPC_TIMEOUT_MS: '30000',
      SETTLEMENT_TIMEOUT_MS: '30000',
    }
    const open = () => openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings })
    books = viewBooks(databaseUrl)
    doomed = await open()
    survivor = company === 'alone' ? doomed : await open()
    await Promise.all([...new Set([doomed, survivor])].map((replica) => replica.start()))
    firstBlock = await chain.client.getBlockNumber()
  })
  afterAll(async () => {
    await Promise.all([...new Set([doomed, survivor])].map((replica) => replica.close()))
    await books.close()
  })

  const taken = () => takings(chain.client, devPayTo.address, firstBlock)
  const takenFrom = async (wallet: LocalAccount) =>
    (await taken()).filter(({ payer }) => isAddressEqual(payer, wallet.address))

  test.each(points.map((point, index) => [point.name, (index % 2) + 1, point] as const))(
    '%s: one transfer, no run too many, and its reply for the payer who repeats the call (x402 v%i)',
    async (_name, version, point) => {
      const wallet = freshWallet()
      // Enough for a second charge, should somebody take it.
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
        expect(sum(await takenFrom(wallet))).toBe(point.taken)
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
      expect(JSON.parse(paid.text)).toMatchObject({ success: true, lead: { company: 'Acme' } })
      expect(await pay(doomed, payment, version)).toEqual(paid)
      expect(model.asked - asked).toBe(point.runs)
      expect(await takenFrom(wallet)).toEqual([
        { payer: wallet.address, nonce, value: price, transaction: paid.transaction },
      ])
    },
  )

  test('and after all of this nothing is left open, and books and chain name the same sum', async () => {
    const totals = await books.totals()
    expect(totals.get('settled')?.payments).toBe(points.length)
    expect([...totals.keys()]).toEqual(['settled'])
    expect(sumTaken(totals)).toBe(sum(await taken()))
  })
})

async function pay({ url }: Replica, payment: SignedPayment, version: number) {
  const header =
    version === 1 ? { 'X-PAYMENT': v1Header(payment) } : { 'PAYMENT-SIGNATURE': v2Header(payment) }
  const response = await fetch(url + call.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header },
    body: call.body,
  })
  const receipt = response.headers.get('payment-response')
  return {
    status: response.status,
    text: await response.text(),
    receipt,
    transaction: receipt ? transactionOf(receipt) : undefined,
  }
}

function transactionOf(receipt: string): unknown {
  const read = decode(receipt)
  return typeof read === 'object' && read && 'transaction' in read ? read.transaction : undefined
}

function sum(found: readonly { value: bigint }[]): bigint {
  return found.reduce((total, { value }) => total + value, 0n)
}
