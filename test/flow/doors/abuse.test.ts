import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import request from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'

/**
 * Requests that cost the sender little must not cost the gateway much, and no cache may share a counted
 * reply.
 */

let workplace: Workplace
let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  workplace = await openWorkplace()
  chain = await startTestChain()
  const free = { access: 'optional', free: '1000/day' }
  const catalog = await writeCatalog(workplace.folder, { analyzeBusiness: free })
  gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: catalog })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await workplace.close()
})

test.each([
  ['of different names', (n: number) => `f${n}=`],
  ['of one name', () => 'scope=a'],
])('a form with 10,000 fields %s is refused', async (_what, field) => {
  const form = Array.from({ length: 10_000 }, (_, n) => field(n)).join('&')
  const reply = await request(gateway.url).post('/oauth/token').type('form').send(form)
  expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR'])
})

async function open(): Promise<Socket> {
  const socket = connect(gateway.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test.each([
  ['whose length is announced', 'Content-Length: 9000000000', 'x'],
  [
    'that comes in chunks',
    'Transfer-Encoding: chunked',
    `${(200_000).toString(16)}\r\n${'x'.repeat(200_000)}\r\n`,
  ],
])(
  'an endless body %s is refused at the limit, and its connection is closed',
  async (_how, header, begin) => {
    const socket = await open()
    socket.write(
      `POST /api/analyze HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}\r\n\r\n${begin}`,
    )
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"')
  },
)

test('a body of 40,000 nested arrays is explained like any other invalid body', async () => {
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  const reply = await request(gateway.url)
    .post('/operator/explain')
    .set('authorization', `Bearer ${operatorToken}`)
    .type('json')
    .send(`{"method":"POST","path":"/api/analyze","client":"192.0.2.7","body":${deep}}`)
  expect([reply.status, reply.body.status, reply.body.code]).toEqual([200, 400, 'VALIDATION_ERROR'])
})

test('a reply that was counted for one caller must not be stored by a cache', async () => {
  const made = await request(gateway.url)
    .post('/operator/keys')
    .set('authorization', `Bearer ${operatorToken}`)
    .send({ tier: 'starter' })
  const { key } = z.object({ key: z.string() }).parse(made.body)
  const body = { businessName: 'Bright Smile Dental' }
  for (const headers of [{}, { 'x-mcp-api-key': key }]) {
    const reply = await request(gateway.url).post('/api/analyze').set(headers).send(body)
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-store'])
  }
})
