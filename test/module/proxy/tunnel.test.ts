import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import express from 'express'
import pTimeout from 'p-timeout'
import { afterEach, describe, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import type { Delivery } from '../../../src/core/catalog/metering.ts'
import type { Meter } from '../../../src/core/catalog/prices.ts'
import { readUpstream, upstream as upstreamSchema } from '../../../src/core/catalog/upstreams.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { createLog } from '../../../src/core/log.ts'
import { createListener } from '../../../src/edge/http/connections/listener.ts'
import { asksForWebSocket } from '../../../src/edge/http/connections/upgrade.ts'
import { sendReply } from '../../../src/edge/http/reply.ts'
import { tunnelReply } from '../../../src/edge/http/tunnel.ts'
import { openTunnel } from '../../../src/proxy/tunnel.ts'
import { closeAll, get, open } from '../../support/gateways/pool.ts'
import { patienceMs } from '../../support/patience.ts'
import { countHere } from '../../support/servers/count-here.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await closeAll()
})

test('messages pass both ways, in the subprotocol that caller and target agree on', async () => {
  const { url, requests } = await startEcho()
  const gateway = await startGateway(url)
  const socket = new WebSocket(`${gateway.url}/chat?q=1`, ['v2', 'v1'])
  await once(socket, 'open')
  const large = 'ä'.repeat(500_000)
  expect(await say(socket, 'hello')).toBe('hello')
  expect(await say(socket, large)).toBe(large)
  expect(socket.protocol).toBe('v1')
  expect(requests[0]).toMatchObject({ url: '/chat?q=1', headers: { 'x-call': 'call-1' } })
  socket.close(4_001, 'bye')
  expect((await once(socket, 'close'))[0]).toBe(4_001)
  expect((await gateway.deliveries[0])?.outcome).toBe('complete')
})

test('data that a caller sends with its handshake is not lost', async () => {
  const target = await startRaw((socket) => void socket.pipe(socket))
  const gateway = await startGateway(target.url)
  const caller = await connectTo(gateway.port)
  caller.write(`${handshake}early`)
  expect(await hears(caller, 'early')).toMatch(/^HTTP\/1\.1 101 .*\r\n\r\nearly$/s)
})

test('a WebSocket that is asked for behind another request on the same connection opens after its reply', async () => {
  const target = await startRaw((socket) => void socket.pipe(socket))
  const gateway = await startGateway(target.url)
  const caller = await connectTo(gateway.port)
  caller.write(`GET /slow HTTP/1.1\r\nhost: a\r\n\r\n${handshake}early`)
  expect(await hears(caller, 'early')).toMatch(
    /^HTTP\/1\.1 200 .*\r\n\r\nno websocketHTTP\/1\.1 101 .*\r\n\r\nearly$/s,
  )
})

test('the reply of a target that does not agree to the upgrade reaches the caller', async () => {
  const { url } = await startEcho((req) => req.url !== '/closed')
  const gateway = await startGateway(url)
  const socket = new WebSocket(`${gateway.url}/closed`)
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  expect([response.statusCode, await text(response)]).toEqual([401, 'not you'])
  expect(response.headers.connection).toBe('close')
})

test.each([
  ['names none', ''],
  ['names another', 'connection: upgrade\r\nupgrade: chat\r\n'],
])('a target that changes the protocol and %s gives a 502', async (_name, headers) => {
  const target = await startRaw(() => undefined, headers)
  const gateway = await startGateway(target.url)
  const caller = await connectTo(gateway.port)
  caller.write(handshake)
  expect(await text(caller)).toMatch(/^HTTP\/1\.1 502 .*UPSTREAM_FAILED$/s)
})

test('a refusal by the gateway closes the connection after its reply', async () => {
  const gateway = await startGateway('http://127.0.0.1:1', { settings: { retries: 0 } })
  const caller = await connectTo(gateway.port)
  caller.write(handshake)
  expect(await text(caller)).toMatch(/^HTTP\/1\.1 502 .*UPSTREAM_UNREACHABLE$/s)
})

