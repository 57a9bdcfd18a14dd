import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { ListenError, openPorts } from '../../../src/server/start/open-ports.ts'

const log = createLog('silent')
const names = { setting: 'PORT', hostSetting: 'HOST' }

test('a port that reports errors while it listens goes on listening', async () => {
  const server = createServer((_req, res) => res.end('served'))
  await openPorts([{ server, at: { port: 0, host: '127.0.0.1' }, ...names }], log)
  try {
    for (const message of ['first', 'second']) server.emit('error', new Error(message))
    const address = server.address()
    if (!isAddress(address)) throw new Error('the server does not listen on a port')
    const reply = await fetch(`http://127.0.0.1:${address.port}/`)
    expect(await reply.text()).toBe('served')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a taken port is named with its setting, and no other port stays open', async () => {
  const other = createTcpServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  if (!isAddress(address)) throw new Error('the server does not listen on a port')
  const free = createServer()
  const taken = createServer()
  try {
    const opening = openPorts(
      [
        { server: free, at: { port: 0, host: '127.0.0.1' }, ...names },
        { server: taken, at: { port: address.port, host: '127.0.0.1' }, ...names },
      ],
      log,
    )
    await expect(opening).rejects.toThrow(ListenError)
    expect(free.listening).toBe(false)
  } finally {
    other.close()
  }
})

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
