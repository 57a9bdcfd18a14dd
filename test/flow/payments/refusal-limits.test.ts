import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks as networkUsed } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { encode, freshWallet, signPayment, v1Header, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type RpcProxy, startRpcProxy } from '../../support/servers/rpc-proxy.ts'

/**
 * What refused payments may cost the gateway: six of one client address, or of one payer, in a minute. Each test
 * calls from addresses of its own.
 */

const limit = 6
const price = 100_000n

let chain: TestChain
let node: RpcProxy
let gateway: TestGateway
/** The parameters of all questions to the node. */
const asked: string[] = []
let networks = 0

beforeAll(async () => {
  chain = await startTestChain()
  node = await startRpcProxy(chain.rpcUrl)
  node.meet = async ({ params }) => {
    asked.push(JSON.stringify(params ?? []).toLowerCase())
    return undefined
  }
  gateway = await startGateway(node.url, { MAX_REFUSED_PAYMENTS: String(limit), TRUST_PROXY: '1' })
})
afterAll(async () => {
  await gateway?.close()
  await node?.close()
  await chain?.close()
})
beforeEach(() => {
  networks += 1
})

/** An address of the test's own network. */
const address = (n: number) => `10.9.${networks}.${n}`
const payerOf = (n: 0 | 1 | 2 | 3) => privateKeyToAccount(devPayers[n].privateKey)
const goodFor = async (wallet: LocalAccount) => v2Header(await signPayment(wallet, price))

async function pay(from: string, header: string) {
  const reply = await fetch(`${gateway.url}/api/analyze`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-payment': header, 'x-forwarded-for': from },
    body: '{"businessName":"Bright Smile Dental"}',
  })
  const { code = 'served', details } = answer.parse(await reply.json())
  return { status: reply.status, code, limit: details?.limit, retryAfter: reply.headers.get('retry-after') }
}
const answer = z.looseObject({
  code: z.string().optional(),
  details: z.looseObject({ limit: z.string().optional() }).optional(),
})

/** Sends payments one after the other. */
async function payAll(from: (n: number) => string, headerOf: () => Promise<string>, count: number) {
  const replies: Awaited<ReturnType<typeof pay>>[] = []
  for (let n = 0; n < count; n += 1) replies.push(await pay(from(n), await headerOf()))
  return replies
}

/** Uses up the limit of an address, without a question to the chain. */
const fill = (from: string) =>
  payAll(
    () => from,
    async () => 'garbage',
    limit,
  )

const { chainId, usdc } = networkUsed['base-sepolia']
const account = { chainId, asset: usdc.address.toLowerCase() }

const now = () => BigInt(Math.floor(Date.now() / 1000))
const other = `0x${'99'.repeat(20)}` as const
/** Each names the wallet as the payer. */
const worthless: readonly [string, 'compared' | 'asked', (wallet: LocalAccount) => Promise<string>][] = [
  ['that are no payment', 'compared', async () => 'garbage'],
  ['of deep JSON', 'compared', async () => encode('['.repeat(5_000))],
  ['of another amount', 'compared', async (wallet) => v1Header(await signPayment(wallet, 1n))],
  [
    'to another recipient',
    'compared',
    async (wallet) => v1Header(await signPayment(wallet, price, { to: other })),
  ],
  [
    'that have expired',
    'compared',
    async (wallet) => v1Header(await signPayment(wallet, price, { validBefore: now() })),
  ],
  [
    'with another signature',
    'asked',
    async (wallet) => v1Header(await signPayment(freshWallet(), price, { from: wallet.address })),
  ],
  ['of an empty wallet', 'asked', async (wallet) => v1Header(await signPayment(wallet, price))],
]

describe.each(worthless)('payments %s', (_what, how, make) => {
  test('get 429 after the limit of their address, and the node is asked for none of those', async () => {
    const wallet = freshWallet()
    const count = () =>
      asked.filter((params) => params.includes(wallet.address.slice(2).toLowerCase())).length
    const from = address(1)
    const refused = await payAll(
      () => from,
      () => make(wallet),
      limit,
    )
    expect(refused.map(({ status }) => status)).toEqual(Array(limit).fill(402))
    const before = count()
    if (how === 'compared') expect(before).toBe(0)
    const [limited] = await payAll(
      () => from,
      () => make(wallet),
      3,
    )
    expect(limited).toMatchObject({ status: 429, code: 'TOO_MANY_REFUSED_PAYMENTS' })
    expect(Number(limited?.retryAfter)).toBeGreaterThan(0)
    expect(count()).toBe(before)
  })
})

