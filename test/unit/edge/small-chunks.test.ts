import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { expect, test } from 'vitest'
import { messageClasses } from '../../../src/edge/http/connections/message-classes.ts'

/** What a reader of the body gets, piece by piece, of chunks that arrive in one packet. */
async function piecesOf(chunks: readonly string[]): Promise<string[]> {
  const pieces: string[] = []
  const server = createServer(
    messageClasses(express(), () => {}),
    (req, res) => {
      req.on('data', (piece) => pieces.push(String(piece))).on('end', () => res.end())
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    if (!isAddress(address)) throw new Error('the server does not listen on a port')
    const socket = connect(address.port, '127.0.0.1')
    const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}0\r\n\r\n`,
    )
    expect(await text(socket)).toContain('200 OK')
  } finally {
    server.close()
  }
  return pieces
}

test('thousands of chunks of one byte reach the reader whole, in order and in few pieces', async () => {
  const chunks = Array.from({ length: 20_000 }, (_, n) => String.fromCharCode(97 + (n % 26)))
  const pieces = await piecesOf(chunks)
  expect(pieces.join('')).toBe(chunks.join(''))
  expect(pieces.length).toBeLessThan(100)
})

test('small and large chunks keep their order', async () => {
  const chunks = Array.from({ length: 60 }, (_, n) => String(n % 10).repeat(n % 7 === 0 ? 500 : 1 + (n % 3)))
  expect((await piecesOf(chunks)).join('')).toBe(chunks.join(''))
})

test('the few chunks of a usual body are handed over one by one', async () => {
  expect(await piecesOf(['{"n":', '1', '}'])).toEqual(['{"n":', '1', '}'])
})

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
