import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ReplyReading } from '../../../src/proxy/pool/reply-reading.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Connections to a target, which are read by turns. */
async function openMany(count: number) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const reading = new ReplyReading()
  const opened: { socket: Socket; far: Socket; leave: () => void }[] = []
  while (opened.length < count) {
    const socket = connect({ port: portOf(server), host: '127.0.0.1' })
    const [far]: Socket[] = await once(server, 'connection')
    if (!far) throw new Error('no connection was accepted')
    closers.push(
      () => socket.destroy(),
      () => far.destroy(),
    )
    opened.push({ socket, far, leave: reading.watch(socket) })
  }
  return opened
}

/** Reads a connection as undici does: all that it gets, each time when there is something. */
function read(socket: Socket, take: (text: string) => void): void {
  socket.on('readable', () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) take(String(chunk))
  })
}

test('many replies that come at once are read by turns of a few milliseconds, and all of each', async () => {
  const got = new Map<Socket, string>()
  let reads = 0
  const connections = await openMany(60)
  for (const { socket } of connections)
    read(socket, (text) => {
      workFor(1)
      reads += 1
      got.set(socket, (got.get(socket) ?? '') + text)
    })
  for (const { far } of connections) far.end('reply')
  let most = 0
  for (let seen = 0; seen < 60; seen = reads) {
    await turn()
    most = Math.max(most, reads - seen)
  }
  expect(most).toBeLessThan(10)
  expect([...got.values()]).toEqual(Array.from({ length: 60 }, () => 'reply'))
  await Promise.all(connections.map(({ socket }) => socket.readableEnded || once(socket, 'end')))
})

test('a connection that becomes a tunnel is read without turns', async () => {
  const [tunnel, ...others] = await openMany(20)
  if (!tunnel) throw new Error('no connection was opened')
  const order: string[] = []
  for (const { socket } of others)
    read(socket, (text) => {
      workFor(3)
      order.push(text)
    })
  tunnel.leave()
  read(tunnel.socket, (text) => order.push(text))
  for (const { far } of others) far.write('reply')
  tunnel.far.write('tunnel')
  await expect.poll(() => order.length).toBe(20)
  // Whatever is read before it is read in the same turn.
  expect(order.indexOf('tunnel')).toBeLessThan(5)
})

function portOf(server: Server): number {
  const address = server.address()
  if (!isAddress(address)) throw new Error('the target does not listen on a port')
  return address.port
}

const isAddress = (address: unknown): address is AddressInfo =>
  typeof address === 'object' && address !== null && 'port' in address

function workFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