test('a request to upgrade to another protocol gets an ordinary HTTP reply', async () => {
  const gateway = await startGateway('http://127.0.0.1:1')
  const caller = await connectTo(gateway.port)
  caller.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n')
  expect(await text(caller)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nno websocket$/s)
})

describe('a tunnel ends', () => {
  test.each([
    ['goes', (caller: Socket) => void caller.destroy()],
    ['breaks off', (caller: Socket) => void caller.resetAndDestroy()],
  ])(
    'when the caller %s: the target’s connection is closed, and the usage is reported',
    async (_name, leave) => {
      const target = await startRaw((socket) => void socket.pipe(socket))
      const gateway = await startGateway(target.url, { meter: perByte('1') })
      const caller = await connectTo(gateway.port)
      caller.write(handshake)
      await hears(caller, '\r\n\r\n')
      caller.write('hello')
      await hears(caller, 'hello')
      leave(caller)
      expect(await gateway.deliveries[0]).toEqual({
        outcome: 'left',
        usage: { input: 5, output: 5, isEstimate: false },
      })
      await target.closed()
    },
  )

  test.each([
    ['ends', 'complete', (socket: Socket) => void socket.end('last word')],
    ['breaks off', 'broken', (socket: Socket) => void socket.resetAndDestroy()],
  ])('when the target %s', async (_name, outcome, leave) => {
    const target = await startRaw((socket) => void socket.once('data', () => leave(socket)))
    const gateway = await startGateway(target.url)
    const caller = await connectTo(gateway.port)
    caller.write(handshake)
    await hears(caller, '\r\n\r\n')
    caller.write('go')
    await once(caller.resume(), 'end')
    caller.end()
    expect((await gateway.deliveries[0])?.outcome).toBe(outcome)
  })

  test('when both sides are idle, and a caller that does not read stops the target from sending', async () => {
    let poured = 0
    const target = await startRaw((socket) => {
      const pour = () => {
        do poured += 65_536
        while (socket.write(Buffer.alloc(65_536)))
      }
      socket.on('drain', pour)
      pour()
    })
    const gateway = await startGateway(target.url, { settings: { idle_seconds: 0.2 } })
    const caller = await connectTo(gateway.port)
    caller.write(handshake)
    await once(caller, 'readable')
    expect((await gateway.deliveries[0])?.outcome).toBe('complete')
    expect(poured).toBeLessThan(32_000_000)
  })

  test('when it has cost the maximum of a call', async () => {
    const target = await startRaw((socket) => void socket.pipe(socket))
    const gateway = await startGateway(target.url, { meter: perByte('0.00001') })
    const caller = await connectTo(gateway.port)
    caller.write(`${handshake}12345`)
    await once(caller.resume(), 'end')
    expect(await gateway.deliveries[0]).toMatchObject({ outcome: 'complete', usage: { input: 5, output: 5 } })
  })

  test('when the gateway stops: on both sides, with the outcome `broken`', async () => {
    const target = await startRaw((socket) => void socket.resume())
    const gateway = await startGateway(target.url)
    const caller = await connectTo(gateway.port)
    caller.write(handshake)
    await hears(caller, '\r\n\r\n')
    gateway.stop()
    await Promise.all([once(caller.resume(), 'end'), target.closed()])
    expect((await gateway.deliveries[0])?.outcome).toBe('broken')
  })
})

test('seconds are counted and rounded up', async () => {
  const { url } = await startEcho()
  const gateway = await startGateway(url, { meter: { ...perByte('1'), per: 'seconds' } })
  const socket = new WebSocket(gateway.url)
  await once(socket, 'open')
  socket.close()
  expect((await gateway.deliveries[0])?.usage).toEqual({ input: 0, output: 1, isEstimate: false })
})

