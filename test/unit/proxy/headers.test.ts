import { describe, expect, test } from 'vitest'
import { paymentHeaders } from '../../../src/core/reserved-headers.ts'
import { headOf } from '../../../src/edge/http/reply.ts'
import { resolveInjectedHeaders } from '../../../src/proxy/headers/injected-headers.ts'
import { toPublicLocation } from '../../../src/proxy/headers/location.ts'
import { createReplyHeaders, interimHeaders } from '../../../src/proxy/headers/reply-headers.ts'
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

test.each([
  ...[
    'x-override-method',
    'x-method',
    'x-method-override',
    'x-http-verb',
    'x-http-method',
    'x-verb-override',
  ],
  ...[
    'x-rewrite-url',
    'x-original-uri',
    'x-original-host',
    'x-override-url',
    'x-envoy-original-path',
    'x-host',
  ],
  ...['x-backend-host', 'x-http-host-override', 'x-middleware-subrequest', 'x-matched-path', 'request-uri'],
  ...['forwarded-for', 'x-forward-for', 'x-forwarded', 'x-forwarded-user', 'x-original-forwarded-for'],
  ...['x-azure-clientip', 'x-azure-socketip', 'x-appengine-user-ip', 'x-appengine-remote-addr'],
  ...['x-proxyuser-ip', 'true-client-ip', 'cf-connecting-ip', 'cf-connecting-ipv6', 'fastly-client-ip'],
  ...[
    'x-cluster-client-ip',
    'fly-client-ip',
    'do-connecting-ip',
    'x-nf-client-connection-ip',
    'incap-client-ip',
  ],
  ...[
    'x-sucuri-clientip',
    'wl-proxy-client-ip',
    'ali-cdn-real-ip',
    'cdn-src-ip',
    'cloudfront-viewer-address',
  ],
  ...['x-originating-ip', 'x-remote-ip', 'x-remote-addr', 'remote-addr', 'remote-user', 'x-remote-user'],
  ...['x-request-method', 'x-rest-method', 'proxy', 'http-x-forwarded-for', 'http_client_ip'],
  ...['client-ip', 'x-client-ip', 'x-envoy-external-address', 'x_azure_clientip', 'via', 'x-request-id'],
  ...['x.real.ip', 'x.http.method.override', 'x.original.url', 'x!method', 'x-http-request-method'],
  ...['z-forwarded-for', 'x-http-forwarded-for', 'x-nokia-ipaddress', 'x-trueclientip', 'x-enduser-ip'],
])(
  'the claim %s about method, path or client never reaches an upstream, whatever the catalog allows',
  (name) => {
    expect(sent({ [name]: ['lie'] }, { allowed: ['*', name] })[name]).not.toBe('lie')
  },
)

test.each([
  ...[
    'cf-ipcountry',
    'x-arr-ssl',
    'x-arr-clientcert',
    'x-envoy-internal',
    'x-appengine-cron',
    'x-azure-fdid',
  ],
  ...['x-ms-client-principal-name', 'x-goog-iap-jwt-assertion', 'x-auth-request-email', 'x-amzn-oidc-data'],
  ...['x-original-accept', 'wl-proxy-ssl', 'x-client-verify', 'x-ssl-cert', 'x_arr_ssl', 'x.arr.ssl'],
  ...['client-cert', 'client-cert-chain', 'x-amzn-mtls-clientcert-subject', 'x-consumer-id', 'x-ip', 'x-ips'],
  ...['x-pomerium-claim-email', 'x-tailscale-user', 'x-vouch-user', 'x-auth-user', 'x-credential-identifier'],
  ...['x-endpoint-api-userinfo', 'x-apigateway-api-userinfo', 'x-serverless-authorization'],
  ...['api-key', 'apikey', 'x-auth-token', 'x-access-token'],
])('the header %s of a platform is forwarded only if the catalog names it', (name) => {
  expect(sent({ [name]: ['1'] }, { allowed: ['*'] })).not.toHaveProperty([name])
  expect(sent({ [name]: ['1'] }, { allowed: [name] })).toHaveProperty([name])
})

test.each(['x-client-info', 'x-user-id', 'x-api-version', 'x-ms-version', 'x-goog-user-project', 'host-id'])(
  'the header %s makes no such claim, and * forwards it',
  (name) => {
    expect(sent({ [name]: ['1'] }, { allowed: ['*'] })).toHaveProperty([name])
  },
)

test('a name with * at its end allows the headers that begin so, in both directions', () => {
  const headers = { 'mcp-session-id': ['1'], mcp: ['1'], 'x-mcp-one': ['1'] }
  const passed = sent(headers, { allowed: ['mcp-*'] })
  expect(passed).toHaveProperty('mcp-session-id')
  for (const name of ['mcp', 'x-mcp-one']) expect(passed).not.toHaveProperty(name)
  expect(given(headers, ['mcp-*'])).toMatchObject({ 'mcp-session-id': '1' })
  expect(given({ 'set-cookie': ['a=b'] }, ['set-*'])).not.toHaveProperty('set-cookie')
})

