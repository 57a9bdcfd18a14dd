import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { beginCost } from '../../../src/doors/ledger/costs.ts'
import { createSpending } from '../../../src/doors/x402/spending/spending.ts'
import { callsSchema, usageSchema } from '../../../src/edge/handlers/operator/replies.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { CostRow } from '../../../src/platform/store/rows/payments.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { decode, encode, freshWallet, type SignedPayment } from '../../support/chain/wallet.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import { type StandIn, startStandIn } from '../../support/servers/stand-in.ts'

/**
 * A gateway in front of upstreams that ask for x402 payments. One upstream is another gateway with its own
 * books and recipient; the other replies as a test sets it. What the first gateway paid is compared with the
 * chain.
 */

const network = networks['base-sepolia']
const walletKey = generatePrivateKey()
const wallet = privateKeyToAccount(walletKey)
const elsewhere = freshWallet().address
const price = 10_000n

let chain: TestChain
/** The seller's service: it sends back what it gets. */
let origin: StandIn
const reached: IncomingMessage['headers'][] = []
let seller: RelayScene
let odd: StandIn
let front: RelayScene

type Answer = (req: IncomingMessage, res: ServerResponse, body: Buffer) => unknown
/** The replies of the other upstream to a request without a payment, and to one with a payment. */
let ask: Answer = () => undefined
let take: (payment: SignedPayment, ...rest: Parameters<Answer>) => unknown = () => undefined

beforeAll(async () => {
  chain = await startTestChain()
  origin = await startStandIn(async (req, res) => {
    reached.push(req.headers)
    res.writeHead(200, { 'content-type': req.headers['content-type'] ?? 'text/plain' })
    res.end(await buffer(req))
  })
  odd = await startStandIn(async (req, res) => {
    const body = await buffer(req)
    const header = req.headers['payment-signature'] ?? req.headers['x-payment']
    if (header === undefined) ask(req, res, body)
    else await take(paymentSchema.parse(decode(String(header))).payload, req, res, body)
  })
  seller = await openRelayScene(
    chain,
    `
upstreams:
  origin: { prefix: /o, targets: ["${origin.url}"], private: true, request_headers: [idempotency-key] }
operations:
  echo: { access: price, upstream: origin, route: POST /echo, description: An echo., price: "0.01" }
  weigh:
    access: price
    upstream: origin
    route: POST /weigh
    description: An echo by weight.
    price: { per: bytes, units: 1, output: "0.000001", max: "0.02" }
`,
  )
  const target = `targets: ["${seller.gateway.url}/o"], private: true`
  front = await openRelayScene(
    chain,
    `
upstreams:
  seller: { prefix: /s, ${target}, request_headers: [idempotency-key], spend: { per_call: "0.02", per_day: "5" } }
  limited: { prefix: /limited, ${target}, spend: { per_call: "0.02", per_day: "0.10" } }
  strict: { prefix: /strict, ${target}, spend: { per_call: "0.009999", per_day: "5" } }
  odd: { prefix: /odd, targets: ["${odd.url}"], private: true, redirects: follow, retries: 0, spend: { per_call: "0.01", per_day: "1" } }
  daily: { prefix: /daily, targets: ["${odd.url}"], private: true, retries: 0, spend: { per_call: "0.01", per_day: "0.01" } }
  large: { prefix: /large, targets: ["${odd.url}"], private: true, max_request_bytes: 10000001, spend: { per_call: "0.01", per_day: "1" } }
operations:
  resell: { access: optional, upstream: seller, route: POST /echo, description: An echo., free: 1/day, price: "0.05" }
  reweigh: { access: open, upstream: seller, route: POST /weigh, description: An echo by weight. }
  resellDaily: { access: open, upstream: limited, route: POST /echo, description: An echo. }
  resellDearly: { access: price, upstream: strict, route: POST /echo, description: An echo., price: "0.05" }
  askOdd: { access: open, upstream: odd, route: "GET,POST /*", description: Anything. }
  askDaily: { access: open, upstream: daily, route: GET /a, description: Anything. }
  sendLarge: { access: open, upstream: large, route: POST /a, description: Anything. }
tiers:
  team: { description: For a team., operations: { resell: 5/month } }
`,
    { UPSTREAM_WALLET_KEY: walletKey },
  )
  await chain.mint(wallet.address, 1_000_000_000n)
})

