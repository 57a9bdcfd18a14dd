import { expect, test } from 'vitest'
import { catalogSchema } from '../../../src/core/catalog/catalog-schema.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createRouteTable } from '../../../src/proxy/routes/route-table.ts'

const catalog = catalogSchema([]).parse({
  provider: { name: 'Test', description: 'Sells calls.' },
  upstreams: {
    llm: { prefix: '/llm', targets: ['https://llm.example'] },
    deep: { prefix: '/api/deep', targets: ['https://deep.example'] },
    shop: { host: 'shop.example.com', targets: ['https://inner.example/base'] },
  },
  operations: {
    chat: open('llm', 'POST /v1/chat'),
    models: open('llm', 'GET /v1/models/{model}'),
    best: open('llm', 'GET,HEAD /v1/models/best'),
    part: open('llm', 'GET /v1/models/{model}/{part}'),
    rest: open('llm', 'GET,POST /v1/*'),
    root: open('llm', 'GET /'),
    head: open('llm', 'HEAD /v1/models/{id}'),
    signed: open('llm', 'GET /at/a@b'),
    users: open('llm', 'GET /users/'),
    user: open('llm', 'GET /twins/{id}'),
    userSlashed: open('llm', 'GET /twins/{id}/'),
    deep: open('deep', 'GET /*'),
    shop: open('shop', 'GET /*'),
    health: { access: 'open', description: 'Our own.' },
  },
})

function open(upstream: string, route: string) {
  return { access: 'open', description: 'A call.', upstream, route }
}

const { find, routes } = createRouteTable(catalog)

function led(method: string, target: string, host?: string): unknown {
  try {
    const found = find(method, host, target)
    return found?.kind === 'routed' ? `${found.id} ${found.path}` : found
  } catch (error) {
    if (error instanceof GatewayError) return error.code
    throw error
  }
}

test.each([
  ['POST', '/llm/v1/chat', 'chat /v1/chat'],
  ['POST', '/llm/v1/chat?stream=1', 'chat /v1/chat?stream=1'],
  ['GET', '/llm/v1/models/best', 'best /v1/models/best'],
  ['GET', '/llm/v1/models/other', 'models /v1/models/other'],
  ['GET', '/llm/v1/models/a%20b', 'models /v1/models/a%20b'],
  ['GET', '/llm/v1/models/a/b', 'part /v1/models/a/b'],
  ['GET', '/llm/v1/models/a/b/c', 'rest /v1/models/a/b/c'],
  ['GET', '/llm/v1/chat', 'rest /v1/chat'],
  ['GET', '/llm', 'root /'],
  ['GET', '/llm/', 'root /'],
  ['GET', '/llm?x=1', 'root /?x=1'],
  ['GET', '/llm/at/a%40b', 'signed /at/a%40b'],
  ['GET', '/api/deep/x/', 'deep /x/'],
  ['HEAD', '/llm/v1/models/best', 'best /v1/models/best'],
  ['HEAD', '/llm/v1/models/other', 'head /v1/models/other'],
  ['HEAD', '/llm/v1/models/a/b', 'part /v1/models/a/b'],
])('%s %s leads to the most specific operation: %s', (method, target, expected) => {
  expect(led(method, target)).toBe(expected)
})

test.each([
  '/',
  '/health',
  '/llmx/v1/chat',
  '/LLM/v1/chat',
  '/%6clm/v1/chat',
  '//llm/v1/chat',
  '/llm;/v1',
  '/api',
  '/api/keys',
  '/api/deeper/x',
  '/x/../llm',
  '*',
  'http://a/llm',
])('%s leads to no upstream', (target) => {
  expect(led('GET', target)).toBeUndefined()
})

test.each([
  'shop.example.com',
  'SHOP.example.com',
  'shop.example.com:8402',
  'shop.example.com.',
  'Shop.Example.com.:80',
])('the host %s leads to its upstream, with the whole path', (host) => {
  expect(led('GET', '/llm/v1/chat', host)).toBe('shop /llm/v1/chat')
})

