import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import type { Delivery } from '../../../src/core/catalog/metering.ts'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { bind } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Reply } from '../../../src/core/reply.ts'
import { createStoreCounters } from '../../../src/doors/quota/counters/store.ts'
import { createQuotaDoor, type QuotaDoor } from '../../../src/doors/quota/door.ts'
import { createLateUses } from '../../../src/doors/quota/late-uses.ts'
import { createLimits } from '../../../src/doors/quota/limits.ts'
import { createMemoryRates } from '../../../src/doors/quota/rates/memory.ts'
import type { Use } from '../../../src/doors/quota/use.ts'
import { keyUsageHandlers, keyUsageRows } from '../../../src/edge/handlers/keys/usage.ts'
import { contextOf } from '../../support/gateways/context.ts'
import { type Counting, type OpenedCounting, quickDrivers } from '../../support/stores/counting.ts'
import { type Opened, openServer } from '../../support/stores/ledger.ts'

/** Allowances in units: a call reserves its maximum, the used units are taken, and the rest is given back. */

const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') }
const log = createLog('silent')
const price = { per: 'tokens', units: 1_000_000, output: '1', max: '0.01' } as const
const meter: Meter = { ...price, maxUnits: 8_000 }
const tokensADay = { limit: 100_000, unit: 'tokens', per: 'day' } as const
const callsAMonth = { limit: 1_000, unit: 'calls', per: 'month' } as const

const doorOf = ({ counters, limits, rates }: Counting) =>
  createQuotaDoor({ counters, limits, rates, lateUses: createLateUses(counters, log), clock, log })

const ended = (output: number, outcome: Delivery['outcome'] = 'complete'): Delivery => ({
  outcome,
  usage: { input: 0, output, isEstimate: false },
})
const collected = (output: number): Reply => ({
  status: 200,
  headers: {},
  body: new Uint8Array(),
  delivered: Promise.resolve(ended(output)),
})

/** A streamed reply that lasts until it is ended. */
function streamed() {
  const { promise, resolve } = Promise.withResolvers<Delivery>()
  const reply: Reply = {
    status: 200,
    headers: {},
    body: new Uint8Array(),
    async *stream() {},
    delivered: promise,
  }
  return { reply, end: resolve }
}