test('a meter that cannot count a WebSocket refuses it before the target gets the request', async () => {
  const { url, requests } = await startEcho()
  const gateway = await startGateway(url, { meter: { ...perByte('1'), per: 'tokens' } })
  const socket = new WebSocket(gateway.url)
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  expect(await text(response)).toBe('VALIDATION_ERROR')
  expect(requests).toEqual([])
})

const handshake =
  'GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** A millionth of a USDC for each byte in either direction. */
function perByte(max: string): Meter {
  return { per: 'bytes', units: 1, input: '0.000001', output: '0.000001', max }
}

/** A gateway without doors that opens tunnels. */
async function startGateway(
  target: string,
  { meter, settings = {} }: { meter?: Meter; settings?: Record<string, unknown> } = {},
) {
  const pool = await open([target], settings)
  const upstream = readUpstream(upstreamSchema.parse({ prefix: '/x', targets: [target], ...settings }))
  const deliveries: (Promise<Delivery> | undefined)[] = []
  const closing = new AbortController()
  const log = createLog('silent')
  const app = express()
  app.use(async (req, res) => {
    const answer = (status: number, body: string) =>
      sendReply(res, { status, headers: {}, body: Buffer.from(body) }, 'public')
    if (!asksForWebSocket(req)) {
      await setImmediate()
      return answer(200, 'no websocket')
    }
    try {
      const opened = await openTunnel(get({ path: req.url, headers: { 'x-call': 'call-1' } }), {
        pool,
        upstream,
        incoming: {
          headers: Object.fromEntries(Object.entries(req.headersDistinct).map(([k, v]) => [k, v ?? []])),
        },
        meter,
        counting: meter && countHere(meter, { body: undefined, contentType: undefined }),
      })
      if (opened.kind === 'refused') return answer(opened.reply.status, await text(opened.reply.body))
      const { reply } = opened
      deliveries.push(reply.delivered)
      if (reply.tunnel) {
        tunnelReply({ res, reply, tunnel: reply.tunnel, callId: 'call-1', closing: closing.signal, log })
      }
    } catch (error) {
      answer(502, error instanceof GatewayError ? error.code : 'no GatewayError')
    }
  })
  const server = createListener({
    serve: app,
    audience: 'public',
    hasUpgrades: true,
    countCall: () => {},
    log,
  })
  const port = await listen(server)
  return { url: `ws://127.0.0.1:${port}`, port, deliveries, stop: () => closing.abort() }
}

async function startEcho(isAccepted: (req: IncomingMessage) => boolean = () => true) {
  const requests: IncomingMessage[] = []
  const echo = new WebSocketServer({ noServer: true, handleProtocols: () => 'v1' })
  const server = createServer()
  server.on('upgrade', (req, socket, head) => {
    requests.push(req)
    if (!isAccepted(req)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 7\r\n\r\nnot you')
      return
    }
    echo.handleUpgrade(req, socket, head, (client) => {
      client.on('message', (message, binary) => client.send(message, { binary }))
    })
  })
  closers.push(() => {
    for (const client of echo.clients) client.terminate()
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, requests }
}

/** A target that agrees to every upgrade and then runs `then`. */
async function startRaw(
  then: (socket: Socket) => void,
  headers = 'connection: upgrade\r\nupgrade: WebSocket\r\n',
) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    socket.once('data', () => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)
      then(socket)
    })
  })
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const closed = () =>
    pTimeout(Promise.all([...sockets].map((socket) => once(socket, 'close'))), {
      milliseconds: patienceMs,
      message: 'the connection to the target was not closed',
    })
  return { url, closed }
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  closers.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/**
 * Reads until these words came.
 * @returns all that was read.
 */
async function hears(socket: Socket, words: string): Promise<string> {
  let heard = ''
  while (!heard.endsWith(words)) {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) await once(socket, 'readable')
    else heard += chunk.toString('latin1')
  }
  return heard
}

async function say(socket: WebSocket, message: string): Promise<string> {
  const heard = once(socket, 'message')
  socket.send(message)
  return String((await heard)[0])
}
