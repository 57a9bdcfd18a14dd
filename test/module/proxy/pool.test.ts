import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import {
  closeAll,
  deadAddress,
  get,
  hostile,
  named,
  open,
  post,
  read,
  serve,
} from '../../support/gateways/pool.ts'
import { answer, type Behavior, head, pourOut } from '../../support/servers/hostile-server.ts'

afterEach(closeAll)

test('a call is sent with the path of its target in front, and its reply keeps each header line', async () => {
  const { url } = await serve(async (req, res) => {
    const seen = `${req.method} ${req.url} ${req.headersDistinct['x-two']?.join('+')} ${await text(req)}`
    res.writeHead(207, { 'x-line': ['a', 'b'], trailer: 'x-end' })
    res.write(seen)
    res.addTrailers({ 'x-end': 'done' })
    res.end()
  })
  const pool = await open([`${url}/base/`])
  const reply = await pool.request(
    post({ path: '/v1?q=1', headers: { 'x-two': ['1', '2'] }, body: Buffer.from('hello') }),
  )
  expect(await text(reply.body)).toBe('POST /base/v1?q=1 1+2 hello')
  expect(reply.status).toBe(207)
  expect(reply.headers['x-line']).toEqual(['a', 'b'])
  expect(reply.target).toBe(`${url}/base/`)
  expect(reply.trailers()).toEqual({ 'x-end': 'done' })
})

test('an interim response before the reply is reported', async () => {
  const { url } = await serve((_req, res) =>
    res.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => res.end()),
  )
  const pool = await open([url])
  const informed: unknown[] = []
  await read(pool, get({ onInform: (status, headers) => informed.push([status, headers]) }))
  expect(informed).toEqual([[103, { link: '</a.css>; rel=preload' }]])
})

test('calls in sequence share one connection', async () => {
  const server = await hostile({ '/': answer(200) })
  const pool = await open([server.url])
  for (let call = 0; call < 3; call++) {
    await read(pool, get())
    await new Promise(setImmediate)
  }
  expect(server.connections).toBe(1)
})

