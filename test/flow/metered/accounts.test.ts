import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { type Address, type Hex, isHex, parseTransaction, recoverTransactionAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { openPostgres } from '../../../src/platform/store/database.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { asked, createBuyers, named, post, settled, walletOf } from '../../support/gateways/payment-for.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { answers, type FarEnd, startFarEnd } from '../../support/servers/far-end.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/**
 * Two gateways behind a balancer settle from the same two accounts. Payers sign one of them, and the balancer sends
 * their payments to either gateway.
 */

let chain: TestChain
let far: FarEnd
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let books: Awaited<ReturnType<typeof openPostgres>>
let payee: ReceivingAccount
let gateways: readonly [Replica, Replica]
let buyers: readonly [ReturnType<typeof createBuyers>, ReturnType<typeof createBuyers>]
/** Sender and nonce of each transaction that a gateway has handed to its node. */
const sent: { gateway: number; from: Address; nonce: number; transaction: Hex }[] = []

const catalogOf = (upstream: string) => `
provider: { name: Tests, description: Sells what others serve. }
upstreams:
  far: { prefix: /far, targets: ["${upstream}"], private: true, retries: 0 }
operations:
  askModel:
    access: price
    upstream: far
    route: POST /model/*
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
`
/** For the usage that the far end reports. */
const due = 13n
/** What a payment by `exact` takes. */
const maximum = 10_000n
const call = post('/far/model/chat', { model: 'm', messages: [] })
const keys = [devSettler, devPayers[5]] as const

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  far.on('/model/chat', answers(7, 3))
  folder = await temporaryFolder()
  const databaseUrl = await freshDatabase()
  books = await openPostgres(databaseUrl, createLog('silent'))
  payee = createReceivingAccount(chain, freshWallet().address)
  const catalog = join(folder.folder, 'catalog.yaml')
  await writeFile(catalog, catalogOf(far.url))
  const settings = {
    CATALOG_FILE: catalog,
    PAY_TO: payee.address,
    SETTLER_KEY: keys.map(({ privateKey }) => privateKey).join(),
    MAX_PAYMENTS_IN_FLIGHT: '100',
  }
  const open = () => openReplica({ rpcUrl: chain.rpcUrl, databaseUrl, settings })
  gateways = [await open(), await open()]
  for (const [index, { node }] of gateways.entries()) {
    node.meet = async ({ method, params }) => {
      const [raw] = params ?? []
      if (method === 'eth_sendRawTransaction' && isSigned(raw)) {
        const from = await recoverTransactionAddress({ serializedTransaction: raw })
        sent.push({ gateway: index, from, nonce: parseTransaction(raw).nonce ?? 0, transaction: raw })
      }
      return undefined
    }
  }
  await Promise.all(gateways.map((gateway) => gateway.start()))
  const buyersOf = ({ url }: Replica) => createBuyers({ gateway: { url, services: books }, account: payee })
  buyers = [buyersOf(gateways[0]), buyersOf(gateways[1])]
})

afterAll(async () => {
  await Promise.all(gateways?.map((gateway) => gateway.close()) ?? [])
  await books?.close()
  await folder?.remove()
  await far?.close()
  await chain?.close()
})

const isSigned = (value: unknown): value is `0x02${string}` => isHex(value) && value.startsWith('0x02')

const transactionOf = (reply: Response) =>
  decodePaymentResponseHeader(reply.headers.get('payment-response') ?? '').transaction

/** The account that a gateway's 402 names. */
async function namedBy(buyer: (typeof buyers)[number]): Promise<unknown> {
  return asked(await buyer.send(call)).accepts[0]?.extra.facilitatorAddress
}

/** Waits until each gateway holds as many accounts as it is to hold. */
async function held(counts: readonly number[]): Promise<void> {
  const count = async () => {
    const rows = await books.queries
      .selectFrom('settlingAccounts')
      .select('owner')
      .where('leaseUntil', '>', new Date())
      .execute()
    const byOwner = Map.groupBy(rows, ({ owner }) => owner)
    return [...byOwner.values()].map(({ length }) => length).sort()
  }
  await expect.poll(count, { message: 'the accounts were not shared out' }).toEqual(counts)
}

