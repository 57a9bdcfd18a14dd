import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { createListener } from '../../../src/edge/http/connections/listener.ts'

/** What callers get from a listener before any route sees their requests. All of it is written to bare sockets. */

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(serve: RequestListener): Promise<Server> {
  const server = createListener({
    serve,
    audience: 'public',
    hasUpgrades: true,
    countCall: () => {},
    log: createLog('silent'),
    checkEveryMs: 10,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

/**
 * @param localAddress of the client.
 * @param bytes that it sends with the connection.
 */
async function open(server: Server, localAddress = '127.0.0.1', bytes = ''): Promise<Socket> {
  const address = server.address()
  if (!isAddress(address)) throw new Error('the server does not listen on a port')
  const socket = connect({ port: address.port, host: '127.0.0.1', localAddress })
  closers.push(() => socket.destroy())
  if (bytes !== '') socket.write(bytes)
  await once(socket, 'connect')
  return socket
}

/** Connections of one other client. */
const openMany = (server: Server, count: number, bytes = '') =>
  Promise.all(Array.from({ length: count }, () => open(server, '127.0.0.2', bytes)))

const isAddress = (address: unknown): address is AddressInfo =>
  typeof address === 'object' && address !== null && 'port' in address

/** Sends bytes on a new connection. @returns all that came until its end. */
async function exchange(server: Server, bytes: string): Promise<string> {
  const socket = await open(server)
  socket.write(bytes)
  return text(socket)
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const last = 'Connection: close\r\n'
const upgrading = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
const pathsOf = (answer: string) => [...answer.matchAll(/<(\/\w+)>/g)].map(([, path]) => path)

describe('requests that are sent at once on one connection', () => {
  test('are all answered, in their order, also when there are thousands', async () => {
    const server = await listen((req, res) => void setImmediate(() => res.end(`<${req.url}>`)))
    const paths = Array.from({ length: 3_000 }, (_, index) => `/${index}`)
    const answer = await exchange(server, paths.map((path) => get(path)).join('') + get('/last', last))
    expect(pathsOf(answer)).toEqual([...paths, '/last'])
  })

  test('wait for each other, so that a request on another connection is served between them', async () => {
    const begun: (string | undefined)[] = []
    const server = await listen((req, res) => {
      begun.push(req.url)
      res.end('x')
    })
    const [one, other] = [await open(server), await open(server)]
    // Both are readable in the same turn, and the flood comes first.
    one.write(get('/flood').repeat(1_500))
    other.write(get('/other'))
    await once(other, 'data')
    expect(begun.indexOf('/other')).toBeLessThan(20)
  })

  test('are not served while their caller reads no replies', async () => {
    let begun = 0
    const large = Buffer.alloc(1_000_000)
    const server = await listen((req, res) => {
      if (req.url === '/flood') begun += 1
      res.end(req.url === '/flood' ? large : 'x')
    })
    const [one, other] = [await open(server), await open(server)]
    one.write(get('/flood').repeat(1_500))
    for (let asked = 0; asked < 200; asked += 1) {
      other.write(get('/other'))
      await once(other, 'data')
    }
    // The rest is in the buffers of the system.
    expect(begun).toBeLessThan(30)
  })

  test('are not even read beyond a few thousand', async () => {
    let parsed = 0
    const held = Promise.withResolvers<void>()
    const server = await listen((_req, res) => void held.promise.then(() => res.end('x')))
    server.prependListener('request', () => {
      parsed += 1
    })
    const [one, other] = [await open(server), await open(server)]
    for (let block = 0; block < 100; block += 1) one.write(get('/flood').repeat(1_000))
    for (let asked = 0; asked < 50; asked += 1) {
      const socket = await open(server)
      socket.write('x\r\n\r\n')
      await once(socket, 'data')
    }
    expect(parsed).toBeLessThan(5_000)
    held.resolve()
    other.destroy()
  })

  test('are given up on the connections with long queues when too many wait, and others are served', async () => {
    const held = Promise.withResolvers<void>()
    const server = await listen(async (req, res) => {
      if (req.url === '/flood') await held.promise
      res.end('x')
    })
    const floods = await Promise.all(Array.from({ length: 20 }, () => open(server)))
    const closed = floods.map((socket) =>
      once(
        socket.on('error', () => {}),
        'close',
      ),
    )
    for (const socket of floods) socket.write(get('/flood').repeat(1_000))
    await Promise.any(closed)
    const other = await open(server)
    other.write(get('/other').repeat(3))
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    expect(floods.filter((socket) => !socket.destroyed).length).toBeGreaterThan(5)
    // Closed connections leave room again.
    for (const socket of floods) socket.destroy()
    held.resolve()
    await expect.poll(() => connectionsOf(server)).toBe(1)
    const again = await open(server)
    again.write(get('/other').repeat(1_500))
    await once(again, 'data')
    expect(again.destroyed).toBe(false)
  })

  test('begin by turns of their clients when many connections have one ready', async () => {
    const begun: (string | undefined)[] = []
    const replies: (() => void)[] = []
    const server = await listen((req, res) => {
      begun.push(req.url)
      workFor(1)
      if (req.url === '/first') replies.push(() => res.end('x'))
      else res.end('x')
    })
    const floods = await openMany(server, 100)
    for (const socket of floods) socket.write(get('/first') + get('/flood').repeat(3))
    await expect.poll(() => replies.length).toBe(100)
    const other = await open(server)
    // Every flood has its next request ready in the turn in which the other one is read.
    for (const reply of replies) reply()
    other.write(get('/other'))
    await once(other, 'data')
    expect(begun.indexOf('/other')).toBeLessThan(130)
    await expect.poll(() => begun.length).toBe(401)
  })

  test('begin after the connections that arrive with them are accepted', async () => {
    const begun: (string | undefined)[] = []
    const server = await listen(async (req, res) => {
      begun.push(req.url)
      // Like a call, it does most of its work in promises.
      await Promise.resolve()
      workFor(1)
      res.end('x')
    })
    const others = openMany(server, 150, get('/flood'))
    const last = await open(server, '127.0.0.1', get('/last'))
    await once(last, 'data')
    expect(begun.indexOf('/last')).toBeLessThan(75)
    await others
    await expect.poll(() => begun.length).toBe(151)
  })

  const serveTunnel: RequestListener = (req, res) => {
    if (req.url !== '/socket') return void setImmediate(() => res.end('x'))
    const { socket } = res
    if (!socket) throw new Error('the upgrade has no socket')
    res.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).flushHeaders()
    res.detachSocket(socket)
    socket.pipe(socket)
  }

  test('leave the bytes behind an upgrade to its tunnel', async () => {
    const socket = await open(await listen(serveTunnel))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    socket.write(`${get('/a').repeat(10)}${get('/socket', upgrading)}first words`)
    await expect.poll(() => answer).toMatch(/HTTP\/1\.1 101 .*\r\n\r\nfirst words$/s)
    socket.write(', more words')
    await expect.poll(() => answer).toMatch(/first words, more words$/)
  })

  test('end with their connection when an upgrade follows more of them than may wait', async () => {
    const socket = await open(await listen(serveTunnel))
    socket.write(`${get('/a').repeat(40)}${get('/socket', upgrading)}first words`)
    expect(await text(socket)).not.toContain('101')
  })

  test('are not run any more once their caller has left', async () => {
    let begun = 0
    const first = Promise.withResolvers<() => void>()
    const server = await listen((_req, res) => {
      begun += 1
      first.resolve(() => res.end('x'))
    })
    const socket = await open(server)
    socket.write(get('/a') + get('/b') + get('/c'))
    const answer = await first.promise
    socket.destroy()
    await expect.poll(() => connectionsOf(server)).toBe(0)
    answer()
    expect(begun).toBe(1)
  })
})

describe('connections that send in the same turn', () => {
  /** Node reads for so long before it hands over a request. */
  const slowToRead = (server: Server, parsed: (string | undefined)[]) =>
    server.prependListener('request', (req) => {
      parsed.push(req.url)
      workFor(1)
    })

  test('are read by turns of their clients, so that another client waits for a few of them', async () => {
    const parsed: (string | undefined)[] = []
    const server = await listen((_req, res) => res.end('x'))
    slowToRead(server, parsed)
    const floods = await openMany(server, 100)
    const other = await open(server)
    await expect.poll(() => connectionsOf(server)).toBe(101)
    for (const socket of floods) socket.write(get('/flood'))
    other.write(get('/other'))
    await once(other, 'data')
    expect(parsed.indexOf('/other')).toBeLessThan(60)
    await expect.poll(() => parsed.length).toBe(101)
  })

  test('are read to their end, also those that arrive, end or become tunnels meanwhile', async () => {
    const server = await listen((req, res) => {
      if (req.url !== '/socket') return void res.end(`<${req.url}>`)
      const { socket } = res
      res.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).flushHeaders()
      if (socket) res.detachSocket(socket)
      socket?.pipe(socket)
    })
    slowToRead(server, [])
    const floods = await openMany(server, 60)
    const answers = floods.map((socket) => text(socket))
    for (const socket of floods) socket.write(get('/a') + get('/b') + get('/c', last))
    const later = await openMany(server, 20)
    const tunnels = later.map((socket) => {
      socket.end(`${get('/socket', upgrading)}through`)
      return text(socket)
    })
    for (const answer of await Promise.all(answers)) expect(pathsOf(answer)).toEqual(['/a', '/b', '/c'])
    for (const answer of await Promise.all(tunnels)) expect(answer).toMatch(/101 .*through$/s)
    await expect.poll(() => connectionsOf(server)).toBe(0)
  })

  test('do not make a body be read that nobody takes', async () => {
    const server = await listen((req, res) => {
      if (req.url === '/flood') res.end('x')
    })
    slowToRead(server, [])
    const accepted = once(server, 'connection')
    const upload = await open(server)
    const [uploading]: Socket[] = await accepted
    upload.write(`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(4_000_000)}`)
    const floods = await openMany(server, 30)
    await expect.poll(() => connectionsOf(server)).toBe(31)
    for (let storm = 0; storm < 10; storm += 1) {
      const answers = floods.map((socket) => once(socket, 'data'))
      for (const socket of floods) socket.write(get('/flood'))
      await Promise.all(answers)
    }
    expect(uploading?.bytesRead).toBeLessThan(500_000)
  })
})

/** Keeps the event loop busy, as work does. */
function workFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

const serve: RequestListener = (req, res) => {
  req.on('data', () => undefined)
  req.once('end', () => res.end(`<${req.url}>`))
}
const body = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n{') + 4))
const chunked = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a request that cannot be read', () => {
  test.each([
    ['is no request', 'nonsense\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['has a broken header', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['has a broken chunk', `${chunked}zz\r\n`, 400, 'MALFORMED_REQUEST'],
    ['has an unknown version', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n', 505, 'VERSION_NOT_SUPPORTED'],
    ['has a head without end', `GET / HTTP/1.1\r\nA: ${'a'.repeat(40_000)}`, 431, 'HEADERS_TOO_LARGE'],
    ['has endless chunk extensions', `${chunked}1;${'a'.repeat(40_000)}`, 413, 'CHUNK_EXTENSIONS_TOO_LARGE'],
  ])(
    'because it %s is answered with our error body, and its connection ends',
    async (_why, bytes, status, code) => {
      const answer = await exchange(await listen(serve), bytes)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nconnection: close\\r\\n`, 'is'))
      const [head = ''] = answer.split('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      expect(Number(length)).toBe(answer.length - head.length - 4)
      expect(body(answer)).toMatchObject({ code, error: expect.any(String), message: expect.any(String) })
    },
  )

  test.each([
    ['head', 'GET / HTTP/1.1\r\nHost'],
    ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx'],
  ])('because its %s does not arrive in time gets a 408 with our error body', async (_part, bytes) => {
    const server = await listen(serve)
    const accepted = once(server, 'connection')
    const socket = await open(server)
    const [connection]: Socket[] = await accepted
    socket.write(bytes)
    await expect.poll(() => connection?.bytesRead).toBe(bytes.length)
    expire(server)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s)
  })

  test('behind others is answered after them, and these are served', async () => {
    const answer = await exchange(await listen(serve), `${get('/a')}${get('/b')}nonsense\r\n\r\n`)
    expect(answer).toMatch(/<\/a>HTTP.*<\/b>HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s)
  })

  test('because of its body is not served behind others, and these are', async () => {
    const answer = await exchange(await listen(serve), `${get('/b')}${chunked}zz\r\n`)
    expect(answer).toMatch(/<\/b>HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s)
    expect(pathsOf(answer)).toEqual(['/b'])
  })

  test('in the middle of its reply gets nothing into that reply', async () => {
    const begun = Promise.withResolvers<void>()
    const server = await listen((_req, res) => {
      res.write('half')
      begun.resolve()
    })
    const socket = await open(server)
    socket.write(chunked)
    await begun.promise
    socket.write('zz\r\n')
    const answer = await text(socket).catch(() => 'broken off')
    expect(answer).not.toContain('MALFORMED_REQUEST')
  })
})

describe('a request for a tunnel to another server', () => {
  const connect = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'

  test('is answered with our error body and the methods that are served, and its connection ends', async () => {
    const answer = await exchange(await listen(serve), connect)
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, .*\r\nconnection: close\r\n/is)
    expect(body(answer)).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      message: expect.stringContaining('tunnel'),
    })
  })

  test('behind others is answered after them', async () => {
    const answer = await exchange(await listen(serve), get('/a') + get('/b') + connect)
    expect(answer).toMatch(/<\/a>HTTP.*<\/b>HTTP\/1\.1 405 .*"code":"METHOD_NOT_ALLOWED"/s)
  })
})

test('a connection on which nothing was sent ends without an answer', async () => {
  const server = await listen(serve)
  const socket = await open(server)
  expire(server)
  expect(await text(socket)).toBe('')
})

/** Every request that is not whole has taken too long by now. */
function expire(server: Server): void {
  server.headersTimeout = 1
  server.requestTimeout = 1
}
