import request from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/core/clock.ts'
import { type Endpoint, endpoint, noInput } from '../../../src/core/endpoint.ts'
import { json } from '../../../src/core/reply.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import { decode, freshWallet } from '../../support/chain/wallet.ts'
import { type Brought, type CallerName, createCallers } from '../../support/gateways/callers.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { idOf } from '../../support/gateways/shop.ts'
import { baseUrl, openTokens } from '../../support/gateways/tokens.ts'
import { serve, type TestServer } from '../../support/servers/handler.ts'

/**
 * The three doors, through HTTP: every kind of operation with every kind of caller, with and without units
 * left. The handler is the test's own, behind the whole chain of a real gateway.
 */

/** An operation for each kind of access, and the amount of a payment for it. */
const places = {
  open: { id: 'getPricing', amount: 100_000n },
  optional: { id: 'researchLead', amount: 250_000n },
  unpriced: { id: 'getHealth', amount: 100_000n },
  key: { id: 'getPaymentsHealth', amount: 100_000n },
  holder: { id: 'getKeyUsage', amount: 100_000n },
  price: { id: 'analyzeBusiness', amount: 100_000n },
  operator: { id: 'ownOperation', amount: 100_000n },
} as const
type Place = keyof typeof places

const quotas = ['with units left', 'with none left'] as const
type Quota = (typeof quotas)[number]

const limitsOf = {
  analyzeBusiness: '2/day',
  researchLead: '2/day',
  getHealth: '2/day',
  getPaymentsHealth: '2/day',
}
const tiers = {
  covering: { description: 'Covers what there is.', rate: '100/minute', operations: limitsOf },
  narrow: { description: 'Covers something else.', operations: { writeBlog: '2/day' } },
  slow: { description: 'Covers one, slowly.', rate: '1/hour', operations: { analyzeBusiness: '2/day' } },
}
const scopes = Object.keys(limitsOf)

let chain: TestChain
let gateway: TestGateway
let server: TestServer
let payee: ReceivingAccount
let callers: ReturnType<typeof createCallers>
let removeFolder: () => Promise<void>
let handler: { runs: number; status: number }
let clients = 0

beforeAll(async () => {
  const temporary = await temporaryFolder()
  removeFolder = temporary.remove
  chain = await startTestChain()
  payee = createReceivingAccount(chain, freshWallet().address)
  const changes = {
    researchLead: { access: 'optional', free: '2/day', rate: '100/minute' },
    getHealth: { access: 'optional', free: '2/day' },
    getPaymentsHealth: { access: 'key' },
  }
  gateway = await startGateway(chain.rpcUrl, {
    BASE_URL: baseUrl,
    PAY_TO: payee.address,
    TRUST_PROXY: '1',
    CATALOG_FILE: await writeCatalog(temporary.folder, changes, tiers),
  })
  callers = createCallers(gateway, payee, scopes)
  server = await serve(gateway, endpoints())
})
afterAll(async () => {
  await server.close()
  await gateway.close()
  await chain.close()
  await removeFolder()
})
beforeEach(() => {
  handler = { runs: 0, status: 200 }
})

function endpoints(): Endpoint[] {
  const body = z.looseObject({})
  const row = (id: string) =>
    ({ ...noInput, method: 'POST', path: `/${id}`, body, response: z.unknown() }) as const
  const handle = () => {
    handler.runs += 1
    return json(handler.status, { run: handler.runs })
  }
  const { operator, ...inCatalog } = places
  const operation = { access: 'operator', description: 'Of the operator.', deadlineSeconds: 10 } as const
  return [
    ...Object.values(inCatalog).map(({ id }) => endpoint(id, row(id), handle)),
    endpoint(operator.id, { ...row(operator.id), operation }, handle),
  ]
}

/** How a call ends. With no units left, `free` and `key` become a 429; the other outcomes need no units. */
type Outcome =
  | 'runs'
  | 'free'
  | 'key'
  | 'paid'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_INVALID'
  | 'API_KEY_REQUIRED'
  | 'API_KEY_MALFORMED'
  | 'API_KEY_UNKNOWN'
  | 'API_KEY_EXPIRED'
  | 'API_KEY_REVOKED'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'TIER_INSUFFICIENT'
  | 'SCOPE_INSUFFICIENT'
  | 'OPERATOR_TOKEN_REQUIRED'
  | 'OPERATOR_TOKEN_INVALID'
  | 'CONFLICTING_CREDENTIALS'
  | 'CONFLICTING_PAYMENTS'