test('of 160 payments of empty wallets that one address sends at once, the node is asked for as many as are verified at a time, and the limit', async () => {
  const wallets = Array.from({ length: 160 }, () => freshWallet())
  const headers = await Promise.all(wallets.map(goodFor))
  const replies = await Promise.all(headers.map((header) => pay(address(1), header)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([402, 429]))
  const wereAsked = wallets.filter((wallet) => {
    const digits = wallet.address.slice(2).toLowerCase()
    return asked.some((params) => params.includes(digits))
  })
  expect(wereAsked.length).toBeLessThanOrEqual(64 + limit)
})

test('an honest payer is served while others send every kind of worthless payment from the same address', async () => {
  const from = address(1)
  const honest = payerOf(0)
  expect(await pay(from, await goodFor(honest))).toMatchObject({ status: 200 })
  const flood = Promise.all(
    Array.from({ length: 140 }, async (_, n) => {
      const make = worthless[n % worthless.length]?.[2]
      return pay(from, (await make?.(freshWallet())) ?? '')
    }),
  )
  const served = await payAll(
    () => from,
    () => goodFor(honest),
    5,
  )
  expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([402, 429]))
})

test('a payer without a good payment waits at an address that has reached its limit, and pays from another', async () => {
  await fill(address(1))
  const newcomer = payerOf(1)
  const header = await goodFor(newcomer)
  expect(await pay(address(1), header)).toMatchObject({ status: 429, limit: 'address' })
  expect(await pay(address(2), header)).toMatchObject({ status: 200 })
  expect(await pay(address(1), await goodFor(newcomer))).toMatchObject({ status: 200 })
})

test('a payer whose 402 named the former account of the operator is served from a full address, too', async () => {
  const former = freshWallet().address
  await gateway.services.queries
    .insertInto('receivingAccounts')
    .values({ ...account, payTo: former.toLowerCase(), currentAt: new Date() })
    .execute()
  const honest = payerOf(0)
  expect(await pay(address(1), await goodFor(honest))).toMatchObject({ status: 200 })
  await fill(address(1))
  const toFormer = v1Header(await signPayment(honest, price, { to: former }))
  expect(await pay(address(1), toFormer)).toMatchObject({ status: 200 })
})

describe('nobody uses up the limit of an honest payer', () => {
  const honest = payerOf(2)
  const isServed = async () =>
    expect(await pay(address(200), await goodFor(honest))).toMatchObject({ status: 200 })

  test('with payments in its name that it has not signed', async () => {
    await isServed()
    await payAll(
      address,
      async () => v1Header(await signPayment(freshWallet(), price, { from: honest.address })),
      10,
    )
    await isServed()
  })

  test('with a payment of its own that is on the chain', async () => {
    const spent = await goodFor(honest)
    expect(await pay(address(200), spent)).toMatchObject({ status: 200 })
    const others = (n: number) => address(Math.floor(n / limit))
    const body = { businessName: 'Another Dental' }
    for (let n = 0; n < 12; n += 1) {
      const reply = await fetch(`${gateway.url}/api/analyze`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-payment': spent, 'x-forwarded-for': others(n) },
        body: JSON.stringify(body),
      })
      expect(reply.status).toBe(409)
    }
    await isServed()
  })

  test('with payments that it has signed for another service', async () => {
    await payAll(address, async () => v1Header(await signPayment(honest, price, { to: other })), 10)
    await isServed()
  })

  test('and a payment of its own from the chain is answered only six times from an address that is full', async () => {
    const spent = await goodFor(honest)
    expect(await pay(address(200), spent)).toMatchObject({ status: 200 })
    await fill(address(1))
    const send = () =>
      fetch(`${gateway.url}/api/analyze`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-payment': spent, 'x-forwarded-for': address(1) },
        body: '{"businessName":"Another Dental"}',
      })
    const statuses: number[] = []
    for (let n = 0; n < 8; n += 1) statuses.push((await send()).status)
    expect(statuses).toEqual([409, 409, 409, 409, 409, 409, 429, 429])
    expect(await pay(address(1), await goodFor(honest))).toMatchObject({ status: 200 })
  })
})

test('an empty wallet gets 429 after its own limit, from whatever addresses it pays', async () => {
  const poor = freshWallet()
  const replies = await payAll(address, () => goodFor(poor), limit + 2)
  expect(replies.map(({ status }) => status)).toEqual([...Array(limit).fill(402), 429, 429])
  expect(replies.at(-1)).toMatchObject({ code: 'TOO_MANY_REFUSED_PAYMENTS', limit: 'payer' })
})

test('a stored reply is given again more often than payments may be refused', async () => {
  const honest = payerOf(3)
  const header = await goodFor(honest)
  const replies = await payAll(
    () => address(1),
    async () => header,
    3 * limit,
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await pay(address(1), await goodFor(freshWallet()))).toMatchObject({ status: 402 })
})