describe('with several targets', () => {
  test('calls go to each in turn', async () => {
    const servers = [await named('a'), await named('b'), await named('c')]
    const pool = await open(servers.map(({ url }) => url))
    const answers = [
      await read(pool, get()),
      await read(pool, get()),
      await read(pool, get()),
      await read(pool, get()),
    ]
    expect(answers).toEqual(['a', 'b', 'c', 'a'])
  })

  test('calls go to the least busy one where the catalog says so', async () => {
    const waiting: (() => void)[] = []
    const slow = await serve((_req, res) => waiting.push(() => res.end('slow')))
    const quick = await named('quick')
    const pool = await open([slow.url, quick.url], { balance: 'least-busy' })
    const first = read(pool, get())
    expect([await read(pool, get()), await read(pool, get())]).toEqual(['quick', 'quick'])
    expect(pool.targets().map(({ active }) => active)).toEqual([1, 0])
    waiting[0]?.()
    expect(await first).toBe('slow')
  })

  test.each([
    ['GET', get()],
    ['POST', post({ body: Buffer.from('order') })],
    ['POST of an unread stream', post({ body: Readable.from(['order']) })],
  ])('a %s that could not be sent to one target goes to the next', async (_name, request) => {
    const pool = await open([await deadAddress(), (await named('alive')).url])
    expect(await read(pool, request)).toBe('alive')
  })

  test('a GET goes to the next target when one breaks off, and a POST that was sent never does', async () => {
    const broken = await hostile({ '/': (socket) => socket.destroy() })
    const other = await hostile({ '/': answer(200, {}, 'other') })
    const pool = await open([broken.url, other.url, broken.url])
    expect(await read(pool, get())).toBe('other')
    await expect(read(pool, post({ body: Buffer.from('order') }))).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
      details: { problem: 'its connection broke' },
    })
    expect(broken.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(other.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('after a 503 a GET goes to the next target; a POST, or a GET without another target, gets the 503', async () => {
    const busy = await hostile({ '/': answer(503, {}, 'busy') })
    const alive = await named('alive')
    const both = await open([busy.url, alive.url, busy.url])
    expect(await read(both, get())).toBe('alive')
    expect((await both.request(post())).status).toBe(503)
    const alone = await open([busy.url])
    expect(await read(alone, get())).toBe('busy')
    expect(busy.requests).toHaveLength(3)
  })

  test('a call is retried only as often as the catalog allows', async () => {
    const servers = await Promise.all(
      [1, 2, 3].map(() => hostile({ '/': (socket: Socket) => void socket.destroy() })),
    )
    const pool = await open(
      servers.map(({ url }) => url),
      { retries: 1 },
    )
    await expect(read(pool, get())).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' })
    expect(servers.map(({ requests }) => requests.length)).toEqual([1, 1, 0])
  })
})

describe('a target that fails', () => {
  test('is ejected after the configured failures, gets one trial call after its time, and comes back', async () => {
    let nowMs = 0
    let behavior: Behavior = (socket) => void socket.destroy()
    const bad = await hostile({ '/': (socket, request) => behavior(socket, request) })
    const good = await hostile({ '/': answer(200, {}, 'good') })
    const lines: string[] = []
    const pool = await open([bad.url, good.url], {
      retries: 0,
      health: { failures: 2, eject_seconds: 10 },
      now: () => nowMs,
      log: (line) => lines.push(line),
    })
    const call = () => read(pool, get()).catch(() => 'failed')
    expect([await call(), await call(), await call()]).toEqual(['failed', 'good', 'failed'])
    expect(pool.targets()).toEqual([
      { url: bad.url, isEjected: true, active: 0 },
      { url: good.url, isEjected: false, active: 0 },
    ])
    expect([await call(), await call(), await call()]).toEqual(['good', 'good', 'good'])

    nowMs = 10_000
    behavior = () => undefined
    const left = new AbortController()
    const trial = pool.request(get({ signal: left.signal })).catch(() => 'left')
    expect([await call(), await call()]).toEqual(['good', 'good'])
    left.abort()
    expect(await trial).toBe('left')

    behavior = (socket) => void socket.destroy()
    const tried = [await call(), await call()]
    expect(tried.filter((one) => one === 'failed')).toHaveLength(1)
    expect([await call(), await call()]).toEqual(['good', 'good'])

    nowMs = 20_000
    behavior = answer(200, {}, 'back')
    const after = [await call(), await call(), await call(), await call()]
    expect(after.filter((one) => one === 'back')).toHaveLength(2)
    expect(lines).toEqual([
      expect.stringMatching(/^an outage has begun: upstream shop, target /),
      'an upstream target failed and is ejected',
      'an upstream target is in use again',
    ])
  })

  test('still gets calls when all targets fail', async () => {
    let behavior: Behavior = answer(503)
    const only = await hostile({ '/': (socket, request) => behavior(socket, request) })
    const pool = await open([only.url], { health: { failures: 1, eject_seconds: 3_600 } })
    expect((await pool.request(get())).status).toBe(503)
    expect(pool.targets()[0]?.isEjected).toBe(true)
    behavior = answer(200, {}, 'back')
    expect(await read(pool, get())).toBe('back')
    expect(pool.targets()[0]?.isEjected).toBe(false)
  })

  test('is ejected by a health check before a call meets it, and comes back by one', async () => {
    let status = 500
    const target = await hostile({ '/base/up': (socket, request) => answer(status)(socket, request) })
    const lines: string[] = []
    const logged = (line: string) =>
      expect.poll(() => lines, { message: 'the log never said so' }).toContain(line)
    const pool = await open([`${target.url}/base`], {
      health: { path: '/up', every_seconds: 0.05 },
      log: (line) => lines.push(line),
    })
    await logged('an upstream target failed and is ejected')
    expect(pool.targets()[0]?.isEjected).toBe(true)
    status = 204
    await logged('an upstream target is in use again')
    expect(target.requests[0]?.path).toBe('/base/up')
  })
})

describe('a caller that leaves', () => {
  test('before the connection is open does not wait for it, and its request is never sent', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<string[]>()
    const server = await hostile({ '/': () => undefined })
    const pool = await open([`http://slow.example:${server.port}`], { resolve: () => asked })
    const left = new AbortController()
    const call = pool.request(get({ signal: left.signal }))
    left.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    expect(pool.targets()[0]).toMatchObject({ active: 0, isEjected: false })
    ask(['127.0.0.1'])
    await pool.close()
    expect(server.requests).toEqual([])
  })

  test('before the reply ends the call at the target, whose health does not suffer', async () => {
    const server = await hostile({ '/': () => undefined })
    const pool = await open([server.url], { health: { failures: 1 } })
    const left = new AbortController()
    const call = pool.request(get({ signal: left.signal }))
    await expect.poll(() => server.requests, { message: 'the target got no request' }).toHaveLength(1)
    left.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    await server.hungUp()
    expect(server.requests).toHaveLength(1)
    expect(pool.targets()[0]).toMatchObject({ active: 0, isEjected: false })
  })

  test.each([
    ['aborts', (left: AbortController, _body: Readable) => left.abort(new Error('left'))],
    ['destroys the body', (_left: AbortController, body: Readable) => void body.destroy()],
  ])('in the middle of the reply (%s) ends the call at the target', async (_name, leave) => {
    const server = await hostile({
      '/': (socket) => {
        socket.write(head(200))
        pourOut(socket, Buffer.alloc(65_536))
      },
    })
    const pool = await open([server.url], { health: { failures: 1 } })
    const left = new AbortController()
    const { body } = await pool.request(get({ signal: left.signal }))
    await once(body, 'readable')
    leave(left, body)
    await server.hungUp()
    expect(pool.targets()[0]).toMatchObject({ active: 0, isEjected: false })
  })

  test('in the middle of an upload gets the error of the upload, and the health of the target does not suffer', async () => {
    const server = await hostile({ '/': () => undefined })
    const pool = await open([server.url], { health: { failures: 1 } })
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('some')
        throw new GatewayError('PAYLOAD_TOO_LARGE')
      })(),
    )
    await expect(pool.request(post({ body }))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(pool.targets()[0]).toMatchObject({ active: 0, isEjected: false })
  })
})

test('a header that cannot be sent is our bug: the error stays as it is, and no target’s health suffers', async () => {
  const { url } = await named('a')
  const pool = await open([url], { health: { failures: 1 } })
  await expect(pool.request(get({ headers: { 'x-bad': 'a\r\nb: c' } }))).rejects.toThrow(
    'invalid x-bad header',
  )
  expect(pool.targets()[0]).toMatchObject({ active: 0, isEjected: false })
})

test('a closed pool finishes its calls and accepts no more', async () => {
  const { url } = await serve((_req, res) => setImmediate(() => res.end('done')))
  const pool = await open([url])
  const call = read(pool, get())
  await pool.close()
  expect(await call).toBe('done')
  await expect(pool.request(get())).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' })
})