afterAll(async () => {
  for (const one of [front, seller, odd, origin, chain]) await one?.close()
})

beforeEach(() => {
  reached.length = 0
  ask = (_req, res) => res.writeHead(402, { 'payment-required': encode(required()) }).end()
})

/** The payment requirements of the other upstream, with parts of them changed. */
function required(change: object = {}) {
  return {
    x402Version: 2,
    resource: { url: 'https://odd.example/a', description: 'Anything.', mimeType: '' },
    accepts: [{ ...way, ...change }],
  }
}

const way = {
  scheme: 'exact',
  network: network.caip2,
  amount: price.toString(),
  asset: network.usdc.address,
  payTo: elsewhere,
  maxTimeoutSeconds: 60,
  extra: { name: network.usdc.name, version: network.usdc.version },
}

const hexText = z.templateLiteral(['0x', z.string()])
const address = hexText.transform((text): Address => getAddress(text))
const integer = z.string().transform(BigInt)
const paymentSchema = z.object({
  payload: z.object({
    signature: hexText,
    authorization: z.object({
      from: address,
      to: address,
      value: integer,
      validAfter: integer,
      validBefore: integer,
      nonce: hexText,
    }),
  }),
})

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  by = fetch,
) => by(`${front.gateway.url}${path}`, { method: 'POST', body, headers })
const costs = async (upstream: string): Promise<CostRow[]> =>
  front.gateway.services.queries
    .selectFrom('costs')
    .selectAll()
    .where('upstream', '=', upstream)
    .orderBy('createdAt')
    .execute()
const states = async (upstream: string) => (await costs(upstream)).map(({ state }) => state)
const paidTo = (account: Address) => front.account.transfers(wallet.address, account)
/** Values that only the gateway and the seller may see. */
const ofMoney = (headers: Headers) => [...headers.keys()].filter((name) => name.includes('payment'))
const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)

test('the gateway pays the upstream its price for a free caller, a key and a wallet, and records the cost beside each sale', async () => {
  const free = await post('/s/echo', bytes, { 'content-type': 'application/x-any' })
  expect([free.status, ofMoney(free.headers)]).toEqual([200, []])
  expect(new Uint8Array(await free.arrayBuffer())).toEqual(bytes)
  const key = await post('/s/echo', 'by key', { 'x-mcp-api-key': await front.key('team') })
  expect([key.status, await key.text(), ofMoney(key.headers)]).toEqual([200, 'by key', []])
  const payer = privateKeyToAccount(devPayers[0].privateKey)
  const sold = await post('/s/echo', 'by wallet', {}, front.payingFetch(payer, 'exact'))
  expect([sold.status, await sold.text()]).toEqual([200, 'by wallet'])
  // The receipt shows the sale, and not the cost.
  const [sale] = await front.account.transfers(payer.address, front.account.address)
  expect(decode(sold.headers.get('payment-response'))).toMatchObject({ transaction: sale?.transaction })
  expect(
    reached.map((headers) => Object.keys(headers).filter((name) => /payment|authorization|key/.test(name))),
  ).toEqual([[], [], []])

  const paid = await paidTo(seller.account.address)
  expect(paid.map(({ value }) => value)).toEqual([price, price, price])
  await expect.poll(() => states('seller')).toEqual(['taken', 'taken', 'taken'])
  expect((await costs('seller')).map(({ transaction, amount }) => [transaction, amount])).toEqual(
    paid.map(({ transaction, value }) => [transaction, value]),
  )
  await front.idle()
  const { calls } = callsSchema.parse(await (await front.operate('/operator/usage/calls')).json())
  expect(calls.map(({ door, amount, taken, cost, margin }) => [door, amount, taken, cost, margin])).toEqual([
    ['payment', '0.05', '0.05', '0.01', '0.04'],
    ['key', '0.05', null, '0.01', null],
    ['free', '0.05', null, '0.01', '-0.01'],
  ])
  const sums = usageSchema.parse(await (await front.operate('/operator/usage')).json())
  expect(sums.costs).toMatchObject([
    { upstream: 'seller', operation: 'resell', state: 'taken', payments: 3, amount: '0.03' },
  ])
  const journal = await (await front.operate('/operator/export?format=journal')).text()
  expect(journal.match(/Expenses:seller +0\.010000 USDC/g)).toHaveLength(3)
  for (const { transaction } of paid) expect(journal).toContain(transaction)
})

