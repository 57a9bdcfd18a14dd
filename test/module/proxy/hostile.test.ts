import { once } from 'node:events'
import { Agent, type IncomingMessage, request as nodeRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type ProxyScene, startProxy } from '../../support/gateways/proxy.ts'
import {
  answer,
  type Behavior,
  type HostileServer,
  head,
  pourOut,
  startHostileServer,
} from '../../support/servers/hostile-server.ts'

/** Upstreams and callers that break the protocol. */

const opened: { close(): Promise<void> | void }[] = []

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function start(
  behavior: Behavior,
  options: Partial<Parameters<typeof startProxy>[0]> = {},
): Promise<{ proxy: ProxyScene; upstream: HostileServer }> {
  const upstream = await startHostileServer({ '/a': behavior })
  const proxy = await startProxy({ ...options, target: `http://127.0.0.1:${upstream.port}` })
  opened.push(upstream, proxy)
  return { proxy, upstream }
}

/** @returns the status, the body that came, and whether it is complete. */
async function call(proxy: ProxyScene, body?: string): Promise<[number | undefined, string, boolean]> {
  const req = nodeRequest(`${proxy.url}/a`, {
    agent: new Agent(),
    method: body === undefined ? 'GET' : 'POST',
  }).end(body)
  const [res]: IncomingMessage[] = await once(req, 'response')
  let came = ''
  res?.on('data', (chunk) => {
    came += chunk
  })
  res?.on('error', () => undefined)
  await new Promise((done) => res?.once('close', done))
  return [res?.statusCode, came, res?.complete ?? false]
}

const failed = [502, expect.stringContaining('UPSTREAM_FAILED'), true]

test('an upstream that is down gives a 502 UPSTREAM_UNREACHABLE', async () => {
  const { proxy, upstream } = await start(answer(200))
  await upstream.close()
  opened.splice(0, 1)
  expect(await call(proxy)).toEqual([502, expect.stringContaining('UPSTREAM_UNREACHABLE'), true])
})

test('an upstream that does not reply in time gives a 504 UPSTREAM_TIMEOUT', async () => {
  const { proxy, upstream } = await start(() => undefined, { upstream: { first_byte_seconds: 0.05 } })
  const hungUp = call(proxy)
  expect(await hungUp).toEqual([504, expect.stringContaining('UPSTREAM_TIMEOUT'), true])
  expect(upstream.requests).toHaveLength(1)
})

test.each([
  ['of a length', head(200, { 'content-length': '100000' })],
  ['in chunks', Buffer.concat([head(200, { 'transfer-encoding': 'chunked' }), Buffer.from('5\r\n')])],
])(
  'a reply %s that is cut breaks off for the caller too, after the bytes that came',
  async (_how, start_) => {
    const { proxy } = await start((socket) => {
      socket.write(start_)
      socket.end('hello')
    })
    expect(await call(proxy)).toEqual([200, 'hello', false])
    expect(await proxy.delivery(0)).toEqual({ outcome: 'broken', usage: undefined })
  },
)

test('a short reply that is cut gives a 502', async () => {
  const { proxy } = await start(
    (socket) => void socket.end(Buffer.concat([head(200, { 'content-length': '10' }), Buffer.from('hello')])),
  )
  expect(await call(proxy)).toEqual(failed)
})

test('bytes beyond the length of a reply reach no caller', async () => {
  const { proxy } = await start((socket) => {
    socket.write(
      Buffer.concat([
        head(200, { 'content-length': '5' }),
        Buffer.from('helloHTTP/1.1 200 Fake\r\ncontent-length: 4\r\n\r\nfake'),
      ]),
    )
  })
  expect(await call(proxy)).toEqual([200, 'hello', true])
  expect((await call(proxy))[1]).not.toContain('fake')
})

test('a reply that stalls breaks off after the idle time', async () => {
  const { proxy } = await start(
    (socket) => void socket.write(Buffer.concat([head(200), Buffer.from('hello')])),
    {
      upstream: { idle_seconds: 0.05 },
    },
  )
  expect(await call(proxy)).toEqual([200, 'hello', false])
  expect(await proxy.delivery(0)).toMatchObject({ outcome: 'broken' })
})

test('a reply that trickles breaks off at the deadline', async () => {
  const { proxy } = await start(
    (socket) => {
      socket.write(head(200))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(timer))
    },
    { deadlineSeconds: 0.1 },
  )
  const [status, , isComplete] = await call(proxy)
  expect([status, isComplete]).toEqual([200, false])
  expect(await proxy.delivery(0)).toMatchObject({ outcome: 'broken' })
})

test('reply headers above 64 KB give a 502', async () => {
  const { proxy } = await start((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pourOut(socket, Buffer.from(`x-a: ${'a'.repeat(10_000)}\r\n`))
  })
  expect(await call(proxy)).toEqual(failed)
})

