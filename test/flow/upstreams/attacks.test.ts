import { once } from 'node:events'
import { request as nodeRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { asked } from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import {
  answer,
  type Behavior,
  type HostileServer,
  head,
  startHostileServer,
} from '../../support/servers/hostile-server.ts'

/** Upstreams that try to harm the gateway, and callers that try to get more than they pay for. */

/** Deeper than the call stack. */
const deep = (levels: number) => `{"tool":{"input":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`
const handshake =
  'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
const agreed = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-accept': 'a' }
const hinting = (link: readonly string[], times = 1): Behavior => {
  return (socket, request) => {
    for (let sent = 0; sent < times; sent += 1) socket.write(head(103, { link }))
    answer(200, {}, 'the reply')(socket, request)
  }
}
const events: Behavior = (socket) => {
  const event = 'data: {"choices":[{"delta":{"content":"Three words more"}}]}\n\n'
  const headers = { 'content-type': 'text/event-stream', 'content-length': String(event.length) }
  socket.write(Buffer.concat([head(200, headers), Buffer.from(event)]))
}

let chain: TestChain
let far: HostileServer
let scene: RelayScene

beforeAll(async () => {
  chain = await startTestChain()
  far = await startHostileServer({
    '/open/trailer': (socket) => void socket.write(head(101, { ...agreed, trailer: 'x-checksum' })),
    '/open/well': answer(200, {}, 'well'),
    '/open/two-links': hinting(['</a.css>; rel=preload', '</b.css>; rel=preload']),
    '/open/no-link': hinting(['neither a link <<<']),
    '/open/hints': hinting(['</a.css>; rel=preload'], 500),
    '/open/orders': answer(200, {
      'x-accel-redirect': '/private',
      'x-sendfile': '/etc/passwd',
      'cdn-cache-control': 'public, max-age=600',
      'surrogate-control': 'max-age=600',
      'x-own': 'passes',
    }),
    '/tokens/deep': answer(200, { 'content-type': 'application/json' }, deep(20_000)),
    '/tokens/deeper': answer(200, { 'content-type': 'application/json' }, deep(200_000)),
    '/tokens/v1/completions': events,
    '/rows': answer(200, { 'content-type': 'application/json' }, `[${'1,'.repeat(149_999)}1]`),
  })
  scene = await openRelayScene(
    chain,
    `
upstreams:
  far: { prefix: /far, targets: ["http://127.0.0.1:${far.port}"], private: true, retries: 0, response_headers: ["*"] }
  shop: { host: shop.example, targets: ["http://127.0.0.1:${far.port}"], private: true, retries: 0 }
operations:
  browse: { access: open, upstream: shop, route: GET /open/*, description: Anything of the shop. }
  buyPage: { access: price, upstream: far, route: GET /open/premium.html, price: "0.01", description: A page. }
  look: { access: open, upstream: far, route: GET /open/*, description: Anything. }
  complete:
    access: optional
    upstream: far
    route: GET,POST /tokens/*
    description: By the token.
    free: 1000000000 tokens/day
    price: { per: tokens, input: "0.000001", output: "0.000001", max: "1.00", max_units: 1000000 }
  list:
    access: optional
    upstream: far
    route: GET /rows
    description: By the row.
    free: 10000000 items/day
    price: { per: items, items: "$[*]", output: "0.000001", max: "1.00", max_units: 1000000 }
  draw:
    access: price
    upstream: far
    route: POST /draw
    description: By how many are asked for.
    price: { per: request, count: "has(body.n) ? body.n : 1", each: "0.01", max: "0.40" }
`,
    { TRUST_PROXY: '1' },
  )
})

afterAll(async () => {
  await scene?.close()
  await far?.close()
  await chain?.close()
})

const url = (path: string) => `${scene.gateway.url}/far${path}`

describe('an upstream', () => {
  test('that announces trailers with a WebSocket upgrade fails only its own call', async () => {
    const caller = connect(Number(new URL(scene.gateway.url).port), '127.0.0.1')
    caller.write(`GET /far/open/trailer HTTP/1.1\r\n${handshake}`)
    const [bytes] = await once(caller, 'data')
    caller.destroy()
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 101 (?!.*trailer)/is)
    expect(await (await fetch(url('/open/well'))).text()).toBe('well')
  })

  test.each([
    ['with two links', '/open/two-links', 1],
    ['without a link', '/open/no-link', 0],
    ['without end', '/open/hints', 16],
  ])('that sends early hints %s does not keep the caller from the reply', async (_name, path, most) => {
    const req = nodeRequest(url(path)).end()
    let hints = 0
    req.on('information', () => {
      hints += 1
    })
    const [res] = await once(req, 'response')
    expect([await text(res), hints]).toEqual(['the reply', most])
  })

  test('cannot control a server or a cache in front of us, even where the catalog allows all its headers', async () => {
    const { headers } = await fetch(url('/open/orders'))
    expect(headers.get('x-own')).toBe('passes')
    for (const name of ['x-accel-redirect', 'x-sendfile', 'cdn-cache-control', 'surrogate-control'])
      expect(headers.get(name)).toBeNull()
  })
})

