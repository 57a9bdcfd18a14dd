import { once } from 'node:events'
import {
  Agent,
  type IncomingMessage,
  request as nodeRequest,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { connect, createServer } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { PayUpstream } from '../../../src/proxy/fetch-upstream.ts'
import { type ProxyScene, startProxy, startUpstream } from '../../support/gateways/proxy.ts'

type Handle = (req: IncomingMessage, res: ServerResponse) => void

const opened: { close(): Promise<void> | void }[] = []

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function start(
  handle: Handle,
  options: Partial<Parameters<typeof startProxy>[0]> = {},
  base = '',
): Promise<ProxyScene> {
  const upstream = await startUpstream(handle)
  const proxy = await startProxy({ ...options, target: `${upstream.url}${base}` })
  opened.push(upstream, proxy)
  return proxy
}

/** Node's own client shows replies unchanged. */
async function call(
  proxy: ProxyScene,
  path: string,
  options: RequestOptions = {},
  body?: string,
): Promise<IncomingMessage> {
  const req = nodeRequest(`${proxy.url}${path}`, { agent: new Agent(), ...options })
  req.end(body)
  const [res]: IncomingMessage[] = await once(req, 'response')
  if (!res) throw new Error('no response came')
  return res
}

test('a call and its reply pass unchanged, without the headers that belong to the gateway', async () => {
  const seen: {
    url: string | undefined
    method: string | undefined
    headers: IncomingMessage['headers']
    body: string
  }[] = []
  const proxy = await start(
    async (req, res) => {
      const { url, method, headers } = req
      seen.push({ url, method, headers, body: await text(req) })
      res.writeHead(201, {
        'content-type': 'a/b',
        'content-length': 4,
        'payment-response': 'fake',
        'x-payment': 'fake',
        'settlement-overrides': '{}',
        'set-cookie': 'a=b',
      })
      res.end('made')
    },
    {
      upstream: {
        request_headers: ['*'],
        response_headers: ['*'],
        inject: { authorization: ['Bearer $', '{UPSTREAM_KEY}'].join('') },
      },
      secrets: { UPSTREAM_KEY: 'ours' },
    },
    '/base',
  )
  const headers = {
    'x-payment-signature': 'p',
    'x-payment': 'p',
    'payment-signature': 'p',
    'x-mcp-api-key': 'k',
    authorization: 'Bearer k',
    cookie: 'c',
    'x-own': '1',
    connection: 'x-hop',
    'x-hop': '1',
  }
  const res = await call(proxy, '/a%20b/c?x=%2F&y=a+b', { method: 'PUT', headers }, 'body')
  expect([res.statusCode, await text(res)]).toEqual([201, 'made'])
  expect(res.headers).toMatchObject({ 'content-type': 'a/b', via: '1.1 tollgate', 'content-length': '4' })
  for (const name of ['payment-response', 'x-payment', 'settlement-overrides', 'set-cookie'])
    expect(res.headers).not.toHaveProperty(name)
  const [one] = seen
  expect(one).toMatchObject({ url: '/base/a%20b/c?x=%2F&y=a+b', method: 'PUT', body: 'body' })
  expect(one?.headers).toMatchObject({
    'x-own': '1',
    authorization: 'Bearer ours',
    'content-length': '4',
    'x-forwarded-for': '127.0.0.1',
  })
  for (const name of [
    'x-payment-signature',
    'x-payment',
    'payment-signature',
    'x-mcp-api-key',
    'cookie',
    'x-hop',
  ])
    expect(one?.headers).not.toHaveProperty(name)
})

test('a short reply is read before it is sent, so that it can be stored; one without a length and every event stream are streamed', async () => {
  const proxy = await start((req, res) => {
    if (req.url === '/chunked') res.write('x')
    else if (req.url === '/events')
      res.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': 1 })
    else res.writeHead(200, { 'content-length': req.url === '/large' ? 65_537 : 1 })
    res.end(req.url === '/chunked' ? '' : 'x'.repeat(req.url === '/large' ? 65_537 : 1))
  })
  for (const path of ['/short', '/large', '/chunked', '/events']) await text(await call(proxy, path))
  expect(proxy.replies.map(({ stream }) => stream !== undefined)).toEqual([false, true, true, true])
  expect(proxy.replies.map(({ delivered }) => delivered !== undefined)).toEqual([false, true, true, true])
  expect(await proxy.delivery(1)).toEqual({ outcome: 'complete', usage: undefined })
  expect(proxy.replies[1]?.headers['content-length']).toBe('65537')
})

test('the first byte reaches the caller while the upstream is still at work', async () => {
  let finish = () => {}
  const proxy = await start((_req, res) => {
    res.write('first')
    finish = () => res.end(' last')
  })
  const res = await call(proxy, '/a')
  const [first] = await once(res, 'data')
  expect(String(first)).toBe('first')
  finish()
  expect(await text(res)).toBe(' last')
  expect(await proxy.delivery(0)).toMatchObject({ outcome: 'complete' })
})

test('an upload reaches the upstream while the caller is still sending', async () => {
  const proxy = await start(async (req, res) => {
    const [first] = await once(req, 'data')
    // The caller sends the rest once it has this reply.
    res.write(first)
    res.end(await text(req))
  })
  const req = nodeRequest(`${proxy.url}/a`, { method: 'POST', agent: new Agent() })
  req.write('first')
  const [res]: IncomingMessage[] = await once(req, 'response')
  const [first] = await once(res ?? req, 'data')
  expect(String(first)).toBe('first')
  req.end('second')
  expect(res && (await text(res))).toBe('second')
})

/** Sends all bytes at once and reads to the end of the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return (await buffer(socket)).toString('latin1')
}

/** The chunks of a chunked body. */
const chunksIn = (message: string) =>
  message.slice(message.indexOf('\r\n\r\n') + 4).match(/^[0-9a-f]+\r$/gm) ?? []

test('twenty thousand chunks of one byte become a hundred at most, in a reply and in an upload', async () => {
  const count = 20_000
  const tiny = `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`
  const heard: string[] = []
  const target = createServer((socket) => {
    let message = ''
    socket
      .on('error', () => undefined)
      .on('data', (piece) => {
        message += piece.toString('latin1')
        if (!/\r\n0\r\n\r\n$|^GET .*\r\n\r\n$/s.test(message)) return
        heard.push(message)
        message = ''
        socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${tiny}`)
      })
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  const proxy = await startProxy({
    target: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  })
  opened.push({ close: () => void target.close() }, proxy)
  const head = 'host: x\r\nconnection: close\r\n'
  const replies = [
    await exchange(proxy.port, `GET /up/a HTTP/1.1\r\n${head}\r\n`),
    await exchange(proxy.port, `POST /up/a HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n${tiny}`),
  ]
  for (const message of [...replies, heard[1] ?? '']) {
    const body = message.slice(message.indexOf('\r\n\r\n'))
    expect(body.match(/x/g)).toHaveLength(count)
    expect(chunksIn(message).length).toBeLessThan(101)
  }
})

test('a large upload keeps the length that its caller announced', async () => {
  let length: string | undefined
  const proxy = await start(async (req, res) => {
    length = req.headers['content-length']
    res.end(String((await text(req)).length))
  })
  const res = await call(
    proxy,
    '/a',
    { method: 'POST', headers: { 'content-length': 100_000 } },
    'x'.repeat(100_000),
  )
  expect([await text(res), length]).toEqual(['100000', '100000'])
})

test('HEAD, 204 and 304 have no body, and HEAD has the length it would have', async () => {
  const proxy = await start((req, res) => {
    if (req.url === '/204') res.writeHead(204).end()
    else if (req.url === '/304') res.writeHead(304, { etag: '"1"' }).end()
    else res.writeHead(200, { 'content-length': 1_000_000, 'content-type': 'a/b' }).end()
  })
  const head = await call(proxy, '/head', { method: 'HEAD' })
  expect([head.statusCode, head.headers['content-type'], await text(head)]).toEqual([200, 'a/b', ''])
  expect(proxy.replies[0]).toMatchObject({ headers: { 'content-length': '1000000' } })
  expect(proxy.replies[0]?.stream).toBeUndefined()
  const none = await call(proxy, '/204')
  expect([none.statusCode, await text(none)]).toEqual([204, ''])
  const same = await call(proxy, '/304', { headers: { 'if-none-match': '"1"' } })
  expect([same.statusCode, same.headers.etag, await text(same)]).toEqual([304, '"1"', ''])
})

test('ranges, conditions and encoded bodies pass unchanged, also invalid gzip', async () => {
  const packed = gzipSync('hello')
  const proxy = await start((req, res) => {
    if (req.url === '/bad') res.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    else
      res
        .writeHead(206, { 'content-encoding': 'gzip', 'content-range': `bytes 0-9/${req.headers.range}` })
        .end(packed)
  })
  const res = await call(proxy, '/a', { headers: { range: 'bytes=0-9' } })
  const chunks: Buffer[] = await res.toArray()
  expect([res.statusCode, res.headers['content-range'], Buffer.concat(chunks)]).toEqual([
    206,
    'bytes 0-9/bytes=0-9',
    packed,
  ])
  const bad = await call(proxy, '/bad')
  expect([bad.headers['content-encoding'], await text(bad)]).toEqual(['gzip', 'no gzip'])
})

test('trailers reach a caller that accepts them, without those of payments', async () => {
  const proxy = await start((_req, res) => {
    res.writeHead(200, { trailer: 'content-digest, payment-response' })
    res.write('body')
    res.addTrailers({ 'content-digest': 'd', 'payment-response': 'fake' })
    res.end()
  })
  const res = await call(proxy, '/a', { headers: { te: 'trailers' } })
  expect([await text(res), res.trailers]).toEqual(['body', { 'content-digest': 'd' }])
  const without = await call(proxy, '/a')
  expect([await text(without), without.trailers, without.headers.trailer]).toEqual(['body', {}, undefined])
})

test('102 and early hints reach the caller before the reply, unless it speaks HTTP/1.0', async () => {
  const proxy = await start((_req, res) => {
    res.writeProcessing()
    res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-payment': 'fake' })
    res.end('x')
  })
  const req = nodeRequest(`${proxy.url}/a`, { agent: new Agent() }).end()
  const hints: unknown[] = []
  req.on('information', ({ statusCode, headers }) => hints.push([statusCode, headers]))
  const [res]: IncomingMessage[] = await once(req, 'response')
  expect(res && (await text(res))).toBe('x')
  expect(hints).toEqual([
    [102, {}],
    [103, { link: '</up/a.css>; rel=preload' }],
  ])
  const { port, pathname } = new URL(`${proxy.url}/a`)
  const old = connect(Number(port), '127.0.0.1')
  old.write(`GET ${pathname} HTTP/1.0\r\n\r\n`)
  expect(await text(old)).toMatch(/^HTTP\/1\.1 200 (?!.*HTTP\/)/s)
})

let rounds = 0
const redirecting: Handle = (req, res) => {
  const own = `http://${req.headers.host}`
  if (req.url === '/base/own') res.writeHead(302, { location: `${own}/base/there?x=1` }).end()
  else if (req.url === '/base/made') res.writeHead(303, { location: 'there' }).end()
  else if (req.url === '/base/foreign') res.writeHead(302, { location: 'http://other.example/' }).end()
  else if (req.url === '/base/outside') res.writeHead(302, { location: '/elsewhere' }).end()
  else if (req.url === '/base/round' && ++rounds) res.writeHead(301, { location: '/base/round' }).end()
  else res.end(`${req.method} ${req.url} ${req.headers['content-type']}`)
}

test('a redirect reaches the caller and leads to the gateway’s address instead of the upstream’s', async () => {
  const proxy = await start(redirecting, {}, '/base')
  const own = await call(proxy, '/own')
  expect([own.statusCode, own.headers.location]).toEqual([302, '/up/there?x=1'])
  expect((await call(proxy, '/foreign')).headers.location).toBe('http://other.example/')
})

test('redirects are followed where the catalog says so, and only on the upstream’s own addresses', async () => {
  const proxy = await start(redirecting, { upstream: { redirects: 'follow' } }, '/base')
  expect(await text(await call(proxy, '/own'))).toBe('GET /base/there?x=1 undefined')
  const made = await call(proxy, '/made', { method: 'POST', headers: { 'content-type': 'a/b' } }, 'x')
  expect(await text(made)).toBe('GET /base/there undefined')
  expect((await call(proxy, '/own', { method: 'POST' }, 'x')).statusCode).toBe(302)
  expect((await call(proxy, '/foreign')).statusCode).toBe(302)
  expect((await call(proxy, '/outside')).statusCode).toBe(302)
  rounds = 0
  const round = await call(proxy, '/round')
  expect([round.statusCode, await text(round)]).toEqual([
    502,
    expect.stringContaining('redirects more than 5 times'),
  ])
  expect(rounds).toBe(6)
})

test('a 402 of an upstream becomes a 502, and its payment requirements do not reach the caller', async () => {
  const proxy = await start((_req, res) => {
    res.writeHead(402, { 'payment-required': 'pay me' }).end('{"accepts":[]}')
  })
  const res = await call(proxy, '/a')
  expect([res.statusCode, res.headers['payment-required']]).toEqual([502, undefined])
  expect(await text(res)).toContain('UPSTREAM_FAILED')
})

test('an upstream that asks for a payment is paid once where the catalog allows it, and the wallet gets each reply’s status', async () => {
  const concluded: unknown[] = []
  const asked: unknown[] = []
  const pay: PayUpstream = async ({ status, body }, call) => {
    asked.push([status, Buffer.from(body).toString(), call])
    return {
      headers: { 'payment-signature': 'signed' },
      conclude: async (reply) => void concluded.push(reply?.status),
    }
  }
  let refuses = false
  const proxy = await start(
    async (req, res) => {
      const body = await text(req)
      if (req.headers['payment-signature'] === undefined || refuses) res.writeHead(402).end('pay')
      else if (body === 'break') res.destroy()
      else res.writeHead(200, { 'payment-response': 'theirs' }).end(`sold ${body}`)
    },
    { pay, upstream: { spend: { per_call: '0.01', per_day: '1' } } },
    '/base',
  )
  const sold = await call(proxy, '/a?b=1', { method: 'POST' }, 'x')
  expect([sold.statusCode, await text(sold), sold.headers['payment-response']]).toEqual([
    200,
    'sold x',
    undefined,
  ])
  expect(asked).toEqual([
    [402, 'pay', expect.objectContaining({ operation: 'all', upstream: 'up', callId: 'call-1' })],
  ])
  expect(asked).toEqual([
    [402, 'pay', expect.objectContaining({ url: expect.stringMatching(/^http:.*\/base\/a\?b=1$/) })],
  ])
  expect((await call(proxy, '/a', { method: 'POST' }, 'break')).statusCode).toBe(502)
  refuses = true
  expect((await call(proxy, '/a')).statusCode).toBe(502)
  expect(concluded).toEqual([200, undefined, 402])
})
