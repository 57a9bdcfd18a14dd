import { once } from 'node:events'
import { request as nodeRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import {
  asked,
  codeOf,
  createBuyers,
  get,
  named,
  post,
  settled,
  walletOf,
} from '../../support/gateways/payment-for.ts'
import { openRelayScene, type RelayScene } from '../../support/gateways/relay-scene.ts'
import {
  answers,
  type Behavior,
  type FarEnd,
  says,
  startFarEnd,
  usage,
  words,
} from '../../support/servers/far-end.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

/**
 * Calls that wallets do not pay for: failed upstreams, bodies that are too large, requests other than the
 * signed one.
 */

let chain: TestChain
let far: FarEnd
let scene: RelayScene
let buyers: ReturnType<typeof createBuyers>

const catalog = () => `
upstreams:
  far: { prefix: /far, targets: ["${far.url}"], private: true, retries: 0, first_byte_seconds: 0.5, max_request_bytes: 2000 }
operations:
  askModel:
    access: price
    upstream: far
    route: POST /model/*
    description: By the token.
    price: { per: tokens, input: "0.000001", output: "0.000002", max: "0.01" }
  fetchFile: { access: price, upstream: far, route: "GET,POST /files/*", price: "0.02", description: At a fixed price. }
  fetchDear: { access: price, upstream: far, route: GET /dear/*, price: "0.03", settle: before, description: Paid first. }
  sendFile: { access: open, upstream: far, route: POST /uploads/*, deadline_seconds: 1, description: Takes a file. }
  drawPictures:
    access: price
    upstream: far
    route: POST /pictures
    description: By how many are asked for.
    price: { per: request, count: body.n, each: "0.005", max: "0.05" }
`

beforeAll(async () => {
  chain = await startTestChain()
  far = await startFarEnd()
  scene = await openRelayScene(chain, catalog(), { SETTLE_FIRST_AFTER: '1000', MAX_FAILED_RUNS: '1000' })
  buyers = createBuyers(scene)
})

afterAll(async () => {
  await scene?.close()
  await far?.close()
  await chain?.close()
})

const wallet = walletOf(2)
const ask = (path: string, more: object = {}) => post(`/far${path}`, { model: 'm', ...more })

const failures: Readonly<Record<string, readonly [behavior: Behavior, status: number]>> = {
  'answers 404': [says({ error: 'no such thing' }, 404), 404],
  'answers 503': [says({ error: 'too busy' }, 503), 503],
  'never answers': [() => undefined, 504],
  'breaks off before it answers': [(res) => res.destroy(), 502],
  'says that its reply is longer than it is': [
    (res) => res.writeHead(200, { 'content-length': 100 }).write('ten bytes!', () => res.destroy()),
    502,
  ],
}

describe.each(Object.entries(failures))('an upstream that %s', (name, [behavior, status]) => {
  const path = (folder: string) => `${folder}/${name.replaceAll(/[^a-z0-9]/g, '-')}`

  test('costs nothing, and the same payment is served once the upstream works again', async () => {
    const taken = await buyers.receives()
    const sales = [
      { at: path('/model'), call: ask(path('/model')), scheme: 'upto' },
      { at: path('/files'), call: get(`/far${path('/files')}`), scheme: 'exact' },
    ] as const
    const payments = await Promise.all(
      sales.map(async ({ at, call, scheme }) => {
        far.on(at, behavior)
        const payment = await buyers.sign(call, wallet, scheme)
        expect((await buyers.send(call, payment)).status).toBe(status)
        return { at, call, payment }
      }),
    )
    expect(await taken()).toBe(0n)
    for (const { at, call, payment } of payments) {
      expect(await buyers.stateOf(payment)).toBe('released')
      far.on(at, answers(3, 4))
      expect((await buyers.send(call, payment)).status).toBe(200)
    }
    await scene.idle()
    expect(await taken()).toBe(11n + 20_000n)
  })

  test('leaves a payment that settled before owed, and served once the upstream works again', async () => {
    const taken = await buyers.receives()
    const call = get(`/far${path('/dear')}`)
    far.on(path('/dear'), behavior)
    const payment = await buyers.sign(call, wallet, 'exact')
    expect(await codeOf(await buyers.send(call, payment))).toEqual([502, 'PAID_NOT_SERVED'])
    expect([await buyers.stateOf(payment), await taken()]).toEqual(['paid', 30_000n])
    far.on(path('/dear'), says('well'))
    expect((await buyers.send(call, payment)).status).toBe(200)
    expect([await buyers.stateOf(payment), await taken()]).toEqual([settled, 30_000n])
  })
})

describe('a paid call with a body above its limit is refused before its payment is claimed', () => {
  async function upload(path: string, headers: Readonly<Record<string, string | number>>) {
    const small = ask(path)
    const payment = await buyers.sign(small, wallet)
    const req = nodeRequest(`${scene.gateway.url}${small.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...payment.headers, ...headers },
    })
    req.on('error', () => undefined)
    req.write('x'.repeat(1_500))
    req.write('x'.repeat(1_500))
    const [res] = await once(req, 'response')
    const body = JSON.parse(await text(res))
    req.destroy()
    expect([res.statusCode, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await buyers.rowOf(payment)).toBeUndefined()
    expect(far.heard(path)).toEqual([])
  }

  test('when it announces its length', () => upload('/model/large', { 'content-length': 3_000 }))
  test('when it is sent in chunks', () => upload('/model/chunks', {}))
})

describe('a streamed upload that is not through by the deadline', () => {
  test('gets a 408 while its rest is with the caller, and the call at the upstream ends', async () => {
    const req = nodeRequest(`${scene.gateway.url}/far/uploads/stalled`, { method: 'POST' })
    req.on('error', () => undefined)
    req.write('the first part')
    const [res] = await once(req, 'response')
    const { code } = JSON.parse(await text(res))
    expect([res.statusCode, code, res.headers.connection]).toEqual([408, 'REQUEST_TIMEOUT', 'close'])
    await expect.poll(() => far.broken).toContain('/uploads/stalled')
    req.destroy()
  })

  test('gets a 504 when it has arrived whole and the upstream does not answer', async () => {
    far.on('/uploads/whole', () => undefined)
    const req = nodeRequest(`${scene.gateway.url}/far/uploads/whole`, { method: 'POST' })
    req.end('all of it')
    const [res] = await once(req, 'response')
    await text(res)
    expect(res.statusCode).toBe(504)
    expect(far.heard('/uploads/whole')).toHaveLength(1)
  })
})

describe('a price computed from the request', () => {
  test('is three times as high for three, and a payment signed for one does not buy three', async () => {
    far.on('/pictures', says('drawn'))
    const [one, three] = [1, 3].map((n) => post('/far/pictures', { n }))
    if (!one || !three) throw new Error('there are two calls')
    const amounts = async (call: typeof one) =>
      asked(await buyers.send(call)).accepts.map(({ amount }) => amount)
    expect([await amounts(one), await amounts(three)]).toEqual([['5000'], ['15000']])

    const small = await buyers.sign(one, wallet, 'exact')
    const refused = await buyers.send(three, small)
    expect(refused.status).toBe(402)
    expect(asked(refused).accepts[0]?.amount).toBe('15000')
    expect(await buyers.rowOf(small)).toBeUndefined()
    expect(far.heard('/pictures')).toEqual([])

    const taken = await buyers.receives()
    expect((await buyers.send(three, await buyers.sign(three, wallet, 'exact'))).status).toBe(200)
    expect(await taken()).toBe(15_000n)
    expect(far.heard('/pictures')).toHaveLength(1)
  })

  test('is its maximum for a request without a body', async () => {
    const probe = { path: '/far/pictures', method: 'POST', headers: {}, body: undefined }
    expect(asked(await buyers.send(probe)).accepts[0]?.amount).toBe('50000')
  })
})

test('HEAD is a separate call: its payment does not buy the body, and its stored reply has the right length', async () => {
  far.on('/files/head', (res, { method }) =>
    res.writeHead(200, { 'content-length': 12_345 }).end(method === 'HEAD' ? '' : 'x'.repeat(12_345)),
  )
  const call = named(get('/far/files/head'))
  const payment = await buyers.sign(call, wallet, 'exact')
  for (const _time of ['first', 'again']) {
    const head = await buyers.send({ ...call, method: 'HEAD' }, payment)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '12345'])
  }
  expect(await codeOf(await buyers.send(call, payment))).toEqual([409, 'PAYMENT_REPLAYED'])
  expect(far.heard('/files/head')).toHaveLength(1)
})

test('a payer with failed settlements gets only exact for a metered call, and pays before the work', async () => {
  const strict = await openRelayScene(chain, catalog(), { SETTLE_FIRST_AFTER: '1' })
  const there = createBuyers(strict)
  const asking = Promise.withResolvers<void>()
  far.on('/model/distrust', () => asking.resolve())
  const call = ask('/model/distrust')
  const leaving = new AbortController()
  const left = await there.sign(call, wallet)
  const leave = there.send(call, left, leaving.signal).catch(() => undefined)
  await asking.promise
  leaving.abort()
  await leave
  await expect.poll(async () => there.stateOf(left)).toBe('released')

  const answered = Promise.withResolvers<ServerResponse>()
  far.on('/model/distrust', (res) => answered.resolve(res))
  const refused = await there.send(call, await there.sign(call, wallet))
  expect([refused.status, await refused.json()]).toMatchObject([
    402,
    { details: { reason: 'unsupported_scheme' } },
  ])
  // A client signs the first requirement that it supports.
  expect(asked(refused).accepts.map(({ scheme }) => scheme)).toEqual(['exact'])
  const taken = await there.receives()
  const bought = there.send(call, await there.sign(call, wallet, 'exact'))
  const res = await answered.promise
  expect(await taken()).toBe(10_000n)
  res.end('{}')
  expect((await bought).status).toBe(200)
  await strict.close()
})

describe('a gateway that stops', () => {
  test('has settled and recorded what it delivered', async () => {
    const books = await emptyDatabase()
    const stopping = await openRelayScene(chain, catalog(), { DATABASE_URL: books })
    const there = createBuyers(stopping)
    const taken = await there.receives()
    far.on('/model/last', (res) =>
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(words('Bye') + usage(40, 30)),
    )
    const call = ask('/model/last', { stream: true })
    const reply = await there.send(call, await there.sign(call, wallet))
    await reply.text()
    await stopping.close()
    expect(await taken()).toBe(100n)
    const client = new pg.Client(books)
    await client.connect()
    const { rows } = await client.query(
      'select state, payments.amount, meterings.input, meterings.output, meterings.outcome from payments join meterings on meterings.payment_id = payments.id',
    )
    await client.end()
    expect(rows).toEqual([
      { state: 'settled', amount: '100', input: '40', output: '30', outcome: 'complete' },
    ])
  })

  test('in the middle of a paid reply owes the reply, and another gateway serves it for the same payment', async () => {
    const shared = { DATABASE_URL: await emptyDatabase(), PAY_TO: scene.account.address }
    const stopping = await openRelayScene(chain, catalog(), shared)
    const next = await openRelayScene(chain, catalog(), shared)
    const there = createBuyers(stopping)
    const elsewhere = createBuyers(next)
    const taken = await buyers.receives()
    far.on('/files/long', (res) => void res.writeHead(200).write('first'))
    const call = get('/far/files/long')
    const payment = await there.sign(call, wallet, 'exact')
    const reply = await there.send(call, payment)
    const reader = reply.body?.getReader()
    await reader?.read()
    await Promise.all([stopping.close(100), expect(reader?.read()).rejects.toThrow()])
    expect(await elsewhere.stateOf(payment)).toBe('paid')
    far.on('/files/long', says('whole'))
    expect((await elsewhere.send(call, payment)).status).toBe(200)
    expect([await elsewhere.stateOf(payment), await taken()]).toEqual([settled, 20_000n])
    await next.close()
  })

  test('waits for a reply that an upstream is still sending', async () => {
    const stopping = await openRelayScene(chain, catalog())
    const rest = Promise.withResolvers<void>()
    far.on('/files/long', (res) => {
      res.writeHead(200).write('first ')
      void rest.promise.then(() => res.end('and last'))
    })
    const there = createBuyers(stopping)
    const call = get('/far/files/long')
    const reply = await there.send(call, await there.sign(call, wallet, 'exact'))
    const closed = stopping.close()
    rest.resolve()
    expect(await reply.text()).toBe('first and last')
    await closed
  })

  test('does not wait for a connection without a request', async () => {
    const stopping = await openRelayScene(chain, catalog())
    const silent = connect(stopping.gateway.port, '127.0.0.1')
    await once(silent, 'connect')
    await (await fetch(`${stopping.gateway.url}/far/files/none`)).text()
    const closed = once(silent.resume(), 'close')
    await stopping.close()
    await closed
  })
})
