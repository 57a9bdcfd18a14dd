import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { followConnections } from '../../../src/server/stop/connections.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const isAddress = (address: unknown): address is AddressInfo =>
  typeof address === 'object' && address !== null && 'port' in address

test('once the gateway stops, the reply under way ends its connection, and so does the first one on another', async () => {
  const replies: ServerResponse[] = []
  const server = createServer((_req, res) => void replies.push(res))
  const connections = followConnections(server)
  closers.push(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!isAddress(address)) throw new Error('the server does not listen on a port')
  const ask = async (replied: number) => {
    const socket = connect(address.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await expect.poll(() => replies.length).toBe(replied)
    return socket
  }

  const [idle, running] = [await ask(1), await ask(2)]
  replies[0]?.end('sent before')
  expect(String(await once(idle, 'data'))).toContain('Connection: keep-alive')
  connections.endAfterReplies()
  replies[1]?.end('sent after')
  expect(await text(running)).toContain('Connection: close')
  idle.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => replies.length).toBe(3)
  replies[2]?.end()
  expect(await text(idle)).toContain('Connection: close')
})

test('replies that have waited leave no memory behind that only a major collection frees', () => {
  const server = createServer()
  followConnections(server)
  const socket = new Socket()
  server.emit('connection', socket)
  const serveAll = () => {
    const waiting: ServerResponse[] = []
    for (let begun = 0; begun < 10_000; begun++) {
      const res = new Reply(new IncomingMessage(socket))
      server.emit('request', res.req, res)
      waiting.push(res)
      if (waiting.length > 50) waiting.shift()?.emit('close')
      if (begun % 500 === 0) collect({ type: 'minor' })
    }
    for (const res of waiting) res.emit('close')
    for (let times = 0; times < 3; times++) collect({ type: 'minor' })
  }

  serveAll()
  const before = process.memoryUsage().heapUsed
  serveAll()
  const grownMb = (process.memoryUsage().heapUsed - before) / 1e6

  // All replies together are 80 MB.
  expect(grownMb).toBeLessThan(20)
})

/** A reply of 8 kB. */
class Reply extends ServerResponse {
  readonly numbers = Array.from({ length: 1_000 }, (_, index) => index)
}

setFlagsFromString('--expose-gc')
const collect = z
  .function({ input: [z.object({ type: z.literal('minor') })], output: z.void() })
  .implement(runInNewContext('gc'))