test('an upstream priced by use is paid its maximum, because an exact payment cannot be settled in part', async () => {
  const before = (await paidTo(seller.account.address)).length
  expect(await (await post('/s/weigh', 'abc')).text()).toBe('abc')
  expect((await paidTo(seller.account.address)).slice(before).map(({ value }) => value)).toEqual([20_000n])
})

test('callers with the same Idempotency-Key get separate replies, though one wallet pays for both', async () => {
  const named = { 'idempotency-key': 'the-name-of-a-request' }
  const keys = [await front.key('team'), await front.key('team')]
  for (const key of keys)
    expect((await post('/s/echo', 'same', { ...named, 'x-mcp-api-key': key })).status).toBe(200)
  expect(reached).toHaveLength(2)
  const names = reached.map((headers) => headers['idempotency-key'])
  expect(new Set([...names, named['idempotency-key']]).size).toBe(3)
})

test('an upstream that asks for more than the limit of a call is not paid, and the caller is charged nothing', async () => {
  const payer = freshWallet()
  await chain.mint(payer.address, 50_000n)
  const refused = await post('/strict/echo', 'x', {}, front.payingFetch(payer, 'exact'))
  expect([refused.status, await refused.json()]).toMatchObject([502, { code: 'UPSTREAM_FAILED' }])
  expect(ofMoney(refused.headers)).not.toContain('payment-required')
  expect([await front.account.balanceOf(payer.address), await costs('strict')]).toEqual([50_000n, []])
  expect(front.gateway.logged.join()).toContain('an upstream asks for more than a call may cost')
})

test('thirty concurrent callers never exceed the daily limit, by the sums on the chain', async () => {
  const before = (await paidTo(seller.account.address)).length
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => post('/limited/echo', `call ${n}`)))
  const statuses = replies.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(20).fill(502)])
  const paid = (await paidTo(seller.account.address)).slice(before)
  expect(paid.reduce((sum, { value }) => sum + value, 0n)).toBe(100_000n)
  expect(await costs('limited')).toHaveLength(10)
})

test('a payment is in the books before its signature is sent, and the logs contain no secret', async () => {
  const seen: unknown[] = []
  let payment: SignedPayment | undefined
  take = async (came, req, res, body) => {
    payment = came
    seen.push(body.toString(), await costs('odd'), req.headers['payment-signature'])
    res.writeHead(200, { 'payment-response': encode({ success: true }) }).end('sold')
  }
  const sold = await post('/odd/a?b=1', 'a body')
  expect([sold.status, await sold.text(), ofMoney(sold.headers)]).toEqual([200, 'sold', []])
  const { authorization, signature } = payment ?? {}
  expect(seen.slice(0, 2)).toMatchObject([
    'a body',
    [{ id: authorization?.nonce, state: 'signed', amount: price, payer: wallet.address.toLowerCase() }],
  ])
  const logged = [...front.gateway.logged, ...seller.gateway.logged].join('\n')
  for (const secret of [walletKey, walletKey.slice(2), signature, seen[2]])
    expect(logged).not.toContain(secret)
})

