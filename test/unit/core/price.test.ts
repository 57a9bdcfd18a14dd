import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/core/catalog/catalog.ts'
import type { ExpressionPrice } from '../../../src/core/catalog/prices.ts'
import { endpoint, noBody, noInput } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import type { IncomingRequest } from '../../../src/core/incoming-request.ts'
import { createLog } from '../../../src/core/log.ts'
import { formatUsdc, parseUsdc } from '../../../src/core/money.ts'
import { json, type Reply } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import type { HeldCall } from '../../../src/gateway/bodies/hold-bodies.ts'
import { createWaitingBodies } from '../../../src/gateway/bodies/waiting-bodies.ts'
import { type PricedCall, priceCall } from '../../../src/gateway/price.ts'
import { requestPrice } from '../../../src/gateway/pricing/expression-price.ts'
import { RequestPrices } from '../../../src/gateway/pricing/request-prices.ts'
import { offer } from '../../support/chain/upto.ts'
import { noHeaders } from '../../support/gateways/context.ts'

/** Prices that depend on the request: the price in the 402 is the price that the same call is charged. */

const images: ExpressionPrice = {
  per: 'request',
  count: 'int(body.n) * int(query.size)',
  each: '0.02',
  base: '0.01',
  max: '1.00',
}

const operationAt = (price: ExpressionPrice | string): Operation => ({
  access: 'price',
  description: 'Draws.',
  deadlineSeconds: 60,
  priced: {
    description: 'Draws.',
    ...(typeof price === 'string' ? { price } : { price: price.max, expression: price }),
    settle: 'after',
    deadlineSeconds: 60,
    validitySeconds: 300,
  },
})

const prices = new RequestPrices(createLog('silent'))
afterAll(() => prices.close())

interface Asked {
  readonly body?: string
  readonly query?: Readonly<Record<string, unknown>>
  /** The announced length: by default that of the body, undefined for a chunked one. */
  readonly length?: number | undefined
  readonly client?: string
}

const draw = endpoint('draw', { ...noInput, method: 'POST', path: '/draw', response: noBody }, () =>
  json(200, {}),
)

function callOf(operation: Operation, asked: Asked) {
  const { body = '', query = {}, client = '192.0.2.1' } = asked
  const limits: number[] = []
  const incoming: IncomingRequest = {
    method: 'POST',
    path: '/draw',
    headers: {},
    from: { address: '192.0.2.1', protocol: 'http', host: undefined },
    httpVersion: '1.1',
    length: 'length' in asked ? asked.length : Buffer.byteLength(body),
    collect: async (maxBytes) => {
      limits.push(maxBytes)
      if (Buffer.byteLength(body) > maxBytes)
        throw new GatewayError('PAYLOAD_TOO_LARGE', { max_bytes: maxBytes })
      return Buffer.from(body)
    },
    collected: () => undefined,
    stream: () => Readable.from([body]),
    isAwaited: () => false,
    isUpgrade: false,
    inform: () => {},
  }
  const call: HeldCall = {
    id: 'c1',
    endpoint: { ...draw, upstream: { name: 'painter', host: undefined, maxRequestBytes: 5_000_000 } },
    operation,
    target: '/draw',
    client: () => client,
    params: { style: 'oil' },
    readQuery: () => query,
    readBody: () => Promise.reject(new Error('the body of a relayed call is collected')),
    onLeave: () => () => {},
    incoming,
    principal: { kind: 'anonymous' },
    headers: noHeaders,
    room: createWaitingBodies(40_000_000, createLog('silent')).openRoom(() => '192.0.2.1'),
  }
  return { call, limits }
}

/** @returns the operation that the stage passes on. */
async function priced(operation: Operation, asked: Asked = {}, by = prices) {
  const { call, limits } = callOf(operation, asked)
  const seen: Operation[] = []
  const passed = async ({ operation: found }: PricedCall): Promise<Reply> => {
    if (found.access !== 'operator' && found.access !== 'withdrawn') seen.push(found)
    return json(200, {})
  }
  await priceCall(by)(call, passed)
  const [found] = seen
  if (!found) throw new Error('nothing was passed on')
  return { operation: found, price: found.priced?.price, limits }
}

const one = { body: '{"n":3}', query: { size: '4' } }

