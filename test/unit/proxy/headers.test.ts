import { expect, test } from 'vitest'
import { paymentHeaders } from '../../../src/core/reserved-headers.ts'
import { resolveInjectedHeaders } from '../../../src/proxy/headers/injected-headers.ts'
import { toPublicLocation } from '../../../src/proxy/headers/location.ts'
import { createReplyHeaders } from '../../../src/proxy/headers/reply-headers.ts'
import { createRequestHeaders } from '../../../src/proxy/headers/request-headers.ts'

const from = { address: '192.0.2.7', protocol: 'https', host: 'api.example:8402' } as const

function sent(
  headers: Record<string, string[]>,
  {
    allowed = [],
    injected = {},
    ...incoming
  }: Partial<Parameters<typeof createRequestHeaders>[0]> & {
    allowed?: string[]
    injected?: Record<string, string>
  } = {},
) {
  return createRequestHeaders(
    { headers, from, httpVersion: '1.1', ...incoming },
    { upstream: { requestHeaders: allowed }, callId: 'call-1', injected },
  )
}

function given(headers: Record<string, string[]>, allowed: string[] = []) {
  return createReplyHeaders(
    { headers, target: 'https://inner.example/base' },
    { responseHeaders: allowed, targets: ['https://inner.example/base'], prefix: '/up' },
  )
}

const neverSent = [
  ...paymentHeaders,
  'authorization',
  'x-mcp-api-key',
  'x_mcp_api_key',
  'cookie',
  'sign-in-with-x',
  'proxy-authorization',
  'payment-required',
  'x-payment-id',
  'x_payment',
  'settlement-overrides',
  'access-control-expose-headers',
  'host',
  'content-length',
  'expect',
  'connection',
  'keep-alive',
  'upgrade',
  'transfer-encoding',
  'x-http-method-override',
  'x-original-url',
  'x-real-ip',
  'x-forwarded-prefix',
  'x_forwarded_for',
]

test.each(neverSent)(
  'the request header %s never reaches an upstream, even where the catalog allows it',
  (name) => {
    expect(sent({ [name]: ['secret'] }, { allowed: ['*', name] })).not.toHaveProperty([name])
  },
)

test('usual request headers are forwarded, others where the catalog allows them', () => {
  const headers = {
    accept: ['a/b', 'c/d'],
    'x-stainless-lang': ['js'],
    'x-custom': ['1'],
    origin: ['https://a'],
    referer: ['b'],
  }
  expect(sent(headers)).toMatchObject({ accept: ['a/b', 'c/d'], 'x-stainless-lang': 'js' })
  for (const name of ['x-custom', 'origin', 'referer']) expect(sent(headers)).not.toHaveProperty(name)
  expect(sent(headers, { allowed: ['x-custom'] })).toMatchObject({ 'x-custom': '1' })
  expect(sent(headers, { allowed: ['*'] })).toMatchObject({ 'x-custom': '1', origin: 'https://a' })
})

test('of two Content-Type lines the upstream gets the first, which was priced', () => {
  expect(sent({ 'content-type': ['application/json', 'text/plain'] })).toMatchObject({
    'content-type': 'application/json',
  })
})

test('headers named by Connection are removed, except those that the gateway sets', () => {
  const headers = {
    connection: ['close, X-One', 'x-forwarded-for'],
    'x-one': ['1'],
    'x-two': ['2'],
    te: ['gzip, trailers'],
  }
  const found = sent(headers, { allowed: ['*'] })
  expect(found).toMatchObject({ 'x-two': '2', te: 'trailers', 'x-forwarded-for': '192.0.2.7' })
  expect(found).not.toHaveProperty('x-one')
})

test('an upstream gets the caller’s real address, whatever the caller claims', () => {
  const lies = { forwarded: ['for=10.0.0.1'], 'x-forwarded-for': ['10.0.0.1'], 'x-request-id': ['mine'] }
  expect(sent(lies, { allowed: ['*'] })).toEqual({
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example:8402',
    forwarded: 'for=192.0.2.7;proto=https;host="api.example:8402"',
    via: '1.1 tollgate',
    'x-request-id': 'call-1',
  })
})

test('Forwarded quotes an IPv6 address in brackets and omits an invalid host', () => {
  const found = sent({}, { from: { address: '2001:db8::1', protocol: 'http', host: 'a"b, for=x' } })
  expect(found.forwarded).toBe('for="[2001:db8::1]";proto=http')
  expect(found).not.toHaveProperty('x-forwarded-host')
})