describe.each(quickDrivers)('an allowance of tokens counted in %s', (_driver, open) => {
  let opened: OpenedCounting
  let door: QuotaDoor
  let other: QuotaDoor
  let use: Use

  beforeAll(async () => {
    opened = await open()
    door = doorOf(opened.one)
    other = doorOf(opened.other)
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    const subject = `key:${randomBytes(8).toString('hex')}`
    const allowances = [tokensADay, callsAMonth]
    use = {
      subject,
      operation: 'chat',
      rate: undefined,
      rateOf: subject,
      allowances,
      countsUnlimited: false,
      meter,
    }
  })

  const used = async () => {
    const usages = await opened.other.counters.used(use.subject, ['2026-11-21', '2026-11'])
    return Object.fromEntries(usages.map((one) => [`${one.operation} ${one.period}`, one.used]))
  }

  test('of fifty calls at once with units for twelve, twelve begin, and the others take nothing', async () => {
    const calls = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? door : other).open(use)),
    )
    const admitted = calls.flatMap((call) => (call.status === 'fulfilled' ? call.value : []))
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? call.reason : []))
    expect(admitted).toHaveLength(12)
    expect(refused).toHaveLength(38)
    for (const error of refused) expect(error).toMatchObject({ code: 'RATE_LIMIT' })
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 96_000, 'chat 2026-11': 12 })

    for (const admission of admitted) await admission.settle(collected(500))
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 6_000, 'chat 2026-11': 12 })
  })

  test('the headers of a collected reply have the exact rest of the allowance', async () => {
    const { headers } = await (await door.open(use)).settle(collected(500))
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': '99500',
      'x-ratelimit-reset': '43200',
      ratelimit: '"day";r=99500;t=43200, "month";r=999;t=820800',
      'ratelimit-policy': '"day";q=100000;qu="tokens";w=86400, "month";q=1000;w=2592000',
    })
  })

  test('the headers of a stream count its whole reservation, and its unused part is free again at the end', async () => {
    const { reply, end } = streamed()
    const { headers } = await (await door.open(use)).settle(reply)
    expect(headers.ratelimit).toContain('"day";r=92000')
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 8_000, 'chat 2026-11': 1 })
    end(ended(1_234, 'left'))
    await door.idle()
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 1_234, 'chat 2026-11': 1 })
  })

  test('an undelivered stream gives back all units, and the call is counted', async () => {
    for (const delivery of [ended(0, 'broken'), { outcome: 'broken', usage: undefined } as const]) {
      const { reply, end } = streamed()
      await (await door.open(use)).settle(reply)
      end(delivery)
    }
    await door.idle()
    expect(await used()).toEqual({ 'chat 2026-11': 2 })
  })

  test('a call is never charged more than its reservation', async () => {
    const { headers } = await (await door.open(use)).settle(collected(1_000_000))
    expect(headers['x-ratelimit-remaining']).toBe('92000')
    expect(await used()).toMatchObject({ 'chat.tokens 2026-11-21': 8_000 })
  })

  test('a failed call gives back everything; a caller who left has used a call and no tokens', async () => {
    expect(await (await door.open(use)).release()).toMatchObject({ 'x-ratelimit-remaining': '100000' })
    expect(await used()).toEqual({})
    await (await door.open(use)).release('caller_left')
    expect(await used()).toEqual({ 'chat 2026-11': 1 })
  })

  test('of large requests that fail by their caller’s making, six a minute are given back; the others count by their length', async () => {
    const large = { ...use, requestBytes: () => 20_000 }
    const fail = async (one: Use) => (await door.open(one)).release('callers_making')
    for (let n = 0; n < 6; n += 1)
      expect(await fail(large)).toMatchObject({ 'x-ratelimit-remaining': '100000' })
    expect(await used()).toEqual({})
    expect(await fail(large)).toMatchObject({ 'x-ratelimit-remaining': '95000' })
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 5_000, 'chat 2026-11': 1 })
    // Never more than was reserved.
    await fail({ ...use, requestBytes: () => 10_000_000 })
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 13_000, 'chat 2026-11': 2 })
    // Small requests, failures of the upstream, and other callers are given back as before.
    await fail({ ...use, requestBytes: () => 16_384 })
    await (await door.open(large)).release()
    await fail({ ...large, subject: `${use.subject}:other` })
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 13_000, 'chat 2026-11': 2 })
  })

  test('a call that could use more than is left is refused, with the unit and the rest', async () => {
    const narrow = { ...use, allowances: [{ ...tokensADay, limit: 12_000 }, callsAMonth] }
    const held = await door.open(narrow)
    await expect(other.open(narrow)).rejects.toMatchObject({
      code: 'RATE_LIMIT',
      details: { limit: '12000 tokens in a day (UTC), of which 4000 are left and a call needs 8000' },
      headers: { 'retry-after': '43200', 'x-ratelimit-limit': '12000', 'x-ratelimit-remaining': '4000' },
    })
    await held.settle(collected(4_000))
    await (await other.open(narrow)).settle(collected(8_000))
    await expect(door.open(narrow)).rejects.toMatchObject({
      details: { limit: '12000 tokens in a day (UTC)' },
    })
    expect(await used()).toEqual({ 'chat.tokens 2026-11-21': 12_000, 'chat 2026-11': 2 })
  })

  test('reservations of a gateway that died stay taken', async () => {
    await door.open(use)
    const standings = await other.look(use)
    expect(standings).toMatchObject([
      { name: 'day', unit: 'tokens', units: 8_000, limit: 100_000, used: 8_000 },
      { name: 'month', unit: 'calls', units: 1, limit: 1_000, used: 1 },
    ])
  })
})

