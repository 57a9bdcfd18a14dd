import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../../../src/core/endpoint.ts'
import { claim } from '../../../src/doors/ledger/claim.ts'
import { beginCost } from '../../../src/doors/ledger/costs.ts'
import { markServed, markSettled } from '../../../src/doors/ledger/grouped-moves.ts'
import { noteMetering } from '../../../src/doors/ledger/meterings.ts'
import { beginRefund, markRefunded } from '../../../src/doors/ledger/refunds.ts'
import { callsSchema, usageSchema } from '../../../src/edge/handlers/operator/replies.ts'
import { usageHandlers, usageRows } from '../../../src/edge/handlers/operator/usage.ts'
import type { Books } from '../../../src/platform/store/books.ts'
import type { MeteringRow } from '../../../src/platform/store/rows/payments.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { type StandIn, startStandIn } from '../../support/servers/stand-in.ts'
import { hex, leaseMs, limits, newPayment, type Opened, openServer } from '../../support/stores/ledger.ts'

/** The operator reads the metered usage, by the endpoints and by `tollgate usage`. */

let opened: Opened
let books: Books
let workplace: Workplace
let gateway: StandIn
let paymentId: string

const at = Date.UTC(2026, 4, 1)
const metering = (change: Partial<MeteringRow>): MeteringRow => ({
  callId: hex(8),
  operation: 'chat',
  door: 'payment',
  subject: '0xpayer',
  paymentId: null,
  unit: 'tokens',
  input: 100n,
  output: 20n,
  isEstimate: false,
  outcome: 'complete',
  amount: 140n,
  createdAt: new Date(at),
  ...change,
})

/**
 * A payment of 200 for usage of 140 that cost 160, an estimated call with a key that cost 30, and a free call
 * without a meter that cost 50.
 */
beforeAll(async () => {
  opened = await openServer()
  books = { queries: opened.one.queries, clock: { now: () => at } }
  const payment = newPayment({ amount: 200n, operation: 'chat' })
  paymentId = payment.id
  const claimed = await claim(books, payment, limits)
  if (claimed.kind !== 'claimed') throw new Error('a new payment could not be claimed')
  await markServed(books, claimed.held, undefined, leaseMs)
  const block = { number: 1n, hash: hex(32) }
  await markSettled(books, claimed.held, { transaction: hex(32), block, at: new Date(at) })
  await noteMetering(books, metering({ callId: 'sold', paymentId: paymentId }))
  await noteMetering(
    books,
    metering({
      callId: 'keyed',
      door: 'key',
      subject: 'key:abc',
      isEstimate: true,
      createdAt: new Date(at + 1_000),
    }),
  )
  const cost = {
    id: hex(32),
    callId: 'sold',
    operation: 'chat',
    upstream: 'model',
    chainId: 84_532,
    asset: hex(20),
    payer: hex(20),
    payTo: hex(20),
    amount: 160n,
    validBefore: 1n,
  }
  const limit = { perDay: 1_000n, dayStart: new Date(0) }
  await beginCost(books, cost, limit)
  await beginCost(books, { ...cost, id: hex(32), callId: 'keyed', amount: 30n }, limit)
  const free = { callId: 'free', door: 'free', subject: 'client:192.0.2.7', unit: null } as const
  await noteMetering(books, metering({ ...free, operation: 'search', input: 0n, output: 0n, amount: 100n }))
  await beginCost(books, { ...cost, id: hex(32), callId: 'free', operation: 'search', amount: 50n }, limit)

  workplace = await openWorkplace()
  gateway = await startStandIn((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://gateway')
    void ask(pathname, Object.fromEntries(searchParams)).then(
      ({ status, headers, body }) => res.writeHead(status, headers).end(body),
      (error: unknown) => res.writeHead(500).end(String(error)),
    )
  })
})
afterAll(async () => {
  await gateway.close()
  await workplace.close()
  await opened.close()
})

async function ask(path: string, query: object = {}) {
  const found = bind(usageRows, usageHandlers(books, { chainId: 84_532 })).find(
    (endpoint) => endpoint.path === path,
  )
  if (!found) throw new Error(`there is no ${path}`)
  return found.prepare({ query })(contextOf())
}
const read = async (path: string, query: object = {}): Promise<unknown> =>
  JSON.parse(Buffer.from((await ask(path, query)).body).toString())
const usage = async (...args: string[]) => {
  const settings = { OPERATOR_TOKEN: randomBytes(16).toString('hex') }
  return workplace.run('cli', { args: ['usage', '--url', gateway.url, ...args], settings })
}