test.each([
  ['by another scheme', { scheme: 'upto' }, 'scheme exact'],
  ['on another network', { network: 'eip155:1' }, 'payment on base-sepolia'],
  ['in another asset', { asset: elsewhere }, 'payment in USDC'],
  ['by Permit2', { extra: { ...way.extra, assetTransferMethod: 'permit2' } }, 'EIP-3009'],
  ['of nothing', { amount: '0' }, 'amount that can be paid'],
  ['of a negative amount', { amount: '-10000' }, 'amount that can be paid'],
  ['to no address', { payTo: 'bank' }, 'payment to an address'],
  ['that is valid for years', { maxTimeoutSeconds: 1e9 }, 'valid for a day at most'],
  ['in an unknown format', { amount: 10_000 }, 'its 402 names no price'],
])(
  'an upstream that asks for a payment %s is not paid, and the log says why',
  async (_what, change, problem) => {
    const before = (await costs('odd')).length
    const from = front.gateway.logged.length
    ask = (_req, res) => res.writeHead(402, { 'payment-required': encode(required(change)) }).end()
    expect((await post('/odd/a', 'x')).status).toBe(502)
    expect(await costs('odd')).toHaveLength(before)
    expect(front.gateway.logged.slice(from).join()).toContain(problem)
  },
)

test('a payment that cannot be recorded is not made', async () => {
  let taken = 0
  take = (_payment, _req, res) => res.end(`${++taken}`)
  const { queries } = front.gateway.services
  await sql`alter table costs rename to lost`.execute(queries)
  try {
    expect((await post('/odd/a', 'x')).status).toBe(502)
  } finally {
    await sql`alter table lost rename to costs`.execute(queries)
  }
  expect(await (await post('/odd/a', 'x')).text()).toBe('1')
})

test('of several payment requirements the cheapest payable one is paid, signed with the token name from the chain', async () => {
  const accepts = [
    { ...way, amount: '10001' },
    { ...way, scheme: 'upto', amount: '1' },
    { ...way, extra: { name: 'Gold' } },
  ]
  ask = (_req, res) => res.writeHead(402, { 'payment-required': encode({ ...required(), accepts }) }).end()
  take = async (payment, _req, res) => res.end(await front.account.submit(payment))
  const transaction = await (await post('/odd/a', 'x')).text()
  expect(await paidTo(elsewhere)).toContainEqual({ transaction, value: price })
})

test('an upstream that knows only x402 v1 is paid by x402 v1', async () => {
  const { amount, ...rest } = way
  const accepts = [
    {
      ...rest,
      maxAmountRequired: amount,
      network: network.name,
      resource: 'https://odd.example/a',
      description: '',
    },
  ]
  ask = (_req, res) => res.writeHead(402).end(JSON.stringify({ x402Version: 1, error: 'pay', accepts }))
  take = async (payment, req, res) => {
    const {
      x402Version,
      scheme,
      network: chosen,
    } = z.record(z.string(), z.unknown()).parse(decode(String(req.headers['x-payment'])))
    expect([x402Version, scheme, chosen]).toEqual([1, 'exact', network.name])
    res.writeHead(200, { 'x-payment-response': 'theirs' }).end(await front.account.submit(payment))
  }
  const sold = await post('/odd/a', 'x')
  expect([sold.status, ofMoney(sold.headers)]).toEqual([200, []])
  expect(await paidTo(elsewhere)).toContainEqual({ transaction: await sold.text(), value: price })
})

test('a redirect after the payment is followed without it', async () => {
  take = (_payment, _req, res) => res.writeHead(303, { location: '/there' }).end()
  const asked = ask
  ask = (req, res, body) => (req.url === '/there' ? res.end(`${req.method} there`) : asked(req, res, body))
  const asIs: typeof fetch = (url, init) => fetch(url, { ...init, redirect: 'manual' })
  expect(await (await post('/odd/a', 'x', {}, asIs)).text()).toBe('GET there')
})

