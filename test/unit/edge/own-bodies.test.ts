import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import express from 'express'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { json } from '../../../src/core/reply.ts'
import { refuse } from '../../../src/edge/http/refuse.ts'
import { toCall } from '../../../src/edge/http/request.ts'

/** The bodies of our own operations, as they arrive in pieces. */

const row = { ...noInput, method: 'POST', path: '/a', response: z.unknown() } as const
const target = {
  endpoint: endpoint('a', row, () => json(200, {})),
  operation: { access: 'operator', description: 'd', deadlineSeconds: 1 },
} as const

/** Sends a request whose body comes behind its head. @returns the reply, and the sizes in which the body counted. */
async function send(head: string, body: Uint8Array): Promise<{ answer: string; counted: readonly number[] }> {
  const counted: number[] = []
  const begun = Promise.withResolvers<void>()
  const app = express()
  app.use((req, res) => {
    toCall(req, res, target)
      .readBody({ expect: () => {}, arrive: (bytes) => void counted.push(bytes) })
      .then(
        ({ bytes }) => void res.end(`<${Buffer.from(bytes).toString()}>`),
        (error) => refuse(res, error, 'public', { log: createLog('silent'), countCall: () => {} }),
      )
    begun.resolve()
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect(portOf(server.address()), '127.0.0.1')
  socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`)
  await begun.promise
  socket.write(body)
  const answer = await text(socket)
  server.close()
  return { answer, counted }
}

const lengthOf = (body: Uint8Array) => `Content-Length: ${body.byteLength}\r\n`

test('a body in thousands of chunks of one byte is read in a few large pieces', async () => {
  const chunks = Buffer.from(`${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`)
  const { answer, counted } = await send('Transfer-Encoding: chunked\r\n', chunks)
  expect(answer.endsWith(`<${'x'.repeat(10_000)}>`)).toBe(true)
  expect(counted.length).toBeLessThan(100)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZip', gzipSync],
])('a body in %s is read, and counts as the largest that it may become', async (coding, compress) => {
  const body = compress('hello')
  const { answer, counted } = await send(`Content-Encoding: ${coding}\r\n${lengthOf(body)}`, body)
  expect(answer.endsWith('<hello>')).toBe(true)
  expect(counted).toEqual([100_000])
})

test.each([
  ['becomes too large', 'gzip', gzipSync('x'.repeat(100_001)), 'PAYLOAD_TOO_LARGE'],
  ['is broken', 'gzip', Buffer.from('no gzip'), 'MALFORMED_JSON'],
  ['has an unknown coding', 'zip', Buffer.from('x'), 'UNSUPPORTED_MEDIA_TYPE'],
  ['has two codings', 'gzip, br', Buffer.from('x'), 'UNSUPPORTED_MEDIA_TYPE'],
])('a compressed body that %s is refused', async (_why, coding, body, code) => {
  const { answer } = await send(`Content-Encoding: ${coding}\r\n${lengthOf(body)}`, body)
  expect(answer).toContain(`"code":"${code}"`)
})

test.each([
  ['announced', lengthOf(Buffer.alloc(100_001)), Buffer.alloc(0)],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', Buffer.from(`186a1\r\n${'x'.repeat(100_001)}\r\n`)],
])('a body above the limit, %s, is refused before it has ended', async (_how, head, body) => {
  expect((await send(head, body)).answer).toMatch(/^HTTP\/1\.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s)
})

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port')
  return address.port
}