describe('a key and its tokens', () => {
  let opened: Opened
  let counting: Counting
  const subject = 'oidc:ann'
  const use = { subject, operation: 'chat', rate: undefined, rateOf: subject, countsUnlimited: true, meter }

  beforeAll(async () => {
    opened = await openServer()
    const rates = createMemoryRates()
    const counters = createStoreCounters(opened.one.queries)
    counting = { counters, rates, limits: createLimits(counters, rates) }
  })
  afterAll(() => opened.close())

  async function usageOf(allowances: string): Promise<unknown> {
    const provider = { name: 'a', description: 'b' }
    const tiers = { pro: { description: 'For work.', operations: { chat: allowances } } }
    const catalog = catalogSchema([]).parse({ provider, operations, upstreams, tiers })
    const books = { queries: opened.one.queries, clock }
    const rows = bind(
      keyUsageRows,
      keyUsageHandlers({ books, counters: counting.counters, catalog: () => catalog }),
    )
    const row = rows.find(({ id }) => id === 'getKeyUsage')
    const holder = { subject, keyId: undefined, tier: 'pro', scopes: undefined }
    const reply = await row?.prepare({})(contextOf({ holder }))
    return JSON.parse(new TextDecoder().decode(reply?.body)).operations
  }

  test('the holder reads limited and unlimited usage, and that in the unit of yesterday’s catalog', async () => {
    const door = doorOf(counting)
    const call = async (tokens: number, allowances: Use['allowances']) =>
      (await door.open({ ...use, allowances })).settle(collected(tokens))
    await call(700, [tokensADay])
    await call(0, [tokensADay])
    await call(23, [])
    await door.idle()
    const ends = { day: Date.parse('2026-11-22') / 1000, month: Date.parse('2026-12-01') / 1000 }
    const counted = (per: 'day' | 'month', used: number, limit: number | null = null) => {
      return { used, limit, remaining: limit === null ? null : limit - used, resetsAt: ends[per] }
    }
    const calls = { operation: 'chat', day: counted('day', 3), month: counted('month', 3) }
    const month = counted('month', 723)
    expect(await usageOf('100000 tokens/day')).toEqual([
      { ...calls, units: [{ unit: 'tokens', day: counted('day', 723, 100_000), month }] },
    ])
    expect(await usageOf('5/month')).toEqual([
      {
        ...calls,
        month: counted('month', 3, 5),
        units: [{ unit: 'tokens', day: counted('day', 723), month }],
      },
    ])
  })

  test('units that cannot be given back are logged, used units are counted later, and the reply is still sent', async () => {
    const { one } = opened
    const lines: string[] = []
    const log = createLog('info', { write: (line: string) => void lines.push(line) })
    const lateUses = createLateUses(counting.counters, log)
    const door = createQuotaDoor({ ...counting, lateUses, clock, log })
    const [small, long] = await Promise.all(
      [1, 2].map(() => door.open({ ...use, operation: 'draw', allowances: [tokensADay] })),
    )
    await sql`alter table usage rename to elsewhere`.execute(one.queries)
    const { headers } = (await small?.settle(collected(5))) ?? {}
    expect(headers?.ratelimit).toMatch(/"day";r=(92|84)000/)
    const { reply, end } = streamed()
    await long?.settle(reply)
    end(ended(5))
    await door.idle()
    expect(lines.filter((line) => line.includes('stay taken'))).toHaveLength(2)

    await sql`alter table elsewhere rename to usage`.execute(one.queries)
    await door.idle()
    expect(await counting.counters.used(subject, ['2026-11'])).toContainEqual({
      operation: 'draw.tokens',
      period: '2026-11',
      used: 10,
    })
  })
})

const upstreams = { llm: { prefix: '/llm', targets: ['https://llm.example'] } }
const operations = {
  chat: {
    access: 'price',
    price: { ...price, max_units: 8_000 },
    description: 'A.',
    upstream: 'llm',
    route: 'POST /chat',
  },
}