test.each([
  ['answers 500', (res: ServerResponse) => res.writeHead(500).end(), 500],
  ['breaks off', (res: ServerResponse) => res.destroy(), 502],
])('a payment to an upstream that settles it and then %s counts as a cost', async (_what, fail, status) => {
  const before = (await costs('odd')).length
  let transaction: Hex | undefined
  take = async (payment, _req, res) => {
    transaction = await front.account.submit(payment)
    fail(res)
  }
  expect((await post('/odd/a', 'x')).status).toBe(status)
  await expect
    .poll(async () => (await costs('odd')).slice(before))
    .toMatchObject([{ state: 'taken', transaction }])
})

test('a body of unknown length that may be too large to keep is sent once, and no payment is made for it', async () => {
  const bodies: string[] = []
  const asked = ask
  ask = (req, res, body) => {
    bodies.push(body.toString())
    asked(req, res, body)
  }
  take = (_payment, _req, res, body) => res.end(body)
  const stream = () => ({ body: new Blob(['in pieces']).stream(), duplex: 'half', method: 'POST' }) as const
  const once = await fetch(`${front.gateway.url}/large/a`, stream())
  expect([once.status, await once.json()]).toMatchObject([
    502,
    { details: { problem: expect.stringContaining('too large to be sent again') } },
  ])
  expect([bodies, await costs('large')]).toEqual([['in pieces'], []])
  const kept = await fetch(`${front.gateway.url}/odd/a`, stream())
  expect([kept.status, await kept.text()]).toEqual([200, 'in pieces'])
})

// Moves the chain's clock, so it must be the last test.
test('a signed payment that is never used counts toward its day until it expires, and no longer', async () => {
  let taken = 0
  take = (_payment, _req, res) => {
    taken += 1
    res.writeHead(402, { 'payment-required': encode({ ...required(), error: 'insufficient_funds' }) }).end()
  }
  const call = async () => (await fetch(`${front.gateway.url}/daily/a`)).status
  expect([await call(), await call(), taken]).toEqual([502, 502, 1])
  expect(front.gateway.logged.join()).toContain('insufficient_funds')
  // A gateway that ends between recording and sending a payment leaves the same row.
  const { queries, client } = front.gateway.services
  const books = { queries, clock: systemClock }
  const [{ state, transaction, createdAt, updatedAt, ...signed } = unexpected()] = await costs('daily')
  const lost = { ...signed, id: `0x${'1'.repeat(64)}`, upstream: 'lost' }
  await beginCost(books, lost, { perDay: price, dayStart: new Date(0) })
  // Every open payment is checked, however many there are.
  const others = Array.from({ length: 100 }, (_, n) => ({
    ...signed,
    id: `0x${String(n).padStart(64, '0')}`,
    upstream: 'others',
  }))
  const long = {
    validBefore: 2n ** 40n,
    state: 'signed',
    transaction: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  } as const
  await queries
    .insertInto('costs')
    .values(others.map((one) => ({ ...one, ...long })))
    .execute()
  const spending = createSpending({
    account: wallet,
    network,
    client,
    books,
    log: createLog('silent'),
  })
  const sweep = async () => {
    await spending.sweep()
    await spending.sweep()
  }
  await sweep()
  expect([await states('daily'), await states('lost')]).toEqual([['signed'], ['signed']])

  await chain.client.increaseTime({ seconds: 61 })
  await chain.client.mine({ blocks: 1 })
  await sweep()
  // The chain could still drop that block.
  expect(await states('daily')).toEqual(['signed'])
  await chain.client.mine({ blocks: 100 })
  await sweep()
  expect([await states('daily'), await states('lost')]).toEqual([['unused'], ['unused']])
  expect([await call(), taken]).toEqual([502, 2])
})

function unexpected(): never {
  throw new Error('the payment is not in the books')
}