const order = ['open', 'optional', 'unpriced', 'key', 'holder', 'price', 'operator'] as const
type Line = readonly [
  open: Outcome,
  optional: Outcome,
  unpriced: Outcome,
  key: Outcome,
  holder: Outcome,
  price: Outcome,
  operator: Outcome,
]

const noToken = 'OPERATOR_TOKEN_REQUIRED'
const badToken = 'OPERATOR_TOKEN_INVALID'
const asHolder: Line = ['runs', 'key', 'key', 'key', 'runs', 'key', noToken]
/** For credentials that are refused by every operation that reads them. */
const wrong = (code: Outcome, operator: Outcome = noToken): Line => [
  'runs',
  code,
  code,
  code,
  code,
  code,
  operator,
]
/** @param priced the outcome where a payment can replace the key. */
const uncovered = (priced: Outcome): Line => [
  'runs',
  priced,
  'TIER_INSUFFICIENT',
  'TIER_INSUFFICIENT',
  'runs',
  priced,
  noToken,
]
const withoutKey = (optional: Outcome, price: Outcome): Line => [
  'runs',
  optional,
  'free',
  'API_KEY_REQUIRED',
  'API_KEY_REQUIRED',
  price,
  noToken,
]
const atOperator = (line: Line, operator: Outcome): Line => [
  line[0],
  line[1],
  line[2],
  line[3],
  line[4],
  line[5],
  operator,
]

const table: Record<CallerName, Line> = {
  'no credentials': withoutKey('free', 'PAYMENT_REQUIRED'),
  'a key': asHolder,
  'a key as a bearer token': atOperator(asHolder, badToken),
  'a key of a tier that does not cover it': uncovered('PAYMENT_REQUIRED'),
  'a key of a tier that is gone': uncovered('PAYMENT_REQUIRED'),
  'a malformed key': wrong('API_KEY_MALFORMED'),
  'an unknown key': wrong('API_KEY_UNKNOWN'),
  'a forged key': wrong('API_KEY_UNKNOWN'),
  'an expired key': wrong('API_KEY_EXPIRED'),
  'a revoked key': wrong('API_KEY_REVOKED'),
  'a key that was replaced': wrong('API_KEY_REVOKED'),
  'an access token': atOperator(asHolder, badToken),
  'an access token for another operation': [
    'runs',
    'SCOPE_INSUFFICIENT',
    'SCOPE_INSUFFICIENT',
    'SCOPE_INSUFFICIENT',
    'runs',
    'SCOPE_INSUFFICIENT',
    badToken,
  ],
  'an expired access token': wrong('TOKEN_EXPIRED', badToken),
  'the access token of a revoked key': wrong('API_KEY_REVOKED', badToken),
  'an access token of another issuer': wrong('TOKEN_INVALID', badToken),
  'a tampered access token': wrong('TOKEN_INVALID', badToken),
  'the operator token': wrong('TOKEN_INVALID', 'runs'),
  'a key and an access token': wrong('CONFLICTING_CREDENTIALS', badToken),
  'a key and a payment': asHolder,
  'a key and an unreadable payment': asHolder,
  'a key that does not cover it and a payment': uncovered('paid'),
  'a key that does not cover it and an unreadable payment': uncovered('PAYMENT_INVALID'),
  'an unknown key and a payment': wrong('API_KEY_UNKNOWN'),
  'a payment': withoutKey('paid', 'paid'),
  'an unreadable payment': withoutKey('PAYMENT_INVALID', 'PAYMENT_INVALID'),
  'two payments': wrong('CONFLICTING_PAYMENTS'),
}

type Row = readonly [place: Place, caller: CallerName, quota: Quota, outcome: Outcome]

const rows = callerNames().flatMap((caller) =>
  order.flatMap((place, column) =>
    quotas.map((quota): Row => [place, caller, quota, table[caller][column] ?? 'runs']),
  ),
)

function callerNames(): CallerName[] {
  const names: CallerName[] = []
  let name: CallerName
  for (name in table) names.push(name)
  return names
}

/** The units that a client or a key has used today. */
async function used(subject: string, operation: string): Promise<number> {
  const rows = await gateway.services.queries
    .selectFrom('usage')
    .select('used')
    .where('subject', '=', subject)
    .where('operation', '=', operation)
    .where('period', '=', today())
    .execute()
  return Number(rows[0]?.used ?? 0)
}