test('a reply larger than allowed breaks off, and one that announces it gives a 502', async () => {
  const { proxy } = await start(
    (socket) => {
      socket.write(head(200))
      pourOut(socket, Buffer.alloc(10_000, 'x'))
    },
    { upstream: { max_response_bytes: 1_000_000 } },
  )
  const [status, came, isComplete] = await call(proxy)
  expect([status, isComplete]).toEqual([200, false])
  expect(came.length).toBeLessThanOrEqual(1_000_000)
  expect(await proxy.delivery(0)).toMatchObject({ outcome: 'broken' })
  const announced = await start(answer(200, {}, 'x'.repeat(70_001)), {
    upstream: { max_response_bytes: 70_000 },
  })
  expect(await call(announced.proxy)).toEqual(failed)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'],
  [
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['an invalid length', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello'],
  ['a folded header', 'HTTP/1.1 200 OK\r\nx-a: 1\r\n payment-response: fake\r\ncontent-length: 0\r\n\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
  ['a status above 599', 'HTTP/1.1 799 Strange\r\ncontent-length: 0\r\n\r\n'],
  ['another transfer coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nabc'],
  ['interim replies without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3_000)],
  ['the status 000', 'HTTP/1.1 000 Strange\r\ncontent-length: 0\r\n\r\n'],
])('an upstream that replies with %s gives a 502', async (_what, bytes) => {
  const { proxy } = await start((socket) => void socket.end(bytes))
  expect(await call(proxy)).toEqual(failed)
})

test('an error reply of an upstream passes unchanged', async () => {
  const { proxy } = await start(answer(503, { 'retry-after': '7', 'www-authenticate': 'Bearer' }, 'busy'))
  expect(await call(proxy)).toEqual([503, 'busy', true])
  expect(proxy.replies[0]?.headers).toMatchObject({ 'retry-after': '7' })
  expect(proxy.replies[0]?.headers).not.toHaveProperty('www-authenticate')
})

test('a body that is announced as too large is refused before the upstream gets the request', async () => {
  const { proxy, upstream } = await start(answer(200), { upstream: { max_request_bytes: 70_000 } })
  expect(await call(proxy, 'x'.repeat(70_001))).toEqual([
    413,
    expect.stringContaining('PAYLOAD_TOO_LARGE'),
    true,
  ])
  expect(upstream.connections).toBe(0)
})

test('a body that grows too large while it is streamed is refused, and the upstream never gets it whole', async () => {
  const { proxy, upstream } = await start(answer(200), { upstream: { max_request_bytes: 100_000 } })
  const req = nodeRequest(`${proxy.url}/a`, { method: 'POST', agent: new Agent() }).on(
    'error',
    () => undefined,
  )
  const piece = Buffer.alloc(10_000)
  const pour = () => {
    if (!req.destroyed) req.write(piece, pour)
  }
  pour()
  const [res]: IncomingMessage[] = await once(req, 'response')
  expect([res?.statusCode, res && (await text(res))]).toEqual([
    413,
    expect.stringContaining('"max_bytes":100000'),
  ])
  req.destroy()
  await upstream.hungUp()
})

test('the reply of an upstream that has not read the upload reaches the caller', async () => {
  const { proxy } = await start(answer(401, { connection: 'close' }, 'no'))
  const req = nodeRequest(`${proxy.url}/a`, { method: 'POST', agent: new Agent() }).on(
    'error',
    () => undefined,
  )
  req.write('first')
  const [res]: IncomingMessage[] = await once(req, 'response')
  expect([res?.statusCode, res && (await text(res))]).toEqual([401, 'no'])
  req.destroy()
})

async function answerTo(port: number, bytes: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

test.each([
  [
    'a length beside chunks',
    'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /up/b HTTP/1.1\r\n\r\n',
  ],
  ['two lengths', 'content-length: 4\r\ncontent-length: 40\r\n\r\nabcd'],
  ['an invalid length', 'content-length: +4\r\n\r\nabcd'],
  ['an unknown transfer coding', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['chunked not as the last coding', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'x-a: 1\r\n content-length: 4\r\nconnection: close\r\n\r\n'],
  ['a space before the colon', 'content-length : 4\r\n\r\nabcd'],
  ['a bare line end', 'x-a: 1\ncontent-length: 4\r\n\r\nabcd'],
  ['an invalid chunk size', 'transfer-encoding: chunked\r\n\r\n5;\n0\r\n\r\n'],
])('a request with %s reaches no upstream', async (_what, rest) => {
  const { proxy, upstream } = await start(answer(200, {}, 'passed'))
  const reply = await answerTo(proxy.port, `POST /up/a HTTP/1.1\r\nhost: x\r\n${rest}`)
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(upstream.requests).toHaveLength(0)
})
