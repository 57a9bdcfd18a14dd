import { setTimeout as pause } from 'node:timers/promises'
import { answer, type Behavior, head, pourOut } from '../../../support/servers/hostile-server.ts'

/** Replies that no server should send, by the path that asks for them. */

const writes =
  (text: string): Behavior =>
  (socket) =>
    void socket.write(Buffer.from(text, 'latin1'))
const ends =
  (text: string): Behavior =>
  (socket) =>
    void socket.end(Buffer.from(text, 'latin1'))
const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`

const behaviors: Readonly<Record<string, Behavior>> = {
  'no-http': writes('SSH-2.0-OpenSSH_9.9\r\n'),
  'no-reply': (socket) => void socket.end(),
  'no-status': writes('HTTP/1.1\r\n\r\n'),
  'status-99999': writes('HTTP/1.1 99999 Many\r\n\r\n'),
  'status-199': writes('HTTP/1.1 199 What\r\ncontent-length: 0\r\n\r\n'),
  'version-9': writes('HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\nok'),
  'two-lengths': writes(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
  'length-and-chunks': writes(
    `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ),
  'negative-length': writes(`${ok}content-length: -1\r\n\r\nok`),
  'endless-length': ends(`${ok}content-length: 99999999999999999999\r\n\r\nok`),
  'too-short': ends(`${ok}content-length: 100\r\n\r\nok`),
  'too-long': writes(`${ok}content-length: 2\r\n\r\nok, and more that was not announced`),
  'chunk-size': writes(`${chunked}zz\r\nok\r\n0\r\n\r\n`),
  'chunk-size-long': writes(`${chunked}${'0'.repeat(100_000)}2\r\nok\r\n0\r\n\r\n`),
  'chunk-extension': writes(`${chunked}2;${'a'.repeat(100_000)}\r\nok\r\n0\r\n\r\n`),
  'chunk-cut': ends(`${chunked}ff\r\nok`),
  trailers: writes(`${chunked}2\r\nok\r\n0\r\n${'x-a: b\r\n'.repeat(2_000)}\r\n`),
  'trailers-many': writes(
    `${chunked}2\r\nok\r\n0\r\n${Array.from({ length: 5_000 }, (_, n) => `x-${n}: b\r\n`).join('')}\r\n`,
  ),
  'trailers-endless': (socket) => {
    socket.write(`${chunked}2\r\nok\r\n0\r\n`)
    pourOut(socket, Buffer.from('x-a: b\r\n'.repeat(1_000)))
  },
  'split-reply': writes(`${ok}x-a: b\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`),
  'header-nul': writes(`${ok}x-a: a\0b\r\ncontent-length: 2\r\n\r\nok`),
  'header-newline': writes(`${ok}x-a: a\nx-b: b\r\ncontent-length: 2\r\n\r\nok`),
  'header-name': writes(`${ok}x a: b\r\ncontent-length: 2\r\n\r\nok`),
  'header-many': writes(`${ok}${'x-a: b\r\n'.repeat(1_900)}content-length: 2\r\n\r\nok`),
  'header-large': writes(`${ok}x-a: ${'a'.repeat(60_000)}\r\ncontent-length: 2\r\n\r\nok`),
  'header-endless': (socket) => {
    socket.write(ok)
    pourOut(socket, Buffer.from('x-a: b\r\n'.repeat(1_000)))
  },
  'status-line-endless': (socket) => {
    socket.write('HTTP/1.1 200 ')
    pourOut(socket, Buffer.alloc(65_536, 'a'))
  },
  'hints-endless': async (socket) => {
    for (let sent = 0; sent < 5_000 && !socket.destroyed; sent += 1) {
      socket.write(head(103, { link: '</a.css>; rel=preload' }))
      if (sent % 100 === 0) await pause(1)
    }
    socket.write(`${ok}content-length: 2\r\n\r\nok`)
  },
  'upgrade-unasked': writes(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ),
  'continue-endless': writes('HTTP/1.1 100 Continue\r\n\r\n'.repeat(3_000)),
  'redirect-self': answer(302, { location: '/redirect-self' }),
  'encoding-unknown': answer(200, { 'content-encoding': 'x-what' }, 'ok'),
  'encoding-false': answer(
    200,
    { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    '{"usage":{}}',
  ),
  'type-long': answer(200, { 'content-type': `application/${'json+'.repeat(3_000)}json` }, '{}'),
  'events-without-end': (socket) => {
    socket.write(head(200, { 'content-type': 'text/event-stream' }))
    socket.write(Buffer.alloc(5_000_000, 'data: a'))
    socket.end()
  },
  'events-of-nothing': (socket) => {
    socket.write(head(200, { 'content-type': 'text/event-stream' }))
    socket.end(Buffer.from('\n'.repeat(5_000_000)))
  },
  'events-of-little': (socket) => {
    socket.write(head(200, { 'content-type': 'text/event-stream' }))
    socket.end(Buffer.from('data\n\n'.repeat(800_000)))
  },
}

export const rawNames = Object.keys(behaviors)

/** Each under two paths: one is open, the other is counted by tokens. */
export const rawReplies: Readonly<Record<string, Behavior>> = Object.fromEntries(
  Object.entries(behaviors).flatMap(([name, behavior]) => [
    [`/${name}`, behavior],
    [`/counted/${name}`, behavior],
  ]),
)