/** The gateway that holds the account which the 402 names, and the other one; a purchase shows it. */
async function ownerFirst(): Promise<readonly [0 | 1, 0 | 1]> {
  const reply = await buyers[0].send(call, await buyers[0].sign(call, walletOf(3)))
  expect(reply.status).toBe(200)
  return sent.at(-1)?.gateway === 0 ? [0, 1] : [1, 0]
}

test('both gateways ask for the same account, and payments signed at either are settled at both', async () => {
  await held([1, 1])
  await expect.poll(() => Promise.all(buyers.map(namedBy))).toEqual([devSettler.address, devSettler.address])
  const taken = await buyers[0].receives()
  const sold = Array.from({ length: 24 }, async (_one, index) => {
    const [from, to] = index < 12 ? [index % 2, (index + 1) % 2] : [index % 2, ((index * 7) % 3) % 2]
    const [signing, paying] = [buyers[from === 0 ? 0 : 1], buyers[to === 0 ? 0 : 1]]
    const reply = await paying.send(call, await signing.sign(call, walletOf(index % 2 === 0 ? 0 : 1)))
    expect(reply.headers.get('payment-response')).not.toBeNull()
    return reply.status
  })

  expect(await Promise.all(sold)).toEqual(Array(24).fill(200))

  expect(await taken()).toBe(24n * due)
  expect(await payee.transfers(walletOf(0).address, payee.address)).toHaveLength(12)
  const senders = (gateway: number) => sent.filter((one) => one.gateway === gateway).map(({ from }) => from)
  expect(senders(0).filter((from) => senders(1).includes(from))).toEqual([])
  const nonces = sent.map(({ from, nonce }) => `${from} ${nonce}`)
  expect(new Set(nonces).size).toBe(nonces.length)
})

test('a gateway that is killed between the 402 and the payment loses no payment: the other one takes its account', async () => {
  await held([1, 1])
  const [owner, other] = await ownerFirst()
  const payment = await buyers[owner].sign(call, walletOf(2))
  const taken = await buyers[other].receives()
  await gateways[owner].kill()

  expect((await buyers[other].send(call, payment)).status).toBe(200)

  expect(await taken()).toBe(due)
  await gateways[owner].start()
})

test('a payment is settled once when the gateway that holds its account is killed before it sends', async () => {
  await held([1, 1])
  const [owner, other] = await ownerFirst()
  const payment = await buyers[other].sign(call, walletOf(2))
  const taken = await buyers[other].receives()
  const broadcast = gateways[owner].node.hold('eth_sendRawTransaction')
  const reply = buyers[other].send(call, payment)
  await broadcast.reached
  await gateways[owner].kill()
  broadcast.drop()

  expect((await reply).status).toBe(200)

  await expect.poll(() => buyers[other].stateOf(payment)).toEqual(settled)
  expect(await taken()).toBe(due)
  await gateways[owner].start()
})

test('a payment is settled once when that gateway is killed after it has sent', async () => {
  await held([1, 1])
  const [owner, other] = await ownerFirst()
  const payment = await buyers[other].sign(call, walletOf(2))
  const taken = await buyers[other].receives()
  const answered = gateways[owner].node.holdAnswer('eth_sendRawTransaction')
  const reply = buyers[other].send(call, payment)
  await answered.reached
  await gateways[owner].kill()
  answered.drop()

  expect((await reply).status).toBe(200)

  expect(await taken()).toBe(due)
  await gateways[owner].start()
})

