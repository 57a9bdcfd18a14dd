import { setTimeout as pause } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeWith, createAttacker } from '../../support/chain/burners.ts'
import { contractCode, startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { uptoWallet } from '../../support/chain/upto-authorization.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'
import { askModel, createBuyers, named, settled, walletOf } from '../../support/gateways/payment-for.ts'
import { careful } from '../../support/gateways/process.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import { answers, type FarEnd, startFarEnd, usage, words } from '../../support/servers/far-end.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** Two gateways share books and an upstream: a caller gains nothing by calling both at once. */

let chain: TestChain
let far: FarEnd
let first: RelayScene
let second: RelayScene
let callers: ReturnType<typeof createBuyers>[]

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  const catalog = `
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true, retries: 0 }
operations:
  askModel:
    access: optional
    upstream: far
    route: POST /model/*
    description: By the token.
    free: 1000 tokens/day
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01", max_units: 100 }
  buyModel:
    access: price
    upstream: far
    route: POST /sold/*
    description: The same, for money.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
tiers:
  small: { description: For one., operations: { askModel: 1000 tokens/month } }
`
  const books = { DATABASE_URL: await freshDatabase(), ...careful }
  first = await openRelayScene(chain, catalog, books)
  second = await openRelayScene(chain, catalog, { ...books, PAY_TO: first.account.address })
  callers = [createBuyers(first), createBuyers(second)]
})

afterAll(async () => {
  await Promise.all([first?.close(), second?.close()])
  await far?.close()
  await chain?.close()
})

/** Sends the same call twenty times at once, alternating between the gateways. */
const twenty = (send: (caller: ReturnType<typeof createBuyers>) => Promise<Response>) =>
  Promise.all(Array.from({ length: 10 }, () => callers.map(send)).flat())

test.each<[string, () => Promise<Record<string, string>>]>([
  ['the allowance of a key', async () => ({ 'x-mcp-api-key': await first.key('small') })],
  ['the free quota', async () => ({})],
])('%s is never exceeded by twenty concurrent calls to two gateways', async (_what, credentials) => {
  const headers = await credentials()
  const heardBefore = far.heard('/model/race').length
  const all = Promise.withResolvers<void>()
  let running = 0
  far.on('/model/race', async (res, heard, req) => {
    running += 1
    if (running === 10) all.resolve()
    await all.promise
    answers(60, 40)(res, heard, req)
  })

  const replies = await twenty(({ send }) => send(askModel('/model/race', headers)))

  const statuses = replies.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(429)])
  expect(far.heard('/model/race')).toHaveLength(heardBefore + 10)
})

test('a payment sent to two gateways runs the upstream once and is charged once for its usage', async () => {
  far.on('/sold/copies', answers(5, 5))
  const [caller] = callers
  if (!caller) throw new Error('there is no caller')
  const call = named(askModel('/sold/copies'))
  const payment = await caller.sign(call, walletOf(0))
  const taken = await caller.receives()

  const replies = await twenty(({ send }) => send(call, payment))

  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
  expect(await taken()).toBe(15n)
  expect(far.heard('/sold/copies')).toHaveLength(1)
})

test('a payment sent to two gateways streams once and is charged once after the stream', async () => {
  const begun = Promise.withResolvers<void>()
  far.on('/sold/stream', async (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(words('First'))
    await begun.promise
    res.end(`${words('last')}${usage(7, 3)}data: [DONE]\n\n`)
  })
  const [caller] = callers
  if (!caller) throw new Error('there is no caller')
  const call = askModel('/sold/stream', {}, { stream: true })
  const payment = await caller.sign(call, walletOf(1))
  const taken = await caller.receives()

  const replies = await twenty(async ({ send }) => {
    const reply = await send(call, payment)
    // The others wait for its outcome.
    if (reply.status === 200) begun.resolve()
    return reply
  })
  const texts = await Promise.all(replies.map((reply) => reply.text()))

  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  expect(texts.filter((text) => text.includes('[DONE]'))).toHaveLength(1)
  await Promise.all([first.idle(), second.idle()])
  expect(await caller.rowOf(payment)).toMatchObject({ state: settled, amount: 13n })
  expect(await taken()).toBe(13n)
  expect(far.heard('/sold/stream')).toHaveLength(1)
})

test('contract wallets and upto payers are served beside three wallets that burn gas, which cost gas a few times', async () => {
  far.on('/sold/beside', answers(5, 5))
  const call = askModel('/sold/beside')
  const attacker = createAttacker(chain, 1_000_000n)
  const burner = await contractCode('BlockBurner')
  const burners = [
    await attacker.deploy(burner),
    await attacker.deploy(burner),
    await attacker.deploy(burner),
  ]
  const owned = await codeWith('ContractWallet', [{ type: 'address' }], [walletOf(0).address])
  const contract = await attacker.deploy(owned)
  // At one gateway: two that send from the same gas account take nonces from each other.
  const { sign, send } = createBuyers(first)
  const signAs = (payer: Address) => sign(call, { ...walletOf(0), address: payer }, 'exact')
  const bad = await Promise.all(burners.flatMap((payer) => Array.from({ length: 15 }, () => signAs(payer))))
  const honest = await Promise.all([
    ...Array.from({ length: 4 }, () => signAs(contract)),
    ...([2, 2, 2, 2, 3, 3, 3, 3] as const).map((number) => sign(call, walletOf(number))),
  ])
  const sendAll = (payments: typeof honest) => Promise.all(payments.map((payment) => send(call, payment)))

  const [, served] = await Promise.all([sendAll(bad), sendAll(honest)])

  expect(served.map(({ status }) => status)).toEqual(Array(12).fill(200))
  const metrics = await (await first.operate('/metrics')).text()
  const wasted = Number(/^tollgate_settlement_wasted_gas_total (\d+)$/m.exec(metrics)?.[1])
  // Three new wallets with this code at a time.
  expect(wasted).toBeLessThan(3 * 130_000)
})

test('a fresh wallet that opens twenty streams at two gateways and moves its money away gets one, which is cut', async () => {
  far.on('/sold/endless', async (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    while (!res.destroyed) {
      res.write(words('more'))
      await pause(20)
    }
  })
  const [caller] = callers
  if (!caller) throw new Error('there is no caller')
  const funds = 5_000_000n
  const wallet = await uptoWallet(chain, funds)
  const call = askModel('/sold/endless', {}, { stream: true })
  const payments = await Promise.all(Array.from({ length: 20 }, () => caller.sign(call, wallet)))

  const begun = Promise.withResolvers<void>()
  const replies = payments.map(async (payment, n) => {
    const reply = await (callers[n % 2] ?? caller).send(call, payment)
    if (reply.status === 200) begun.resolve()
    await reply.text().catch(() => 'cut')
    return reply.status
  })
  await begun.promise
  await first.account.submit(await signPayment(wallet, funds, { to: freshWallet().address }))

  expect((await Promise.all(replies)).sort()).toEqual([200, ...Array(19).fill(402)])
  expect(far.heard('/sold/endless')).toHaveLength(1)
  await Promise.all([first.idle(), second.idle()])
  const states = await Promise.all(payments.map(caller.stateOf))
  expect(states.filter((state) => state !== undefined)).toEqual(['failed'])
})