const today = () => new Date().toISOString().slice(0, 10)

async function useUp(subject: string, operation: string): Promise<void> {
  const row = { subject, operation, period: today(), used: 2n }
  await gateway.services.queries.insertInto('usage').values(row).execute()
}

/** A client that no other test uses. */
function newClient(): string {
  clients += 1
  return `10.0.${Math.floor(clients / 250)}.${clients % 250}`
}

const call = (id: string, client: string, { headers }: Brought) =>
  request(server.url).post(`/${id}`).set('x-forwarded-for', client).set(headers).send({})

async function stateOf({ payment }: Brought): Promise<string | undefined> {
  if (!payment) return undefined
  const { queries } = gateway.services
  const row = queries.selectFrom('payments').select('state').where('id', '=', idOf(payment))
  return (await row.executeTakeFirst())?.state
}

const limitNames = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
]

/**
 * @param remaining units of the day.
 * @param calls left of the hundred a minute; undefined without such a limit.
 */
function expectLimits({ headers }: request.Response, remaining: number, calls: number | undefined): void {
  const rate = calls === undefined ? '' : `"rate";r=${calls};t=60, `
  expect(headers['x-ratelimit-limit']).toBe('2')
  expect(headers['x-ratelimit-remaining']).toBe(String(remaining))
  expect(headers['x-ratelimit-reset']).toMatch(/^[1-9]\d{0,4}$/)
  expect(headers.ratelimit).toBe(`${rate}"day";r=${remaining};t=${headers['x-ratelimit-reset']}`)
  expect(headers['ratelimit-policy']).toBe(`${rate && '"rate";q=100;w=60, '}"day";q=2;w=86400`)
}

describe('a call', () => {
  test.each(rows)('to an operation of access %s with %s, %s: %s', async (place, caller, quota, outcome) => {
    const { id, amount } = places[place]
    const brought: Brought = await callers[caller](amount)
    const client = newClient()
    const subjects = [`client:${client}`, ...(brought.keyId ? [`key:${brought.keyId}`] : [])]
    if (quota === 'with none left') for (const subject of subjects) await useUp(subject, id)
    const before = { units: await units(), money: await payee.balanceOf(payee.address) }

    const reply = await call(id, client, brought)

    const isCounted = outcome === 'free' || outcome === 'key'
    const isExhausted = isCounted && quota === 'with none left'
    const runs = !isExhausted && (isCounted || outcome === 'runs' || outcome === 'paid')
    const taken = subjects.map((subject) =>
      Number(isCounted && runs && subject.startsWith(outcome === 'free' ? 'client:' : 'key:')),
    )
    expect((await units()).map((count, index) => count - (before.units[index] ?? 0))).toEqual(taken)
    expect(handler.runs).toBe(runs ? 1 : 0)
    expect(await stateOf(brought)).toBe(outcome === 'paid' ? 'settled' : undefined)
    const received = (await payee.balanceOf(payee.address)) - before.money
    expect(received).toBe(outcome === 'paid' ? amount : 0n)
    expect('payment-response' in reply.headers).toBe(outcome === 'paid')

    if (runs) expect(reply).toMatchObject({ status: 200, body: { run: 1 } })
    // When the day refuses, the rate is given back: all limits are taken together or none.
    const calls = outcome === 'key' || place === 'optional' ? (runs ? 99 : 100) : undefined
    if (isCounted) expectLimits(reply, runs ? 1 : 0, calls)
    else expect(Object.keys(reply.headers).filter((name) => limitNames.includes(name))).toEqual([])

    if (isExhausted) {
      expect(reply).toMatchObject({ status: 429, body: { error: 'rate_limited', code: 'RATE_LIMIT' } })
      expect(reply.body.details).toEqual({
        retry_after_seconds: Number(reply.headers['x-ratelimit-reset']),
        limit: '2 in a day (UTC)',
      })
      expect(reply.headers['retry-after']).toBe(reply.headers['x-ratelimit-reset'])
    } else if (!runs) {
      expect(reply.body.code).toBe(outcome)
      expect([reply.status, reply.body.error]).toEqual(statusOf(outcome))
    }

    const isSold = place === 'optional' || place === 'price'
    const isOffered = reply.status === 402 || (isExhausted && isSold)
    expect('payment-required' in reply.headers).toBe(isOffered)
    expect('x-payment' in reply.headers).toBe(isOffered)
    if (isExhausted) expect(/pay/i.test(reply.body.message)).toBe(isSold)
    if (isOffered) {
      expect(decode(reply.headers['payment-required'])).toMatchObject({ accepts: [{ amount: `${amount}` }] })
    }
    const realm = place === 'operator' ? 'operator' : 'tollgate'
    const { 'www-authenticate': challenge } = reply.headers
    if (reply.status === 401) expect(challenge).toMatch(new RegExp(`^Bearer realm="${realm}"`))
    else if (outcome === 'SCOPE_INSUFFICIENT') expect(challenge).toContain(`scope="${id}"`)
    else expect(challenge).toBeUndefined()

    async function units() {
      return Promise.all(subjects.map((subject) => used(subject, id)))
    }
  })

  test('is listed for every operation, caller and quota', () => {
    expect(new Set(order)).toEqual(new Set(Object.keys(places)))
    const all = Object.keys(table).length * order.length * quotas.length
    expect(new Set(rows.map(([...row]) => row.slice(0, 3).join()))).toHaveLength(all)
  })
})

