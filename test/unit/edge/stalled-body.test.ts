import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express, { type Request, type Response } from 'express'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint, noInput } from '../../../src/core/endpoint.ts'
import { createLog } from '../../../src/core/log.ts'
import { json } from '../../../src/core/reply.ts'
import { bodyTimeoutMs } from '../../../src/edge/http/collect-body.ts'
import { HttpIncomingRequest } from '../../../src/edge/http/incoming-request.ts'
import { refuse } from '../../../src/edge/http/refuse.ts'
import { toCall } from '../../../src/edge/http/request.ts'

afterEach(() => {
  vi.useRealTimers()
})

const room = { expect: () => {}, arrive: () => {} }
const row = { ...noInput, method: 'POST', path: '/a', response: z.unknown() } as const
const target = {
  endpoint: endpoint('a', row, () => json(200, {})),
  operation: { access: 'operator', description: 'd', deadlineSeconds: 1 },
} as const

test.each([
  ['of our own', (req: Request, res: Response) => toCall(req, res, target).readBody(room)],
  [
    'of an upstream',
    (req: Request, res: Response) => new HttpIncomingRequest(req, res, '/a').collect(9, room),
  ],
])(
  'a request %s whose body stalls gets a 408 with our error body, and its connection ends',
  async (_whose, read) => {
    const app = express()
    const begun = Promise.withResolvers<void>()
    app.use((req, res) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      read(req, res).catch((error) =>
        refuse(res, error, 'public', { log: createLog('silent'), countCall: () => {} }),
      )
      begun.resolve()
    })
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect(portOf(server.address()), '127.0.0.1')
    socket.write('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx')
    await begun.promise
    await vi.advanceTimersByTimeAsync(bodyTimeoutMs)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s)
    server.close()
  },
)

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port')
  return address.port
}