test.each([undefined, '', 'xshop.example.com', 'shop.example.com.evil.example', '[::1]:80'])(
  'the host %s leads to no upstream',
  (host) => {
    expect(led('GET', '/a', host)).toBeUndefined()
  },
)

test.each([
  ['GET', '/llm/nothing', 'NOT_FOUND'],
  ['OPTIONS', '/llm/nothing', 'NOT_FOUND'],
  ['GET', '/llm/v1', 'NOT_FOUND'],
  ['GET', '/llm/v1/', 'NOT_FOUND'],
  ['GET', '/llm/v1/models/a/', 'PATH_AMBIGUOUS'],
  ['DELETE', '/llm/v1/chat', 'METHOD_NOT_ALLOWED'],
  ['TRACE', '/llm/v1/chat', 'METHOD_NOT_ALLOWED'],
  ['GET', '/llm/v1/a%2Fb', 'PATH_AMBIGUOUS'],
  ['GET', '/llm/../llm/v1/x', 'PATH_AMBIGUOUS'],
  ['GET', '/llm//v1/x', 'PATH_AMBIGUOUS'],
])('%s %s is refused with %s', (method, target, code) => {
  expect(led(method, target)).toBe(code)
})

test('a refused method gets the allowed ones', () => {
  try {
    find('DELETE', undefined, '/llm/v1/models/best')
    expect.unreachable()
  } catch (error) {
    expect(error instanceof GatewayError && error.headers).toEqual({ allow: 'GET, HEAD, POST, OPTIONS' })
  }
})

test('a path that differs from an expensive operation only in case or a final slash does not match a cheaper one', () => {
  expect(led('POST', '/llm/v1/Chat')).toBe('PATH_AMBIGUOUS')
  expect(led('POST', '/llm/V1/chat')).toBe('NOT_FOUND')
  expect(led('POST', '/llm/v1/chat/')).toBe('PATH_AMBIGUOUS')
  expect(led('POST', '/llm/v1/CHAT/')).toBe('PATH_AMBIGUOUS')
  // A c of full width and a character without width.
  expect(led('POST', '/llm/v1/%EF%BD%83hat')).toBe('PATH_AMBIGUOUS')
  expect(led('POST', '/llm/v1/ch%E2%80%8Cat')).toBe('PATH_AMBIGUOUS')
  expect(led('POST', `/llm/v1/ch${'%E2%80%8C'.repeat(800)}at`)).toBe('PATH_AMBIGUOUS')
  const wide = `/v1/${'%EF%B7%BA'.repeat(800)}`
  expect(led('POST', `/llm${wide}`)).toBe(`rest ${wide}`)
  expect(led('POST', '/llm/v1/ch%C3%A4t')).toBe('rest /v1/ch%C3%A4t')
  expect(led('POST', '/llm/v1/chats')).toBe('rest /v1/chats')
})

test('a route that ends in a slash matches only that path, also beside one without the slash', () => {
  expect(led('GET', '/llm/users/')).toBe('users /users/')
  expect(led('GET', '/llm/users')).toBe('PATH_AMBIGUOUS')
  expect(led('GET', '/llm/twins/7')).toBe('user /twins/7')
  expect(led('GET', '/llm/twins/7/')).toBe('userSlashed /twins/7/')
})

test('* matches one or more segments, and so not the root', () => {
  expect(led('GET', '/', 'shop.example.com')).toBe('NOT_FOUND')
  expect(led('GET', '/api/deep')).toBe('NOT_FOUND')
})

test('a preflight request gets the methods of a path', () => {
  expect(find('OPTIONS', undefined, '/llm/v1/chat')).toEqual({
    kind: 'preflight',
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  })
})

test('parameters are decoded, and the forwarded path is not', () => {
  const found = find('GET', undefined, '/llm/v1/models/a%20b/%C3%BC?q=%20')
  expect(found).toMatchObject({ params: { model: 'a b', part: 'ü' }, path: '/v1/models/a%20b/%C3%BC?q=%20' })
})

test('routes() lists every operation of an upstream, and none of our own', () => {
  expect(routes().map(({ id }) => id)).toEqual(
    Object.keys(catalog.operations).filter((id) => id !== 'health'),
  )
})