/**
 * The specification's status for an error code, written by hand so that it does not repeat the code's table.
 */
function statusOf(outcome: Outcome): [number, string] {
  switch (outcome) {
    case 'CONFLICTING_CREDENTIALS':
    case 'CONFLICTING_PAYMENTS':
      return [400, 'bad_request']
    case 'PAYMENT_REQUIRED':
    case 'PAYMENT_INVALID':
      return [402, 'payment_required']
    case 'TIER_INSUFFICIENT':
    case 'SCOPE_INSUFFICIENT':
      return [403, 'forbidden']
    default:
      return [401, 'unauthorized']
  }
}

describe('a call that fails', () => {
  test('gives the client its unit back, and its headers show that', async () => {
    const client = newClient()
    handler.status = 500
    const reply = await call('getHealth', client, { headers: {} })
    expect(reply.status).toBe(500)
    expectLimits(reply, 2, undefined)
    expect(await used(`client:${client}`, 'getHealth')).toBe(0)
  })

  test('gives the key its unit back, and does not use the payment beside it', async () => {
    const brought = await callers['a key and a payment'](100_000n)
    handler.status = 400
    const reply = await call('analyzeBusiness', newClient(), brought)
    expect(reply.status).toBe(400)
    expectLimits(reply, 2, 99)
    expect(await used(`key:${brought.keyId}`, 'analyzeBusiness')).toBe(0)
    expect(await stateOf(brought)).toBeUndefined()
  })

  test('takes no money, and the same payment pays for the next try', async () => {
    const brought = await callers['a payment'](100_000n)
    handler.status = 503
    const before = await payee.balanceOf(payee.address)
    expect((await call('analyzeBusiness', newClient(), brought)).status).toBe(503)
    expect(await payee.balanceOf(payee.address)).toBe(before)
    handler.status = 200
    expect((await call('analyzeBusiness', newClient(), brought)).status).toBe(200)
    expect(await payee.balanceOf(payee.address)).toBe(before + 100_000n)
  })
})

test('a key over its rate gets a 429 with the price and loses no unit of its quota', async () => {
  const { key, text } = await openTokens(gateway.services.queries, systemClock).makeKey({ tier: 'slow' })
  const sent = { headers: { 'x-mcp-api-key': text } }
  expect((await call('analyzeBusiness', newClient(), sent)).status).toBe(200)
  const reply = await call('analyzeBusiness', newClient(), sent)
  expect(reply).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMIT', details: { limit: '1 in 3600 s' } },
  })
  expect(reply.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' })
  expect(decode(reply.headers['payment-required'])).toMatchObject({ accepts: [{ amount: '100000' }] })
  expect(handler.runs).toBe(1)
  expect(await used(`key:${key.id}`, 'analyzeBusiness')).toBe(1)
})

test('an invalid body costs no unit and no money, at every door', async () => {
  for (const caller of ['no credentials', 'a key', 'a payment'] as const) {
    const brought: Brought = await callers[caller](250_000n)
    const client = newClient()
    const subject = brought.keyId ? `key:${brought.keyId}` : `client:${client}`
    const reply = await call('researchLead', client, brought).send('[1')
    expect(reply).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } })
    expect(await used(subject, 'researchLead')).toBe(0)
    expect(await stateOf(brought)).toBeUndefined()
  }
  expect(handler.runs).toBe(0)
})