describe('a payment whose call ran in a gateway that is killed is taken over when the lease of the gateway ends, long before its own', () => {
  test('its reply was stored: the payer gets it from the other gateway, and pays once', async () => {
    await held([1, 1])
    const [doomed, survivor] = await ownerFirst()
    const purchase = named(call)
    const payment = await buyers[doomed].sign(purchase, walletOf(2))
    const taken = await buyers[survivor].receives()
    const heard = far.heard('/model/chat').length
    const broadcast = gateways[doomed].node.hold('eth_sendRawTransaction')
    const cutOff = buyers[doomed].send(purchase, payment).catch(() => 'cut off')
    await broadcast.reached
    await gateways[doomed].kill()
    broadcast.drop()
    expect(await cutOff).toBe('cut off')

    expect((await buyers[survivor].send(purchase, payment)).status).toBe(200)

    await expect.poll(() => buyers[survivor].stateOf(payment)).toEqual(settled)
    expect(await taken()).toBe(due)
    expect(far.heard('/model/chat').length - heard).toBe(1)
    await gateways[doomed].start()
  })

  test('its call was running: it runs once more at the other gateway, and the payer pays once', async () => {
    await held([1, 1])
    const [doomed, survivor] = await ownerFirst()
    const slow = named(post('/far/model/slow', { model: 'm', messages: [] }))
    far.on('/model/slow', () => {})
    const payment = await buyers[doomed].sign(slow, walletOf(2))
    const taken = await buyers[survivor].receives()
    const cutOff = buyers[doomed].send(slow, payment).catch(() => 'cut off')
    await expect.poll(() => far.heard('/model/slow').length).toBe(1)
    await gateways[doomed].kill()
    expect(await cutOff).toBe('cut off')
    far.on('/model/slow', answers(7, 3))

    expect((await buyers[survivor].send(slow, payment)).status).toBe(200)

    await expect.poll(() => buyers[survivor].stateOf(payment)).toEqual(settled)
    expect(await taken()).toBe(due)
    await gateways[doomed].start()
  })

  test('the gateway was only stopped: it goes on with its settlement beside the other one, and the payer pays once', async () => {
    await held([1, 1])
    const [stopped, survivor] = await ownerFirst()
    const purchase = named(call)
    const payment = await buyers[stopped].sign(purchase, walletOf(2), 'exact')
    const taken = await buyers[survivor].receives()
    const broadcast = gateways[stopped].node.hold('eth_sendRawTransaction')
    const first = buyers[stopped].send(purchase, payment)
    await broadcast.reached
    gateways[stopped].pause()

    const second = await buyers[survivor].send(purchase, payment)
    expect(second.status).toBe(200)
    broadcast.release()
    gateways[stopped].resume()

    // It may not know the outcome. Then the payer is told to repeat the call.
    expect((await first).status).toBeOneOf([200, 503])
    const late = await buyers[stopped].send(purchase, payment)
    expect(late.status).toBe(200)
    expect(transactionOf(late)).toBe(transactionOf(second))
    await expect.poll(() => buyers[survivor].stateOf(payment)).toEqual(settled)
    await held([1, 1])
    expect(await taken()).toBe(maximum)
  })
})

test('a gateway that was stopped for longer than its lease sends nothing when it goes on', async () => {
  await held([1, 1])
  const [owner, other] = await ownerFirst()
  const payment = await buyers[other].sign(call, walletOf(2))
  const taken = await buyers[other].receives()
  const simulated = gateways[owner].node.hold('eth_call')
  const reply = buyers[other].send(call, payment)
  await simulated.reached
  gateways[owner].pause()
  simulated.release()
  expect((await reply).status).toBe(200)
  const before = sent.filter(({ gateway }) => gateway === owner).length
  const lines = gateways[owner].logged().length
  gateways[owner].resume()

  await expect
    .poll(() => gateways[owner].logged().slice(lines), { message: 'it did not go on' })
    .toContain('another gateway sends settlements from this account now')
  await held([1, 1])

  expect(sent.filter(({ gateway }) => gateway === owner)).toHaveLength(before)
  expect(await taken()).toBe(due)
})
