import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFetcher,
  FetchError,
  type Fetcher,
  type FetchOptions,
} from '../../../src/platform/net/fetch.ts'
import {
  answer,
  type Behavior,
  type HostileServer,
  head,
  pourOut,
  redirect,
  startHostileServer,
} from '../../support/servers/hostile-server.ts'

const text = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join('\n')
const noise = Buffer.from(Array.from({ length: 8_192 }, (_, index) => (index * 7_919 + (index >> 3)) % 256))
const zeros = Buffer.alloc(3_000_000)

const behaviors: Record<string, Behavior> = {
  '/text': answer(200, { 'content-type': 'text/plain; charset=utf-8' }, text),
  '/gzip': answer(200, { 'content-encoding': 'gzip' }, gzipSync(text)),
  '/x-gzip': answer(200, { 'content-encoding': 'X-GZIP, identity' }, gzipSync(text)),
  '/br': answer(200, { 'content-encoding': 'br' }, brotliCompressSync(text)),
  '/zstd': answer(200, { 'content-encoding': 'zstd' }, zstdCompressSync(text)),
  '/binary-html': answer(200, { 'content-type': 'text/html' }, noise),

  '/gigabyte': (socket) => {
    socket.write(head(200, { 'content-length': '1000000000' }))
    pourOut(socket, noise)
  },
  '/announced': (socket) => socket.write(head(200, { 'content-length': '6000000' })),
  '/endless': (socket) => {
    socket.write(head(200, { 'transfer-encoding': 'chunked' }))
    pourOut(socket, Buffer.concat([Buffer.from('2000\r\n'), noise, Buffer.from('\r\n')]))
  },
  '/without-length': (socket) => {
    socket.write(head(200, { connection: 'close' }))
    pourOut(socket, noise)
  },
  '/drip': (socket) => {
    socket.write(head(200, { 'content-length': '1000' }))
    const drops = setInterval(() => socket.write('.'), 20)
    socket.once('close', () => clearInterval(drops))
  },
  '/drip-of-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drops = setInterval(() => socket.write('x: y\r\n'), 20)
    socket.once('close', () => clearInterval(drops))
  },
  '/silent': () => undefined,
  '/interim': (socket) => {
    const drops = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 20)
    socket.once('close', () => clearInterval(drops))
  },

  '/many-headers': answer(200, { 'set-cookie': Array.from({ length: 10_000 }, (_, index) => `c${index}=1`) }),
  '/long-header': answer(200, { 'x-long': 'a'.repeat(70_000) }),
  '/gzip-bomb': answer(200, { 'content-encoding': 'gzip' }, gzipSync(zeros)),
  '/br-bomb': answer(200, { 'content-encoding': 'br' }, brotliCompressSync(zeros)),
  '/zstd-bomb': answer(200, { 'content-encoding': 'zstd' }, zstdCompressSync(zeros)),
  '/zstd-window': answer(
    200,
    { 'content-encoding': 'zstd' },
    zstdCompressSync(Buffer.alloc(9_000_000, 'ab'), { params: { [constants.ZSTD_c_windowLog]: 24 } }),
  ),
  '/double-gzip': answer(200, { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(text))),
  '/double-line': answer(200, { 'content-encoding': ['gzip', 'br'] }, gzipSync(text)),
  '/deflate': answer(200, { 'content-encoding': 'deflate' }, 'whatever'),
  '/no-gzip': answer(200, { 'content-encoding': 'gzip' }, text),
  '/no-br': answer(200, { 'content-encoding': 'br' }, noise),
  '/no-zstd': answer(200, { 'content-encoding': 'zstd' }, noise),
  '/half-gzip': answer(200, { 'content-encoding': 'gzip' }, gzipSync(noise).subarray(0, 200)),
  '/empty-gzip': answer(200, { 'content-encoding': 'gzip' }),

  '/too-short': (socket) =>
    socket.end(Buffer.concat([head(200, { 'content-length': '100' }), Buffer.from('ten bytes.')])),
  '/too-long': answer(200, { 'content-length': '3' }, 'abcHTTP/1.1 200 OK\r\n\r\n'),
  '/two-lengths': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde'),
  '/length-and-chunks': (socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ),
  '/cut-chunks': (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nabc'),
  '/bad-chunks': (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n'),
  '/hangs-up': (socket) => socket.end(),
  '/resets': (socket) => socket.resetAndDestroy(),
  '/no-http': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/unasked-upgrade': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  '/bare-upgrade': (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),

  '/circle': redirect('/circle-back'),
  '/circle-back': redirect('/circle'),
  '/self': redirect('/self#again'),
  '/further': (socket, request) => redirect(`${request.path}/`)(socket, request),
  '/nowhere': redirect('http://[::bad'),
  '/pdf': (socket) => {
    socket.write(head(200, { 'content-type': 'application/pdf', 'content-length': '1000000' }))
    pourOut(socket, noise)
  },
  '/no-type': answer(200, {}, text),
  '/json-404': answer(404, { 'content-type': 'application/json' }, '{}'),
}

let server: HostileServer
let fetcher: Fetcher

beforeAll(async () => {
  server = await startHostileServer(behaviors)
  fetcher = createFetcher({
    userAgent: 'tollgate-test',
    allowed: [{ name: 'hostile.example', address: '127.0.0.1', port: server.port }],
  })
})

afterAll(async () => {
  await fetcher.close()
  await server.close()
})

const get = (path: string, options?: FetchOptions) => fetcher.fetch(`http://hostile.example${path}`, options)

async function failureOf(path: string, options?: FetchOptions): Promise<FetchError> {
  const error: unknown = await get(path, options).then(
    () => new Error('it was fetched'),
    (error: unknown) => error,
  )
  if (error instanceof FetchError) return error
  throw error
}

test.each(['/gzip', '/x-gzip', '/br', '/zstd'])(
  'a body with one layer of compression is unpacked: %s',
  async (path) => {
    const { body, bytes, wireBytes, isCut } = await get(path)

    expect(Buffer.from(body).toString()).toBe(text)
    expect({ bytes, isCut }).toEqual({ bytes: text.length, isCut: false })
    expect(wireBytes).toBeLessThan(bytes / 2)
  },
)

test('an uncompressed body has as many bytes as came over the network', async () => {
  expect(await get('/text')).toMatchObject({ bytes: text.length, wireBytes: text.length })
})

test('a binary body is returned unchanged though its type is text', async () => {
  const { body } = await get('/binary-html', { accept: ['text/html'] })

  expect(Buffer.from(body).equals(noise)).toBe(true)
})

test('a body has a buffer of its own, so that nothing else moves along to a worker thread', async () => {
  const { body } = await get('/json-404')

  expect(body.buffer.byteLength).toBe(body.length)
})

describe('a server that tries to fill our memory', () => {
  test.each(['/gigabyte', '/endless', '/without-length'])(
    'is left when it sends too much: %s',
    async (path) => {
      const failed = failureOf(path, { maxBytes: 100_000 })

      expect((await failed).reason).toBe('too_large')
      await server.hungUp()
    },
  )

  test.each(['/gigabyte', '/endless', '/without-length'])(
    'is cut off where a cut body will do: %s',
    async (path) => {
      const { body, bytes, isCut } = await get(path, { maxBytes: 100_000, onTooLarge: 'cut' })

      expect({ length: body.length, bytes, isCut }).toEqual({ length: 100_000, bytes: 100_000, isCut: true })
      await server.hungUp()
    },
  )

  test('is disconnected at a head that announces too much', async () => {
    expect((await failureOf('/announced', { maxBytes: 5_000_000 })).reason).toBe('too_large')
    await server.hungUp()
  })

  test('may send exactly as much as the limit', async () => {
    expect(await get('/text', { maxBytes: text.length })).toMatchObject({ bytes: text.length, isCut: false })
    expect((await failureOf('/text', { maxBytes: text.length - 1 })).reason).toBe('too_large')
  })

  test('is limited by the decompressed size', async () => {
    expect((await failureOf('/gzip', { maxBytes: text.length - 1 })).reason).toBe('too_large')
    expect(await get('/gzip', { maxBytes: text.length })).toMatchObject({ bytes: text.length })
  })

  test.each(['/gzip-bomb', '/br-bomb', '/zstd-bomb'])(
    'fails with a body that expands more than a hundredfold: %s',
    async (path) => {
      expect((await failureOf(path)).reason).toBe('encoding')
      expect((await failureOf(path, { onTooLarge: 'cut' })).reason).toBe('encoding')
    },
  )

  test('fails with a zstd window above 8 MB', async () => {
    const { reason, message } = await failureOf('/zstd-window')

    expect({ reason, message }).toEqual({ reason: 'encoding', message: 'The body is not valid zstd.' })
  })

  test.each(['/many-headers', '/long-header'])('fails with a header of more than 64 KB: %s', async (path) => {
    expect(await failureOf(path)).toMatchObject({
      reason: 'response',
      message: "The answer's header is larger than 64 KB.",
    })
  })
})

describe('a server that tries to hold a connection open', () => {
  test.each(['/drip', '/drip-of-headers', '/silent', '/interim'])(
    'is left when the time is up: %s',
    async (path) => {
      const failed = failureOf(path, { deadlineMs: 200 })

      expect((await failed).reason).toBe('timeout')
      await server.hungUp()
    },
  )

  test('gains no time by redirects', async () => {
    const slow = await startHostileServer({
      '/': (socket, request) => void setTimeout(() => redirect('/next')(socket, request), 100),
      '/next': () => undefined,
    })
    const impatient = createFetcher({
      userAgent: 'tollgate-test',
      allowed: [{ name: 'slow.example', address: '127.0.0.1', port: slow.port }],
    })

    await expect(impatient.fetch('http://slow.example/', { deadlineMs: 300 })).rejects.toMatchObject({
      reason: 'timeout',
      url: 'http://slow.example/next',
    })

    await impatient.close()
    await slow.close()
  })
})

describe('an encoding that was not offered, or is not valid', () => {
  test.each(['/double-gzip', '/double-line', '/deflate', '/no-gzip', '/no-br', '/no-zstd', '/half-gzip'])(
    'fails with `encoding`: %s',
    async (path) => {
      expect((await failureOf(path)).reason).toBe('encoding')
    },
  )

  test('is ignored where there is no body', async () => {
    expect(await get('/empty-gzip')).toMatchObject({ status: 200, bytes: 0 })
    expect(
      await get('/deflate', { method: 'HEAD', onTooLarge: 'fail' }).catch((error) => error),
    ).toMatchObject({
      status: 200,
    })
  })
})

test.each(['/deflate', '/no-gzip', '/half-gzip', '/gzip-bomb', '/too-short', '/cut-chunks', '/drip'])(
  'a body that cannot be read is left out where the status alone counts: %s',
  async (path) => {
    const fetched = await get(path, {
      onUnreadable: 'leave out',
      deadlineMs: path === '/drip' ? 300 : 10_000,
    })

    expect(fetched).toMatchObject({ status: 200, bytes: 0, isCut: true })
  },
)

describe('broken HTTP', () => {
  test.each([
    '/too-short',
    '/two-lengths',
    '/length-and-chunks',
    '/cut-chunks',
    '/bad-chunks',
    '/hangs-up',
    '/resets',
    '/no-http',
    '/unasked-upgrade',
    '/bare-upgrade',
  ])('fails with `response`: %s', async (path) => {
    expect((await failureOf(path)).reason).toBe('response')
  })

  test('does not smuggle a second response to the next request', async () => {
    const { body } = await get('/too-long')
    expect(Buffer.from(body).toString()).toBe('abc')

    expect(await get('/text')).toMatchObject({ status: 200, bytes: text.length })
  })
})

describe('redirects', () => {
  test.each(['/circle', '/self'])('in a circle fail: %s', async (path) => {
    const before = server.requests.length

    expect(await failureOf(path)).toMatchObject({
      reason: 'redirects',
      message: 'The server redirects in a circle.',
    })

    expect(server.requests.length - before).toBeLessThanOrEqual(2)
  })

  test('without end are followed as often as the options allow', async () => {
    const endless = await startHostileServer(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`/${index}`, redirect(`/${index + 1}`, 301)] as const),
      ),
    )
    const follower = createFetcher({
      userAgent: 'tollgate-test',
      allowed: [{ name: 'endless.example', address: '127.0.0.1', port: endless.port }],
    })

    await expect(follower.fetch('http://endless.example/0')).rejects.toMatchObject({
      reason: 'redirects',
      message: 'The server redirects more than 5 times.',
    })
    expect(endless.requests.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5'])
    expect(await follower.fetch('http://endless.example/0', { maxRedirects: 0 })).toMatchObject({
      status: 301,
      url: 'http://endless.example/0',
      redirects: [],
    })

    await follower.close()
    await endless.close()
  })

  test('to no valid address fail with a message that says so', async () => {
    expect((await failureOf('/nowhere')).reason).toBe('redirects')
  })
})