test('a request that has passed this gateway more than eight times is refused', () => {
  const via = (rounds: number) => ({ via: ['1.0 other', Array(rounds).fill('1.1 tollgate').join(', ')] })
  expect(sent(via(8), { httpVersion: '1.0' }).via).toMatch(/^1\.0 other, 1\.1 tollgate.*, 1\.0 tollgate$/)
  expect(() => sent(via(9))).toThrow(expect.objectContaining({ code: 'UPSTREAM_FAILED' }))
})

test('an injected header replaces the caller’s, also one spelled with an underscore', () => {
  const injected = { authorization: 'Bearer ours', 'x-key': 'ours', host: 'other.example', connection: 'x' }
  const found = sent(
    { authorization: ['Bearer theirs'], 'x-key': ['theirs'], x_key: ['theirs'] },
    { allowed: ['*'], injected },
  )
  expect(found).toMatchObject({ authorization: 'Bearer ours', 'x-key': 'ours' })
  for (const name of ['host', 'connection', 'x_key']) expect(found).not.toHaveProperty(name)
})

test('an injected header gets the value of its setting, and the error for a missing setting contains no value', () => {
  const upstream = {
    inject: { authorization: ['Bearer $', '{UPSTREAM_KEY}'].join(''), 'x-plain': 'as it is' },
  }
  expect(resolveInjectedHeaders(upstream, { UPSTREAM_KEY: 's3cret$&' })).toEqual({
    authorization: 'Bearer s3cret$&',
    'x-plain': 'as it is',
  })
  expect(() => resolveInjectedHeaders(upstream, {})).toThrow(/^UPSTREAM_KEY is not set/)
  expect(() => resolveInjectedHeaders(upstream, { UPSTREAM_KEY: 'a\r\nb: c' })).toThrow(
    /^UPSTREAM_KEY contains a character/,
  )
})

test.each([
  'set-cookie',
  'payment-required',
  'payment-response',
  'x-payment',
  'x-payment-response',
  'x_payment_response',
  'settlement-overrides',
  'access-control-allow-origin',
  'strict-transport-security',
  'alt-svc',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-request-id',
  'connection',
  'transfer-encoding',
  'content-length',
])('the reply header %s never reaches a caller, even where the catalog allows it', (name) => {
  expect(given({ [name]: ['1'] }, ['*', name])).not.toHaveProperty([name])
})

test('usual reply headers are forwarded with their lines joined, and Via names the gateway', () => {
  const headers = {
    'content-type': ['text/plain'],
    vary: ['a', 'b'],
    'x-custom': ['1'],
    server: ['s'],
    via: ['1.1 cdn'],
    connection: ['etag'],
    etag: ['"1"'],
  }
  expect(given(headers)).toEqual({ 'content-type': 'text/plain', vary: 'a, b', via: '1.1 cdn, 1.1 tollgate' })
  expect(given(headers, ['x-custom'])).toMatchObject({ 'x-custom': '1' })
  expect(given(headers, ['*'])).toMatchObject({ 'x-custom': '1', server: 's' })
})

test('reply headers above the limits fail, and values that no header may have are removed', () => {
  const failure = expect.objectContaining({ code: 'UPSTREAM_FAILED' })
  expect(() => given({ link: ['a'.repeat(16_385)] })).toThrow(failure)
  expect(() => given({ link: Array(201).fill('a') })).toThrow(failure)
  expect(
    given({ link: ['a\u0001b'], 'content-language': ['\u00fc'], 'content-disposition': ['\u20ac'] }),
  ).toEqual({
    'content-language': '\u00fc',
    'content-disposition': '\u00e2\u0082\u00ac',
    via: '1.1 tollgate',
  })
})

test.each([
  ['https://inner.example/base/a?b=1#c', '/up/a?b=1#c'],
  ['//inner.example/base/a', '/up/a'],
  ['/base/a', '/up/a'],
  ['/base/', '/up/'],
  ['https://second.example:8443/a', '/up/a'],
  ['/elsewhere', '/elsewhere'],
  ['/basement', '/basement'],
  ['a/b', 'a/b'],
  ['?page=2', '?page=2'],
  ['https://inner.example:8443/base/a', 'https://inner.example:8443/base/a'],
  ['http://inner.example/base/a', 'http://inner.example/base/a'],
  ['https://other.example/base/a', 'https://other.example/base/a'],
  ['https://[', 'https://['],
])('the location %s reaches the caller as %s', (location, expected) => {
  const upstream = { targets: ['https://inner.example/base', 'https://second.example:8443'], prefix: '/up' }
  expect(toPublicLocation(location, 'https://inner.example/base', upstream)).toBe(expected)
})