describe('an operation priced by an expression', () => {
  test.each<[string, ExpressionPrice, Asked, string]>([
    ['costs its base plus the price of each unit', images, one, '0.25'],
    ['costs its base for zero units', images, { body: '{"n":0}', query: { size: '4' } }, '0.01'],
    ['never costs more than its maximum', images, { body: '{"n":1000000}', query: { size: '4' } }, '1.00'],
    ['costs its maximum if a field is missing', images, { body: '{}', query: { size: '4' } }, '1.00'],
    [
      'costs its maximum if a field has another type',
      images,
      { body: '{"n":[]}', query: { size: '4' } },
      '1.00',
    ],
    ['costs its maximum for a negative count', images, { body: '{"n":-3}', query: { size: '4' } }, '1.00'],
    ['costs its maximum for a body that is not JSON', images, { body: 'n=3', query: { size: '4' } }, '1.00'],
    ...['"N":3', '"n ":3,"n":1', '"ｎ":3,"n":1', '"n\\u0000x":3,"n":1', '"__proto__":{"n":3},"n":1'].map(
      (members): [string, ExpressionPrice, Asked, string] => [
        `costs its maximum for {${members}}, which servers read in several ways`,
        images,
        { body: `{${members}}`, query: { size: '4' } },
        '1.00',
      ],
    ),
    ['costs its maximum if no body was sent', images, { query: { size: '4' } }, '1.00'],
    [
      'costs its maximum if a chunked body is empty',
      { ...images, count: 'length' },
      { query: { size: '4' }, length: undefined },
      '1.00',
    ],
    [
      'costs its maximum if it counts the length and no body was sent',
      { ...images, count: 'length' },
      {},
      '1.00',
    ],
    ['can count the length of the body', { ...images, count: 'length' }, { body: '12345' }, '0.11'],
    [
      'costs its maximum for zero units, if it has no base',
      { per: 'request', count: 'int(query.n)', each: '0.01', max: '1' },
      { query: { n: '0' } },
      '1.00',
    ],
    [
      'costs its maximum for a negative fraction, also with a base',
      { ...images, count: 'double(query.n)' },
      { query: { n: '-0.5' } },
      '1.00',
    ],
    [
      'keeps every digit of a large amount',
      { per: 'request', count: 'int(query.n)', each: '0.000001', max: '900000000000' },
      { query: { n: '900719925474' } },
      '900719.925474',
    ],
    [
      'rounds a fraction of a unit up',
      { per: 'request', count: 'double(query.n) / 3.0', each: '0.01', max: '1' },
      { query: { n: '4' } },
      '0.02',
    ],
    [
      'can use the parameters of its path',
      { per: 'request', count: 'size(params.style)', each: '0.01', max: '1' },
      {},
      '0.03',
    ],
  ])('%s', async (_label, price, asked, wanted) => {
    expect((await priced(operationAt(price), asked)).price).toBe(wanted)
  })

  test('gets the same 402 for the same amount, so that its offer is signed once', async () => {
    const challenges = new Challenges(offer, 'https://pay.example.com')
    const challenge = async (asked: Asked) => {
      const { operation } = await priced(operationAt(images), asked)
      if (!operation.priced) throw new Error('the operation has no price')
      return challenges.unpaid({ endpoint: draw, target: draw.path }, operation.priced)
    }
    const first = await challenge(one)
    expect(await challenge({ body: '{"n":4}', query: { size: '3' } })).toBe(first)
    expect(await challenge({ body: '{"n":1}', query: { size: '3' } })).not.toBe(first)
  })

  test('reads at most a megabyte of the body, and refuses a larger body', async () => {
    expect((await priced(operationAt(images), one)).limits).toEqual([1_000_000])
    const large = { body: `{"n":1,"x":"${'a'.repeat(1_000_000)}"}`, query: { size: '1' } }
    await expect(priced(operationAt(images), large)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  test('does not read the body if its price does not depend on it', async () => {
    const byQuery = operationAt({ ...images, count: 'int(query.size)' })
    expect(await priced(byQuery, one)).toMatchObject({ price: '0.09', limits: [] })
  })
})

describe('a large body', () => {
  const large = (n: string) => ({ body: `{"n":${n},"x":"${'a'.repeat(20_000)}"}`, query: { size: '4' } })
  const opened: RequestPrices[] = []
  const open = (settings: ConstructorParameters<typeof RequestPrices>[1]) => {
    const one = new RequestPrices(createLog('silent'), settings)
    opened.push(one)
    return one
  }
  afterAll(() => Promise.all(opened.map((one) => one.close())))

  test('costs what the same request costs in a small one, and the maximum in the same cases', async () => {
    expect((await priced(operationAt(images), large('3'))).price).toBe('0.25')
    expect((await priced(operationAt(images), large('3,"N":9'))).price).toBe('1.00')
    expect((await priced(operationAt(images), large('['))).price).toBe('1.00')
  })

  test('costs the maximum if its price takes too long to find, and the next one has its price', async () => {
    const slow = { ...images, count: 'body.a.filter(x, body.a.exists(y, y == x + 1000000)).size()' }
    const one = open({ limitMs: 1_500 })
    const entries = Array.from({ length: 20_000 }, (_, n) => n)
    expect((await priced(operationAt(slow), { body: JSON.stringify({ a: entries }) }, one)).price).toBe(
      '1.00',
    )
    expect((await priced(operationAt(slow), { body: '{"a":[1,2]}' }, one)).price).toBe('0.01')
  })

  test('is refused with 429 once its client has used the thread for too long; small bodies and other clients are not', async () => {
    const one = open({ msPerMinute: 1 })
    await priced(operationAt(images), large('3'), one)
    await expect(priced(operationAt(images), large('3'), one)).rejects.toMatchObject({
      code: 'RATE_LIMIT',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    expect((await priced(operationAt(images), { body: '{"n":3}', query: { size: '4' } }, one)).price).toBe(
      '0.25',
    )
    expect((await priced(operationAt(images), { ...large('3'), client: '192.0.2.9' }, one)).price).toBe(
      '0.25',
    )
  })

  test('is refused with 429 while too many bodies of its client wait', async () => {
    const body = `{"n":3,"x":"${'a'.repeat(990_000)}"}`
    const calls = await Promise.allSettled(
      Array.from({ length: 13 }, () => priced(operationAt(images), { body, query: { size: '4' } })),
    )
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []))
    expect(refused).toHaveLength(2)
    for (const error of refused)
      expect(error).toMatchObject({ code: 'TOO_MANY_UPLOADS', headers: { 'retry-after': '5' } })
  })
})

describe('a condition for free calls', () => {
  const messages: ExpressionPrice = {
    per: 'request',
    count: '1',
    each: '0.01',
    max: '0.05',
    freeWhen: 'body.method in ["initialize", "tools/list"] || body.method.startsWith("notifications/")',
  }
  const opened = async (asked: Asked, operation = operationAt(messages)) => {
    const { operation: found, price } = await priced(operation, asked)
    return price ?? found.access
  }

  test.each(['{"method":"initialize"}', '{"id":1,"method":"tools/list"}', '{"method":"notifications/x"}'])(
    'opens the call %s, which has no price then',
    async (body) => {
      expect(await opened({ body })).toBe('open')
    },
  )

  test.each([
    ['a call of a tool', { body: '{"method":"tools/call"}' }, '0.01'],
    ['a message without a method', { body: '{"id":1}' }, '0.01'],
    ['a method that is no text', { body: '{"method":["initialize"]}' }, '0.01'],
    ['a batch', { body: '[{"method":"initialize"},{"method":"tools/call"}]' }, '0.01'],
    ['no body', {}, '0.05'],
    ['two methods', { body: '{"method":"tools/call","method":"initialize"}' }, '0.05'],
    [
      'two methods, one of them escaped',
      { body: '{"method":"initialize","\\u006dethod":"tools/call"}' },
      '0.05',
    ],
    ['a method in another case beside it', { body: '{"Method":"tools/call","method":"initialize"}' }, '0.05'],
    ['a method that ends at a NUL', { body: '{"method\\u0000":"tools/call","method":"initialize"}' }, '0.05'],
    ['a member __proto__', { body: '{"__proto__":{"method":"tools/call"},"method":"initialize"}' }, '0.05'],
    ['what is not JSON', { body: 'method=initialize' }, '0.05'],
    ['a body after another one', { body: '{"method":"initialize"}{"method":"tools/call"}' }, '0.05'],
  ])('does not hold for %s', async (_what, asked, price) => {
    expect(await opened(asked)).toBe(price)
  })

  test.each([
    ['each of its messages', ['tools/call', 'tools/list', 'tools/call'], '0.03'],
    ['the maximum at most', Array.from({ length: 20 }, () => 'tools/call'), '0.05'],
    ['the maximum if it is empty', [], '0.05'],
  ])('leaves a batch its price: %s', async (_what, methods, price) => {
    const byMessage = operationAt({ ...messages, count: 'type(body) == list ? body.size() : 1' })
    const body = JSON.stringify(methods.map((method) => ({ jsonrpc: '2.0', id: 1, method })))
    expect(await opened({ body }, byMessage)).toBe(price)
    expect(await opened({ body: '{"method":"tools/call"}' }, byMessage)).toBe('0.01')
    expect(await opened({ body: '{"method":"tools/list"}' }, byMessage)).toBe('open')
  })

  test('does not hold where the header of MCP names another method than the body', () => {
    const priceBeside = (...lines: string[]) =>
      requestPrice(messages, {
        body: Buffer.from('{"method":"tools/list"}'),
        target: '/x',
        query: {},
        params: {},
        headers: { 'mcp-method': lines },
      }).price
    expect(priceBeside('tools/list')).toBeUndefined()
    expect(priceBeside('tools/call')).toBe('0.01')
    expect(priceBeside('tools/list', 'tools/call')).toBe('0.01')
  })

  test('leaves a caller without a key the rate of the operation, and nothing else of its limits', async () => {
    const { priced: sold, ...others } = operationAt(messages)
    const optional: Operation = {
      ...others,
      access: 'optional',
      priced: sold,
      rate: { calls: 5, seconds: 60 },
      free: { per: 'day', limit: 3, unit: 'calls' },
    }
    const { operation } = await priced(optional, { body: '{"method":"initialize"}' })
    expect(operation).toMatchObject({ access: 'optional', rate: optional.rate })
    expect(operation.priced ?? ('free' in operation ? operation.free : undefined)).toBeUndefined()
  })
})

test('an operation with a fixed price keeps its price, and its body is not read', async () => {
  const operation = operationAt('0.10')
  const { operation: passed, limits } = await priced(operation, one)
  expect(passed).toBe(operation)
  expect(limits).toEqual([])
})

const documented = ['pricing/README.md', 'pricing/examples/calls.yaml'].flatMap((file) =>
  Array.from(
    readFileSync(file, 'utf8').matchAll(/count: "([^"]+)", each: "([^"]+)", max: "([^"]+)"/g),
    ([, count = '', each = '', max = '']) => ({ file, price: { per: 'request', count, each, max } as const }),
  ),
)

test('the documentation has examples of prices by expression', () => {
  expect(new Set(documented.map(({ file }) => file)).size).toBe(2)
})

describe.each(documented)('the example of $file, $price.count', ({ price }) => {
  const field = /body\.(\w+)/.exec(price.count)?.[1] ?? ''
  const priceOf = (json: string) =>
    requestPrice(price, { body: Buffer.from(json), target: '/x', query: {}, params: {}, headers: {} }).price

  test.each([
    ...['0', '-0', '0.0', '-1', '-0.5', '-1e-300', '-1e300', '1e400', '-1e400', '1e300', '9007199254740993'],
    ...['null', 'true', '"1"', '"-1"', '""', '[]', '[1]', '{}', '{"n":1}', '1000000000001'],
  ])('a request for %s units costs the maximum', (units) => {
    expect(priceOf(`{"${field}":${units}}`)).toBe(formatUsdc(parseUsdc(price.max)))
  })

  test.each(['null', '[]', '"x"', '0', 'true', '', '{', `{"${field}":1,"${field}":0}`])(
    'the body %s costs the maximum',
    (body) => {
      expect(priceOf(body)).toBe(formatUsdc(parseUsdc(price.max)))
    },
  )

  test.each([
    ['{}', 1n],
    [`{"${field}":1}`, 1n],
    [`{"${field}":0.0001}`, 1n],
    [`{"${field}":2.1}`, 3n],
    [`{"${field}":3}`, 3n],
  ])('the body %s costs %d units', (body, units) => {
    expect(priceOf(body)).toBe(formatUsdc(units * parseUsdc(price.each)))
  })
})
