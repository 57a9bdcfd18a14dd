import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GatewayError } from '../../../src/core/errors.ts'
import { closeAll, deadAddress, get, hostile, open, read } from '../../support/gateways/pool.ts'
import { answer, type Behavior, pourOut } from '../../support/servers/hostile-server.ts'

afterEach(closeAll)

describe('an unusable reply fails with a problem that names no address', () => {
  const bad: [string, Behavior, string, object][] = [
    [
      'a head of 10 MB',
      (socket) => pourHead(socket),
      'UPSTREAM_FAILED',
      { problem: 'the head of its reply is larger than 64 KB' },
    ],
    [
      'another protocol',
      (socket) => void socket.end('220 mail.example ready\r\n'),
      'UPSTREAM_FAILED',
      { problem: 'it does not speak valid HTTP' },
    ],
    [
      'two lengths',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'UPSTREAM_FAILED',
      { problem: expect.any(String) },
    ],
    [
      'a length beside chunks',
      (socket) =>
        void socket.end(
          'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        ),
      'UPSTREAM_FAILED',
      { problem: expect.any(String) },
    ],
    [
      'an upgrade that was not requested',
      (socket) => void socket.write('HTTP/1.1 101 Go\r\nupgrade: chat\r\nconnection: upgrade\r\n\r\n'),
      'UPSTREAM_FAILED',
      { problem: 'its connection broke' },
    ],
    ['silence', () => undefined, 'UPSTREAM_TIMEOUT', {}],
  ]
  test.each(bad)('%s', async (_name, behavior, code, details) => {
    const server = await hostile({ '/': behavior })
    const pool = await open([server.url], { first_byte_seconds: 0.1, retries: 0 })
    const failure = await pool.request(get()).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, details })
    expect(JSON.stringify(failure instanceof GatewayError ? failure.details : undefined)).not.toMatch(
      /127\.0|:\d/,
    )
    expect(pool.targets()[0]?.active).toBe(0)
  })

  const cut: [string, Behavior, string][] = [
    [
      'breaks off before its length',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfive!'),
      'UPSTREAM_FAILED',
    ],
    [
      'breaks off between chunks',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfive!\r\n'),
      'UPSTREAM_FAILED',
    ],
    [
      'falls silent',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfive!'),
      'UPSTREAM_TIMEOUT',
    ],
  ]
  test.each(cut)('a body that %s', async (_name, behavior, code) => {
    const server = await hostile({ '/': behavior })
    const pool = await open([server.url], { idle_seconds: 0.1, health: { failures: 1 } })
    const { status, body } = await pool.request(get())
    expect(status).toBe(200)
    await expect(buffer(body)).rejects.toMatchObject({ name: 'GatewayError', code })
    expect(pool.targets()).toEqual([{ url: server.url, isEjected: true, active: 0 }])
  })

  test('no server at the address', async () => {
    const pool = await open([await deadAddress()])
    const failure = await pool.request(get()).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', details: {} })
    expect(failure).toHaveProperty('cause.message', expect.stringMatching(/^upstream shop, target http:/))
  })
})

describe('a target that sends without end and says nothing is cut off before its lines reach the parser one by one', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'
  const lines = Buffer.from('x-a: b\r\n'.repeat(1_000))
  const endless: [string, string, Uint8Array][] = [
    ['header lines', 'HTTP/1.1 200 OK\r\n', lines],
    ['header lines after an interim reply', 'HTTP/1.1 103 Hints\r\nx-a: b\r\n\r\nHTTP/1.1 200 OK\r\n', lines],
    ['trailers', `${chunked}0\r\n`, lines],
    ['the digits of a chunk’s length', chunked, Buffer.alloc(10_000, '0')],
    ['the extension of a chunk', `${chunked}2;`, Buffer.alloc(10_000, 'a')],
  ]
  test.each(endless)('%s', async (_what, start, more) => {
    const server = await hostile({
      '/': (socket) => {
        socket.write(start)
        pourOut(socket, more)
      },
    })
    const pool = await open([server.url], { retries: 0, first_byte_seconds: 5, idle_seconds: 5 })
    const failure = await pool
      .request(get())
      .then(({ body }) => buffer(body))
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'UPSTREAM_FAILED' })
    const { cause } = z.object({ cause: z.object({ cause: z.instanceof(Error) }) }).parse(failure)
    expect(cause.cause).toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' })
    // undici's parser would have made one for each line.
    expect(cause.cause.stack).not.toMatch(/client-h1/)
    expect(pool.targets()[0]?.active).toBe(0)
  })
})

test('a long reply that is read slowly, and many short ones of one connection, are not taken for silence', async () => {
  const server = await hostile({
    '/long': answer(200, {}, Buffer.alloc(2_000_000, 'x')),
    '/head': answer(
      200,
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-${n}`, 'a'.repeat(1_000)])),
      'ok',
    ),
  })
  const pool = await open([server.url])
  const { body } = await pool.request(get({ path: '/long' }))
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    await turn()
  }
  expect(bytes).toBe(2_000_000)
  for (let call = 0; call < 4; call += 1) expect(await read(pool, get({ path: '/head' }))).toBe('ok')
  expect(pool.targets()).toEqual([{ url: server.url, isEjected: false, active: 0 }])
})

function pourHead(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  pourOut(socket, Buffer.from(`x-more: ${'a'.repeat(1_000)}\r\n`))
}