test.each([
  'openai-organization',
  'openai-project',
  'anthropic-organization-id',
  'anthropic-ratelimit-requests-remaining',
])(
  '%s is of the operator’s account: it is forwarded only if the catalog names it, in either direction',
  (name) => {
    expect(sent({ [name]: ['1'] }, { allowed: ['*', 'openai-*', 'anthropic-*'] })).not.toHaveProperty(name)
    expect(given({ [name]: ['1'] }, ['*', 'openai-*', 'anthropic-*'])).not.toHaveProperty(name)
    expect(sent({ [name]: ['1'] }, { allowed: [name] })).toHaveProperty(name)
    expect(given({ [name]: ['1'] }, [name])).toHaveProperty(name)
    expect(given({ 'openai-version': ['1'], 'anthropic-version': ['1'] })).toMatchObject({
      'openai-version': '1',
    })
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
  expect(given(headers)).toEqual({
    'content-type': 'text/plain',
    vary: 'a, b',
    via: '1.1 cdn, 1.1 tollgate',
    'access-control-expose-headers': 'vary',
  })
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
    'access-control-expose-headers': 'content-disposition',
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
  ['https://inner.example/base', '/up/'],
  ['https://inner.example/base?a=1', '/up/?a=1'],
  ['https://me:pass@inner.example/base/a', '/up/a'],
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

describe('no header tells a caller the address of a target:', () => {
  const inner = 'https://inner.example/base'
  test.each([
    ['link', `<${inner}/a>; rel=next`, '</up/a>; rel=next'],
    ['link', '</base/a>; rel=next, </c>', '</up/a>; rel=next, </c>'],
    ['link', `<${inner}/a,b;c>;rel="x y" ,<${inner}/d>`, '</up/a,b;c>;rel="x y" ,</up/d>'],
    ['link', `< ${inner}/a >; rel=next`, '</up/a>; rel=next'],
    ['link', '<b>; rel=next, <?page=2>, <>', '<b>; rel=next, <?page=2>, <>'],
    ['link', '<https://other.example/a>; rel=x', '<https://other.example/a>; rel=x'],
    [
      'link',
      `<a>; title="<${inner}/a>, \\" <"; rel=x, <${inner}/b>`,
      `<a>; title="<${inner}/a>, \\" <"; rel=x, </up/b>`,
    ],
    ['link', `<a>; anchor="${inner}/b"; rel=x`, '<a>; anchor="/up/b"; rel=x'],
    ['link', `<a>; ANCHOR = ${inner}/b; rel=x`, '<a>; ANCHOR = "/up/b"; rel=x'],
    ['link', `<a>; anchor="${inner}/b`, '<a>; anchor="/up/b"'],
    ['link', `<${inner}`, `<${inner}`],
    ['refresh', `5; url=${inner}/a`, '5; url=/up/a'],
    ['refresh', `0;URL='${inner}/a' x`, "0;URL='/up/a' x"],
    ['refresh', `0, ${inner}/a`, '0, /up/a'],
    ['refresh', '30', '30'],
    ['content-location', `${inner}/a`, '/up/a'],
    ['operation-location', '/base/a', '/up/a'],
    ['sourcemap', '/base/a.map', '/up/a.map'],
    ['x-next', ` ${inner}/a?b=1`, '/up/a?b=1'],
    ['x-next', '//inner.example/base/a', '/up/a'],
    ['x-both', `${inner}/a, ${inner}/b; ${inner}/c d`, '/up/a, /up/b; /up/c d'],
    ['x-both', `${inner}/a https://other.example/b /base/c`, '/up/a https://other.example/b /base/c'],
    ['x-comma', `${inner}/a,b;c`, '/up/a,b;c'],
    ['x-path', '/base/a', '/base/a'],
    ['x-text', `see ${inner}/a`, `see ${inner}/a`],
  ])('%s: %s', (name, value, expected) => {
    expect(given({ [name]: [value] }, ['*'])[name]).toBe(expected)
  })

  test('in several lines of links, and in early hints', () => {
    const links = [`<${inner}/a>; rel=preload`, `<${inner}/b>; rel=preload`]
    const expected = '</up/a>; rel=preload, </up/b>; rel=preload'
    expect(given({ link: links })).toMatchObject({ link: expected })
    const upstream = { responseHeaders: [], targets: ['https://inner.example/base'], prefix: '/up' }
    expect(interimHeaders({ link: links }, upstream)).toEqual({ link: expected })
  })

  test('a long header of quotes and brackets is read in one pass', () => {
    for (const part of ['\\"', '"\\', '<', '<a>; anchor=', 'anchor ', '"<']) {
      const value = part.repeat(16_384 / part.length)
      expect(given({ link: [value] }).link?.length).toBeGreaterThan(8_000)
    }
  })
})

test('a page of another origin may read what the catalog and the proxy forward, and no more', () => {
  const headers = { 'x-own': ['1'], 'x-other': ['1'], etag: ['"1"'], 'content-type': ['a/b'], expires: ['0'] }
  expect(given(headers, ['x-own'])['access-control-expose-headers']).toBe('x-own, etag')
  expect(given({ 'content-type': ['a/b'] })).not.toHaveProperty('access-control-expose-headers')
  const reply = { status: 200, headers: given(headers, ['x-own']), body: new Uint8Array() }
  expect(headOf(reply, 'public', undefined)['access-control-expose-headers']).toMatch(
    /^PAYMENT-REQUIRED, .*, x-own, etag$/,
  )
})
