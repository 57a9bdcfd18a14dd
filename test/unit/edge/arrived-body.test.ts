import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hasArrived } from '../../../src/edge/http/framing.ts'

test('a body that came in one packet with its head has arrived when the call asks for it', async () => {
  const { client, requests } = await listen()
  client.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nhello')

  expect((await requests.next()).arrived).toBe(true)
})

test.each([
  ['a body of which a part is missing', 'content-length: 6\r\n\r\nhello'],
  ['a body that has not begun', 'content-length: 6\r\n\r\n'],
  ['a chunked body without its last chunk', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
])('%s has not arrived', async (_, rest) => {
  const { client, requests } = await listen()
  client.write(`POST / HTTP/1.1\r\nhost: a\r\n${rest}`)

  expect((await requests.next()).arrived).toBe(false)
})

test('requests whose bodies were read as they came are served one after the other on one connection', async () => {
  const { client, requests } = await listen()
  for (const text of ['first', 'other']) {
    client.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n${text}`)
    const { req, answer } = await requests.next()
    expect(String(req.read())).toBe(text)
    answer()
    await once(client, 'data')
  }
})

interface Seen {
  readonly req: IncomingMessage
  readonly arrived: boolean
  readonly answer: () => void
}

/** A server that looks at each request after the waits of a call, which take no turn of the event loop. */
async function listen(): Promise<{ client: Socket; requests: { next: () => Promise<Seen> } }> {
  let seen = Promise.withResolvers<Seen>()
  const server = createServer(async (req, res) => {
    await null
    seen.resolve({ req, arrived: hasArrived(req), answer: () => res.end() })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(portOf(server.address()), '127.0.0.1')
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const next = async () => {
    const found = await seen.promise
    seen = Promise.withResolvers()
    return found
  }
  return { client, requests: { next } }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