describe('a media type that is not accepted', () => {
  test('fails, and its body is not read', async () => {
    const failed = await failureOf('/pdf', { accept: ['text/html', 'text/*'] })

    expect(failed).toMatchObject({
      reason: 'content_type',
      message: 'The answer is application/pdf; expected was text/html or text/*.',
    })
    await server.hungUp()
  })

  test('does not include one whose range is accepted, and does include a missing type', async () => {
    expect(await get('/text', { accept: ['text/*'] })).toMatchObject({ status: 200 })
    expect(await get('/text', { accept: ['*/*'] })).toMatchObject({ status: 200 })
    expect((await failureOf('/no-type', { accept: ['text/*'] })).reason).toBe('content_type')
    expect(await get('/no-type')).toMatchObject({ status: 200 })
  })

  test('does not hide a response with an error status', async () => {
    expect(await get('/json-404', { accept: ['text/html'] })).toMatchObject({ status: 404 })
  })
})

test('a closed port fails with `connect`', async () => {
  const { port, close } = await startHostileServer({})
  await close()
  const knocker = createFetcher({ userAgent: 'tollgate-test', allowed: [{ address: '127.0.0.1', port }] })

  await expect(knocker.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    reason: 'connect',
    url: `http://127.0.0.1:${port}/`,
  })

  await knocker.close()
})

test('the message of a failure names nothing of our internals', async () => {
  for (const path of ['/hangs-up', '/no-http', '/no-gzip', '/double-gzip', '/long-header']) {
    expect((await failureOf(path)).message).not.toMatch(/undici|socket|HPE|UND_ERR|Error|127\.0\.0\.1/)
  }
})