describe('GET /operator/usage', () => {
  test('shows the usage, its amount, the money taken and the cost', async () => {
    const { usage, costs } = usageSchema.parse(await read('/operator/usage'))
    expect(usage).toEqual([
      expect.objectContaining({
        operation: 'chat',
        door: 'key',
        calls: 1,
        estimates: 1,
        taken: '0.00',
        cost: '0.00003',
        margin: null,
      }),
      {
        operation: 'chat',
        door: 'payment',
        unit: 'tokens',
        calls: 1,
        input: '100',
        output: '20',
        estimates: 0,
        amount: '0.00014',
        amountAtomic: '140',
        taken: '0.0002',
        refunded: '0.00',
        cost: '0.00016',
        margin: '0.00004',
      },
      {
        operation: 'search',
        door: 'free',
        unit: null,
        calls: 1,
        input: '0',
        output: '0',
        estimates: 0,
        amount: '0.0001',
        amountAtomic: '100',
        taken: '0.00',
        refunded: '0.00',
        cost: '0.00005',
        margin: '-0.00005',
      },
    ])
    expect(costs).toMatchObject([
      { upstream: 'model', operation: 'chat', state: 'signed', payments: 2, amountAtomic: '190' },
      { upstream: 'model', operation: 'search', state: 'signed', payments: 1, amountAtomic: '50' },
    ])
    const later = usageSchema.parse(await read('/operator/usage', { since: '2026-05-01T00:00:01Z' }))
    expect(later.usage.map(({ door }) => door)).toEqual(['key'])
    expect(later.costs).toEqual([])
  })

  test('of single calls shows the money taken and the cost of each, page by page', async () => {
    const first = callsSchema.parse(await read('/operator/usage/calls', { limit: '1' }))
    expect(first.calls).toMatchObject([
      { callId: 'keyed', subject: 'key:abc', isEstimate: true, taken: null, margin: null },
    ])
    const next = { limit: '1', cursor: first.nextCursor }
    const second = callsSchema.parse(await read('/operator/usage/calls', { ...next, door: 'payment' }))
    expect(second).toMatchObject({
      calls: [{ callId: 'sold', paymentId, taken: '0.0002', cost: '0.00016', margin: '0.00004' }],
      nextCursor: null,
    })
    const free = callsSchema.parse(await read('/operator/usage/calls', { door: 'free' }))
    expect(free.calls).toMatchObject([{ callId: 'free', taken: null, cost: '0.00005', margin: '-0.00005' }])
    const byKey = callsSchema.parse(await read('/operator/usage/calls', { door: 'key', operation: 'chat' }))
    expect(byKey.calls.map(({ callId }) => callId)).toEqual(['keyed'])
    await expect(ask('/operator/usage/calls', { door: 'window' })).rejects.toThrow()
  })
})

test('tollgate usage shows the same numbers as the endpoints', async () => {
  const [sums, calls] = await Promise.all([usage('--until', '2026-05-02'), usage('--calls', '--limit', '1')])
  expect(sums.stdout).toMatch(/^chat +payment +1 +100 +20 +tokens +0\.00014 +0\.0002 +0\.00016 +0\.00004$/m)
  expect(sums.stdout).toMatch(/^chat +key +1 +100 +20 +tokens +0\.00014 +0\.00 +0\.00003 +-$/m)
  expect(sums.stdout).toMatch(/^search +free +1 +0 +0 +- +0\.0001 +0\.00 +0\.00005 +-0\.00005$/m)
  expect(sums.stdout).toMatch(/^model +chat +signed +2 +0\.00019$/m)
  expect(calls.stdout).toMatch(/Z +chat +key +100\+20 tokens \(estimated\) +0\.00014 +- +0\.00003 +key:abc$/m)
  expect(calls.stderr).toMatch(/^There are more: --cursor \S+$/m)
})

test('a refund lowers the money taken and the margin of its call, and is shown', async () => {
  const signing = { refundFrom: hex(20), refundUntil: 1n }
  const row = await beginRefund(books, paymentId, signing, leaseMs, { amount: 150n })
  if (!row) throw new Error('there was nothing to refund')
  await markRefunded(books, row, hex(32))
  const money = { taken: '0.00005', refunded: '0.00015', cost: '0.00016', margin: '-0.00011' }
  const sums = usageSchema.parse(await read('/operator/usage'))
  expect(sums.usage.find(({ door }) => door === 'payment')).toMatchObject(money)
  const single = callsSchema.parse(await read('/operator/usage/calls', { door: 'payment' }))
  expect(single.calls).toMatchObject([{ callId: 'sold', ...money }])
  const [all, calls] = await Promise.all([usage(), usage('--calls')])
  expect(all.stdout).toMatch(/ worth +taken +refunded +cost +margin$/m)
  expect(all.stdout).toMatch(/^chat +payment .* +0\.00014 +0\.00005 +0\.00015 +0\.00016 +-0\.00011$/m)
  expect(calls.stdout).toMatch(/ chat +payment .* +0\.00014 +0\.00005 +0\.00015 +0\.00016 +0xpayer$/m)
})
