import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { closeAll, deadAddress, get, hostile, open } from '../../support/gateways/pool.ts'
import { type Behavior, pourOut } from '../../support/servers/hostile-server.ts'

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

function pourHead(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  pourOut(socket, Buffer.from(`x-more: ${'a'.repeat(1_000)}\r\n`))
}