describe('a caller', () => {
  const statusOf = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const req = nodeRequest(`${scene.gateway.url}${path}`, { headers }).end()
    const [res] = await once(req, 'response')
    res.resume()
    return res.statusCode
  }

  test('does not choose the upstream of another host by X-Forwarded-Host, which a proxy may pass on', async () => {
    expect(await statusOf('/open/well', { host: 'shop.example' })).toBe(200)
    expect(await statusOf('/open/well', { 'x-forwarded-host': 'shop.example' })).toBe(404)
    const both = { host: 'other.example', 'x-forwarded-host': 'shop.example', 'x-forwarded-for': '192.0.2.7' }
    expect(await statusOf('/open/well', both)).toBe(404)
  })

  test.each(['%3F', '%3Fa=b', '%23', '%3B', '.', '%2E', '%20', '%09', '%00', '/', '::$DATA'])(
    'gets no priced page from an open route beside it by adding %s to its path',
    async (more) => {
      expect(await statusOf('/far/open/premium.html')).toBe(402)
      expect(await statusOf(`/far/open/premium.html${more}`)).toBe(400)
    },
  )
})

const noted = () => scene.gateway.services.queries.selectFrom('meterings').selectAll().execute()

beforeEach(async () => {
  await scene.gateway.services.queries.deleteFrom('meterings').execute()
})

test('more items than a JavaScript function takes arguments are counted, and do not cost the maximum', async () => {
  await (await fetch(url('/rows'))).text()
  await scene.gateway.services.idle()
  expect(await noted()).toMatchObject([{ output: 150_000n, isEstimate: false, amount: 150_000n }])
})

describe('a price by the token', () => {
  test.each([
    ['in one piece', '/tokens/deep'],
    ['streamed', '/tokens/deeper'],
  ])('counts and delivers a reply %s that is nested too deeply to parse', async (_name, path) => {
    const reply = await fetch(url(path))
    expect(reply.status).toBe(200)
    const { length } = await reply.text()
    await scene.gateway.services.idle()
    const [row] = await noted()
    expect(row).toMatchObject({ isEstimate: true, outcome: 'complete' })
    expect(Number(row?.output)).toBeGreaterThan(length / 20)
  })

  test.each([
    ['a short one', 400],
    ['one that is streamed unread', 100_000],
  ])('counts a prompt that is declared as a picture: %s', async (_name, length) => {
    const prompt = 'read '.repeat(length / 5)
    const reply = await fetch(url('/tokens/v1/completions'), {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: `\n{"stream":true,"prompt":"${prompt}"}`,
    })
    await reply.text()
    await scene.gateway.services.idle()
    const [row] = await noted()
    expect(Number(row?.input)).toBeGreaterThan(length / 8)
  })

  test('refuses a compressed prompt before the upstream gets it', async () => {
    const before = far.requests.length
    const reply = await fetch(url('/tokens/v1/completions'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ stream: true, prompt: 'a'.repeat(1_000_000) })),
    })
    expect([reply.status, far.requests.length]).toEqual([415, before])
  })
})

describe('a price computed from the request', () => {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test.each<[string, string, Readonly<Record<string, string>>, string | Uint8Array<ArrayBuffer>]>([
    ['the price of what it asks for', '20000', json, '{"n":2,"of":[{"n":1}]}'],
    [
      'the same for JSON sent as plain text',
      '20000',
      { 'content-type': 'text/plain;charset=UTF-8' },
      '{"n":2}',
    ],
    ['the price of one where it names no number', '10000', json, '{"of":"n: {\\"n\\":2}"}'],
    ['the maximum for a name that occurs twice', '400000', json, '{"n":10,"n":1}'],
    ['the maximum for a name in another case', '400000', json, '{"n":1,"N":10}'],
    [
      'the maximum for a compressed body',
      '400000',
      { ...json, 'content-encoding': 'gzip' },
      gzipSync('{"n":10}'),
    ],
    ['the maximum for a body that is no JSON', '400000', form, 'n=10'],
    ['the maximum for a form that looks like JSON', '400000', form, '{"n":1,"of":"&n=10&"}'],
    [
      'the maximum for another character encoding',
      '400000',
      { 'content-type': 'application/json; charset=utf-7' },
      '{"n":1,"of":"+ACI-,+ACI-n+ACI-:10,+ACI-o+ACI-:+ACI-"}',
    ],
  ])('is %s', async (_name, amount, headers, body) => {
    const reply = await fetch(url('/draw'), { method: 'POST', headers, body })
    expect(asked(reply).accepts[0]?.amount).toBe(amount)
  })
})
