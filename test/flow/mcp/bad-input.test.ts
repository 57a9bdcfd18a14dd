import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

/** What an MCP server answers to requests that are none, and to those of another page or another protocol. */

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway('http://127.0.0.1:9', { RPC_TIMEOUT_MS: '500' })
})
afterAll(() => gateway?.close())

const accept = 'application/json, text/event-stream'
const version = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
/** A message of the current protocol. */
const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: envelope },
})
const headersOf = (method: string) => ({ accept, 'mcp-protocol-version': version, 'mcp-method': method })

describe.each(['/.well-known/mcp', '/mcp'])('%s', (path) => {
  const post = (body: string | object | undefined, headers: Readonly<Record<string, string>> = {}) =>
    request(gateway.url)
      .post(path)
      .set({ accept, 'content-type': 'application/json', ...headers })
      .send(body)

  test('answers a message of the current protocol', async () => {
    const { status, body } = await post(message('server/discover'), headersOf('server/discover'))
    expect([status, body.result]).toMatchObject([200, { supportedVersions: [version] }])
  })

  test.each([
    ['no JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['nothing', undefined, {}, 400, -32_700],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), {}, 400, undefined],
    ['a text', '"tools/list"', {}, 400, undefined],
    ['no message', '{}', {}, 400, undefined],
    ['an empty batch', '[]', {}, 400, undefined],
    ['a batch of the current protocol', [message('tools/list')], headersOf('tools/list'), 400, undefined],
    [
      'a batch with one id twice, of which one would get no reply',
      [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_directory', arguments: {} } },
        { jsonrpc: '2.0', id: 1, method: 'ping' },
      ],
      {},
      400,
      -32_600,
    ],
    [
      'a batch of many small requests, which asks for a very large reply',
      Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
      {},
      400,
      -32_600,
    ],
    ['more depth than any call has', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, {}, 400, -32_600],
    ['another media type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, undefined],
    [
      'an unknown version',
      {
        ...message('tools/list'),
        params: { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
      },
      { ...headersOf('tools/list'), 'mcp-protocol-version': '2030-01-01' },
      400,
      -32_022,
    ],
    ['an unknown method', message('tools/steal'), headersOf('tools/steal'), 404, -32_601],
    ['another method in the header', message('tools/list'), headersOf('tools/call'), 400, -32_020],
    ['no method in the header', message('tools/list'), { 'mcp-protocol-version': version }, 400, -32_020],
    [
      'an unsupported Accept, in the older protocol',
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { accept: 'text/html' },
      406,
      undefined,
    ],
  ])('refuses %s', async (_, body, headers, status, code) => {
    const reply = await post(body, headers)
    expect([reply.status, reply.body]).toMatchObject([
      status,
      { error: { code: code ?? expect.any(Number) } },
    ])
  })

  test.each([
    ['initialize', {}, 'params.protocolVersion'],
    ['tools/call', {}, 'params.name'],
    ['tools/list', { cursor: 5 }, 'params.cursor'],
    ['resources/read', {}, 'params.uri'],
    ['prompts/get', {}, 'params.name'],
  ])('tells the caller of %s that its parameters do not fit', async (method, params, field) => {
    const legacy = await post({ jsonrpc: '2.0', id: 7, method, params })
    const event = /^data: (.*)$/m.exec(legacy.text)?.[1] ?? ''
    const modern = await post(message(method, params), headersOf(method))
    const hasMethod = method !== 'prompts/get' || path !== '/mcp'
    const expected = hasMethod
      ? { code: -32_602, message: expect.stringContaining(`${field}: `) }
      : { code: -32_601 }
    expect(JSON.parse(event)).toMatchObject({ id: 7, error: expected })
    // The current protocol has no initialize.
    if (method !== 'initialize') expect(modern.body).toMatchObject({ error: expected })
  })

  test('refuses a body over 100 kB before it is read whole', async () => {
    const { status, body } = await post(message('tools/list', { text: 'x'.repeat(200_000) }))
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test.each([
    ['another host', { host: 'evil.example' }],
    ['another host that begins alike', { host: 'api.example.com.evil.example' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('refuses %s with 403', async (_, headers) => {
    const { status, body } = await post(message('tools/list'), { ...headersOf('tools/list'), ...headers })
    expect([status, body]).toMatchObject([403, { jsonrpc: '2.0', error: { code: -32_000 } }])
  })

  test.each([
    ['everything', '*/*'],
    ['everything, after JSON', 'application/json, */*;q=0.5'],
    ['both by their kinds', 'application/*, text/*'],
  ])('takes an older client whose Accept names %s', async (_, taken) => {
    const { status, text } = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { accept: taken })
    expect([status, text]).toEqual([200, expect.stringContaining('"id":1')])
  })

  test.each([
    ['its own name', { host: 'api.example.com' }],
    ['the name of the payments side, with a port', { host: 'pay.example.com:8402' }],
    ['a page of its own', { origin: 'https://api.example.com' }],
    ['a page on this machine', { origin: 'http://localhost:6274' }],
  ])('takes %s', async (_, headers) => {
    await post(message('tools/list'), { ...headersOf('tools/list'), ...headers }).expect(200)
  })

  test('has no event stream and no session to end, and says which methods there are', async () => {
    const stream = await request(gateway.url).get(path).set('accept', 'text/event-stream')
    const ended = await request(gateway.url).delete(path)
    for (const { status, headers } of [stream, ended]) {
      expect([status, headers.allow]).toEqual([405, expect.stringContaining('POST')])
    }
    const preflight = await request(gateway.url).options(path)
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('POST')
    expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
  })

  test('answers each message of an older client’s batch, one after the other', async () => {
    const { status, text } = await post([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ])
    expect(status).toBe(200)
    expect(text).toContain('"id":1')
    expect(text).toContain('"id":2')
  })
})
